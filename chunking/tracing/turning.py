"""Searches for the last value of a setting at which a comparison still comes out the same.

Each function goes from the setting's value `at` towards `end`, and returns the last value up to
which nothing turned. `turned(value)` says whether the comparison comes out differently at a value.
"""

from __future__ import annotations

import struct
from collections.abc import Callable

Number = int | float

MAX_TRIED = 256
"""Maximum number of values tried one by one on each side, where no formula gives the turn."""


def last_alike_linear(
    at: int,
    end: int,
    way: int,
    p: int,
    b: int,
    below: bool,
    sure: Callable[[Number], bool | None],
    turned: Callable[[Number], bool],
) -> int:
    """For a number with a linear form: leaps over the values for which the outcome is certain.

    The outcome is certainly the same while p * value + b is below 0 (`below`), or at least 0 (not
    `below`). `way` is 1 or -1. `sure(value)` says without computing the number whether the
    comparison comes out the same there; None where it must be computed.
    """
    tried, value = 0, at + way
    while value * way <= end * way:
        alike = sure(value)
        if alike is False or (alike is None and turned(value)):
            return value - way
        if alike is None:
            tried += 1
            if tried > MAX_TRIED:
                return value
            value += way
            continue
        if p == 0 or (p * way < 0) is below:
            return end  # it leads ever further away from where the comparison turns
        last = (-b - 1) // p if p > 0 and below else b // -p + 1 if below else b // -p if p < 0 else -(b // p)
        value = last + way
    return end


def last_alike_tried(at: Number, end: Number, turned: Callable[[Number], bool]) -> Number:
    """For any number: tries whole values one after the other, at most MAX_TRIED."""
    if not isinstance(at, int) or at == end:
        return at
    way = 1 if end > at else -1
    for value in range(at + way, at + way * (MAX_TRIED + 1), way):
        if value * way > end * way:
            return end
        if turned(value):
            return value - way
    return at + way * MAX_TRIED


def last_alike_monotone(at: Number, end: Number, turned: Callable[[Number], bool]) -> Number:
    """For a number that only rises or only falls, so that the outcome turns once or never:
    bisection."""
    if at == end or not turned(end):
        return end
    if isinstance(at, int) and isinstance(end, int):
        good, bad = at, end
        while abs(bad - good) > 1:
            middle = (good + bad) // 2
            good, bad = (good, middle) if turned(middle) else (middle, bad)
        return good
    low, high = _ordinal(float(at)), _ordinal(float(end))
    while abs(high - low) > 1:
        half = (low + high) // 2
        low, high = (low, half) if turned(_float_at(half)) else (half, high)
    return _float_at(low)


def _ordinal(number: float) -> int:
    """The index of a float among all floats in ascending order, 0 for 0.0."""
    bits: int = struct.unpack("<q", struct.pack("<d", number))[0]
    return bits if bits >= 0 else -(bits & 0x7FFFFFFFFFFFFFFF)


def _float_at(place: int) -> float:
    number: float = struct.unpack("<d", struct.pack("<q", abs(place)))[0]
    return number if place >= 0 else -number
