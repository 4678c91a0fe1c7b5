"""Chunks of section-rules that are found again while thresholds move are those that a fresh
document gives."""

from __future__ import annotations

from unittest.mock import patch

from cut_again import cuts_as_fresh_ones
from hypothesis import given
from hypothesis import strategies as st
from markdown_strategies import MARKDOWN

from chunking import Config, parse, run
from chunking.strategies.section_rules.splitter import SectionSplitter

SETTINGS = st.fixed_dictionaries(
    {
        "splitAbove": st.integers(40, 80),
        "targetHigh": st.integers(20, 40),
        "targetLow": st.just(1),
        "minTokens": st.integers(0, 30),
        "overlapTokens": st.sampled_from([0, 5, 9]),
        "prefixLabels": st.sampled_from([["Module", "Chapter", "Section"], ["Section"], []]),
        "exclude": st.sampled_from([["Part 2"], []]),
        "small": st.sampled_from(["merge", "merge", "keep"]),
        "countContext": st.sampled_from([False, False, False, True]),
    }
)
BODIES = ["", "one two three.\n", "a line\n" * 9, "word " * 40 + "\n", "word " * 80 + "\n", "A paragraph.\n\n" * 20]
SECTIONS = st.lists(st.tuples(st.integers(1, 4), st.sampled_from(BODIES)), min_size=3, max_size=25).map(
    lambda sections: "".join(f"{'#' * level} Part {level}\n\n{body}\n" for level, body in sections)
)
COUNTERS = st.sampled_from(["cl100k_base", "words", "chars-4"])


@given(text=st.one_of(SECTIONS, MARKDOWN), moves=st.lists(SETTINGS, min_size=2, max_size=6), by=COUNTERS)
def test_a_document_that_was_cut_before_is_cut_as_a_fresh_one(text: str, moves: list[dict[str, int]], by: str) -> None:
    cuts_as_fresh_ones("section-rules", text, [*moves, moves[0]], by)


@given(
    text=SECTIONS,
    dragged=st.sampled_from(["splitAbove", "minTokens", "targetHigh", "overlapTokens"]),
    steps=st.lists(st.integers(1, 4), min_size=5, max_size=20),
)
def test_each_step_of_a_drag_up_and_down_is_cut_as_a_fresh_one(text: str, dragged: str, steps: list[int]) -> None:
    settings = {"splitAbove": 100, "targetHigh": 30, "targetLow": 1, "minTokens": 10, "overlapTokens": 3}
    moves: list[dict[str, int]] = []
    for step in [*steps, *(-2 * step for step in steps)]:
        least = {"splitAbove": 60, "targetHigh": 5}.get(dragged, 0)
        settings[dragged] = min(max(settings[dragged] + step, least), 60 if dragged != "splitAbove" else 200)
        moves.append(dict(settings))
    cuts_as_fresh_ones("section-rules", text, moves, "words")


def test_of_a_section_that_fits_its_piece_is_known_without_cutting() -> None:
    document = parse("".join(f"## Part {number}\n\n{BODIES[3]}\n" for number in range(9)))

    with patch.object(SectionSplitter, "_split", side_effect=AssertionError):
        chunks = run(document, Config.of("section-rules", {"minTokens": 10}, "cl100k_base")).chunks

    assert [chunk.breadcrumb[-1] for chunk in chunks] == [f"Part {number}" for number in range(9)]
