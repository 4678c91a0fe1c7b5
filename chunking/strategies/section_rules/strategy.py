"""H2 sections, split further at H3 and at paragraphs, with a prefix of labels and a short overlap.

Source: section-rules.md; DECISIONS sr-1 to sr-8.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import ClassVar, Literal

from pydantic import Field, model_validator

from chunking.core.chunk import PASSED_OVER, Boundary, Chunk, Skip, front_matter
from chunking.core.context import SplitContext
from chunking.core.cut_parts import Plan
from chunking.core.planning import PlanningStrategy
from chunking.core.strategy import Family, Limits, Ordered, setting
from chunking.document import Block, Document, Span
from chunking.errors import SettingError
from chunking.splitting.document_cache import once_per_counter
from chunking.strategies.section_rules.known_groups import Group, KnownGroups, KnownSizes, Others, Sizes, Step
from chunking.strategies.section_rules.sealing import Sealing
from chunking.strategies.section_rules.sections import AT_END, Ending, SectionPiece, skips_between
from chunking.strategies.section_rules.splitter import SectionSplitter
from chunking.text.display import counted

NAVIGATION = ("What's Next", "Prerequisites", "Self-Assessment", "Table of Contents")
"""Headings whose sections are not content (section-rules.md, "Content Exclusions")."""


class SectionRules(PlanningStrategy):
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
        title="Minimum",
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
        help="Cuts nothing. Chunks below it are listed in the report.",
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
        title="Include context in the maximum",
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
            return "this strategy cuts at H2 and H3 only"
        if heading.level == 3 and chunk.body_tokens <= self.split_above:
            return f"with it the section has {chunk.body_tokens} tokens, no more than splitAbove ({self.split_above})"
        if tokens < self.min_tokens:
            has = counted(tokens, "token")
            return f"the chunk had {has} there, fewer than minTokens ({self.min_tokens}), so it was merged with it"
        return f"what follows it has fewer tokens than minTokens ({self.min_tokens}), so it was merged"

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

    def plan(self, document: Document, tools: SplitContext) -> Plan[Ending]:
        """Chunks and skips in source order, as the spec goes: clean, cut, merge the small, prefix
        and overlap."""
        sealing = Sealing(self, document, tools)
        sizes = Sizes(self.split_above, self.target_high, self.min_tokens)
        splitter = SectionSplitter(
            document, tools, self.exclude, sizes, sealing.limit, count_context=self.count_context
        )

        def boundary(ending: Ending) -> Boundary:
            with tools.untraced():  # where it is cut is decided
                return splitter.boundary(ending)

        return Plan(document, self._steps(splitter, sealing), boundary, sealing.metadata)

    def _steps(self, splitter: SectionSplitter, sealing: Sealing) -> Iterator[Step]:
        document, tools = splitter.document, splitter.tools
        start = yield from front_matter(document)
        first = splitter.first_that_matters()
        if first:
            reached = splitter.chapter.sections[first][0].start
            yield Skip(Span(start, reached), PASSED_OVER)
            start = reached
        if tools.tracing or self.count_context or tools.passes_over(Span(0, 1)):
            reached = yield from self._steps_of(splitter.pieces(first), start, splitter, sealing)
        else:
            reached = yield from self._steps_of_groups(start, splitter, sealing)
        yield from skips_between(Span(reached, len(document.text)), splitter.excluded)

    def _steps_of_groups(self, start: int, splitter: SectionSplitter, sealing: Sealing) -> Generator[Step, None, int]:
        """The chunks of all sections, as an earlier cut made them where that is known. Returns
        where the last one ends."""
        groups = once_per_counter(splitter.document, splitter.tools.counter, KnownGroups)
        others = Others(self.exclude, self.prefix_labels, self.overlap_tokens, self.small)
        number, before, sizes = 0, sealing.before, splitter.sizes
        while number < len(splitter.chapter.sections):
            group = groups.get(number)
            if group is None or not (group.known.hold(sizes) and group.others == others and group.before == before):
                known = splitter.known = sealing.known = KnownSizes()
                pieces, end = splitter.group_from(number)
                reached, sealing.before = pieces[-1].end if pieces else start, before
                steps = [*self._steps_of(iter(pieces), start, splitter, sealing)]
                group = groups.keep(number, Group(others, known, before, steps, end, reached, sealing.before))
            yield from group.steps
            number, start, before = group.end, group.reached, group.last
        return start

    def _steps_of(
        self, pieces: Iterator[SectionPiece], start: int, splitter: SectionSplitter, sealing: Sealing
    ) -> Generator[Step, None, int]:
        """The chunks of pieces, and what was left out before each, from `start` on. Returns where
        the last one ends."""
        tools, text_end = splitter.tools, len(splitter.document.text)
        if self.small == "merge":
            pieces = splitter.with_small_joined(pieces)
        for piece in pieces:
            body = piece.body
            if start < body.start:
                yield from skips_between(Span(start, body.start), splitter.excluded)
            start = body.end
            if tools.passes_over(body):
                sealing.pass_over(piece)
                yield Skip(body, PASSED_OVER)
                continue
            with tools.untraced():  # where it is cut is decided
                sealed = sealing.sealed(piece, splitter.excluded)
            yield sealed, piece.ended_by if start < text_end else AT_END
        return start
