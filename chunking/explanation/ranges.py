"""How each setting affects one boundary: ranges of numbers, values of switches and choices, as
values, as sentences and for JSON."""

from __future__ import annotations

from dataclasses import dataclass

from chunking.config.setting_spec import Number, setting_specs
from chunking.explanation.recutting import Recutter
from chunking.explanation.search import MOST_WORK, Side, sides
from chunking.explanation.setting_values import SettingValue, is_number, next_value, number_settings, plain_value
from chunking.text.display import listed

_MOST_RULES = 3
"""Other rules that a sentence names."""


@dataclass(frozen=True, slots=True)
class NumberRange:
    """The values of one numeric setting at which the boundary stays, all others left as they
    are."""

    setting: str
    """In camelCase, as in the YAML and on screen."""
    value: Number
    below: Side
    above: Side

    @property
    def exact(self) -> bool:
        """Whether the answer is complete on both sides."""
        return self.below.exact and self.above.exact


@dataclass(frozen=True, slots=True)
class Option:
    """What happens to the boundary under another value of a switch or a choice."""

    value: SettingValue
    stays: bool | None
    """None if unknown, because the cut failed."""
    rule: str | None
    """The rule that cuts there then; None when the boundary goes."""


@dataclass(frozen=True, slots=True)
class OptionRange:
    """What happens to the boundary under each other value of a switch or a choice."""

    setting: str
    value: SettingValue
    rule: str
    """The rule that cuts there now."""
    others: tuple[Option, ...]


def ranges_of(recutter: Recutter, rule: str, most_work: int | None = None) -> tuple[NumberRange | OptionRange, ...]:
    """One range for each setting that is a number, a switch or a choice, in the strategy's order.

    `rule` is the one that cuts there now. `most_work` limits the work of all numbers together: what
    one does not use, the later ones may.
    """
    found: list[NumberRange | OptionRange] = []
    left = sum(1 for _ in number_settings(recutter.strategy))
    for spec in setting_specs(type(recutter.strategy)):
        setting, value = spec.name, getattr(recutter.strategy, spec.name)
        if others := spec.other_values(value):
            options = tuple(option for other in others if (option := _option(recutter, setting, other)))
            if options:
                found.append(OptionRange(spec.label, plain_value(value), rule, options))
        elif is_number(value):
            share = MOST_WORK if most_work is None else max(0, most_work - recutter.work) // (2 * left)
            found.append(NumberRange(spec.label, value, *sides(recutter, setting, value, share)))
            left -= 1
    return tuple(found)


def _option(recutter: Recutter, setting: str, value: object) -> Option | None:
    changed = recutter.with_value(setting, value)
    if changed is None:
        return None
    answer = recutter.answer(changed)
    if answer.for_a_model:
        return None
    return Option(plain_value(value), not answer.gone if answer.known else None, answer.rule)


def range_sentence(of: NumberRange | OptionRange) -> str:
    """One setting in one sentence: `minTokens 250: stays from 120 (goes at 119) to 262 (goes at
    263)`."""
    if isinstance(of, OptionRange):
        return f"{of.setting} {_shown(of.value)}: " + "; ".join(_option_words(each, of.rule) for each in of.others)
    rules = [f"{rule} up to {_shown(value)}" for value, rule in of.below.rules]
    rules += [f"{rule} from {_shown(value)}" for value, rule in of.above.rules]
    more = [f"{len(rules) - _MOST_RULES:,} more"] if len(rules) > _MOST_RULES else []
    taken_over = f"; other rules then cut there: {listed([*rules[:_MOST_RULES], *more])}" if rules else ""
    return f"{of.setting} {_shown(of.value)}: stays{_values_words(of.below, of.above)}{taken_over}"


def _values_words(below: Side, above: Side) -> str:
    down, up = (side.ends in ("last-legal", "unlimited") for side in (below, above))
    if down and up:
        return ", whatever the value"
    if down:
        return f" {_side_words(above, 'up to')}"
    if below.ends == "at-least":
        further = below.goes_at is None and above.ends == "at-least" and above.goes_at is None
        low = f"down to at least {_shown(below.stays_to)}" if further else _side_words(below, "down to")
        return f" {low} and {'at any higher value' if up else _side_words(above, 'up to')}"
    return f" {_side_words(below, 'from')} {'and at any higher value' if up else _side_words(above, 'to')}"


def _side_words(side: Side, word: str) -> str:
    """Where it goes, or how far it was searched."""
    if side.ends == "at-least":
        gone = f"; gone at {_shown(side.goes_at)}" if side.goes_at is not None else ""
        return f"{word} at least {_shown(side.stays_to)} (searched no further{gone})"
    if isinstance(side.goes_at, float) and next_value(side.stays_to, -1 if word == "from" else 1) == side.goes_at:
        return _between_neighbours(side.stays_to, side.goes_at, word)
    return f"{word} {_shown(side.stays_to)} (goes at {_shown(side.goes_at)})"


def _between_neighbours(stays_to: Number, goes_at: Number, word: str) -> str:
    """Where the boundary goes between two adjacent fractions, in words: names the one with fewer
    digits, which is the number that was compared."""
    shown, upwards = _shown(goes_at), goes_at > stays_to
    if len(repr(goes_at)) <= len(repr(stays_to)):
        return f"{'below' if upwards else 'above'} {shown} (goes at {shown})"
    return f"{word} {_shown(stays_to)} (goes just {'above' if upwards else 'below'})"


def _option_words(option: Option, rule: str) -> str:
    if option.stays is None:
        return f"not known when {_shown(option.value)}"
    by = f" (by {option.rule})" if option.stays and option.rule != rule else ""
    return f"{'stays' if option.stays else 'goes'} when {_shown(option.value)}{by}"


def _shown(value: SettingValue) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return f"{value:,}"
    return exactly(value) if isinstance(value, float) else str(value)


def exactly(value: float) -> str:
    """A fraction with as many digits as it takes to type exactly this one: what is true of it need
    not be true of a rounded one."""
    short = f"{value:.6g}"
    return short if float(short) == value else repr(value)


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
