"""H2 sections, split further at H3 and at paragraphs, with a prefix of labels and a short overlap.

Source: section-rules.md; DECISIONS sr-1 to sr-8.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar, Literal
from uuid import NAMESPACE_URL, uuid5

from pydantic import Field, model_validator

from chunking.breadcrumbs import clip, shorten
from chunking.chapters import (
    Piece,
    content,
    excluded_sections,
    heading_text,
    holes_of,
    is_bare,
    joined,
    kept_of,
    sections_of,
    skips_between,
    tokens_of,
)
from chunking.chunk import SHARED_RULES, Boundary, Chunk, Part, Skip
from chunking.cutting import split_leaf
from chunking.document import Block, Document, Span
from chunking.errors import SettingError
from chunking.overlap import longest_suffix, reading_on
from chunking.strategy import Limits, Strategy, setting
from chunking.tools import Tools

NAVIGATION = ("What's Next", "Prerequisites", "Self-Assessment", "Table of Contents")
"""Headings whose sections are not content (section-rules.md, "Content Exclusions")."""


class SectionRules(Strategy):
    """Chapters of a textbook: one concept, one section, one chunk."""

    name: ClassVar[str] = "section-rules"
    title: ClassVar[str] = "Section rules"
    summary: ClassVar[str] = "One chunk for each H2 section, split at H3 and at paragraphs when it is too large."
    rules: ClassVar[dict[str, str]] = {
        "h2": "the next H2 section (or H1) begins",
        "h3": "the section is over splitAbove, and its next H3 begins",
        "paragraph": "the section is over splitAbove without an H3, and targetHigh is reached",
    }

    split_above: int = setting(
        1000,
        title="Split above",
        help="Higher keeps larger sections whole; lower splits more of them at H3 and at paragraphs.",
        unit="tokens",
        ge=1,
        le=1_000_000,
        slider=(100, 3000),
        step=10,
    )
    min_tokens: int = setting(
        100,
        title="Minimum tokens",
        help="Higher merges more of the small sections with a neighbour.",
        unit="tokens",
        ge=0,
        le=1_000_000,
        slider=(0, 500),
        step=5,
    )
    target_low: int = setting(
        300,
        title="Target, low",
        help="Cuts nothing: chunks below it are listed in the report.",
        unit="tokens",
        ge=0,
        le=1_000_000,
        slider=(0, 1000),
        step=10,
    )
    target_high: int = setting(
        600,
        title="Target, high",
        help="Higher fills more paragraphs into each piece of a section that has to be split.",
        unit="tokens",
        ge=1,
        le=1_000_000,
        slider=(50, 2000),
        step=10,
    )
    overlap_tokens: int = setting(
        50,
        title="Overlap",
        help="Higher repeats more of the end of the chunk before.",
        unit="tokens",
        ge=0,
        le=1_000_000,
        slider=(0, 200),
        step=5,
    )
    prefix_labels: tuple[str, ...] = Field(
        ("Module", "Chapter", "Section"),
        title="Prefix labels",
        description="The lines in front of each chunk. More labels cost tokens and say more of where the text stands.",
        strict=False,
        max_length=3,
    )
    exclude: tuple[str, ...] = Field(
        NAVIGATION,
        title="Exclude",
        description="More entries leave out more: each section whose heading is one of these or starts with it.",
        strict=False,
        max_length=100,
    )
    small: Literal["merge", "keep"] = Field(
        "merge",
        title="Small sections",
        description="merge joins a section below minTokens with its neighbour; keep leaves it alone and flags it.",
    )
    count_context: bool = Field(
        False,
        title="Count context",
        description="On makes splitAbove hold for the whole text, with prefix and overlap, instead of the content.",
    )

    @model_validator(mode="after")
    def _checked(self) -> SectionRules:
        if self.min_tokens > self.split_above:
            raise SettingError(
                "minTokens", f"{self.min_tokens} is more than splitAbove ({self.split_above}); lower one of them"
            )
        if self.target_low > self.target_high:
            raise SettingError(
                "targetLow", f"{self.target_low} is more than targetHigh ({self.target_high}); lower one of them"
            )
        if self.target_high > self.split_above:
            raise SettingError(
                "targetHigh", f"{self.target_high} is more than splitAbove ({self.split_above}); lower one of them"
            )
        unknown = [label for label in self.prefix_labels if label not in ("Module", "Chapter", "Section")]
        if unknown:
            raise SettingError("prefixLabels", f"{unknown[0][:40]!r} is none of Module, Chapter, Section")
        return self

    def passed_over(self, chunk: Chunk, heading: Block, held: int) -> str:
        """That its section is small enough to stay whole, or too small to stand alone (sr-1, sr-3)."""
        if heading.level > 3:
            return "only H2 and H3 are cut at"
        if heading.level == 3 and chunk.body_tokens <= self.split_above:
            return f"with it the section holds {chunk.body_tokens} tokens, within splitAbove {self.split_above}"
        if held < self.min_tokens:
            return f"{held} tokens are below minTokens {self.min_tokens}, and were merged with it"
        return f"what follows it is below minTokens {self.min_tokens}, and was merged"

    def limits(self) -> Limits:
        return Limits(
            minimum=self.min_tokens,
            minimum_setting="min_tokens",
            target=self.target_high,
            target_setting="target_high",
            maximum=self.split_above,
            maximum_setting="split_above",
            counts="text" if self.count_context else "body",
        )

    def split(self, document: Document, tools: Tools) -> Iterator[Part]:
        """Yield chunks and skips in source order, as the spec goes: clean, cut, merge the small, prefix and overlap."""
        yield from _Chapter(self, document, tools).parts()


END = Boundary("end", SHARED_RULES["end"])
FRONT_MATTER = Boundary("front-matter", SHARED_RULES["front-matter"])
JOINT = 2
"""Tokens that joining prefix, overlap and content may cost on top of their sum."""


@dataclass(frozen=True, slots=True)
class _Atom:
    """What is never cut when a section is filled with paragraphs: a block, a piece of one, a heading with the next."""

    span: Span
    context: str = ""
    inside: bool = False
    flags: tuple[Boundary, ...] = ()


class _Chapter:
    """One document being cut."""

    def __init__(self, strategy: SectionRules, document: Document, tools: Tools) -> None:
        self.strategy = strategy
        self.document = document
        self.tools = tools
        self.excluded = excluded_sections(document, strategy.exclude)
        self.thirds = [heading for heading in document.headings if heading.level == 3]
        folder, _, file_name = document.name.rpartition("/")
        self.module_id = folder.rpartition("/")[2]
        self.chapter_id = file_name.rpartition(".")[0] or file_name
        self.prefixes: dict[str, tuple[str, tuple[Boundary, ...]]] = {}
        self.before: Chunk | None = None
        # Values of targetHigh at which a decision changes; None once a block was split, which any value may change.
        self.targets: set[int] | None = set()

    def parts(self) -> Iterator[Part]:
        document, start = self.document, 0
        if document.blocks and document.blocks[0].kind == "front-matter":
            start = document.blocks[0].span.end
            yield Skip(document.blocks[0].span, FRONT_MATTER)
        pieces = [
            piece
            for number, section in enumerate(sections_of(document, start, self.excluded))
            for piece in self.section(number, *section)
        ]
        for tokens in self.targets or ():
            self.tools.saw("target_high", tokens)
        if self.strategy.small == "merge":
            pieces = self.merged(pieces)
        for index, piece in enumerate(pieces):
            yield from skips_between(Span(start, piece.body.start), self.excluded)
            last = index == len(pieces) - 1
            yield self.sealed(piece, index, END if last and piece.body.end == len(document.text) else piece.ended_by)
            start = piece.body.end
        yield from skips_between(Span(start, len(document.text)), self.excluded)

    # --- cutting -------------------------------------------------------------------------------------------------

    def section(self, number: int, span: Span, heading: Block | None) -> Iterator[Piece]:
        """An H2 section or introduction as one piece, or split at H3, or at paragraphs (sr-1)."""
        kept = kept_of(self.document, span, self.excluded)
        if not kept:
            return
        ended_by = self.section_end(span.end)
        if self.fits(kept, heading):
            yield self.piece(number, kept, heading, ended_by)
            return
        thirds = [each for each in self.thirds_between(kept[0].start, kept[-1].end) if _inside(each.span.start, kept)]
        if not thirds:
            yield from self.paragraphs(number, kept, heading, ended_by)
            return
        starts = [third.span.start for third in thirds]
        edges = [span.start, *starts, span.end]
        parts = [
            (kept_of(self.document, Span(*edge), self.excluded), each)
            for edge, each in zip(pairwise(edges), [heading, *thirds], strict=True)
        ]
        if not parts[0][0] or is_bare(self.document, parts[0][0]):
            # sr-5: lead text that is only the heading joins the first H3.
            joint = kept_of(self.document, Span(span.start, edges[2]), self.excluded)
            parts[:2] = [(joint, thirds[0])]
        for at, (part, named) in enumerate(parts):
            if not part:
                continue
            following = parts[at + 1][1] if at + 1 < len(parts) else None
            end = self.third_end(following, kept) if following else ended_by
            if self.fits(part, named):
                yield self.piece(number, part, named, end)
            else:
                yield from self.paragraphs(number, part, named, end)

    def thirds_between(self, start: int, end: int) -> Sequence[Block]:
        """The H3 headings from one offset to another."""
        first = bisect_left(self.thirds, start, key=_start)
        return self.thirds[first : bisect_left(self.thirds, end, lo=first, key=_start)]

    def paragraphs(
        self, number: int, kept: tuple[Span, ...], heading: Block | None, ended_by: Boundary
    ) -> Iterator[Piece]:
        """Blocks filled up to targetHigh; code is never cut (sr-1, sr-7)."""
        limit = self.limit(heading)
        target = min(self.strategy.target_high, limit)
        held: list[_Atom] = []
        for atom in self.atoms(kept, limit, target):
            tokens = self.tokens(_spans([*held, atom]))
            if held:
                tokens_with_header = tokens + self.tools.count(held[0].context)
                self.saw_target(tokens_with_header)
                if tokens_with_header > target:
                    before = self.tokens(_spans(held))
                    detail = (
                        f"{before} tokens held and the block on line {self.document.line_of(atom.span.start)} "
                        f"would make {tokens}, over targetHigh {self.strategy.target_high}"
                    )
                    yield self.filled(
                        number,
                        held,
                        heading,
                        Boundary("paragraph", detail, before, tokens - before, target, ("target_high", "split_above")),
                    )
                    held = []
            held.append(atom)
        yield self.filled(number, held, heading, ended_by)

    def atoms(self, kept: tuple[Span, ...], limit: int, target: int) -> Iterator[_Atom]:
        """The blocks in what is kept, a heading with the block after it; what is over the limit in pieces."""
        for span in kept:
            start = at = span.start
            while at < span.end:
                block = self.document.block_at(at)
                end = min(block.span.end, span.end)
                if block.kind in ("heading", "blank") and end < span.end:
                    leading = self.tokens((Span(start, end),))
                    self.saw_target(2 * leading)
                    if leading <= target // 2:
                        at = end
                        continue
                if block.kind == "code" or self.tokens((Span(start, end),)) <= limit:
                    yield _Atom(Span(start, end))
                else:
                    yield from self.split(start, Span(at, end), block, target)
                start = at = end

    def split(self, start: int, leaf: Span, block: Block, target: int) -> Iterator[_Atom]:
        """A block over the limit cut by its kind (all-6); headings that begin at `start` go with the first piece."""
        self.targets = None
        room = target - self.tools.count_span(self.document, Span(start, leaf.start))
        for at, piece in enumerate(split_leaf(self.document, leaf, block.kind, max(1, room), self.tools)):
            span = Span(start, piece.span.end) if at == 0 else piece.span
            yield _Atom(span, piece.context, at > 0 and bool(piece.context or piece.flags), piece.flags)

    def filled(self, number: int, held: Sequence[_Atom], heading: Block | None, ended_by: Boundary) -> Piece:
        first = held[0]
        flags = tuple(dict.fromkeys(flag for atom in held for flag in atom.flags))
        piece = self.piece(number, _spans(held), heading, ended_by)
        return replace(piece, context=first.context, inside=first.inside, flags=flags)

    def piece(self, number: int, kept: tuple[Span, ...], heading: Block | None, ended_by: Boundary) -> Piece:
        return Piece(kept, heading, number, is_bare(self.document, kept), ended_by)

    def section_end(self, end: int) -> Boundary:
        if end >= len(self.document.text):
            return END
        return Boundary("h2", f"{self.named(end)} begins")

    def third_end(self, following: Block, kept: tuple[Span, ...]) -> Boundary:
        total = self.tokens(kept)
        detail = (
            f"{self.named(following.span.start)} begins, in a section of {total} tokens, "
            f"over splitAbove {self.strategy.split_above}"
        )
        return Boundary("h3", detail, total, None, self.strategy.split_above, ("split_above",))

    def named(self, offset: int) -> str:
        section = self.document.section_at(offset)
        return (
            f"'{clip(section.title, 60)}'" if section.title else f"the heading on line {self.document.line_of(offset)}"
        )

    # --- sizes ---------------------------------------------------------------------------------------------------

    def tokens(self, kept: tuple[Span, ...]) -> int:
        return tokens_of(self.document, kept, self.tools)

    def fits(self, kept: tuple[Span, ...], heading: Block | None) -> bool:
        tokens, limit = self.tokens(kept), self.limit(heading)
        self.tools.saw("split_above", tokens + self.strategy.split_above - limit)
        return tokens <= limit

    def saw_target(self, tokens: int) -> None:
        if self.targets is not None:
            self.targets |= {tokens - 1, tokens}

    def limit(self, heading: Block | None) -> int:
        """What the content may hold; with countContext prefix and overlap are paid for first (all-5)."""
        if not self.strategy.count_context:
            return self.strategy.split_above
        paid = self.tools.count(self.prefix(heading)[0]) + self.strategy.overlap_tokens + JOINT
        return max(1, self.strategy.split_above - paid)

    # --- merging -------------------------------------------------------------------------------------------------

    def merged(self, pieces: list[Piece]) -> list[Piece]:
        """Pieces below minTokens joined with a neighbour: inside the section first, the one before first (sr-3)."""
        at = 0
        while at < len(pieces):
            size = self.tokens(pieces[at].kept)
            self.tools.saw("min_tokens", size)
            first = self.neighbour(pieces, at) if size < self.strategy.min_tokens else None
            if first is None:
                at += 1
                continue
            pieces[first : first + 2] = [joined(pieces[first], pieces[first + 1])]
            at = first
        return pieces

    def neighbour(self, pieces: Sequence[Piece], at: int) -> int | None:
        """The index of the first of the two pieces to join, None when neither neighbour leaves the result in limits."""
        pairs = [first for first in (at - 1, at) if 0 <= first < len(pieces) - 1]
        inside = [first for first in pairs if pieces[first].section == pieces[first + 1].section]
        for first in [*inside, *(pair for pair in pairs if pair not in inside)]:
            both = joined(pieces[first], pieces[first + 1])
            if self.fits(both.kept, both.heading):
                return first
        return None

    # --- text ----------------------------------------------------------------------------------------------------

    def prefix(self, heading: Block | None) -> tuple[str, tuple[Boundary, ...]]:
        """The labelled lines and a blank line, in at most half of splitAbove; with a flag when they were shortened."""
        section = heading.title if heading else "Introduction"
        if section not in self.prefixes:
            half = self.strategy.split_above // 2
            text, cut = shorten([section], lambda parts: self.lines(parts[0]), half, self.tools.count)
            detail = f"the prefix is over half of splitAbove {self.strategy.split_above}, and was shortened"
            flag = Boundary("context-shortened", detail, None, None, half, ("split_above",))
            self.prefixes[section] = (text, (flag,) if cut else ())
        return self.prefixes[section]

    def lines(self, section: str) -> str:
        """`[Module: ...]`, `[Chapter: ...]`, `[Section: ...]`, a line each; a module that nobody names is left out."""
        metadata = self.document.metadata
        values = {
            "Module": metadata.get("module", self.module_id),
            "Chapter": metadata.get("title", self.chapter_id),
            "Section": section,
        }
        labels = [(label, " ".join(values[label].split())) for label in self.strategy.prefix_labels]
        ending = self.document.line_ending
        lines = "".join(f"[{label}: {value}]{ending}" for label, value in labels if value)
        return lines + ending if lines else ""

    def overlap(self, piece: Piece, rest: Sequence[str | Span]) -> Span | None:
        """The end of the chunk before (sr-2); with countContext as much of it as leaves the whole within the limit."""
        if self.before is None or piece.inside:
            return None
        limit = self.strategy.overlap_tokens
        index = self.tools.index(self.document)
        while True:
            found = longest_suffix(self.document, self.before, limit, self.tools)
            overlap = reading_on(self.document, found, piece.body.start)
            if overlap is None or not self.strategy.count_context:
                return overlap
            if index.count_parts([rest[0], overlap, *rest[1:]]) <= self.strategy.split_above:
                return overlap
            limit -= 1

    def sealed(self, piece: Piece, chunk_index: int, ended_by: Boundary) -> Chunk:
        document, strategy = self.document, self.strategy
        prefix, flags = self.prefix(piece.heading)
        context = prefix + piece.context
        kept = content(document, piece.kept)
        overlap = self.overlap(piece, [context, *kept])
        size = self.tokens(piece.kept)
        parts: list[str | Span] = [context, *([overlap] if overlap else []), *kept]
        counted = self.tools.index(document).count_parts(parts) if strategy.count_context else size
        flags = (*flags, *piece.flags, *self.size_flags(piece, size, counted))
        chunk = self.tools.seal(
            document,
            piece.body,
            ended_by,
            breadcrumb=document.section_at(kept[0].start).breadcrumb,
            holes=holes_of(document, piece.body, piece.kept, self.excluded),
            overlap=overlap,
            context=context,
            flags=flags,
            metadata={
                "id": _chunk_id(f"{self.module_id}/{self.chapter_id}/{chunk_index}"),
                "module_id": self.module_id,
                "chapter_id": self.chapter_id,
                "section_heading": heading_text(piece.heading),
                "chunk_index": chunk_index,
            },
        )
        self.before = chunk
        return chunk

    def size_flags(self, piece: Piece, size: int, counted: int) -> list[Boundary]:
        strategy, flags = self.strategy, []
        if size < strategy.min_tokens:
            reason = "small is keep" if strategy.small == "keep" else "no neighbour can take it within splitAbove"
            detail = f"{size} tokens are below minTokens {strategy.min_tokens}, and {reason}"
            flags.append(Boundary("undersized", detail, size, None, strategy.min_tokens, ("min_tokens", "small")))
        if counted > strategy.split_above and not any(flag.rule == "unsplittable" for flag in piece.flags):
            detail = f"{counted} tokens are over splitAbove {strategy.split_above}, and code is never cut"
            flags.append(Boundary("unsplittable", detail, counted, None, strategy.split_above, ("split_above",)))
        return flags


@lru_cache(maxsize=1 << 14)
def _chunk_id(name: str) -> str:
    return str(uuid5(NAMESPACE_URL, name))


def _start(block: Block) -> int:
    return block.span.start


def _inside(offset: int, kept: Sequence[Span]) -> bool:
    return any(span.contains(offset) for span in kept)


def _spans(atoms: Sequence[_Atom]) -> tuple[Span, ...]:
    """The atoms' spans, those that touch made one."""
    spans: list[Span] = []
    for atom in atoms:
        if spans and spans[-1].end == atom.span.start:
            spans[-1] = Span(spans[-1].start, atom.span.end)
        else:
            spans.append(atom.span)
    return tuple(spans)
