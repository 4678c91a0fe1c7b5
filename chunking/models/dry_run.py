"""What a strategy would ask of a model, recorded while it cuts: for strategies that do not say how
much.

The strategy gets zeros and dashes for answers, its chunks are dropped, and nothing is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from chunking.core.chunk import Chunk
from chunking.core.context import SplitContext
from chunking.core.estimates import Estimate
from chunking.core.model_access import ChunkPrompt, ModelUse, OnProgress
from chunking.core.strategy import ModelRequest, Strategy
from chunking.document import Document
from chunking.errors import ModelError
from chunking.models.access import Models
from chunking.models.describers import CachedDescriber, describer
from chunking.tokens import counter

_DESCRIPTION_TOKENS = 100
"""What a description is taken to have: two sentences."""
_DIMENSIONS = 8


def estimate_by_dry_run(strategy: Strategy, request: ModelRequest, document: Document, tools: SplitContext) -> Estimate:
    """How much of a request a run would make now, at least: what it asks next may depend on what it
    was answered.

    Raises ModelError where another model would have to be asked before.
    """
    recorder = _RecordingModels(request)
    try:
        for _ in strategy.split(document, SplitContext(tools.counter, models=recorder)):
            pass
    except ModelError:
        if not recorder.missing:
            raise
    except Exception:
        # It received placeholder answers, so an error here proves nothing. A run shows real ones.
        pass
    return recorder.estimate()


class _RecordingModels(Models):
    """Access that writes down what one model would be asked for."""

    def __init__(self, request: ModelRequest) -> None:
        super().__init__(ModelUse.RECALL)
        self.request = request
        self.missing: dict[str, None] = {}
        self.remembered: dict[str, None] = {}

    def embed(
        self,
        texts: Sequence[str],
        provider: str,
        model: str,
        *,
        on_progress: OnProgress,
        warn: Callable[[str], None],
    ) -> npt.NDArray[np.float32]:
        """Zeros from the model whose requests are recorded, unless it answered all of these texts
        before."""
        if self._mine("embed", provider, model):
            missing = self.not_embedded(texts, provider, model)
            self.missing.update(dict.fromkeys(missing))
            self.remembered.update((text, None) for text in texts if text not in self.missing)
            if missing:
                return np.zeros((len(texts), _DIMENSIONS), dtype=np.float32)
        return super().embed(texts, provider, model, on_progress=on_progress, warn=warn)

    def describer(self, provider: str, model: str) -> CachedDescriber:
        """A describer that answers a dash where the model has no earlier answer."""
        found = describer(provider, model, asks=False)
        return _RecordingDescriber(found, self) if self._mine("describe", provider, model) else found

    def estimate(self) -> Estimate:
        """The calls and tokens that were recorded."""
        count = counter("cl100k_base")
        out = _DESCRIPTION_TOKENS * len(self.missing) if self.request.doing == "describe" else 0
        tokens = sum(count(text) for text in self.missing)
        return Estimate(len(self.missing), len(self.remembered), tokens, out, at_least=bool(self.missing))

    def _mine(self, doing: str, provider: str, model: str) -> bool:
        return (doing, provider, model) == (self.request.doing, self.request.provider, self.request.model)


class _RecordingDescriber(CachedDescriber):
    def __init__(self, of: CachedDescriber, recorder: _RecordingModels) -> None:
        super().__init__(of.describer, asks=False)
        self._of, self._recorder = of, recorder

    def question(self, chunk: Chunk, prompt: ChunkPrompt) -> str:
        return self._of.question(chunk, prompt)

    def known(self, question: str) -> str | None:
        return self._of.known(question)

    def __call__(self, question: str) -> str:
        known = self._of.known(question)
        (self._recorder.missing if known is None else self._recorder.remembered)[question] = None
        return "-" if known is None else known
