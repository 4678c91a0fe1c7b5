"""A number that knows from which setting it comes: for which values of the setting a cut would go
exactly as it goes.

While one setting is explained, a `Traced` number stands in its place in the strategy. Whatever is
computed from it is traced as well, and each comparison narrows the `Trace` to the values of the
setting at which that comparison comes out as it did. What cannot be followed (a slice, a `range`, a
key of a dict, a call into C) narrows it to the one value. So everything between `low` and `high` is
cut alike, whatever the strategy does, and it needs to know nothing of this.

Only what our own strategies write for people is not followed: a number in their sentences decides
nothing. What others write might be counted, and narrows it to the one value as well, unless it is
written in `tools.untraced()`.
"""

from __future__ import annotations

import math
import operator
import struct
import sys
from bisect import bisect_right
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from numbers import Real
from typing import Any, TypeVar

import numpy as np

Number = int | float

_SCANNED = 256
"""Values on each side that are tried one by one where a comparison's turn cannot be worked out."""

Line = tuple[int, int, int, int, int]
"""(p, b, q, least, most): q times the number is p times the setting, plus b, plus something from
least to most."""


Made = TypeVar("Made")
Memory = dict[Hashable, tuple[list[Number], list[tuple[Number, Any]]]]
"""For each key what was made and from which value of a setting to which it is the same: from, and
to with the rest."""


