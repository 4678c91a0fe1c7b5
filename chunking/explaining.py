"""Why a boundary is where it is, and the nearest value of each setting at which it would go.

A boundary is its offset: it stays while any chunk ends there, and when another rule takes it over, that is said.
No model is ever called for it. DECISIONS, "Explaining".
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal, get_args, get_origin

from pydantic.alias_generators import to_camel

from chunking.chunk import Boundary, Chunk
from chunking.config import Config
from chunking.document import Document
from chunking.errors import DocumentError, ModelError
from chunking.runs import run
from chunking.settings_search import Number, Recutter, SettingValue, Side, search
from chunking.strategy import Strategy
from chunking.tokens import counter
from chunking.tools import Tools


@dataclass(frozen=True, slots=True)
class NumberRange:
    """The values of one numeric setting at which the boundary stays, all others left as they are."""

    setting: str
    """In camelCase, as in the YAML and on screen."""
    value: Number
    below: Side
    above: Side
    exact: bool
    """False where the strategy does not say what the setting was compared with, so that values were only tried."""


@dataclass(frozen=True, slots=True)
class Option:
    """What becomes of the boundary under another value of a setting that has a few."""

    value: SettingValue
    stays: bool
    rule: str | None
    """The rule that cuts there then; None when the boundary goes."""


@dataclass(frozen=True, slots=True)
class OptionRange:
    """A switch or a choice: what becomes of the boundary under each of its other values."""

    setting: str
    value: SettingValue
    rule: str
    """The rule that cuts there now."""
    others: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A heading inside the chunk, where it could have ended and did not."""

    offset: int
    line: int
    level: int
    title: str
    held: int
    """Tokens of the body up to this heading: what a chunk that ended here would hold."""


@dataclass(frozen=True)
class Explanation:
    """One boundary: its reason with the numbers, what would take it away, and where else the chunk could have ended."""

    document: Document
    chunk: Chunk
    """The chunk that ends at the boundary."""
    ranges: tuple[NumberRange | OptionRange, ...]
    """One for each setting that is a number, a switch or a choice, in the strategy's order."""
    candidates: tuple[Candidate, ...]
    recuts: int
    """How often the document was cut again to find this out."""

    @property
    def offset(self) -> int:
        return self.chunk.body.end

    @property
    def line(self) -> int:
        """The line that begins after the boundary; the last line for the document's end."""
        return _line_after(self.document, self.offset)

    @property
    def reason(self) -> Boundary:
        return self.chunk.ended_by

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        reason = self.reason
        return {
            "document": self.document.name,
            "offset": self.offset,
            "line": self.line,
            "rule": reason.rule,
            "detail": reason.detail,
            "held": reason.held,
            "next": reason.next,
            "limit": reason.limit,
            "settings": [to_camel(setting) for setting in reason.settings],
            "breadcrumb": list(self.chunk.breadcrumb),
            "tokens": self.chunk.tokens,
            "ranges": [_range_dict(each) for each in self.ranges],
            "candidates": [
                {"offset": each.offset, "line": each.line, "level": each.level, "title": each.title, "held": each.held}
                for each in self.candidates
            ],
            "recuts": self.recuts,
        }

    def lines(self) -> list[str]:
        """For a person: one line each for the place, the reason, every setting and every other place."""
        said = [f"{self.document.name}, before line {self.line}: {self.reason.rule}", f"  {self.reason.detail}"]
        said += [f"  {range_sentence(each)}" for each in self.ranges]
        if self.candidates:
            said.append("  headings inside the chunk where it did not end:")
        said += [f"    line {each.line}, {each.held} tokens held: {each.title}" for each in self.candidates]
        return said


def explain(
    document: Document,
    config: Config,
    *,
    line: int | None = None,
    offset: int | None = None,
    tools: Tools | None = None,
) -> Explanation:
    """Explain the boundary nearest to a line (from 1) or to an offset; the earlier of two that are equally near.

    A boundary counts as being on the line that begins after it. `tools` lends its counter and its models.
    Raises DocumentError when the document has no such line, or no chunk at all.
    """
    watching = (tools or Tools(counter(config.counter))).again(asks_models=True)
    chunk = _nearest(document, run(document, config, watching).chunks, line, offset)
    recutter = Recutter(document, config.strategy, watching, chunk.body.end, frozenset(watching.seen))
    return Explanation(
        document=document,
        chunk=chunk,
        ranges=() if chunk.body.end == len(document.text) else _ranges(recutter),
        candidates=_candidates(document, chunk, watching),
        recuts=recutter.recuts,
    )


def _nearest(document: Document, chunks: tuple[Chunk, ...], line: int | None, offset: int | None) -> Chunk:
    if not chunks:
        raise DocumentError(f"{document.name}: has no chunks, so no boundary to explain; all of it was left out")
    if offset is not None:
        return min(chunks, key=lambda chunk: abs(chunk.body.end - offset))
    wanted, last = line if line is not None else 1, _line_after(document, len(document.text))
    if not 1 <= wanted <= last:
        raise DocumentError(f"{document.name}: has no line {wanted}; its lines are 1 to {last}")
    return min(chunks, key=lambda chunk: abs(_line_after(document, chunk.body.end) - wanted))


def _line_after(document: Document, offset: int) -> int:
    return document.line_of(min(offset, len(document.text) - 1))


