"""Packs sections from the top: what fits under the hard cap stays together, and only what does not
is split.

Source: hierarchical.md; DECISIONS hi-1 to hi-10. The work is done on offsets: a chunk is a span of
the source, so packing means choosing where to cut. `units.py` lists what is packed, `packing.py`
decides, with `fitting.py` and `leaf_pieces.py`, `rendering.py` builds and counts the chunks.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import ClassVar, Literal

from chunking.core.chunk import Boundary, Chunk, Skip, front_matter
from chunking.core.context import SplitContext
from chunking.core.cut_parts import Plan
from chunking.core.planning import PlanningStrategy
from chunking.core.sealed import Sealed
from chunking.core.strategy import Family, Limits, Ordered, setting
from chunking.document import Block, Document, Span
from chunking.splitting.blank_edges import blank, is_blank
from chunking.splitting.source_code.structure import CODE_FENCES_HELP, CodeFences
from chunking.strategies.hierarchical.packing import SectionPacking
from chunking.strategies.hierarchical.reasons import Reason
from chunking.strategies.hierarchical.rendering import Renderer, SectionDraft
from chunking.strategies.hierarchical.trailing_heading import with_trailing_heading
from chunking.strategies.hierarchical.units import reading_of
from chunking.tokens import TokenIndex


class Hierarchical(PlanningStrategy):
    """The whole document, else whole sections, else a section's text with as many child sections as
    fit."""

    name: ClassVar[str] = "hierarchical"
    title: ClassVar[str] = "Hierarchical packing"
    summary: ClassVar[str] = (
        "Keeps sections together up to a hard cap: fewer, whole chunks for documents with headings."
    )
    family: ClassVar[Family] = "headings"
    rules: ClassVar[dict[str, str]] = {
        "hard-cap": "the next piece does not fit under hardCap",
        "section-end": "the section ends, and what follows belongs to another that is over hardCap as a whole",
        "leaf-split": "a text, code block, table or list over hardCap is cut here",
    }
    ordered: ClassVar[tuple[Ordered, ...]] = (Ordered("target", "hard_cap"),)

    target: int = setting(
        512,
        title="Target",
        unit="tokens",
        help="Higher cuts a text, code block, table or list that is over the hard cap into larger pieces.",
        ge=1,
        le=1_000_000,
        slider=(64, 2048),
    )
    hard_cap: int = setting(
        1024,
        title="Hard cap",
        unit="tokens",
        help="Higher packs more sections into one chunk. No chunk exceeds it, breadcrumb included.",
        ge=1,
        le=1_000_000,
        slider=(128, 4096),
    )
    embed_breadcrumb: bool = setting(
        True,
        title="Embed breadcrumb",
        help="On: every chunk begins with a line such as `guide.md > Install > Linux`, which counts against the caps.",
    )
    whole_document_breadcrumb: Literal["file", "heading"] = setting(
        "file",
        title="Breadcrumb of a whole document",
        short="Whole document",
        help="For a document that fits in one chunk. file: its file name alone. heading: its only root heading too.",
    )
    code_fences: CodeFences = setting("lines", title="Code in fences", help=CODE_FENCES_HELP, of_documents=True)

    def why_not_here(self, chunk: Chunk, heading: Block, head: int) -> str:  # noqa: ARG002
        """The section still fits into the chunk: nothing but hardCap ends a chunk at a heading
        here."""
        return f"with it the chunk has {chunk.tokens} tokens, no more than hardCap ({self.hard_cap})"

    def limits(self) -> Limits:
        """hardCap holds for the whole text, breadcrumb included (DECISIONS all-5)."""
        return Limits(
            target=self.target,
            target_setting="target",
            maximum=self.hard_cap,
            maximum_setting="hard_cap",
            counts="text",
        )

    def plan(self, document: Document, tools: SplitContext) -> Plan[Reason]:
        """The front matter and blank lines before the first heading as skips, the rest as
        chunks."""
        return Plan(document, self._steps(document, tools), partial(self._boundary, document, tools.index(document)))

    def _boundary(self, document: Document, index: TokenIndex, reason: Reason) -> Boundary:
        return reason if isinstance(reason, Boundary) else reason.boundary(self.hard_cap, document, index)

    def _steps(self, document: Document, tools: SplitContext) -> Iterator[Skip | tuple[Sealed, Reason]]:
        start = yield from front_matter(document)
        rest, reading = Span(start, len(document.text)), reading_of(document)
        # A byte order mark alone is no white space, and yet the parser finds nothing in it.
        if is_blank(document, rest) or not reading.units(document.outline):
            yield from blank(rest.start, rest.end)
            return
        renderer = Renderer(reading, tools, self.hard_cap, embed_breadcrumb=self.embed_breadcrumb)
        packing = SectionPacking(renderer, self)
        # One draft behind: a heading that ends the document joins the chunk before it.
        waiting: list[SectionDraft] = []
        for draft in packing.drafts(start):
            *done, last = (
                with_trailing_heading(renderer, waiting[0], draft) if waiting and draft.lone else [*waiting, draft]
            )
            yield from map(renderer.step, done)
            waiting = [last]
        yield from map(renderer.step, waiting)
