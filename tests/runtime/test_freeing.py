"""A large value that nobody has any more is freed piece by piece, and nothing else is touched."""

from __future__ import annotations

import threading
import weakref

import pytest
from waiting import until

from chunking.runtime import freeing
from chunking.runtime.freeing import Freeing, take_apart
from chunking.runtime.text_memory import Memory


class Piece:
    """Something that can be seen to go."""

    def __init__(self, *inner: object) -> None:
        self.inner = inner


def test_all_that_a_value_holds_goes_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = [Piece(Piece()) for _ in range(1000)]
    there = weakref.WeakSet(pieces)
    left: list[int] = []
    monkeypatch.setattr(freeing, "_AT_A_TIME", 100)

    values: list[object] = [Piece(tuple(pieces))]
    del pieces
    take_apart(values, pause=lambda: left.append(len(there)))

    assert (values, len(there)) == ([], 0)
    assert max(before - after for before, after in zip([1000, *left], left, strict=False)) <= 100


def test_what_somebody_else_has_stays_whole() -> None:
    inner = Piece(["a text", [1, 2]], {"key": Piece("value")})
    values: list[object] = [Piece(inner), [inner.inner[0]]]

    take_apart(values)

    assert inner.inner[0] == ["a text", [1, 2]]
    found = inner.inner[1]
    assert isinstance(found, dict)
    assert found["key"].inner == ("value",)


def test_a_ring_is_left_to_the_collector() -> None:
    ring: list[object] = []
    ring.append(ring)
    there = weakref.WeakSet([piece := Piece(ring)])
    values: list[object] = [piece]
    del piece

    take_apart(values)

    assert not there
    assert ring[0] is ring


def test_what_the_memory_drops_is_freed_beside_and_its_thread_ends() -> None:
    memory = Memory(lambda: 0)
    memory.frees = Freeing(delay=0.0)
    kept = memory.remembered(most=1, of=lambda text: (text,), key=lambda text: text)(
        lambda text: Piece([f"{text} {number}" for number in range(60_000)])
    )
    first = weakref.ref(kept("one"))
    memory.used(exactly=True)

    kept("two")

    until(lambda: not any(each.name == "freeing" for each in threading.enumerate()))
    assert first() is None
    assert kept.known("two")
