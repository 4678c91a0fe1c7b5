"""Typed blocks packed into a token budget, section by section, with overlap of whole sentences.

Source: block-packing.md; DECISIONS bp-0 to bp-10. The behaviour before its improvements is
reachable by settings: `includeHeadings: false`, `overlapScope: anywhere`, counter `chars-4`. The
spec's own counter is `block-ratio`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar, Literal, NamedTuple

from chunking.core.chunk import END, PASSED_OVER, Boundary, Chunk, Part, Skip, front_matter, kept_spans
from chunking.core.context import SplitContext
from chunking.core.strategy import Family, Limits, Strategy, setting
from chunking.document import Block, BlockKind, Document, Span
from chunking.splitting.blank_edges import blank, blank_edges, is_blank
from chunking.splitting.breadcrumbs import ELLIPSIS, arrow, clip, shorten
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.splitting.known_limits import KnownLimits
from chunking.splitting.overlap import last_sentences, with_blanks_after
from chunking.splitting.oversize import split_oversize
from chunking.splitting.sealed_chunks import SealedChunks
from chunking.strategies.block_packing.units import (
    LEFT_OUT,
    NO_CONTEXT,
    BlockDraft,
    BlockUnit,
    Path,
    ShortenedPath,
    heading_holes,
    opening,
    units_of,
)
from chunking.text.whitespace import first_visible, last_visible

WHOLE: frozenset[BlockKind] = frozenset({"code", "list", "task-list", "table", "quote", "image", "math"})
"""Kinds that the spec keeps whole whatever their size; only prose is split (block-packing.md,
section 2; bp-3)."""


class BlockPacking(Strategy):
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
        title="Maximum tokens",
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
        False, title="Count context", help="On: maxTokens limits the whole text, including the heading line."
    )

    def why_not_here(self, chunk: Chunk, heading: Block, tokens: int) -> str:
        """That the chunk was filled too little for a new section, or that the heading only leads to
        its first block."""
        if heading.title in chunk.breadcrumb or heading.span.start < chunk.kept[0].start:
            return "the chunk begins with it: the context has it"
        _, budget = sizes(self.max_tokens, self.overlap_percentage)
        if tokens * 100 < self.min_fill * budget:
            return f"{tokens} tokens are fewer than minFill {self.min_fill} % of the budget {budget}"
        return "a heading without text of its own stays with the next block"

    def limits(self) -> Limits:
        return Limits(
            maximum=self.ceiling(),
            maximum_setting="max_tokens",
            counts="text" if self.count_context else "body",
        )

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        """Yield chunks and skips in source order, as the spec goes: type the blocks, pack them,
        repeat."""
        yield from _Packing(self, document, tools).parts()

    def maximum_for(self, blocks: tuple[Block, ...]) -> int:
        """maxTokens, raised for documents of code and tables when `adaptive` (bp-8); never
        lowered."""
        typed = [block for block in blocks if block.kind not in ("heading", "blank", "front-matter")]
        if not self.adaptive or not typed:
            return self.max_tokens
        code = sum(block.kind == "code" for block in typed) / len(typed)
        tables = sum(block.kind == "table" for block in typed) / len(typed)
        if code > 0.5 or tables > 0.3:
            return max(self.max_tokens, min(self.max_tokens * 3 // 2, 1024))
        return self.max_tokens

    def ceiling(self) -> int:
        """The largest maximum that `adaptive` may choose."""
        return max(self.max_tokens, min(self.max_tokens * 3 // 2, 1024)) if self.adaptive else self.max_tokens


_LOOK_BACK = 32
"""Blocks before what is asked from which on it is looked for where a chunk surely begins; then four
times as many, and so on."""
JOINT = 2
"""Tokens that joining the heading line and the text may cost on top of their sum."""


class Reason(NamedTuple):
    """Why a chunk ends, without the settings' numbers, which another cut may have others of."""

    rule: str
    what: str = ""
    """What begins, or a whole sentence."""
    held: int = 0
    """The chunk's tokens."""
    total: int = 0
    """Those it would have with what begins."""


Packed = tuple[BlockDraft, int, Reason]
"""A chunk before it is sealed, where it ends, and why."""


class Stretch(NamedTuple):
    """The chunks from a block that begins one up to the next block that begins one, and with which
    settings they are the same."""

    packed: list[Packed]
    following: int | None
    """The number of that block; None after the last one."""
    budget: KnownLimits
    fill: KnownLimits
    """Of minFill percent of the budget, times 100."""
    half: KnownLimits
    """Of half the maximum."""


