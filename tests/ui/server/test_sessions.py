"""What a session holds is given back after its browser went, and not while it may come back."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from inspect import signature
from types import SimpleNamespace
from typing import cast

import pytest
from own_loop import in_a_loop
from streamlit.runtime.caching.ttl_cache import TTLCache
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.session_manager import SessionInfo

from pages.ui.server import sessions


@pytest.fixture
def closed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sessions that the server has closed; those called `back...` are there again."""
    names: list[str] = []
    server = SimpleNamespace(is_active_session=lambda name: name.startswith("back"), close_session=names.append)
    monkeypatch.setattr(sessions, "runtime", SimpleNamespace(exists=lambda: True, get_instance=lambda: server))
    monkeypatch.setattr(sessions, "collect", lambda: None)
    monkeypatch.setattr(sessions, "_left", type(sessions._left)())
    return names


def gone(names: Iterable[str]) -> None:
    """These sessions' browsers go, one after the other; ends after the server's next few steps."""

    async def go() -> None:
        for name in names:
            sessions._leave(name)
        for _ in range(3):
            await asyncio.sleep(0)

    in_a_loop(go())


def test_of_the_sessions_whose_browsers_went_the_last_few_are_kept(closed: list[str]) -> None:
    gone(f"session {number}" for number in range(sessions._MOST_LEFT + 3))

    assert closed == ["session 0", "session 1", "session 2"]


def test_a_session_is_given_back_when_its_time_is_over(closed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "_SECONDS_LEFT", 0)
    gone(["one"])

    assert closed == ["one"]


def test_sessions_are_closed_well_before_streamlits_own_store_drops_them() -> None:
    """At the same time a session could go out of the store while it was being closed."""
    (ttl,) = (each.default for each in signature(MemorySessionStorage).parameters.values() if "ttl" in each.name)

    assert ttl - 5 >= sessions._SECONDS_LEFT


def test_a_session_that_the_store_drops_while_it_is_closed_is_gone_without_an_error(
    closed: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The store's clock goes on from one look to the next: the session is there, and is not."""
    seconds = iter((0.0, 119.0, 121.0))
    kept = MemorySessionStorage()
    kept._cache = TTLCache(128, 120, timer=lambda: next(seconds))
    kept.save(cast("SessionInfo", SimpleNamespace(session=SimpleNamespace(id="one"))))

    def close(name: str) -> None:
        assert kept.get(name) is not None
        kept.delete(name)
        closed.append(name)

    server = SimpleNamespace(is_active_session=lambda _: False, close_session=close)
    monkeypatch.setattr(sessions, "runtime", SimpleNamespace(exists=lambda: True, get_instance=lambda: server))
    mark = sessions._left["one"] = object()
    sessions._close("one", mark)

    assert closed == []
    assert not sessions._left
    assert next(seconds, None) is None


def test_a_session_whose_browser_came_back_stays(closed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "_SECONDS_LEFT", 0)
    gone(["back again"])

    assert closed == []


def test_who_comes_back_and_goes_again_has_the_whole_time_again(closed: list[str]) -> None:
    first = sessions._left["one"] = object()
    gone(["one"])
    sessions._close("one", first)

    assert closed == []


def test_what_was_frozen_is_looked_through_only_when_nobody_asks_for_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    clock = [100.0]

    def sleep(seconds: float) -> None:
        told.append(f"slept {seconds:g} s")
        clock[0] += seconds
        if len(told) == 1:
            sessions.note_use()

    monkeypatch.setattr(sessions, "time", SimpleNamespace(monotonic=lambda: clock[0], sleep=sleep))
    monkeypatch.setattr(sessions, "_collect_frozen", lambda: told.append("looked"))
    sessions.note_use()
    clock[0] += 1
    sessions.collect()

    assert told == ["slept 2 s", "slept 3 s", "looked"]
