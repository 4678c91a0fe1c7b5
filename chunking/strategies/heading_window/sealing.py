"""The windows of heading-window as chunks: counted with what goes around them, and described."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from chunking.core.chunk import PASSED_OVER, Skip
from chunking.core.sealed import NO_OVERLAP, Metadata, Sealed
from chunking.document import Span
from chunking.splitting.breadcrumbs import clip
from chunking.strategies.heading_window.frames import WindowFrames
from chunking.strategies.heading_window.known_windows import KnownSealed, Opening, Reason, Window
from chunking.strategies.heading_window.walk import Walk

_NEVER = np.iinfo(np.int64).max
Numbers = npt.NDArray[np.int64]


class Sealing:
    """The chunks of one cut, each as an earlier cut sealed it where that is known."""

    def __init__(self, frames: WindowFrames, walk: Walk) -> None:
        self._frames = frames
        self._walk = walk
        self._known = frames.memory.sealed
        self._openings = frames.memory.openings
        self._remembers = not frames.tools.tracing
        self.cut_before: list[tuple[Window, KnownSealed]] = []
        """Windows that end at the maximum, with what an earlier cut sealed of them."""

    def step(self, window: Window) -> Skip | tuple[Sealed, Reason]:
        """The window as a part."""
        if not self._remembers:
            body = Span(window.start, window.end)
            return Skip(body, PASSED_OVER) if self._frames.tools.passes_over(body) else self._anew(window)
        known = self._known.get(window.start)
        if (
            known is not None
            and known.sealed.end == window.end
            and known.least <= self._frames.limit < known.below
            and known.count_context == self._frames.count_context
            and not window.flags
        ):
            if window.reason.rule == "maximum-reached" and not window.reason.in_line and not known.sealed.flags:
                self.cut_before.append((window, known))
            return known.sealed, window.reason
        between = self._up_to_heading(window) if window.place >= 0 else None
        return self._anew(window) if between is None else (between, window.reason)

    def _up_to_heading(self, window: Window) -> Sealed | None:
        """What `SplitContext.sealed` gives for a window from a place to a heading, in less time;
        None where what goes around it depends on more than where it begins."""
        start, end, _, flags, tokens, place = window
        context, context_tokens, least, breadcrumb, metadata = self.opening(place)
        if metadata is None or tokens is None or flags or least > self._frames.limit:
            return None
        whole = self._frames.index.count_after(context, start, end, tokens, context_tokens) if context else tokens
        characters = len(context) + end - start
        sealed = Sealed(
            start, end, start, end, *NO_OVERLAP, whole, tokens, characters, breadcrumb, context, "", None, (), metadata
        )
        self._known.keep(start, KnownSealed(sealed, least, math.inf, count_context=False))
        return sealed

    def alike(self, row: Numbers) -> npt.NDArray[np.bool_]:
        """For which of these places what goes around a window to a heading is what `Around`
        says."""
        places = self._walk.places
        around = places.around
        for place in row[~around.known[row]].tolist():
            opening, start = self.opening(place), places.offsets[place]
            context = opening.context
            adds_up = not context or self._frames.index.adds_up(context, start)
            around.tokens[place], around.characters[place] = opening.context_tokens, len(context)
            around.least[place] = opening.least if adds_up and opening.metadata is not None else _NEVER
            around.known[place] = True  # after the rest: another thread may look
        return np.less_equal(around.least[row], self._frames.limit)

    def opening(self, place: int) -> Opening:
        """What is sealed of every window from this place to a heading."""
        start = self._walk.places.offsets[place]
        known = self._openings.get(start)
        if known is not None:
            return known
        tree, under = self._frames.tree, int(self._walk.places.following[place]) - 1
        begins_with_it = place < self._walk.places.headings
        context, tokens = self._frames.full_headings(tree.parent(under) if begins_with_it else under)
        settled = (tree.tops[under] >= 0 or not tree.firsts) and not self._frames.reopens(start)
        metadata = self._metadata(under, start) if settled else None
        opening = Opening(context, tokens, 2 * tokens, tree.breadcrumb(under), metadata)
        return self._openings.keep(start, opening)

    def openings(self, places: Numbers) -> Iterator[Opening]:
        """`opening` of each of the places."""
        known, offsets = self._openings.get, self._walk.places.starts[places].tolist()
        return (known(start) or self.opening(place) for start, place in zip(offsets, places.tolist(), strict=True))

    def _anew(self, window: Window) -> tuple[Sealed, Reason]:
        frames = self._frames
        start, end, reason, flags, tokens, _ = window
        frame = frames.frame(start, end)
        sealed = frames.tools.sealed(
            frames.document,
            start,
            end,
            breadcrumb=frames.tree.breadcrumb(frame.under),
            context=frame.context,
            closing=frame.closing,
            flags=(*flags, *frame.flags),
            body_tokens=tokens,
            metadata=self._metadata(frame.under, end),
        )
        if self._remembers and not flags:
            least, below = (frame.least, math.inf) if frame.least < math.inf else (frames.limit, frames.limit + 1)
            self._known.keep(start, KnownSealed(sealed, least, below, frames.count_context))
        return sealed, reason

    def _metadata(self, under: int, end: int) -> Metadata:
        target = self._frames.tree.headings[under] if under >= 0 else None
        return {
            "chunk_index": 0,
            "document_title": self._document_title(under, end),
            "target_heading": clip(target.title, 60) if target else None,
            "anchor": target.anchor if target else None,
            "level": target.level if target else 0,
        }

    def _document_title(self, under: int, end: int) -> str | None:
        """The first H1 of the chunk's text, else of the document, at most 40 characters (DECISIONS
        hw-8)."""
        tree = self._frames.tree
        if not tree.firsts:
            return None
        first = tree.tops[under] if under >= 0 else -1
        if first < 0:
            later = bisect_right(tree.firsts, under)
            in_body = later < len(tree.firsts) and tree.starts[tree.firsts[later]] < end
            first = tree.firsts[later] if in_body else tree.firsts[0]
        return clip(tree.headings[first].title, 40)
