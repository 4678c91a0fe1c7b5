"""What is lent to each strategy: counting, sealing, and a place to leave warnings. One Tools serves one run."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
import numpy.typing as npt

from chunking.core.chunk import Boundary, Chunk, Skip
from chunking.document import Document, Span
from chunking.errors import ModelError
from chunking.tokens import TokenCounter, TokenIndex, counter, token_index
from chunking.tracing import Made, Trace

if TYPE_CHECKING:
    from chunking.models.describers import Describer, RememberingDescriber
    from chunking.models.embedders import Embedder


_HERE = ("local", "summary")
"""Providers that send nothing anywhere."""


class Progress(Protocol):
    """Told how far a model has come: `progress("embedding sentences", 256, 800)`, before, between and after batches."""

    def __call__(self, doing: str, done: int, total: int) -> None: ...


class Tools:
    """A run's counter and its memory: which texts were sealed before, and what was warned of.

    A test can hand a strategy a counter of its own: `strategy.split(document, Tools(counter=mock))`.
    """

    def __init__(
        self,
        counter: TokenCounter | None = None,
        *,
        embedder: Embedder | None = None,
        describer: Describer | None = None,
        progress: Progress | None = None,
        asks_models: bool = True,
    ) -> None:
        """`counter` is cl100k_base when left out.

        `embedder` and `describer` are asked in place of whatever a strategy names; left out, the named ones are loaded
        when first needed. With `asks_models` false, models answer only what is remembered: nothing is sent anywhere.
        """
        self.counter = counter if counter is not None else _default_counter()
        self.warnings: list[str] = []
        self._trace: Trace | None = None
        self._repeats: dict[int, Chunk | dict[tuple[tuple[str, ...], str], int]] = {}
        self._embedder = embedder
        self._describer = describer
        self._progress = progress
        self._vectors: dict[tuple[str, str], dict[str, npt.NDArray[np.float32]]] = {}
        self.asks_models = asks_models
        self._recalls = True
        self._announced: set[tuple[str, str, str]] = set()

    def again(self, trace: Trace | None = None, *, asks_models: bool = False) -> Tools:
        """Fresh tools to cut the same document once more: they know what models answered these.

        With a `trace` a setting is watched. Where they may not ask models, what one would have to be asked for raises
        ModelError (DECISIONS, "Explaining").
        """
        fresh = Tools(self.counter, embedder=self._embedder, describer=self._describer, progress=self._progress)
        fresh._trace = trace
        fresh._vectors = self._vectors
        fresh._announced = self._announced
        fresh.asks_models = asks_models
        fresh._recalls = asks_models  # an explanation depends on its run, not on what else was ever asked
        return fresh

    def beneath(self) -> Tools:
        """Tools for a strategy that another one wraps: these, but for the numbering of repeats.

        The wrapping strategy seals every chunk anew, and its chunks are the ones to number.
        """
        inner = copy(self)
        inner._repeats = {}
        return inner

    def announce(self, doing: str, provider: str, model: str = "") -> None:
        """Let text go to this provider's model, to `embed` or to `describe`: its strategy has said that it asks there
        (`Strategy.model_requests`). Models that run here need no leave."""
        self._announced.add((doing, provider, model))

    def _unannounced(self, doing: str, provider: str, model: str) -> str:
        """Why this model may not be sent anything; empty where it may."""
        if provider in _HERE or (doing, provider, model) in self._announced:
            return ""
        named = f"{provider}/{model}" if model else provider
        return (
            f"{named} was not announced, so nothing was sent; "
            f"a strategy that has models {doing} says so in model_requests()"
        )

    def index(self, document: Document) -> TokenIndex:
        """Exact counts of any span of the document; tokenised once and remembered."""
        return token_index(document.text, self.counter)

    def count(self, text: str) -> int:
        """Exact count of a text by the run's counter."""
        return self.counter(text)

    def count_span(self, document: Document, span: Span) -> int:
        """Exact count of a span of the document, without tokenising it again."""
        return self.index(document).count(span.start, span.end)

    def embed(self, texts: Sequence[str], provider: str = "local", model: str = "") -> npt.NDArray[np.float32]:
        """One vector for each text, shape (n, d); each text is asked for once. Raises ModelError.

        `provider` and `model` are a strategy's settings; see chunking/models/embedders.py. Half characters, which no
        model can read, are asked for as question marks.
        """
        readable = _readable(texts)
        known = self._vectors.setdefault((provider, model), {})
        missing = [text for text in dict.fromkeys(readable) if text not in known]
        if missing:
            known.update(zip(missing, self._ask(missing, provider, model), strict=True))
        return np.stack([known[text] for text in readable]) if readable else np.zeros((0, 0), dtype=np.float32)

    def not_embedded(self, texts: Sequence[str], provider: str = "local", model: str = "") -> list[str]:
        """Those of the texts, each once, for which `embed` would have to ask. Raises ModelError as `embed` does."""
        from chunking.models.embedders import embedder

        known = self._vectors.get((provider, model), {})
        missing = [text for text in dict.fromkeys(_readable(texts)) if text not in known]
        return missing if self._embedder is not None else embedder(provider, model).unknown(missing)

    def _ask(self, texts: Sequence[str], provider: str, model: str) -> npt.NDArray[np.float32]:
        if not self.asks_models and not self._recalls:
            raise ModelError(f"embedder: {provider} would have to be asked, and an explanation asks no model")
        # Here and not above: most runs need no model, and `import chunking` stays light.
        from chunking.models.embedders import checked_vectors, embedder, shortened

        if self._embedder is not None:
            if not self.asks_models:
                raise ModelError(f"embedder: {self._embedder.name} would have to be asked, and here no model is asked")
            return checked_vectors(self._embedder(texts), len(texts), self._embedder.name)
        named, progress = embedder(provider, model, asks=self.asks_models), self._progress
        if self.asks_models and (refusal := self._unannounced("embed", provider, model)) and named.unknown(texts):
            raise ModelError(f"embedder: {refusal}")
        told = (lambda done, total: progress("embedding sentences", done, total)) if progress else None
        vectors = named(texts, told)
        if count := shortened(named, texts):
            self.warn(f"{count} sentence(s) are longer than {named.name} reads; their beginnings were compared")
        return vectors

    def describer(self, provider: str = "summary", model: str = "") -> RememberingDescriber:
        """What describes chunks; `provider` and `model` are a strategy's settings, see chunking/models/describers.py.

        Raises ModelError when a key, an address or weights are missing.
        """
        from chunking.models.describers import RememberingDescriber, describer

        if self._describer is not None:
            return RememberingDescriber(self._describer, asks=self.asks_models)
        refusal = self._unannounced("describe", provider, model)
        return describer(provider, model, asks=self.asks_models and not refusal, refusal=refusal)

    def tell(self, doing: str, done: int, total: int) -> None:
        """Tell whoever watches this run how far it has come."""
        if self._progress:
            self._progress(doing, done, total)

    def warn(self, message: str) -> None:
        """Leave a line for the person who reads the run; the same line is kept once."""
        if message not in self.warnings:
            self.warnings.append(message)

    @property
    def watching(self) -> bool:
        """Whether a setting is watched (tracing.py): what is remembered by the settings' values is no use then."""
        return self._trace is not None

    @property
    def cuts_only(self) -> bool:
        """Whether only where chunks end is asked for: what they repeat, and moves no boundary, may be left out."""
        return self._trace is not None and not self._trace.of_text

    def kept(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` gives; while a setting is watched it is kept for the values that give the same (tracing.py).

        It must depend on nothing but the key, the document and the settings.
        """
        return make() if self._trace is None else self._trace.remembered(key, make)

    def aside(self) -> AbstractContextManager[None]:
        """For what moves no boundary, such as an overlap that is only repeated: it is not watched."""
        return self._trace.aside() if self._trace is not None else _NOT_WATCHED

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

        `body_tokens` is the exact count of the body less its holes, where the strategy has asked for it already.
        """
        index = self.index(document)
        kept = [body] if not holes else _kept(body, holes)
        if body_tokens is None:
            body_tokens = index.count(kept[0].start, kept[0].end) if len(kept) == 1 else index.count_parts(kept)
        if not context and overlap is None and not closing:
            tokens = body_tokens
        elif overlap is None and not closing and len(kept) == 1:
            tokens = index.count_after(context, kept[0].start, kept[0].end, body_tokens)
        else:
            tokens = index.count_parts([context, *([overlap] if overlap else []), *kept, closing])
        chunk = Chunk(
            document=document,
            body=body,
            ended_by=ended_by,
            breadcrumb=breadcrumb,
            tokens=tokens,
            body_tokens=body_tokens,
            holes=holes,
            overlap=overlap,
            context=context,
            closing=closing,
            flags=flags,
            metadata=metadata or {},
        )
        return chunk if self.watching else self._numbered(chunk)

    def _numbered(self, chunk: Chunk) -> Chunk:
        """The chunk with its ordinal. Whole texts are compared only where a cheap key collides."""
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


def _readable(texts: Sequence[str]) -> list[str]:
    return [text.encode("utf-8", "replace").decode("utf-8") for text in texts]


def _length(chunk: Chunk) -> int:
    """The length of the chunk's text in characters, without building it: equal texts have equal ones."""
    length = len(chunk.context) + len(chunk.closing) + chunk.body.end - chunk.body.start
    if chunk.holes:
        length -= sum(len(hole.body) for hole in chunk.holes)
    return length + len(chunk.overlap) if chunk.overlap else length


def _kept(body: Span, holes: Sequence[Skip]) -> list[Span]:
    spans, start = [], body.start
    for hole in holes:
        if hole.body.start > start:
            spans.append(Span(start, hole.body.start))
        start = hole.body.end
    if start < body.end:
        spans.append(Span(start, body.end))
    return spans


def _default_counter() -> TokenCounter:
    return counter("cl100k_base")
