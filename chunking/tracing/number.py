"""A number that replaces a setting while it is traced, and behaves like an int or a float.

What is computed from it is a TracedNumber too; each comparison narrows its Trace. What cannot be
followed (a slice, `range`, a dict key, a call into C) narrows the Trace to the setting's value.
"""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from numbers import Real
from typing import Any

import numpy as np

from chunking.tracing.linear import LinearForm, add, reduced, shifted, sign, slope, times
from chunking.tracing.trace import Trace, is_ours
from chunking.tracing.turning import Number, last_alike_linear, last_alike_monotone, last_alike_tried


class TracedNumber:
    """A number that depends on a setting; `isinstance` takes it for an int or a float."""

    __slots__ = ("direction", "linear", "trace", "value", "value_at")

    def __init__(
        self,
        trace: Trace,
        value: Number,
        value_at: Callable[[Number], Number],
        linear: LinearForm | None,
        direction: int,
    ) -> None:
        """`value_at` computes the number for any value of the setting; `linear` is its linear form
        if it is a whole number that has one, else None. `direction` is 1 if the number never falls
        as the setting rises, -1 if it never rises, 0 if neither is known.
        """
        self.trace = trace
        self.value = value
        self.value_at = value_at
        self.linear = linear
        self.direction = direction

    # --- comparing --------------------------------------------------------------------------------

    def __lt__(self, other: object) -> Any:
        return self._compare(other, operator.lt)

    def __le__(self, other: object) -> Any:
        return self._compare(other, operator.le)

    def __gt__(self, other: object) -> Any:
        return self._compare(other, operator.gt)

    def __ge__(self, other: object) -> Any:
        return self._compare(other, operator.ge)

    def __eq__(self, other: object) -> Any:
        return self._compare(other, operator.eq)

    def __ne__(self, other: object) -> Any:
        return self._compare(other, operator.ne)

    def __bool__(self) -> bool:
        return bool(self != 0)

    def _compare(self, other: object, how: Callable[[Any, Any], Any]) -> Any:
        if type(other) is int:
            outcome = how(self.value, other)
            self.trace.work += 1
            if self.trace.low != self.trace.high and not self.trace.paused:
                self._narrow(other, how, outcome)
            return outcome
        if isinstance(other, TracedNumber):
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
        """Narrow the trace to the values at which a comparison has this outcome. Every comparison
        is expressed by `<` or `<=`."""
        if bound != bound:  # NaN compares alike with everything
            return
        if how is operator.lt or how is operator.ge:
            self._keep_side(bound, outcome is (how is operator.lt), strict=True)
        elif how is operator.le or how is operator.gt:
            self._keep_side(bound, outcome is (how is operator.le), strict=False)
        elif outcome is (how is operator.eq):
            self._keep_side(bound, True, strict=False)
            self._keep_side(bound, False, strict=True)
        elif self.value < bound:
            self._keep_side(bound, True, strict=True)
        else:
            self._keep_side(bound, False, strict=False)

    def _keep_side(self, bound: Any, below: bool, *, strict: bool) -> None:
        """Narrow the trace to the values at which the number is below the bound (`strict`) or at
        most the bound, or, if not `below`, is not."""
        if self.linear is not None and isinstance(bound, int):
            self._keep_side_linear(self.linear, bound, below, strict=strict)
            return
        test = operator.lt if strict else operator.le

        def turned(setting: Number) -> bool:
            try:
                return bool(test(self.value_at(setting), bound)) is not below
            except (ArithmeticError, ValueError):
                return True

        trace = self.trace
        if self.direction:
            trace.high = last_alike_monotone(trace.value, trace.high, turned)
            trace.low = last_alike_monotone(trace.value, trace.low, turned)
        else:
            trace.high = last_alike_tried(trace.value, trace.high, turned)
            trace.low = last_alike_tried(trace.value, trace.low, turned)

    def _keep_side_linear(self, linear: LinearForm, bound: int, below: bool, *, strict: bool) -> None:
        """`_keep_side` for a number with a linear form, by a formula instead of a search."""
        p, b, q, least, most = linear
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
            return bool(test(self.value_at(setting), bound)) is not below

        def sure(setting: Number) -> bool | None:
            """Whether the comparison certainly comes out the same, or certainly not; None if it
            must be computed."""
            d = p * int(setting) + b
            return below if d + most < 0 else not below if d + least >= 0 else None

        for way in (1, -1):
            end = int(trace.high if way > 0 else trace.low)
            edge = last_alike_linear(int(trace.value), end, way, p, b + (most if below else least), below, sure, turned)
            trace.high, trace.low = (edge, trace.low) if way > 0 else (trace.high, edge)

    # --- computing --------------------------------------------------------------------------------

    def _derived(
        self, value: Number, value_at: Callable[[Number], Number], linear: LinearForm | None, direction: int
    ) -> Any:
        """A traced number computed from this one. A number that is not an int has no linear
        form."""
        if linear is not None and type(value) is not int:
            linear = None
        return TracedNumber(self.trace, value, value_at, linear, direction)

    def __add__(self, other: object) -> Any:
        mine = self.value_at
        if isinstance(other, TracedNumber) and other.trace is self.trace:
            theirs = other.value_at
            linear = add(self.linear, other.linear)
            direction = slope(linear) or (self.direction if self.direction == other.direction else 0)
            return self._derived(self.value + other.value, lambda at: mine(at) + theirs(at), linear, direction)
        if not isinstance(other, Real):
            return self._compute_pinned(other, operator.add)
        c = _constant(other)
        linear = shifted(self.linear, c) if isinstance(c, int) else None
        return self._derived(self.value + c, lambda at: mine(at) + c, linear, self.direction)

    __radd__ = __add__

    def __neg__(self) -> Any:
        mine, linear = self.value_at, times(self.linear, -1)
        return self._derived(-self.value, lambda at: -mine(at), linear, -self.direction)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return -self if self < 0 else self

    def __sub__(self, other: object) -> Any:
        if not isinstance(other, Real):
            return self._compute_pinned(other, operator.sub)
        return self + (-other)

    def __rsub__(self, other: object) -> Any:
        if not isinstance(other, Real):
            return self._compute_pinned(other, lambda mine, theirs: theirs - mine)
        return -self + other

    def __mul__(self, other: object) -> Any:
        mine = self.value_at
        if isinstance(other, TracedNumber) and other.trace is self.trace:
            theirs = other.value_at
            return self._derived(self.value * other.value, lambda at: mine(at) * theirs(at), None, 0)
        if not isinstance(other, Real):
            return self._compute_pinned(other, operator.mul)
        c = _constant(other)
        linear = times(self.linear, c) if isinstance(c, int) else None
        return self._derived(self.value * c, lambda at: mine(at) * c, linear, self.direction * sign(c))

    __rmul__ = __mul__

    def __truediv__(self, other: object) -> Any:
        if not isinstance(other, Real) or isinstance(other, TracedNumber):
            return self._compute_pinned(other, operator.truediv)
        mine, c = self.value_at, _constant(other)
        return self._derived(self.value / c, lambda at: mine(at) / c, None, self.direction * sign(c))

    def __floordiv__(self, other: object) -> Any:
        if not isinstance(other, Real) or isinstance(other, TracedNumber):
            return self._compute_pinned(other, operator.floordiv)
        mine, c, linear = self.value_at, _constant(other), None
        if isinstance(c, int) and c and self.linear:
            p, b, q, least, most = times(self.linear, sign(c)) or self.linear
            linear = reduced((p, b, q * abs(c), least - q * (abs(c) - 1), most))
        return self._derived(self.value // c, lambda at: mine(at) // c, linear, self.direction * sign(c))

    def __mod__(self, other: object) -> Any:
        if not isinstance(other, Real) or isinstance(other, TracedNumber):
            return self._compute_pinned(other, operator.mod)
        c = _constant(other)
        if isinstance(c, int) and isinstance(self.value, int):
            return self - (self // c) * c
        mine = self.value_at
        return self._derived(self.value % c, lambda at: mine(at) % c, None, 0)

    def __divmod__(self, other: object) -> Any:
        return self // other, self % other

    def __round__(self, digits: int | None = None) -> Any:
        return self._round(lambda number: round(number, digits) if digits is not None else round(number))

    def __floor__(self) -> Any:
        return self._round(math.floor)

    def __ceil__(self) -> Any:
        return self._round(math.ceil)

    def _round(self, how: Callable[[Number], Number]) -> Any:
        if type(self.value) is int and how(self.value) == self.value and self.linear:
            return self
        mine = self.value_at
        return self._derived(how(self.value), lambda at: how(mine(at)), None, self.direction)

    def _compute_pinned(self, other: object, how: Callable[[Any, Any], Any]) -> Any:
        self.trace.pin()
        if isinstance(other, TracedNumber):
            other.trace.pin()
        return how(self.value, plain(other))

    # --- everything else: cannot be followed ------------------------------------------------------

    __array_ufunc__ = None
    """numpy leaves the arithmetic of an array and a traced number to the number."""

    @property  # type: ignore[misc]
    def __class__(self) -> type:
        return type(self.value)

    def _pin(self) -> Any:
        self.trace.pin()
        return self.value

    def __index__(self) -> int:
        return operator.index(self._pin())

    def __int__(self) -> int:
        return int(self._pin())

    def __trunc__(self) -> int:
        return int(self._pin())

    def __float__(self) -> float:
        return float(self._pin())

    def __complex__(self) -> complex:
        return complex(self._pin())

    def __hash__(self) -> int:
        """Raises TypeError: a value stored under this key would outlive the trace. The caller then
        cuts again with the plain number."""
        self.trace.pin()
        raise TypeError("a traced number must not be a key; see is_traced")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self._pin(), dtype=dtype)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._pin(), name)

    def __reduce__(self) -> Any:
        return type(self.value), (self._pin(),)

    def __copy__(self) -> TracedNumber:
        return self

    def __deepcopy__(self, memo: object) -> TracedNumber:
        return self

    def __str__(self) -> str:
        self._pin_if_foreign()
        return str(self.value)

    def __repr__(self) -> str:
        self._pin_if_foreign()
        return repr(self.value)

    def __format__(self, spec: str) -> str:
        self._pin_if_foreign()
        return format(self.value, spec)

    def _pin_if_foreign(self) -> None:
        """Narrow to the one value if a plug-in writes the number into a text, which it may count or
        compare. Our own strategies write texts for people only."""
        if self.trace.foreign and not is_ours(str(sys._getframe(2).f_globals.get("__name__"))):
            self.trace.pin()


