"""Seals a chunk at a heading once it holds enough, and at any line once it would hold too much.

Source: heading-window.md; DECISIONS hw-1 to hw-12. The decisions are in `walk.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import ClassVar, Literal

from chunking.core.chunk import BLANK, END, PASSED_OVER, Boundary, Chunk, Skip, front_matter
from chunking.core.context import SplitContext
from chunking.core.cut_parts import Plan
from chunking.core.planning import PlanningStrategy
from chunking.core.strategy import Family, Limits, Ordered, setting
from chunking.document import Block, Document, Span
from chunking.splitting.breadcrumbs import clip
from chunking.splitting.source_code.structure import CODE_FENCES_HELP, CodeFences
from chunking.strategies.heading_window.frames import WindowFrames
from chunking.strategies.heading_window.known_windows import MINIMUM_RULES, Reason, Window
from chunking.strategies.heading_window.meeting import first_that_matters
from chunking.strategies.heading_window.walk import Walk
from chunking.strategies.heading_window.window_columns import WindowSteps
from chunking.text.display import counted
from chunking.text.whitespace import is_white


class HeadingWindow(PlanningStrategy):
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
        "minimum-reached": "a heading no deeper than the deepest heading so far, and the chunk has at least minTokens",
        "deeper-minimum-reached": "a heading deeper than any so far, and the chunk has at least minTokensDeeper",
        "maximum-reached": "the next line would make the chunk exceed maxTokens",
        "short-tail": "the last chunk has fewer than minTokens, and shortTail is skip",
    }
    ordered: ClassVar[tuple[Ordered, ...]] = (Ordered("min_tokens", "max_tokens"),)
    usual: ClassVar[tuple[Ordered, ...]] = (Ordered("min_tokens", "min_tokens_deeper"),)

    min_tokens: int = setting(
        250,
        title="Minimum",
        unit="tokens",
        help="Higher keeps neighbouring sections together. From this size on, a heading of the same or a higher level "
        "ends the chunk.",
        ge=0,
        le=1_000_000,
        slider=(0, 1000),
    )
    min_tokens_deeper: int = setting(
        500,
        title="Minimum before a subsection",
        short="Before a subsection",
        unit="tokens",
        help="Higher keeps a section together with its first subsections. From this size on, a deeper heading ends the "
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
        short="Short last chunk",
        help="skip: it is in no chunk, and is shown as left out. keep: it stands, with a flag. merge: it "
        "joins the chunk before it, if that fits.",
    )
    h1_rule: bool = setting(
        True,
        title="End an H1's chunk at its second H2",
        short="End at second H2",
        help="On: a chunk that began at an H1 ends at its second H2, whatever its size. Others may hold several.",
    )
    lookahead: bool = setting(
        False,
        title="Avoid leaving a small chunk behind",
        short="Avoid small chunk",
        help="On: a chunk that reached a minimum goes on where the next would be smaller than that and still fits.",
    )
    count_context: bool = setting(
        False,
        title="Include context in the maximum",
        short="Include context",
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
            return f"the chunk had {counted(tokens, 'token')} there, fewer than {shown} ({needed})"
        return "what follows would be a chunk below minTokens, and still fits: the setting lookahead keeps it here"

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

    def plan(self, document: Document, tools: SplitContext) -> Plan[Reason]:
        """Front matter and blank stretches as skips, windows as chunks; a short tail as shortTail
        says."""
        frames = WindowFrames(
            document, tools, self.max_tokens, count_context=self.count_context, code_fences=self.code_fences
        )
        walk = Walk(self, frames)
        steps = WindowSteps(frames, walk, self._parts(document, frames, walk))
        # Columns of few windows take longer than the windows.
        return Plan(document, steps if walk.remembers_cuts else iter(steps), partial(self._boundary, document))

    def _parts(self, document: Document, frames: WindowFrames, walk: Walk) -> Iterator[Skip | Window | list[int]]:
        """What is left out, and the windows, of which `Walk.windows` gives rows."""
        start = yield from front_matter(document)
        first = first_that_matters(walk, frames, start)
        if first > start:
            yield Skip(Span(start, first), PASSED_OVER)
        begun, length = not is_white(document.text, start, first), len(document.text)
        waiting: Window | list[int] | None = None
        for window in walk.windows(first):
            if isinstance(window, list):
                if waiting is not None:
                    yield waiting
                begun, waiting = begun or waiting is not None, window
                continue
            short = walk.short_tail(window) if window.end == length else None
            if waiting is not None:
                if short and self.short_tail == "merge":
                    row = waiting if isinstance(waiting, list) else []
                    merged = walk.merged(waiting if isinstance(waiting, Window) else walk.window(row[-1]), window)
                    if merged is not None:
                        yield row[:-1]
                        waiting = merged
                        continue
                yield waiting
                begun, waiting = True, None
            if is_white(document.text, window.start, window.end):
                yield Skip(Span(window.start, window.end), BLANK)
            elif short and begun and self.short_tail == "skip":
                because = replace(short, rule="short-tail", settings=("short_tail", "min_tokens"))
                yield Skip(Span(window.start, window.end), because)
            else:
                waiting = window._replace(flags=(*window.flags, short)) if short else window
        if waiting is not None:
            yield waiting

    def _boundary(self, document: Document, reason: Reason) -> Boundary:
        """The reason with the numbers of the settings."""
        rule, held, more, _, line, statement, in_line = reason
        most = self.max_tokens
        if rule == "second-h2":
            detail = (
                f"the chunk began at an H1, and whatever its size ({held} tokens) it ends before its second H2 "
                f"{_named(document, reason)}"
            )
            return Boundary(rule, detail, held=held, settings=("h1_rule",))
        if rule in MINIMUM_RULES:
            deeper = rule == "deeper-minimum-reached"
            shown, needed = ("minTokensDeeper", self.min_tokens_deeper) if deeper else ("minTokens", self.min_tokens)
            which = "deeper than any so far" if deeper else "no deeper than the deepest heading so far"
            begins = f"where the heading {_named(document, reason)} begins, {which}"
            detail = f"the chunk already has {held} tokens, at least {shown} ({needed}), {begins}"
            settings = ("min_tokens_deeper",) if deeper else ("min_tokens",)
            return Boundary(rule, detail, held=held, limit=needed, settings=settings)
        if rule != "maximum-reached":
            return END
        detail = f"the chunk has {held} tokens, and with {more} more on line {line} it would exceed maxTokens ({most})"
        if in_line:
            detail = (
                f"line {line} alone would exceed maxTokens ({most}), so it is cut after {held} tokens: {more} are left"
            )
        elif statement:
            detail = (
                f"the chunk has {held} tokens, and with {more} more up to line {line} it would exceed maxTokens "
                f"({most}), so it ends before the statement on line {statement}"
            )
        return Boundary(rule, detail, held=held, next=more, limit=most, settings=("max_tokens",))


def _named(document: Document, reason: Reason) -> str:
    """The heading at which a window ends, after the word for it."""
    heading = document.headings[reason.heading]
    return f"'{clip(heading.title, 60)}'" if heading.title else f"on line {document.line_of(heading.span.start)}"
