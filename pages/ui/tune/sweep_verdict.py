"""What a sweep shows, in a sentence or two: whether the current config meets all requirements, and
which combination near it does. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

from chunking.config import Value
from chunking.text import counted, listed
from chunking.tuning import Axis, Cell, Invariant
from pages.ui.layout.setting_names import value_words
from pages.ui.tune.markup import value_texts
from pages.ui.tune.measures import broken_words, holds

_FAR = 2
"""So many times the current value is far from it."""


def nearest(
    cells: Sequence[Cell], axes: Sequence[Axis], must: Sequence[Invariant], now: Sequence[Value]
) -> Cell | None:
    """Of the combinations that meet all requirements the one the fewest steps from the current
    config, then the one with the fewest tokens; None where none does, or the current one does."""
    meeting = [cell for cell in cells if cell.documents and cell.config and holds(cell, must)]
    if not must or any(cell.values == tuple(now) for cell in meeting):
        return None

    def apart(cell: Cell) -> tuple[int, int]:
        ends = zip(axes, cell.values, now, strict=True)
        steps = sum(abs(axis.values.index(to) - axis.values.index(at)) for axis, to, at in ends)
        return steps, cell.tokens_to_embed

    return min(meeting, key=apart, default=None)


def far_words(axes: Sequence[Axis], near: Cell, now: Sequence[Value]) -> str:
    """`That is far from the current settings: Maximum is 750 now.`; "" where it is not."""
    far = [
        f"{axis.setting} is {value_words(at)} now"
        for axis, to, at in zip(axes, near.values, now, strict=True)
        if _is_far(axis, to, at)
    ]
    return f"That is far from the current settings: {listed(far)}." if far else ""


def _is_far(axis: Axis, to: Value, at: Value) -> bool:
    """Whether a number is at least `_FAR` times the other; beside 0, whether it is half of the axis
    away."""
    if isinstance(to, bool) or not isinstance(to, int | float) or not isinstance(at, int | float):
        return False
    low, high = sorted((to, at))
    if low > 0:
        return high >= _FAR * low
    numbers = [value for value in axis.values if isinstance(value, int | float)]
    return low != high and high - low >= (max(numbers) - min(numbers)) / 2


def verdict_words(cells: Sequence[Cell], axes: Sequence[Axis], must: Sequence[Invariant], now: Sequence[Value]) -> str:
    """`The current config misses a requirement: 2 tables cut. 5 of 93 combinations meet all; the
    nearest is Minimum 250, Maximum 420.`; "" where nothing is required."""
    measured = [cell for cell in cells if cell.documents]
    current = next((cell for cell in measured if cell.values == tuple(now)), None)
    if not must or current is None:
        return ""
    meeting = sum(holds(cell, must) for cell in measured)
    every = f"{meeting:,} of {counted(len(measured), 'combination')}"
    missed = broken_words(current, must)
    if not missed:
        rest, does = f"{meeting - 1:,} of the {len(measured) - 1:,} others", "does" if meeting == 2 else "do"
        return f"The current config meets all requirements, and so {does} {rest}."
    said = f"The current config misses {counted(len(missed), 'requirement')}: {', '.join(missed)}."
    near = nearest(cells, axes, must, now)
    if near is None:
        return f"{said} No combination measured here meets all of them. A wider range may."
    at = ", ".join(value_texts(axes, near.values))
    meet = "meets" if meeting == 1 else "meet"
    return f"{said} {every} {meet} all; the nearest is {at}."
