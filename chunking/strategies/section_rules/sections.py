"""The sections that section-rules cuts: which are excluded, and what is kept of a span.

`splitter.py` decides where sections are cut; spans, holes and token counts are worked out here.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from chunking.core.chunk import Boundary, Skip
from chunking.core.context import SplitContext
from chunking.document import Block, Document, Span
from chunking.splitting.blank_edges import blank, is_blank
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.text.whitespace import first_visible, last_visible

APOSTROPHES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u2032": "'", "\u00b4": "'", "`": "'"})


@dataclass(frozen=True, slots=True)
class Excluded:
    """A section that is left out, with all below it."""

    span: Span
    title: str

    @property
    def because(self) -> Boundary:
        return Boundary(
            "excluded", f"the section '{self.title}' is in the list of excluded headings", settings=("exclude",)
        )


@dataclass(frozen=True, slots=True)
class SectionPiece:
    """A stretch of a chapter that becomes one chunk: what is kept of it, and the heading it is
    known by."""

    kept: tuple[Span, ...]
    """In order; between two of them lie excluded sections only. Neither the first nor the last is
    blank."""
    heading: Block | None
    """The H2, H3 or deeper heading that it stands under; None in an introduction."""
    section: int
    """Which H2 section (or introduction) of the chapter it belongs to."""
    bare: bool
    """Whether it holds headings only."""
    ended_by: Boundary
    context: str = ""
    """A table's header, repeated."""
    inside: bool = False
    """Whether it begins inside a table, list or paragraph that was split."""
    flags: tuple[Boundary, ...] = ()

    @property
    def body(self) -> Span:
        return Span(self.kept[0].start, self.kept[-1].end)


def excluded_sections(document: Document, exclude: Sequence[str]) -> list[Excluded]:
    """The outermost sections whose title equals an entry or starts with it in whole words
    (DECISIONS sr-1)."""
    entries = [plain for entry in exclude if (plain := _plain(entry))]
    found: list[Excluded] = []
    for section in document.sections:
        if section.heading is None or (found and section.span.start < found[-1].span.end):
            continue
        if any(_starts_with(_plain(section.title), entry) for entry in entries):
            found.append(Excluded(section.span, section.title))
    return found


def _plain(title: str) -> str:
    return " ".join(title.translate(APOSTROPHES).split()).casefold()


def _starts_with(title: str, entry: str) -> bool:
    return title.startswith(entry) and (len(title) == len(entry) or not title[len(entry)].isalnum())


def kept_of(document: Document, span: Span, excluded: Sequence[Excluded]) -> tuple[Span, ...]:
    """A span less the excluded sections and less blank stretches at its ends; empty when nothing
    visible is left."""
    spans, start = [], span.start
    for section in _overlapping(excluded, span):
        spans.append(Span(start, max(start, section.span.start)))
        start = section.span.end
    spans.append(Span(min(start, span.end), span.end))
    while spans and is_blank(document, spans[0]):
        del spans[0]
    while spans and is_blank(document, spans[-1]):
        del spans[-1]
    return tuple(each for each in spans if len(each))


def content(document: Document, kept: Sequence[Span]) -> list[Span]:
    """What is kept, without the white space at both ends: the text that is measured and
    embedded."""
    spans, text = list(kept), document.text
    spans[0] = Span(first_visible(text, spans[0].start, spans[0].end), spans[0].end)
    spans[-1] = Span(spans[-1].start, last_visible(text, spans[-1].start, spans[-1].end))
    return spans


def sections_of(document: Document, start: int, excluded: Sequence[Excluded]) -> Iterator[tuple[Span, Block | None]]:
    """The chapter's H2 sections and introductions in order, each with its H2; excluded ones are
    left out.

    Text before the first H2 is an introduction; a later H1 starts another (DECISIONS sr-5).
    """
    headings = [heading for heading in document.headings if heading.level <= 2 and not _is_below(heading, excluded)]
    gone = {each.span.start for each in excluded}
    first = headings[0].span.start if headings else len(document.text)
    if first > start:
        yield Span(start, first), None
    ends = [*(heading.span.start for heading in headings[1:]), len(document.text)]
    for heading, end in zip(headings, ends, strict=False):
        if heading.span.start not in gone:
            yield Span(heading.span.start, end), heading if heading.level == 2 else None


def _is_below(heading: Block, excluded: Sequence[Excluded]) -> bool:
    """Whether a heading stands under that of an excluded section."""
    start = heading.span.start
    return any(each.span.start < start for each in _overlapping(excluded, Span(start, start + 1)))


def _overlapping(excluded: Sequence[Excluded], span: Span) -> Sequence[Excluded]:
    """Of excluded sections, which are in order and apart from each other, those that share
    characters with a span."""
    first = bisect_right(excluded, span.start, key=lambda each: each.span.end)
    return excluded[first : bisect_left(excluded, span.end, lo=first, key=lambda each: each.span.start)]


def skips_between(span: Span, excluded: Sequence[Excluded]) -> Iterator[Skip]:
    """The stretch between two chunks, tiled: excluded sections, and what is blank around them."""
    start = span.start
    for section in _overlapping(excluded, span):
        yield from blank(start, section.span.start)
        yield Skip(section.span, section.because)
        start = section.span.end
    yield from blank(start, span.end)


def holes_of(document: Document, body: Span, kept: Sequence[Span], excluded: Sequence[Excluded]) -> tuple[Skip, ...]:
    """The excluded sections inside a body, and the white space at both its ends."""
    said = content(document, kept)
    inside = _overlapping(excluded, Span(body.start, said[-1].end))
    left_out = [Skip(each.span, each.because) for each in inside if body.start < each.span.start]
    return (*blank(body.start, said[0].start), *left_out, *blank(said[-1].end, body.end))


class _Counts(Memo[tuple[Span, ...], int]):
    """The tokens of stretches, by what is kept of them."""


def tokens_of(document: Document, kept: tuple[Span, ...], tools: SplitContext) -> int:
    """Exact count of the content, remembered: most stretches stay while thresholds move."""
    known = once_per_counter(document, tools.counter, _Counts)
    tokens = known.get(kept)
    return (
        tokens if tokens is not None else known.keep(kept, tools.index(document).count_parts(content(document, kept)))
    )


def joined(first: SectionPiece, second: SectionPiece) -> SectionPiece:
    """Two neighbours as one: known by the heading of the first, unless that is nothing but headings
    (sr-3, sr-5)."""
    kept = list(first.kept)
    if kept[-1].end == second.kept[0].start:
        kept[-1] = Span(kept[-1].start, second.kept[0].end)
        kept.extend(second.kept[1:])
    else:
        kept.extend(second.kept)
    named = second if first.bare else first
    return replace(
        first,
        kept=tuple(kept),
        heading=named.heading,
        section=named.section,
        bare=first.bare and second.bare,
        ended_by=second.ended_by,
        flags=tuple(dict.fromkeys((*first.flags, *second.flags))),
    )


def is_bare(document: Document, kept: Sequence[Span]) -> bool:
    """Whether there is nothing but headings in it."""
    for span in kept:
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
