"""Whole numbers that depend linearly on a setting, up to a bounded remainder, and their arithmetic.

Floor division keeps a number close to a straight line: `setting * 3 // 4` is (3 * setting - r) / 4
with a remainder r from 0 to 3. Such a form tells where a comparison turns without trying values.
"""

from __future__ import annotations

import math
from typing import Any

LinearForm = tuple[int, int, int, int, int]
"""(p, b, q, least, most): q * number = p * setting + b + r, with a remainder r from `least` to
`most`."""


def sign(number: Any) -> int:
    return 1 if number >= 0 else -1


def shifted(line: LinearForm | None, by: int) -> LinearForm | None:
    """The form of the number plus `by`; None for a number without a form."""
    return line and (line[0], line[1] + line[2] * by, line[2], line[3], line[4])


def times(line: LinearForm | None, by: int) -> LinearForm | None:
    """The form of the number times `by`; None for a number without a form."""
    if line is None:
        return None
    p, b, q, least, most = line
    return (p * by, b * by, q, *sorted((least * by, most * by)))  # type: ignore[return-value]


def add(one: LinearForm | None, other: LinearForm | None) -> LinearForm | None:
    """The form of the sum; None where one of the numbers has no form."""
    if one is None or other is None:
        return None
    p, b, q, least, most = one
    p2, b2, q2, least2, most2 = other
    return reduced((p * q2 + p2 * q, b * q2 + b2 * q, q * q2, least * q2 + least2 * q, most * q2 + most2 * q))


def reduced(line: LinearForm) -> LinearForm:
    """The same form, divided by the greatest common divisor of its five numbers."""
    by = math.gcd(*line)
    return line if by < 2 else tuple(each // by for each in line)  # type: ignore[return-value]


def slope(line: LinearForm | None) -> int:
    """Whether a number that is exactly on a line rises or falls; 0 for any other."""
    return sign(line[0]) if line is not None and line[3] == line[4] else 0
