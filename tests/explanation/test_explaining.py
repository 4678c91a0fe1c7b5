"""Explaining: with strategies of the test's own, small enough to cut by hand."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase
from typing import ClassVar, Literal, Self

import pytest
from contract import Variant, tools_for, variants
from hypothesis import given
from hypothesis import strategies as st
from pydantic import model_validator
from sample_counters import Words

from chunking.config.config import Config
from chunking.core.chunk import Boundary, Part
from chunking.core.context import SplitContext
from chunking.core.model_access import ModelUse
from chunking.core.strategy import Strategy, setting
from chunking.document import Document, Span
from chunking.document.loading import load
from chunking.document.parser import parse
from chunking.errors import DocumentError, SettingError
from chunking.explanation.explanation import explain
from chunking.explanation.ranges import NumberRange, OptionRange, range_sentence
from chunking.explanation.search import Side
from chunking.models.access import Tools
from chunking.runs import run
from chunking.strategies import get
from chunking.strategies.fixed import Fixed
from chunking.strategies.heading_window import HeadingWindow
from chunking.tokens.tiktoken_tables import Encoding

SAMPLE = Path(__file__).resolve().parents[2] / "sample_docs" / "01-headings-without-content.md"


class Lines(Strategy):
    """Adds whole lines; cuts when the words held are at least `least`, or would be more than
    `most`."""

    name: ClassVar[str] = "test-lines"
    title: ClassVar[str] = "Lines"
    summary: ClassVar[str] = "For tests."

    least: int = setting(4, title="Least", help="Higher cuts later.", ge=1, le=50)
    most: int = setting(50, title="Most", help="Higher cuts later.", ge=1)
    even_only: bool = setting(False, title="Even only", help="Only after an even line.")
    when: Literal["enough", "never"] = setting("enough", title="When", help="Whether to cut at all.")
    note: str = setting("", title="Note", help="Free text.")

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.least > self.most:
            raise SettingError("least", f"{self.least} is more than most ({self.most}); lower one of them")
        return self

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        start, starts = 0, [*document.line_starts.tolist()[1:], len(document.text)]
        for number, end in enumerate(starts, start=1):
            rule = self._rule(document, tools, start, end, starts, number)
            if rule:
                yield tools.seal(document, Span(start, end), Boundary(rule, f"after line {number}"), breadcrumb=("t",))
                start = end

    def _rule(
        self, document: Document, tools: SplitContext, start: int, end: int, starts: list[int], number: int
    ) -> str:
        if number == len(starts):
            return "end"
        held = tools.count_span(document, Span(start, end))
        following = tools.count_span(document, Span(start, starts[number]))
        if held >= self.least and self.when == "enough" and (number % 2 == 0 or not self.even_only):
            return "least"
        return "most" if following > self.most else ""


class Slices(Strategy):
    """As many lines a chunk as the setting says, taken by a slice: that cannot be followed. Fails
    at 7 lines."""

    name: ClassVar[str] = "test-slices"
    title: ClassVar[str] = "Slices"
    summary: ClassVar[str] = "For tests."

    size: int = setting(4, title="Size", help="Higher cuts less.", ge=1, le=50)

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        start, ends = 0, [*document.line_starts.tolist()[1:], len(document.text)]
        if self.size == 7:
            raise IndexError("seven")
        for end in [*ends[self.size - 1 :: self.size], ends[-1]]:
            if end > start:
                yield tools.seal(document, Span(start, end), Boundary("size", ""), breadcrumb=("t",))
            start = end


class Alike(Strategy):
    """One line a chunk as long as the line's number, as a decimal, is below the threshold."""

    name: ClassVar[str] = "test-alike"
    title: ClassVar[str] = "Alike"
    summary: ClassVar[str] = "For tests."

    threshold: float = setting(0.5, title="Threshold", help="Higher cuts more.", ge=0, le=1)

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        start, starts = 0, [*document.line_starts.tolist()[1:], len(document.text)]
        for end in starts:
            similarity = float(document[Span(start, end)].split()[-1])
            if similarity < self.threshold or end == starts[-1]:
                yield tools.seal(document, Span(start, end), Boundary("unlike", ""), breadcrumb=("t",))
                start = end


def words(*counts: int) -> Document:
    """One paragraph; each line has as many words as asked for."""
    return parse("\n".join("w " * count for count in counts), name="t.md")


def numbers(document: Document, strategy: Strategy, line: int) -> dict[str, NumberRange | OptionRange]:
    explanation = explain(document, Config(strategy, "words"), line=line, tools=Tools(Words()))
    return {each.setting: each for each in explanation.ranges}


