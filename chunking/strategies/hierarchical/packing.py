"""Where chunks of hierarchical packing end: sections from the top down, and a section's text with
as many child sections as fit.

Source: hierarchical.md; DECISIONS hi-1 to hi-10.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from chunking.core.chunk import END, PASSED_OVER, Boundary
from chunking.document import Span
from chunking.strategies.hierarchical.fitting import Fit, Fitting
from chunking.strategies.hierarchical.known_sections import KnownSections
from chunking.strategies.hierarchical.leaf_pieces import LeafCutting
from chunking.strategies.hierarchical.reasons import LONE, OversizeSection, Reason, SectionOver, next_over
from chunking.strategies.hierarchical.rendering import ChunkHead, Drafts, Renderer, SectionDraft, place
from chunking.strategies.hierarchical.units import Path, SectionUnit, Units

if TYPE_CHECKING:
    from chunking.strategies.hierarchical.strategy import Hierarchical


class SectionPacking:
    """The decisions, from the top down (hi-1, hi-2)."""

    def __init__(self, renderer: Renderer, settings: Hierarchical) -> None:
        self.renderer = renderer
        self.document = renderer.document
        self.tools = renderer.tools
        self.hard_cap = settings.hard_cap
        self._whole_document_breadcrumb = settings.whole_document_breadcrumb
        self._fitting = Fitting(renderer)
        self._leaves = LeafCutting(renderer, settings.target, settings.code_fences)
        self._sections = KnownSections(renderer, settings.target, settings.code_fences)

    def drafts(self, start: int) -> Iterator[SectionDraft]:
        """The whole document when it fits (hi-1); else the preamble, then each top section by
        itself (hi-10)."""
        text, root = self.document.text, self.document.outline
        units = self.renderer.reading.units(root)
        head = ChunkHead.at(units[0])._replace(start=start)
        path = self._whole_path(units)
        tokens = self.renderer.tokens(head, units[-1].tail, path)
        if tokens <= self.hard_cap:
            yield SectionDraft(head, len(text), units[-1].tail, path, END)
            return
        over = OversizeSection(tokens)
        left: ChunkHead | None = head
        preamble, sections = self.renderer.reading.top()
        if preamble:
            left = yield from self._pack((root,), preamble, head, over)
        for section in sections:
            left = yield from self._pack((root,), section, left, over)
        if left is not None:
            tail = units[-1].tail
            around = self.renderer.breadcrumb_within_cap(left, tail, left.joined((root,)))
            yield SectionDraft(left, len(text), tail, around, END, flags=(LONE,), lone=True)

    def _whole_path(self, units: Units) -> Path:
        """`[file]`; with wholeDocumentBreadcrumb `heading`, the single root heading as well
        (hi-1)."""
        root, only = self.document.outline, units[0].section
        if self._whole_document_breadcrumb == "heading" and len(units) == 1 and only is not None:
            return (root, only)
        return (root,)

    def _pack(self, path: Path, units: Units, head: ChunkHead | None, over: OversizeSection) -> Drafts:
        """Pack the units of one section in order, up to hardCap. A child section over it is packed
        by recursion; a leaf over it is cut into pieces. `head` is the beginning of a chunk that the
        section before left open; `over` says why the section's last chunk is not packed with what
        follows the section.
        """
        i = 0
        while i < len(units):
            unit = units[i]
            head = head or ChunkHead.at(unit)
            fit = self._fitting.fit(path, units, i, head)
            packed = units.between(i, fit.after)
            bare = all(one.bare for one in packed)
            if packed and not bare and (pieces := self._leaves.pieces_of_next(path, units, fit.after)):
                i, units = 0, self._leaves.with_pieces(units, i, fit.after, pieces)
                continue
            if packed and bare:
                # A heading alone is never a chunk: it is carried into the next piece (hi-4).
                head = head.carrying(path, packed, whole=fit.after == len(units))
            elif packed:
                yield self._packed(path, units, i, fit, head, over)
                head = None
            elif unit.section is not None and self._passes_over(head, unit):
                yield SectionDraft(head, unit.span.end, unit.tail, path, PASSED_OVER)
                head = None
            elif unit.section is not None:
                below, inside = (*path, unit.section), self.renderer.reading.units(unit.section)
                drafts = self._pack(below, inside, head, OversizeSection(fit.over, unit))
                head = yield from self._sections.packed(unit.section, head, fit.over, drafts)
            elif pieces := self._leaves.pieces(path, unit, head):
                head = head.in_pieces(unit, pieces)
                i, units = 0, self._leaves.with_pieces(units, i, i, pieces)
                continue
            elif head.lead < unit.lead:
                yield self._headings(path, unit, head)
                head = None
                continue
            else:
                yield self._unsplittable(path, unit, head)
                head = None
            i = max(fit.after, i + 1)
        return head

    def _passes_over(self, head: ChunkHead, unit: SectionUnit) -> bool:
        """Whether nothing matters of how a section is cut that is over hardCap: it leaves nothing
        open that ends in text, and is not what a heading at the document's end may join."""
        if not self.tools.passes_over(Span(head.start, unit.span.end)) or unit.span.end > self._last_text:
            return False
        return self.document.block_at(unit.tail - 1).kind != "heading"

    @cached_property
    def _last_text(self) -> int:
        """Where the last block begins that is more than a heading."""
        texts = (each for each in reversed(self.document.blocks) if each.kind not in ("heading", "blank"))
        return next((each.span.start for each in texts), 0)

    def _packed(
        self, path: Path, units: Units, i: int, fit: Fit, head: ChunkHead, over: OversizeSection
    ) -> SectionDraft:
        """The chunk of the units that fit, with the reason why it ends after them."""
        packed = units.between(i, fit.after)
        last = packed[-1]
        path_shown = head.joined(place(path, packed))
        path_shown = self.renderer.breadcrumb_within_cap(
            head, last.tail, path_shown, head.joined(path), closing=last.closing
        )
        reason: Reason
        if fit.after < len(units):
            reason = next_over(last, units[fit.after], fit.tokens, fit.over)
        elif last.span.end == len(self.document.text):
            reason = END
        else:
            reason = SectionOver(fit.tokens, path_shown, over)
        return SectionDraft(head, last.span.end, last.tail, path_shown, reason, last.closing)

    def _headings(self, path: Path, unit: SectionUnit, head: ChunkHead) -> SectionDraft:
        """A chunk of carried headings alone, because they leave no room for the text that follows
        them."""
        tail = self.renderer.tail_before(head, unit)
        around = head.joined(path[:-1] if unit.bare and len(path) > 1 else path)
        around = self.renderer.breadcrumb_within_cap(head, tail, around, head.joined(path))
        tokens, over = (self.renderer.tokens(head, end, around) for end in (tail, unit.tail))
        return SectionDraft(head, unit.span.start, tail, around, next_over(unit, unit, tokens, over))

    def _unsplittable(self, path: Path, unit: SectionUnit, head: ChunkHead) -> SectionDraft:
        """One grapheme cluster over hardCap: it goes alone, and says so (DECISIONS all-6)."""
        self.renderer.limits.pin(self.hard_cap)
        around, end = head.joined(path), unit.span.end
        tokens = self.renderer.tokens(head, unit.tail, around, unit.closing)
        detail = (
            f"the chunk has {tokens} tokens, more than hardCap ({self.hard_cap}), in one character that cannot be cut"
        )
        flag = Boundary("unsplittable", detail, held=tokens, limit=self.hard_cap, settings=("hard_cap",))
        within = unit.block is not None and end < unit.block.span.end
        reason = replace(flag, rule="leaf-split" if within else "hard-cap")
        if end == len(self.document.text):
            reason = END
        return SectionDraft(head, end, unit.tail, around, reason, unit.closing, flags=(flag,))
