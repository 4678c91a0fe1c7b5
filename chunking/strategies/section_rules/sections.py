"""The sections that section-rules cuts: which of them are excluded, and the spans, holes and token
counts of what is left. `splitter.py` decides where they are cut.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from chunking.core.chunk import END, Boundary, Skip
from chunking.core.context import SplitContext
from chunking.document import Block, Document, Span
from chunking.splitting.blank_edges import blank, is_blank
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.text.whitespace import first_visible, last_visible, visible_edges

if TYPE_CHECKING:
    from chunking.tokens import TokenIndex

APOSTROPHES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u2032": "'", "\u00b4": "'", "`": "'"})


@dataclass(frozen=True, slots=True)
class ExcludedSection:
    """A section that is left out, with all below it."""

    span: Span
    title: str

    @property
    def reason(self) -> Boundary:
        return Boundary(
            "excluded", f"the section '{self.title}' is in the list of excluded headings", settings=("exclude",)
        )


class Ending(NamedTuple):
    """Why a piece ends, without the settings' numbers, which another cut may have others of."""

    rule: str
    at: int = 0
    """Where what follows begins."""
    held: int = 0
    """Tokens of the piece, or of its section."""
    total: int = 0
    """Those it would have with what begins."""
    header: int = 0
    """How many of them are a table header that is repeated in front."""
    heading: Block | None = None
    """What the piece stands under."""


AT_END = Ending(END.rule)
"""Of the last piece."""


class SectionPiece(NamedTuple):
    """A part of a chapter that becomes one chunk, and the heading that names it."""

    spans: tuple[Span, ...]
    """What the chunk has of the source, in order: between two of them are excluded sections only.
    Neither the first nor the last is blank."""
    heading: Block | None
    """The H2, H3 or deeper heading that it stands under; None in an introduction."""
    section: int
    """Which H2 section (or introduction) of the chapter it belongs to."""
    ended_by: Ending
    tokens: int
    """Of the visible text."""
    context: str = ""
    """A table's header, repeated."""
    inside: bool = False
    """Whether it begins inside a table, list or paragraph that was split."""
    flags: tuple[Boundary, ...] = ()

    @property
    def body(self) -> Span:
        spans = self.spans
        return spans[0] if len(spans) == 1 else Span(spans[0].start, spans[-1].end)

    @property
    def start(self) -> int:
        return self.spans[0].start

    @property
    def end(self) -> int:
        return self.spans[-1].end


def excluded_sections(document: Document, exclude: Sequence[str]) -> list[ExcludedSection]:
    """The outermost sections whose title equals an entry or starts with it in whole words
    (DECISIONS sr-1)."""
    entries = tuple(plain for entry in exclude if (plain := _plain(entry)))
    headings, found = document.headings, list[ExcludedSection]()
    first_letters = {entry[0] for entry in entries}
    openings = {opening for opening in {each.title[:1] for each in headings} if _plain(opening)[:1] in first_letters}
    for number, heading in enumerate(headings):
        if heading.title[:1] not in openings:  # of most titles no more is asked
            continue
        start = heading.span.start
        if found and start < found[-1].span.end:
            continue
        title = _plain(heading.title)
        if title.startswith(entries) and any(_starts_with(title, entry) for entry in entries):
            around = (each.span.start for each in islice(headings, number + 1, None) if each.level <= heading.level)
            found.append(ExcludedSection(Span(start, next(around, len(document.text))), heading.title))
    return found


def _plain(title: str) -> str:
    return " ".join(title.translate(APOSTROPHES).split()).casefold()


def _starts_with(title: str, entry: str) -> bool:
    return title.startswith(entry) and (len(title) == len(entry) or not title[len(entry)].isalnum())


def without_excluded(document: Document, span: Span, excluded: Sequence[ExcludedSection]) -> tuple[Span, ...]:
    """What is left of a span without its excluded sections and blank ends; empty when nothing
    visible is."""
    inside = _overlapping(excluded, span)
    if not inside:
        return () if is_blank(document, span) else (span,)
    spans, start = [], span.start
    for section in inside:
        spans.append(Span(start, max(start, section.span.start)))
        start = section.span.end
    spans.append(Span(min(start, span.end), span.end))
    while spans and is_blank(document, spans[0]):
        del spans[0]
    while spans and is_blank(document, spans[-1]):
        del spans[-1]
    return tuple(each for each in spans if len(each))


def visible_spans(document: Document, spans: Sequence[Span]) -> list[Span]:
    """The spans without the white space at both ends: the text that is counted and embedded."""
    text = document.text
    if len(spans) == 1:
        return [Span(*visible_edges(text, spans[0].start, spans[0].end))]
    trimmed = list(spans)
    trimmed[0] = Span(first_visible(text, trimmed[0].start, trimmed[0].end), trimmed[0].end)
    trimmed[-1] = Span(trimmed[-1].start, last_visible(text, trimmed[-1].start, trimmed[-1].end))
    return trimmed


def sections_of(
    document: Document, start: int, excluded: Sequence[ExcludedSection]
) -> Iterator[tuple[Span, Block | None]]:
    """The chapter's H2 sections and introductions in order, each with its H2; excluded ones are
    left out.

    Text before the first H2 is an introduction; a later H1 starts another (DECISIONS sr-5).
    """
    headings = [heading for heading in document.headings if heading.level <= 2 and not _is_below(heading, excluded)]
    excluded_starts = {each.span.start for each in excluded}
    first = headings[0].span.start if headings else len(document.text)
    if first > start:
        yield Span(start, first), None
    ends = [*(heading.span.start for heading in headings[1:]), len(document.text)]
    for heading, end in zip(headings, ends, strict=False):
        if heading.span.start not in excluded_starts:
            yield Span(heading.span.start, end), heading if heading.level == 2 else None


