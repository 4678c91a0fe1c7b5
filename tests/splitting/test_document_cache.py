"""What is remembered of a document: once for each document and counter, bounded, and never with a
traced number as its key."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from chunking import Document, counter, parse
from chunking.runtime.text_memory import memory
from chunking.splitting.document_cache import Memo, once_per_counter, once_per_document
from chunking.tracing import Trace, traced_number


class Lengths(Memo[int, int]):
    """By anything."""

    most = 3


def length(document: Document) -> list[int]:
    return [len(document.text)]


def test_what_follows_from_a_document_is_made_once_for_it() -> None:
    one, equal = parse("Tea\n", "a.md"), parse("Tea\n", "a.md")

    assert once_per_document(one, length) is once_per_document(one, length)
    assert once_per_document(one, length) is not once_per_document(equal, length)  # its blocks may be others


def test_each_counter_has_a_memory_of_its_own() -> None:
    document = parse("Tea\n", "a.md")
    words = once_per_counter(document, counter("words"), Lengths)

    assert once_per_counter(document, counter("words"), Lengths) is words
    assert once_per_counter(document, counter("chars-4"), Lengths) is not words


def test_all_threads_get_what_was_made_first() -> None:
    document = parse("Tea\n", "a.md")
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: once_per_document(document, length), range(64)))

    assert len(set(map(id, found))) == 1


def test_a_memory_that_is_full_starts_afresh() -> None:
    memory = Lengths()
    for key in range(3):
        assert memory.keep(key, key) == key
    memory.keep(3, 3)

    assert dict(memory) == {3: 3}


def test_a_memory_goes_by_the_sizes_of_its_answers() -> None:
    memory = Lengths()
    memory.keep(0, 0, size=3)
    memory.keep(1, 1)

    assert dict(memory) == {1: 1}


def test_an_answer_that_takes_the_place_of_another_does_not_fill_a_memory() -> None:
    memory = Lengths()
    memory.keep(0, 0)
    for value in range(10):
        memory.keep(1, value)

    assert dict(memory) == {0: 0, 1: 9}


def test_a_watched_number_is_no_key_of_a_memory() -> None:
    with pytest.raises(TypeError, match="must not be a key"):
        Lengths().keep(traced_number(Trace(3, 0, 9)), 1)  # type: ignore[arg-type]


def test_documents_that_were_cut_long_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_users", set())  # sessions of other tests, each with documents of its own
    first = parse("0\n", "a.md")
    known = once_per_document(first, length)
    for number in range(1, 20):
        once_per_document(parse(f"{number}\n", "a.md"), length)

    assert once_per_document(first, length) is not known
