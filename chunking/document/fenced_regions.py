"""Fences and tables, also those inside quotes and lists: what a cut within them has to close and
open again.

Where they are is what the one parser says of the block they are in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chunking.document.model import BlockKind, Document
from chunking.document.parsed_block import Container, RegionLines
from chunking.text.lines import line_starts
from chunking.text.spans import Span

_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*\Z)|~{3,})")
_MARKS: dict[Container, re.Pattern[str]] = {
    "quote": re.compile(r"[ \t]*>"),
    "item": re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])"),
    "footnote": re.compile(r"[ \t]*\[\^[^\]]*\]:"),
}
_INDENT = re.compile(r"[ \t]*")
_NO_INDENT = re.compile(r"[^> \t]")
_CODE_INDENT = 4
"""Columns of white space that make a line indented code; also the width of a tab (CommonMark
0.31.2, 2.2 and 4.4)."""

HOLDING: frozenset[BlockKind] = frozenset({"code", "table", "quote", "list", "task-list", "footnote"})
"""Kinds that are a fence or a table, or may hold one."""


@dataclass(frozen=True, slots=True)
class FencedRegion:
    """A fence or a table in a document, and the lines that frame it."""

    span: Span
    """Whole lines, from the first of the frame to the last of the fence or table."""
    opener_end: int
    """Where the fence's first line or the table's header ends, after its line ending."""
    closer_start: int
    """Where the line that closes the fence begins; the span's end for a table or an unclosed
    fence."""
    opening: str
    """The lines to put in front of a piece that begins inside, each ended with the document's line
    ending."""
    closing: str
    """The line to put after a piece that ends inside, without a line ending; empty for a table."""
    header_ends: tuple[int, ...]
    """Where the lines of the header end, the last aside."""
    prefix: str
    """The quote marks and list indentation that every line inside carries."""

    @property
    def frame(self) -> frozenset[int]:
        """Places where a cut would part the frame from all it frames, or a table's header from its
        delimiter row."""
        return frozenset((*self.header_ends, self.opener_end, self.closer_start))

    def inside(self, offset: int) -> bool:
        """Whether text that begins at `offset` needs `opening`, and text that ends there
        `closing`."""
        return self.opener_end <= offset < self.span.end


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str
    """The line without its line ending."""


def fenced_regions(document: Document, span: Span, kind: BlockKind) -> tuple[FencedRegion, ...]:
    """The fences and tables of a block, in source order. `span` begins where the block does."""
    if kind not in HOLDING:
        return ()
    text = document[span]
    if kind not in ("code", "table") and not ("```" in text or "~~~" in text or "|" in text):
        return ()
    starts = line_starts(text).tolist()
    lines = [
        _Line(span.start + start, span.start + end, text[start:end].rstrip("\r\n"))
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True)
    ]
    while lines and not lines[-1].text.strip():
        lines.pop()
    return tuple(_fenced_region(lines, frame, document.line_ending) for frame in _frames(lines, kind)) if lines else ()


def holds_code(document: Document, spans: Sequence[Span]) -> bool:
    """Whether there is code in these stretches, also in lists and quotes."""
    for span in spans:
        at = span.start
        while at < span.end:
            block = document.block_at(at)
            if block.kind == "code" or any(
                frame.closing and frame.span.start < span.end and frame.span.end > span.start
                for frame in fenced_regions(document, Span(block.span.start, block.content_end), block.kind)
            ):
                return True
            at = block.span.end
    return False


def _frames(lines: Sequence[_Line], kind: BlockKind) -> Iterator[RegionLines]:
    """What is framed in a block; only containers have to be read for it."""
    if kind == "code":
        fence = _FENCE.match(lines[0].text.removeprefix("\ufeff"))
        if fence:
            marks, closer = fence.group(1), lines[-1].text.strip()
            closed = len(lines) > 1 and len(closer) >= len(marks) and not closer.strip(marks[0])
            yield RegionLines(0, len(lines), marks, closed, ())
    elif kind == "table":
        if len(lines) > 1:
            yield RegionLines(0, len(lines), "", False, ())
    else:
        from chunking.document.parser import region_lines

        yield from region_lines([line.text.removeprefix("\ufeff") if not line.start else line.text for line in lines])


def _fenced_region(lines: Sequence[_Line], frame: RegionLines, ending: str) -> FencedRegion:
    first, last = lines[frame.start], lines[min(frame.end, len(lines)) - 1]
    indent, text = _parted(first.text, frame, frame.start)
    prefix = indent if frame.within else ""
    span = Span(first.start, last.end)
    again = _in_its_lists(lines, frame, text) or f"{indent}{text}"
    if frame.marks:
        closer = last.start if frame.closed else last.end
        return FencedRegion(span, first.end, closer, f"{again}{ending}", f"{indent}{frame.marks}", (), prefix)
    rule = lines[frame.start + 1]
    opening = f"{again}{ending}{''.join(_parted(rule.text, frame, frame.start + 1))}{ending}"
    return FencedRegion(span, rule.end, span.end, opening, "", (first.end,), prefix)


def _in_its_lists(lines: Sequence[_Line], frame: RegionLines, text: str) -> str | None:
    """The frame's first line behind the markers of its lists, where white space in their place
    would say that it is indented code: four columns of it. None where it would not, or where it is
    in a footnote.
    """
    # Of a fence the lines between its ends may be indented as they like.
    framing = (frame.start, frame.end - 1) if frame.marks else range(frame.start, frame.end)
    deep = any(_is_deep(_parted(lines[at].text, frame, at)[0]) for at in framing)
    if not deep or any(container == "footnote" for container, _ in frame.within):
        return None
    from chunking.document.parser import region_lines

    inside = [each.text for each in lines[frame.start + 1 : frame.end]]
    wanted = (0, frame.end - frame.start, frame.marks, frame.closed)
    indent, _ = _parted(lines[frame.start].text, frame, frame.start)
    for again in (*_behind_markers(lines, frame, text), *_behind_bullets(indent, text)):
        if any((each.start, each.end, each.marks, each.closed) == wanted for each in region_lines([again, *inside])):
            return again
    return None


def _behind_markers(lines: Sequence[_Line], frame: RegionLines, text: str) -> Iterator[str]:
    """The text behind the markers of all its quotes and lists, each in the column where it was."""
    line, base, content = "", 0, 0
    for number, (container, begins) in enumerate(frame.within):
        if container == "quote":
            line = f"{line.ljust(content)}> "
            base = content = len(line)
        else:
            column, marker, offset = _marker(lines[begins].text, frame, number)
            place = base + column
            if line and place - len(line) > _CODE_INDENT:  # so far behind a marker it would be indented code
                place = content
            line, content = f"{line.ljust(place)}{marker}", place + offset - column
    yield f"{line.ljust(content)}{text}"


def _behind_bullets(indent: str, text: str) -> Iterator[str]:
    """The text behind as many bullets as its indentation is deep, for lists whose own markers one
    line cannot hold.

    An item's text begins at most 5 columns behind its marker, and text up to 3 columns behind that
    is not yet code.
    """
    first, *quoted = indent.expandtabs(_CODE_INDENT).split(">")
    for less in range(_CODE_INDENT):
        outer, *inner = (_bullets(columns - less) for columns in (len(first), *(len(each) - 1 for each in quoted)))
        yield "> ".join([outer, *inner]) + text


def _bullets(columns: int) -> str:
    """Markers that fill these columns, the last up to 3 aside."""
    whole, rest = divmod(max(0, columns), _CODE_INDENT + 1)
    return f"-{' ' * _CODE_INDENT}" * whole + ("- " if rest == _CODE_INDENT else "")


def _is_deep(prefix: str) -> bool:
    """Whether a line behind these quote marks and white space is indented code."""
    first, *quoted = prefix.expandtabs(_CODE_INDENT).split(">")
    return len(first) >= _CODE_INDENT or any(len(each) > _CODE_INDENT for each in quoted)


def _marker(line: str, frame: RegionLines, number: int) -> tuple[int, str, int]:
    """A list item's marker in the line it begins on, the column of it and of the item's text, both
    from where the text of the quote around it begins."""
    columns = line.removeprefix("\ufeff").expandtabs(_CODE_INDENT)
    begun, at, base, marker = frame.within[number][1], 0, 0, ""
    for container, begins in frame.within[: number + 1]:
        mark = _MARKS[container].match(columns, at) if container == "quote" or begins == begun else None
        if mark is None:
            continue
        at, marker = mark.end(), mark.group().lstrip()
        if container == "quote":
            at += columns[at : at + 1] == " "
            base = at
    rest = columns[at:]
    blanks = len(rest) - len(rest.lstrip(" "))
    width = blanks if rest.strip() and 1 <= blanks <= _CODE_INDENT else 1
    return at - len(marker) - base, marker, at + width - base


def _parted(line: str, frame: RegionLines, number: int) -> tuple[str, str]:
    """The quote marks and indentation in front of a line's text, list markers made spaces; and the
    text."""
    at = 1 if line.startswith("\ufeff") else 0
    for container, begins in frame.within:
        mark = _MARKS[container].match(line, at) if container == "quote" or begins == number else None
        at = mark.end() if mark else at
    indent = _INDENT.match(line, at)
    at = indent.end() if indent else at
    return _NO_INDENT.sub(" ", line[:at].removeprefix("\ufeff")), line[at:]
