"""Fences and tables, also those inside quotes and lists: what a cut within them has to close and open again.

Containers are read by taking their marks off line by line and giving what remains to the one parser, so that an
indented code block or a comment is not taken for a fence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chunking.document import BlockKind, Document, Span
from chunking.linebreaks import line_starts

_FENCE = re.compile(r"( {0,3})(`{3,}(?=[^`]*\Z)|~{3,})")
_MARKER = re.compile(r"( {0,3})([-*+]|\d{1,9}[.)])( +|\t|\Z)")
_QUOTE = re.compile(r" {0,3}>[ \t]?")
_DEEPEST = 16
"""Containers within containers that are looked into. Fences nested deeper are cut without being reopened."""


@dataclass(frozen=True, slots=True)
class Enclosure:
    """A fence or a table in a document, and the lines that frame it."""

    span: Span
    """Whole lines, from the first of the frame to the last of the fence or table."""
    opener_end: int
    """Where the fence's first line or the table's header ends, after its line ending."""
    closer_start: int
    """Where the line that closes the fence begins; the span's end for a table or an unclosed fence."""
    opening: str
    """The lines to put in front of a piece that begins inside, each ended with the document's line ending."""
    closing: str
    """The line to put after a piece that ends inside, without a line ending; empty for a table."""
    header_ends: tuple[int, ...]
    """Where the lines of the header end, the last aside."""
    prefix: str
    """The quote marks and list indentation that every line inside carries."""

    @property
    def frame(self) -> frozenset[int]:
        """Places where a cut would part the frame from all it frames, or a table's header from its delimiter row."""
        return frozenset((*self.header_ends, self.opener_end, self.closer_start))

    def inside(self, offset: int) -> bool:
        """Whether text that begins at `offset` needs `opening`, and text that ends there `closing`."""
        return self.opener_end <= offset < self.span.end


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str
    """What is left of the line without its containers' marks and its line ending."""


def enclosures(document: Document, span: Span, kind: BlockKind) -> tuple[Enclosure, ...]:
    """The fences and tables of a block, in source order. `span` begins where the block does."""
    if kind not in ("code", "table", "quote", "list", "task-list"):
        return ()
    text = document[span]
    starts = line_starts(text).tolist()
    lines = [
        _Line(span.start + start, span.start + end, text[start:end].rstrip("\r\n"))
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True)
    ]
    while lines and not lines[-1].text.strip():
        lines.pop()
    return tuple(_found(lines, kind, "", document.line_ending, 0)) if lines else ()


def _found(lines: Sequence[_Line], kind: BlockKind, prefix: str, ending: str, depth: int) -> Iterator[Enclosure]:
    if kind == "code":
        fence = _FENCE.match(lines[0].text)
        if fence:
            yield _fence(lines, fence, prefix, ending)
    elif kind == "table" and len(lines) > 1:
        opening = "".join(f"{prefix}{line.text}{ending}" for line in lines[:2])
        last = lines[-1].end
        yield Enclosure(Span(lines[0].start, last), lines[1].end, last, opening, "", (lines[0].end,), prefix)
    elif kind == "quote":
        yield from _within([_unquoted(line) for line in lines], f"{prefix}> ", ending, depth)
    elif kind in ("list", "task-list"):
        for item, indent in _list_items(lines):
            yield from _within(item, prefix + " " * indent, ending, depth)


def _fence(lines: Sequence[_Line], fence: re.Match[str], prefix: str, ending: str) -> Enclosure:
    marks = fence.group(2)
    last = lines[-1]
    closer = last.text.strip()
    closed = len(lines) > 1 and len(closer) >= len(marks) and not closer.strip(marks[0])
    return Enclosure(
        Span(lines[0].start, last.end),
        lines[0].end,
        last.start if closed else last.end,
        f"{prefix}{lines[0].text}{ending}",
        f"{prefix}{fence.group(1)}{marks}",
        (),
        prefix,
    )


def _within(lines: Sequence[_Line], prefix: str, ending: str, depth: int) -> Iterator[Enclosure]:
    from chunking.markdown import parse

    inner = "\n".join(line.text for line in lines)
    if depth == _DEEPEST or not ("```" in inner or "~~~" in inner or "|" in inner):
        return
    # The line in front keeps a `---` from being read as front matter.
    parsed = parse(f"\n{inner}", "inner")
    for block in parsed.blocks:
        if block.kind in ("code", "table", "quote", "list", "task-list"):
            first, last = parsed.line_of(block.span.start) - 2, parsed.line_of(block.content_end - 1) - 1
            yield from _found(lines[first:last], block.kind, prefix, ending, depth + 1)


def _unquoted(line: _Line) -> _Line:
    return _Line(line.start, line.end, _QUOTE.sub("", line.text, count=1) if _QUOTE.match(line.text) else line.text)


def _list_items(lines: Sequence[_Line]) -> Iterator[tuple[list[_Line], int]]:
    """Each item's lines without their indentation, and how wide that is."""
    item: list[_Line] = []
    indent = 0
    for line in lines:
        width = len(line.text.expandtabs(4)) - len(line.text.expandtabs(4).lstrip())
        marker = _MARKER.match(line.text) if not item or width < indent else None
        if marker:
            if item:
                yield item, indent
            spaces = len(marker.group(3))
            after = spaces if 1 <= spaces <= 4 else 1
            indent = marker.end(2) + after
            item = [_Line(line.start, line.end, line.text[marker.end(2) + min(after, spaces) :])]
        else:
            text = line.text.expandtabs(4) if "\t" in line.text[:width] else line.text
            item.append(_Line(line.start, line.end, text[min(width, indent) :]))
    if item:
        yield item, indent
