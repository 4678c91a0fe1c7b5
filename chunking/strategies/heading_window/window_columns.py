"""The chunks of heading-window one by one, or all at once as columns: those up to a heading are
sums of what is known of places, those cut at the maximum are mostly as they were."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat
from operator import attrgetter

import numpy as np
import numpy.typing as npt

from chunking.core.chunk import Boundary, Skip
from chunking.core.chunk_table import Numbers
from chunking.core.cut_parts import WIDTH, ListedColumns, SealedColumns, StepsInColumns
from chunking.core.sealed import Sealed
from chunking.strategies.heading_window.frames import WindowFrames
from chunking.strategies.heading_window.known_windows import Opening, Reason, Window
from chunking.strategies.heading_window.sealing import Sealing
from chunking.strategies.heading_window.walk import Walk

_NO_PLACE = -1
_SET = np.array([0, 1, 2, 3, 6, 7, 8])
"""Those of the numbers of a sealed chunk that one without overlap has."""
_BREADCRUMB = attrgetter("breadcrumb")
_Own = dict[int, tuple[Sealed, Reason]]
"""By their rows, the windows that are neither sums nor cut as before."""


class WindowSteps(StepsInColumns[Reason]):
    """Windows as chunks."""

    def __init__(self, frames: WindowFrames, walk: Walk, parts: Iterable[Skip | Window | list[int]]) -> None:
        """`parts` are skips, windows, and rows of places from each of which a window reaches to
        the next."""
        self._frames = frames
        self._walk = walk
        self._parts = parts
        self._sealing = Sealing(frames, walk)

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
        own, skips, numbers = _Own(), list[tuple[int, Skip]](), list[int]()
        for part in self._parts:
            if isinstance(part, list):
                numbers += part
            elif isinstance(step := part if isinstance(part, Skip) else self._sealing.step(part), Skip):
                skips.append((len(numbers), step))
            else:
                own[len(numbers)] = step
                numbers.append(_NO_PLACE)
        places = np.array(numbers, np.int64)
        known = places != _NO_PLACE
        cut = known & self._walk.between.cut[places] if known.any() else known
        rows = np.flatnonzero(known & ~cut)
        for row in rows[~self._sealing.alike(places[rows])].tolist() if len(rows) else ():
            step = self._sealing.step(self._walk.window(numbers[row]))
            if not isinstance(step, Skip):
                own[row], places[row] = step, _NO_PLACE
        made, reasons = self._made(own, places, cut)
        columns = _WindowColumns(made, self._numbers(own, places, cut), own)
        if self._walk.remembers_cuts:
            self._walk.remember(self._sealing.cut_before)
        return columns, reasons, skips

    def _made(
        self, own: _Own, places: Numbers, cut: npt.NDArray[np.bool_]
    ) -> tuple[list[Opening | Sealed], list[Reason]]:
        """What is sealed of each row, or of all windows from its place to a heading, and why it
        ends."""
        if len(own) == len(places):
            return [own[row][0] for row in range(len(own))], [own[row][1] for row in range(len(own))]
        # First as if all ended at a heading, and those without a place began at the first one.
        made = list[Opening | Sealed](self._sealing.openings(np.maximum(places, 0)))
        reasons = self._walk.reasons(places)
        for row in np.flatnonzero(cut).tolist():
            made[row], reasons[row] = self._walk.cut_before(int(places[row]))
        for row, step in own.items():
            made[row], reasons[row] = step
        return made, reasons

    def _numbers(self, own: _Own, places: Numbers, cut: npt.NDArray[np.bool_]) -> Numbers:
        """The numbers of `SealedColumns`, a row for each."""
        numbers = np.full((WIDTH, len(places)), -1, np.int64)
        rows = np.flatnonzero((places != _NO_PLACE) & ~cut)
        if len(rows):
            of, starts, between = places[rows], self._walk.places.starts, self._walk.between
            around, tokens = self._walk.places.around, between.tokens[of]
            begins, ends = starts[of], starts[between.ends[of]]
            characters = around.characters[of] + ends - begins
            numbers[_SET[:, None], rows] = begins, ends, begins, ends, around.tokens[of] + tokens, tokens, characters
        if cut.any():
            numbers[:, cut] = self._walk.places.cuts.numbers[:, places[cut]]
        numbers[:, list(own)] = ListedColumns([sealed for sealed, _ in own.values()]).numbers
        return numbers


class _WindowColumns(SealedColumns):
    """Chunks of which most end at a heading."""

    def __init__(self, made: Sequence[Opening | Sealed], numbers: Numbers, own: _Own) -> None:
        """What was sealed, or what goes around one up to a heading; only of its `own` rows any have
        flags."""
        self._made = made
        self._numbers = numbers
        self._flags = {row: sealed.flags for row, (sealed, _) in own.items()}

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
        return map(self._flags.get, range(len(self._made)), repeat(()))
