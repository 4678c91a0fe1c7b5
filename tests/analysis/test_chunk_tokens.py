"""A chunk's tokens at their places: in the source, or in what was added to it."""

from __future__ import annotations

import pytest

from chunking import Config, Document, Run, Span, parse, run, strategies
from chunking.analysis import tokens_of_chunk
from chunking.analysis.chunk_tokens import LONG
from chunking.tokens import counter

TEXT = (
    "# Kettle\n\nFill it with water, 日本 🫠 up to the line.\n\n## Boil\n\n"
    + "Steam rises from the lid. " * 30
    + "\n\n| a | b |\n| - | - |\n"
    + "| water | tea |\n" * 40
)


def cut(text: str, strategy: str, **settings: object) -> Run:
    return run(parse(text, "kettle.md"), Config(strategies.get(strategy)(**settings)))


def everything(document: Document) -> Span:
    return Span(0, len(document.text))


@pytest.mark.parametrize("strategy", ["heading-window", "block-packing", "section-rules", "recursive", "fixed"])
@pytest.mark.parametrize("name", ["cl100k_base", "minilm"])
def test_the_parts_of_a_chunk_add_up_to_what_is_counted(strategy: str, name: str) -> None:
    of = cut(TEXT, strategy)
    for chunk in of.chunks:
        found = tokens_of_chunk(chunk, counter(name), everything(of.document))

        assert found is not None
        assert found.total == sum(found.by_part.values()) == counter(name)(chunk.text)
        assert name != of.config.counter or found.total == chunk.tokens


def test_tokens_of_the_body_stand_in_the_source() -> None:
    of = cut("# Kettle\n\nFill it.\n", "every-heading")
    found = tokens_of_chunk(of.chunks[0], counter("cl100k_base"), everything(of.document))

    assert found is not None
    words = [of.document[Span(cell.start, cell.end)] for cell in found.cells if cell.part == "body"]
    assert "".join(words) == "# Kettle\n\nFill it."
    assert " it" in words


def test_what_a_context_adds_is_counted_there() -> None:
    of = cut(TEXT, "block-packing", max_tokens=100)
    later = next(chunk for chunk in of.chunks if chunk.context)
    found = tokens_of_chunk(later, counter("cl100k_base"), everything(of.document))

    assert found is not None
    assert abs(found.by_part["context"] - counter("cl100k_base")(later.context)) <= 1
    shown = [later.context[cell.start : cell.end] for cell in found.cells if cell.part == "context"]
    assert "".join(shown) == later.context


def test_an_embedder_stops_at_the_first_token_beyond_its_room() -> None:
    of = cut("one two three four five\n", "every-heading")
    found = tokens_of_chunk(of.chunks[0], counter("cl100k_base"), everything(of.document))

    assert found is not None
    stop = found.stop(3)
    assert stop is not None
    assert of.document[Span(stop.start, stop.end)] == " four"
    assert found.stop(found.total or 0) is None


def test_an_estimate_has_none() -> None:
    of = cut("one two\n", "every-heading")

    assert tokens_of_chunk(of.chunks[0], counter("words"), everything(of.document)) is None


@pytest.mark.parametrize("name", ["cl100k_base", "minilm"])
def test_of_a_long_chunk_only_what_is_near_is_tokenized_and_as_in_the_whole(name: str) -> None:
    text = "The kettle boils, 日本 🫠 don't. Water and tea 1234567, steam\n" * (3 * LONG // 60)
    of = _one_chunk(text)
    near = Span(2 * LONG, 2 * LONG + 3_000)
    found = tokens_of_chunk(of.chunks[0], counter(name), near)
    beginning = tokens_of_chunk(of.chunks[0], counter(name), Span(0, 3_000))

    assert found is not None
    assert beginning is not None
    assert (found.whole, found.sure, found.total, beginning.sure) == (False, True, None, True)
    assert found.cells[0].start <= near.start < near.end <= found.cells[-1].end + 1
    assert beginning.cells[0].number == 0
    assert found.cells[0].number == -1
    line = len("The kettle boils, 日本 🫠 don't. Water and tea 1234567, steam\n")
    here = {(cell.start % line, cell.end % line) for cell in found.cells}
    there = {(cell.start % line, cell.end % line) for cell in beginning.cells}
    assert here <= there


def _one_chunk(text: str) -> Run:
    of = cut(text, "every-heading")
    assert len(of.chunks) == 1
    return of