def test_a_number_goes_at_the_nearest_value_on_each_side() -> None:
    # 3, 1, 2 words a line. At least 4: cut after line 2. At 3: after lines 1 and 3. At 5: after
    # line 3.
    least = numbers(words(3, 1, 2, 9), Lines(least=4), line=3)["least"]

    assert isinstance(least, NumberRange)
    assert (least.below.goes_at, least.below.stays_to, least.value) == (3, 4, 4)
    assert (least.above.stays_to, least.above.goes_at) == (4, 5)
    assert least.exact


def test_a_boundary_that_stays_down_to_the_bound_has_no_value_at_which_it_goes() -> None:
    # 2 and 3 words: cut after line 2 at 5, 4 and 3; at 2 and 1 both lines end a chunk.
    least = numbers(words(2, 3, 9), Lines(least=4), line=3)["least"]

    assert isinstance(least, NumberRange)
    assert (least.below.stays_to, least.below.goes_at, least.below.ends) == (1, None, "last-legal")
    assert (least.above.stays_to, least.above.goes_at, least.above.ends) == (5, 6, "goes")


def test_another_rule_that_takes_the_boundary_over_is_named() -> None:
    # 5 words, then 6 would be 11, more than most 10: from least 6 on, `most` cuts there.
    least = numbers(words(5, 6, 1), Lines(least=4, most=10), line=2)["least"]

    assert isinstance(least, NumberRange)
    assert least.above.rules == ((6, "most"),)
    assert (least.above.stays_to, least.above.ends) == (10, "last-legal")


def test_a_value_that_contradicts_another_setting_ends_the_search() -> None:
    most = numbers(words(5, 6, 1), Lines(least=4, most=10), line=2)["most"]

    assert isinstance(most, NumberRange)
    assert (most.below.stays_to, most.below.ends) == (4, "last-legal")
    assert most.above.ends == "unlimited"


def test_switches_and_choices_say_what_every_other_value_does_and_free_text_is_left_alone() -> None:
    found = numbers(words(5, 6, 1), Lines(least=4), line=2)
    even, when = found["evenOnly"], found["when"]

    assert isinstance(even, OptionRange)
    assert [(each.value, each.stays) for each in even.others] == [(True, False)]
    assert isinstance(when, OptionRange)
    assert [(each.value, each.stays, each.rule) for each in when.others] == [("never", False, None)]
    assert "note" not in found


def test_a_decimal_goes_just_beyond_a_value_that_was_compared() -> None:
    document = parse("0.2\n0.7\n0.9\n0.1\n", name="t.md")
    threshold = numbers(document, Alike(threshold=0.8), line=3)["threshold"]

    assert isinstance(threshold, NumberRange)
    assert threshold.below.goes_at == 0.7
    assert (threshold.above.stays_to, threshold.above.ends) == (1.0, "last-legal")


def test_a_number_that_cannot_be_followed_is_tried_value_by_value() -> None:
    size = numbers(words(*[1] * 24), Slices(size=2), line=5)["size"]

    assert isinstance(size, NumberRange)
    assert (size.below.stays_to, size.below.ends) == (1, "last-legal")
    assert (size.above.stays_to, size.above.goes_at, size.above.ends) == (2, 3, "goes")
    assert size.exact


def test_a_fraction_is_said_in_full_where_a_rounded_one_would_not_do() -> None:
    side = Side(2 / 3, 0.7, "goes")
    told = NumberRange("threshold", 0.5, Side(0.0, None, "last-legal"), side)

    assert range_sentence(told) == "threshold 0.5: stays up to 0.6666666666666666 (goes at 0.7)"


def test_of_two_neighbouring_fractions_the_one_that_is_named_is_said_rightly() -> None:
    stays, goes = 0.2592592592592593, 0.25925925925925924
    told = NumberRange("threshold", 0.5, Side(stays, goes, "goes"), Side(1.0, None, "last-legal"))

    assert range_sentence(told) == (
        "threshold 0.5: stays from 0.2592592592592593 (goes just below) and at any higher value"
    )


def test_values_without_a_bound_are_said_without_one_and_thousands_are_grouped() -> None:
    least, known = Side(0, None, "last-legal"), Side(1_200, 1_199, "goes")

    assert range_sentence(NumberRange("size", 2_000, known, Side(1_000_000, None, "last-legal"))) == (
        "size 2,000: stays from 1,200 (goes at 1,199) and at any higher value"
    )
    assert range_sentence(NumberRange("size", 2_000, least, Side(3_000, None, "at-least"))) == (
        "size 2,000: stays up to at least 3,000 (searched no further)"
    )


