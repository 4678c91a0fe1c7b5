"""Packs sections from the top: what fits under the hard cap stays together, and only what does not
is split.

Source: hierarchical.md; DECISIONS hi-1 to hi-10. The work is done on offsets: a chunk is a span of
the source, so packing means choosing where to cut. `units.py` lists what is packed, `rendering.py`
builds and counts the chunks.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import ClassVar, Literal

from chunking.core.chunk import END, PASSED_OVER, Boundary, Chunk, Skip, front_matter
from chunking.core.context import SplitContext
from chunking.core.cut_parts import Plan
from chunking.core.planning import PlanningStrategy
from chunking.core.sealed import Sealed
from chunking.core.strategy import Family, Limits, Ordered, setting
from chunking.document import Block, Document, Span
from chunking.splitting.blank_edges import blank, is_blank
from chunking.splitting.breadcrumbs import clip
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.splitting.source_code.structure import CODE_FENCES_HELP, CodeFences
from chunking.strategies.hierarchical.rendering import ChunkHead, Renderer, SectionDraft, common_path, place
from chunking.strategies.hierarchical.units import (
    NO_PIECES,
    TITLE,
    Path,
    SectionKey,
    SectionUnit,
    UnitPieces,
    Units,
    block_unit,
    key_of,
    reading_of,
)
from chunking.text.whitespace import last_visible

Drafts = Generator[SectionDraft, None, ChunkHead | None]
"""Yields drafts of chunks in order; returns headings with nothing under them, which begin the next
chunk (hi-4)."""


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
        help="For a document that fits in one chunk: its file name alone, or its single root heading as well.",
    )
    code_fences: CodeFences = setting("lines", title="Code in fences", help=CODE_FENCES_HELP, of_documents=True)

    def why_not_here(self, chunk: Chunk, heading: Block, head: int) -> str:  # noqa: ARG002
        """The section still fits into the chunk: nothing but hardCap ends a chunk at a heading
        here."""
        return f"with it the chunk has {chunk.tokens} tokens, within hardCap {self.hard_cap}"

    def limits(self) -> Limits:
        """hardCap holds for the whole text, breadcrumb included (DECISIONS all-5)."""
        return Limits(
            target=self.target,
            target_setting="target",
            maximum=self.hard_cap,
            maximum_setting="hard_cap",
            counts="text",
        )

    def plan(self, document: Document, tools: SplitContext) -> Plan[Boundary]:
        """The front matter and blank lines before the first heading as skips, the rest as
        chunks."""
        return Plan(document, self._steps(document, tools), _itself)

    def _steps(self, document: Document, tools: SplitContext) -> Iterator[Skip | tuple[Sealed, Boundary]]:
        start = yield from front_matter(document)
        rest, reading = Span(start, len(document.text)), reading_of(document)
        # A byte order mark alone is no white space, and yet the parser finds nothing in it.
        if is_blank(document, rest) or not reading.units(document.outline):
            yield from blank(rest.start, rest.end)
            return
        renderer = Renderer(reading, tools, self.hard_cap, embed_breadcrumb=self.embed_breadcrumb)
        packing = _SectionPacking(renderer, self)
        # One draft behind: a heading that ends the document joins the chunk before it.
        waiting: list[SectionDraft] = []
        for draft in packing.drafts(start):
            *done, last = (
                packing.with_trailing_heading(waiting[0], draft) if waiting and draft.lone else [*waiting, draft]
            )
            yield from map(renderer.step, done)
            waiting = [last]
        yield from map(renderer.step, waiting)


def _itself(ended_by: Boundary) -> Boundary:
    return ended_by


LONE = Boundary("undersized", "a heading with nothing under it ends the document, and the chunk before it is full")
JOIN_TOKENS = 4
"""Tokens reserved where a piece is joined to carried headings: the blank lines between them count
as well."""


@dataclass(frozen=True, slots=True)
class _OversizeSection:
    """A section, or the document, that is over hardCap as a whole: the reason why nothing is packed
    across its end."""

    name: str
    tokens: int


@dataclass(frozen=True, slots=True)
class _Fit:
    """How many units fit into the chunk that begins with a given head."""

    after: int
    """Index after the last unit that fits; where the search began when not even one does."""
    tokens: int
    """Of the chunk with those units."""
    over: int
    """Of the chunk with one unit more; 0 when there is none."""


class _Fits(Memo[tuple[int, bool, Units, int, int, str, SectionKey | None], _Fit]):
    """Keyed by hardCap, embedBreadcrumb, the units, the index of the first, where the chunk begins,
    its opening, and the section around carried headings."""


class _SectionPacking:
    """The decisions, from the top down (hi-1, hi-2)."""

    def __init__(self, renderer: Renderer, settings: Hierarchical) -> None:
        self.renderer = renderer
        self.document = renderer.document
        self.tools = renderer.tools
        self.settings = settings
        self.hard_cap = settings.hard_cap
        self._fits = once_per_counter(self.document, self.tools.counter, _Fits)

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
        over = _OversizeSection("the document", tokens)
        left: ChunkHead | None = head
        preamble, sections = self.renderer.reading.top()
        if preamble:
            left = yield from self._pack((root,), preamble, head, over)
        for section in sections:
            left = yield from self._pack((root,), section, left, over)
        if left is not None:
            tail, around = units[-1].tail, left.joined((root,))
            yield SectionDraft(
                left, len(text), tail, self._breadcrumb_within_cap(left, tail, around), END, flags=(LONE,), lone=True
            )

    def _whole_path(self, units: Units) -> Path:
        """`[file]`; with wholeDocumentBreadcrumb `heading`, the single root heading as well
        (hi-1)."""
        root, only = self.document.outline, units[0].section
        if self.settings.whole_document_breadcrumb == "heading" and len(units) == 1 and only is not None:
            return (root, only)
        return (root,)

    def _pack(self, path: Path, units: Units, head: ChunkHead | None, over: _OversizeSection) -> Drafts:
        """Pack the units of one section in order, up to hardCap. A child section over it is packed
        by recursion; a leaf over it is cut into pieces. `head` is the beginning of a chunk that the
        section before left open; `over` says why the section's last chunk is not packed with what
        follows the section.
        """
        i = 0
        while i < len(units):
            unit = units[i]
            head = head or ChunkHead.at(unit)
            fit = self._fit(path, units, i, head)
            packed = units.between(i, fit.after)
            bare = all(one.bare for one in packed)
            if packed and not bare and (pieces := self._pieces_of_next(path, units, fit.after)):
                i, units = 0, self._with_pieces(units, i, fit.after, pieces)
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
                own = _OversizeSection(unit.name(self.document), fit.over)
                head = yield from self._pack(below, inside, head, own)
            elif pieces := self._pieces(path, unit, head):
                head = head.in_pieces(unit, pieces)
                i, units = 0, self._with_pieces(units, i, i, pieces)
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

    def _pieces_of_next(self, path: Path, units: Units, after: int) -> UnitPieces:
        """The pieces of the next unit if it is a leaf over hardCap: the first ones may fit into
        this chunk (hi-5)."""
        leaf = units[after] if after < len(units) else None
        if leaf is None or leaf.section is not None or leaf.piece or leaf.bare:
            return NO_PIECES
        head = ChunkHead.at(leaf)
        # The breadcrumb takes at most half: most leaves need no exact count to see that they fit.
        fits = self.renderer.count_after("", leaf.lead, leaf.tail) * 2 < self.hard_cap
        if fits or self.renderer.tokens(head, leaf.tail, path) <= self.hard_cap:
            return NO_PIECES
        return self._pieces(path, leaf, head)

    def _fit(self, path: Path, units: Units, i: int, head: ChunkHead) -> _Fit:
        """The units from `i` on that fit into the chunk that begins with `head`; cached by
        hardCap."""
        carried = key_of(head.carried[-1]) if head.carried else None
        if self.tools.tracing:
            key = ("fit", key_of(path[-1]), units, i, head.lead, head.opening, carried)
            return self.tools.remembered(key, partial(self._found_fit, path, units, i, head))
        place = (self.hard_cap, self.settings.embed_breadcrumb, units, i, head.lead, head.opening, carried)
        known = self._fits.get(place)
        return known if known is not None else self._fits.keep(place, self._found_fit(path, units, i, head))

    def _found_fit(self, path: Path, units: Units, i: int, head: ChunkHead) -> _Fit:
        """`_fit` without the cache: units are added one after the other and counted as rendered
        (hi-6)."""
        first = i + 1 if units[i].bare and units[i].section is None else i
        child = units[first].section if first < len(units) else None
        in_child = path if child is None else (*path, child)

        def tokens(j: int) -> int:
            around = head.joined(in_child if j == first else path)
            return self.renderer.tokens(head, units[j].tail, around, units[j].closing)

        accepted = alone = tokens(i)
        if alone > self.hard_cap:
            return _Fit(i, 0, alone)
        last, over = i, 0
        if i + 1 < len(units):
            # A first guess from prefix sums; what is decided on is the rendered text.
            room = self.hard_cap - self.renderer.tokens_before(head.joined(path), head.opening)
            last = max(i, units.last_within(self.renderer.index, head.lead, room, first=i + 1))
            while last > i and (accepted := tokens(last)) > self.hard_cap:
                last -= 1
            accepted = accepted if last > i else alone
        while last + 1 < len(units) and (over := tokens(last + 1)) <= self.hard_cap:
            last, accepted, over = last + 1, over, 0
        return _Fit(last + 1, accepted, over)

    def _packed(
        self, path: Path, units: Units, i: int, fit: _Fit, head: ChunkHead, over: _OversizeSection
    ) -> SectionDraft:
        """The chunk of the units that fit, with the reason why it ends after them."""
        packed = units.between(i, fit.after)
        last = packed[-1]
        path_shown = head.joined(place(path, packed))
        path_shown = self._breadcrumb_within_cap(head, last.tail, path_shown, head.joined(path), closing=last.closing)
        if fit.after < len(units):
            reason = self._next_over(last, units[fit.after], fit)
        elif last.span.end == len(self.document.text):
            reason = END
        else:
            reason = self._section_over(path_shown, fit, over)
        return SectionDraft(head, last.span.end, last.tail, path_shown, reason, last.closing)

    def _breadcrumb_within_cap(self, head: ChunkHead, tail: int, *paths: Path, closing: str = "") -> Path:
        """The breadcrumb of a chunk: the first of `paths` with which the chunk is within hardCap.

        One path is not enough: `_found_fit` counts its first unit with the path of that unit alone,
        and more units with the path of all together (hi-3); and common ancestors, though shorter,
        may take more tokens than a deeper path, as counts depend on the line in front. Where none
        of `paths` fits, the sections that the chunk begins and ends in are tried; if these do not
        fit either, the first path is kept."""
        for path in paths:
            if self.renderer.tokens(head, tail, path, closing) <= self.hard_cap:
                return path
        for offset in (head.lead, tail - 1):
            path = self._path_at(offset)
            if self.renderer.tokens(head, tail, path, closing) <= self.hard_cap:
                return path
        return paths[0]

    def _path_at(self, offset: int) -> Path:
        """The section at an offset with all that are around it."""
        path = [self.document.outline]
        while inner := next((each for each in path[-1].children if each.span.contains(offset)), None):
            path.append(inner)
        return tuple(path)

    def _next_over(self, last: SectionUnit, following: SectionUnit, fit: _Fit) -> Boundary:
        within = following.piece and last.block is following.block
        coming = self.renderer.count_after("", following.lead, following.tail)
        detail = (
            f"{fit.tokens} tokens so far + {coming} of {following.name(self.document)} would be {fit.over}, "
            f"over hardCap {self.hard_cap}"
        )
        settings = ("target", "hard_cap") if within else ("hard_cap",)
        rule = "leaf-split" if within else "hard-cap"
        return Boundary(rule, detail, held=fit.tokens, next=coming, limit=self.hard_cap, settings=settings)

    def _section_over(self, stands: Path, fit: _Fit, over: _OversizeSection) -> Boundary:
        ends = f"'{clip(stands[-1].title, TITLE)}'" if len(stands) > 1 else "the text before the first heading"
        detail = (
            f"{ends} ends here with {fit.tokens} tokens; {over.name} has {over.tokens}, over hardCap {self.hard_cap}, "
            "so what follows is not packed with it"
        )
        return Boundary("section-end", detail, held=fit.tokens, limit=self.hard_cap, settings=("hard_cap",))

    def _with_pieces(self, units: Units, first: int, at: int, pieces: UnitPieces) -> Units:
        """The units from `first` on with a leaf replaced by its pieces: the same object for the
        same pieces."""
        if not self.tools.tracing:
            return units.with_pieces(first, at, pieces)
        replaced = partial(units.with_pieces, first, at, pieces)
        return self.tools.remembered(("with pieces", units, first, at, pieces), replaced)

    def _pieces(self, path: Path, unit: SectionUnit, head: ChunkHead) -> UnitPieces:
        carried = key_of(head.carried[-1]) if head.carried else None
        key = ("pieces", key_of(path[-1]), unit.span, unit.piece, unit.bare, head.lead, head.opening, carried)
        return self.tools.remembered(key, partial(self._cut_in_pieces, path, unit, head))

    def _cut_in_pieces(self, path: Path, unit: SectionUnit, head: ChunkHead) -> UnitPieces:
        """A leaf, or one heading, that is over hardCap, as pieces of at most `target` (hi-5).

        Empty when it cannot be cut, and when headings are carried that should rather stand alone:
        they leave less than an eighth of hardCap, or it is only a heading that does not fit behind
        them.
        """
        if unit.piece:
            return NO_PIECES
        around = head.joined(path)
        room = self.hard_cap - self.renderer.tokens_before(around, "")
        if head.lead < unit.lead:
            if unit.bare and self.renderer.tokens(ChunkHead.at(unit), unit.tail, path) <= self.hard_cap:
                return NO_PIECES
            room = self.hard_cap - self.renderer.tokens(head, self._tail_before(head, unit), around) - JOIN_TOKENS
            if room * 8 < self.hard_cap:
                return NO_PIECES
        limit = max(1, min(self.settings.target, room))
        while True:
            pieces = self.renderer.reading.pieces(self.tools, unit, limit, self.settings.code_fences)
            over = self._most_over(around, pieces, head.in_pieces(unit, pieces))
            if over <= 0 or limit < 1:
                return pieces
            # Behind a breadcrumb a word may count more than alone: at 0 it goes in single
            # characters.
            limit = max(0, limit - over)

    def _most_over(self, around: Path, pieces: Sequence[SectionUnit], head: ChunkHead) -> int:
        """By how much the largest piece is over hardCap as it will be rendered; the first piece
        comes after `head`."""
        starts = [head, *(ChunkHead.at(piece) for piece in pieces[1:])]
        counts = [
            self.renderer.tokens(start, piece.tail, around, piece.closing)
            for start, piece in zip(starts, pieces, strict=False)
            if not any(flag.rule == "unsplittable" for flag in piece.flags)
        ]
        return max(counts, default=0) - self.hard_cap

    def _tail_before(self, head: ChunkHead, unit: SectionUnit) -> int:
        return last_visible(self.document.text, head.lead, unit.span.start)

    def _headings(self, path: Path, unit: SectionUnit, head: ChunkHead) -> SectionDraft:
        """A chunk of carried headings alone, because they leave no room for the text that follows
        them."""
        tail = self._tail_before(head, unit)
        around = head.joined(path[:-1] if unit.bare and len(path) > 1 else path)
        around = self._breadcrumb_within_cap(head, tail, around, head.joined(path))
        fit = _Fit(0, self.renderer.tokens(head, tail, around), self.renderer.tokens(head, unit.tail, around))
        return SectionDraft(head, unit.span.start, tail, around, self._next_over(unit, unit, fit))

    def _unsplittable(self, path: Path, unit: SectionUnit, head: ChunkHead) -> SectionDraft:
        """One grapheme cluster over hardCap: it goes alone, and says so (DECISIONS all-6)."""
        around, end = head.joined(path), unit.span.end
        tokens = self.renderer.tokens(head, unit.tail, around, unit.closing)
        detail = f"{tokens} tokens, over hardCap {self.hard_cap}, in one character that cannot be cut"
        flag = Boundary("unsplittable", detail, held=tokens, limit=self.hard_cap, settings=("hard_cap",))
        within = unit.block is not None and end < unit.block.span.end
        reason = replace(flag, rule="leaf-split" if within else "hard-cap")
        if end == len(self.document.text):
            reason = END
        return SectionDraft(head, end, unit.tail, around, reason, unit.closing, flags=(flag,))

    def with_trailing_heading(self, before: SectionDraft, lone: SectionDraft) -> list[SectionDraft]:
        """Attach a heading that ends the document to the chunk before it, if it fits there.
        Otherwise the last block of that chunk is moved into the heading's chunk, since a heading
        alone is never a chunk (hi-4). If no block can be moved, the heading stays alone, flagged
        `undersized`.
        """
        path = common_path(before.path, lone.path)
        tokens = self.renderer.tokens(before.head, lone.tail, path)
        if tokens <= self.hard_cap:
            return [lone._replace(head=before.head, path=path, flags=before.flags, lone=False)]
        blocks = self.document.blocks
        last = bisect_left(blocks, before.end, key=lambda block: block.span.start) - 1
        first = bisect_right(blocks, before.head.lead, key=lambda block: block.span.start)
        for k in range(last, first - 1, -1):
            moved = ChunkHead.at(block_unit(self.document, blocks[k]))
            with_it = self.renderer.tokens(moved, lone.tail, path)
            if with_it > self.hard_cap:
                break
            if blocks[k].kind == "heading" or blocks[k - 1].kind == "heading":
                continue
            tail = last_visible(self.document.text, before.head.lead, moved.start)
            detail = f"{tokens} tokens with the heading that ends the document, over hardCap {self.hard_cap}"
            reason = Boundary("hard-cap", detail, held=tokens, limit=self.hard_cap, settings=("hard_cap",))
            return [
                before._replace(end=moved.start, tail=tail, ended_by=reason),
                lone._replace(head=moved, path=path, flags=(), lone=False),
            ]
        return [before, lone]