class _Lines(Memo[Path, ShortenedPath]):
    """By section path: its line in full, whatever the maximum."""


class _Stretches(Memo[tuple[int, bool], Stretch]):
    """The stretch found last from each block, with and without headings."""


class _Overlaps(Memo[tuple[int, int, int, int], tuple[Span | None, KnownLimits, int]]):
    """By the kept span of one chunk, and by where the one after it begins and ends: what is
    repeated, with which limits, and how many tokens that are together with the text."""


class _Packing:
    """One document being packed."""

    def __init__(self, strategy: BlockPacking, document: Document, tools: SplitContext) -> None:
        self.strategy = strategy
        self.document = document
        self.tools = tools
        self.index = tools.index(document)
        # DECISIONS bp-6: an unclosed fence must not swallow the headings behind it.
        self.reading = document.without_unclosed_fence or document
        for warning in self.reading.warnings:
            tools.warn(warning)
        self.maximum = strategy.maximum_for(self.reading.blocks)
        self.reserve, self.budget = sizes(self.maximum, strategy.overlap_percentage)
        self._lines = once_per_counter(document, tools.counter, _Lines)
        self._stretches = once_per_counter(document, tools.counter, _Stretches)
        self._overlaps = once_per_counter(document, tools.counter, _Overlaps)
        self._sealed = SealedChunks(document, tools, strategy.name)
        # With countContext each section has a budget of its own, and more depends on the maximum.
        self._remembers = not (tools.tracing or strategy.count_context)
        self._begin_stretch()
        self.contexts: dict[Path, ShortenedPath] = {}
        self.before: Span | None = None
        """What is kept last of the chunk before."""
        self.before_path: Path = ()
        self.chunk_count = 0

    def parts(self) -> Iterator[Part]:
        start, text = (yield from front_matter(self.document)), self.document.text
        rest = Span(start, len(text))
        if is_blank(self.document, rest):
            yield from blank(start, len(text))
            return
        following = self.first_that_matters()
        if following:
            reached = units_of(self.reading)[following].begin
            yield Skip(Span(start, reached), PASSED_OVER)
            start = reached
        while following is not None:
            packed, following, *_ = self.stretch_from(following)
            for draft, end, reason in packed:
                body = Span(start, end)
                yield (
                    self.pass_over(draft, body)
                    if self.tools.passes_over(body)
                    else self.seal_draft(draft, body, reason)
                )
                start = end
        if start < len(text):
            yield Skip(Span(start, len(text)), LEFT_OUT)

    def stretch_from(self, first: int) -> Stretch:
        """The chunks from the block of this number on."""
        if not self._remembers:
            return self.tools.remembered(("packed", first), partial(self.pack_from, first))
        key, fill = (first, self.strategy.include_headings), self.strategy.min_fill * self.budget
        known = self._stretches.get(key)
        if known and known.budget.hold(self.budget) and known.fill.hold(fill) and known.half.hold(self.maximum // 2):
            return known
        return self._stretches.keep(key, self.pack_from(first))

    def first_that_matters(self) -> int | None:
        """The number of a block at which a chunk begins, and all before it makes no difference to
        what is asked (`SplitContext.passes_over`); 0 for all of the document."""
        blocks = units_of(self.reading)
        last = bisect_left(blocks, True, key=lambda unit: not self.tools.passes_over(Span(0, unit.begin)))
        back = _LOOK_BACK
        while back < last:
            found = self.tools.remembered(("meets", last - back, last), partial(self.meeting_from, last - back, last))
            if found:
                return found
            back *= 4
        return 0

    def meeting_from(self, first: int, last: int) -> int:
        """A block before number `last` at which a chunk begins, wherever the chunk begins that has
        block `first`; 0 where none is found.

        Somewhere in a stretch of whole blocks with more tokens than the budget a chunk begins. From
        all of its blocks chunks are packed until all come to the same block.
        """
        begins = set(self.whole_blocks(first, last)[1:])
        while begins:
            following = self.stretch_from(earliest := min(begins)).following
            if following is None or following >= last:
                return 0
            if len(begins) == 1:
                return earliest
            begins.remove(earliest)
            begins.add(following)
        return 0

    def whole_blocks(self, first: int, last: int) -> list[int]:
        """The first stretch of blocks, each a unit by itself, that has clearly more tokens than the
        budget; empty where there is none."""
        blocks, enough = units_of(self.reading), self.budget + self.budget // 8 + 64
        found, tokens = list[int](), 0
        for number in range(first, last):
            if [*self.parts_of(blocks[number])] != [blocks[number]]:
                found, tokens = [], 0
                continue
            found.append(number)
            tokens += self.index.count(blocks[number].start, blocks[number].end)
            if tokens > enough and len(found) > 1:
                return found
        return []

    def _begin_stretch(self) -> None:
        self._within_budget, self._filled, self._within_half = KnownLimits(), KnownLimits(), KnownLimits()

    def _stretch(self, packed: list[Packed], following: int | None) -> Stretch:
        return Stretch(packed, following, self._within_budget, self._filled, self._within_half)

    def pack_from(self, first: int) -> Stretch:
        """The chunks from a block that begins one up to the next block that begins one.

        What stands before the first of these blocks makes no difference.
        """
        self._begin_stretch()
        done: list[Packed] = []
        draft: BlockDraft | None = None
        for number, unit, opens in self.units(first):
            if unit.kind == "heading" and not self.strategy.include_headings:
                continue
            if draft is None:
                draft = self.begin_draft(unit)
                continue
            extended = self.extended(draft, unit)
            reason = self.reason_to_cut(draft, unit, extended)
            if reason is None:
                draft = extended
                continue
            done.append((draft, unit.begin, reason))
            if opens:
                return self._stretch(done, number)
            draft = self.begin_draft(unit)
        if draft is not None:
            done.append((draft, self.end_of_last(draft), Reason(END.rule)))
        return self._stretch(done, None)

    def pass_over(self, draft: BlockDraft, body: Span) -> Skip:
        """A chunk of which no more matters than what the next one may repeat of it."""
        if not self.tools.boundaries_only:
            self.before = kept_spans(body, blank_edges(self.document, body, draft.holes))[-1]
            self.before_path = draft.path
        self.chunk_count += 1
        return Skip(body, PASSED_OVER)

    def end_of_last(self, draft: BlockDraft) -> int:
        """The document's end, or where headings begin that end it and are left out."""
        end = len(self.document.text)
        return end if self.strategy.include_headings or is_blank(self.document, Span(draft.end, end)) else draft.end

    # --- units ------------------------------------------------------------------------------------

    def units(self, first: int) -> Iterator[tuple[int, BlockUnit, bool]]:
        """The typed blocks from number `first` on, with their numbers, and whether a block begins
        here.

        What is over the budget and may be split is already split (bp-3).
        """
        blocks = units_of(self.reading)
        for number in range(first, len(blocks)):
            for at, unit in enumerate(self.parts_of(blocks[number])):
                yield number, unit, at == 0

    def parts_of(self, unit: BlockUnit) -> Iterator[BlockUnit]:
        """One typed block: itself, or its parts."""
        if self.strategy.include_headings:
            early, unit = self.without_early_headings(unit)
            yield from early
            if unit.kind == "heading":
                return
        limit = self.budget_for(unit.path)
        if unit.kind in WHOLE or self._within_budget.admit(self.tokens_alone(unit), limit):
            yield unit
        else:
            yield from self.pieces(unit, limit)

    def without_early_headings(self, unit: BlockUnit) -> tuple[list[BlockUnit], BlockUnit]:
        """Headings that the context does not say as units of their own when they do not fit in
        front of the block.

        They are those of empty sections (bp-5), and all of them where the context is too short for
        one.
        """
        if not unit.headings:
            return [], unit
        in_context = {hole.body for hole in self.headings_in_context(unit)} if unit.kind != "heading" else ()
        empty = [at for at, heading in enumerate(unit.headings) if heading.span not in in_context]
        if not empty:
            return [], unit
        if unit.kind != "heading":
            draft = self.begin_draft(unit)
            if self._within_budget.admit(draft.tokens, self.budget_for(draft.context_path)):
                return [], unit
        early = unit.headings[: empty[-1] + 1]
        units = [
            BlockUnit((), block.span.start, block.content_end, "heading", self.path_above(block)) for block in early
        ]
        split = [piece for each in units for piece in self.parts_of_heading(each)]
        return split, replace(unit, headings=unit.headings[len(early) :])

    def headings_in_context(self, unit: BlockUnit) -> tuple[Skip, ...]:
        """The headings on the unit's path, where its context says them all in full; else none."""
        holes = heading_holes(unit.headings, unit.path, in_context=True)
        return holes if len(holes) <= self.context_of(unit.path).whole else ()

    def path_above(self, heading: Block) -> Path:
        """The path of the section around a heading's own."""
        return self.reading.section_at(heading.span.start).breadcrumb[1:-1]

    def parts_of_heading(self, unit: BlockUnit) -> list[BlockUnit]:
        """A heading that is a unit of its own: itself, or its parts where it is over the budget."""
        limit = self.budget_for(unit.path)
        fits = self._within_budget.admit(self.tokens_alone(unit), limit)
        return [unit] if fits else list(self.pieces(unit, limit))

    def tokens_alone(self, unit: BlockUnit) -> int:
        """The tokens of a chunk of this unit alone, which begins without indentation."""
        return self.index.count(first_visible(self.document.text, unit.start, unit.end), unit.end)

    def pieces(self, unit: BlockUnit, limit: int) -> Iterator[BlockUnit]:
        """The parts of a unit that is over the limit, each within it."""
        self._within_budget.pin(limit)
        before = self.context_of(unit.path).text if self.strategy.count_context else ""
        # Behind the heading line a piece may count more than alone.
        limit = min(self.maximum, limit + self.tools.count(before)) if before else limit
        span, text = Span(unit.start, unit.end), self.document.text
        for at, piece in enumerate(split_oversize(self.document, span, "paragraph", limit, self.tools, before=before)):
            headings = unit.headings if at == 0 else ()
            start = piece.span.start if at == 0 else first_visible(text, piece.span.start, piece.span.end)
            end = last_visible(text, piece.span.start, piece.span.end)
            yield BlockUnit(headings, start, end, unit.kind, unit.path, piece=True)

    # --- decisions --------------------------------------------------------------------------------

    def begin_draft(self, unit: BlockUnit) -> BlockDraft:
        """A chunk that begins with this unit and has nothing else yet."""
        if self.strategy.include_headings and unit.kind != "heading":
            context_path, holes = opening(unit.headings, unit.path, self.path_of)
            if len(holes) > self.context_of(context_path).whole:
                # What the shortened context does not say in full stays in the body, and all that
                # follows it.
                context_path, holes = context_path[: -len(holes)], ()
        else:
            context_path, holes = unit.path, heading_holes(unit.headings, (), in_context=self.strategy.include_headings)
        holes = blank_edges(self.document, Span(unit.begin, unit.end), holes)
        tokens = self.tokens(kept_spans(Span(unit.begin, unit.end), holes))
        return BlockDraft(unit.begin, unit.path, holes, unit.end, tokens, unit.kind == "heading", context_path)

    def section_path(self, draft: BlockDraft, start: int) -> Path:
        """The section path of a chunk: of the heading that its body begins with, else what it says.

        Source: docs/formats/json-lines.md.
        """
        first = self.reading.block_at(start)
        return self.path_of(first) if first.kind == "heading" else draft.context_path

    def path_of(self, heading: Block) -> Path:
        return self.reading.section_at(heading.span.start).breadcrumb[1:]

    def extended(self, draft: BlockDraft, unit: BlockUnit) -> BlockDraft:
        """The draft with one unit more."""
        more = () if self.strategy.include_headings else heading_holes(unit.headings, (), in_context=False)
        holes = (*draft.holes, *more)
        tokens = self.tokens(kept_spans(Span(draft.begin, unit.end), holes))
        only_headings = draft.only_headings and unit.kind == "heading"
        return BlockDraft(draft.begin, draft.path, holes, unit.end, tokens, only_headings, draft.context_path)

    def tokens(self, spans: Sequence[Span]) -> int:
        """Exact count of a chunk's text without context and overlap, which most often is one
        span."""
        return self.index.count(spans[0].start, spans[0].end) if len(spans) == 1 else self.index.count_parts(spans)

    def reason_to_cut(self, draft: BlockDraft, unit: BlockUnit, extended: BlockDraft) -> Reason | None:
        """Why a new chunk begins with this unit, in the spec's order (bp-2); None when it does
        not."""
        if not self._within_budget.admit(extended.tokens, self.budget_for(draft.context_path)):
            what = f"the {unit.kind} on line {self.document.line_of(unit.start)}"
            return Reason("budget-reached", what, draft.tokens, extended.tokens)
        if draft.only_headings or unit.kind == "heading":
            return None
        if unit.path[:1] != draft.path[:1]:
            sentence = f"{_named(unit.path[:1])} begins, after {_named(draft.path[:1])}"
            return Reason("top-level-section", sentence, draft.tokens)
        if unit.path == draft.path or not self.is_filled(draft):
            return None
        return Reason("section", _named(unit.path[-1:]), draft.tokens)

    def is_filled(self, draft: BlockDraft) -> bool:
        """Whether a draft has minFill percent of the budget."""
        return not self._filled.admit(draft.tokens * 100 + 1, self.strategy.min_fill * self.budget)

    def boundary(self, draft: BlockDraft, reason: Reason) -> Boundary:
        """The reason with the numbers of the settings."""
        rule, what, held, total = reason
        if rule == "budget-reached":
            budget = self.budget_for(draft.context_path)
            detail = (
                f"{held} tokens so far and {what} would make {total}, over the budget {budget} "
                f"(maxTokens {self.maximum} less {self.reserve} for overlap)"
            )
            return Boundary(rule, detail, held, total - held, budget, ("max_tokens", "overlap_percentage"))
        if rule == "section":
            least = self.strategy.min_fill
            detail = f"{what} begins, and {held} tokens are at least minFill {least} % of the budget {self.budget}"
            return Boundary(rule, detail, held, None, least * self.budget / 100, ("min_fill",))
        return Boundary(rule, what, held) if what else END

    # --- text -------------------------------------------------------------------------------------

    def budget_for(self, path: Path) -> int:
        """The budget for kept text; with countContext the heading line is paid for first."""
        if not self.strategy.count_context:
            return self.budget
        context = self.index.count_parts([self.context_of(path).text])
        return max(1, min(self.budget, self.maximum - context - (JOINT if context else 0)))

    def context_of(self, path: Path) -> ShortenedPath:
        """`# A > B` and a blank line, in at most half the maximum (DECISIONS all-6)."""
        if not self.strategy.include_headings:
            return NO_CONTEXT
        full = self._lines.get(path) or self._lines.keep(path, self._full_line(path))
        if not full.text:
            return full
        if self.tools.tracing:
            return self.tools.remembered(("context", path), partial(self._within_half_of_maximum, path, full))
        if self._within_half.admit(full.tokens, self.maximum // 2):
            return full
        self._within_half.pin(self.maximum // 2)
        known = self.contexts.get(path)
        if known is None:
            known = self.contexts[path] = self._within_half_of_maximum(path, full)
        return known

    def _within_half_of_maximum(self, path: Path, full: ShortenedPath) -> ShortenedPath:
        limit = self.maximum // 2
        if full.tokens <= limit:
            return full
        titles = _titles(path)
        line, _ = shorten(titles, self._line, limit, self.tools.count)
        whole = next(
            (left for left in range(len(titles) - 1, 0, -1) if self._line([ELLIPSIS, *titles[-left:]]) == line), 0
        )
        detail = f"the section path is over half of maxTokens {self.maximum}, and was shortened from the left"
        flag = Boundary("context-shortened", detail, None, None, limit, ("max_tokens",))
        return ShortenedPath(line, (flag,), whole, full.tokens)

    def _full_line(self, path: Path) -> ShortenedPath:
        line = self._line(titles) if (titles := _titles(path)) else ""
        return ShortenedPath(line, (), len(path), self.tools.count(line) if line else 0)

    def _line(self, titles: Sequence[str]) -> str:
        return f"# {arrow(titles)}{self.document.line_ending * 2}"

    def seal_draft(self, draft: BlockDraft, body: Span, reason: Reason) -> Chunk:
        context = self.context_of(draft.context_path)
        made_of = (body.end, draft.holes, context.text)
        known = self._sealed.known(body.start, made_of) if self._remembers and not context.flags else None
        chunk = self.sealed_again(known, draft, reason) if known else None
        if chunk is None:
            chunk = self.sealed_anew(draft, body, reason, context)
            if self._remembers and not chunk.flags:
                self._sealed.keep(made_of, chunk)
        self.before, self.before_path = chunk.kept[-1], draft.path
        self.chunk_count += 1
        return chunk

    def sealed_again(self, known: Chunk, draft: BlockDraft, reason: Reason) -> Chunk | None:
        """The chunk as an earlier cut sealed it; None where it must be sealed anew."""
        if known.body_tokens > self.maximum:
            return None
        if self.overlap(draft, known.kept, known.body_tokens, known.context) != known.overlap:
            return None
        return self._sealed.again(known, self.boundary(draft, reason), self.chunk_count)

    def sealed_anew(self, draft: BlockDraft, body: Span, reason: Reason, context: ShortenedPath) -> Chunk:
        holes = blank_edges(self.document, body, draft.holes)
        visible = kept_spans(body, holes)
        body_tokens = self.tokens(visible)
        with self.tools.untraced():  # what is repeated, and what is said of it, moves no boundary
            overlap = self.overlap(draft, visible, body_tokens, context.text)
            flags = context.flags
            counted = body_tokens
            if self.strategy.count_context:
                counted = self.index.count_parts([context.text, *([overlap] if overlap else []), *visible])
            if counted > self.maximum:
                kind = "heading" if draft.only_headings else self.reading.block_at(visible[0].start).kind
                detail = f"{counted} tokens are over maxTokens {self.maximum}, and a {kind} is kept whole"
                flags = (*flags, Boundary("unsplittable", detail, counted, None, self.maximum, ("max_tokens",)))
        return self.tools.seal(
            self.document,
            body,
            self.boundary(draft, reason),
            breadcrumb=(self.document.base_name, *self.section_path(draft, visible[0].start)),
            holes=holes,
            overlap=overlap,
            context=context.text,
            flags=flags,
            metadata={
                "chunk_index": self.chunk_count,
                "section_path": arrow(draft.context_path),
                "overlap_tokens": self.index.count(overlap.start, overlap.end) if overlap else 0,
            },
            body_tokens=body_tokens,
        )

    def overlap(self, draft: BlockDraft, visible: Sequence[Span], body_tokens: int, context: str) -> Span | None:
        """Whole sentences of the chunk before, at most the reserve, and the whole within the
        maximum (bp-0, bp-4)."""
        if self.before is None or self.tools.boundaries_only or not self.related(draft.path):
            return None
        in_front: list[str | Span] = [context] if self.strategy.count_context else []
        room = self.maximum - (self.index.count_parts([*in_front, *visible]) if in_front else body_tokens)
        limit = min(self.reserve, room)
        if not self._remembers:
            return self.found_overlap(draft, visible, in_front, limit)
        key = self.before.start, self.before.end, draft.begin, visible[-1].end
        known = self._overlaps.get(key)
        if known and known[1].hold(limit) and known[2] <= self.maximum:
            return known[0]
        limits = KnownLimits()
        found = last_sentences(self.document, self.before, limit, self.tools, limits)
        overlap = with_blanks_after(self.document, found, draft.begin)
        together = self.index.count_parts([overlap, *visible]) if overlap else 0
        if together > self.maximum:
            return self.found_overlap(draft, visible, in_front, limit)
        return self._overlaps.keep(key, (overlap, limits, together))[0]

    def found_overlap(
        self, draft: BlockDraft, visible: Sequence[Span], in_front: Sequence[str | Span], limit: int
    ) -> Span | None:
        """The most sentences within the limit with which the whole is within the maximum."""
        while self.before is not None:
            found = last_sentences(self.document, self.before, limit, self.tools)
            overlap = with_blanks_after(self.document, found, draft.begin)
            if found is None or overlap is None:
                return None
            if self.index.count_parts([*in_front, overlap, *visible]) <= self.maximum:
                return overlap
            limit = self.index.count(found.start, found.end) - 1
        return None

    def related(self, path: Path) -> bool:
        """Whether the chunk before may lend its end to a chunk of this path, by overlapScope
        (bp-4)."""
        before = self.before_path
        if self.strategy.overlap_scope == "anywhere":
            return True
        if self.strategy.overlap_scope == "top-level":
            return bool(before) and bool(path) and before[0] == path[0]
        shared = min(len(before), len(path))
        return before == path or (shared > 0 and before[:shared] == path[:shared])


def sizes(maximum: int, overlap_percentage: int) -> tuple[int, int]:
    """The reserve for overlap and the budget for new blocks, in tokens (bp-1): 512 and 15 give 77
    and 435."""
    reserve = -(-maximum * overlap_percentage // 100)
    return reserve, max(maximum - reserve, -(-maximum * 7 // 10))


def _titles(path: Path) -> list[str]:
    return [title for title in path if title.strip()]


def _named(path: Path) -> str:
    return f"'{clip(arrow(path), 60)}'" if path else "text without a heading"