def test_what_was_not_searched_is_said_once_and_at_most_three_other_rules_are_named() -> None:
    rules = ((84, "budget-reached"), (55, "top-level-section"))
    below, above = Side(32, None, "at-least", rules), Side(1_030, None, "at-least", ((900, "section"), (950, "end")))

    assert range_sentence(NumberRange("maxTokens", 512, below, above)) == (
        "maxTokens 512: stays down to at least 32 and up to at least 1,030 (searched no further); other rules then cut "
        "there: budget-reached up to 84, top-level-section up to 55, section from 900 and 1 more"
    )
    assert range_sentence(NumberRange("maxTokens", 512, Side(32, 30, "at-least"), Side(600, 601, "goes"))) == (
        "maxTokens 512: stays down to at least 32 (searched no further; gone at 30) and up to 600 (goes at 601)"
    )


def test_with_little_work_allowed_what_is_not_known_is_said_as_at_least() -> None:
    text = "".join(f"{'word ' * (1 + at % 7)}\n" for at in range(60))
    document = parse(text, name="long.md")
    offset = run(document, Config(Fixed(chunk_size=90, chunk_overlap=20))).chunks[-2].body.end
    config = Config(Fixed(chunk_size=90, chunk_overlap=20))

    full = explain(document, config, offset=offset)
    little = explain(document, config, offset=offset, most_work=1)

    assert little.recuts < full.recuts
    for less, more in zip(little.ranges, full.ranges, strict=True):
        if isinstance(less, NumberRange) and isinstance(more, NumberRange):
            assert (
                more.below.stays_to <= less.below.stays_to <= less.value <= less.above.stays_to <= more.above.stays_to
            )
            assert less.exact or "at least" in range_sentence(less)
    assert not all(each.exact for each in little.ranges if isinstance(each, NumberRange))


def test_a_value_at_which_cutting_fails_is_unknown_and_nothing_else_is_lost() -> None:
    size = numbers(words(*[1] * 24), Slices(size=6), line=13)["size"]

    assert isinstance(size, NumberRange)
    assert (size.below.stays_to, size.below.goes_at) == (6, 5)
    assert (size.above.stays_to, size.above.ends, size.exact) == (6, "at-least", False)
    assert size.above.goes_at == 8
    assert range_sentence(size) == "size 6: stays from 6 (goes at 5) to at least 6 (searched no further; gone at 8)"


@given(st.lists(st.integers(1, 9), min_size=3, max_size=12), st.integers(1, 20), st.integers(1, 12))
def test_the_answer_is_the_one_that_trying_every_value_gives(counts: list[int], least: int, line: int) -> None:
    document, strategy = words(*counts), Lines(least=least, most=50)
    explanation = explain(document, Config(strategy, "words"), line=min(line, len(counts)), tools=Tools(Words()))
    if explanation.offset == len(document.text):
        assert explanation.ranges == ()
        return

    def cuts(value: int) -> bool:
        chunks = run(document, Config(Lines(least=value, most=50), "words"), Tools(Words())).chunks
        return explanation.offset in [chunk.body.end for chunk in chunks]

    found = next(each for each in explanation.ranges if each.setting == "least")
    assert isinstance(found, NumberRange)
    assert found.below.goes_at == next((value for value in range(least - 1, 0, -1) if not cuts(value)), None)
    assert found.above.goes_at == next((value for value in range(least + 1, 51) if not cuts(value)), None)


def test_the_boundary_nearest_the_line_is_explained_and_the_earlier_of_two_that_are_equally_near() -> None:
    document, config = words(4, 1, 3, 1, 4, 9), Config(Lines(least=4), "words")

    def line_of_the_boundary(line: int) -> int:
        return explain(document, config, line=line, tools=Tools(Words())).line

    # Cuts are before lines 2, 4 and 6.
    assert [line_of_the_boundary(line) for line in (1, 2, 3, 4, 5)] == [2, 2, 2, 4, 4]


def test_the_end_of_the_document_is_explained_without_cutting_again() -> None:
    explanation = explain(words(4, 9), Config(Lines(least=40), "words"), line=1, tools=Tools(Words()))

    assert (explanation.reason.rule, explanation.ranges, explanation.recuts) == ("end", (), 0)


def test_headings_inside_the_chunk_are_listed_with_what_was_held_at_each() -> None:
    document = parse("# A\nw w w\n## B\nw w\n## C\nw w w w w w w w w\nw", name="t.md")
    explanation = explain(document, Config(Lines(least=14), "words"), line=7, tools=Tools(Words()))

    assert [(each.title, each.line, each.tokens) for each in explanation.candidates] == [("B", 3, 5), ("C", 5, 9)]


