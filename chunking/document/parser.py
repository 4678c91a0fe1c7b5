"""The Markdown parser: text to Document. The only package module that imports markdown-it-py.

Markdown is CommonMark with GFM tables, footnote definitions and `$$` blocks (DECISIONS all-1,
bp-9). `scanner.py` reads what is common and certain, and asks markdown-it's own rules for
everything else, on the spot; `reference_parse` lets markdown-it read all of it and must give the
same document. Tests hold the two together.

How choices were made where CommonMark has none:
- A list is a `task-list` when any of its own items begins with `[ ]` or `[x]`, as on GitHub.
- An `image` is a paragraph of one line that is one inline image and nothing else.
- Link reference definitions that follow each other are one `paragraph`.
- A paragraph of Unicode white space only is blank text, not a block.
- A U+FEFF at the very start stays in the text and counts as nothing: the first heading is a
  heading.
- Below 40 open containers, content is read as paragraphs; markdown-it itself would skip the rest of
  the document.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.parser_block import ParserBlock
from markdown_it.rules_block import StateBlock, paragraph
from markdown_it.rules_block.html_block import HTML_SEQUENCES
from markdown_it.token import Token
from mdit_py_plugins.dollarmath.index import math_block_dollar
from mdit_py_plugins.footnote import footnote_plugin

from chunking.document.blocks import build_blocks
from chunking.document.conversion import Conversion
from chunking.document.front_matter import front_matter_lines, scalar_entries
from chunking.document.headings import defined_labels
from chunking.document.line_patterns import is_task
from chunking.document.loader_settings import NO_LOADER, LoaderSettings
from chunking.document.model import Document
from chunking.document.parsed_block import Container, ParsedBlock, PieceKind, RegionLines
from chunking.document.scanner import scan
from chunking.document.source_files import source_blocks, source_language
from chunking.runtime.argument_types import require_type
from chunking.runtime.gc_pause import gc_paused
from chunking.runtime.made_once import once
from chunking.runtime.text_memory import memory
from chunking.text.lines import split_lines, unit_line_starts

MAX_NESTING = 40

_KINDS: dict[str, PieceKind] = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "fence": "code",
    "code_block": "code",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "table_open": "table",
    "blockquote_open": "quote",
    "html_block": "html",
    "hr": "rule",
    "math_block": "math",
    "math_block_label": "math",
    "footnote_reference_open": "footnote",
    "definition": "definition",
}

_CONTAINERS: dict[str, Container] = {"blockquote": "quote", "list_item": "item", "footnote_reference": "footnote"}
_OPENING_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CLOSING_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*(?![^\r\n])")


def parse(text: str, name: str = "document.md", conversion: Conversion | None = None) -> Document:
    """Read a Markdown text, or source code where the name or the first line says so
    (source_files.py). Never fails; `name` is the path below its root, with `/`, and `conversion`
    how the text was made of a file in another format."""
    require_type(text, str, "parse takes a text, and load(path) a file")
    require_type(name, str, "a document's name is a text")
    return _read(text, name, _scan, conversion)


def reference_parse(text: str, name: str = "document.md") -> Document:
    """The same document, with every line read by markdown-it: slow, and what `parse` is measured
    against."""
    return _read(text, name, _read_by_markdown_it)


def reparse_without_unclosed_fence(document: Document) -> Document | None:
    """The document with each unclosed fence's opening line read as a paragraph; None when no fence
    is left open.

    Reading resumes on the line after the opening one, so there may be more of them; each leaves a
    warning. Such a paragraph never becomes a setext heading. Fences inside quotes and lists end
    with these. DECISIONS bp-6.
    """
    if not document.blocks or not _ends_in_open_fence(document):
        return None
    return _read(document.text, document.name, _scan_without_open_fences, document.conversion, document.loader)


@memory.remembered(
    most=8,
    of=lambda document, _: (document.text,),
    key=lambda document, loader: (document.name, document.text_hash, document.conversion, loader),
)
def reread(document: Document, loader: LoaderSettings) -> Document:
    """The document's text, read with other headings."""
    return _read(document.text, document.name, _scan, document.conversion, loader)


