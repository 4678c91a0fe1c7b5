"""H2, H3 and paragraph rules with prefix and overlap: the spec's decisions, one by one, and its
checklist."""

from __future__ import annotations

import pytest

from chunking import Config, parse, run
from chunking.analysis.section_rules_checklist import checklist, module_counts
from chunking.errors import ConfigError, SettingError
from chunking.runs import Run
from chunking.strategies.every_heading import EveryHeading
from chunking.strategies.section_rules import SectionRules

NAME = "module-2-ros2/chapter-2-topics.md"


def rules(
    split_above: int = 20,
    min_tokens: int = 0,
    target_high: int = 10,
    overlap_tokens: int = 0,
    small: str = "merge",
    prefix_labels: tuple[str, ...] = (),
    exclude: tuple[str, ...] = ("What's Next",),
    count_context: bool = False,
) -> SectionRules:
    return SectionRules.model_validate(
        {
            "split_above": split_above,
            "min_tokens": min_tokens,
            "target_low": 0,
            "target_high": target_high,
            "overlap_tokens": overlap_tokens,
            "small": small,
            "prefix_labels": prefix_labels,
            "exclude": exclude,
            "count_context": count_context,
        }
    )


def cut(text: str, strategy: SectionRules, name: str = NAME) -> Run:
    return run(parse(text, name=name), Config(strategy, "words"))


def test_each_h2_section_is_one_chunk_and_text_before_the_first_is_the_introduction() -> None:
    run = cut("# T\nintro\n## A\none\n## B\ntwo\n", rules())

    assert [chunk.kept_text for chunk in run.chunks] == ["# T\nintro", "## A\none", "## B\ntwo"]
    assert [chunk.metadata["section_heading"] for chunk in run.chunks] == ["Introduction", "## A", "## B"]
    assert [chunk.ended_by.rule for chunk in run.chunks] == ["h2", "h2", "end"]


def test_a_later_h1_starts_another_introduction() -> None:
    run = cut("# T\nintro\n## A\none\n# U\nagain\n", rules())

    assert [chunk.metadata["section_heading"] for chunk in run.chunks] == ["Introduction", "## A", "Introduction"]


def test_a_section_over_the_limit_is_split_at_h3_and_lead_text_is_its_own_piece() -> None:
    run = cut("## A\nlead\n### X\none two\n### Y\nthree four\n", rules(split_above=8, target_high=8))

    assert [chunk.kept_text for chunk in run.chunks] == ["## A\nlead", "### X\none two", "### Y\nthree four"]
    assert (
        run.chunks[0].ended_by.detail
        == "the section has 11 tokens, more than splitAbove (8), so it is cut where 'X' begins"
    )


def test_a_heading_without_lead_text_joins_the_first_h3() -> None:
    run = cut("## A\n\n### X\none two\n### Y\nthree four\n", rules(split_above=8, target_high=8))

    assert [chunk.metadata["section_heading"] for chunk in run.chunks] == ["### X", "### Y"]
    assert run.chunks[0].kept_text == "## A\n\n### X\none two"


def test_a_section_without_h3_is_split_at_paragraphs_filled_to_the_target() -> None:
    run = cut("## A\n\na b c d\n\ne f g\n\nh i j k l\n", rules(split_above=12, target_high=10))

    assert [chunk.kept_text for chunk in run.chunks] == ["## A\n\na b c d\n\ne f g", "h i j k l"]
    assert run.chunks[0].ended_by.rule == "paragraph"


def test_a_fence_over_the_limit_is_not_cut_and_is_flagged() -> None:
    run = cut("## A\n\n```\n" + "x y\n" * 12 + "```\n\nafter\n", rules(split_above=12, target_high=10))

    code = next(chunk for chunk in run.chunks if "```" in chunk.kept_text)
    assert code.kept_text.count("```") == 2
    assert code.flag("unsplittable") is not None


def test_a_paragraph_over_the_limit_is_cut_at_sentences() -> None:
    run = cut("## A\n\n" + "One two three four. " * 6 + "\n", rules(split_above=12, target_high=10))

    assert [chunk.body_tokens for chunk in run.chunks] == [10, 8, 8]


def test_a_small_section_is_merged_with_the_one_before() -> None:
    run = cut("## A\none two three\n## B\nx\n", rules(min_tokens=4))

    assert [chunk.kept_text for chunk in run.chunks] == ["## A\none two three\n## B\nx"]


def test_a_small_first_section_is_merged_with_the_one_after_and_takes_its_heading_when_it_is_bare() -> None:
    run = cut("# T\n\n## A\none two three\n", rules(min_tokens=4))

    assert [chunk.metadata["section_heading"] for chunk in run.chunks] == ["## A"]


def test_a_small_section_that_no_neighbour_can_take_is_kept_and_flagged() -> None:
    run = cut("# T\nhi\n## A\n" + "w " * 17 + "\n", rules(min_tokens=4))

    assert [bool(chunk.flag("undersized")) for chunk in run.chunks] == [True, False]


def test_small_sections_are_kept_apart_when_asked() -> None:
    assert len(cut("## A\none\n## B\nx\n", rules(min_tokens=4, small="keep")).chunks) == 2


