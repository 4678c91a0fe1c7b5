"""Cutting a document again under other settings, to ask one question of each cut.

`Recutter` makes the cuts, a `CutTest` is the question, a `CutAnswer` what one cut says. A cut whose
setting is traced (`chunking.tracing`) also gives the interval of values for which it would be the
same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from pydantic import ValidationError

from chunking.config.setting_spec import Number
from chunking.core.chunk import Chunk, Part
from chunking.core.strategy import Strategy
from chunking.document import Document
from chunking.errors import ConfigError, ModelError
from chunking.models.access import Tools
from chunking.tracing import Memory, Trace, is_ours, traced_number

_CUT_WORK, _CHARACTERS = 300, 200
"""The fixed cost of a cut, in comparisons, and how many characters cost one comparison more."""
_FIRST_PARTS = 4
"""After so many parts a cut that has lost its trace goes on: most of its work may be done."""


class CutTest(Protocol):
    """A property that is examined in every cut: whether some rule still cuts here."""

    @property
    def start(self) -> int:
        """Parts that end at this offset or before do not matter."""

    @property
    def end(self) -> int:
        """The document is cut up to this offset."""

    @property
    def of_text(self) -> bool:
        """Whether it depends on the chunks' texts (and so on overlap), not only on their ends."""

    def rule(self, parts: Sequence[Part]) -> str | None:
        """The name of the rule that cuts here in these parts; None if the cut is gone."""


@dataclass(frozen=True, slots=True)
class BoundaryAt:
    """The question whether a chunk ends at an offset."""

    end: int
    of_text: bool = False

    @property
    def start(self) -> int:
        return self.end - 1

    def rule(self, parts: Sequence[Part]) -> str | None:
        last = parts[-1] if parts else None
        return last.ended_by.rule if isinstance(last, Chunk) and last.body.end == self.end else None


@dataclass(frozen=True, slots=True)
class CutAnswer:
    """What one cut says about the question."""

    rule: str | None
    """The rule that cuts; None where the cut is gone, or nobody knows."""
    known: bool = True
    """False where the cut failed, or only a model could answer."""
    for_a_model: bool = False
    """Whether only a model could answer."""
    low: Number = 0
    high: Number = 0
    """The interval of the traced setting's values, both ends included, that give this same cut."""
    parts: tuple[object, ...] = ()
    """Span and rule of each part around the place in question, to compare cuts by."""

    @property
    def gone(self) -> bool:
        return self.known and self.rule is None


