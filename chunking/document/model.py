"""What was written, and where: spans, blocks, sections and the document they belong to.

Positions are code-point offsets into `Document.text`, half-open; lines are for people and count
from 1.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

from chunking.document.conversion import Conversion
from chunking.document.loader_settings import NO_LOADER, LoaderSettings
from chunking.document.names import base_name_of
from chunking.text.hashing import text_hash
from chunking.text.spans import Span

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from chunking.document.source_files import Language

_LINE_ENDING = re.compile(r"\r\n|\r|\n")

BlockKind = Literal[
    "heading",
    "paragraph",
    "code",
    "list",
    "task-list",
    "table",
    "quote",
    "html",
    "image",
    "math",
    "footnote",
    "rule",
    "front-matter",
    "blank",
]

ATOMIC_KINDS: frozenset[BlockKind] = frozenset({"code", "list", "task-list", "table", "quote", "html", "math"})
"""Kinds that lose their meaning when cut inside; a cut there is counted by the metrics."""


class Block(NamedTuple):
    """One top-level piece of Markdown. Blocks tile their document, so a block's span runs to the
    start of the next."""

    kind: BlockKind
    span: Span
    """From the start of the block's first line to the start of the next block: trailing blank lines
    belong to it."""
    content_end: int
    """Where the last non-blank line's text ends, before its line ending. Equal to `span.start` for
    a blank block."""
    level: int = 0
    """1 to 6 for a heading, 0 otherwise."""
    title: str = ""
    """A heading's plain text: inline markup and a trailing `{#id}` removed (DECISIONS all-4)."""
    raw_title: str = ""
    """A heading's text as written, without its marks and without a trailing `{#id}` (DECISIONS
    hw-12)."""
    anchor: str = ""
    """A heading's id: the `{#id}` it was given, else a GitHub-style slug, unique in the
    document."""

    @property
    def atomic(self) -> bool:
        return self.kind in ATOMIC_KINDS


class Section(NamedTuple):
    """A heading with what stands under it. The root has no heading and holds the preamble."""

    heading: Block | None
    level: int
    """1 to 6, 0 for the root."""
    blocks: tuple[Block, ...]
    """The section's own blocks in order, its heading first, without those of its children."""
    children: tuple[Section, ...]
    span: Span
    """The section with all its descendants."""
    breadcrumb: tuple[str, ...]
    """The document's base name, then the titles of the enclosing headings, its own last."""

    @property
    def title(self) -> str:
        return self.heading.title if self.heading else self.breadcrumb[0]

    @property
    def anchor(self) -> str:
        return self.heading.anchor if self.heading else ""

    def walk(self) -> Iterator[Section]:
        """This section and all below it, in source order."""
        waiting = [self]
        while waiting:
            section = waiting.pop()
            yield section
            waiting += section.children[::-1]


