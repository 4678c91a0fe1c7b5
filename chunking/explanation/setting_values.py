"""The values a setting may have: which settings are numbers, how far they may go, and the last
value for which something holds."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Literal, TypeGuard

from chunking.config.setting_spec import Number, spec_of
from chunking.core.strategy import Strategy
from chunking.explanation.recutting import Recutter
from chunking.tracing import is_ours

SettingValue = Number | bool | str | None

_NEAR = 64
"""Adjacent values on each side at which a plug-in's validation is tried."""
_FARTHEST = 2**40
"""From this value on, a setting without a bound counts as unlimited."""


def number_settings(strategy: Strategy) -> Iterator[tuple[str, Number]]:
    """The settings that are numbers, with their values; not those that have a few numbers to choose
    from."""
    for name in type(strategy).model_fields:
        value: object = getattr(strategy, name)
        if is_number(value) and not other_values(strategy, name):
            yield name, value


def is_number(value: object) -> TypeGuard[Number]:
    """Whether a setting's value is a number, and no switch."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def other_values(strategy: Strategy, setting: str) -> list[object]:
    """The other values of a switch, an enum or a Literal; none for numbers, free text and lists."""
    spec = spec_of(type(strategy), setting)
    return spec.other_values(getattr(strategy, setting)) if spec else []


def plain_value(value: object) -> SettingValue:
    """A setting's value as JSON has it: an enum's value; None for what is not a number, switch or
    string."""
    inner = value.value if isinstance(value, Enum) else value
    return inner if isinstance(inner, int | float | bool | str) else None


def next_value(value: Number, direction: int) -> Number:
    """The adjacent integer or floating-point number, upwards (1) or downwards (-1)."""
    return value + direction if isinstance(value, int) else math.nextafter(value, direction * math.inf)


def last_legal(
    recutter: Recutter, setting: str, at: Number, direction: int
) -> tuple[Number, Literal["last-legal", "unlimited", "at-least"]]:
    """The farthest legal value from `at` on: the setting's own bound, or where it would contradict
    another setting.

    "at-least" where a plug-in's own checks take values beyond one that they refuse.
    """
    spec = spec_of(type(recutter.strategy), setting)
    bound = spec.last_legal(direction) if spec else None
    far: Number = direction * _FARTHEST if bound is None else bound
    if isinstance(at, float):
        far = float(far)
    if recutter.with_value(setting, far) is not None:
        return far, "unlimited" if bound is None else "last-legal"
    legal = last_where(at, far, lambda tried: recutter.with_value(setting, tried) is not None)
    if has_own_checks(type(recutter.strategy), setting):
        beyond = probes(legal, far)
        if any(recutter.with_value(setting, probe) is not None for probe in beyond if probe != legal):
            return legal, "at-least"
    return legal, "last-legal"


def has_own_checks(made: type[Strategy], setting: str) -> bool:
    """Whether a plug-in has checks of its own: they may refuse any value, or change another setting
    with one."""
    decorators = made.__pydantic_decorators__
    checks = [each.func for each in decorators.model_validators.values()]
    checks += [each.func for each in decorators.field_validators.values()]
    spec = spec_of(made, setting)
    foreign = any(not is_ours(str(getattr(each, "__module__", ""))) for each in checks)
    return foreign or (spec is not None and not spec.only_bounds)


def probes(at: Number, far: Number) -> Iterator[Number]:
    """Values from `at` to `far`, the nearest ones first and then in growing steps."""
    direction = 1 if far > at else -1
    if isinstance(at, int):
        steps = (*range(1, _NEAR + 1), *(_NEAR + 3**power for power in range(1, 26)))
        yield from (at + direction * step for step in steps if step <= abs(far - at))
    else:
        yield from (at + (far - at) * share / _NEAR for share in range(1, _NEAR + 1))


def last_where(holds_at: Number, fails_at: Number, holds: Callable[[Number], bool]) -> Number:
    """The last value from `holds_at` towards `fails_at` for which `holds` is true, by bisection, if
    it turns once between them.

    Whole numbers exactly; other numbers to the last bit, or as close as 200 halvings come.
    """
    good, bad = holds_at, fails_at
    for _ in range(200):
        middle = (good + bad) // 2 if isinstance(good, int) and isinstance(bad, int) else (good + bad) / 2
        if middle in (good, bad):
            nearer = next_value(good, 1 if bad > good else -1)
            if nearer == bad or not holds(nearer):
                break
            middle = nearer
        good, bad = (middle, bad) if holds(middle) else (good, middle)
    return good


def rounded_outward(value: Number, present: Number, holds: Callable[[Number], bool]) -> Number:
    """A fraction rounded away from the present value to as few decimals (2, 3, 4 or 6) as still
    satisfy `holds`; itself where none does, and whole numbers."""
    if isinstance(value, float):
        outward = math.ceil if value > present else math.floor
        for digits in (2, 3, 4, 6):
            near = outward(value * 10**digits) / 10**digits
            if holds(near):
                return near
    return value
