"""The structure of a source text: where its definitions and statements begin and how deep, and the
definitions around any offset. Made once of a document, whatever the settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from chunking.document import Block, Document, Span
from chunking.document.fenced_regions import FencedRegion, fenced_regions
from chunking.document.source_files import Language, fence_language
from chunking.runtime.gc_pause import gc_paused
from chunking.splitting.document_cache import Memo, once_per_document
from chunking.splitting.source_code.grammars import plain_bytes, require_grammar, syntax_tree
from chunking.splitting.source_code.syntax import COMMENTS, FUNCTIONS, ONLY_WITH_A_FUNCTION, SYNTAXES, Syntax
from chunking.text.graphemes import at_clusters

if TYPE_CHECKING:
    from tree_sitter import Node

Offsets = npt.NDArray[np.int64]

_SMALL = 32
"""Bytes below which a node that is no definition is not looked into: there is nothing in it to cut
at. It also keeps minified code fast, most of whose nodes are smaller."""
_DEEPEST = 48
"""How many sequences within sequences, and definitions within definitions, are told apart."""
_LONGEST_SIGNATURE = 400
"""Bytes of a signature of which more than the first line is repeated."""
_LINE_ENDS = b"\r\n"
_BLANKS = b" \t"
_CLOSERS = b" \t}])"
_BEFORE_STATEMENTS = b";{},"
"""What may stand in front of a statement on its line."""


class Definition(NamedTuple):
    """A function, class or the like, in offsets of the document."""

    begins: int
    """Where it begins with the comments, attributes and keywords in front of it."""
    signature: Span
    """From its first word to where its body begins."""
    end: int
    name: Span


class _InnerEnds(Memo[tuple[int, int], Offsets]):
    """The stops inside a stretch."""

    most = 1 << 20


class CodeStructure:
    """Stops (offsets where statements begin) by depth, and definitions, of one source text."""

    def __init__(self, stops: Offsets, depths: Offsets, definitions: Sequence[Definition]) -> None:
        self._stops = stops
        self._depths = depths
        self._definitions = tuple(definitions)
        self._begins = np.array([each.begins for each in definitions], dtype=np.int64)
        self._around = _outer_definitions(definitions)
        self._inner = _InnerEnds()

    def ends_within(self, start: int, end: int) -> Offsets:
        """Where the parts of a stretch end, by the least deep statements that begin in it: its own
        end is the last, and the only one where none begins in it."""
        known = self._inner.get((start, end))
        if known is None:
            first = int(np.searchsorted(self._stops, start, side="right"))
            last = int(np.searchsorted(self._stops, end, side="left"))
            depths = self._depths[first:last]
            inner = self._stops[first:last][depths == depths.min()] if first < last else self._stops[:0]
            known = self._inner.keep((start, end), np.append(inner, end), size=len(inner) + 1)
        return known

    def ends_by_depth(self) -> Iterator[Offsets]:
        """Where statements begin: the least deep alone, then with those one level deeper, and so
        on."""
        for depth in np.unique(self._depths):
            yield self._stops[self._depths <= depth]

    def last_within(self, start: int, end: int) -> int | None:
        """The last of the least deep statements that begin after `start` and not after `end`; None
        where none does."""
        first = int(np.searchsorted(self._stops, start, side="right"))
        last = int(np.searchsorted(self._stops, end, side="right"))
        if first == last:
            return None
        depths = self._depths[first:last]
        return int(self._stops[first:last][depths == depths.min()][-1])

    def definitions_at(self, offset: int) -> list[Definition]:
        """The definitions around an offset, the outermost first."""
        at = int(np.searchsorted(self._begins, offset, side="right")) - 1
        found: list[Definition] = []
        while at >= 0:
            if offset < self._definitions[at].end:
                found.append(self._definitions[at])
            at = self._around[at]
        return found[::-1]


def _outer_definitions(definitions: Sequence[Definition]) -> list[int]:
    """For each definition the index of the one around it, -1 for none."""
    around: list[int] = []
    open_ones: list[int] = []
    for at, each in enumerate(definitions):
        while open_ones and definitions[open_ones[-1]].end <= each.begins:
            open_ones.pop()
        around.append(open_ones[-1] if open_ones else -1)
        open_ones.append(at)
    return around


class _Structures(Memo[tuple[Span, Language], CodeStructure]):
    """Structures by what of the document they are of, and in which language."""

    most = 1 << 25
    """Characters, over all."""


def structure_of(document: Document, span: Span, language: Language) -> CodeStructure:
    """The structure of a part of a document; parsed once."""
    found = once_per_document(document, _structures)
    known = found.get((span, language))
    if known is None:
        known = code_structure(document[span], language, span.start)
        found.keep((span, language), known, size=len(span))
    return known


def _structures(_: Document) -> _Structures:
    return _Structures()


CodeFences = Literal["lines", "syntax"]
"""How strategies that cut fences do so: at lines (DECISIONS all-6), or at statements first."""
BY_LINES = "set codeFences to lines"
"""The way out where a grammar is missing."""
CODE_FENCES_HELP = (
    "How a fence over the limit is cut: at lines, or by syntax at functions, classes and statements where its language "
    "is known (needs `pip install chunkscope[code]`), and at lines where not even a statement fits."
)
"""Of the setting codeFences."""


@dataclass(frozen=True, slots=True)
class Source:
    """Code in one language: the whole document, or a fence in it."""

    language: Language
    structure: CodeStructure
    fence: FencedRegion | None = None


def fenced_source(document: Document, block: Block, way_out: str) -> Source | None:
    """A block as code, where it is a fence in a language that has a grammar (`SYNTAXES`).

    Where that grammar is not installed, raises GrammarError, one line that ends with `way_out`: the
    config alone decides where a document is cut, and not what is installed.
    """
    if block.kind != "code":
        return None
    found = once_per_document(document, _sources)
    known = found.get(block.span.start)
    return known or found.keep(block.span.start, _read_fence(document, block, way_out))


class _Sources(Memo[int, Source | None]):
    """Fences as code, by where they begin."""


def _sources(_: Document) -> _Sources:
    return _Sources()


def _read_fence(document: Document, block: Block, way_out: str) -> Source | None:
    language = fence_language(document[Span(block.span.start, block.content_end)])
    regions = fenced_regions(document, block.span, "code") if language else ()
    if language is None or not regions:
        return None
    require_grammar(language, f"{document.name}, line {document.line_of(block.span.start)}", way_out)
    inside = Span(regions[0].opener_end, regions[0].closer_start)
    return Source(language, structure_of(document, inside, language), regions[0])


def code_structure(text: str, language: Language, base: int = 0) -> CodeStructure:
    """The structure of a text that begins at `base` in its document. Needs the language's
    grammar."""
    with gc_paused():
        raw = plain_bytes(text)
        found = _Walk(raw, SYNTAXES[language])
        found.walk(syntax_tree(raw, language).root_node)
        places = _Places(raw)
        stops, depths = found.sorted_stops()
        offsets = places.characters(stops)
        whole = set(at_clusters(text, offsets.tolist(), 0))
        keep = np.array([offset in whole for offset in offsets.tolist()], dtype=np.bool_)
        bounds = places.characters(np.array(found.definitions, dtype=np.int64).reshape(-1, 6)) + base
        definitions = [
            Definition(begins, Span(start, opens), end, Span(name, name_end))
            for begins, start, opens, end, name, name_end in bounds.tolist()
        ]
        return CodeStructure(offsets[keep] + base, depths[keep], definitions)


class _Places:
    """Characters by the bytes they are written in."""

    def __init__(self, raw: bytes) -> None:
        self._starts: Offsets | None = None
        if not raw.isascii():
            # Every byte but the second and later ones of a character begins one.
            points = np.frombuffer(raw, dtype=np.uint8) & 0xC0
            self._starts = np.flatnonzero(points != 0x80).astype(np.int64)

    def characters(self, offsets: Offsets) -> Offsets:
        """The offset of the character that begins at each byte, or holds it."""
        if self._starts is None:
            return offsets
        return np.searchsorted(self._starts, offsets, side="left").astype(np.int64)


@dataclass(frozen=True, slots=True)
class _Item:
    """A node to look into."""

    node: Node
    depth: int
    """Of the statements that are found in it, if it is a sequence."""
    inside: int
    """How many definitions are around it."""
    begins: int | None
    """Where the statement that it is part of begins, until a definition has taken that."""


class _Walk:
    """Collects stops and definitions, in bytes. Without recursion: trees may be 100,000 deep."""

    def __init__(self, raw: bytes, syntax: Syntax) -> None:
        self._raw = raw
        self._syntax = syntax
        self._stops: list[int] = []
        self._depths: list[int] = []
        self.definitions: list[tuple[int, int, int, int, int, int]] = []
        """Begins, start, where the body begins, end, and where the name begins and ends."""

    def walk(self, root: Node) -> None:
        """Look into a tree."""
        waiting = [*self._in_sequence(root.children, 0, 0)]
        while waiting:
            waiting += self._look_into(waiting.pop())
        self.definitions = _in_order(self.definitions)

    def sorted_stops(self) -> tuple[Offsets, Offsets]:
        """The stops, ascending, each once at its least depth."""
        stops, depths = np.array(self._stops, dtype=np.int64), np.array(self._depths, dtype=np.int64)
        order = np.lexsort((depths, stops))
        stops, depths = stops[order], depths[order]
        first = np.ones(len(stops), dtype=np.bool_)
        first[1:] = stops[1:] != stops[:-1]
        first &= stops > 0
        return stops[first], depths[first]

    def _look_into(self, item: _Item) -> Iterator[_Item]:
        node, depth, inside, begins = item.node, item.depth, item.inside, item.begins
        defined = self._definition(node, begins) if inside < _DEEPEST else None
        if defined:
            self.definitions.append(defined)
            inside, begins = inside + 1, None
        children = node.children
        if node.type in self._syntax.sequences or node.is_error:
            yield from self._in_sequence(children, depth, inside)
            return
        for child in children:
            if self._matters(child):
                if child.type in self._syntax.clauses:
                    self._stop(self._statement_begin(child.start_byte), depth)
                yield _Item(child, depth, inside, begins)

    def _in_sequence(self, children: Sequence[Node], depth: int, inside: int) -> Iterator[_Item]:
        """The children of a sequence: all but the first begin at a stop, and comments and
        attributes go with what follows them. The first stays with the head of what it is in."""
        first, attached_from = True, None
        named = [child for child in children if child.is_named]
        for child, following in zip_longest(named, named[1:]):
            begins = attached_from
            if begins is None and not self._is_remark(child):
                begins = self._statement_begin(child.start_byte)
                if not first:
                    self._stop(begins, depth)
                first &= begins is None
            attached_from = begins if following and self._goes_with(child, following) else None
            if self._matters(child):
                yield _Item(child, depth + 1, inside, begins)

    def _matters(self, node: Node) -> bool:
        return node.end_byte - node.start_byte >= _SMALL or node.type in self._syntax.definitions

    def _is_remark(self, node: Node) -> bool:
        """Whether a node is a comment behind something else on its line."""
        return node.type in COMMENTS and not self._begins_line(node.start_byte)

    def _goes_with(self, node: Node, following: Node) -> bool:
        """Whether a node stays with the one after it: an attribute, or a comment with no blank line
        behind it."""
        if node.type in self._syntax.attached:
            return True
        if node.type not in COMMENTS:
            return False
        end = node.end_byte
        while end > node.start_byte and self._raw[end - 1] in _LINE_ENDS:
            end -= 1  # Rust's line comments end with their line ending
        return self._raw.count(b"\n", end, following.start_byte) <= 1

    def _stop(self, offset: int | None, depth: int) -> None:
        if offset is not None and depth < _DEEPEST:
            self._stops.append(offset)
            self._depths.append(depth)

    def _begins_line(self, offset: int) -> bool:
        at = offset - 1
        while at >= 0 and self._raw[at] in _BLANKS:
            at -= 1
        return at < 0 or self._raw[at] in _LINE_ENDS

    def _statement_begin(self, offset: int) -> int | None:
        """Where to cut in front of a statement: at the start of its line, also when brackets close
        in front of it, else where it begins; None where it is no statement, as a condition."""
        raw, at = self._raw, offset - 1
        while at >= 0 and raw[at] in _CLOSERS:
            at -= 1
        if at < 0 or raw[at] in _LINE_ENDS:
            return at + 1
        at = offset - 1
        while at >= 0 and raw[at] in _BLANKS:
            at -= 1
        return offset if raw[at] in _BEFORE_STATEMENTS else None

    def _definition(self, node: Node, begins: int | None) -> tuple[int, int, int, int, int, int] | None:
        if node.type not in self._syntax.definitions:
            return None
        value = node
        if node.type.endswith("_specifier") and node.child_by_field_name("body") is None:
            return None  # a type of C that is used, not defined
        if node.type in ONLY_WITH_A_FUNCTION:
            found = _first_field(node, "value", "right")
            if found is None or found.type not in FUNCTIONS:
                return None
            value = found
        start, end = self._first_word(node), node.end_byte
        body = _first_field(value, "body", "accessors")
        opens = end if body is None else body.start_byte + (self._raw[body.start_byte : body.start_byte + 1] == b"{")
        signature_end = self._signature_end(start, opens)
        name = _name(node)
        called = (name.start_byte, name.end_byte) if name else (start, body.start_byte if body else signature_end)
        return (node.start_byte if begins is None else begins, start, signature_end, end, *called)

    def _first_word(self, node: Node) -> int:
        """Where a definition begins behind its attributes."""
        for child in node.children:
            if child.type not in self._syntax.attached and child.type not in COMMENTS:
                return child.start_byte
        return node.start_byte

    def _signature_end(self, start: int, opens: int) -> int:
        if opens - start <= _LONGEST_SIGNATURE:
            return start + len(self._raw[start:opens].rstrip())
        line = self._raw.find(b"\n", start, start + _LONGEST_SIGNATURE)
        return start + len(self._raw[start : line if line >= 0 else start + _LONGEST_SIGNATURE].rstrip())


def _in_order(
    definitions: list[tuple[int, int, int, int, int, int]],
) -> list[tuple[int, int, int, int, int, int]]:
    """By their starts, the outer one first. Of two in one statement only the first begins where
    that does."""
    found, last = [], -1
    for each in sorted(definitions, key=lambda each: (each[1], -each[3])):
        begins, start = each[:2]
        found.append(each if begins > last else (start, *each[1:]))
        last = start
    return found


def _first_field(node: Node, *names: str) -> Node | None:
    for name in names:
        found = node.child_by_field_name(name)
        if found is not None:
            return found
    return None


def _name(node: Node) -> Node | None:
    """The node of a definition's name; in C and C++ it is behind the declarators of its type."""
    found = _first_field(node, "name", "left", "key", "property")
    declarator = node
    while found is None:
        inner = declarator.child_by_field_name("declarator")
        if inner is None:
            return None if declarator is node else declarator
        declarator = inner
    return found
