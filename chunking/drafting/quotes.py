"""Quotes that a question can be asked about: sentences, list items, table rows and pieces of code,
taken from the documents before any question is worded.

They are given in an order that spreads them: over documents, within these over kinds of block, and
within these over sections.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import zip_longest
from math import sqrt

from chunking.document import Block, Document, Span
from chunking.document.sentences import sentences_in
from chunking.text.display import shown_text

SHORTEST, LONGEST = 30, 400
"""Characters of a quote: less says too little, and of more only a part answers."""
_FEWEST_WORDS = 4
_LONGEST_BLOCK = 20_000
"""Characters of a block that quotes are taken from: a paragraph may be a megabyte."""
_KINDS = {"paragraph": "paragraph", "list": "list", "task-list": "list", "table": "table", "code": "code"}
_KINDS |= {"quote": "quote"}
_ITEM = re.compile(r"^[ \t]{0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?", re.MULTILINE)
_LINE = re.compile(r"[^\r\n]+")
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})")
_RULE_ROW = re.compile(r"[\s|:-]+")
_CLOSING = re.compile(r"^\s*[*_\"”’)\]]+(?=\s)")
_WORD = re.compile(r"[^\W_]{2,}")
_DANGLING = re.compile(
    r"(?:it|its|this|that|these|those|they|them|their|he|she|his|her|such|here|there|then|so|but|and|or|also|however|"
    r"otherwise|instead|both|neither|either|now|again|for example|as above|see)\b",
    re.IGNORECASE,
)
"""How a sentence begins that cannot be understood alone."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A stretch of a document that can answer a question."""

    document: Document
    span: Span
    block: str
    """The kind of block that it is in: paragraph, list, table, code, quote."""
    within: Span
    """The whole block."""

    @property
    def text(self) -> str:
        return self.document[self.span]

    @property
    def titles(self) -> tuple[str, ...]:
        """The titles of the enclosing headings, without the document's name."""
        return self.document.section_at(self.span.start).breadcrumb[1:]

    @property
    def place(self) -> str:
        """`guide.md, line 12`, for messages."""
        return f"{shown_text(self.document.name, 200)}, line {self.document.line_of(self.span.start)}"


def quotes_of(document: Document) -> Iterator[Quote]:
    """Every quote of a document that says something by itself, in source order."""
    for block in document.blocks:
        kind = _KINDS.get(block.kind)
        end = min(block.content_end, block.span.start + _LONGEST_BLOCK)
        if kind is None or end <= block.span.start:
            continue
        within = Span(block.span.start, end)
        for span in _pieces(document, block, within):
            trimmed = _trimmed(document, span)
            text = document[trimmed]
            if SHORTEST <= len(text) <= LONGEST and len(_WORD.findall(text)) >= _FEWEST_WORDS:
                yield Quote(document, trimmed, kind, within)


def _pieces(document: Document, block: Block, within: Span) -> Iterable[Span]:
    if block.kind == "paragraph":
        return _sentences(document, within)
    if block.kind in ("list", "task-list"):
        return _items(document, within)
    if block.kind == "table":
        return _rows(document, within)
    if block.kind == "code":
        return _code(document, within)
    return (within,)


def _sentences(document: Document, within: Span) -> Iterator[Span]:
    for span in sentences_in(document, within):
        text = document[span].strip()
        if text[-1:] in tuple(".!?。！？।…") and not _DANGLING.match(text.lstrip("*_\"'")):
            yield span


def _items(document: Document, within: Span) -> Iterator[Span]:
    """The items of a list, without their marks; the items of an inner list belong to theirs."""
    starts = list(_ITEM.finditer(document.text, within.start, within.end))
    ends = [each.start() for each in starts[1:]] + [within.end]
    for start, end in zip(starts, ends, strict=True):
        yield Span(start.end(), end)


def _rows(document: Document, within: Span) -> Iterator[Span]:
    lines = [Span(*each.span()) for each in _LINE.finditer(document.text, within.start, within.end)]
    for line in lines[2:]:
        text = document[line]
        filled = [cell for cell in cells(text) if cell]
        if "|" in text and len(filled) > 1 and not _RULE_ROW.fullmatch(text):
            yield line


