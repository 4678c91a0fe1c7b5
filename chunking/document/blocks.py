"""What the parser found, by lines -> blocks that tile the text, with titles and anchors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from chunking.document.headings import Anchors, InlineText, plain_title, raw_title, split_id, unmarked_title
from chunking.document.model import Block
from chunking.document.parsed_block import ParsedBlock
from chunking.text.graphemes import grapheme_ceiling
from chunking.text.spans import Span

_IMAGE = re.compile(
    r"[ \t]*!\[(?:[^\[\]\\]|\\.|\[[^\[\]\\]*\])*+\]"
    r"\((?:<[^<>\\]*>|(?:[^\s()\\<]|\\.|\([^\s()\\]*\))*+)(?:[ \t]+(?:\"[^\"\\]*\"|'[^'\\]*'))?[ \t]*\)\s*"
)
_block = partial(tuple.__new__, Block)
"""`Block._make`, in half the time; the constructor takes twice as long as that."""
_LINE_END = re.compile(r"\r\n?|\n")


def build_blocks(
    text: str, lines: list[str], starts: list[int], head: int, pieces: Iterable[ParsedBlock], inline_text: InlineText
) -> list[Block]:
    """Blocks that tile the text. A block runs to the start of the next; blank text before the first
    is one too.

    `lines` and `starts` are from `split_lines`; `head` is how many lines are front matter.
    """
    visible = [piece for piece in _merged(pieces) if lines[piece[1]].strip() or not _is_blank(lines, piece)]
    blocks: list[Block] = []
    if head:
        end = starts[visible[0].start] if visible else len(text)
        blocks.append(Block("front-matter", Span(0, end), starts[head - 1] + len(lines[head - 1].rstrip())))
    elif text and (not visible or visible[0].start):
        blocks.append(Block("blank", Span(0, starts[visible[0].start] if visible else len(text)), 0))
    headings = _OpenHeadings(text, lines, inline_text)
    following = [piece[1] for piece in visible[1:]]
    following.append(len(lines))
    # The text itself says how long the first line is: a U+FEFF at the start is not in `lines`.
    mark = 1 if text[:1] == "\ufeff" else 0
    is_ascii = text.isascii()
    add = blocks.append
    for piece, next_line in zip(visible, following, strict=False):
        kind, first, end = piece[0], piece[1], piece[2]
        last = next_line - 1
        while not (content := lines[last].rstrip()):
            last -= 1
        content_end = starts[last] + len(content) + (mark if last == 0 else 0)
        span = Span(starts[first], starts[next_line])
        sure = is_ascii or (content is lines[last] and content.isascii())
        if not (sure or text[content_end - 1 : content_end + 1].isascii()):
            content_end = grapheme_ceiling(text, content_end, span.start)  # white space may belong to what is before
        if kind == "heading":
            add(headings.make(piece, span, content_end))
            continue
        if kind == "paragraph":
            if end == first + 1 and "![" in lines[first] and _IMAGE.fullmatch(lines[first]):
                kind = "image"
        elif kind == "definition":
            kind = "paragraph"
        add(_block((kind, span, content_end, 0, "", "", "")))
    return blocks


def _merged(pieces: Iterable[ParsedBlock]) -> Iterator[ParsedBlock]:
    """The pieces, with definitions that follow each other line by line made one."""
    last: ParsedBlock | None = None
    for piece in pieces:
        if last is None:
            last = piece
        elif piece.kind == "definition" == last.kind and last.end == piece.start:
            last = ParsedBlock("definition", last.start, piece.end)
        else:
            yield last
            last = piece
    if last is not None:
        yield last


def _is_blank(lines: list[str], piece: ParsedBlock) -> bool:
    """Whether a piece holds Unicode white space only: to CommonMark, a line of U+00A0 is a
    paragraph."""
    return not lines[piece.start].strip() and not any(line.strip() for line in lines[piece.start : piece.end])


class _OpenHeadings:
    """Makes heading blocks, and remembers the anchors that are taken."""

    def __init__(self, text: str, lines: list[str], inline_text: InlineText) -> None:
        self._text = text
        self._lines = lines
        self._inline_text = inline_text
        self._anchors = Anchors()

    def make(self, piece: ParsedBlock, span: Span, content_end: int) -> Block:
        _, start, end, level, setext, found = piece
        if not (setext or found) and (title := unmarked_title(self._lines[start])):
            return _block(("heading", span, content_end, level, title, title, self._anchors.take("", title)))
        raw = found or raw_title(self._lines[start:end], setext=setext)
        if "\ufffd" in raw and not found:
            raw = self._with_nul(span, content_end, setext=setext)
        raw, given = split_id(raw)
        title = plain_title(raw, self._inline_text)
        return Block("heading", span, content_end, level, title, raw, self._anchors.take(given, title))

    def _with_nul(self, span: Span, content_end: int, *, setext: bool) -> str:
        """A title with the NULs that splitting into lines replaced."""
        lines = _LINE_END.split(self._text[span.start : content_end].removeprefix("\ufeff"))
        return raw_title(lines, setext=setext)
