"""A run in numbers: sizes, limits, what was cut inside, what was left out, what is said twice.

Every number is 0 or None where there is nothing to measure, never NaN (DECISIONS all-10).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from chunking.core.chunk import Chunk, Part, Skip
from chunking.core.chunk_table import Columns
from chunking.core.cut_blocks import TornBoundary, blocks_cut
from chunking.core.strategy import Limits, Strategy
from chunking.document import Document, Span
from chunking.runtime.text_memory import memory
from chunking.text.whitespace import white_flags
from chunking.tokens import TokenCounter, token_index

Offsets = npt.NDArray[np.int64]


class Configured(Protocol):
    """What a config says of a run that is measured."""

    @property
    def strategy(self) -> Strategy: ...
    @property
    def counter(self) -> str: ...


class Measurable(Protocol):
    """A cut document, as a Run is."""

    @property
    def document(self) -> Document: ...
    @property
    def config(self) -> Configured: ...
    @property
    def chunks(self) -> Sequence[Chunk]: ...
    @property
    def skips(self) -> Sequence[Skip]: ...
    @property
    def columns(self) -> Columns: ...
    @property
    def torn_boundaries(self) -> Sequence[TornBoundary]: ...
    @property
    def approximate(self) -> bool: ...


LEFT_OUT_BY_DESIGN = frozenset({"front-matter", "blank", "in-context"})
"""Rules that leave out what is not content, or what the context repeats."""
_IN_JSON_ROUNDED = ("mean_tokens", "median_tokens", "p95_tokens", "std_tokens")


@dataclass(frozen=True, slots=True)
class Metrics:
    """What one run gives. Sizes are tokens of the whole text (context and overlap included) unless
    they say body."""

    chunk_count: int
    skip_count: int
    tokens_to_embed: int
    mean_tokens: float
    median_tokens: float
    p95_tokens: float
    min_tokens: int
    max_tokens: int
    std_tokens: float
    """Population standard deviation."""
    within_limits: float | None
    """Share of chunks, 0 to 1, between the strategy's minimum and maximum; None when it has
    neither."""
    within_with_context: float | None
    """The same of the chunks as they are embedded: those over the maximum as a whole text are not
    within. The minimum is judged as before, without context."""
    under_minimum: int
    over_maximum: int
    """By what the limit counts: the body, or the whole text less a description
    (`limited_sizes`)."""
    over_with_context: int
    """Chunks that are within the maximum by what it counts, and over it as a whole text: what an
    embedder reads."""
    limits_counter: str
    """The run's own counter: what its limits are judged by, whatever the sizes are counted with."""
    limits_approximate: bool
    oversize: int
    """Chunks flagged `unsplittable`."""
    oversize_share: float
    blocks_cut: int
    """Tables, code and lists with a boundary inside, each once however often it is cut."""
    cuts_inside_blocks: int
    """Boundaries strictly inside a block's content, of whatever kind, a paragraph too."""
    atomic_kept: int
    """Code, tables, lists, quotes, html and math that lie whole in one chunk."""
    atomic_split: int
    heading_only: int
    """Chunks whose own text is nothing but headings: nothing a question could match."""
    repeated: int
    """Chunks whose breadcrumb and text an earlier chunk already has."""
    context_share: float
    """Share of the tokens to embed that are not the chunk's own body: context, overlap, closing."""
    coverage: float
    """Share of the document's visible characters that stand in some chunk, in its body or in its
    context."""
    boundaries: Mapping[str, int]
    """Chunks by the rule that ended them."""
    skipped_characters: Mapping[str, int]
    """Visible characters left out, by rule, skips and holes together."""
    depths: Mapping[int, int]
    """Chunks by how many headings their breadcrumb has."""

    @property
    def left_out(self) -> int:
        """Visible characters left out although they are content, such as a short last chunk; front
        matter is none."""
        return content_of(self.skipped_characters)

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON; sizes have two decimals there. Who shows them rounds them
        himself, once."""
        return asdict(self) | {name: round(getattr(self, name), 2) for name in _IN_JSON_ROUNDED}


def measure(run: Measurable, counter: TokenCounter | None = None) -> Metrics:
    """Measure a run. With `counter`, sizes are counted again by it, so that two runs compare in one
    unit (DECISIONS all-5); limits are always judged by the run's own counter."""
    chunks, document, columns = run.chunks, run.document, run.columns
    sizes = columns.tokens if counter is None else whole_sizes(run, counter)
    limits = run.config.strategy.limits_in(run.document)
    under, over = _outside(limited_sizes(run), limits)
    blocks = _blocks(document)
    split = _split_atomic(columns.end, blocks)
    oversize = sum(chunks[row].flag("unsplittable") is not None for row in columns.flagged)
    left_out, missing = _left_out(run)
    total = int(columns.tokens.sum())
    count = len(chunks)
    bounded = limits.minimum is not None or limits.maximum is not None
    return Metrics(
        chunk_count=count,
        skip_count=len(run.skips),
        tokens_to_embed=int(sizes.sum()),
        mean_tokens=float(sizes.mean()) if count else 0.0,
        median_tokens=float(np.median(sizes)) if count else 0.0,
        p95_tokens=float(np.percentile(sizes, 95)) if count else 0.0,
        min_tokens=int(sizes.min()) if count else 0,
        max_tokens=int(sizes.max()) if count else 0,
        std_tokens=float(sizes.std()) if count else 0.0,
        within_limits=(count - under - over) / count if bounded and count else None,
        within_with_context=within_with_context(run) / count if bounded and count else None,
        under_minimum=under,
        over_maximum=over,
        over_with_context=len(over_with_context(run)),
        limits_counter=run.config.counter,
        limits_approximate=run.approximate,
        oversize=oversize,
        oversize_share=oversize / count if count else 0.0,
        blocks_cut=len(blocks_cut(run.torn_boundaries)),
        cuts_inside_blocks=_cuts_inside(columns.end, blocks),
        atomic_kept=len(blocks.atomic_starts) - split,
        atomic_split=split,
        heading_only=len(heading_only(run)),
        repeated=int((columns.ordinal > 0).sum()),
        context_share=1 - int(columns.body_tokens.sum()) / total if total else 0.0,
        coverage=_coverage(missing, document),
        boundaries=dict(sorted(Counter(columns.rules).items())),
        skipped_characters=left_out,
        depths=dict(sorted((length - 1, chunks) for length, chunks in Counter(map(len, columns.breadcrumbs)).items())),
    )