class Recutter:
    """Cuts one document again under other settings and asks one question of each cut."""

    def __init__(self, document: Document, strategy: Strategy, tools: Tools, question: CutTest) -> None:
        """`tools` cut the document before, so that no model need be asked again."""
        self.document = document
        self.strategy = strategy
        self.tools = tools
        self.question = question
        self.recuts = 0
        self.work = 0
        """What the cuts cost, in about comparisons."""
        self._untraceable: set[str] = set()
        """The settings of a plug-in that was seen to cut otherwise while they are traced."""

    def with_value(self, setting: str, value: object) -> Strategy | None:
        """The strategy with one setting changed; None when that is not legal, alone or against
        another setting."""
        values: dict[str, object] = {name: getattr(self.strategy, name) for name in type(self.strategy).model_fields}
        try:
            return type(self.strategy).model_validate({**values, setting: value})
        except (ValidationError, ConfigError):
            return None

    def changes_only(self, setting: str, value: object) -> bool:
        """Whether a value may be set, and no other setting is changed by it."""
        changed, of = self.with_value(setting, value), self.strategy
        return changed is not None and all(
            getattr(changed, name) == (value if name == setting else getattr(of, name))
            for name in type(of).model_fields
        )

    def answer(self, strategy: Strategy) -> CutAnswer:
        """The answer under these settings."""
        answer = self._cut(strategy, self.tools.for_another_cut(matters_after=self.question.start))
        assert answer is not None
        return answer

    def traced_answer(self, strategy: Strategy, setting: str, low: Number, high: Number, memory: Memory) -> CutAnswer:
        """The answer under these settings, with the interval of one setting's values, within low to
        high, that give the same.

        `memory` is for this setting alone.
        """
        value: Number = getattr(strategy, setting)
        # What was computed from the settings when the strategy was made cannot be traced.
        if setting in self._untraceable or _derives(strategy):
            low = high = value
        foreign = not is_ours(type(strategy).__module__)
        trace = Trace(value, low, high, of_text=self.question.of_text, foreign=foreign, memory=memory)
        traced = strategy.model_copy(update={setting: traced_number(trace)}) if low < high else strategy
        answer = self._cut(traced, self.tools.for_another_cut(trace, matters_after=self.question.start), trace)
        if answer is None:
            return replace(self.answer(strategy), low=value, high=value)
        if low < high and not answer.for_a_model and (foreign or not answer.known):
            # Perhaps it cannot work with a traced number, or works otherwise, as by
            # `type(number) is int`.
            untraced = self.answer(strategy)
            if not answer.known or untraced.parts != answer.parts or not self._same_at_ends(setting, answer, trace):
                answer, trace.low, trace.high = untraced, value, value
                self._untraceable |= {setting} if answer.known else set()
        self.work += trace.work
        return replace(answer, low=trace.low, high=trace.high)

    def _same_at_ends(self, setting: str, answer: CutAnswer, trace: Trace) -> bool:
        """Whether a plug-in, untraced, cuts at both ends of an interval as it does inside."""
        ends = [self.with_value(setting, value) for value in {trace.low, trace.high} - {trace.value}]
        return all(each is None or self.answer(each).parts == answer.parts for each in ends)

    def _cut(self, strategy: Strategy, tools: Tools, trace: Trace | None = None) -> CutAnswer | None:
        """Cuts as far as the question needs: strategies are generators, and what comes behind could
        not change the answer. None where the trace was lost with the first parts: the plain number
        then gives the same in less time."""
        work, self.work = self.work, self.work + _CUT_WORK + self.question.end // _CHARACTERS
        self.recuts += 1
        parts: list[Part] = []
        try:
            for number, part in enumerate(strategy.split(self.document, tools)):
                if number < _FIRST_PARTS and trace is not None and trace.is_lost:
                    self.recuts, self.work = self.recuts - 1, work
                    return None
                if part.body.end > self.question.start:
                    parts.append(part)
                if part.body.end >= self.question.end:
                    break
            return CutAnswer(self.question.rule(parts), parts=_spans_and_rules(parts))
        except ModelError:
            return CutAnswer(None, known=False, for_a_model=True)
        except Exception:  # of a strategy, at this one value: nothing is known of it, and all else still is
            return CutAnswer(None, known=False)


def cutting_strategy(strategy: Strategy) -> tuple[Strategy, str]:
    """The strategy that cuts, inside those that only describe, and the prefix of its settings'
    names: `base.` for each that is around it."""
    of_base = ""
    while strategy.describes:
        of_base += f"{strategy.describes}."
        strategy = getattr(strategy, strategy.describes)
    return strategy, of_base


def _spans_and_rules(parts: Sequence[Part]) -> tuple[object, ...]:
    return tuple((part.body, part.ended_by.rule if isinstance(part, Chunk) else part.because.rule) for part in parts)


def _derives(strategy: Strategy) -> bool:
    """Whether a strategy may keep more than its settings as given: numbers, perhaps, that were
    computed from them."""
    made, hooks = type(strategy), ("__init__", "__new__", "model_post_init")
    return (
        bool(made.__private_attributes__)
        or set(strategy.__dict__) != set(made.model_fields)
        or any(hook in vars(each) for each in made.__mro__ if not _known(each) for hook in hooks)
    )


def _known(made: type) -> bool:
    """Whether a class is ours, or what all strategies are made of."""
    return is_ours(made.__module__) or not issubclass(made, Strategy)
