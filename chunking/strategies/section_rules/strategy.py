"""H2 sections, split further at H3 and at paragraphs, with a prefix of labels and a short overlap.

Source: section-rules.md; DECISIONS sr-1 to sr-8.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import ClassVar, Literal
from uuid import NAMESPACE_URL, uuid5

from pydantic import Field, model_validator

from chunking.core.chunk import END, PASSED_OVER, Boundary, Chunk, Part, Skip, front_matter
from chunking.core.context import SplitContext
from chunking.core.strategy import Family, Limits, Ordered, Strategy, setting
from chunking.document import Block, Document, Span
from chunking.document.fenced_regions import holds_code
from chunking.errors import SettingError
from chunking.splitting.overlap import longest_suffix, with_blanks_after
from chunking.splitting.sealed_chunks import SealedChunks
from chunking.strategies.section_rules.prefix import SectionPrefix
from chunking.strategies.section_rules.sections import (
    ExcludedSection,
    SectionPiece,
    heading_text,
    holes_of,
    skips_between,
    visible_spans,
)
from chunking.strategies.section_rules.splitter import SectionSplitter, Sizes

NAVIGATION = ("What's Next", "Prerequisites", "Self-Assessment", "Table of Contents")
"""Headings whose sections are not content (section-rules.md, "Content Exclusions")."""


class SectionRules(Strategy):
    """Chapters of a textbook: one concept, one section, one chunk."""

    name: ClassVar[str] = "section-rules"
    title: ClassVar[str] = "Section rules"
    summary: ClassVar[str] = "One chunk for each H2 section, split at H3 and at paragraphs when it is too large."
    family: ClassVar[Family] = "headings"
    rules: ClassVar[dict[str, str]] = {
        "h2": "the next H2 section (or H1) begins",
        "h3": "the section is over splitAbove, and its next H3 begins",
        "paragraph": "the section is over splitAbove without an H3, and targetHigh is reached",
    }
    ordered: ClassVar[tuple[Ordered, ...]] = (
        Ordered("min_tokens", "split_above"),
        Ordered("target_low", "target_high"),
        Ordered("target_high", "split_above"),
    )

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
        description="The lines in front of each chunk. More labels cost tokens and tell better where the text is from.",
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
        description="On: splitAbove limits the whole text, with prefix and overlap, instead of the content.",
    )

    @model_validator(mode="after")
    def _labels_are_known(self) -> SectionRules:
        unknown = [label for label in self.prefix_labels if label not in ("Module", "Chapter", "Section")]
        if unknown:
            raise SettingError("prefixLabels", f"{unknown[0][:40]!r} is none of Module, Chapter, Section")
        return self

    def why_not_here(self, chunk: Chunk, heading: Block, tokens: int) -> str:
        """That its section is small enough to stay whole, or too small to stand alone (sr-1,
        sr-3)."""
        if heading.level > 3:
            return "only H2 and H3 are cut at"
        if heading.level == 3 and chunk.body_tokens <= self.split_above:
            return f"with it the section has {chunk.body_tokens} tokens, within splitAbove {self.split_above}"
        if tokens < self.min_tokens:
            return f"{tokens} tokens are below minTokens {self.min_tokens}, and were merged with it"
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

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        """Yield chunks and skips in source order, as the spec goes: clean, cut, merge the small,
        prefix and overlap."""
        yield from _Chapter(self, document, tools).parts()


JOINT = 2
"""Tokens that joining prefix, overlap and content may cost on top of their sum."""
Metadata = Mapping[str, str | int | float | None]


class _Chapter:
    """One document being cut."""

    def __init__(self, strategy: SectionRules, document: Document, tools: SplitContext) -> None:
        self.strategy = strategy
        self.document = document
        self.tools = tools
        self.prefix = SectionPrefix(document, tools, strategy.prefix_labels, strategy.split_above)
        self._sealed = SealedChunks(document, tools, strategy.name)
        self.before: Span | None = None
        """What is kept last of the chunk before."""

    def parts(self) -> Iterator[Part]:
        document, strategy = self.document, self.strategy
        start = yield from front_matter(document)
        sizes = Sizes(strategy.split_above, strategy.target_high, strategy.min_tokens)
        splitter = SectionSplitter(
            document, self.tools, strategy.exclude, sizes, self.limit, count_context=strategy.count_context
        )
        first = splitter.first_that_matters()
        if first:
            reached = splitter.chapter.sections[first][0].start
            yield Skip(Span(start, reached), PASSED_OVER)
            start = reached
        excluded, pieces = splitter.excluded, splitter.pieces(first)
        if strategy.small == "merge":
            pieces = splitter.with_small_joined(pieces)
        for index, piece in enumerate(pieces):
            body = piece.body
            yield from skips_between(Span(start, body.start), excluded)
            if self.tools.passes_over(body):
                self.before = None if self.tools.boundaries_only else visible_spans(document, piece.spans)[-1]
                yield Skip(body, PASSED_OVER)
            else:
                with self.tools.untraced():  # where it is cut is decided
                    chunk = self.sealed(piece, index, splitter)
                yield chunk
            start = body.end
        yield from skips_between(Span(start, len(document.text)), excluded)

    def limit(self, heading: Block | None) -> int:
        """What the content may hold; with countContext prefix and overlap are paid for first
        (all-5)."""
        if not self.strategy.count_context:
            return self.strategy.split_above
        paid = self.tools.count(self.prefix.under(heading)[0]) + self.strategy.overlap_tokens + JOINT
        return max(1, self.strategy.split_above - paid)

    def overlap(self, piece: SectionPiece, rest: Sequence[str | Span]) -> Span | None:
        """The end of the chunk before (sr-2); with countContext as much of it as leaves the whole
        within the limit."""
        if self.before is None or self.tools.boundaries_only or piece.inside:
            return None
        limit = self.strategy.overlap_tokens
        index = self.tools.index(self.document)
        while True:
            found = longest_suffix(self.document, self.before, limit, self.tools)
            overlap = with_blanks_after(self.document, found, piece.body.start)
            if overlap is None or not self.strategy.count_context:
                return overlap
            if index.count_parts([rest[0], overlap, *rest[1:]]) <= self.strategy.split_above:
                return overlap
            limit -= 1

    def sealed(self, piece: SectionPiece, chunk_index: int, splitter: SectionSplitter) -> Chunk:
        """The chunk of a piece, as an earlier cut sealed it where it is made of the same."""
        ended_by = END if piece.end == len(self.document.text) else splitter.boundary(piece.ended_by)
        prefix, flags = self.prefix.under(piece.heading)
        if self.strategy.count_context or piece.tokens > self.strategy.split_above:
            chunk = self.sealed_anew(piece, chunk_index, ended_by, splitter.excluded)
        else:
            before = (self.before.start, self.before.end) if self.before else None
            flags = (*flags, *piece.flags, *self.size_flags(piece, piece.tokens))
            made_of = (before, self.strategy.overlap_tokens, prefix, flags, piece)
            known = self._sealed.known(piece.start, made_of)
            if known is not None:
                chunk = self.tools.seal_again(known, ended_by, self.metadata(piece, chunk_index, known.metadata))
            else:
                chunk = self.sealed_anew(piece, chunk_index, ended_by, splitter.excluded)
                self._sealed.keep(made_of, chunk)
        self.before = chunk.kept[-1]
        return chunk

    def metadata(self, piece: SectionPiece, chunk_index: int, known: Metadata) -> Metadata:
        """The metadata; the known one where that has the same number."""
        if known and known["chunk_index"] == chunk_index:
            return known
        return {
            "id": _chunk_id(f"{self.prefix.module_id}/{self.prefix.chapter_id}/{chunk_index}"),
            "module_id": self.prefix.module_id,
            "chapter_id": self.prefix.chapter_id,
            "section_heading": heading_text(piece.heading),
            "chunk_index": chunk_index,
        }

    def sealed_anew(
        self, piece: SectionPiece, chunk_index: int, ended_by: Boundary, excluded: Sequence[ExcludedSection]
    ) -> Chunk:
        document, strategy = self.document, self.strategy
        prefix, flags = self.prefix.under(piece.heading)
        context = prefix + piece.context
        visible = visible_spans(document, piece.spans)
        overlap = self.overlap(piece, [context, *visible])
        parts: list[str | Span] = [context, *([overlap] if overlap else []), *visible]
        counted = self.tools.index(document).count_parts(parts) if strategy.count_context else piece.tokens
        return self.tools.seal(
            document,
            piece.body,
            ended_by,
            breadcrumb=document.section_at(visible[0].start).breadcrumb,
            holes=holes_of(document, piece.body, piece.spans, excluded),
            overlap=overlap,
            context=context,
            flags=(*flags, *piece.flags, *self.size_flags(piece, counted)),
            metadata=self.metadata(piece, chunk_index, {}),
        )

    def size_flags(self, piece: SectionPiece, counted: int) -> list[Boundary]:
        strategy, size, flags = self.strategy, piece.tokens, list[Boundary]()
        if size < strategy.min_tokens:
            reason = "small is keep" if strategy.small == "keep" else "no neighbour can take it within splitAbove"
            detail = f"{size} tokens are below minTokens {strategy.min_tokens}, and {reason}"
            flags.append(Boundary("undersized", detail, size, None, strategy.min_tokens, ("min_tokens", "small")))
        if counted > strategy.split_above:
            reason = "code is never cut" if holds_code(self.document, piece.spans) else "one character cannot be cut"
            detail = f"{counted} tokens are over splitAbove {strategy.split_above}, and {reason}"
            flags.append(Boundary("unsplittable", detail, counted, None, strategy.split_above, ("split_above",)))
        return flags


@lru_cache(maxsize=1 << 14)
def _chunk_id(name: str) -> str:
    return str(uuid5(NAMESPACE_URL, name))
