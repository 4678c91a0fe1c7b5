"""Typed blocks packed into a token budget, section by section, with overlap of whole sentences.

Source: block-packing.md; DECISIONS bp-0 to bp-10. The behaviour before its improvements is
reachable by settings: `includeHeadings: false`, `overlapScope: anywhere`, counter `chars-4`. The
spec's own counter is `block-ratio`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import ClassVar, Literal

from chunking.core.chunk import END, Boundary, Chunk
from chunking.core.context import SplitContext
from chunking.core.cut_parts import Plan
from chunking.core.planning import PlanningStrategy
from chunking.core.strategy import Family, Limits, setting
from chunking.document import Block, Document
from chunking.splitting.breadcrumbs import arrow, clip
from chunking.splitting.document_cache import once_per_document
from chunking.strategies.block_packing.packed_steps import PackedSteps
from chunking.strategies.block_packing.packing import Packing, Reason, sizes
from chunking.strategies.block_packing.units import BlockUnit, Path, reading_of
from chunking.text.display import counted


class BlockPacking(PlanningStrategy):
    """Blocks of one section packed up to a budget that leaves room for overlap."""

    name: ClassVar[str] = "block-packing"
    title: ClassVar[str] = "Block packing"
    summary: ClassVar[str] = (
        "Packs whole blocks of a section into a budget, repeats the last sentences, never cuts code."
    )
    family: ClassVar[Family] = "headings"
    spec_counter: ClassVar[str] = "block-ratio"
    rules: ClassVar[dict[str, str]] = {
        "budget-reached": "the next block does not fit into the budget (maxTokens less the reserve for overlap)",
        "top-level-section": "the next block is under another top-level heading",
        "section": "the next block is under another heading, and the chunk is filled to at least minFill",
    }

    max_tokens: int = setting(
        512,
        title="Maximum",
        help="Higher packs more blocks into a chunk.",
        unit="tokens",
        ge=1,
        le=1_000_000,
        slider=(50, 2000),
        step=8,
    )
    overlap_percentage: int = setting(
        15,
        title="Overlap",
        help="Higher repeats more of the chunk before, and leaves a smaller budget for new blocks.",
        unit="% of maxTokens",
        ge=0,
        le=100,
        slider=(0, 50),
        step=1,
    )
    min_fill: int = setting(
        10,
        title="Minimum fill",
        help="Higher lets small sections share a chunk; at 0 every new section begins one.",
        unit="% of the budget",
        ge=0,
        le=100,
        slider=(0, 100),
        step=1,
    )
    overlap_scope: Literal["section", "top-level", "anywhere"] = setting(
        "section",
        title="Overlap scope",
        help="Wider repeats text across more section borders: section, top-level, anywhere.",
    )
    include_headings: bool = setting(
        True, title="Include headings", help="On puts the section path in front of each chunk, as one line."
    )
    adaptive: bool = setting(
        False,
        title="Adaptive size",
        help="On raises the maximum by half, to 1024 at most, in documents that are mostly code or tables.",
    )
    count_context: bool = setting(
        False,
        title="Include context in the maximum",
        short="Include context",
        help="On: maxTokens limits the whole text, including the heading line.",
    )

    def why_not_here(self, chunk: Chunk, heading: Block, tokens: int) -> str:
        """That the chunk was filled too little for a new section, or that the heading only leads to
        its first block."""
        if heading.title in chunk.breadcrumb or heading.span.start < chunk.kept[0].start:
            return "the chunk begins with it, and its context repeats it"
        _, budget = sizes(self.max_tokens, self.overlap_percentage)
        if tokens * 100 < self.min_fill * budget:
            has = counted(tokens, "token")
            return f"the chunk had {has} there, fewer than minFill ({self.min_fill}% of its budget of {budget})"
        return "a heading without text of its own stays with the next block"

    def limits(self) -> Limits:
        return Limits(
            maximum=self.ceiling(),
            maximum_setting="max_tokens",
            counts="text" if self.count_context else "body",
        )

    def limits_in(self, document: Document) -> Limits:
        """With the maximum that `adaptive` chooses for this document."""
        if not self.adaptive:
            return self.limits()
        maximum = self.maximum_for(reading_of(document))
        return replace(self.limits(), maximum=maximum, maximum_raised=maximum > self.max_tokens)

    def plan(self, document: Document, tools: SplitContext) -> Plan[Reason]:
        """Chunks and skips in source order, as the spec goes: type the blocks, pack them,
        repeat."""
        packing = Packing(self, document, tools)
        steps = PackedSteps(packing)
        return Plan(document, steps if steps.in_columns else iter(steps), partial(self._boundary, packing))

    def _boundary(self, packing: Packing, reason: Reason) -> Boundary:
        """The reason with the numbers of the settings."""
        rule, held, path, context_path, unit, total = reason
        if unit is None:
            return END
        if rule == "budget-reached":
            budget = packing.budget_for(context_path)
            detail = (
                f"the chunk has {held} tokens, and with the {unit.kind} on line {packing.document.line_of(unit.start)} "
                f"it would have {total} tokens, more than its budget of {budget} (maxTokens {packing.maximum} less "
                f"{packing.reserve} for overlap)"
            )
            return Boundary(rule, detail, held, total - held, budget, ("max_tokens", "overlap_percentage"))
        if rule == "section":
            least = self.min_fill
            section = _named(unit.path[-1:])
            where = f"where another section, {section}, begins"
            if not unit.headings:  # it began while the chunk had too little
                line = _line_of_heading(reading_of(packing.document), unit)
                where = f"and the next block is in another section, {section} (from line {line}), than its first block"
            held_enough = f"at least minFill ({least}% of its budget of {packing.budget})"
            detail = f"the chunk already has {held} tokens, {held_enough}, {where}"
            return Boundary(rule, detail, held, None, least * packing.budget / 100, ("min_fill",))
        after, title = _named(path[:1]), _named(unit.path[:1])
        if unit.headings:
            return Boundary(rule, f"another top-level heading, {title}, begins after {after}", held)
        detail = f"the next block is under another top-level heading, {title}, than the chunk's first block, {after}"
        return Boundary(rule, detail, held)

    def maximum_for(self, reading: Document) -> int:
        """maxTokens, raised for documents of code and tables when `adaptive` (bp-8); never
        lowered. Of a document as block-packing reads it."""
        return self.ceiling() if self.adaptive and once_per_document(reading, _is_code_or_tables) else self.max_tokens

    def ceiling(self) -> int:
        """The largest maximum that `adaptive` may choose."""
        return max(self.max_tokens, min(self.max_tokens * 3 // 2, 1024)) if self.adaptive else self.max_tokens


def _is_code_or_tables(reading: Document) -> bool:
    """Whether more than half of the blocks are code, or more than three in ten tables (bp-8)."""
    kinds = [block.kind for block in reading.blocks if block.kind not in ("heading", "blank", "front-matter")]
    return kinds.count("code") > 0.5 * len(kinds) or kinds.count("table") > 0.3 * len(kinds)


def _line_of_heading(reading: Document, unit: BlockUnit) -> int:
    """Of the heading that the unit is under, the innermost one."""
    number = reading.section_number_at(unit.start) - 1
    return reading.line_of(reading.headings[number].span.start)


def _named(path: Path) -> str:
    return f"'{clip(arrow(path), 60)}'" if path else "text without a heading"
