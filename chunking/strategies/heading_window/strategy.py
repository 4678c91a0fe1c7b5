"""Seals a chunk at a heading once it holds enough, and at any line once it would hold too much.

Source: heading-window.md; DECISIONS hw-1 to hw-12. A walk over headings, not over lines: where the
lines stop fitting, and which heading first has enough before it, are questions to the index of
counts.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import ClassVar, Literal

from chunking.core.chunk import BLANK, END, PASSED_OVER, Boundary, Chunk, Part, Skip, front_matter
from chunking.core.context import SplitContext
from chunking.core.strategy import Family, Limits, Ordered, Strategy, setting
from chunking.document import Block, Document, Span
from chunking.splitting.blank_edges import is_blank
from chunking.splitting.breadcrumbs import clip
from chunking.splitting.source_code.structure import CODE_FENCES_HELP, CodeFences
from chunking.strategies.heading_window.frames import Frame, HeadingPlace, WindowFrames
from chunking.strategies.heading_window.known_windows import Draft, KnownWindow, Minimums
from chunking.text.display import be, counted

MINIMUM_RULES = ("minimum-reached", "deeper-minimum-reached")
HEADING_RULES = ("second-h2", *MINIMUM_RULES)


class HeadingWindow(Strategy):
    """Walks the document once, sealing at headings and limits; each chunk repeats the headings
    above it."""

    name: ClassVar[str] = "heading-window"
    title: ClassVar[str] = "Heading window"
    summary: ClassVar[str] = (
        "Cuts at headings once a chunk is big enough, and repeats the headings above: for documentation with sections."
    )
    family: ClassVar[Family] = "headings"
    spec_counter: ClassVar[str] = "words-1.3"
    rules: ClassVar[dict[str, str]] = {
        "second-h2": "a chunk that began at an H1 ends at its second H2, whatever its size",
        "minimum-reached": "a heading no deeper than the deepest so far, and the chunk has at least minTokens",
        "deeper-minimum-reached": "a heading deeper than any so far, and the chunk has at least minTokensDeeper",
        "maximum-reached": "the next line would make the chunk exceed maxTokens",
        "short-tail": "the last chunk has fewer than minTokens, and shortTail is skip",
    }
    ordered: ClassVar[tuple[Ordered, ...]] = (Ordered("min_tokens", "max_tokens"),)

    min_tokens: int = setting(
        250,
        title="Minimum",
        unit="tokens",
        help="Higher keeps neighbouring sections together: from this size on, a heading of the same or a higher level "
        "ends the chunk.",
        ge=0,
        le=1_000_000,
        slider=(0, 1000),
    )
    min_tokens_deeper: int = setting(
        500,
        title="Minimum before a subsection",
        unit="tokens",
        help="Higher keeps a section together with its first subsections: from this size on, a deeper heading ends the "
        "chunk.",
        ge=0,
        le=1_000_000,
        slider=(0, 2000),
    )
    max_tokens: int = setting(
        750,
        title="Maximum",
        unit="tokens",
        help="Higher allows larger chunks. A line that would exceed it starts the next chunk.",
        ge=1,
        le=1_000_000,
        slider=(50, 3000),
    )
    short_tail: Literal["skip", "keep", "merge"] = setting(
        "skip",
        title="If the last chunk is too small",
        help="skip leaves it out (and shows it), keep flags it, merge appends it to the previous chunk if that fits.",
    )
    h1_rule: bool = setting(
        True,
        title="Give each H2 its own chunk",
        help="On: a chunk that began at an H1 ends at its second H2.",
    )
    lookahead: bool = setting(
        False,
        title="Avoid leaving a small chunk behind",
        help="On: a chunk goes on past a minimum if the text after it would be a chunk below it and still fits.",
    )
    count_context: bool = setting(
        False,
        title="Include repeated headings in the maximum",
        help="On: the maximum limits the whole text, including repeated headings and reopened fences.",
    )
    code_fences: CodeFences = setting("lines", title="Code in fences", help=CODE_FENCES_HELP, of_documents=True)

    def why_not_here(self, chunk: Chunk, heading: Block, tokens: int) -> str:
        """By which minimum the chunk went on (hw-1), or that lookahead kept it together."""
        document = chunk.document
        began = document.section_at(chunk.kept[0].start).level
        levels = [each.level for each in document.headings if chunk.body.start <= each.span.start < heading.span.start]
        deeper = heading.level > max([began, *levels])
        shown, needed = ("minTokensDeeper", self.min_tokens_deeper) if deeper else ("minTokens", self.min_tokens)
        if tokens < needed:
            return f"{tokens} tokens are fewer than {shown} {needed}"
        return "lookahead: what follows would be a chunk below minTokens, and fits"

    def limits(self) -> Limits:
        """maxTokens is hard, for the body or, with countContext, for the whole text (DECISIONS
        all-5)."""
        return Limits(
            minimum=self.min_tokens,
            minimum_setting="min_tokens",
            maximum=self.max_tokens,
            maximum_setting="max_tokens",
            counts="text" if self.count_context else "body",
        )

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        """Yield the front matter and blank stretches as skips, windows as chunks; a short tail as
        shortTail says."""
        start = yield from front_matter(document)
        frames = WindowFrames(
            document, tools, self.max_tokens, count_context=self.count_context, code_fences=self.code_fences
        )
        walk = _Walk(self, frames)
        sealed, waiting = 0, None
        for draft in walk.drafts(start):
            short = walk.short_tail(draft)
            if waiting is not None:
                merged = walk.merged(waiting, draft) if short and self.short_tail == "merge" else None
                if merged is not None:
                    waiting = merged
                    continue
                yield _seal(frames, waiting, sealed)
                sealed, waiting = sealed + 1, None
            if is_blank(document, draft.body):
                yield Skip(draft.body, BLANK)
            elif short and sealed and self.short_tail == "skip":
                yield Skip(draft.body, replace(short, rule="short-tail"))
            else:
                waiting = draft._replace(flags=(*draft.flags, short)) if short else draft
        if waiting is not None:
            yield _seal(frames, waiting, sealed)


class _Walk:
    """The decisions, in the order of the spec."""

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

    def drafts(self, start: int) -> Iterator[Draft]:
        """The windows in order, from `start` to the end of the document."""
        while start < self._end:
            if self._tools.tracing:
                draft = self._tools.remembered(("window", start), partial(self._window, start))
            else:
                draft = self._window(start)
            yield draft
            start = draft.body.end

    def _window(self, start: int) -> Draft:
        """The window from `start`, whatever stands before it."""
        if not self._remembers:
            draft = self._next(start, self._set.max_tokens)
            return self._within_whole(draft) if self._set.count_context else draft
        key = start, self._set.h1_rule, self._set.code_fences
        known = self._known.get(key)
        if known is not None and self._is_found_again(start, known):
            return self._again(known)
        self._minimums = Minimums()
        draft = self._next(start, self._set.max_tokens)
        heading = self._named(self._tree.after(draft.body.end)) if draft.ended_by.rule in MINIMUM_RULES else ""
        self._known.keep(key, KnownWindow(draft, self._minimums, self._set.max_tokens, heading))
        return draft

    def _is_found_again(self, start: int, known: KnownWindow) -> bool:
        settings = self._set
        if not known.minimums.hold(settings.min_tokens, settings.min_tokens_deeper):
            return False
        if known.max_tokens == settings.max_tokens:
            return True
        if known.draft.ended_by.rule not in HEADING_RULES:
            return False
        line = self._frames.place(start).line
        last = self._frames.last_line_within(start, settings.max_tokens, line)
        return last >= line and self._frames.line_end(last) >= known.draft.body.end

    def _again(self, known: KnownWindow) -> Draft:
        """The known window, with its reason for the minimum of now."""
        draft = known.draft
        if not known.heading:
            return draft
        deeper = draft.ended_by.rule == "deeper-minimum-reached"
        needed = self._set.min_tokens_deeper if deeper else self._set.min_tokens
        if draft.ended_by.limit == needed or draft.tokens is None:
            return draft
        boundary = _minimum_reached(draft.tokens, needed, known.heading, deeper=deeper)
        return Draft(draft.body, boundary, tokens=draft.tokens)

    def _within_whole(self, draft: Draft) -> Draft:
        """The same window with fewer lines, until it is within maxTokens together with what stands
        around it."""
        budget, trimmed = self._set.max_tokens, 0
        while not any(flag.rule == "unsplittable" for flag in draft.flags):
            over = self._frames.whole_tokens(draft.body) - self._set.max_tokens
            if over <= 0:
                break
            budget -= over
            trimmed += over if draft.in_line else 0
            draft = self._next(draft.body.start, budget, trimmed)
        if draft.flags and self._frames.whole_tokens(draft.body) <= self._set.max_tokens:
            # One character that is over what was left after trimming, and not over the maximum.
            return draft._replace(flags=tuple(flag for flag in draft.flags if flag.rule != "unsplittable"))
        return draft

    def _next(self, start: int, budget: int, trimmed: int = 0) -> Draft:
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
            return Draft(Span(start, reached), END)
        return self._at_maximum(start, last, self._set.max_tokens - budget)

    def _at_heading(self, start: int, place: HeadingPlace, reached: int, budget: int) -> Draft | None:
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
            most = self._most_before(start, line, first - 1, least - 1)
            self._minimums = Minimums(passed=most, passed_deeper=most)
        return first

    def _most_before(self, start: int, line: int, number: int, limit: int) -> int:
        """The tokens before a heading, where no heading before it has more; else `limit`, which
        none of them exceeds."""
        tokens = self._index.count(start, self._tree.starts[number])
        last = self._index.last_within(start, self._frames.line_ends, tokens, line)
        return tokens if last >= line and self._frames.line_end(last) >= self._tree.starts[number] else limit

    def _sealed_by_h1(self, start: int, number: int) -> Draft:
        offset = self._tree.starts[number]
        tokens = self._index.count(start, offset)
        detail = f"{self._named(number)} is the second H2 in a chunk that began at an H1 ({tokens} tokens)"
        boundary = Boundary("second-h2", detail, held=tokens, settings=("h1_rule",))
        return Draft(Span(start, offset), boundary, tokens=tokens)

    def _sealed_by_minimum(self, start: int, number: int, budget: int, *, deeper: bool) -> Draft | None:
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
        boundary = _minimum_reached(tokens, needed, self._named(number), deeper=deeper)
        return Draft(Span(start, offset), boundary, tokens=tokens)

    def _rest_is_small(self, start: int, number: int, budget: int) -> bool:
        """Whether the section that begins here would be a chunk below minTokens, and fits in this
        one (hw-9)."""
        section_end = self._tree.section_ends[number]
        rest = self._index.count(self._tree.starts[number], section_end)
        total = self._index.count(start, section_end)
        return rest < self._set.min_tokens and total <= budget

    def _at_maximum(self, start: int, last: int, around: int) -> Draft:
        """The window sealed before the line that would exceed maxTokens (hw-3): after its `last`
        line, or in a fence of known syntax before the statement that goes on there.

        `around` is counted with the body.
        """
        sealed = self._frames.last_line_of_statement(start, last)
        offset = self._frames.line_end(sealed)
        inside = self._index.count(start, offset)
        tokens = inside + around
        total = self._index.count(start, self._frames.line_end(last + 1)) + around
        line, limit = self._frames.next_lines[last], self._set.max_tokens
        detail = f"{tokens} tokens and {total - tokens} more on line {line} would exceed maxTokens {limit}"
        if sealed < last:
            detail = (
                f"{tokens} tokens and {total - tokens} more up to line {line} would exceed maxTokens {limit}: "
                f"cut before the statement on line {self._frames.next_lines[sealed]}"
            )
        boundary = Boundary(
            "maximum-reached", detail, held=tokens, next=total - tokens, limit=limit, settings=("max_tokens",)
        )
        return Draft(Span(start, offset), boundary, tokens=inside)

    def _in_line(self, start: int, line_end: int, trimmed: int) -> Draft:
        """The next piece of a line that is over maxTokens alone: no exceptions (hw-3, all-6)."""
        piece = self._frames.piece(start, line_end, trimmed)
        tokens = self._index.count(start, piece.span.end)
        rest = self._index.count_quickly(piece.span.end, line_end)
        limit = self._set.max_tokens
        line = self._frames.document.line_of(start)
        detail = f"line {line} alone would exceed maxTokens {limit}: cut after {tokens} tokens, {rest} are left"
        boundary = Boundary("maximum-reached", detail, held=tokens, next=rest, limit=limit, settings=("max_tokens",))
        unsplittable = tuple(
            replace(flag, settings=("max_tokens",)) for flag in piece.flags if flag.rule == "unsplittable"
        )
        ended_by = END if piece.span.end == self._end else boundary
        return Draft(piece.span, ended_by, unsplittable, in_line=True, tokens=tokens)

    def short_tail(self, draft: Draft) -> Boundary | None:
        """The flag for a last window below minTokens; None for any other window."""
        if draft.body.end < self._end:
            return None
        tokens = self._index.count(draft.body.start, draft.body.end)
        least = self._set.min_tokens
        if tokens >= least:
            return None
        detail = f"{counted(tokens, 'token')} {be(tokens)} left at the end, fewer than minTokens {least}"
        return Boundary("undersized", detail, held=tokens, limit=least, settings=("min_tokens",))

    def merged(self, before: Draft, tail: Draft) -> Draft | None:
        """Both as one window, when they touch and maxTokens allows (hw-6)."""
        body = Span(before.body.start, tail.body.end)
        if before.body.end != tail.body.start:
            return None
        whole = self._set.count_context
        tokens = self._frames.whole_tokens(body) if whole else self._index.count(body.start, body.end)
        return Draft(body, tail.ended_by, before.flags) if tokens <= self._set.max_tokens else None

    def _named(self, number: int) -> str:
        title = self._tree.headings[number].title
        return f"'{clip(title, 60)}'" if title else f"line {self._frames.document.line_of(self._tree.starts[number])}"


def _minimum_reached(tokens: int, needed: int, heading: str, *, deeper: bool) -> Boundary:
    name, shown, rule = (
        ("min_tokens_deeper", "minTokensDeeper", "deeper-minimum-reached")
        if deeper
        else ("min_tokens", "minTokens", "minimum-reached")
    )
    detail = f"{tokens} tokens are at least {shown} {needed} at {heading}"
    return Boundary(rule, detail, held=tokens, limit=needed, settings=(name,))


def _seal(frames: WindowFrames, draft: Draft, chunk_index: int) -> Part:
    if frames.tools.passes_over(draft.body):
        return Skip(draft.body, PASSED_OVER)
    known = frames.sealed(draft.body) if not draft.flags else None
    if known is not None:
        return frames.tools.seal_again(known, draft.ended_by, {**known.metadata, "chunk_index": chunk_index})
    frame = frames.frame(draft.body)
    tree = frames.tree
    target = tree.headings[frame.under] if frame.under >= 0 else None
    chunk = frames.tools.seal(
        frames.document,
        draft.body,
        draft.ended_by,
        breadcrumb=tree.breadcrumb(frame.under),
        context=frame.context,
        closing=frame.closing,
        flags=(*draft.flags, *frame.flags),
        body_tokens=draft.tokens,
        metadata={
            "chunk_index": chunk_index,
            "document_title": _document_title(frames, draft.body, frame),
            "target_heading": clip(target.title, 60) if target else None,
            "anchor": target.anchor if target else None,
            "level": target.level if target else 0,
        },
    )
    return chunk if draft.flags else frames.keep_sealed(chunk)


def _document_title(frames: WindowFrames, body: Span, frame: Frame) -> str | None:
    """The first H1 of the chunk's text, else of the document, at most 40 characters (DECISIONS
    hw-8)."""
    tree = frames.tree
    if not tree.firsts:
        return None
    first = tree.tops[frame.under] if frame.under >= 0 else -1
    if first < 0:
        later = bisect_right(tree.firsts, frame.under)
        in_body = later < len(tree.firsts) and tree.starts[tree.firsts[later]] < body.end
        first = tree.firsts[later] if in_body else tree.firsts[0]
    return clip(tree.headings[first].title, 40)
