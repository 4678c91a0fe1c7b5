"""What a strategy uses while it splits a document: token counts, `seal` for chunks, warnings and
models. One context serves one run."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, Self

from chunking.core.chunk import Boundary, Chunk, Skip, kept_spans
from chunking.core.model_access import ChunkDescriber, ModelAccess, ModelUse, NoModels
from chunking.core.sealed import NO_OVERLAP, Metadata, Sealed
from chunking.document import Document, Span
from chunking.tokens import TokenCounter, counter, token_index

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from chunking.tokens import TokenIndex
    from chunking.tracing import Made, Trace


class Progress(Protocol):
    """A callback for a model's progress: `progress("embedding sentences", 256, 800)`, called
    before, between and after batches."""

    def __call__(self, doing: str, done: int, total: int) -> None: ...


class SplitContext:
    """The counter, warnings and models of one run, and the numbering of its chunks. `models` is
    NoModels by default; `chunking.Tools` is the context with access to real ones.
    """

    def __init__(
        self,
        counter: TokenCounter | None = None,
        *,
        models: ModelAccess | None = None,
        progress: Progress | None = None,
    ) -> None:
        """`counter` is cl100k_base when left out; without `models`, whatever is asked of one raises
        ModelError."""
        self.counter = counter if counter is not None else _default_counter()
        self.models: ModelAccess = models if models is not None else NoModels()
        self._warnings: dict[str, None] = {}
        self._trace: Trace | None = None
        self._repeats: dict[int, Chunk | dict[tuple[tuple[str, ...], str], int]] = {}
        self._progress = progress
        self._indexed: tuple[str, TokenIndex] | None = None
        self._matters_after = 0

    def for_another_cut(
        self, trace: Trace | None = None, use: ModelUse = ModelUse.NEVER, matters_after: int = 0
    ) -> Self:
        """A context for cutting the same document once more, with the model answers that this one
        received. With a `trace`, a setting is traced. By default models are not asked: a missing
        answer raises ModelError (DECISIONS, "Explaining"). Of the parts that end at the offset
        `matters_after` or before it, only where they end is asked.
        """
        fresh = self.for_base()
        fresh.models = self.models.with_use(use)
        fresh._warnings = {}
        fresh._trace = trace
        fresh._matters_after = matters_after
        return fresh

    def for_base(self) -> Self:
        """The context for the base of a strategy that wraps another: this one, with a numbering of
        repeats of its own. The wrapping strategy seals every chunk again, and only its chunks are
        numbered.
        """
        inner = copy(self)
        inner._repeats = {}
        return inner

    @property
    def asks_models(self) -> bool:
        """Whether models may be asked; where not, they answer what is remembered."""
        return self.models.use is ModelUse.ASK

    def announce(self, doing: str, provider: str, model: str = "") -> None:
        """Allow text to be sent to this provider's model, to `embed` or to `describe`, because a
        strategy has announced it (`Strategy.model_requests`)."""
        self.models.announce(doing, provider, model)

    def embed(self, texts: Sequence[str], provider: str = "local", model: str = "") -> npt.NDArray[np.float32]:
        """One vector for each text, shape (n, d); each text is asked for once. Raises ModelError.

        `provider` and `model` are a strategy's settings; see chunking/models/embedders.py.
        """
        return self.models.embed(texts, provider, model, on_progress=self.report_progress, warn=self.warn)

    def not_embedded(self, texts: Sequence[str], provider: str = "local", model: str = "") -> list[str]:
        """Those of the texts, each once, for which `embed` would have to ask. Raises ModelError as
        `embed` does."""
        return self.models.not_embedded(texts, provider, model)

    def describer(self, provider: str = "summary", model: str = "") -> ChunkDescriber:
        """What describes chunks; `provider` and `model` are a strategy's settings, see
        chunking/models/describers.py.

        Raises ModelError when a key, an address or weights are missing.
        """
        return self.models.describer(provider, model)

    def index(self, document: Document) -> TokenIndex:
        """Exact counts of any span of the document; tokenized once and remembered."""
        if self._indexed is None or self._indexed[0] is not document.text:
            self._indexed = document.text, token_index(document.text, self.counter)
        return self._indexed[1]

    def count(self, text: str) -> int:
        """Exact count of a text by the run's counter."""
        return self.counter(text)

    def count_span(self, document: Document, span: Span) -> int:
        """Exact count of a span of the document, without tokenizing it again."""
        return self.index(document).count(span.start, span.end)

    def report_progress(self, doing: str, done: int, total: int) -> None:
        """Tell whoever watches this run how far it has come."""
        if self._progress:
            self._progress(doing, done, total)

    def warn(self, message: str) -> None:
        """Add a warning to the run, one line; the same line is added once."""
        self._warnings[message] = None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What `warn` was told, in that order."""
        return tuple(self._warnings)

    @property
    def tracing(self) -> bool:
        """Whether a setting is traced (`chunking.tracing`): a cache keyed by the settings' values
        is of no use then."""
        return self._trace is not None

    @property
    def boundaries_only(self) -> bool:
        """Whether only the boundaries matter: an overlap, which moves none, may be left out."""
        return self._trace is not None and not self._trace.of_text

    def passes_over(self, body: Span) -> bool:
        """Whether nothing but the place of this part matters: a strategy may then yield
        `Skip(body, PASSED_OVER)` in place of a chunk, and save its work."""
        return body.end <= self._matters_after

    def remembered(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """`make()`; while a setting is traced, it is cached for all values of the setting with the
        same result. The result may depend on the key, the document and the settings only
        (`Trace.remembered`).
        """
        return make() if self._trace is None else self._trace.remembered(key, make)

    def untraced(self) -> AbstractContextManager[None]:
        """A context for work that moves no boundary, such as finding an overlap: it is not
        traced."""
        return self._trace.untraced() if self._trace is not None else _NOT_WATCHED

    def seal(
        self,
        document: Document,
        body: Span,
        ended_by: Boundary,
        *,
        breadcrumb: tuple[str, ...],
        holes: tuple[Skip, ...] = (),
        overlap: Span | None = None,
        context: str = "",
        closing: str = "",
        flags: tuple[Boundary, ...] = (),
        metadata: Mapping[str, str | int | float | None] | None = None,
        body_tokens: int | None = None,
    ) -> Chunk:
        """Make a chunk: count it exactly and number it among its exact repeats.

        `body_tokens` is the exact count of the body less its holes, where the strategy has asked
        for it already.
        """
        sealed = self.sealed(
            document,
            body.start,
            body.end,
            breadcrumb=breadcrumb,
            holes=holes,
            overlap=(overlap.start, overlap.end) if overlap is not None else NO_OVERLAP,
            context=context,
            closing=closing,
            flags=flags,
            metadata=metadata or {},
            body_tokens=body_tokens,
        )
        return self.numbered(sealed.chunk(document, ended_by, sealed.metadata))

    def sealed(
        self,
        document: Document,
        start: int,
        end: int,
        *,
        breadcrumb: tuple[str, ...],
        kept: tuple[int, int] | None = None,
        holes: tuple[Skip, ...] | None = None,
        overlap: tuple[int, int] = NO_OVERLAP,
        context: str = "",
        closing: str = "",
        flags: tuple[Boundary, ...] = (),
        metadata: Metadata,
        body_tokens: int | None = None,
        context_tokens: int | None = None,
    ) -> Sealed:
        """Count a chunk exactly, and make it later (core/cut_parts.py).

        Without `holes`, what is `kept` of the body is all of it but white space at its edges. With
        both, nothing is left out between the edges of what is `kept`. `body_tokens` and
        `context_tokens` are exact counts, where they are known.
        """
        index = self.index(document)
        if holes is None or kept is not None:
            kept_start, kept_end = kept or (start, end)
            spans = [Span(kept_start, kept_end)]
        else:
            spans = kept_spans(Span(start, end), holes) or [Span(start, start)]
            kept_start, kept_end = spans[0].start, spans[-1].end
        if body_tokens is None:
            body_tokens = index.count(kept_start, kept_end) if len(spans) == 1 else index.count_parts(spans)
        overlap_start, overlap_end = overlap
        repeats = overlap_start < overlap_end
        if not (context or closing or repeats):
            tokens = body_tokens
        elif closing or len(spans) > 1 or (repeats and overlap_end != kept_start):
            parts: list[str | Span] = [Span(overlap_start, overlap_end), *spans, closing]
            if context_tokens is None:
                tokens = index.count_parts([context, *parts])
            else:
                tokens = index.count_behind(context, context_tokens, parts)
        elif repeats:
            repeated = index.count(overlap_start, kept_end)
            tokens = index.count_after(context, overlap_start, kept_end, repeated, context_tokens)
        else:
            tokens = index.count_after(context, kept_start, kept_end, body_tokens, context_tokens)
        inside = sum([span.end - span.start for span in spans])
        return Sealed(
            start,
            end,
            kept_start,
            kept_end,
            overlap_start,
            overlap_end,
            tokens,
            body_tokens,
            len(context) + overlap_end - overlap_start + inside + len(closing),
            breadcrumb,
            context,
            closing,
            holes,
            flags,
            metadata,
        )

    def numbered(self, chunk: Chunk) -> Chunk:
        """The chunk with its ordinal among those that came before. Whole texts are compared only
        where a cheap key collides."""
        if self.tracing:
            return chunk
        key = hash((chunk.breadcrumb, chunk.tokens, _length(chunk)))
        before = self._repeats.get(key)
        if before is None:
            self._repeats[key] = chunk
            return chunk
        if isinstance(before, Chunk):
            before = self._repeats[key] = {(before.breadcrumb, before.text): 1}
        ordinal = before.get((chunk.breadcrumb, chunk.text), 0)
        before[chunk.breadcrumb, chunk.text] = ordinal + 1
        return replace(chunk, ordinal=ordinal) if ordinal else chunk


_NOT_WATCHED = nullcontext()


def _length(chunk: Chunk) -> int:
    """The length of the chunk's text in characters, without building it: equal texts have equal
    ones."""
    length = len(chunk.context) + len(chunk.closing) + chunk.body.end - chunk.body.start
    if chunk.holes:
        length -= sum([hole.body.end - hole.body.start for hole in chunk.holes])
    return length + len(chunk.overlap) if chunk.overlap else length


def _default_counter() -> TokenCounter:
    return counter("cl100k_base")