def test_excluded_sections_go_with_all_below_them_whatever_the_apostrophe() -> None:
    run = cut("## A\none\n## What’s Next\nbye\n### More\nbye\n## B\ntwo\n", rules())

    assert [chunk.kept_text for chunk in run.chunks] == ["## A\none", "## B\ntwo"]
    assert [(skip.because.rule, run.document[skip.body][:9]) for skip in run.skips] == [("excluded", "## What’s")]


def test_an_entry_excludes_titles_that_start_with_it_in_whole_words_only() -> None:
    run = cut("## Prerequisites for today\na\n## Prerequisitesque\nb\n", rules(exclude=("Prerequisites",)))

    assert [chunk.kept_text for chunk in run.chunks] == ["## Prerequisitesque\nb"]


def test_an_excluded_section_inside_a_chunk_is_a_hole() -> None:
    chunk = cut("## A\none\n### What's Next\nbye\n### X\ntwo\n", rules()).chunks[0]

    assert chunk.kept_text == "## A\none\n### X\ntwo"
    assert [hole.because.rule for hole in chunk.holes] == ["excluded", "blank"]


def test_the_prefix_names_module_chapter_and_section() -> None:
    labels = ("Module", "Chapter", "Section")

    chunk = cut("---\ntitle: Topics\n---\n## A {#a}\none\n", rules(prefix_labels=labels)).chunks[0]

    assert chunk.text == "[Module: module-2-ros2]\n[Chapter: Topics]\n[Section: A]\n\n## A {#a}\none"


def test_a_document_without_a_folder_has_no_module_line() -> None:
    labels = ("Module", "Chapter", "Section")

    assert cut("## A\none\n", rules(prefix_labels=labels), name="a.md").chunks[0].context == (
        "[Chapter: a]\n[Section: A]\n\n"
    )


def test_the_overlap_is_the_longest_end_of_the_content_before_that_is_within_its_limit() -> None:
    run = cut("## A\none two three\n## B\nfour\n", rules(overlap_tokens=2))

    assert run.chunks[1].text == " two three\n## B\nfour"
    assert run.document[run.chunks[1].overlap or run.document.span].split() == ["two", "three"]


def test_with_count_context_the_whole_text_is_within_the_limit() -> None:
    text = "".join(f"## H{n}\n{'word ' * 12}\n" for n in range(4))

    run = cut(text, rules(split_above=14, overlap_tokens=4, prefix_labels=("Section",), count_context=True))

    assert max(chunk.tokens for chunk in run.chunks) <= 14


def test_with_count_context_small_pieces_are_joined_only_where_the_repeated_header_fits_too() -> None:
    table = "| a | b |\n|---|---|\n" + "| water | x |\n" * 8

    run = cut(table, rules(split_above=20, min_tokens=12, target_high=14, count_context=True))

    assert len(run.chunks) > 2
    assert all(chunk.tokens <= 20 for chunk in run.chunks)
    assert run.chunks[1].ended_by.detail == (
        "the chunk has 11 tokens (6 of its repeated header), and with the block on line 7 it would have 16 tokens, "
        "more than targetHigh (14)"
    )


def test_the_metadata_has_the_schemas_fields_and_a_stable_id() -> None:
    first, second = (cut("## A\none\n", rules()).chunks[0].metadata for _ in range(2))

    assert first == second
    assert (first["module_id"], first["chapter_id"], first["chunk_index"]) == ("module-2-ros2", "chapter-2-topics", 0)
    assert len(str(first["id"])) == 36


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"min_tokens": 30, "split_above": 20},
            "minTokens: 30 is more than splitAbove (20); lower minTokens or raise splitAbove",
        ),
        (
            {"target_high": 30, "split_above": 20},
            "targetHigh: 30 is more than splitAbove (20); lower targetHigh or raise splitAbove",
        ),
    ],
)
def test_settings_that_contradict_each_other_are_refused(settings: dict[str, int], message: str) -> None:
    with pytest.raises(SettingError) as refused:
        rules(**settings)  # type: ignore[arg-type]
    assert str(refused.value) == message


def test_the_checklist_passes_line_by_line_and_names_the_chunks_that_fail() -> None:
    run = cut(
        "## A\none two three\n## B\n```\n" + "w " * 30 + "\n```\n", rules(min_tokens=4, prefix_labels=("Section",))
    )

    lines = {check.asks: check for check in checklist(run)}

    assert lines["all chunks have 4 to 20 tokens of content"].failing == (1,)
    assert [asks for asks, check in lines.items() if not check.passed] == [
        "all chunks have 4 to 20 tokens of content",
        "chunks have 0 to 10 tokens, the target",
    ]


def test_the_checklist_warns_of_a_chunk_that_announces_another_subject() -> None:
    run = cut("## A\nSoil is good. Now let's look at something different: tyres.\n", rules())

    concepts = checklist(run)[-1]
    assert (concepts.warning, concepts.failing) == (True, (0,))


def test_the_checklist_is_for_section_rules_only() -> None:
    with pytest.raises(ConfigError, match="the checklist belongs to section-rules, and this config is every-heading"):
        checklist(run(parse("# A\n"), Config(EveryHeading())))


def test_chunks_are_counted_per_module_against_what_was_expected() -> None:
    counts = module_counts([cut("## A\none\n", rules())], {"module-2-ros2": (2, 3), "appendix": (1, 2)})

    assert [(count.module, count.chapters, count.chunks, count.passed) for count in counts] == [
        ("appendix", 0, 0, False),
        ("module-2-ros2", 1, 1, False),
    ]
