"""Drags that are answered in a process of their own: the same answers, and none is lost with it."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from threading import Timer

import pytest
from drag_sessions import session
from own_loop import in_a_loop
from waiting import until

from chunking import parse
from chunking.runtime import memory
from pages.ui.dragging import drag_workers
from pages.ui.dragging.drag_session import DragSession, answer
from pages.ui.dragging.drag_workers import DragWorkers
from pages.ui.inspect.reading_panel import _read

MOVE = '{"sequence": 7, "values": {"hard_cap": 60, "target": 40}}'
ILLEGAL = '{"sequence": 8, "values": {"hard_cap": 41}}'


@pytest.fixture(scope="module")
def workers() -> Iterator[DragWorkers]:
    """One worker process at most."""
    made = DragWorkers(1)
    yield made
    made.end()


def placed(workers: DragWorkers, name: str, of: DragSession) -> None:
    """Give a session a place, and wait for it."""
    workers.give_place(name, of)
    until(lambda: workers.has_place(name))


def test_a_worker_answers_as_the_server_does(workers: DragWorkers) -> None:
    here = session()
    placed(workers, "one", here)

    for question in (MOVE, ILLEGAL, "not JSON"):
        expected, here = answer(here, question)
        answered = in_a_loop(workers.answer("one", question))
        assert answered is not None
        assert answered[0] == expected


def test_a_worker_answers_for_a_view_beside_the_source_as_the_server_does(workers: DragWorkers) -> None:
    here = replace(session(), reading=partial(_read, "rendered", 3, {"around": {"to": 9, "begun": ""}}, "all", "", ()))
    placed(workers, "rendered", here)

    answered = in_a_loop(workers.answer("rendered", MOVE))

    assert answered is not None
    assert answered[0] == answer(here, MOVE)[0]


def test_a_worker_says_what_the_last_legal_config_is(workers: DragWorkers) -> None:
    placed(workers, "legal", session())

    first, second = in_a_loop(workers.answer("legal", MOVE)), in_a_loop(workers.answer("legal", MOVE))

    assert first is not None
    assert first[1] == answer(session(), MOVE)[1].good
    assert second is not None
    assert second[1] is None


def test_a_worker_does_not_look_for_garbage_on_every_move(workers: DragWorkers) -> None:
    placed(workers, "kept", session())

    assert workers.in_use
    looks_after, *_ = workers._workers[0].pool.submit(gc.get_threshold).result(30)
    assert looks_after > 50_000


def test_what_the_script_opens_anew_is_what_is_answered(workers: DragWorkers) -> None:
    placed(workers, "renewed", session())
    other = replace(session(), document=parse("# Other\n\nquite another text\n", name="other.md"))
    workers.renew("renewed", other)

    answered = in_a_loop(workers.answer("renewed", MOVE))

    assert answered is not None
    assert answered[0] == answer(other, MOVE)[0]


def test_a_session_that_has_ended_has_no_place(workers: DragWorkers) -> None:
    placed(workers, "ended", session())
    workers.drop("ended")

    assert not workers.has_place("ended")
    assert in_a_loop(workers.answer("ended", MOVE)) is None


def test_without_its_worker_a_session_has_no_place_and_gets_a_new_one(workers: DragWorkers) -> None:
    placed(workers, "unlucky", session())
    for process in workers._workers[0].pool._executor._processes:
        os.kill(process, signal.SIGKILL)

    assert in_a_loop(workers.answer("unlucky", MOVE)) is None
    assert not workers.has_place("unlucky")
    placed(workers, "unlucky", session())
    assert in_a_loop(workers.answer("unlucky", MOVE)) is not None


@pytest.mark.parametrize("after", [0.05, 0.3])
def test_a_worker_killed_in_a_large_answer_has_given_it_whole_or_not_at_all(workers: DragWorkers, after: float) -> None:
    large = replace(session(), figures=lambda _: [("9" * 50, "")] * 200_000)
    expected, _ = answer(large, MOVE)
    placed(workers, f"large {after}", large)
    killed = [Timer(after, os.kill, [each, signal.SIGKILL]) for each in workers._workers[0].pool._executor._processes]
    for timer in killed:
        timer.start()

    answers = [in_a_loop(workers.answer(f"large {after}", MOVE)) for _ in range(20)]

    for timer in killed:
        timer.join()
    assert answers[-1] is None
    assert {given[0] for given in answers if given} <= {expected}
    placed(workers, f"large {after}", session())
    assert in_a_loop(workers.answer(f"large {after}", MOVE)) is not None


def test_a_worker_that_has_forgotten_a_session_is_lost_and_the_server_answers(workers: DragWorkers) -> None:
    placed(workers, "forgotten", session())
    workers._workers[0].pool.submit(drag_workers._drop_there, "forgotten").result(30)

    assert in_a_loop(workers.answer("forgotten", MOVE)) is None
    assert not workers.has_place("forgotten")


def test_a_worker_that_has_stopped_keeps_nobody_waiting(workers: DragWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    placed(workers, "waiting", session())
    monkeypatch.setattr(drag_workers, "_PATIENCE", 0.5)
    for process in workers._workers[0].pool._executor._processes:
        os.kill(process, signal.SIGSTOP)

    assert in_a_loop(workers.answer("waiting", MOVE)) is None
    assert not workers.has_place("waiting")


def test_a_worker_that_ended_while_it_was_idle_is_not_given_out_again(workers: DragWorkers) -> None:
    placed(workers, "first", session())
    workers.drop("first")
    for process in workers._workers[0].pool._executor._processes:
        os.kill(process, signal.SIGKILL)
    workers.give_place("second", session())
    until(lambda: not workers._workers or workers.has_place("second"))

    placed(workers, "third", session())
    assert in_a_loop(workers.answer("third", MOVE)) is not None


def test_a_larger_document_is_counted_and_one_too_large_ends_the_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_MEMORY_MB", "10")
    before, few, small = memory.lent, DragWorkers(2), session()
    larger = replace(small, document=parse("word " * 2_000, name="larger.md"))
    few.give_place("one", small)
    few.renew("one", larger)
    assert memory.lent - before == 20 * 10_000

    few.renew("one", replace(small, document=parse("word " * 60_000, name="large.md")))
    few.end()
    assert memory.lent == before


def test_a_worker_of_a_very_small_memory_has_a_limit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    for share, expected in ((750_000, 1_000_000), (2_500_000, 2_000_000), (0, 0)):
        monkeypatch.setenv("CHUNKSCOPE_MEMORY_MB", "")
        monkeypatch.setattr(memory, "asks", memory.asks)
        monkeypatch.setattr("pages.ui.layout.caches.collect_rarely", lambda: None)
        drag_workers._begin_there(share)
        assert memory.limit == expected


def test_what_a_worker_may_remember_is_taken_from_the_server_s_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHUNKSCOPE_MEMORY_MB", "10")
    before, few, small = memory.lent, DragWorkers(2), session()
    few.give_place("large", replace(small, document=parse("word " * 60_000, name="large.md")))
    assert memory.lent == before

    few.give_place("small", small)
    assert memory.lent - before == 20 * len(small.document.text)
    few.drop("small")
    assert memory.lent == before
    few.give_place("small", small)
    few.end()
    assert memory.lent == before
