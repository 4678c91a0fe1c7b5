"""The pages of the strategies: made parts are up to date, prose is there, and pictures show what a
run did."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

import pytest

from chunking import Config, Run, parse, run, strategies
from chunking.core.chunk import Part
from chunking.core.context import SplitContext
from chunking.core.strategy import Strategy, setting
from chunking.document import Document, Span
from chunking.errors import ChunkscopeError, OutputError
from chunking.strategies.every_heading import EveryHeading
from chunking.strategies.fixed import Fixed
from chunking.strategy_docs.page import (
    PICTURE,
    PROSE,
    bundled_folder,
    generated_part,
    page_path,
    page_text,
    picture_config,
    picture_part,
    picture_prose,
    prose,
    reasons_part,
    rewritten,
    rewritten_list,
    settings_part,
    worked_example,
)
from chunking.strategy_docs.tables import markdown_table, setting_rows
from chunking.strategy_docs.worked_picture import picture, picture_text
from chunking.tokens import counter

OURS = [name for name in strategies.names() if strategies.get(name).__module__.startswith("chunking.")]
BY_A_MODEL = ("semantic",)
"""Their similarities differ in the last digits from one processor to another."""
REWRITE = "run: python -m chunking.strategy_docs.page"


class Foreign(Strategy):
    """Every line a chunk: a strategy of another package, without a page."""

    name: ClassVar[str] = "by-line"
    title: ClassVar[str] = "By line"
    summary: ClassVar[str] = "One chunk for each line."
    rules: ClassVar[dict[str, str]] = {"line": "a | line ends"}
    most: int = setting(3, title="Most", unit="lines", help="Higher | is `more`.", ge=1, le=9)

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        yield from EveryHeading().split(document, tools)


def without_similarities(page: str) -> str:
    return re.sub(r"similarity is -?\d\.\d+", "similarity is", page)


def drawn(text: str, strategy: Strategy) -> list[str]:
    return picture_text(picture(run(parse(text, name="d.md"), Config(strategy)))).split("\n")


# --- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", OURS)
def test_the_made_parts_of_a_page_are_what_the_code_makes_now(name: str) -> None:
    page, now = page_text(name), rewritten(strategies.get(name), page_text(name))
    if name in BY_A_MODEL:
        page, now = without_similarities(page), without_similarities(now)

    assert page == now, f"docs/strategies/{name}.md is out of date; {REWRITE}"


def test_the_list_of_pages_is_what_the_code_makes_now() -> None:
    path = bundled_folder("docs/strategies") / "README.md"
    page = path.read_text(encoding="utf-8")

    assert page == rewritten_list(page), f"docs/strategies/README.md is out of date; {REWRITE}"
    assert [name for name in OURS if f"({name}.md)" not in page] == []


@pytest.mark.parametrize("name", OURS)
def test_every_strategy_has_a_page_with_its_prose_and_its_made_parts(name: str) -> None:
    page = page_text(name)

    assert page.startswith(f"# {strategies.get(name).title}\n"), f"write docs/strategies/{name}.md"
    assert {title for title in PROSE if len(prose(page).get(title, "").split()) < 25} == set()
    assert len(picture_prose(page).split()) > 5
    assert {"facts", "picture", "settings", "reasons"} <= set(re.findall(r"<!-- made: ([\w-]+) -->", page))


@pytest.mark.parametrize("name", OURS)
def test_the_table_of_settings_lists_every_field(name: str) -> None:
    strategy = strategies.get(name)
    table = generated_part(page_text(name), "settings")

    for field in strategy.model_fields.values():
        assert f"| `{field.alias}` | {field.title} |" in table
    assert table.count("\n| `") == len(strategy.model_fields)


@pytest.mark.parametrize("name", OURS)
def test_the_table_of_reasons_lists_every_rule_with_its_meaning(name: str) -> None:
    table = generated_part(page_text(name), "reasons")

    for rule, meaning in strategies.get(name).rules.items():
        assert f"| `{rule}` | {meaning} | this one |" in table
    assert "| `end` | the document ends here | any strategy |" in table


@pytest.mark.parametrize("name", OURS)
def test_the_picture_of_a_page_is_made_with_that_strategy_and_cuts_more_than_once(name: str) -> None:
    config = picture_config(strategies.get(name), page_text(name))

    assert config.strategy.name == name
    assert len(worked_example(config).after.chunks) > 2


@pytest.mark.parametrize("name", OURS)
def test_prose_names_only_samples_settings_and_strategies_that_there_are(name: str) -> None:
    strategy, page = strategies.get(name), page_text(name)
    words = set(re.findall(r"`([\w.-]+)`", "\n".join([*prose(page).values()])))
    samples = {path.name for path in bundled_folder("sample_docs").glob("*.md")}
    camel = {word for word in words if re.fullmatch(r"[a-z]+[A-Z]\w+", word)}

    assert {word for word in words if word.endswith(".md")} <= samples
    assert camel <= {field.alias for field in strategy.model_fields.values()}


def test_a_page_cannot_ask_for_a_part_that_nothing_makes() -> None:
    with pytest.raises(OutputError, match="made: colours: no part is called that; there are: facts, picture"):
        rewritten(Fixed, "<!-- made: colours -->\n<!-- end: colours -->\n")


@pytest.mark.parametrize("name", ["../README", "a/b", "", "Fixed"])
def test_a_page_is_never_looked_for_outside_its_folder(name: str) -> None:
    with pytest.raises(OutputError, match="a page is named like a strategy"):
        page_path(name)


# --- what the pages say of the samples ------------------------------------------------------------


def sample(name: str, strategy: str, counter: str = "", **settings: int | str) -> Run:
    (path,) = bundled_folder("sample_docs").glob(f"{name}-*.md")
    document = parse(path.read_text(encoding="utf-8"), name=path.name)
    return run(document, Config.of(strategy, settings, counter))


def test_heading_window_loses_two_sections_of_the_long_preamble_for_fourteen_tokens() -> None:
    (tail,) = [skip for skip in sample("04", "heading-window").skips if skip.because.rule == "short-tail"]

    assert (tail.because.held, tail.because.limit) == (236, 250)
    assert sample("04", "heading-window", shortTail="keep").metrics.coverage > 0.95


def test_by_its_specs_counter_heading_window_loses_more_than_half_where_words_have_no_spaces() -> None:
    assert sample("09", "heading-window", "words-1.3").metrics.coverage < 0.5
    assert 0.8 < sample("09", "heading-window").metrics.coverage < 0.9


def test_the_second_h2_ends_a_chunk_of_the_api_reference_below_the_minimum() -> None:
    (early,) = [chunk for chunk in sample("10", "heading-window").chunks if chunk.ended_by.rule == "second-h2"]

    assert early.body_tokens < 250


def test_heading_window_does_not_repeat_the_header_of_a_table_it_cuts() -> None:
    cut = [chunk for chunk in sample("02", "heading-window").chunks if chunk.document.text[chunk.body.start] == "|"]

    assert len(cut) == 2
    assert not [chunk for chunk in cut if "|" in chunk.context]


def test_hierarchical_leaves_a_small_second_top_section_and_makes_one_chunk_of_two_topics() -> None:
    assert sample("05", "hierarchical").chunks[-1].tokens < 103
    assert sample("03", "hierarchical").metrics.chunk_count == 1
    assert sample("08", "hierarchical").metrics.chunk_count == 1


def test_block_packing_keeps_a_table_of_three_times_the_maximum_whole_and_flags_it() -> None:
    metrics = sample("02", "block-packing").metrics

    assert metrics.oversize == 1
    assert 3 * 512 < metrics.max_tokens < 4 * 512


def test_by_its_specs_counter_block_packing_sees_less_than_half_of_what_is_not_english() -> None:
    estimated = sample("09", "block-packing", "block-ratio")
    exact = counter("cl100k_base")

    assert sum(exact(chunk.text) for chunk in estimated.chunks) > 2 * estimated.metrics.tokens_to_embed


def test_the_links_are_the_largest_chunk_of_section_rules() -> None:
    chunks = sample("07", "section-rules").chunks

    assert max(chunks, key=lambda chunk: chunk.tokens).breadcrumb[-1] == "See also"


def test_fixed_and_recursive_cut_fences_and_recursive_repeats_nothing_of_long_paragraphs() -> None:
    assert sample("03", "fixed").metrics.atomic_split == 1
    assert sample("03", "recursive").metrics.atomic_split == 2
    assert not [chunk for chunk in sample("06", "recursive").chunks if chunk.overlap]


def test_every_heading_makes_thirteen_chunks_of_headings_alone() -> None:
    assert sample("01", "every-heading").metrics.heading_only == 13


# --- a strategy of another package ----------------------------------------------------------------


def test_a_strategy_without_a_page_still_gets_the_made_parts() -> None:
    assert page_text("by-line") == ""
    assert "| `most` | Most | `3` | a whole number from 1 to 9 | lines | Higher \\| is `more`. |" in settings_part(
        Foreign
    )
    assert "| `line` | a \\| line ends | this one |" in reasons_part(Foreign)
    assert "┌ chunk 9, " in picture_part(Foreign, "")


def test_a_default_stands_in_the_table_as_the_yaml_writes_it() -> None:
    defaults = {row.name: row.default for row in setting_rows(strategies.get("recursive"))}

    assert defaults == {
        "chunkSize": "1000",
        "chunkOverlap": "200",
        "separators": r'["\n\n", "\n", ". ", " "]',
        "unit": "characters",
    }
    assert setting_rows(strategies.get("contextual"))[0].default == "{strategy: recursive}"


def test_a_cell_cannot_end_its_column_or_its_row() -> None:
    assert markdown_table(("a",), [("x | y\nz",)]) == "| a |\n|---|\n| x \\| y z |\n"


# --- pictures -------------------------------------------------------------------------------------


def test_a_picture_has_a_rail_beside_each_chunk_and_the_reason_under_each_cut() -> None:
    assert drawn("# A\nx\n## B\ny\n", EveryHeading()) == [
        "  ┌ chunk 1, 4 tokens, in d.md > A",
        "1 │ # A",
        "2 │ x",
        "  └ heading: the next heading begins on line 3",
        "",
        "  ┌ chunk 2, 4 tokens, in d.md > A > B",
        "3 │ ## B",
        "4 │ y",
        "  └ end: the document ends here",
    ]


def test_a_line_that_is_cut_inside_stands_there_once_for_each_piece_and_what_is_repeated_is_marked() -> None:
    assert drawn("abcdefgh", Fixed(chunk_size=5, chunk_overlap=2)) == [
        "  ┌ chunk 1, 2 tokens, in d.md",
        "1 │ abcde …",
        "  └ size-reached: the chunk has 5 characters, which fill chunkSize (5), and no separator in its",
        "    second half",
        "",
        "  ┌ chunk 2, 2 tokens, in d.md",
        "~ │ de",
        "1 │ … fgh",
        "  └ end: the document ends here",
    ]


def test_what_is_left_out_stands_there_with_its_reason() -> None:
    lines = drawn("---\na: b\n---\n# A\nx\n", EveryHeading())

    assert lines[:5] == [
        "1 ┆ ---",
        "2 ┆ a: b",
        "3 ┆ ---",
        "  ╵ front-matter: front matter is metadata, not content",
        "",
    ]


def test_a_heading_that_the_context_says_is_marked_as_left_out_of_the_body() -> None:
    lines = drawn("# A\n\nx\n", strategies.get("block-packing")())

    assert lines[1:6] == ["+ │ # A", "+ │", "1 ┆ # A  (in-context)", "2 ┆", "3 │ x"]


@pytest.mark.parametrize("name", OURS)
def test_every_line_of_the_example_stands_in_every_picture(name: str) -> None:
    try:
        after = worked_example(picture_config(strategies.get(name), page_text(name))).after
    except ChunkscopeError as error:
        pytest.skip(str(error))
    shown = {line.line for line in picture(after)}
    text = after.document.text
    visible = {
        number
        for number, (start, end) in enumerate(
            zip(after.document.line_starts, [*after.document.line_starts[1:], len(text)], strict=True), start=1
        )
        if after.document[Span(int(start), int(end))].strip()
    }

    assert visible <= shown


def test_the_picture_section_of_a_page_holds_its_config() -> None:
    assert "strategy: fixed" in prose(page_text("fixed"))[PICTURE]