def _code(document: Document, within: Span) -> Iterator[Span]:
    """The code without its fences: all of it, or its pieces between blank lines where that is too
    long."""
    lines = [Span(*each.span()) for each in _LINE.finditer(document.text, within.start, within.end)]
    inside = [line for line in lines if not _FENCE.match(document[line])]
    if not inside:
        return
    whole = Span(inside[0].start, inside[-1].end)
    if whole.end - whole.start <= LONGEST:
        yield whole
        return
    first = inside[0]
    for before, after in zip(inside, [*inside[1:], None], strict=True):
        apart = after is None or document.text.count("\n", before.end, after.start) > 1
        if apart:
            yield Span(first.start, before.end)
        if apart and after is not None:
            first = after


def cells(row: str) -> list[str]:
    """The cells of a row of a table, without white space around them."""
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def header_of(quote: Quote) -> list[str]:
    """The cells of the first row of the table that a quote is in."""
    first = _LINE.search(quote.document.text, quote.within.start, quote.within.end)
    return cells(first.group()) if first else []


def _trimmed(document: Document, span: Span) -> Span:
    """Without white space, and without the end of an emphasis that began in the sentence before."""
    text = document[span]
    start = span.start + len(text) - len(_CLOSING.sub("", text, count=1).lstrip())
    return Span(start, max(start, span.start + len(text.rstrip())))


def spread(quotes: Iterable[Quote], seed: int = 0, first: Callable[[Quote], bool] = lambda _: False) -> Iterator[Quote]:
    """All quotes, in an order whose every beginning is spread over documents, kinds of block and
    sections.

    A document or kind with four times as many quotes comes twice as often; within a kind those that
    shall come `first` do. The same quotes and seed give the same order.
    """
    groups: dict[str, dict[str, dict[int, list[Quote]]]] = {}
    for quote in quotes:
        section = quote.document.section_at(quote.span.start).span.start
        groups.setdefault(quote.document.name, {}).setdefault(quote.block, {}).setdefault(section, []).append(quote)
    documents = {
        name: _Taken({kind: _Sections(of, seed, first) for kind, of in kinds.items()}) for name, kinds in groups.items()
    }
    everything = _Taken(documents)
    while (next_one := everything.take()) is not None:
        yield next_one


class _Sections:
    """The quotes of one kind in one document: a section after the other, and again from the first;
    those that are wanted first, and then the others in the same way."""

    def __init__(self, by_section: dict[int, list[Quote]], seed: int, first: Callable[[Quote], bool]) -> None:
        self.size: int = sum(map(len, by_section.values()))
        halves: tuple[list[list[Quote]], list[list[Quote]]] = ([], [])
        for quotes in by_section.values():
            drawn = sorted(quotes, key=lambda each: _drawn(each, seed))
            wanted = [each for each in drawn if first(each)]
            halves[0].append(wanted)
            halves[1].append([each for each in drawn if each not in wanted])
        self._left = deque(quote for half in halves for quote in _in_turn(half, seed))

    def take(self) -> Quote | None:
        return self._left.popleft() if self._left else None


def _in_turn(sections: Iterable[Sequence[Quote]], seed: int) -> Iterator[Quote]:
    """The first quote of each section, then the second of each that has one, and so on."""
    ordered = sorted((each for each in sections if each), key=lambda quotes: _drawn(quotes[0], seed))
    for row in zip_longest(*ordered):
        yield from (quote for quote in row if quote is not None)


class _Taken:
    """Groups that are taken from in turn, the one first that had least for the root of its size."""

    def __init__(self, groups: Mapping[str, _Sections | _Taken]) -> None:
        self.size: int = sum(group.size for group in groups.values())
        self._groups: dict[str, _Sections | _Taken] = dict(groups)
        self._weights = {name: sqrt(group.size) for name, group in groups.items()}
        self._taken = dict.fromkeys(groups, 0)

    def take(self) -> Quote | None:
        while self._groups:
            name = min(self._groups, key=lambda each: (self._taken[each] + 1) / self._weights[each])
            quote = self._groups[name].take()
            if quote is None:
                del self._groups[name]
                continue
            self._taken[name] += 1
            return quote
        return None


def _drawn(quote: Quote, seed: int) -> bytes:
    """A random place in the order, the same for the same seed."""
    return sha256(f"{seed}\0{quote.document.name}\0{quote.span.start}".encode("utf-8", "surrogatepass")).digest()


def all_quotes(documents: Sequence[Document]) -> list[Quote]:
    """Every quote of these documents, in order."""
    return [quote for document in documents for quote in quotes_of(document)]
