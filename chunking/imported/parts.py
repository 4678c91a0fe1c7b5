"""Another tool's chunks as the parts of a run: in the source's order, tiling the document, each
boundary labelled by what stands there."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from chunking.core.chunk import BLANK, END, FRONT_MATTER, Boundary, Chunk, Part, Skip
from chunking.core.context import SplitContext
from chunking.document import Document, Span
from chunking.document.sentences import sentence_starts
from chunking.imported.audit import added, verdict_of
from chunking.imported.placement import PlacedRow
from chunking.text.whitespace import first_visible, is_white

RULES: Mapping[str, str] = {
    "before-heading": "a heading begins here; why the other tool cut here is not known",
    "between-blocks": "another paragraph, table, list or code begins here; why it was cut here is not known",
    "between-lines": "a line begins here, within a block; why it was cut here is not known",
    "between-sentences": "a sentence begins here; why it was cut here is not known",
    "between-words": "a word begins here, within a sentence; why it was cut here is not known",
    "within-word": "this is within a word, or between signs; why it was cut here is not known",
    "lost": "no chunk has this text",
    "altered": "the chunk's own text differs from the source here; the source's is shown and counted",
}
"""The rules of chunks that were made elsewhere, with their meaning."""
_UNKNOWN = "why it was cut here is not known"


@dataclass(frozen=True, slots=True)
class _Piece:
    """A chunk with what is new in it: what no chunk before it has."""

    placed: PlacedRow
    overlap: Span | None
    new: tuple[Span, ...]
    """In order, not touching."""


def parts_of(document: Document, rows: Sequence[PlacedRow], tools: SplitContext) -> Iterator[Part]:
    """The parts in order. A chunk without any text of its own, as all of it is in chunks before it,
    is no part, and a warning counts them."""
    pieces, within = _pieces(document, rows)
    if within:
        those = "1 chunk lies" if within == 1 else f"{within} chunks lie"
        tools.warn(f"{those} wholly within other chunks and cannot be shown beside them")
    end = len(document.text)
    if not pieces:
        yield from _gap(document, 0, end)
        return
    yield from _gap(document, 0, pieces[0].new[0].start)
    starts = [*(piece.new[0].start for piece in pieces[1:]), end]
    for number, (piece, following) in enumerate(zip(pieces, starts, strict=True)):
        last = piece.new[-1].end
        reaches = min(first_visible(document.text, last, following), following) if last < following else last
        yield _sealed(document, piece, reaches, number, tools)
        yield from _gap(document, reaches, following)


def _pieces(document: Document, rows: Sequence[PlacedRow]) -> tuple[list[_Piece], int]:
    """The chunks in the source's order, and how many have nothing new."""
    reached, within = 0, 0
    pieces: list[_Piece] = []
    for placed in sorted((row for row in rows if row.spans), key=lambda row: (row.spans[0].start, row.spans[-1].end)):
        before = [Span(span.start, min(span.end, reached)) for span in placed.spans if span.start < reached]
        new = tuple(Span(max(span.start, reached), span.end) for span in placed.spans if span.end > reached)
        if all(is_white(document.text, span.start, span.end) for span in new):
            within += 1
            continue
        pieces.append(_Piece(placed, before[-1] if before else None, new))
        reached = new[-1].end
    return pieces, within


def _gap(document: Document, start: int, end: int) -> Iterator[Skip]:
    """What stands between two chunks, left out: front matter, white space, or text that is lost."""
    content = min(max(start, document.content_start), end)
    if start < content:
        yield Skip(Span(start, content), FRONT_MATTER)
    if content < end:
        visible = first_visible(document.text, content, end) < end
        yield Skip(Span(content, end), Boundary("lost", RULES["lost"]) if visible else BLANK)


def _sealed(document: Document, piece: _Piece, reaches: int, number: int, tools: SplitContext) -> Chunk:
    """The chunk, with the white space that follows it as a hole."""
    body = Span(piece.new[0].start, reaches)
    holes = [_hole(document, Span(one.end, other.start)) for one, other in pairwise(piece.new)]
    if piece.new[-1].end < reaches:
        holes.append(Skip(Span(piece.new[-1].end, reaches), BLANK))
    placed, source = piece.placed, piece.placed.source(document)
    text = placed.row.text
    whole = source == "".join(document[span] for span in (*([piece.overlap] if piece.overlap else []), *piece.new))
    verdict, said = verdict_of(placed, document)
    context, closing = added(text, source) if verdict == "text added" and whole else ("", "")
    exact = whole and verdict in ("verbatim", "text added")
    flags = () if exact else (Boundary("altered", said or "it has text of several places before it"),)
    return tools.seal(
        document,
        body,
        _ending(document, body),
        breadcrumb=document.section_at(first_visible(document.text, body.start, body.end)).breadcrumb,
        holes=tuple(holes),
        overlap=piece.overlap,
        context=context,
        closing=closing,
        flags=flags,
        metadata={"chunk_index": number, "where": placed.row.where},
    )


def _hole(document: Document, span: Span) -> Skip:
    blank = first_visible(document.text, span.start, span.end) >= span.end
    return Skip(span, BLANK if blank else Boundary("lost", RULES["lost"]))


def _ending(document: Document, body: Span) -> Boundary:
    """What stands where a body ends: nothing says why the tool cut there."""
    text, end = document.text, body.end
    at = first_visible(text, end, len(text))
    if at == len(text):
        return END
    block = document.block_at(at)
    kind = block.kind.replace("-", " ")
    if at == first_visible(text, block.span.start, block.span.end):
        if block.kind == "heading":
            return Boundary("before-heading", f"the heading {block.title!r} begins here; {_UNKNOWN}")
        return Boundary("between-blocks", f"a block begins here ({kind}); {_UNKNOWN}")
    if not text[document.line_starts[document.line_of(at) - 1] : at].strip():
        return Boundary("between-lines", f"a line begins here, within a block ({kind}); {_UNKNOWN}")
    starts = sentence_starts(text).within(block.span.start, block.span.end)
    number = bisect_left(starts, at)
    if number < len(starts) and starts[number] == at:
        return Boundary("between-sentences", RULES["between-sentences"])
    if at > end or text[end - 1].isspace():
        return Boundary("between-words", RULES["between-words"])
    return Boundary("within-word", RULES["within-word"])
