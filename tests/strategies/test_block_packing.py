"""Typed blocks packed into a budget: the spec's decisions, one by one."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunking import Config, parse, run
from chunking.runs import Run
from chunking.strategies.block_packing.packing import sizes
from chunking.strategies.block_packing.strategy import BlockPacking

SAMPLES = Path(__file__).parents[2] / "sample_docs"
TWO_SECTIONS = "# A\n\none two three\n\n# B\n\nfour five six\n"


def cut(text: str, strategy: BlockPacking, counter: str = "words") -> Run:
    return run(parse(text, name="a.md"), Config(strategy, counter))


def packing(
    max_tokens: int = 10,
    overlap_percentage: int = 0,
    min_fill: int = 10,
    overlap_scope: str = "section",
    include_headings: bool = True,
    adaptive: bool = False,
    count_context: bool = False,
) -> BlockPacking:
    return BlockPacking.model_validate(
        {
            "max_tokens": max_tokens,
            "overlap_percentage": overlap_percentage,
            "min_fill": min_fill,
            "overlap_scope": overlap_scope,
            "include_headings": include_headings,
            "adaptive": adaptive,
            "count_context": count_context,
        }
    )


def test_the_reserve_and_the_budget_of_512_and_15_percent_are_77_and_435() -> None:
    assert sizes(512, 15) == (77, 435)


def test_the_budget_is_never_below_seven_tenths_of_the_maximum() -> None:
    assert sizes(100, 50) == (50, 70)


def test_a_block_that_does_not_fit_into_the_budget_begins_a_chunk() -> None:
    run = cut("one two three\n\nfour five six\n\nseven\n", packing(max_tokens=6))

    assert [chunk.kept_text for chunk in run.chunks] == ["one two three\n\nfour five six", "seven"]
    assert run.chunks[0].ended_by.rule == "budget-reached"
    assert run.chunks[0].ended_by.detail == (
        "the chunk has 6 tokens, and with the paragraph on line 5 it would have 7 tokens, more than its budget of 6 "
        "(maxTokens 6 less 0 for overlap)"
    )


def test_a_heading_that_does_not_fit_beside_its_block_is_in_the_breadcrumb_of_the_chunk_it_begins() -> None:
    run = cut(
        "# A\n\none two three four five\n\n## Empty\n\n## B\n\n| a b c |\n|---|\n| d e f g |\n", packing(max_tokens=6)
    )

    starting = [chunk for chunk in run.chunks if chunk.kept_text.startswith("## Empty")]
    assert [chunk.breadcrumb for chunk in starting] == [("a.md", "A", "Empty")]


def test_another_top_level_heading_begins_a_chunk_however_little_is_held() -> None:
    run = cut(TWO_SECTIONS, packing(max_tokens=100, min_fill=100))

    assert [chunk.ended_by.rule for chunk in run.chunks] == ["top-level-section", "end"]


def test_a_subsection_begins_a_chunk_once_the_minimum_fill_is_reached() -> None:
    text = "# A\n\none two\n\n## B\n\nthree\n"

    assert [chunk.ended_by.rule for chunk in cut(text, packing(min_fill=20)).chunks] == ["section", "end"]
    assert [chunk.ended_by.rule for chunk in cut(text, packing(min_fill=21)).chunks] == ["end"]


def test_a_section_that_began_before_the_minimum_fill_was_reached_is_not_said_to_begin() -> None:
    run = cut("# A\n\none\n\n## B\n\ntwo three\n\nfour\n", packing(max_tokens=100, min_fill=5))

    assert [chunk.kept_text for chunk in run.chunks] == ["one\n\n## B\n\ntwo three", "four"]
    assert run.chunks[0].ended_by.rule == "section"
    assert "section 'B'" not in run.chunks[0].ended_by.detail
    assert run.chunks[0].ended_by.detail.endswith(
        "and the next block is in another section, 'B' (from line 5), than its first block"
    )


def test_a_section_that_began_behind_an_unclosed_fence_has_a_line_too() -> None:
    made = cut("```\n\n# A\n\none\n\n## B\n\ntwo three\n\nfour\n", packing(max_tokens=100, min_fill=5))

    assert any("'B' (from line 7)" in chunk.ended_by.detail for chunk in made.chunks)


@pytest.mark.parametrize("min_fill", [3, 12, 40])
def test_a_section_that_is_said_to_begin_has_its_heading_at_the_boundary(min_fill: int) -> None:
    for sample in sorted(SAMPLES.glob("*.md")):
        made = cut(sample.read_text(encoding="utf-8"), packing(max_tokens=120, min_fill=min_fill))
        headings = [heading.span for heading in made.document.headings]
        for chunk in made.chunks:
            if chunk.ended_by.detail.endswith("begins"):
                after = made.document.text[chunk.body.end :]
                start = chunk.body.end + len(after) - len(after.lstrip())
                assert any(span.start <= start < span.end for span in headings), chunk.ended_by.detail


def test_the_context_says_the_section_path_and_the_heading_is_a_hole() -> None:
    chunk = cut("# A\n\n## B\n\none\n", packing()).chunks[0]

    assert chunk.text == "# A > B\n\none"
    assert [hole.because.rule for hole in chunk.holes] == ["in-context", "in-context", "blank"]


def test_an_empty_section_stays_with_the_next_block_and_the_context_says_what_both_share() -> None:
    chunk = cut("# A\n\n## Empty\n\n## B\n\none\n", packing()).chunks[0]

    assert chunk.text == "# A\n\n## Empty\n\n## B\n\none"
    assert chunk.breadcrumb == (
        "a.md",
        "A",
        "Empty",
    )  # the heading that the chunk begins with
    assert chunk.metadata["section_path"] == "A"


def test_headings_that_end_the_document_join_the_last_chunk() -> None:
    assert cut("# A\n\none\n\n## B\n", packing()).chunks[0].kept_text == "one\n\n## B"


def test_a_document_of_headings_alone_is_one_chunk_of_them() -> None:
    assert [chunk.text for chunk in cut("# A\n\n## B\n", packing()).chunks] == ["# A\n\n## B"]


def test_without_headings_in_the_text_they_are_left_out_and_shown_as_holes() -> None:
    run = cut("# A\n\none\n\n## B\n\ntwo\n", packing(include_headings=False))

    assert [chunk.text for chunk in run.chunks] == ["one", "two"]
    assert run.metrics.skipped_characters == {"excluded": 5}


def test_a_document_without_a_block_is_left_out_as_a_whole() -> None:
    parts = run(parse("\ufeff"), Config.of("block-packing", {}, "cl100k_base")).parts

    assert [(part.body.start, part.body.end) for part in parts] == [(0, 1)]


def test_a_document_of_headings_alone_is_left_out_without_headings() -> None:
    run = cut("# A\n\n## B\n", packing(include_headings=False))

    assert not run.chunks
    assert [(skip.body.start, skip.body.end, skip.because.rule) for skip in run.skips] == [(0, 10, "excluded")]


def test_code_above_the_maximum_stays_whole_and_is_flagged() -> None:
    run = cut("```\n" + "x y\n" * 10 + "```\n", packing())

    assert len(run.chunks) == 1
    flag = run.chunks[0].flag("unsplittable")
    assert flag is not None
    assert flag.detail == "the chunk has 22 tokens, more than maxTokens (10), because its code is kept whole"


def test_prose_above_the_budget_is_cut_at_sentences() -> None:
    run = cut("One two three four. Five six seven eight. Nine ten eleven.\n", packing(max_tokens=8))

    assert [chunk.text for chunk in run.chunks] == ["One two three four. Five six seven eight.", "Nine ten eleven."]


def test_overlap_repeats_whole_sentences_and_reads_on_through_the_white_space() -> None:
    run = cut("One two. Three four.\n\nFive six seven eight nine.\n", packing(max_tokens=10, overlap_percentage=30))

    assert run.chunks[1].text == "Three four.\n\nFive six seven eight nine."


@pytest.mark.parametrize(("scope", "repeated"), [("section", False), ("top-level", True), ("anywhere", True)])
def test_overlap_crosses_between_sibling_sections_only_where_the_scope_allows(scope: str, repeated: bool) -> None:
    text = "# A\n\n## B\n\nOne two.\n\n## C\n\nThree four.\n"

    run = cut(text, packing(overlap_percentage=30, overlap_scope=scope))

    assert (run.chunks[1].overlap is not None) is repeated


def test_the_end_of_a_fence_is_not_repeated() -> None:
    run = cut("```\n" + "a b c\n" * 3 + "```\n\nOne two three four.\n", packing(max_tokens=12, overlap_percentage=30))

    assert run.chunks[1].overlap is None


def test_adaptive_raises_the_maximum_by_half_for_code_and_never_lowers_it() -> None:
    code, words = parse("```\nx\n```\n"), parse("words\n")

    assert [packing(max_tokens=at, adaptive=True).maximum_for(code) for at in (512, 1000, 2048)] == [768, 1024, 2048]
    assert packing(max_tokens=512, adaptive=True).maximum_for(words) == 512


def test_only_in_a_document_that_adaptive_suits_may_a_chunk_be_larger_than_the_maximum() -> None:
    """Source: an independent test; a chunk over maxTokens counted as within the limits."""
    code = "```\n" + "a " * 30 + "\n```\n"
    strategy = packing(max_tokens=20, adaptive=True)

    mostly_code, mostly_words = (cut(text, strategy) for text in (code, f"one\n\ntwo\n\nthree\n\n{code}"))

    assert [strategy.limits_in(each.document).maximum for each in (mostly_code, mostly_words)] == [30, 20]
    assert [strategy.limits_in(each.document).maximum_raised for each in (mostly_code, mostly_words)] == [True, False]
    assert strategy.limits().maximum == 30
    assert (mostly_code.metrics.over_maximum, mostly_words.metrics.over_maximum) == (1, 1)
    plain = cut(mostly_words.document.text, packing(max_tokens=20))
    assert mostly_words.metrics == plain.metrics


def test_with_count_context_the_heading_line_counts_against_the_maximum() -> None:
    text = "# One two three\n\na b c\n\nd e f\n\ng h i\n"

    counted = cut(text, packing(max_tokens=10, count_context=True))

    assert max(chunk.tokens for chunk in counted.chunks) <= 10
    assert max(chunk.tokens for chunk in cut(text, packing(max_tokens=10)).chunks) == 13


def test_an_unclosed_fence_does_not_swallow_the_headings_behind_it() -> None:
    run = cut("# T\n\n```js\nvar a;\n\n## Next\n\nBody.\n", packing(max_tokens=100, min_fill=0))

    assert [chunk.breadcrumb for chunk in run.chunks] == [("a.md", "T"), ("a.md", "T", "Next")]
    assert run.warnings == ("unclosed fence on line 3",)


def test_a_section_path_over_half_the_maximum_is_shortened_from_the_left() -> None:
    chunk = cut("# One two three four\n\nmore\n\n## Five\n\ntext\n", packing(max_tokens=8)).chunks[-1]

    assert chunk.context == "# ... > Five\n\n"
    assert chunk.flag("context-shortened") is not None


def test_a_heading_that_the_shortened_context_does_not_say_stays_in_the_body() -> None:
    chunks = cut("# One two three four\n\n## Five\n\ntext\n", packing(max_tokens=8)).chunks

    assert [chunk.text for chunk in chunks] == ["# One two three four\n\n## Five\n\ntext"]


def test_a_heading_that_no_context_says_in_full_is_a_chunk_before_what_it_does_not_fit_beside() -> None:
    chunks = cut("# One two three four five\n\nsix seven\n", packing(max_tokens=6)).chunks

    assert [chunk.kept_text for chunk in chunks] == ["# One two three four five", "six seven"]
    assert [hole.because.rule for chunk in chunks for hole in chunk.holes] == ["blank", "blank"]


@pytest.mark.parametrize(
    ("text", "strategy"),
    [
        ("# t\nrtn.  eeer  o", packing(max_tokens=3, overlap_percentage=60, min_fill=0)),
        ("# T\n\na" + " " * 1_000 + "b", packing(max_tokens=5, overlap_percentage=15)),
        ("# T\n\na" + "\u00a0" * 300 + "b\n\n" + "\n" * 300 + "c", packing(max_tokens=4, overlap_percentage=90)),
        ("a" + "\t" * 500, packing(max_tokens=1)),
    ],
)
def test_white_space_alone_is_never_a_chunk_however_long_it_is(text: str, strategy: BlockPacking) -> None:
    result = cut(text, strategy, "cl100k_base")

    assert all(chunk.kept_text.strip() for chunk in result.chunks)
    said = "".join("".join(chunk.kept_text.split()) for chunk in result.chunks)
    assert said == "".join(text.split())  # the headings too: no context has room for them


def test_a_long_stretch_of_blanks_under_the_default_settings_costs_nothing_else() -> None:
    result = cut("# T\n\na" + " " * 128_000 + "b", BlockPacking(), "cl100k_base")

    assert [chunk.kept_text for chunk in result.chunks] == ["a", "b"]
