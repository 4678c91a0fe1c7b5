"""A run whose chunks are made when they are read is a sequence like any other."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import fields

import pytest

from chunking import Chunk, Config, Run, Tools, parse, run
from chunking.core.chunk import BLANK, END, Boundary, Skip
from chunking.core.chunk_table import columns_of
from chunking.core.cut_parts import CutParts, Plan
from chunking.core.sealed import Sealed
from chunking.core.strategy import Strategy
from chunking.document import Document, Span
from chunking.errors import StrategyError
from chunking.splitting.plain_chunks import CountedTogether
from chunking.strategies.fixed import Fixed, Window
from chunking.strategies.heading_window import HeadingWindow
from chunking.strategies.recursive import Recursive

KETTLE = "---\ntitle: k\n---\n# Kettle\n\nwater\n\n## Fill\n\nto the line\n\n## Boil\n\nwait for the steam\n"


def cut(text: str = KETTLE) -> Run:
    return run(
        parse(text, name="k.md"), Config(HeadingWindow(min_tokens=0, min_tokens_deeper=0, max_tokens=6), "words")
    )


def parts_of(document: Document, *steps: tuple[int, int]) -> CutParts:
    """A plan whose chunks have these bodies, and whose second part is a skip."""
    tools = Tools()

    def found() -> Iterator[Skip | tuple[Sealed, Boundary]]:
        for number, (start, end) in enumerate(steps):
            sealed = tools.sealed(document, start, end, breadcrumb=(), metadata={})
            yield Skip(Span(start, end), BLANK) if number == 1 else (sealed, END)

    return Plan(document, found(), lambda _: END).at_once("a strategy")


def test_no_chunk_is_made_for_numbers_and_each_is_made_once() -> None:
    made = cut()

    assert made.metrics.chunk_count == 3
    assert made.columns.rules == ("deeper-minimum-reached", "minimum-reached", "end")
    assert made.parts[1] is made.parts[1] is made.chunks[0] is next(iter(made.chunks))


def test_indexes_and_slices_are_those_of_a_tuple_of_the_parts() -> None:
    made = cut()
    whole = tuple(made.parts)

    assert [type(part) for part in whole] == [Skip, Chunk, Chunk, Chunk]
    assert made.parts[-1] is whole[3]
    assert made.parts[1:3] == whole[1:3]
    assert made.parts[::-1] == whole[::-1]
    assert made.chunks[1:] == whole[2:]
    assert whole[2] in made.parts
    assert made.parts.index(whole[2]) == 2
    with pytest.raises(IndexError):
        made.parts[4]


def test_equal_cuts_are_equal_to_each_other_and_to_tuples() -> None:
    one, other = cut(), cut()

    assert one.parts == other.parts
    assert one.parts == tuple(other.parts)
    assert tuple(one.parts) == other.parts
    assert one.parts != cut(KETTLE + "more\n").parts
    assert repr(one.parts) == repr(tuple(other.parts))


def test_a_run_comes_back_from_pickle_as_it_was() -> None:
    made = cut()

    again = pickle.loads(pickle.dumps(made))

    assert again.parts == made.parts
    assert again.fingerprint == made.fingerprint
    assert again.columns.tokens.tolist() == made.columns.tokens.tolist()


def test_repeats_are_numbered_whatever_is_read_first() -> None:
    text = "# A\n\nsame\n\n# A\n\nsame\n\n# B\n\nsame\n\n# A\n\nsame\n\n# C\n"

    assert [cut(text).chunks[number].ordinal for number in (3, 1, 0, 2)] == [2, 1, 0, 0]
    assert cut(text).columns.ordinal.tolist() == [0, 1, 0, 2, 0]


def test_parts_that_leave_a_gap_or_go_back_or_stop_early_are_refused() -> None:
    document = parse("one two three\n", name="n")

    assert len(parts_of(document, (0, 4), (4, 8), (8, 14))) == 3
    with pytest.raises(StrategyError, match="a strategy left n untiled at 4: its next part is 5 to 14"):
        parts_of(document, (0, 4), (5, 14))
    with pytest.raises(StrategyError, match="untiled at 8: its next part is 8 to 8"):
        parts_of(document, (0, 4), (4, 8), (8, 8))
    with pytest.raises(StrategyError, match="a strategy stopped at 8 of 14 in n"):
        parts_of(document, (0, 4), (4, 8))


def test_columns_that_leave_a_gap_or_go_back_or_stop_early_are_refused() -> None:
    document = parse("one two three\n", name="n")

    def cut(*steps: tuple[int, int]) -> CutParts:
        spans = enumerate(Span(*step) for step in steps)
        parts = [
            Skip(span, BLANK) if number == 1 else Window(span.start, span.start, span.end) for number, span in spans
        ]
        return Plan(document, CountedTogether(document, Tools(), parts), lambda _: END).at_once("a strategy")

    assert [type(part) for part in cut((0, 4), (4, 8), (8, 14))] == [Chunk, Skip, Chunk]
    with pytest.raises(StrategyError, match="a strategy left n untiled at 4: its next part is 5 to 14"):
        cut((0, 4), (5, 14))
    with pytest.raises(StrategyError, match="untiled at 8: its next part is 8 to 8"):
        cut((0, 4), (4, 8), (8, 8))
    with pytest.raises(StrategyError, match="a strategy stopped at 8 of 14 in n"):
        cut((0, 4), (4, 8))
    with pytest.raises(StrategyError, match="a strategy stopped at 0 of 14 in n"):
        cut()


@pytest.mark.parametrize("strategy", [Fixed, Recursive])
@pytest.mark.parametrize("settings", [{"chunk_size": 20}, {"chunk_size": 6, "unit": "tokens"}])
def test_columns_say_what_their_chunks_say(strategy: type[Strategy], settings: dict[str, object]) -> None:
    made = run(parse(KETTLE * 3), Config(strategy.model_validate({"chunk_overlap": 3, **settings}), "words"))

    columns, read = made.columns, columns_of(made.chunks)
    for name in (field.name for field in fields(columns)):
        assert list(getattr(columns, name)) == list(getattr(read, name)), name


def test_repeats_in_columns_are_numbered() -> None:
    made = run(parse("same\n\n" * 3), Config(Fixed(chunk_size=6, chunk_overlap=0), "words"))

    assert [chunk.ordinal for chunk in made.chunks] == [0, 1, 2]


def test_the_parts_one_by_one_are_those_at_once() -> None:
    document = parse(KETTLE, name="k.md")
    strategy = HeadingWindow(min_tokens=0, min_tokens_deeper=0, max_tokens=6)

    for each in (strategy, Fixed(chunk_size=9, chunk_overlap=3)):
        assert tuple(each.split(document, Tools())) == each.cut_at_once(document, Tools())