def _candidates(document: Document, chunk: Chunk, tools: Tools) -> tuple[Candidate, ...]:
    index = tools.index(document)
    return tuple(
        Candidate(
            offset=heading.span.start,
            line=document.line_of(heading.span.start),
            level=heading.level,
            title=heading.title,
            held=index.count(chunk.body.start, heading.span.start),
        )
        for heading in document.headings
        if chunk.body.start < heading.span.start < chunk.body.end
    )


def _ranges(recutter: Recutter) -> tuple[NumberRange | OptionRange, ...]:
    found: list[NumberRange | OptionRange] = []
    reason, _ = recutter.baseline
    rule = reason.rule if reason else ""
    for setting in type(recutter.strategy).model_fields:
        value: object = getattr(recutter.strategy, setting)
        if isinstance(value, int | float) and not isinstance(value, bool):
            below, exact_below = search(recutter, setting, value, -1)
            above, exact_above = search(recutter, setting, value, 1)
            found.append(NumberRange(to_camel(setting), value, below, above, exact_below and exact_above))
        elif others := _other_values(type(recutter.strategy), setting, value):
            options = tuple(option for other in others if (option := _option(recutter, setting, other)))
            if options:
                found.append(OptionRange(to_camel(setting), _plain(value), rule, options))
    return tuple(found)


def _option(recutter: Recutter, setting: str, value: object) -> Option | None:
    changed = recutter.with_value(setting, value)
    if changed is None:
        return None
    try:
        reason, _ = recutter.cut(changed)
    except ModelError:  # only a model could say
        return None
    return Option(_plain(value), reason is not None, reason.rule if reason else None)


def _other_values(strategy: type[Strategy], setting: str, value: object) -> list[object]:
    """The other values of a switch, an enum or a Literal; none for free text and lists."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, Enum):
        return [other for other in type(value) if other is not value]
    choices = _literals(strategy.model_fields[setting].annotation)
    return [choice for choice in choices if choice != value] if value in choices else []


def _literals(annotation: object) -> list[object]:
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    return [choice for part in get_args(annotation) for choice in _literals(part)]


def _plain(value: object) -> SettingValue:
    inner = value.value if isinstance(value, Enum) else value
    return inner if isinstance(inner, int | float | bool | str) else None


# ---- in words ----


def range_sentence(of: NumberRange | OptionRange) -> str:
    """One setting in one sentence: `minTokens 250: stays from 120 (goes at 119) to 262 (goes at 263)`."""
    if isinstance(of, OptionRange):
        return f"{of.setting} {_shown(of.value)}: " + "; ".join(_option_words(each, of.rule) for each in of.others)
    below, above = _side_words(of.below, "from", "down"), _side_words(of.above, "to", "up")
    rules = [f"{_shown(value)} by {rule}" for side in (of.below, of.above) for value, rule in side.rules]
    taken_over = f"; from {', '.join(rules)}" if rules else ""
    approximate = "" if of.exact else " (approximate: values were tried, not derived)"
    searched = "searched" in (of.below.ends, of.above.ends)
    if of.below.goes_at is None and of.above.goes_at is None and not searched and not rules:
        return f"{of.setting} {_shown(of.value)}: stays, whatever the value{approximate}"
    return f"{of.setting} {_shown(of.value)}: stays {below} {above}{taken_over}{approximate}"


def _side_words(side: Side, word: str, way: str) -> str:
    if side.ends == "unlimited":
        return f"all the way {way}"
    if side.goes_at is not None and _shown(side.stays_to) == _shown(side.goes_at):
        return _turn(side.stays_to, side.goes_at, word)
    how = {
        "goes": f"goes at {_shown(side.goes_at)}",
        "last-legal": "no legal value beyond",
        "searched": "searched no further",
    }[side.ends]
    return f"{word} {_shown(side.stays_to)} ({how})"


def _turn(stays_to: Number, goes_at: Number, word: str) -> str:
    """Where two neighbouring fractions look the same: the one that was compared is the one with the shorter name."""
    shown, upwards = _shown(goes_at), goes_at > stays_to
    if len(repr(goes_at)) <= len(repr(stays_to)):
        return f"{'below' if upwards else 'above'} {shown} (goes at {shown})"
    return f"{word} {shown} (goes just {'above' if upwards else 'below'})"


def _option_words(option: Option, rule: str) -> str:
    by = f" (by {option.rule})" if option.stays and option.rule != rule else ""
    return f"{'stays' if option.stays else 'goes'} when {_shown(option.value)}{by}"


def _shown(value: SettingValue) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _range_dict(of: NumberRange | OptionRange) -> dict[str, object]:
    if isinstance(of, OptionRange):
        others = [{"value": each.value, "stays": each.stays, "rule": each.rule} for each in of.others]
        return {"setting": of.setting, "value": of.value, "others": others}
    return {
        "setting": of.setting,
        "value": of.value,
        "below": _side_dict(of.below),
        "above": _side_dict(of.above),
        "exact": of.exact,
        "sentence": range_sentence(of),
    }


def _side_dict(side: Side) -> dict[str, object]:
    rules = [{"from": value, "rule": rule} for value, rule in side.rules]
    stays_to = None if side.ends == "unlimited" else side.stays_to
    return {"stays_to": stays_to, "goes_at": side.goes_at, "ends": side.ends, "rules": rules}