for _name in ("pow", "lshift", "rshift", "and_", "or_", "xor"):
    _plain_name = _name.rstrip("_")
    _how = getattr(operator, _name)
    setattr(TracedNumber, f"__{_plain_name}__", lambda self, other, how=_how: self._compute_pinned(other, how))
    setattr(
        TracedNumber,
        f"__r{_plain_name}__",
        lambda self, other, how=_how: self._compute_pinned(other, lambda mine, theirs, how=how: how(theirs, mine)),
    )
for _plain_name, _how in (
    ("truediv", operator.truediv),
    ("floordiv", operator.floordiv),
    ("mod", operator.mod),
    ("divmod", divmod),
):
    setattr(
        TracedNumber,
        f"__r{_plain_name}__",
        lambda self, other, how=_how: self._compute_pinned(other, lambda mine, theirs, how=how: how(theirs, mine)),
    )


def _constant(number: Any) -> Any:
    """A number of numpy, or a bool, as Python's own."""
    if type(number) is int or type(number) is float:
        return number
    if isinstance(number, np.generic):
        return number.item()
    return int(number) if isinstance(number, int) else number


def traced_number(trace: Trace) -> TracedNumber:
    """The number that stands for the setting of a trace."""
    linear = (1, 0, 1, 0, 0) if isinstance(trace.value, int) else None
    return TracedNumber(trace, trace.value, _same, linear, 1)


def _same(setting: Number) -> Number:
    return setting


def is_traced(number: object) -> bool:
    """Whether a number depends on a traced setting. It must not be a key of a cache then."""
    return type(number) is TracedNumber


def plain(number: Any) -> Any:
    """The number without its trace: for a search whose result is then compared with the number."""
    return number.value if type(number) is TracedNumber else number


def stays_between(number: Any, least: Number | None, below: Number | None) -> None:
    """Narrow the trace to values with which a number is at least `least`, and below `below`.

    For a search that was made with the plain number, and depends on no more than this.
    """
    if least is not None:
        number >= least  # noqa: B015  comparing narrows the trace
    if below is not None:
        number < below  # noqa: B015