def _is_below(heading: Block, excluded: Sequence[ExcludedSection]) -> bool:
    """Whether a heading stands under that of an excluded section."""
    start = heading.span.start
    return any(each.span.start < start for each in _overlapping(excluded, Span(start, start + 1)))


def _overlapping(excluded: Sequence[ExcludedSection], span: Span) -> Sequence[ExcludedSection]:
    """Of excluded sections, which are in order and apart from each other, those that share
    characters with a span."""
    if not excluded:
        return ()
    first = bisect_right(excluded, span.start, key=lambda each: each.span.end)
    return excluded[first : bisect_left(excluded, span.end, lo=first, key=lambda each: each.span.start)]


def skips_between(span: Span, excluded: Sequence[ExcludedSection]) -> Iterator[Skip]:
    """The stretch between two chunks, tiled: excluded sections, and what is blank around them."""
    start = span.start
    if start == span.end:
        return
    for section in _overlapping(excluded, span):
        yield from blank(start, section.span.start)
        yield Skip(section.span, section.reason)
        start = section.span.end
    yield from blank(start, span.end)


def holes_of(body: Span, visible: Sequence[Span], excluded: Sequence[ExcludedSection]) -> tuple[Skip, ...]:
    """The excluded sections inside a body, and the white space at both its ends; `visible` is the
    text between."""
    inside = _overlapping(excluded, Span(body.start, visible[-1].end))
    left_out = [Skip(each.span, each.reason) for each in inside if body.start < each.span.start]
    return (*blank(body.start, visible[0].start), *left_out, *blank(visible[-1].end, body.end))


def h2_ending(document: Document, end: int) -> Ending:
    """The end of a section: the next H1 or H2, or the document's end."""
    return Ending("h2", end) if end < len(document.text) else AT_END


class SectionCounts(Memo[tuple[int, int], int]):
    """The tokens of pieces by start and end: what lies between is excluded or theirs."""


class Chapter:
    """What a document is for a list of excluded headings, whatever the sizes: kept while thresholds
    move."""

    def __init__(self, document: Document, exclude: Sequence[str], index: TokenIndex) -> None:
        self.excluded = excluded_sections(document, exclude)
        self.sections = tuple(sections_of(document, document.content_start, self.excluded))
        self.counts = SectionCounts()
        self.whole: dict[int, list[SectionPiece]] = {}
        """By their numbers, the sections of which nothing is excluded, each as its only piece."""
        self._count_sections(document, index)

    def _count_sections(self, document: Document, index: TokenIndex) -> None:
        """Count the sections of which nothing is excluded, all together."""
        text = document.text
        whole = [number for number, (span, _) in enumerate(self.sections) if not _overlapping(self.excluded, span)]
        edges = [visible_edges(text, span.start, span.end) for span in (self.sections[number][0] for number in whole)]
        counts = index.counts(*np.array(edges, np.int64).reshape(-1, 2).T.copy()).tolist()
        for number, (lead, tail), tokens in zip(whole, edges, counts, strict=True):
            span, heading = self.sections[number]
            self.counts.keep((span.start, span.end), tokens)
            if lead < tail:
                piece = SectionPiece((span,), heading, number, h2_ending(document, span.end), tokens)
                self.whole[number] = [piece]


class _Chapters(Memo[tuple[str, ...], Chapter]):
    """By the excluded headings."""

    most = 4


def chapter_of(document: Document, exclude: tuple[str, ...], tools: SplitContext) -> Chapter:
    """The document's sections, found once for each list of excluded headings."""
    known = once_per_counter(document, tools.counter, _Chapters)
    return known.get(exclude) or known.keep(exclude, Chapter(document, exclude, tools.index(document)))


def joined_spans(first: SectionPiece, second: SectionPiece) -> tuple[Span, ...]:
    """The spans of two neighbours together."""
    spans = list(first.spans)
    if spans[-1].end == second.start:
        spans[-1] = Span(spans[-1].start, second.spans[0].end)
        spans.extend(second.spans[1:])
    else:
        spans.extend(second.spans)
    return tuple(spans)


def joined(document: Document, first: SectionPiece, second: SectionPiece, tokens: int) -> SectionPiece:
    """Two neighbours, of so many tokens together, as one piece."""
    headed = headed_by(document, first, second)
    return first._replace(
        spans=joined_spans(first, second),
        heading=headed.heading,
        section=headed.section,
        ended_by=second.ended_by,
        tokens=tokens,
        flags=tuple(dict.fromkeys((*first.flags, *second.flags))) if second.flags else first.flags,
    )


def headed_by(document: Document, first: SectionPiece, second: SectionPiece) -> SectionPiece:
    """Which of two neighbours gives both its heading: the first, unless that is only headings
    (sr-3, sr-5)."""
    return second if has_only_headings(document, first.spans) else first


def has_only_headings(document: Document, spans: Sequence[Span]) -> bool:
    """Whether the spans hold nothing but headings."""
    for span in spans:
        at = span.start
        while at < span.end:
            block = document.block_at(at)
            if block.kind not in ("heading", "blank") and not is_blank(
                document, Span(at, min(block.span.end, span.end))
            ):
                return False
            at = block.span.end
    return True


def heading_text(heading: Block | None) -> str:
    """A heading's own line without its id, as in the metadata; "Introduction" without one."""
    return f"{'#' * heading.level} {' '.join(heading.raw_title.split())}".rstrip() if heading else "Introduction"
