"""What a split may ask of models, as it sees it: the real access, which knows providers, is
models/access.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import TYPE_CHECKING, Protocol

from chunking.core.chunk import Chunk
from chunking.errors import ModelError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

OnProgress = Callable[[str, int, int], None]
"""Told how far a model has come: what it does, how many are done, of how many."""


class ModelUse(Enum):
    """How far a split may go to have a model's answer."""

    ASK = auto()
    """What is not remembered is asked for."""
    RECALL = auto()
    """Only what was ever remembered is answered: nothing is sent anywhere."""
    NEVER = auto()
    """Sentences have the vectors that this run was given and no others: an explanation depends on
    its run, and not on what else was ever asked."""


class ChunkPrompt(Protocol):
    """The prompts for the chunks of one document."""

    def of(self, chunk: Chunk) -> str:
        """The prompt for one chunk."""


class ChunkDescriber(Protocol):
    """What describes chunks, and remembers what it said."""

    @property
    def name(self) -> str:
        """Provider, model and all else that changes the answers, the question apart."""

    @property
    def is_model(self) -> bool:
        """Whether a model writes the words."""

    def question(self, chunk: Chunk, prompt: ChunkPrompt) -> str:
        """What is asked about a chunk: the answer depends on nothing else."""

    def known(self, question: str) -> str | None:
        """The remembered answer, None without one."""

    def __call__(self, question: str) -> str:
        """The description. Raises ModelError."""


class ModelAccess(Protocol):
    """The models of one run: what they may be asked, and what they answered."""

    @property
    def use(self) -> ModelUse:
        """How far it goes to have an answer."""

    def with_use(self, use: ModelUse) -> ModelAccess:
        """Access to the same models, with what they answered so far, that goes as far as that."""

    def announce(self, doing: str, provider: str, model: str) -> None:
        """Let text go to this provider's model, to `embed` or to `describe`."""

    def embed(
        self,
        texts: Sequence[str],
        provider: str,
        model: str,
        *,
        on_progress: OnProgress,
        warn: Callable[[str], None],
    ) -> npt.NDArray[np.float32]:
        """One vector for each text, shape (n, d); each text is asked for once. Raises
        ModelError."""

    def not_embedded(self, texts: Sequence[str], provider: str, model: str) -> list[str]:
        """Those of the texts, each once, for which `embed` would have to ask. Raises ModelError as
        `embed` does."""

    def describer(self, provider: str, model: str) -> ChunkDescriber:
        """What describes chunks. Raises ModelError when a key, an address or weights are
        missing."""


class NoModels:
    """Access to no model at all: whatever is asked of one raises ModelError."""

    use = ModelUse.NEVER

    def with_use(self, use: ModelUse) -> NoModels:  # noqa: ARG002
        return self

    def announce(self, doing: str, provider: str, model: str) -> None:
        """There is nothing to send, so nothing to let go."""

    def embed(
        self,
        texts: Sequence[str],  # noqa: ARG002
        provider: str,
        model: str,  # noqa: ARG002
        *,
        on_progress: OnProgress,  # noqa: ARG002
        warn: Callable[[str], None],  # noqa: ARG002
    ) -> npt.NDArray[np.float32]:
        raise _no_access("embedder", provider)

    def not_embedded(self, texts: Sequence[str], provider: str, model: str) -> list[str]:  # noqa: ARG002
        raise _no_access("embedder", provider)

    def describer(self, provider: str, model: str) -> ChunkDescriber:  # noqa: ARG002
        raise _no_access("provider", provider)


def _no_access(setting: str, provider: str) -> ModelError:
    return ModelError(f"{setting}: {provider} cannot be asked here; cut with chunking.Tools, which reach models")