def region_lines(lines: Sequence[str]) -> list[RegionLines]:
    """The fences and tables of one outermost block, given by its lines without line ends, in
    order."""
    within: list[tuple[Container, int]] = []
    found: list[RegionLines] = []
    for token in _parser().parse("\n".join(lines) + "\n", {}):
        kind = _CONTAINERS.get(token.type.removesuffix("_open").removesuffix("_close"))
        if kind and token.nesting == 1:
            within.append((kind, token.map[0] if token.map else 0))
        elif kind:
            within.pop()
        elif token.map and token.type in ("fence", "table_open"):
            start, end = token.map
            fence = token.type == "fence"
            closed = fence and token.content.count("\n") < end - start - 1
            found.append(RegionLines(start, end, token.markup if fence else "", closed, tuple(within)))
    return found


def _ends_in_open_fence(document: Document) -> bool:
    text, last = document.text, document.blocks[-1]
    first = 1 if last.span.start == 0 and text.startswith("\ufeff") else last.span.start
    opening = _OPENING_FENCE.match(text, first)
    if last.kind != "code" or opening is None:
        return False
    start = max(text.rfind(end, first, last.content_end) for end in "\r\n") + 1
    closing = _CLOSING_FENCE.match(text, start) if start > first else None
    return closing is None or not closing[1].startswith(opening[1])


Reading = tuple[list[ParsedBlock], list[str]]
"""What the blocks are, by line, and what there is to warn of."""


def _scan(lines: list[str], first: int) -> Reading:
    return scan(lines, first, Rules(lines))[0], []


def _scan_without_open_fences(lines: list[str], first: int) -> Reading:
    pieces, unclosed = scan(lines, first, Rules(lines), open_fences=False)
    return pieces, [f"unclosed fence on line {line + 1}" for line in unclosed]


def _read_by_markdown_it(lines: list[str], first: int) -> Reading:
    tokens = _parser().parse("\n".join(lines[first:]) + "\n", {})
    return list(_pieces(tokens, lines, first)), []


def _read(
    text: str,
    name: str,
    reading: Callable[[list[str], int], Reading],
    conversion: Conversion | None = None,
    loader: LoaderSettings = NO_LOADER,
) -> Document:
    """Lines -> pieces -> blocks, in our own programs with the garbage collector off."""
    with gc_paused():
        lines, starts = split_lines(text)
        if conversion is None and source_language(name, text):
            head, pieces, warnings = 0, list(source_blocks(lines)), list[str]()
        else:
            head = front_matter_lines(lines)
            pages = [bisect_left(starts, each) for each in conversion.page_starts] if loader and conversion else []
            pieces, warnings = _with_found(lines, head, pages, reading, loader) if loader else reading(lines, head)
        blocks = build_blocks(text, lines, starts, head, pieces, _InlineText(lines))
        metadata = scalar_entries(lines[:head])
        document = Document(name, text, tuple(blocks), metadata, tuple(warnings), conversion, loader)
        # The lines are known here: what `Document` would work out again on the first `line_of`.
        document.__dict__["_line_starts"] = array("q", starts[: max(1, len(lines))])
        return document


def _with_found(
    lines: list[str],
    head: int,
    pages: Sequence[int],
    reading: Callable[[list[str], int], Reading],
    loader: LoaderSettings,
) -> Reading:
    """As `reading`, with the headings that the loader's settings find; `pages` are the lines on
    which pages begin, where that is known."""
    from chunking.document.heading_lines import found_headings, marked, with_titles

    found = found_headings(lines, head, loader, pages)
    pieces, warnings = reading(marked(lines, found), head)
    return with_titles(pieces, found), warnings