def test_a_line_that_is_not_there_is_refused_with_the_lines_that_are() -> None:
    with pytest.raises(DocumentError, match=r"t\.md: has no line 9; its lines are 1 to 2"):
        explain(words(1, 1), Config(Lines(), "words"), line=9, tools=Tools(Words()))


def test_a_document_without_chunks_has_no_boundary() -> None:
    from chunking.strategies import get

    with pytest.raises(DocumentError, match="has no chunks"):
        explain(parse(" \n", name="t.md"), Config(get("every-heading")(), "words"), line=1, tools=Tools(Words()))


def test_a_sentence_says_what_goes_what_stays_and_which_rule_takes_over() -> None:
    def sentences(strategy: Strategy) -> list[str]:
        return [range_sentence(each) for each in numbers(words(5, 6, 1), strategy, line=2).values()]

    assert sentences(Lines(least=4, most=10)) == [
        "least 4: stays, whatever the value; other rules then cut there: most from 6",
        "most 10: stays, whatever the value",
        "evenOnly off: stays when on (by most)",
        "when enough: stays when never (by most)",
    ]
    assert sentences(Lines(least=4))[2:] == ["evenOnly off: goes when on", "when enough: goes when never"]


def test_an_explanation_reads_as_lines_and_as_json() -> None:
    explanation = explain(words(3, 1, 2, 9), Config(Lines(least=4), "words"), line=3, tools=Tools(Words()))

    assert explanation.lines()[:3] == [
        "t.md, before line 3",
        "  after line 2 (least)",
        "  least 4: stays from 4 (goes at 3) to 4 (goes at 5)",
    ]
    assert json.loads(json.dumps(explanation.to_dict()))["ranges"][0]["above"] == {
        "stays_to": 4,
        "goes_at": 5,
        "ends": "goes",
        "rules": [],
    }


@pytest.mark.parametrize("variant", variants(120), ids=str)
def test_every_strategys_boundary_stays_and_goes_at_the_values_that_were_said(variant: Variant) -> None:
    document = load(SAMPLE)
    tools = tools_for(variant.config)
    chunks = run(document, variant.config, tools).chunks
    for chunk in chunks[: min(2, len(chunks) - 1)]:
        explanation = explain(document, variant.config, offset=chunk.body.end, tools=tools)
        assert explanation.offset == chunk.body.end
        for found in explanation.ranges:
            if not isinstance(found, NumberRange):
                continue
            for side in (found.below, found.above):
                assert explanation.offset in _ends(document, variant.config, found.setting, side.stays_to, tools)
                if side.goes_at is not None:
                    gone = _ends(document, variant.config, found.setting, side.goes_at, tools)
                    assert explanation.offset not in gone, (found.setting, side)


def _ends(document: Document, config: Config, setting: str, value: float, tools: Tools) -> list[int]:
    changed = config.with_settings({setting: value})
    return [chunk.body.end for chunk in run(document, changed, tools.for_another_cut(use=ModelUse.ASK)).chunks]


def test_an_explanation_says_why_each_heading_was_passed_over() -> None:
    document = parse("# A\n" + "w " * 10 + "\n## B\nx\n## C\n" + "w " * 10 + "\n", name="a.md")
    settings = {"min_tokens": 20, "min_tokens_deeper": 15, "h1_rule": False}

    window = explain(document, Config(HeadingWindow.model_validate(settings), "words"), offset=len(document.text))

    assert [(each.title, each.because) for each in window.candidates] == [
        ("B", "the chunk had 12 tokens there, fewer than minTokensDeeper (15)"),
        ("C", "the chunk had 15 tokens there, fewer than minTokens (20)"),
    ]


def test_a_strategy_that_reads_no_headings_says_so() -> None:
    document = parse("# A\none\n# B\ntwo\n", name="a.md")

    candidates = explain(document, Config(get("fixed")()), offset=0).candidates

    assert [each.because for each in candidates] == ["this strategy does not read headings"]


def test_explaining_a_cut_in_a_word_of_twice_the_length_counts_about_twice_the_text(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted: list[int] = []
    count = Encoding.count

    def noted(self: Encoding, text: str) -> int:
        counted.append(len(text))
        return count(self, text)

    def characters_counted(size: int) -> int:
        # No two pieces are equal: the counts of equal ones are remembered.
        word = "".join(random.Random(size).choices(ascii_lowercase, k=size))
        document, config = parse(word), Config.of("heading-window", {})
        chunks = run(document, config).chunks
        counted.clear()
        explain(document, config, offset=chunks[len(chunks) // 2].body.end)
        return sum(counted)

    monkeypatch.setattr(Encoding, "count", noted)
    assert 0 < characters_counted(80_000) < 3 * characters_counted(40_000)
