"""What each setting of a strategy would do to one boundary: ranges of numbers, switches and choices, also in words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Literal, get_args, get_origin

from pydantic.alias_generators import to_camel

from chunking.errors import ModelError
from chunking.settings_search import Number, Recutter, SettingValue, Side, search
from chunking.strategy import Strategy


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


def ranges_of(recutter: Recutter) -> tuple[NumberRange | OptionRange, ...]:
    """One range for each setting that is a number, a switch or a choice, in the strategy's order."""
    found: list[NumberRange | OptionRange] = []
    reason, _ = recutter.baseline
    rule = reason.rule if reason else ""
    for setting in type(recutter.strategy).model_fields:
        value: object = getattr(recutter.strategy, setting)
        if isinstance(value, int | float) and not isinstance(value, bool):
            below, exact_below = search(recutter, setting, value, -1)
            above, exact_above = search(recutter, setting, value, 1)
            found.append(NumberRange(to_camel(setting), value, below, above, exact_below and exact_above))
        elif others := other_values(type(recutter.strategy), setting, value):
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


def other_values(strategy: type[Strategy], setting: str, value: object) -> list[object]:
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


def range_dict(of: NumberRange | OptionRange) -> dict[str, object]:
    """One setting as plain values for JSON."""
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
