"""The jobs behind Tune: begun, found again, cancelled, and what they measure. No Streamlit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from chunking import Config, parse, runtime
from chunking.errors import SettingError
from chunking.tuning.sweeps import Axis
from chunking.tuning.tune import Goal
from pages.ui.background import goal_job
from pages.ui.background.jobs import Jobs
from pages.ui.choices.tuning import (
    GoalChoice,
)
from pages.ui.tune import goal_options, sweep_job

FIXED = Config.of("fixed", {"chunkOverlap": 0}, "words")
WORDS = parse("aaaa bbbb cccc dddd ", name="w.md")


def test_a_job_goes_on_by_itself_and_is_found_again() -> None:
    jobs: Jobs[int] = Jobs()
    job = jobs.begin("a", 3, lambda _: iter([1, 2, 3]))

    assert job.wait(10)
    assert jobs.about("a") is job
    assert (job.found, job.running, job.cancelled, job.problem) == ([1, 2, 3], False, False, "")


def test_a_cancelled_job_ends_and_keeps_what_it_found() -> None:
    jobs: Jobs[int] = Jobs()
    closed: list[bool] = []

    def finds(stopped: Callable[[], bool]) -> Iterator[int]:
        try:
            number = 0
            while not stopped():
                number += 1
                yield number
        finally:
            closed.append(True)

    job = jobs.begin("a", 9, finds)
    while not job.found:
        job.wait(0.01)
    assert jobs.begin("a", 9, finds) is job
    job.cancel()

    assert job.wait(10)
    assert job.cancelled
    assert job.found[:1] == [1]
    assert closed == [True]


def test_a_job_that_fails_says_why() -> None:
    def finds(_: Callable[[], bool]) -> Iterator[int]:
        yield 1
        raise SettingError("minTokens", "is wrong")

    job = Jobs[int]().begin("a", 9, finds)

    assert job.wait(10)
    assert (job.found, job.problem) == ([1], "minTokens: is wrong")


def test_a_sweep_measures_only_what_is_not_known_yet() -> None:
    small = sweep_job.SweepRequest((parse("one two three", name="known.md"),), FIXED, (Axis("chunkSize", (5, 10)),))
    large = replace(small, axes=(Axis("chunkSize", (5, 10, 20)),))

    assert sweep_job.begin(small).wait(30)
    assert sweep_job.progress_of(small).complete
    assert [bool(cell.documents) for cell in sweep_job.progress_of(large).cells] == [True, True, False]
    job = sweep_job.begin(large)
    assert job.wait(30)
    assert sweep_job.progress_of(large).complete
    assert sweep_job.progress_of(large).cell((20,)) == sweep_job.progress_of(large).cells[2]


def test_marks_of_the_document_make_it_another_sweep() -> None:
    from chunking import Span
    from chunking.gold.questions import Question

    asked = sweep_job.SweepRequest((WORDS,), FIXED, (Axis("chunkSize", (5,)),))
    marked = replace(asked, questions=(Question("?", "w.md", (Span(0, 4),)),))

    assert asked.key != marked.key
    assert sweep_job.begin(marked).wait(30)
    assert sweep_job.progress_of(asked).measured == 0
    assert sweep_job.progress_of(marked).cells[0].answers_cut == 0


@pytest.mark.parametrize("quick", [True, False], ids=["in a thread", "in a process of their own"])
def test_configs_for_a_goal_are_tried(quick: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    began: list[object] = []

    def in_processes(*asked: Any) -> Iterator[Any]:
        began.append(asked)
        return runtime.in_processes(*asked)

    monkeypatch.setattr(goal_job, "in_processes", in_processes)
    if not quick:
        monkeypatch.setattr(goal_job, "_QUICK", 0)
    space = goal_options.space_for(GoalChoice(strategies=("fixed",)), FIXED)
    asked = goal_job.GoalRequest((WORDS,), Goal("few-tokens"), space, (), (), 6, f"quick {quick}")

    job = goal_job.begin(asked)
    assert job.wait(60)
    found, _ = goal_job.progress_of(asked)

    assert bool(began) != quick
    assert job.problem == ""
    assert len(found.points) == 6
    assert found.points[0].config == FIXED
    assert not found.exhaustive
