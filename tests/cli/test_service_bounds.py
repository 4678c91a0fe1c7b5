"""What a request to the service may cost is bounded before it is read, and given back after it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from own_loop import in_a_loop

from chunking import Config
from chunking.cli.service import work, workers
from chunking.cli.service.bodies import MOST_KEYS, BodyError, RunBody, SearchBody, body_of
from chunking.cli.service.workers import Workers
from chunking.document.folders import FoundFile
from chunking.errors import ConfigError
from chunking.tuning.space import explicit
from chunking.tuning.sweeps import Axis


def body(text: str, **others: object) -> bytes:
    return json.dumps({"config": "fixed", "documents": [{"name": "a.md", "text": text}], **others}).encode()


def test_more_keys_than_any_request_has_are_refused_before_they_are_read() -> None:
    many = {f"key {number}": 0 for number in range(MOST_KEYS)}

    with pytest.raises(BodyError, match="the body has more than 20,000 keys; a document has name and text, or base64"):
        body_of(RunBody, body("text", **many))


def test_a_key_is_counted_however_it_is_written() -> None:
    many = ",".join(f'"{number}\\\\" \n : 0' for number in range(MOST_KEYS + 1))

    with pytest.raises(BodyError, match="more than 20,000 keys"):
        body_of(RunBody, f"{{{many}}}".encode())


def test_what_looks_like_keys_in_a_text_is_text() -> None:
    text = '{"key": "value\\\\"}' * MOST_KEYS

    assert body_of(RunBody, body(text)).documents[0].text == text


def test_a_search_asks_no_server_of_models_that_its_owner_does_not_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    asking = explicit(Config.of("semantic", {}, "words"), [Axis("embedder", ("local", "openai"))])
    monkeypatch.setattr(work, "space_of", lambda *_: asking)
    found = [FoundFile(Path("a.md"), "a.md", content=b"One. Two. Three.")]

    with pytest.raises(ConfigError, match="semantic sends texts to openai, which is not allowed here"):
        work.tuning(SearchBody(strategies=["semantic"]), found, "", work.Terms())


def ready(_: int) -> None:
    return None


def process() -> Iterator[int]:
    yield os.getpid()


async def three_processes() -> list[int]:
    """The processes that did three pieces of work, one after the other."""
    pool, found = Workers(1, 0, 60.0, ready, 1), list[int]()
    try:
        for _ in range(3):
            async with pool.work(process) as work:
                found += [each async for each in work.results()]
    finally:
        await pool.end()
    return found


@pytest.mark.parametrize(("spare", "processes"), [(10_000, 1), (0, 3)])
def test_a_worker_that_holds_too_much_memory_is_replaced(
    spare: int, processes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "_SPARE_MB", spare)

    assert len(set(in_a_loop(three_processes()))) == processes


async def ready_after_a_request_that_was_given_up() -> int:
    """How many processes wait for the next request."""
    pool = Workers(1, 0, 60.0, ready, 1)
    try:
        async with pool.work(process):
            pass
        return len(pool._idle)
    finally:
        await pool.end()


def test_the_process_of_a_request_that_was_given_up_is_replaced_before_the_next() -> None:
    assert in_a_loop(ready_after_a_request_that_was_given_up()) == 1
