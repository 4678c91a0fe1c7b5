"""The chunks of block-packing found all at once are those found one by one, on a fresh document or
on one that was cut before."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st
from markdown_strategies import MARKDOWN

from chunking import Config, parse, run
from chunking.config import Value
from chunking.core.chunk import Chunk
from chunking.core.chunk_table import columns_of
from chunking.core.context import SplitContext
from chunking.strategies.block_packing.lending import Lending
from chunking.strategies.block_packing.sealing import Sealing
from chunking.tokens import counter

BODIES = ["", "One two three. Four five.\n", "word " * 40 + "\n", "A short one. " * 20 + "\n", "```\nx\ny\n```\n"]
SECTIONS = st.lists(st.tuples(st.integers(1, 4), st.sampled_from(BODIES)), min_size=3, max_size=25).map(
    lambda sections: "".join(f"{'#' * level} Part {level}\n\n{body}\n" for level, body in sections)
)
SCOPES = ("section", "top-level", "anywhere")


@given(
    text=st.one_of(SECTIONS, MARKDOWN),
    maximum=st.integers(5, 120),
    overlap=st.integers(0, 60),
    fill=st.integers(0, 60),
    steps=st.lists(st.tuples(st.integers(-12, 12), st.sampled_from(SCOPES), st.booleans()), min_size=3, max_size=9),
    by=st.sampled_from(["cl100k_base", "words", "chars-4"]),
)
def test_each_step_of_a_drag_is_cut_as_a_fresh_one(
    text: str, maximum: int, overlap: int, fill: int, steps: list[tuple[int, str, bool]], by: str
) -> None:
    document = parse(text)
    for step, scope, headings in [(0, "section", True), *steps, *((-step, "section", True) for step, *_ in steps)]:
        maximum = max(1, maximum + step)
        settings: dict[str, Value] = {"maxTokens": maximum, "overlapPercentage": overlap, "minFill": fill}
        settings |= {"overlapScope": scope, "includeHeadings": headings}
        config = Config.of("block-packing", settings, by)
        cut = run(document, config)

        assert cut.parts == run(parse(text), config).parts
        for name in ("start", "end", "kept_start", "kept_end", "tokens", "body_tokens", "overlap_start", "overlap_end"):
            assert getattr(cut.columns, name).tolist() == getattr(columns_of(cut.chunks), name).tolist()


def test_what_was_counted_without_headings_is_not_taken_for_what_has_them() -> None:
    document = parse(f"# Part 1\n\n{BODIES[1]}\n## Part 2\n\n{BODIES[1]}\n## Part 2\n\n{BODIES[1]}\n")
    for headings in (False, True):
        settings: dict[str, Value] = {"maxTokens": 101, "overlapPercentage": 1, "includeHeadings": headings}
        config = Config.of("block-packing", settings | {"minFill": 0}, "cl100k_base")

        assert run(document, config).parts == run(parse(document.text), config).parts


def test_what_is_sums_is_not_sealed_one_by_one() -> None:
    sections = "".join(f"## Part {number}\n\n{BODIES[3]}\n{BODIES[3]}\n- a\n- b\n\n" for number in range(9))
    document, config = parse(f"# A\n\n{sections}"), Config.of("block-packing", {"maxTokens": 120}, "cl100k_base")

    with patch.object(Sealing, "stretch_from", side_effect=AssertionError):
        parts = run(document, config).parts

    assert parts == tuple(config.strategy.split(parse(document.text), SplitContext(counter("cl100k_base"))))
    assert any(chunk.overlap for chunk in parts if isinstance(chunk, Chunk))


def test_a_second_cut_asks_nothing_of_sections_that_are_apart() -> None:
    document = parse("".join(f"# Part {number}\n\n{BODIES[1]}\n## Below\n\n{BODIES[1]}\n" for number in range(9)))
    first, second = (Config.of("block-packing", {"maxTokens": size, "minFill": 0}, "cl100k_base") for size in (60, 62))
    run(document, first)

    with patch.object(Lending, "related", side_effect=below_each_other):
        parts = run(document, second).parts

    assert parts == run(parse(document.text), second).parts


def below_each_other(before: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Whether the second section is in the first one, which is all that is asked."""
    assert path[: len(before)] == before
    return True