def limited_sizes(run: Measurable) -> Offsets:
    """Tokens of each chunk as its strategy's limits count them. Whatever says "over the limit" asks
    this."""
    whole = run.config.strategy.limits_in(run.document).counts == "text"
    return run.columns.cut_tokens if whole else run.columns.body_tokens


def left_out(run: Measurable) -> dict[str, int]:
    """Visible characters that are in no chunk, not even in a context, by the rule that leaves them
    out."""
    return {rule: characters for rule, characters in _left_out(run)[0].items() if rule not in ("in-context", "blank")}


def content_left_out(document: Document, parts: Iterable[Part]) -> int:
    """Visible characters of content that are in no chunk, such as a short last chunk, where a
    document is cut into these parts."""
    skips = [skip for part in parts for skip in ([part] if isinstance(part, Skip) else part.holes)]
    return content_of(_by_rule(document, skips))


def content_of(left_out: Mapping[str, int]) -> int:
    """How many of the characters left out, by rule, are content."""
    return sum(count for rule, count in left_out.items() if rule not in LEFT_OUT_BY_DESIGN)


def over_with_context(run: Measurable) -> tuple[int, ...]:
    """Numbers, from 0, of the chunks within the maximum by what it counts whose whole text is over
    it."""
    maximum = run.config.strategy.limits_in(run.document).maximum
    if maximum is None:
        return ()
    return tuple(np.flatnonzero((run.columns.tokens > maximum) & (limited_sizes(run) <= maximum)).tolist())


def within_with_context(run: Measurable) -> int:
    """How many chunks are within the limits by what these count, and within the maximum as whole
    texts too."""
    limits, sizes = run.config.strategy.limits_in(run.document), limited_sizes(run)
    largest = np.maximum(sizes, run.columns.tokens)
    low = sizes >= (0 if limits.minimum is None else limits.minimum)
    return int((low if limits.maximum is None else low & (largest <= limits.maximum)).sum())


def whole_sizes(run: Measurable, counter: TokenCounter) -> Offsets:
    """Tokens of each chunk's whole text by any counter; the document is tokenized once for each."""
    if counter.name == run.config.counter:
        return run.columns.tokens
    index = token_index(run.document.text, counter)
    return np.array([index.count_parts(text_parts(chunk)) for chunk in run.chunks], dtype=np.int64)


