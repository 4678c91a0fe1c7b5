"""Where heading-window seals: its decisions, in the order of the spec.

Source: heading-window.md; DECISIONS hw-1 to hw-12. A walk over headings, not over lines: where the
lines stop fitting, and which heading first has enough before it, are questions to the index of
counts.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import repeat
from typing import TYPE_CHECKING

import numpy as np

from chunking.core.chunk import Boundary
from chunking.core.sealed import Sealed
from chunking.strategies.heading_window.frames import HeadingPlace, WindowFrames
from chunking.strategies.heading_window.heading_sums import Numbers, WindowsBetween
from chunking.strategies.heading_window.known_windows import (
    HEADING_RULES,
    THE_END,
    KnownSealed,
    KnownWindow,
    Minimums,
    Reason,
    Window,
)
from chunking.strategies.heading_window.places import Places
from chunking.text.display import be, counted

if TYPE_CHECKING:
    from chunking.strategies.heading_window.strategy import HeadingWindow


_reason = partial(tuple.__new__, Reason)
"""`Reason._make`, in a third of the time."""
_NO_LINE = repeat(0), repeat(0), repeat(False)
"""Line, statement and whether it is cut inside a line, of what ends at a heading."""


class Walk:
    """One document walked with one strategy's settings."""

    def __init__(self, settings: HeadingWindow, frames: WindowFrames) -> None:
        self._set = settings
        self._frames = frames
        self._tools = frames.tools
        self._index = frames.index
        self._tree = frames.tree
        self._end = len(frames.document.text)
        self._known = frames.memory.windows
        # A traced setting must not be part of what is remembered; lookahead and the tokens of the
        # context decide by more than the minimums.
        self._remembers = not (self._tools.tracing or settings.lookahead or settings.count_context)
        self._minimums = Minimums()
        """With which the window that is being found is found again."""
        self._found_before = False
        """Whether another window was found from there: only then it pays to know how far smaller
        minimums give the same one."""

    @property
    def _find(self) -> Callable[[int], Window]:
        return self._remembered if self._remembers else self._traced if self._tools.tracing else self._whole

    def end_from(self, start: int) -> int:
        """Where a window that begins at `start` ends."""
        return self._find(start).end

    def windows(self, start: int) -> Iterator[Window | list[int]]:
        """The windows in order, from `start` to the end of the document; those of which sums and
        earlier cuts say where they end, as rows of the places at which they begin."""
        find, at, offsets = self._find, dict[int, int](), list[int]()
        ends = list[int]()
        if self.remembers_cuts:
            at, offsets, ends = self.places.at, self.places.offsets, self.between.ends.tolist()
        place = -1
        while start < self._end:
            row = list[int]()
            while place >= 0 and (end := ends[place]) >= 0:
                row.append(place)
                place = end
            if row:
                yield row
                start = offsets[place]
            window = find(start)
            yield window
            start = window.end
            place = at.get(start, -1)

    @property
    def remembers_cuts(self) -> bool:
        """Whether windows are found from places."""
        return self._remembers and self._frames.sums.known

    @cached_property
    def places(self) -> Places:
        """From where windows are found by sums, and how they were cut before."""
        known, rules = self._frames.memory.windows_from, (self._set.h1_rule, self._set.code_fences)
        if known is None or known.rules != rules:
            return Places.of_headings(self._frames, rules, known.around if known else None)
        return known

    def remember(self, found: Sequence[tuple[Window, KnownSealed]]) -> None:
        """Find these windows, which ended at the maximum, at once in later cuts."""
        windows, (h1_rule, fences) = self._known, self.places.rules
        known = [(windows.get((window.start, h1_rule, fences)), window, sealed) for window, sealed in found]
        kept = [(each, sealed) for each, window, sealed in known if each and each.window is window]
        self._frames.memory.windows_from = self.places.with_cuts(self._frames, kept)

    def cut_before(self, place: int) -> tuple[Sealed, Reason]:
        """What an earlier cut has of the window from a place, which it cut at the maximum."""
        window, sealed = self.places.cuts.known[place]
        return sealed, window.reason

    @cached_property
    def between(self) -> WindowsBetween:
        """What the sums of tokens say of the windows from places, and what earlier cuts do."""
        return self._frames.sums.windows(self._set, self.places)

    def window(self, place: int) -> Window:
        """One of a row."""
        if self.between.cut[place]:
            return self.places.cuts.known[place][0]
        offsets, end, tokens = self.places.offsets, self.between.ends[place], int(self.between.tokens[place])
        (reason,) = self.reasons(np.array([place]))
        return Window(offsets[place], offsets[end], reason, (), tokens, place)

    def reasons(self, row: Numbers) -> list[Reason]:
        """Why the windows from these places end, each at a heading."""
        if not len(row):
            return []
        ends, _, rules, tokens = self.between
        names = [HEADING_RULES[rule] for rule in rules[row].tolist()]
        values = zip(names, tokens[row].tolist(), repeat(0), ends[row].tolist(), *_NO_LINE)
        return list(map(_reason, values))

    def _traced(self, start: int) -> Window:
        return self._tools.remembered(("window", start), partial(self._whole, start))

    def _whole(self, start: int) -> Window:
        """The window from `start`, whatever stands before it."""
        window = self._next(start, self._set.max_tokens)
        return self._within_whole(window) if self._set.count_context else window

    def _remembered(self, start: int) -> Window:
        """`_whole`, or the window that was found before, where that is the same."""
        settings = self._set
        key = start, settings.h1_rule, settings.code_fences
        known = self._known.get(key)
        if (
            known is not None
            and known.minimums.hold(settings.min_tokens, settings.min_tokens_deeper)
            and (known.least <= settings.max_tokens < known.below or self._reaches(known))
        ):
            return known.window
        self._minimums, self._found_before = Minimums(), known is not None
        window = self._next(start, settings.max_tokens)
        self._known.keep(key, KnownWindow(window, self._minimums, settings.max_tokens, self._below(window.reason)))
        return window

    def _below(self, reason: Reason) -> float:
        """The maximum from which on the window would be another one."""
        if reason.in_line:
            return self._set.max_tokens + 1
        return reason.held + reason.more if reason.rule == "maximum-reached" else math.inf

    def _reaches(self, known: KnownWindow) -> bool:
        """Whether a window that ends at a heading goes as far with a smaller maximum than it was
        found with."""
        start, end, reason, *_ = known.window
        if reason.rule not in HEADING_RULES:
            return False
        line = self._frames.place(start).line
        last = self._frames.last_line_within(start, self._set.max_tokens, line)
        return last >= line and self._frames.line_end(last) >= end

    def _within_whole(self, window: Window) -> Window:
        """The same window with fewer lines, until it is within maxTokens together with what stands
        around it."""
        most = budget = self._set.max_tokens
        trimmed = 0
        while not any(flag.rule == "unsplittable" for flag in window.flags):
            over = self._frames.whole_tokens(window.start, window.end) - most
            if over <= 0:
                break
            budget -= over
            trimmed += over if window.reason.in_line else 0
            window = self._next(window.start, budget, trimmed)
        if window.flags and self._frames.whole_tokens(window.start, window.end) <= most:
            # One character that is over what was left after trimming, and not over the maximum.
            return window._replace(flags=tuple(flag for flag in window.flags if flag.rule != "unsplittable"))
        return window

    def _next(self, start: int, budget: int, trimmed: int = 0) -> Window:
        """The window from `start`, at most `budget` tokens; a piece of a line has `trimmed` fewer
        than it may."""
        frames = self._frames
        place = frames.place(start)
        line = place.line
        last = frames.last_line_within(start, budget, line)
        if last < line:
            return self._in_line(start, frames.line_end(line), trimmed)
        reached = frames.line_end(last)
        sealed = self._at_heading(start, place, reached, budget)
        if sealed is not None:
            return sealed
        if reached == self._end:
            return Window(start, reached, THE_END)
        return self._at_maximum(start, last, self._set.max_tokens - budget)

    def _at_heading(self, start: int, place: HeadingPlace, reached: int, budget: int) -> Window | None:
        """The window sealed at the first heading, up to `reached`, at which a rule says so
        (DECISIONS hw-1)."""
        starts, levels = self._tree.starts, self._tree.levels
        line, number, following = place
        if following == len(starts) or starts[following] > reached:
            return None
        # hw-4: in mid-section the chunk starts at that section's level; hw-5: a preamble has level
        # 0.
        began = levels[following - 1] if following else 0
        deepest, seen_h2 = began, number is not None and began == 2
        first, enough = following, self._first_with_enough(start, line, following)
        if began > 1:
            # Rule 3 needs an H1: headings before there is enough only say how deep the chunk is.
            first = max(following, enough)
            deepest = max((began, *levels[following:first]))
        for at in range(first, bisect_right(starts, reached, following)):
            level = levels[at]
            # Rule 3 of the spec comes before the minimums: whatever the size.
            if self._set.h1_rule and began == 1 and level == 2 and seen_h2:
                return self._sealed_by_h1(start, at)
            if at >= enough:
                sealed = self._sealed_by_minimum(start, at, budget, deeper=level > deepest)
                if sealed is not None:
                    return sealed
            # hw-5: with a preamble in front, the chunk counts as begun at the H1 that arrives in
            # it.
            began = 1 if began == 0 and level == 1 else began
            deepest, seen_h2 = max(deepest, level), seen_h2 or level == 2
        return None

    def _first_with_enough(self, start: int, line: int, following: int) -> int:
        """A heading before which no other has enough for either minimum; the very next one when a
        setting is traced."""
        if self._tools.tracing:
            return following
        least = min(self._set.min_tokens, self._set.min_tokens_deeper)
        # Asked of lines: the index remembers sums for one array of stops.
        last = self._index.last_within(start, self._frames.line_ends, least - 1, line)
        if last < line:
            return following
        first = bisect_right(self._tree.starts, self._frames.line_end(last))
        if first > following and self._remembers:
            most = self._most_before(start, line, first - 1, least - 1) if self._found_before else least - 1
            self._minimums = Minimums(passed=most, passed_deeper=most)
        return first

    def _most_before(self, start: int, line: int, number: int, limit: int) -> int:
        """The tokens before a heading, where no heading before it has more; else `limit`, which
        none of them exceeds."""
        tokens = self._index.count(start, self._tree.starts[number])
        last = self._index.last_within(start, self._frames.line_ends, tokens, line)
        return tokens if last >= line and self._frames.line_end(last) >= self._tree.starts[number] else limit

    def _sealed_by_h1(self, start: int, number: int) -> Window:
        offset = self._tree.starts[number]
        tokens = self._index.count(start, offset)
        return Window(start, offset, Reason("second-h2", tokens, heading=number), tokens=tokens)

    def _sealed_by_minimum(self, start: int, number: int, budget: int, *, deeper: bool) -> Window | None:
        offset = self._tree.starts[number]
        tokens = self._index.count(start, offset)
        needed = self._set.min_tokens_deeper if deeper else self._set.min_tokens
        if tokens < needed:
            self._minimums = self._minimums.passing(tokens, deeper=deeper) if self._remembers else self._minimums
            return None
        if self._set.lookahead and self._rest_is_small(start, number, budget):
            return None
        if self._remembers:
            self._minimums = self._minimums.sealing(tokens, deeper=deeper)
        rule = "deeper-minimum-reached" if deeper else "minimum-reached"
        return Window(start, offset, Reason(rule, tokens, heading=number), tokens=tokens)

    def _rest_is_small(self, start: int, number: int, budget: int) -> bool:
        """Whether the section that begins here would be a chunk below minTokens, and fits in this
        one (hw-9)."""
        section_end = self._tree.section_ends[number]
        rest = self._index.count(self._tree.starts[number], section_end)
        total = self._index.count(start, section_end)
        return rest < self._set.min_tokens and total <= budget

    def _at_maximum(self, start: int, last: int, around: int) -> Window:
        """The window sealed before the line that would exceed maxTokens (hw-3): after its `last`
        line, or in a fence of known syntax before the statement that goes on there.

        `around` is counted with the body.
        """
        frames = self._frames
        sealed = frames.last_line_of_statement(start, last)
        offset = frames.line_end(sealed)
        inside = self._index.count(start, offset)
        tokens = inside + around
        more = self._index.count(start, frames.line_end(last + 1)) + around - tokens
        line_of = frames.document.line_of
        statement = line_of(offset) if sealed < last else 0
        reason = Reason("maximum-reached", tokens, more, line=line_of(frames.line_end(last)), statement=statement)
        return Window(start, offset, reason, tokens=inside)

    def _in_line(self, start: int, line_end: int, trimmed: int) -> Window:
        """The next piece of a line that is over maxTokens alone: no exceptions (hw-3, all-6)."""
        piece = self._frames.piece(start, line_end, trimmed)
        end = piece.span.end
        tokens = self._index.count(start, end)
        rest = self._index.count_quickly(end, line_end)
        unsplittable = tuple(
            replace(flag, settings=("max_tokens",)) for flag in piece.flags if flag.rule == "unsplittable"
        )
        rule = THE_END.rule if end == self._end else "maximum-reached"
        reason = Reason(rule, tokens, rest, line=self._frames.document.line_of(start), in_line=True)
        return Window(start, end, reason, unsplittable, tokens)

    def short_tail(self, window: Window) -> Boundary | None:
        """The flag for the last window, where it is below minTokens."""
        tokens = self._index.count(window.start, window.end)
        least = self._set.min_tokens
        if tokens >= least:
            return None
        detail = f"only {counted(tokens, 'token')} {be(tokens)} left at the end, fewer than minTokens ({least})"
        return Boundary("undersized", detail, held=tokens, limit=least, settings=("min_tokens",))

    def merged(self, before: Window, tail: Window) -> Window | None:
        """Both as one window, when they touch and maxTokens allows (hw-6)."""
        if before.end != tail.start:
            return None
        start, end = before.start, tail.end
        tokens = self._frames.whole_tokens(start, end) if self._set.count_context else self._index.count(start, end)
        return Window(start, end, tail.reason, before.flags) if tokens <= self._set.max_tokens else None
