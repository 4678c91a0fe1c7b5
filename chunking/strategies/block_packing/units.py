"""The blocks that block-packing packs, each with its section path, and the chunk being packed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from chunking.core.chunk import Boundary, Skip
from chunking.document import Block, BlockKind, Document
from chunking.splitting.document_cache import once_per_document

Path = tuple[str, ...]
"""Titles of the headings above a block, without the document's name."""

IN_CONTEXT = Boundary("in-context", "the context in front of the chunk already has this heading")
LEFT_OUT = Boundary("excluded", "headings are not part of the text: includeHeadings is off")


@dataclass(frozen=True, slots=True)
class BlockUnit:
    """A block, or a piece of one that was too large, with the headings that stand right before
    it."""

    headings: tuple[Block, ...]
    """Headings between the unit before and this one; their sections have no text of their own, but
    for the last."""
    start: int
    end: int
    """Where its own text ends, less blank space."""
    kind: BlockKind
    path: Path
    piece: bool = False

    @property
    def begin(self) -> int:
        """Where the body of a chunk begins that begins with this unit."""
        return self.headings[0].span.start if self.headings else self.start


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
    for section in reading.sections:
        path = section.breadcrumb[1:]
        for block in section.blocks:
            if block.kind == "heading":
                pending.append(block)
            elif block.kind not in ("blank", "front-matter"):
                yield BlockUnit(tuple(pending), block.span.start, block.content_end, block.kind, path)
                pending = []
    if pending:
        end = pending[-1].content_end
        yield BlockUnit(tuple(pending), end, end, "heading", ())


@dataclass(frozen=True, slots=True)
class ShortenedPath:
    """A context line, and the flag that says so when it had to be shortened."""

    text: str
    flags: tuple[Boundary, ...]
    whole: int
    """How many titles of the path, from its end, it says in full."""
    tokens: int
    """Of the line in full."""


NO_CONTEXT = ShortenedPath("", (), 0, 0)


@dataclass(frozen=True, slots=True)
class BlockDraft:
    """The chunk that is being packed: where it begins, how far it goes, and its context."""

    begin: int
    path: Path
    holes: tuple[Skip, ...]
    """Headings that are not in the text."""
    end: int
    """Where the kept text ends."""
    tokens: int
    only_headings: bool = False
    context_path: Path = ()
    """The section path in the context: the first block's, or what an empty section before it shares
    with it (bp-5)."""


def heading_holes(headings: Sequence[Block], path: Path, *, in_context: bool) -> tuple[Skip, ...]:
    """The headings that a chunk leaves out of its body: with `in_context` those that its context
    says, and all of them where there is no context.

    A heading whose section is empty is not on the path and stays in the body (DECISIONS bp-5).
    """
    if not in_context:
        return tuple(Skip(heading.span, LEFT_OUT) for heading in headings)
    return tuple(Skip(heading.span, IN_CONTEXT) for heading in _on_path(headings, path))


def opening(headings: Sequence[Block], path: Path, path_of: Callable[[Block], Path]) -> tuple[Path, tuple[Skip, ...]]:
    """What the context of a chunk says that begins with these headings, and the headings it says.

    Where an empty section comes first, the context says only what holds for it too, and the
    headings from there on stay in the body: else the block's own heading would be said before a
    heading that stands before it (DECISIONS bp-5).
    """
    on_path = _on_path(headings, path)
    first_empty = next((at for at, heading in enumerate(headings) if heading not in on_path), None)
    if first_empty is not None:
        shared = zip(path, path_of(headings[first_empty]), strict=False)
        path = tuple(mine for mine, _ in takewhile(lambda pair: pair[0] == pair[1], shared))
        on_path = on_path[:first_empty]
    return path, tuple(Skip(heading.span, IN_CONTEXT) for heading in on_path)


def _on_path(headings: Sequence[Block], path: Path) -> list[Block]:
    """The headings that lead to the path's end: walking back, each one shallower than the one
    before it."""
    chosen: list[Block] = []
    for heading in reversed(headings):
        if not chosen and (not path or heading.title != path[-1]):
            return []
        if not chosen or heading.level < chosen[-1].level:
            chosen.append(heading)
    return chosen[::-1]
