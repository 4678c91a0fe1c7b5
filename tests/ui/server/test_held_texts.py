"""The files and texts that sessions hold have a limit, for each session and for all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from own_loop import in_a_loop

from benchmarks.app_client import Visit
from benchmarks.protocol import serving
from chunking.runtime.text_memory import VARIABLE, Memory
from pages.ui.server import held_texts
from pages.ui.server.held_texts import HeldTexts

MB = 1_000_000
TEXT = "# Kettle\n\n" + "water and steam " * 20_000
"""320 kB, held as a file and as a text."""
REFUSED = "is not added: this session would use more than 1 MB of files and texts"


@pytest.fixture
def address() -> Iterator[str]:
    """A server that holds 2 MB of texts, and 1 MB of one session."""
    with serving(variables={VARIABLE: "4"}) as (_, port):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Memory:
    """The memory of a process that holds 4 MB of texts, and 2 MB of one session."""
    memory = Memory(lambda: 8 * MB)
    memory.beside = held_texts.held_by_session
    monkeypatch.setattr(held_texts, "memory", memory)
    monkeypatch.setattr(held_texts, "_held", type(held_texts._held)())
    return memory


def large(letter: str) -> str:
    return letter * 1_600_000


def session(name: str, monkeypatch: pytest.MonkeyPatch) -> HeldTexts:
    monkeypatch.setattr(held_texts, "session_id", lambda: name)
    return held_texts.held_texts()


def test_what_a_session_holds_counts_in_the_one_memory_until_the_session_is_gone(
    held: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = session("one", monkeypatch)
    texts.add("a", large("a"), "a.md")
    texts.add("a", large("a"), "a.md")

    assert 1.6 * MB <= held.used() < 1.61 * MB
    assert held.used_by("one") == held.used()
    assert held.used_by("another") == 0
    del texts
    assert held.used() == 0


def test_what_was_made_of_texts_goes_where_sessions_hold_more(held: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    @held.remembered(most=100, of=lambda text: (text,), key=lambda text: text)
    def made(text: str) -> bytearray:
        return bytearray(len(text) * 1_600_000)

    sessions = [session(name, monkeypatch) for name in ("one", "two")]
    for number in range(4):
        made(str(number))
    assert 6.4 * MB <= held.used(exactly=True) < 6.5 * MB
    for each in sessions:
        assert not each.add("a", large("a"), "a.md")
    made("m")

    assert held.used(exactly=True) < 8 * MB


def test_a_text_that_is_too_much_for_its_session_or_for_all_is_not_counted(
    held: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, three = (session(name, monkeypatch) for name in ("one", "two", "three"))

    assert one.add("a", large("a"), "a.md") == ""
    assert one.add("b", large("b"), "b.md") == (
        "b.md is not added: this session would use more than 2 MB of files and texts (CHUNKSCOPE_MEMORY_MB 8); "
        "open the app in another tab to begin anew, or cut it with `chunkscope run`, which takes any size"
    )
    assert two.add("a", large("a"), "a.md") == ""
    assert three.add("a", large("a"), "a.md") == (
        "a.md is not added: all sessions would use more than 4 MB of files and texts (CHUNKSCOPE_MEMORY_MB 8); "
        "try again later, or cut it with `chunkscope run`, which takes any size"
    )
    assert held.used() < 3.3 * MB


def test_who_sends_file_after_file_is_told_when_it_is_enough_and_others_go_on(address: str) -> None:
    async def visits() -> list[str]:
        pages = []
        async with await Visit.open(address, strategy="every-heading") as greedy:
            for number in range(4):
                await greedy.upload((f"{number}.md", f"# Kettle {number}\n\n{TEXT}".encode()))
                pages.append(greedy.markup())
            async with await Visit.open(address, strategy="every-heading") as another:
                await another.upload(("kettle.md", TEXT.encode()))
                pages.append(another.markup())
        return pages

    assert [REFUSED in page for page in in_a_loop(visits())] == [False, True, True, True, False]