class Trace:
    """The values of one setting for which everything was compared alike so far. Narrows while a cut
    goes on."""

    __slots__ = ("_begun", "_memory", "foreign", "high", "low", "of_text", "paused", "value", "work")

    def __init__(
        self,
        value: Number,
        low: Number,
        high: Number,
        *,
        of_text: bool = False,
        foreign: bool = False,
        memory: Memory | None = None,
    ) -> None:
        """`low` and `high` are the setting's legal values that are farthest away; no other is ever
        thought of.

        `of_text` where chunks are to be alike in all their text, and not only end alike. `foreign`
        where a plug-in cuts: what it writes the number into, it may count. `memory` is of cuts of
        the same document under other values of this one setting.
        """
        self.of_text = of_text
        self.foreign = foreign
        self._memory: Memory = memory if memory is not None else {}
        self._begun: tuple[Number, Number] | None = None
        self.value = value
        self.low = low
        self.high = high
        self.paused = 0
        self.work = 0
        """How often something was compared, or remembered: what the cut cost, as a count."""

    def pin(self) -> None:
        """Narrow it to the setting's value: something was done that cannot be followed."""
        if not self.paused:
            self.low = self.high = self.value

    def number(self) -> Traced | Number:
        """The setting's value, to be put into the strategy."""
        return Traced(self, self.value, _same, (1, 0, 1, 0, 0) if isinstance(self.value, int) else None, 1)

    def remembered(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` gives, or gave for another value of the setting with which it surely gives
        the same.

        It must depend on nothing but the key, the document and the settings, and on what was worked
        out from these before anything was remembered. What is worked out and kept later must be
        remembered in this way as well.
        """
        self.work += 1
        if self.paused:
            return make()
        if self._begun is None:
            self._begun = self.low, self.high  # what was worked out up to here holds between these
        lows, kept = self._memory.setdefault(key, ([], []))
        at = bisect_right(lows, self.value) - 1
        if at >= 0 and kept[at][0] >= self.value:
            self.low, self.high = max(self.low, lows[at]), min(self.high, kept[at][0])
            return kept[at][1]  # type: ignore[no-any-return]
        before = self.low, self.high
        self.low, self.high = self._begun
        try:
            made = make()
            lows.insert(at + 1, self.low)
            kept.insert(at + 1, (self.high, made))
        finally:
            self.low, self.high = max(self.low, before[0]), min(self.high, before[1])
        return made

    @contextmanager
    def untraced(self) -> Iterator[None]:
        """Narrow nothing meanwhile, where only boundaries count: what is done here moves none."""
        self.paused += not self.of_text
        try:
            yield
        finally:
            self.paused -= not self.of_text


def _same(setting: Number) -> Number:
    return setting


def is_ours(module: str) -> bool:
    """Whether code of this module is held to what is said of a number that is watched; a plug-in's
    is not."""
    return module.startswith("chunking.")


def is_traced(number: object) -> bool:
    """Whether a number comes from a setting that is being explained: then it is no key for what is
    remembered."""
    return type(number) is Traced


def plain(number: Any) -> Any:
    """The number as it is, without a trace: for a first guess that decides nothing."""
    return number.value if type(number) is Traced else number


def stays_between(number: Any, least: Number | None, below: Number | None) -> None:
    """Note what a search that was made with the plain number depends on: that it is at least this,
    and below that."""
    if least is not None:
        number >= least  # noqa: B015  a traced number remembers what it is compared with
    if below is not None:
        number < below  # noqa: B015


class Traced:
    """A number that depends on a setting. To a strategy it is an int or a float like any other."""

    __slots__ = ("line", "of", "rises", "trace", "value")

    def __init__(
        self, trace: Trace, value: Number, of: Callable[[Number], Number], line: Line | None, rises: int
    ) -> None:
        """`of` gives the number for any value of the setting; `line` follows it closely where it is
        whole.

        `rises` is 1 where it never falls as the setting rises, -1 where it never rises, 0 where
        neither is known.
        """
        self.trace = trace
        self.value = value
        self.of = of
        self.line = line
        self.rises = rises

    # --- comparing --------------------------------------------------------------------------------

    def __lt__(self, other: object) -> Any:
        return self._compared(other, operator.lt)

    def __le__(self, other: object) -> Any:
        return self._compared(other, operator.le)

    def __gt__(self, other: object) -> Any:
        return self._compared(other, operator.gt)

    def __ge__(self, other: object) -> Any:
        return self._compared(other, operator.ge)

    def __eq__(self, other: object) -> Any:
        return self._compared(other, operator.eq)

    def __ne__(self, other: object) -> Any:
        return self._compared(other, operator.ne)

    def __bool__(self) -> bool:
        return bool(self != 0)

    def _compared(self, other: object, how: Callable[[Any, Any], Any]) -> Any:
        if type(other) is int:
            outcome = how(self.value, other)
            self.trace.work += 1
            if self.trace.low != self.trace.high and not self.trace.paused:
                self._narrow(other, how, outcome)
            return outcome
        if isinstance(other, Traced):
            if other.trace is self.trace:
                difference = self - other
                return how(difference, 0)
            other.trace.pin()
            other = other.value
        if not isinstance(other, Real):
            if other is None or isinstance(other, str | bytes | tuple | list):
                return NotImplemented
            self.trace.pin()
            return how(self.value, other)
        bound = _constant(other)
        outcome = how(self.value, bound)
        trace = self.trace
        trace.work += 1
        if trace.low != trace.high and not trace.paused:
            self._narrow(bound, how, outcome)
        return outcome

    def _narrow(self, bound: Any, how: Callable[[Any, Any], Any], outcome: bool) -> None:
        """Keep the values at which the comparison comes out as it did; all are put as `<` or
        `<=`."""
        if bound != bound:  # NaN compares alike with everything
            return
        if how is operator.lt or how is operator.ge:
            self._hold(bound, outcome is (how is operator.lt), strict=True)
        elif how is operator.le or how is operator.gt:
            self._hold(bound, outcome is (how is operator.le), strict=False)
        elif outcome is (how is operator.eq):
            self._hold(bound, True, strict=False)
            self._hold(bound, False, strict=True)
        elif self.value < bound:
            self._hold(bound, True, strict=True)
        else:
            self._hold(bound, False, strict=False)

    def _hold(self, bound: Any, below: bool, *, strict: bool) -> None:
        """Keep the values at which the number is below the bound (or at it, unless `strict`), or is
        not."""
        if self.line is not None and isinstance(bound, int):
            self._hold_line(self.line, bound, below, strict=strict)
            return
        test = operator.lt if strict else operator.le

        def turned(setting: Number) -> bool:
            try:
                return bool(test(self.of(setting), bound)) is not below
            except (ArithmeticError, ValueError):
                return True

        trace = self.trace
        if self.rises:
            trace.high = _last_before(trace.value, trace.high, turned)
            trace.low = _last_before(trace.value, trace.low, turned)
        else:
            trace.high = _scanned(trace.value, trace.high, turned)
            trace.low = _scanned(trace.value, trace.low, turned)

    def _hold_line(self, line: Line, bound: int, below: bool, *, strict: bool) -> None:
        """The same where q times the number, less the bound, is p * setting + b + (least to
        most)."""
        p, b, q, least, most = line
        b -= q * bound + (0 if strict else 1)  # whole numbers: d <= 0 is d - 1 < 0
        trace = self.trace
        if least == most:
            b += least
            if p > 0 and below:
                trace.high = min(trace.high, (-b - 1) // p)
            elif p > 0:
                trace.low = max(trace.low, -(b // p))
            elif p < 0 and below:
                trace.low = max(trace.low, b // -p + 1)
            elif p < 0:
                trace.high = min(trace.high, b // -p)
            return
        test = operator.lt if strict else operator.le

        def turned(setting: Number) -> bool:
            return bool(test(self.of(setting), bound)) is not below

        def sure(setting: Number) -> bool | None:
            """Whether it surely is, or surely is not, as it was; None where it has to be worked
            out."""
            d = p * int(setting) + b
            return below if d + most < 0 else not below if d + least >= 0 else None

        for way in (1, -1):
            end = int(trace.high if way > 0 else trace.low)
            kept = _along(int(trace.value), end, way, p, b + (most if below else least), below, sure, turned)
            trace.high, trace.low = (kept, trace.low) if way > 0 else (trace.high, kept)

    # --- computing --------------------------------------------------------------------------------

    def _made(self, value: Number, of: Callable[[Number], Number], line: Line | None, rises: int) -> Any:
        """A number computed from this one."""
        if line is not None and type(value) is not int:
            line = None
        return Traced(self.trace, value, of, line, rises)

    def __add__(self, other: object) -> Any:
        mine = self.of
        if isinstance(other, Traced) and other.trace is self.trace:
            theirs = other.of
            line = _sum(self.line, other.line)
            rises = _slope(line) or (self.rises if self.rises == other.rises else 0)
            return self._made(self.value + other.value, lambda at: mine(at) + theirs(at), line, rises)
        if not isinstance(other, Real):
            return self._unfollowed(other, operator.add)
        c = _constant(other)
        line = _moved(self.line, c) if isinstance(c, int) else None
        return self._made(self.value + c, lambda at: mine(at) + c, line, self.rises)

    __radd__ = __add__

    def __neg__(self) -> Any:
        mine, line = self.of, _times(self.line, -1)
        return self._made(-self.value, lambda at: -mine(at), line, -self.rises)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def __sub__(self, other: object) -> Any:
        if not isinstance(other, Real):
            return self._unfollowed(other, operator.sub)
        return self + (-other)

    def __rsub__(self, other: object) -> Any:
        if not isinstance(other, Real):
            return self._unfollowed(other, lambda mine, theirs: theirs - mine)
        return -self + other

    def __mul__(self, other: object) -> Any:
        mine = self.of
        if isinstance(other, Traced) and other.trace is self.trace:
            theirs = other.of
            return self._made(self.value * other.value, lambda at: mine(at) * theirs(at), None, 0)
        if not isinstance(other, Real):
            return self._unfollowed(other, operator.mul)
        c = _constant(other)
        line = _times(self.line, c) if isinstance(c, int) else None
        return self._made(self.value * c, lambda at: mine(at) * c, line, self.rises * _sign(c))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Any:
        if not isinstance(other, Real) or isinstance(other, Traced):
            return self._unfollowed(other, operator.truediv)
        mine, c = self.of, _constant(other)
        return self._made(self.value / c, lambda at: mine(at) / c, None, self.rises * _sign(c))

    def __floordiv__(self, other: object) -> Any:
        if not isinstance(other, Real) or isinstance(other, Traced):
            return self._unfollowed(other, operator.floordiv)
        mine, c, line = self.of, _constant(other), None
        if isinstance(c, int) and c and self.line:
            p, b, q, least, most = _times(self.line, _sign(c)) or self.line
            line = _reduced((p, b, q * abs(c), least - q * (abs(c) - 1), most))
        return self._made(self.value // c, lambda at: mine(at) // c, line, self.rises * _sign(c))

    def __mod__(self, other: object) -> Any:
        if not isinstance(other, Real) or isinstance(other, Traced):
            return self._unfollowed(other, operator.mod)
        c = _constant(other)
        if isinstance(c, int) and isinstance(self.value, int):
            return self - (self // c) * c
        mine = self.of
        return self._made(self.value % c, lambda at: mine(at) % c, None, 0)

    def __divmod__(self, other: object) -> Any:
        return self // other, self % other

    def __round__(self, digits: int | None = None) -> Any:
        return self._rounded(lambda number: round(number, digits) if digits is not None else round(number))

    def __floor__(self) -> Any:
        return self._rounded(math.floor)

    def __ceil__(self) -> Any:
        return self._rounded(math.ceil)

    def _rounded(self, how: Callable[[Number], Number]) -> Any:
        if type(self.value) is int and how(self.value) == self.value and self.line:
            return self
        mine = self.of
        return self._made(how(self.value), lambda at: how(mine(at)), None, self.rises)

    def _unfollowed(self, other: object, how: Callable[[Any, Any], Any]) -> Any:
        self.trace.pin()
        if isinstance(other, Traced):
            other.trace.pin()
        return how(self.value, plain(other))

    # --- everything else: cannot be followed ------------------------------------------------------

    __array_ufunc__ = None
    """numpy leaves the arithmetic of an array and a traced number to the number."""

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(self.value)

    def _pinned(self) -> Any:
        self.trace.pin()
        return self.value

    def __index__(self) -> int:
        return operator.index(self._pinned())

    def __int__(self) -> int:
        return int(self._pinned())

    def __trunc__(self) -> int:
        return int(self._pinned())

    def __float__(self) -> float:
        return float(self._pinned())

    def __complex__(self) -> complex:
        return complex(self._pinned())

    def __hash__(self) -> int:
        """No key: what is kept under it would outlive the trace. Whoever cuts does it again with
        the plain number."""
        self.trace.pin()
        raise TypeError("a number that is watched is no key; see is_traced")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self._pinned(), dtype=dtype)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._pinned(), name)

    def __reduce__(self) -> Any:
        return type(self.value), (self._pinned(),)

    def __copy__(self) -> Traced:
        return self

    def __deepcopy__(self, memo: object) -> Traced:
        return self

    def __str__(self) -> str:
        self._written()
        return str(self.value)

    def __repr__(self) -> str:
        self._written()
        return repr(self.value)

    def __format__(self, spec: str) -> str:
        self._written()
        return format(self.value, spec)

    def _written(self) -> None:
        """The number becomes a text. Ours only tell it to people; a plug-in may count it, search
        it, send it."""
        if self.trace.foreign and not is_ours(str(sys._getframe(2).f_globals.get("__name__"))):
            self.trace.pin()


for _name in ("pow", "lshift", "rshift", "and_", "or_", "xor"):
    _plain_name = _name.rstrip("_")
    _how = getattr(operator, _name)
    setattr(Traced, f"__{_plain_name}__", lambda self, other, how=_how: self._unfollowed(other, how))
    setattr(
        Traced,
        f"__r{_plain_name}__",
        lambda self, other, how=_how: self._unfollowed(other, lambda mine, theirs, how=how: how(theirs, mine)),
    )
for _plain_name, _how in (
    ("truediv", operator.truediv),
    ("floordiv", operator.floordiv),
    ("mod", operator.mod),
    ("divmod", divmod),
):
    setattr(
        Traced,
        f"__r{_plain_name}__",
        lambda self, other, how=_how: self._unfollowed(other, lambda mine, theirs, how=how: how(theirs, mine)),
    )


def _constant(number: Any) -> Any:
    """A number of numpy, or a bool, as Python's own."""
    if type(number) is int or type(number) is float:
        return number
    if isinstance(number, np.generic):
        return number.item()
    return int(number) if isinstance(number, int) else number


def _sign(number: Any) -> int:
    return 1 if number >= 0 else -1


def _moved(line: Line | None, by: int) -> Line | None:
    return line and (line[0], line[1] + line[2] * by, line[2], line[3], line[4])


def _times(line: Line | None, by: int) -> Line | None:
    if line is None:
        return None
    p, b, q, least, most = line
    return (p * by, b * by, q, *sorted((least * by, most * by)))  # type: ignore[return-value]


def _sum(one: Line | None, other: Line | None) -> Line | None:
    if one is None or other is None:
        return None
    p, b, q, least, most = one
    p2, b2, q2, least2, most2 = other
    return _reduced((p * q2 + p2 * q, b * q2 + b2 * q, q * q2, least * q2 + least2 * q, most * q2 + most2 * q))


def _reduced(line: Line) -> Line:
    by = math.gcd(*line)
    return line if by < 2 else tuple(each // by for each in line)  # type: ignore[return-value]


def _slope(line: Line | None) -> int:
    """Whether a number that is exactly on a line rises or falls; 0 for any other."""
    return _sign(line[0]) if line is not None and line[3] == line[4] else 0


def _along(
    at: int,
    end: int,
    way: int,
    p: int,
    b: int,
    below: bool,
    sure: Callable[[Number], bool | None],
    turned: Callable[[Number], bool],
) -> int:
    """The last value from `at` towards `end` up to which a comparison comes out alike: leaps where
    that is sure.

    It surely does while p * value + b is below 0, or from 0 on when not `below`.
    """
    scanned, value = 0, at + way
    while value * way <= end * way:
        alike = sure(value)
        if alike is False or (alike is None and turned(value)):
            return value - way
        if alike is None:
            scanned += 1
            if scanned > _SCANNED:
                return value
            value += way
            continue
        if p == 0 or (p * way < 0) is below:
            return end  # it leads ever further away from where the comparison turns
        last = (-b - 1) // p if p > 0 and below else b // -p + 1 if below else b // -p if p < 0 else -(b // p)
        value = last + way
    return end


def _scanned(at: Number, end: Number, turned: Callable[[Number], bool]) -> Number:
    """The last value towards `end`, of whole numbers one after the other, at which nothing has
    turned."""
    if not isinstance(at, int) or at == end:
        return at
    way = 1 if end > at else -1
    for value in range(at + way, at + way * (_SCANNED + 1), way):
        if value * way > end * way:
            return end
        if turned(value):
            return value - way
    return at + way * _SCANNED


def _last_before(at: Number, end: Number, turned: Callable[[Number], bool]) -> Number:
    """The last value from `at` towards `end` before something turns, which it does once or not at
    all."""
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
    """The place of a float among all floats in order."""
    bits: int = struct.unpack("<q", struct.pack("<d", number))[0]
    return bits if bits >= 0 else -(bits & 0x7FFFFFFFFFFFFFFF)


def _float_at(place: int) -> float:
    number: float = struct.unpack("<d", struct.pack("<q", abs(place)))[0]
    return number if place >= 0 else -number
