"""What the process remembers of texts: within a limit in bytes, and for as long as somebody uses
it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event, Thread

import pytest

from chunking.errors import ConfigError
from chunking.runtime.object_sizes import bytes_of
from chunking.runtime.text_memory import Memory, limit_in_bytes

KB = 1_000
Kept = Callable[[str, int], bytes]


def kept(memory: Memory, *, carries: bool = False) -> Kept:
    """Bytes of some text, 10 KB each."""

    @memory.remembered(most=100, of=lambda text, _: (text,), key=lambda text, number: (text, number), carries=carries)
    def of(text: str, number: int) -> bytes:  # noqa: ARG001
        return bytes(10 * KB)

    return of


def test_a_value_is_made_once() -> None:
    value = kept(Memory())

    assert value("tea", 1) is value("tea", 1)
    assert value("tea", 1) is not value("tea", 2)


def test_what_was_not_used_for_the_longest_time_goes_first() -> None:
    value = kept(Memory(lambda: 35 * KB))
    first, second, _third = value("first", 0), value("second", 0), value("third", 0)
    assert value("first", 0) is first  # used again
    value("fourth", 0)

    assert value("first", 0) is first
    assert value("second", 0) is not second


def test_the_sum_stays_within_the_limit() -> None:
    memory = Memory(lambda: 95 * KB)
    value = kept(memory)
    for number in range(50):
        value(f"text {number % 7}", number)

        assert memory.used(exactly=True) <= 95 * KB


def test_sessions_do_not_take_each_other_s_place() -> None:
    memory = Memory()

    @memory.remembered(most=1, of=lambda text: (text,), key=lambda text: text)
    def of(text: str) -> object:  # noqa: ARG001
        return object()

    memory.welcome("one")
    memory.welcome("another")
    theirs = of("tea")
    of("coffee")
    assert of("tea") is theirs

    memory.release("another")
    of("milk")
    assert of("tea") is not theirs


def test_without_a_limit_only_the_number_counts() -> None:
    memory = Memory(lambda: 0)
    value = kept(memory)
    for number in range(120):
        value("tea", number)

    assert 100 * 10 * KB <= memory.used(exactly=True) < 101 * 10 * KB


def test_dropping_a_document_drops_what_was_made_of_its_text() -> None:
    memory = Memory(lambda: 45 * KB)
    document, run = kept(memory, carries=True), kept(memory)
    document("old", 0)
    run("old", 0)
    for number in range(3):
        document(f"new {number}", 0)

    assert 30 * KB <= memory.used(exactly=True) < 31 * KB  # neither the old document nor its run


def test_forgetting_a_text_drops_what_was_made_of_it_and_of_no_other() -> None:
    memory = Memory()
    of_tea, of_pot = (kept(memory), kept(memory))
    made = of_tea("tea", 1), of_tea("pot", 1)
    of_pot("tea", 2)

    memory.forget("tea")
    memory.forget("never seen")

    assert memory.used(exactly=True) < 11 * KB
    assert of_tea("tea", 1) is not made[0]
    assert of_tea("pot", 1) is made[1]


def test_a_document_whose_run_is_used_is_in_use_itself() -> None:
    memory = Memory(lambda: 35 * KB)
    document, run = kept(memory, carries=True), kept(memory)
    first = document("first", 0)
    document("second", 0)
    run("first", 0)
    document("third", 0)

    assert document("first", 0) is first


def test_of_the_text_in_use_the_last_of_each_kind_stays_though_it_is_larger_than_the_limit() -> None:
    value = kept(Memory(lambda: 5 * KB))
    large = value("tea", 0)

    assert value("tea", 0) is large


def test_what_only_an_ended_session_used_is_dropped_and_what_another_uses_stays() -> None:
    memory = Memory()
    value = kept(memory)
    for session in ("one", "two"):
        memory.welcome(session)
        memory.asks = lambda session=session: session  # type: ignore[misc]
        value("both", 0)
        value(f"only {session}", 0)
    memory.release("one")

    assert 20 * KB <= memory.used(exactly=True) < 21 * KB
    memory.release("two")
    assert memory.used() == 0


def test_a_session_that_has_ended_leaves_nothing_behind() -> None:
    memory = Memory()
    value = kept(memory)
    memory.welcome("one")
    memory.asks = lambda: "one"
    memory.release("one")
    value("tea", 0)

    assert memory.used() == 0


def test_a_value_of_several_texts_goes_with_any_of_them() -> None:
    memory = Memory()

    @memory.remembered(most=9, of=lambda *texts: texts, key=lambda *texts: texts)
    def corpus(*_texts: str) -> bytes:
        return bytes(10 * KB)

    corpus("a", "b")
    memory.welcome("one")
    memory.asks = lambda: "one"
    kept(memory)("b", 0)
    memory.release("one")

    assert memory.used() == 0


def test_threads_that_want_the_same_value_wait_for_the_one_that_makes_it() -> None:
    memory, made, all_here = Memory(), [], Barrier(8)

    @memory.remembered(most=9, of=lambda text: (text,), key=lambda text: text)
    def of(text: str) -> object:
        made.append(text)
        return object()

    def ask(_: int) -> object:
        all_here.wait()
        return of("tea")

    with ThreadPoolExecutor(8) as pool:
        found = set(map(id, pool.map(ask, range(8))))

    assert len(found) == 1
    assert made == ["tea"]


def test_an_error_is_not_remembered() -> None:
    memory, tries = Memory(), []

    @memory.remembered(most=9, of=lambda text: (text,), key=lambda text: text)
    def of(text: str) -> str:
        tries.append(text)
        if len(tries) == 1:
            raise ValueError
        return text

    with pytest.raises(ValueError, match=r"^$"):
        of("tea")
    assert of("tea") == "tea"


def test_an_object_that_several_hold_is_counted_once() -> None:
    shared = bytes(KB)
    once, twice = bytes_of([[shared]], set()), bytes_of([[shared, shared]], set())

    assert twice - once == 8  # a reference


def test_the_limit_is_a_whole_number_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert limit_in_bytes() == 1_000_000_000
    monkeypatch.setenv("CHUNKSCOPE_MEMORY_MB", "64")
    assert limit_in_bytes() == 64_000_000
    monkeypatch.setenv("CHUNKSCOPE_MEMORY_MB", "much")
    with pytest.raises(ConfigError, match="CHUNKSCOPE_MEMORY_MB: 'much' is not a whole number; set it to one, such"):
        limit_in_bytes()


def test_an_exact_count_does_not_rely_on_one_that_is_under_way() -> None:
    memory, begun, go_on = Memory(), Event(), Event()
    value: list[bytes] = []

    @memory.remembered(most=9, of=lambda text: (text,), key=lambda text: text)
    def of(text: str) -> list[bytes]:  # noqa: ARG001
        return value

    of("tea")
    value.append(bytes(100 * KB))

    def wait() -> None:
        begun.set()
        assert go_on.wait(20)

    value.extend(bytes(1) for _ in range(1_000))  # enough for a pause
    counting = Thread(target=memory._count, args=(memory._texts_to_count(), wait))
    counting.start()
    assert begun.wait(20)
    of("tea")
    exact = memory.used(exactly=True)
    go_on.set()
    counting.join()

    assert exact > 100 * KB
