"""The chunks of heading-window one by one, or all at once as columns: those from heading to heading
are sums of what is known of the headings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter

import numpy as np

from chunking.core.chunk import Boundary, Skip
from chunking.core.chunk_table import Numbers
from chunking.core.cut_parts import ListedColumns, SealedColumns, StepsInColumns
from chunking.core.sealed import Sealed
from chunking.strategies.heading_window.frames import WindowFrames
from chunking.strategies.heading_window.known_windows import Opening, Reason, Window
from chunking.strategies.heading_window.sealing import Sealing
from chunking.strategies.heading_window.walk import Walk

_NO_HEADING = -1
_WIDTH = 9
_SET = np.array([0, 1, 2, 3, 6, 7, 8])
"""Those of the numbers of a sealed chunk that one without overlap has."""
_BREADCRUMB = attrgetter("breadcrumb")


class WindowSteps(StepsInColumns[Reason]):
    """Windows as chunks."""

    def __init__(self, frames: WindowFrames, walk: Walk, parts: Iterable[Skip | Window | list[int]]) -> None:
        """`parts` are skips, windows, and rows of headings from each of which a window reaches to
        the next."""
        self._frames = frames
        self._walk = walk
        self._parts = parts
        self._sealing = Sealing(frames)

    def __iter__(self) -> Iterator[Skip | tuple[Sealed, Reason]]:
        for part in self._parts:
            if isinstance(part, Skip):
                yield part
            elif isinstance(part, Window):
                yield self._sealing.step(part)
            else:
                yield from map(self._sealing.step, map(self._walk.window, part))

    def all_at_once(self) -> tuple[SealedColumns, Sequence[Reason], list[tuple[int, Skip]]]:
        """As StepsInColumns.all_at_once."""
        own, skips, numbers = dict[int, tuple[Sealed, Reason]](), list[tuple[int, Skip]](), list[int]()
        for part in self._parts:
            if isinstance(part, list):
                numbers += part
            elif isinstance(step := part if isinstance(part, Skip) else self._sealing.step(part), Skip):
                skips.append((len(numbers), step))
            else:
                own[len(numbers)] = step
                numbers.append(_NO_HEADING)
        headings = np.array(numbers, np.int64)
        rows = np.flatnonzero(headings != _NO_HEADING)
        for row in rows[~self._sealing.alike(headings[rows])].tolist():
            step = self._sealing.step(self._walk.window(numbers[row]))
            if not isinstance(step, Skip):
                own[row], headings[row] = step, _NO_HEADING
        numbers, opening = headings.tolist(), self._sealing.opening
        made = [own[row][0] if number == _NO_HEADING else opening(number) for row, number in enumerate(numbers)]
        between = iter(self._walk.reasons([number for number in numbers if number != _NO_HEADING]))
        reasons = [own[row][1] if number == _NO_HEADING else next(between) for row, number in enumerate(numbers)]
        return _WindowColumns(made, self._numbers(made, headings)), reasons, skips

    def _numbers(self, made: Sequence[Opening | Sealed], headings: Numbers) -> Numbers:
        """The numbers of `SealedColumns`, a row for each."""
        numbers = np.full((_WIDTH, len(made)), -1, np.int64)
        rows = np.flatnonzero(headings != _NO_HEADING)
        if len(rows):
            of, around, between = headings[rows], self._frames.around, self._walk.between
            starts, tokens = self._frames.sums.starts, between.tokens[of]
            begins, ends = starts[of], starts[[between.ends[number] for number in of.tolist()]]
            characters = around.characters[of] + ends - begins
            numbers[_SET[:, None], rows] = begins, ends, begins, ends, around.tokens[of] + tokens, tokens, characters
        sealed = [each for each in made if isinstance(each, Sealed)]
        numbers[:, headings == _NO_HEADING] = ListedColumns(sealed).numbers
        return numbers


class _WindowColumns(SealedColumns):
    """Chunks of which most begin with a heading and end at another."""

    def __init__(self, made: Sequence[Opening | Sealed], numbers: Numbers) -> None:
        """What was sealed, or what goes around one between headings."""
        self._made = made
        self._numbers = numbers

    def __len__(self) -> int:
        return len(self._made)

    def item(self, at: int) -> Sealed:
        made = self._made[at]
        if isinstance(made, Sealed):
            return made
        around = made.breadcrumb, made.context, "", None, (), made.metadata
        return Sealed._make((*self._numbers[:, at].tolist(), *around))

    @property
    def numbers(self) -> tuple[Numbers, ...]:
        """As SealedColumns.numbers."""
        return tuple(self._numbers)

    @property
    def breadcrumbs(self) -> tuple[tuple[str, ...], ...]:
        """As SealedColumns.breadcrumbs."""
        return tuple(map(_BREADCRUMB, self._made))

    @property
    def flags(self) -> Iterable[tuple[Boundary, ...]]:
        """As SealedColumns.flags."""
        return (each.flags if isinstance(each, Sealed) else () for each in self._made)
