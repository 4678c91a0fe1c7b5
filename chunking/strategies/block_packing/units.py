"""The blocks that block-packing packs, each with its section path, and the chunk being packed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from chunking.core.chunk import Boundary, Skip
from chunking.document import Block, BlockKind, Document
from chunking.splitting.document_cache import once_per_document

Path = tuple[str, ...]
"""Titles of the headings above a block, without the document's name."""

IN_CONTEXT = Boundary("in-context", "the context in front of the chunk already has this heading")
LEFT_OUT = Boundary(
    "excluded", "headings are not part of the text: includeHeadings is off", settings=("include_headings",)
)


class BlockUnit(NamedTuple):
    """A block, or a piece of one that was too large, with the headings that stand right before
    it. Offsets are code points."""

    headings: tuple[Block, ...]
    """Headings between the unit before and this one; their sections have no text of their own, but
    for the last."""
    start: int
    end: int
    """Where its own text ends, less blank space."""
    kind: BlockKind
    path: Path
    context_path: Path
    """What the context says of a chunk that begins here, where it is not too short for that
    (`opening`)."""
    said: int = 0
    """How many of the headings, from the first one on, it says."""

    @property
    def begin(self) -> int:
        """Where the body of a chunk begins that begins with this unit."""
        return self.headings[0].span.start if self.headings else self.start

    def without_first_headings(self, count: int) -> BlockUnit:
        """The unit without so many of its headings, behind which all are on its path."""
        rest = self.headings[count:]
        return self._replace(headings=rest, context_path=self.path, said=len(rest))


def heading_unit(heading: Block, path: Path) -> BlockUnit:
    """A heading as a unit of its own, under the path of the section around its own."""
    return BlockUnit((), heading.span.start, heading.content_end, "heading", path, path)


def reading_of(document: Document) -> Document:
    """The document as it is packed: an unclosed fence must not swallow the headings behind it
    (DECISIONS bp-6)."""
    return document.without_unclosed_fence or document


def units_of(reading: Document) -> tuple[BlockUnit, ...]:
    """The typed blocks, found once for a document."""
    return once_per_document(reading, _units)


def _units(reading: Document) -> tuple[BlockUnit, ...]:
    return tuple(typed_blocks(reading))


def typed_blocks(reading: Document) -> Iterator[BlockUnit]:
    """The blocks that are not headings, in order, each with the headings before it
    (block-packing.md, section 1).

    Headings at the end of the document, with nothing under them, come last as a unit of kind
    "heading".
    """
    pending: list[Block] = []
    path: Path = ()
    breadcrumbs, section = reading.breadcrumbs, 0
    for block in reading.blocks:
        kind, span, content_end, *_ = block
        if kind == "heading":
            pending.append(block)
            section += 1
        elif kind not in ("blank", "front-matter"):
            context_path, said = path, 0
            if pending:
                path = context_path = breadcrumbs[section][1:]
                said = len(pending)
                if said > 1:
                    context_path, said = opening(pending, path, reading)
            yield BlockUnit(tuple(pending), span.start, content_end, kind, path, context_path, said)
            pending = []
    if pending:
        end = pending[-1].content_end
        yield BlockUnit(tuple(pending), end, end, "heading", (), ())


class ShortenedPath(NamedTuple):
    """A context line, and the flag that says so when it had to be shortened."""

    text: str
    flags: tuple[Boundary, ...]
    whole: int
    """How many titles of the path, from its end, it says in full."""
    tokens: int
    """Of the line in full."""


NO_CONTEXT = ShortenedPath("", (), 0, 0)


class BlockDraft(NamedTuple):
    """The chunk that is being packed: where it begins, how far it goes, and its context. Offsets
    are code points."""

    begin: int
    kept_start: int
    """Where the first character stands that is in the text."""
    end: int
    """Where the kept text ends."""
    tokens: int
    """Of the kept text."""
    path: Path
    context_path: Path
    """The section path in the context: the first block's, or what an empty section before it shares
    with it (bp-5)."""
    leading: tuple[Skip, ...] = ()
    """Headings before the kept text that are not in it."""
    inside: tuple[Skip, ...] = ()
    """Those within it."""
    only_headings: bool = False
    begins_with_heading: bool = False
    """Whether the kept text does."""

    def extended(self, unit: BlockUnit, tokens: int, inside: tuple[Skip, ...]) -> BlockDraft:
        """The draft with one unit more: `_replace` takes three times as long."""
        return BlockDraft(
            self.begin,
            self.kept_start,
            unit.end,
            tokens,
            self.path,
            self.context_path,
            self.leading,
            inside,
            self.only_headings and unit.kind == "heading",
            self.begins_with_heading,
        )


def on_path(headings: Sequence[Block], path: Path) -> list[Block]:
    """The headings that lead to the path's end: walking back, each one shallower than the one
    before it.

    A heading whose section is empty is not among them and stays in the body (DECISIONS bp-5).
    """
    chosen: list[Block] = []
    for heading in reversed(headings):
        if not chosen and (not path or heading.title != path[-1]):
            return []
        if not chosen or heading.level < chosen[-1].level:
            chosen.append(heading)
    return chosen[::-1]


def opening(headings: Sequence[Block], path: Path, reading: Document) -> tuple[Path, int]:
    """What the context of a chunk says that begins with these headings, and how many of them it
    says.

    Where an empty section comes first, the context says only what holds for it too, and the
    headings from there on stay in the body: else the block's own heading would be said before a
    heading that stands before it (DECISIONS bp-5).
    """
    leading = on_path(headings, path)
    if len(leading) == len(headings):
        return path, len(headings)
    first_empty = next(at for at, heading in enumerate(headings) if heading not in leading)
    shared = zip(path, path_of(headings[first_empty], reading), strict=False)
    return tuple(mine for mine, _ in takewhile(lambda pair: pair[0] == pair[1], shared)), first_empty


def path_of(heading: Block, reading: Document) -> Path:
    """The path of a heading's own section."""
    return reading.breadcrumb_at(heading.span.start)[1:]
