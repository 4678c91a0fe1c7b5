"""Fences and tables, also those inside quotes and lists: what a cut within them has to close and
open again.

Where they are is what the one parser says of the block they are in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

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
_LINE = re.compile(r"([^\r\n]*+)(?:\r\n|\r|\n)?")
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


class _Line(NamedTuple):  # thousands of them: a dataclass takes three times as long
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
    lines = _first_and_last(text, span.start) if kind == "code" else []
    if not lines or any(line.text.startswith((" ", "\t", "\ufeff")) for line in lines):
        lines = _all_lines(text, span.start)
    return tuple(_fenced_region(lines, frame, document.line_ending) for frame in _frames(lines, kind)) if lines else ()


def _all_lines(text: str, offset: int) -> list[_Line]:
    """The lines of a block that begins at an offset, up to the last one that is not blank."""
    starts = line_starts(text).tolist()
    lines = [
        _Line(offset + start, offset + end, text[start:end].rstrip("\r\n"))
        for start, end in zip(starts, [*starts[1:], len(text)], strict=True)
    ]
    while lines and not lines[-1].text.strip():
        lines.pop()
    return lines


def _first_and_last(text: str, offset: int) -> list[_Line]:
    """The first and the last of these lines, which say all of a fence that is not indented."""
    content_end = len(text.rstrip())
    last = max(text.rfind("\n", 0, content_end), text.rfind("\r", 0, content_end)) + 1
    found = [_LINE.match(text, start) for start in ((0, last) if last else (0,))]
    return [_Line(offset + line.start(), offset + line.end(), line[1]) for line in found if line]


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
    prefix, text = _split_prefix(first.text, frame, frame.start)
    inner_prefix = prefix if frame.within else ""
    span = Span(first.start, last.end)
    first_line = _first_line_with_markers(lines, frame) or f"{prefix}{text}"
    if frame.marks:
        closer = last.start if frame.closed else last.end
        return FencedRegion(
            span, first.end, closer, f"{first_line}{ending}", f"{prefix}{frame.marks}", (), inner_prefix
        )
    delimiter = lines[frame.start + 1]
    delimiter_row = "".join(_split_prefix(delimiter.text, frame, frame.start + 1))
    opening = f"{first_line}{ending}{delimiter_row}{ending}"
    return FencedRegion(span, delimiter.end, span.end, opening, "", (first.end,), inner_prefix)


def _split_prefix(line: str, frame: RegionLines, number: int) -> tuple[str, str]:
    """What stands in front of a line's text (quote marks and indentation, list markers made
    spaces), and the text. `number` is the line's."""
    at = 1 if line.startswith("\ufeff") else 0
    for container, begins in frame.within:
        mark = _MARKS[container].match(line, at) if container == "quote" or begins == number else None
        at = mark.end() if mark else at
    indent = _INDENT.match(line, at)
    at = indent.end() if indent else at
    return _NO_INDENT.sub(" ", line[:at].removeprefix("\ufeff")), line[at:]


# --- A first line that is repeated, deep in lists -------------------------------------------------
#
# In front of a piece that begins inside a fence, the fence's first line is repeated: its list
# markers as spaces, which is how the lines after it are indented. But four columns of white space
# at a line's start, or behind a quote mark, make indented code of it (CommonMark 0.31.2, 4.4). Such
# a line is repeated with list markers in front, so that the parser reads the same fence again.
# Columns are those of the line with its tabs expanded.