class _InlineText:
    """The plain text of a heading's inline Markdown; knows the labels that its links may use."""

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._references: dict[str, dict[str, str]] | None = None

    def __call__(self, raw: str) -> str:
        tokens: list[Token] = []
        md = _inline_parser()
        md.inline.parse(raw, md, {"references": self._labels() if "[" in raw else {}}, tokens)
        text = "".join(_texts(tokens))
        # An entity such as `&#0;` stands for U+FFFD; what was not written is not shown.
        return text if "\ufffd" in raw else text.replace("\ufffd", "")

    def _labels(self) -> dict[str, dict[str, str]]:
        if self._references is None:
            labels = defined_labels(self._lines)
            self._references = {normalizeReference(label): {"href": "", "title": ""} for label in labels}
        return self._references


def _texts(tokens: Sequence[Token]) -> Iterator[str]:
    """The text of inline tokens; an image stands for its alt text, HTML tags for nothing."""
    for token in tokens:
        if token.type in ("softbreak", "hardbreak"):
            yield " "
        elif token.type == "image":
            yield from _texts(token.children or ())
        elif token.type != "html_inline":
            yield token.content


@once
def _inline_parser() -> MarkdownIt:
    return ready(MarkdownIt("commonmark"))


@once
def _parser() -> MarkdownIt:
    """markdown-it for blocks only."""
    md = MarkdownIt("commonmark", {"maxNesting": MAX_NESTING, "inline_definitions": True}).enable("table")
    footnote_plugin(md, inline=False, move_to_end=False)
    md.block.ruler.before("fence", "math_block", _math_block)
    md.core.ruler.disable("inline")
    bounded = _BoundedBlocks()
    bounded.ruler = md.block.ruler
    md.block = bounded
    return ready(md)


def ready(md: MarkdownIt) -> MarkdownIt:
    """The parser, fit for many threads: it sorts its rules on first use, in steps that a second
    thread would see."""
    md.render("# *a*\n\n| b |\n|---|\n| [c](d) |\n")
    return md


_plugin_math_block = math_block_dollar(allow_labels=True, allow_blank_lines=False)
_OPEN_MATH = "lines without a $$ that closes one"
"""The key in a parser's `env` of the last such lines: the first one, and the one after the last."""


def _math_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """A `$$` block without blank lines, kept inside its list item or quote (the plugin's runs on
    behind them).

    Linear over all the `$$` of a document, closed or not, outside quotes and lists.
    """
    at = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("$$", at):
        return False
    outermost = state.level == 0
    first, stop = state.env.get(_OPEN_MATH, (0, 0)) if outermost else (0, 0)
    if first <= start < stop:  # nothing below closes it; its own line may
        return _plugin_math_block(state, start, start + 1, silent)
    stop = start + 1
    while stop < end and not state.isEmpty(stop) and state.sCount[stop] >= state.blkIndent:
        stop += 1
        if state.src[state.bMarks[stop - 1] : state.eMarks[stop - 1]].strip().endswith("$$"):
            break
    found = _plugin_math_block(state, start, stop, silent)
    indented = state.is_code_block(start)
    if outermost and not found and not indented and "$$" not in state.src[at + 2 : state.eMarks[start]]:
        state.env[_OPEN_MATH] = (start, stop)
    return found


class _BoundedBlocks(ParserBlock):
    """markdown-it's block parser, except that what is nested too deep is read as paragraphs.

    The original skips to the end of the document there, and every heading after the list is lost.
    """

    def tokenize(self, state: StateBlock, startLine: int, endLine: int) -> None:  # noqa: N803 (markdown-it's names)
        rules = self.ruler.getRules("") if state.level < state.md.options.maxNesting else [paragraph]
        line = startLine
        blank_seen = False
        while line < endLine:
            state.line = line = state.skipEmptyLines(line)
            if line >= endLine or state.sCount[line] < state.blkIndent:
                break
            for rule in rules:
                if rule(state, line, endLine, False):
                    break
            state.tight = not blank_seen
            line = state.line
            if line - 1 < endLine and state.isEmpty(line - 1):
                blank_seen = True
            if line < endLine and state.isEmpty(line):
                blank_seen = True
                line += 1
                state.line = line


