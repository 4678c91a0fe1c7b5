"""The windows of heading-window as chunks: counted with what goes around them, and described."""

from __future__ import annotations

import math
from bisect import bisect_right

from chunking.core.chunk import PASSED_OVER, Skip
from chunking.core.sealed import Sealed
from chunking.document import Span
from chunking.splitting.breadcrumbs import clip
from chunking.strategies.heading_window.frames import Frame, WindowFrames
from chunking.strategies.heading_window.known_windows import KnownSealed, Reason, Window


class Sealing:
    """The chunks of one cut, each as an earlier cut sealed it where that is known."""

    def __init__(self, frames: WindowFrames) -> None:
        self._frames = frames
        self._known = frames.memory.sealed
        self._remembers = not frames.tools.tracing

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
            return known.sealed, window.reason
        return self._anew(window)

    def _anew(self, window: Window) -> tuple[Sealed, Reason]:
        frames = self._frames
        start, end, reason, flags, tokens = window
        frame = frames.frame(start, end)
        target = frames.tree.headings[frame.under] if frame.under >= 0 else None
        sealed = frames.tools.sealed(
            frames.document,
            start,
            end,
            breadcrumb=frames.tree.breadcrumb(frame.under),
            context=frame.context,
            closing=frame.closing,
            flags=(*flags, *frame.flags),
            body_tokens=tokens,
            metadata={
                "chunk_index": 0,
                "document_title": self._document_title(end, frame),
                "target_heading": clip(target.title, 60) if target else None,
                "anchor": target.anchor if target else None,
                "level": target.level if target else 0,
            },
        )
        if self._remembers and not flags:
            least, below = (frame.least, math.inf) if frame.least < math.inf else (frames.limit, frames.limit + 1)
            self._known.keep(start, KnownSealed(sealed, least, below, frames.count_context))
        return sealed, reason

    def _document_title(self, end: int, frame: Frame) -> str | None:
        """The first H1 of the chunk's text, else of the document, at most 40 characters (DECISIONS
        hw-8)."""
        tree = self._frames.tree
        if not tree.firsts:
            return None
        first = tree.tops[frame.under] if frame.under >= 0 else -1
        if first < 0:
            later = bisect_right(tree.firsts, frame.under)
            in_body = later < len(tree.firsts) and tree.starts[tree.firsts[later]] < end
            first = tree.firsts[later] if in_body else tree.firsts[0]
        return clip(tree.headings[first].title, 40)
