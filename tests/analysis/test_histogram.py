"""Sizes are counted into bins in one way, whatever draws them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from chunking.analysis.histogram import Bins, bars, round_bins

SIZES = st.lists(st.integers(0, 300_000), max_size=60)
LIMIT = st.none() | st.integers(0, 300_000)


def test_bins_have_a_round_width_and_the_largest_size_in_the_last_one() -> None:
    assert round_bins(0) == Bins(2, 2)
    assert (round_bins(755).width, round_bins(755).top) == (20, 760)
    assert (round_bins(800).width, round_bins(800).top) == (20, 820)
    assert (round_bins(95, 10).width, round_bins(9_000_000).width) == (10, 225_000)


def test_a_size_on_an_edge_is_in_the_bin_that_begins_there() -> None:
    assert round_bins(95, 10).counts([0, 9, 10, 95]) == [2, 1, 0, 0, 0, 0, 0, 0, 0, 1]
    assert Bins(3, 1.5).counts([0, 1]) == [1, 0, 1]


def test_what_is_beyond_all_bins_is_counted_in_the_last_one() -> None:
    assert Bins(2, 10).counts([4, 10, 99]) == [1, 2]


@given(SIZES)
def test_every_size_is_in_one_bin_and_the_edges_say_which(sizes: list[int]) -> None:
    bins = round_bins(max(sizes, default=0))
    edges = bins.edges

    assert bins.counts(sizes) == [sum(edges[at] <= each < edges[at + 1] for each in sizes) for at in range(bins.count)]
    assert sum(bins.counts(sizes)) == len(sizes)


@given(SIZES, LIMIT, LIMIT)
def test_a_bar_holds_chunks_of_one_side_of_the_limits(sizes: list[int], low: int | None, high: int | None) -> None:
    if low is not None and high is not None:
        low, high = min(low, high), max(low, high)
    drawn = bars(sizes, round_bins(max(sizes, default=0)), low, high)
    found = {side: sum(bar.count for bar in drawn if bar.side == side) for side in ("under", "inside", "over")}

    assert found["under"] == sum(low is not None and each < low for each in sizes)
    assert found["over"] == sum(high is not None and each > high for each in sizes)
    assert sum(found.values()) == len(sizes)
