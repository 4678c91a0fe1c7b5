"""How long those who drag at the same time are asked to wait."""

from __future__ import annotations

from itertools import pairwise

import pytest

from pages.ui.dragging.drag_pace import Pace


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def answered(pace: Pace, clock: Clock, name: str, *, work: float, after: float) -> float:
    """The pause after a question that was answered so many seconds later."""
    pace.ask(name)
    clock.now += after
    return pace.pause(name, work)


@pytest.mark.parametrize("people", [1, 2])
def test_as_many_as_there_are_cores_need_no_pause(people: int) -> None:
    clock = Clock()
    pace = Pace(2, clock)

    pauses = [answered(pace, clock, f"{move % people}", work=0.1, after=0.1) for move in range(20)]

    assert not any(pauses)


def test_with_ten_on_two_cores_the_next_questions_come_one_after_another_and_no_faster_than_answers() -> None:
    clock = Clock()
    pace = Pace(2, clock)
    for name in range(10):
        pace.ask(f"{name}")

    pauses = [pace.pause(f"{name}", 0.1) for name in range(10)]

    between = [later - earlier for earlier, later in pairwise(pauses)]
    assert min(between) == pytest.approx(max(between))
    assert 0.1 / 2 < between[0] < 0.1


def test_who_is_answered_in_one_process_waits_for_no_time_that_was_given_in_another() -> None:
    clock = Clock()
    pace = Pace(2, clock)
    for name in range(10):
        pace.ask(f"{name}")

    pauses = [pace.pause(f"{name}", 0.1, process=name % 2) for name in range(10)]

    assert pauses == pytest.approx([0, 0, 0.15, 0.15, 0.3, 0.3, 0.45, 0.45, 0.6, 0.6])


def test_nothing_is_kept_of_a_process_whose_times_are_past() -> None:
    clock = Clock()
    pace = Pace(1, clock)
    for name in range(4):
        pace.ask(f"{name}")
    for name in range(4):
        pace.pause(f"{name}", 0.1, process=name)
    clock.now += 1
    pace.ask("0")
    pace.pause("0", 0.1, process=7)

    assert list(pace._taken) == [7]


def test_two_who_have_dragged_for_long_leave_no_pause_for_the_third() -> None:
    clock = Clock()
    pace = Pace(2, clock)
    for move in range(200):
        answered(pace, clock, f"{move % 2}", work=0.1, after=0.05)

    assert answered(pace, clock, "third", work=0.1, after=0.1) < 0.2


def test_who_has_stopped_dragging_makes_nobody_wait() -> None:
    clock = Clock()
    pace = Pace(2, clock)
    for name in range(10):
        answered(pace, clock, f"{name}", work=0.1, after=0.0)
    clock.now += 10

    assert answered(pace, clock, "0", work=0.1, after=0.1) == 0


def test_who_waits_long_for_an_answer_counts_until_it_comes_or_the_session_goes() -> None:
    clock = Clock()
    pace = Pace(2, clock)
    for name in range(1, 10):
        pace.ask(f"{name}")
    clock.now += 10

    waiting = [answered(pace, clock, "0", work=0.1, after=0.0) for _ in range(2)]
    for name in range(1, 10):
        pace.forget(f"{name}")

    assert waiting[-1] > 0
    clock.now += 10
    assert answered(pace, clock, "0", work=0.1, after=0.1) == 0


def test_no_pause_is_longer_than_three_seconds() -> None:
    clock = Clock()
    pace = Pace(1, clock)
    pauses = [answered(pace, clock, f"{name}", work=1.0, after=0.0) for name in range(10)]

    assert max(pauses) == 3.0


def test_others_drag_while_they_wait_for_an_answer_and_a_little_after_it() -> None:
    clock = Clock()
    pace = Pace(2, clock)
    assert not pace.others("mine")

    pace.ask("mine")
    assert not pace.others("mine")
    pace.ask("theirs")
    assert pace.others("mine")
    pace.pause("theirs", 0.01)
    clock.now += 1
    assert pace.others("mine")
    clock.now += 1
    assert not pace.others("mine")
