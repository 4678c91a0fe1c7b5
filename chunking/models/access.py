"""A split's access to models: which may be asked, which were announced, and what they answered in
this run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from typing import TYPE_CHECKING, Self

from chunking.core.context import Progress, SplitContext
from chunking.core.model_access import ModelUse, OnProgress
from chunking.errors import ModelError
from chunking.tokens import TokenCounter

# Loaded where they are first asked: most runs need no model, and `import chunking` stays light.
if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from chunking.models.describers import CachedDescriber, Describer
    from chunking.models.embedders import Embedder

_SEND_NOTHING = ("local", "summary")
"""Providers that send nothing anywhere."""


class Tools(SplitContext):
    """What a run gives its strategy: a `SplitContext` that reaches models.

    A test can hand a strategy a counter of its own: `strategy.split(document,
    Tools(counter=mock))`.
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

        `embedder` and `describer` are asked in place of whatever a strategy names; left out, the
        named ones are loaded when first needed. With `asks_models` false, models answer only what
        is remembered: nothing is sent anywhere.
        """
        use = ModelUse.ASK if asks_models else ModelUse.RECALL
        super().__init__(counter, models=Models(use, embedder=embedder, describer=describer), progress=progress)


class Models:
    """The models that strategies name, or the given ones in their place (`ModelAccess`)."""

    def __init__(self, use: ModelUse, *, embedder: Embedder | None = None, describer: Describer | None = None) -> None:
        """`embedder` and `describer` are asked in place of whatever a strategy names."""
        self.use = use
        self._embedder = embedder
        self._describer = describer
        self._vectors: dict[tuple[str, str], dict[str, npt.NDArray[np.float32]]] = {}
        self._announced: set[tuple[str, str, str]] = set()

    def with_use(self, use: ModelUse) -> Self:
        """As of ModelAccess: vectors and announcements are shared."""
        other = copy(self)
        other.use = use
        return other

    def announce(self, doing: str, provider: str, model: str) -> None:
        """Let text go to this provider's model, to `embed` or to `describe`: its strategy has said
        that it asks there (`Strategy.model_requests`). Models that run here need no leave."""
        self._announced.add((doing, provider, model))

    def embed(
        self,
        texts: Sequence[str],
        provider: str,
        model: str,
        *,
        on_progress: OnProgress,
        warn: Callable[[str], None],
    ) -> npt.NDArray[np.float32]:
        """One vector for each text, shape (n, d); each text is asked for once. Raises ModelError.

        Half characters, which no model can read, are asked for as question marks.
        """
        import numpy as np

        readable = _readable(texts)
        known = self._vectors.setdefault((provider, model), {})
        missing = [text for text in dict.fromkeys(readable) if text not in known]
        if missing:
            known.update(zip(missing, self._new_vectors(missing, provider, model, on_progress, warn), strict=True))
        return np.stack([known[text] for text in readable]) if readable else np.zeros((0, 0), dtype=np.float32)

    def not_embedded(self, texts: Sequence[str], provider: str, model: str) -> list[str]:
        """Those of the texts, each once, for which `embed` would have to ask. Raises ModelError as
        `embed` does."""
        from chunking.models.embedders import embedder

        known = self._vectors.get((provider, model), {})
        missing = [text for text in dict.fromkeys(_readable(texts)) if text not in known]
        return missing if self._embedder is not None else embedder(provider, model).unknown(missing)

    def describer(self, provider: str, model: str) -> CachedDescriber:
        """What describes chunks; `provider` and `model` are a strategy's settings, see
        chunking/models/describers.py.

        Raises ModelError when a key, an address or weights are missing.
        """
        from chunking.models.describers import CachedDescriber, describer

        asks = self.use is ModelUse.ASK
        if self._describer is not None:
            return CachedDescriber(self._describer, asks=asks)
        refusal = self._unannounced("describe", provider, model)
        return describer(provider, model, asks=asks and not refusal, refusal=refusal)

    def _new_vectors(
        self, texts: Sequence[str], provider: str, model: str, on_progress: OnProgress, warn: Callable[[str], None]
    ) -> npt.NDArray[np.float32]:
        if self.use is ModelUse.NEVER:
            raise ModelError(f"embedder: {provider} would have to be asked, and an explanation asks no model")
        from chunking.models.embedders import embedder, shortened

        if self._embedder is not None:
            return self._vectors_of_given(self._embedder, texts)
        asks = self.use is ModelUse.ASK
        named = embedder(provider, model, asks=asks)
        if asks and (refusal := self._unannounced("embed", provider, model)) and named.unknown(texts):
            raise ModelError(f"embedder: {refusal}")
        vectors = named(texts, lambda done, total: on_progress("embedding sentences", done, total))
        if count := shortened(named, texts):
            warn(f"{count} sentence(s) are longer than {named.name} reads; their beginnings were compared")
        return vectors

    def _vectors_of_given(self, embedder: Embedder, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        from chunking.models.embedders import checked_vectors

        if self.use is not ModelUse.ASK:
            raise ModelError(f"embedder: {embedder.name} would have to be asked, and here no model is asked")
        return checked_vectors(embedder(texts), len(texts), embedder.name)

    def _unannounced(self, doing: str, provider: str, model: str) -> str:
        """Why this model may not be sent anything; empty where it may."""
        if provider in _SEND_NOTHING or (doing, provider, model) in self._announced:
            return ""
        named = f"{provider}/{model}" if model else provider
        return (
            f"{named} was not announced, so nothing was sent; "
            f"a strategy that has models {doing} says so in model_requests()"
        )


def _readable(texts: Sequence[str]) -> list[str]:
    return [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
