"""How long those who drag at the same time are asked to wait."""

from __future__ import annotations

import pytest

from pages.ui.inspect.drag_pace import Pace


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


def test_ten_on_two_cores_wait_for_the_rest_of_a_round_that_leaves_room() -> None:
    clock = Clock()
    pace = Pace(2, clock)
    for name in range(10):
        pace.ask(f"{name}")

    pause = answered(pace, clock, "0", work=0.1, after=0.1)

    a_round = 10 * 0.1 / 2
    assert a_round - 0.1 < pause < 2 * a_round


def test_who_has_waited_long_for_an_answer_waits_less_for_the_next_question() -> None:
    clock = Clock()
    pace = Pace(2, clock)
    for name in range(10):
        pace.ask(f"{name}")

    soon, late = (answered(pace, clock, name, work=0.1, after=after) for name, after in (("0", 0.1), ("1", 0.4)))

    assert late < soon


def test_who_has_stopped_dragging_makes_nobody_wait() -> None:
    clock = Clock()
    pace = Pace(2, clock)
    for name in range(10):
        pace.ask(f"{name}")
    clock.now += 10

    assert answered(pace, clock, "0", work=0.1, after=0.1) == 0


def test_no_pause_is_longer_than_a_second() -> None:
    clock = Clock()
    pace = Pace(1, clock)
    for name in range(100):
        pace.ask(f"{name}")

    assert answered(pace, clock, "0", work=1.0, after=0.1) == 1.0