class Rules:
    """markdown-it's block rules, to be asked about one line of a document at a time.

    A block is read in a window of lines first, which is widened until the block and a blank line
    behind it end well inside. Where that happens often, the window is the whole document.
    """

    html = HTML_SEQUENCES

    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self._whole: _State | None = None
        self._lines_seen = 0

    def block_at(self, line: int) -> tuple[list[ParsedBlock], int]:
        """The block that begins on this non-blank line outside all containers, and the line to go
        on with."""
        width = 64
        while self._whole is None:
            window = self._lines[line : line + width]
            self._lines_seen += len(window)
            if self._lines_seen > len(self._lines) // 4:
                self._whole = _State(self._lines)
                break
            state = _State(window)
            end = state.read_block(0)
            # A blank line also ends the search for what closes a `$$`.
            if end + 2 <= len(window) and not all(text.strip() for text in window[end:]):
                return list(_pieces(state.tokens, self._lines, line)), line + end
            width *= 4
        end = self._whole.read_block(line)
        pieces = list(_pieces(self._whole.tokens, self._lines, 0))
        _free(self._whole.tokens)
        return pieces, end


class _State(StateBlock):
    """markdown-it's view of lines that are split already."""

    def __init__(self, lines: list[str]) -> None:
        self.src = "\n".join(lines) + "\n"
        self.md = _parser()
        self.env = {}
        self.tokens = []
        self.bMarks = unit_line_starts(lines)
        self.eMarks = [mark - 1 for mark in self.bMarks[1:]]
        self.tShift = [len(line) - len(line.lstrip(" \t")) for line in lines]
        self.sCount = self.tShift.copy()
        if "\t" in self.src:
            for at, line in enumerate(lines):
                shift = self.tShift[at]
                if shift and "\t" in line[:shift]:
                    self.sCount[at] = len(line[:shift].expandtabs(4))
        self.lineMax = len(lines)
        self.eMarks.append(len(self.src))
        self.tShift.append(0)
        self.sCount.append(0)
        self.bsCount = [0] * (len(lines) + 1)
        self.blkIndent = self.line = self.level = 0
        self.ddIndent = self.listIndent = -1
        self.tight = False
        self.parentType = "root"
        self.result = ""
        self._code_enabled = True

    def read_block(self, line: int) -> int:
        """Leave the tokens of the block that begins on this line in `tokens`; the line to go on
        with."""
        self.tokens = []
        self.parentType = "root"
        self.line = line
        for rule in self.md.block.ruler.getRules(""):
            if rule(self, line, self.lineMax, False):
                break
        return self.line


def _free(tokens: list[Token]) -> None:
    """Free the tokens a few at a time: all of a long list at once would hold the interpreter's lock
    for a tenth of a second."""
    while tokens:
        del tokens[-1_000:]


def _pieces(tokens: Iterable[Token], lines: list[str], first: int) -> Iterator[ParsedBlock]:
    """The outermost blocks among block tokens; `first` is the line that the tokens call 0."""
    piece: ParsedBlock | None = None
    for token in tokens:
        if token.level == 1 and token.type == "list_item_open" and piece and piece.kind == "list" and token.map:
            if is_task(lines[token.map[0] + first]):
                piece = piece._replace(kind="task-list")
        elif token.level == 0 and token.nesting >= 0 and token.map and (kind := _KINDS.get(token.type)):
            if piece:
                yield piece
            start, end = token.map
            level = int(token.tag[1]) if kind == "heading" else 0
            setext = kind == "heading" and token.markup[0] != "#"
            piece = ParsedBlock(kind, start + first, end + first, level, setext)
    if piece:
        yield piece
