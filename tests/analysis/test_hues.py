"""A chunk's hue belongs to its place."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from chunking.analysis import chunk_hues
from chunking.analysis.hues import PATTERNS

EXAMPLES = Path(__file__).parents[1] / "js" / "chunk_hues.json"

places = st.lists(st.integers(0, 2**31 - 1), min_size=1, max_size=60, unique=True).map(sorted)


@given(places)
def test_neighbours_differ_in_hue_and_in_pattern(starts: list[int]) -> None:
    assert all(one % PATTERNS != other % PATTERNS for one, other in pairwise(chunk_hues(starts)))


@given(places, places)
def test_a_boundary_that_moves_changes_no_hue_below_it(starts: list[int], others: list[int]) -> None:
    below = [start for start in others if start > starts[-1]]
    longer, shorter = [*starts, *below], [*starts[:-1], *below]

    with_it, without = chunk_hues(longer), chunk_hues(shorter)

    moved = len(starts) - 1
    assert with_it[moved + 1 :] == without[moved:]


def test_a_boundary_that_moves_changes_few_hues_above_it_and_hardly_any_far_above() -> None:
    moves = near = far = 0
    for step in range(301, 900, 50):
        starts = range(0, 80 * step, step)
        hues = chunk_hues(starts)
        for moved in range(20, 80):
            after = chunk_hues([*starts[:moved], starts[moved] + step // 3, *starts[moved + 1 :]])
            changed = [moved - chunk for chunk in range(moved) if hues[chunk] != after[chunk]]
            moves, near, far = moves + 1, near + len(changed), far + sum(distance > 5 for distance in changed)

    assert near / moves < 1.2
    assert far / moves < 0.25


@given(places, st.integers(0, 59), st.integers(0, 59))
def test_the_hues_of_some_chunks_are_those_they_have_among_all(starts: list[int], one: int, other: int) -> None:
    first, end = sorted((min(one, len(starts)), min(other, len(starts))))

    assert chunk_hues(starts, first, end) == chunk_hues(starts)[first:end]


def test_every_hue_is_used_where_chunks_are_equally_long() -> None:
    hues = chunk_hues(range(0, 100_000, 500))

    assert all(hues.count(hue) >= 10 for hue in range(6))


def test_the_browser_computes_the_same_hues() -> None:
    # tests/js/chunk_hues.test.js computes them from the same file.
    for example in json.loads(EXAMPLES.read_text(encoding="utf-8")):
        assert chunk_hues(example["starts"]) == example["hues"]