@dataclass(frozen=True)
class Document:
    """A parsed text: its blocks in order, its outline, and its lines. Equal when name, text and
    loader are equal."""

    name: str
    """The path below its root, with `/` (names.py); the base name of an upload."""
    text: str = field(repr=False)
    blocks: tuple[Block, ...] = field(repr=False, compare=False)
    metadata: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Scalar entries of the front matter, as text."""
    warnings: tuple[str, ...] = field(default=(), repr=False, compare=False)
    conversion: Conversion | None = field(default=None, repr=False, compare=False)
    """How the text was made of a file in another format; None where it is the file's own."""
    loader: LoaderSettings = field(default=NO_LOADER, repr=False)
    """Which lines it was read with as headings, besides those of Markdown."""

    def read_by(self, loader: LoaderSettings) -> Document:
        """This document with the headings that `loader` names: itself, where it was read so."""
        if loader.of_lines == self.loader:
            return self
        from chunking.document.parser import reread

        return reread(self, loader.of_lines)

    def __getitem__(self, span: Span) -> str:
        return self.text[span.start : span.end]

    def __hash__(self) -> int:
        return hash((self.name, len(self.text), self.text[:64]))

    @property
    def span(self) -> Span:
        return Span(0, len(self.text))

    def pages(self, span: Span) -> tuple[int, int] | None:
        """The first and the last page of a stretch of the text, from 1; None where there are no
        pages."""
        return self.conversion.pages(span) if self.conversion else None

    @property
    def content_start(self) -> int:
        """Where the content begins: after the front matter, which is always the first block."""
        first = self.blocks[0] if self.blocks else None
        return first.span.end if first and first.kind == "front-matter" else 0

    @cached_property
    def front_matter(self) -> Mapping[str, str | list[str]]:
        """Scalars and lists of the front matter, as text (front_matter.py)."""
        if not self.content_start:
            return {}
        from chunking.document.front_matter import entries, front_matter_lines
        from chunking.text.lines import split_lines

        lines, _ = split_lines(self.text[: self.content_start])
        return entries(lines[: front_matter_lines(lines)])

    @cached_property
    def text_hash(self) -> str:
        """sha256 of the text, in hex."""
        return text_hash(self.text)

    @cached_property
    def language(self) -> Language | None:
        """The programming language of a source file; None for Markdown (source_files.py)."""
        from chunking.document.source_files import source_language

        return None if self.conversion else source_language(self.name, self.text)

    @property
    def base_name(self) -> str:
        """The last part of the name: where every breadcrumb starts."""
        return base_name_of(self.name)

    @cached_property
    def line_starts(self) -> npt.NDArray[np.int64]:
        """Offset of each line's first character; lines end at LF, CR LF or a lone CR, and nowhere
        else."""
        import numpy as np

        return np.frombuffer(self._line_starts, dtype=np.int64)

    @cached_property
    def _line_starts(self) -> array[int]:
        """The same numbers, in the same memory: as quick to search as a list, and a fifth of its
        size."""
        from chunking.text.lines import line_starts

        return array("q", line_starts(self.text).tobytes())

    def line_of(self, offset: int) -> int:
        """The line, from 1, that holds the character at `offset`."""
        return bisect_right(self._line_starts, offset)

    @cached_property
    def line_ending(self) -> str:
        """The document's first line ending, used in context and closing (DECISIONS all-8); LF when
        it has none."""
        found = _LINE_ENDING.search(self.text)
        return found.group() if found else "\n"

    @cached_property
    def _block_starts(self) -> list[int]:
        return [block.span.start for block in self.blocks]

    @cached_property
    def outline(self) -> Section:
        """The root section over all blocks: not every strategy reads it."""
        from chunking.document.sections import outline

        found = outline(self.blocks, len(self.text), self.base_name)
        # Sections are told apart by identity: where two threads find them, both get the first ones.
        return cast("Section", self.__dict__.setdefault("outline", found))

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """All sections in source order, the root first."""
        return tuple(self.outline.walk())

    def block_at(self, offset: int) -> Block:
        """The block that holds the character at `offset`; the last one at the end of the text.

        Raises IndexError for an empty document, which has no blocks.
        """
        return self.blocks[max(0, bisect_right(self._block_starts, offset) - 1)]

    def section_at(self, offset: int) -> Section:
        """The section whose own blocks hold the character at `offset`: the innermost one, the root
        for a preamble."""
        return self.sections[self.section_number_at(offset)]

    def section_number_at(self, offset: int) -> int:
        """The same as an index into `sections`, of which none is made."""
        return bisect_right(self._heading_starts, offset)

    def breadcrumb_at(self, offset: int) -> tuple[str, ...]:
        """The breadcrumb of `section_at`, for which no section is made."""
        return self.breadcrumbs[self.section_number_at(offset)]

    @cached_property
    def breadcrumbs(self) -> list[tuple[str, ...]]:
        """Those of `sections`, of which none is made."""
        from chunking.document.sections import breadcrumbs_of

        return [(self.base_name,), *breadcrumbs_of(self.headings, self.base_name)]

    @cached_property
    def _heading_starts(self) -> list[int]:
        return [heading.span.start for heading in self.headings]

    @cached_property
    def headings(self) -> tuple[Block, ...]:
        return tuple(block for block in self.blocks if block.kind == "heading")

    @cached_property
    def without_unclosed_fence(self) -> Document | None:
        """This document read with an unclosed fence's opening line as a paragraph; None when every
        fence is closed.

        CommonMark lets an unclosed fence swallow the rest. Only block-packing asks for this reading
        (DECISIONS bp-6).
        """
        from chunking.document.parser import reparse_without_unclosed_fence

        return reparse_without_unclosed_fence(self)
