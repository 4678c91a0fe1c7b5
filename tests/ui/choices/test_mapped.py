"""Which chunks are on a map: all, or a sample that is the same every time."""

from __future__ import annotations

from pages.ui.choices.mapped import MOST, evenly, sample


def test_of_more_chunks_than_a_map_can_hold_some_are_taken_evenly() -> None:
    assert evenly(3) == [0, 1, 2]
    assert evenly(9, most=3) == [0, 4, 8]
    assert len(set(evenly(MOST + 500))) == MOST


def test_of_few_chunks_all_are_on_the_map() -> None:
    assert sample([2, 0, 3], most=5) == {0: [0, 1], 2: [0, 1, 2]}


def test_each_document_gives_as_many_chunks_as_another_as_far_as_it_has_them() -> None:
    assert {row: len(of) for row, of in sample([100, 1, 50, 3], most=24).items()} == {0: 10, 1: 1, 2: 10, 3: 3}


def test_of_more_documents_than_a_map_has_points_some_have_none() -> None:
    assert sample([5] * 9, most=3) == {0: [0], 4: [0], 8: [0]}