def _first_line_with_markers(lines: Sequence[_Line], frame: RegionLines) -> str | None:
    """The frame's first line behind list markers, if behind spaces it would be indented code.

    None where it would not, in a footnote, and where with no markers the parser reads the frame as
    it is.
    """
    # Of a fence the lines between its ends may be indented as they like.
    framing: Sequence[int] = (frame.start, frame.end - 1) if frame.marks else range(frame.start, frame.end)
    if not frame.within:  # there is nothing in front of most lines
        framing = [at for at in framing if lines[at].text.startswith((" ", "\t", "\ufeff"))]
    indented = any(_is_indented_code(_split_prefix(lines[at].text, frame, at)[0]) for at in framing)
    if not indented or any(container == "footnote" for container, _ in frame.within):
        return None
    from chunking.document.parser import region_lines

    inside = [each.text for each in lines[frame.start + 1 : frame.end]]
    wanted = (0, frame.end - frame.start, frame.marks, frame.closed)
    prefix, text = _split_prefix(lines[frame.start].text, frame, frame.start)
    for line in (_with_own_markers(lines, frame, text), *_with_bullets(prefix, text)):
        if any((each.start, each.end, each.marks, each.closed) == wanted for each in region_lines([line, *inside])):
            return line
    return None


def _is_indented_code(prefix: str) -> bool:
    """Whether text behind these quote marks and white space is indented code.

    Behind a quote mark the first column of white space belongs to the mark.
    """
    first, *quoted = prefix.expandtabs(_CODE_INDENT).split(">")
    return len(first) >= _CODE_INDENT or any(len(each) > _CODE_INDENT for each in quoted)


def _with_own_markers(lines: Sequence[_Line], frame: RegionLines, text: str) -> str:
    """The text behind the markers of all quotes and lists around it, each in its own column."""
    line, quoted_from, content = "", 0, 0
    for number, (container, begins) in enumerate(frame.within):
        if container == "quote":
            line = f"{line.ljust(content)}> "
            quoted_from = content = len(line)
            continue
        marker = _item_marker(lines[begins].text, frame, number)
        column = quoted_from + marker.column
        if line and column - len(line) > _CODE_INDENT:  # so far behind another marker it would be indented code
            column = content
        line = f"{line.ljust(column)}{marker.text}"
        content = column + marker.content - marker.column
    return f"{line.ljust(content)}{text}"


class _ItemMarker(NamedTuple):
    """The marker of a list item. Columns count from where the text of the quote around it
    begins."""

    text: str
    """Such as `-` or `10)`."""
    column: int
    content: int
    """The column where the item's text begins."""


def _item_marker(line: str, frame: RegionLines, number: int) -> _ItemMarker:
    """The marker of the container with this number, in the line that the item begins on."""
    columns = line.removeprefix("\ufeff").expandtabs(_CODE_INDENT)
    item_line, at, quoted_from, marker = frame.within[number][1], 0, 0, ""
    for container, begins in frame.within[: number + 1]:
        mark = _MARKS[container].match(columns, at) if container == "quote" or begins == item_line else None
        if mark is None:
            continue
        at, marker = mark.end(), mark.group().lstrip()
        if container == "quote":
            at += columns[at : at + 1] == " "
            quoted_from = at
    rest = columns[at:]
    blanks = len(rest) - len(rest.lstrip(" "))
    # One blank belongs to the marker where no text follows it, or indented code does.
    gap = blanks if rest.strip() and 1 <= blanks <= _CODE_INDENT else 1
    return _ItemMarker(marker, at - len(marker) - quoted_from, at + gap - quoted_from)


def _with_bullets(prefix: str, text: str) -> Iterator[str]:
    """The text behind as many bullets as its prefix is deep, for lists whose own markers one line
    cannot hold; in each variant it stands one column further left.

    An item's text begins at most 5 columns behind its marker, and text up to 3 columns behind that
    is not yet code; the fence's last line may stand 3 columns further right than its first.
    """
    first, *quoted = prefix.expandtabs(_CODE_INDENT).split(">")
    for left_open, less in product((_CODE_INDENT - 1, 1), range(_CODE_INDENT)):
        widths = (columns - less for columns in (len(first), *(len(each) - 1 for each in quoted)))
        outer, *inner = (_bullets(columns, left_open) for columns in widths)
        yield "> ".join([outer, *inner]) + text


def _bullets(columns: int, left_open: int) -> str:
    """Bullets with their gaps that fill these columns, but for so many at most."""
    whole, rest = divmod(max(0, columns), _CODE_INDENT + 1)
    return f"-{' ' * _CODE_INDENT}" * whole + ("- " if rest > left_open else "")
