"""What is asked of all chunks at once without making them."""

from __future__ import annotations

import pytest

from chunking import Config, parse, run
from chunking.core.cut_parts import CutParts

DOCUMENT = parse("".join(f"# Part {part}\n\n{'Some words of this part. ' * 60}\n\n" for part in range(6)))


def test_why_chunks_end_is_known_without_making_any() -> None:
    cut = run(DOCUMENT, Config.of("heading-window"))
    assert isinstance(cut.parts, CutParts)

    endings = list(cut.endings())

    assert cut.parts._cut._made == [None] * len(endings)
    assert endings == [chunk.ended_by for chunk in cut.chunks]


def test_strategies_that_make_chunks_at_once_say_it_too() -> None:
    cut = run(DOCUMENT, Config.of("small-to-big"))

    assert list(cut.endings()) == [chunk.ended_by for chunk in cut.chunks]
    assert cut.returned() == [chunk.returned or chunk.body for chunk in cut.chunks]


@pytest.mark.parametrize("strategy", ["heading-window", "small-to-big"])
def test_why_some_chunks_end_is_asked_by_their_numbers(strategy: str) -> None:
    cut = run(DOCUMENT, Config.of(strategy))

    assert list(cut.endings(slice(1, 3))) == [chunk.ended_by for chunk in cut.chunks[1:3]]


def test_nothing_is_returned_in_place_of_chunks_that_are_their_own_hit() -> None:
    assert run(DOCUMENT, Config.of("heading-window")).returned() == []