def text_parts(chunk: Chunk) -> list[str | Span]:
    """The chunk's text as strings and source spans, in order: what an index counts without building
    it."""
    overlap = [chunk.overlap] if chunk.overlap else []
    return [chunk.context, *overlap, *chunk.kept, chunk.closing]


def _outside(sizes: Offsets, limits: Limits) -> tuple[int, int]:
    under = int((sizes < limits.minimum).sum()) if limits.minimum is not None else 0
    over = int((sizes > limits.maximum).sum()) if limits.maximum is not None else 0
    return under, over


@dataclass(frozen=True, slots=True)
class _Blocks:
    """Edges of a document's blocks as sorted arrays, made once per document."""

    starts: Offsets
    content_ends: Offsets
    atomic_starts: Offsets
    atomic_ends: Offsets
    text_starts: Offsets
    """Blocks that are neither headings nor blank nor front matter."""
    text_ends: Offsets


@memory.remembered(most=16, of=lambda document: (document.text,), key=lambda document: document)
def _blocks(document: Document) -> _Blocks:
    def edges(kinds: Sequence[bool]) -> tuple[Offsets, Offsets]:
        chosen = [block for block, keep in zip(document.blocks, kinds, strict=True) if keep]
        starts = np.array([block.span.start for block in chosen], dtype=np.int64)
        return starts, np.array([block.content_end for block in chosen], dtype=np.int64)

    content = [block.kind not in ("blank", "front-matter") for block in document.blocks]
    atomic = [block.atomic for block in document.blocks]
    prose = [visible and block.kind != "heading" for visible, block in zip(content, document.blocks, strict=True)]
    return _Blocks(*edges(content), *edges(atomic), *edges(prose))


def _cuts_inside(cuts: Offsets, blocks: _Blocks) -> int:
    if not len(cuts) or not len(blocks.starts):
        return 0
    at = np.searchsorted(blocks.starts, cuts, side="left") - 1
    in_a_block = at >= 0
    return int((cuts[in_a_block] < blocks.content_ends[at[in_a_block]]).sum())


def _split_atomic(cuts: Offsets, blocks: _Blocks) -> int:
    """Atomic blocks with at least one cut strictly inside their content."""
    after_start = np.searchsorted(cuts, blocks.atomic_starts, side="right")
    before_end = np.searchsorted(cuts, blocks.atomic_ends, side="left")
    return int((before_end > after_start).sum())


def heading_only(run: Measurable) -> tuple[int, ...]:
    """Numbers, from 0, of the chunks whose own text is nothing but headings."""
    blocks, columns = _blocks(run.document), run.columns
    begun = np.searchsorted(blocks.text_starts, columns.kept_end, side="left")
    finished = np.searchsorted(blocks.text_ends, columns.kept_start, side="right")
    return tuple(np.flatnonzero(begun <= finished).tolist())


_STEP = 1 << 20
"""Characters looked at together."""


@memory.remembered(most=16, of=lambda document: (document.text,), key=lambda document: document)
def _visible_before(document: Document) -> npt.NDArray[np.unsignedinteger]:
    """For each offset, how many characters before it are not white space: numbers no wider than the
    text needs, for each character has one."""
    text = document.text
    before = np.zeros(len(text) + 1, dtype=np.min_scalar_type(len(text)))
    # A stretch at a time: UTF-32 of a large text at once would take four times its size.
    for start in range(0, len(text), _STEP):
        white = white_flags(text[start : start + _STEP])
        before[start + 1 : start + 1 + len(white)] = ~white
    return np.cumsum(before, dtype=before.dtype, out=before)


def _coverage(missing: int, document: Document) -> float:
    if not missing:
        return 1.0
    return 1 - missing / int(_visible_before(document)[-1])


def _left_out(run: Measurable) -> tuple[dict[str, int], int]:
    """Visible characters left out by rule, and how many of them are in no chunk, not even in a
    context."""
    skips = list(run.skips)
    skips += [hole for holes in run.columns.holes.values() for hole in holes if hole.because.rule != "blank"]
    left_out = _by_rule(run.document, skips)
    return left_out, sum(characters for rule, characters in left_out.items() if rule != "in-context")


def _by_rule(document: Document, skips: Sequence[Skip]) -> dict[str, int]:
    """Visible characters in these, by the rule that leaves them out."""
    if not skips:
        return {}
    before, left_out = _visible_before(document).data, Counter[str]()
    for skip in skips:
        body: Span = skip.body
        left_out[skip.because.rule] += before[body.end] - before[body.start]
    return dict(sorted(left_out.items()))
