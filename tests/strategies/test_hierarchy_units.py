"""What hierarchical packing remembers of a document: nothing that a threshold or another document
changes."""

from __future__ import annotations

from unittest.mock import patch

from chunking import Config, parse, run
from chunking.explanation.explanation import NumberRange, explain
from chunking.models.access import Tools
from chunking.strategies.hierarchical import Hierarchical, rendering
from chunking.strategies.hierarchical.units import UnitPieces, reading_of
from chunking.tokens import counter
from chunking.tokens.index import SummingIndex

TEXT = "# Tea\n\nBoil it. Pour it.\n\n## Cups\n\n" + "Warm every cup well. " * 40


def cut(text: str, hard_cap: int, target: int) -> str:
    return run(parse(text, "tea.md"), Config(Hierarchical(hard_cap=hard_cap, target=target), "words")).fingerprint


def test_a_document_cut_before_is_cut_as_if_it_were_new() -> None:
    document = parse(TEXT, "tea.md")
    drag = [(60, 40), (80, 40), (80, 20), (60, 40)]
    moved = [run(document, Config(Hierarchical(hard_cap=cap, target=target), "words")) for cap, target in drag]

    assert [each.fingerprint for each in moved] == [cut(TEXT, cap, target) for cap, target in drag]
    assert len({tuple((chunk.body, chunk.ended_by) for chunk in each.chunks) for each in moved}) == 3


def test_pieces_are_cut_once_for_each_counter_and_limit() -> None:
    document = parse(TEXT, "tea.md")
    reading = reading_of(document)
    leaf = reading.units(document.sections[-1])[-1]
    words = Tools(counter("words"))

    assert reading.pieces(words, leaf, 40) is reading.pieces(words, leaf, 40)
    assert [len(reading.pieces(words, leaf, limit)) for limit in (40, 80)] == [4, 2]
    assert len(reading.pieces(Tools(counter("chars-4")), leaf, 40)) == 6


def test_the_units_behind_a_leaf_in_pieces_are_the_sections_own_and_no_copy() -> None:
    document = parse("# Tea\n\n" + "".join(f"{n} is a cup.\n\n" for n in range(9)), "tea.md")
    units = reading_of(document).units(document.sections[-1])
    first, second = UnitPieces(units.between(1, 3)), UnitPieces(units.between(2, 4))
    once = units.with_pieces(1, 4, first)
    twice = once.with_pieces(1, 6, second)

    assert [unit.lead for unit in once.between(0, len(once))] == [
        units[at].lead for at in (1, 2, 3, 1, 2, 5, 6, 7, 8, 9)
    ]
    assert [twice[at].lead for at in range(len(twice))] == [units[at].lead for at in (2, 3, 1, 2, 5, 2, 3, 7, 8, 9)]
    assert twice[-1] is units[-1]
    assert (len(twice._own), twice._rest) == (7, units)
    assert once.with_pieces(1, 6, second) is twice


def test_few_units_are_counted_one_by_one_and_many_together() -> None:
    few, many = ("# All\n\n" + "## Tea\n\nWarm every cup well.\n\n" * count for count in (9, 199))
    small, large = (Config(Hierarchical(hard_cap=cap, target=20), "cl100k_base") for cap in (30, 1000))

    with patch.object(SummingIndex, "last_within", side_effect=AssertionError):
        assert len(run(parse(few), small).chunks) == 4
    together = run(parse(many), large)
    with patch.object(rendering, "_FEW", 1000):
        assert together.parts == run(parse(many), large).parts
    assert len(together.chunks) == 2


def test_an_equal_document_that_was_read_apart_has_a_reading_of_its_own() -> None:
    one, other = parse(TEXT, "tea.md"), parse(TEXT, "tea.md")

    assert one == other
    assert reading_of(one) is not reading_of(other)
    assert reading_of(one) is reading_of(one)


def test_explaining_knows_that_the_target_says_nothing_where_no_leaf_is_cut() -> None:
    document = parse("# Tea\n\nBoil it. Pour it.\n\n# Cups\n\nWarm every cup well.\n", "tea.md")
    explanation = explain(document, Config(Hierarchical(hard_cap=10, target=4), "words"), line=5)
    target = next(each for each in explanation.ranges if each.setting == "target")

    assert isinstance(target, NumberRange)
    assert target.exact
    assert (target.below.stays_to, target.above.stays_to, target.above.ends) == (1, 10, "last-legal")


def test_a_byte_order_mark_alone_is_left_out() -> None:
    done = run(parse("\ufeff", "mark.md"), Config(Hierarchical(), "words"))

    assert [skip.because.rule for skip in done.skips] == ["blank"]
    assert done.chunks == ()
