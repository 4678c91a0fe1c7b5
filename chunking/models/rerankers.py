"""Rerankers behind HTTP: a question and texts -> how well each text answers it.

Cohere, Jina and Voyage, any server with their `/rerank` beside its OpenAI-style paths (llama.cpp,
vLLM, LiteLLM, Infinity), and Hugging Face's text-embeddings-inference. Keys and addresses come from
the environment only.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Protocol

from chunking.errors import ModelError
from chunking.models.answer_cache import AnswerCache, answer_key, shared_cache
from chunking.models.http import PATIENT, Patience, post_json
from chunking.models.http_embedders import Provider, base_url_of, checked_model, key_of
from chunking.text.display import counted

RERANKERS: Mapping[str, Provider] = {
    "cohere": Provider("https://api.cohere.com/v2", "rerank-v3.5", 100, "COHERE_API_KEY"),
    "jina": Provider("https://api.jina.ai/v1", "jina-reranker-v2-base-multilingual", 100, "JINA_API_KEY"),
    "voyage": Provider("https://api.voyageai.com/v1", "rerank-2.5", 100, "VOYAGE_API_KEY"),
    "compatible": Provider("", "", 100, "CHUNKSCOPE_API_KEY", address="CHUNKSCOPE_BASE_URL", needs_key=False),
    "tei": Provider("", "", 32, "CHUNKSCOPE_API_KEY", address="CHUNKSCOPE_TEI_URL", needs_key=False),
}
"""`batch` is the texts in one request: what the server takes by default, or less."""
_SCORE = struct.Struct("<d")


class Reranker(Protocol):
    """What scores texts for a question. A test or a script may bring its own."""

    @property
    def name(self) -> str:
        """Provider, model and all else that changes the scores: the key under which they are
        remembered."""

    def __call__(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """One finite number for each text, in order; higher answers better. Raises ModelError."""


@dataclass(frozen=True)
class HttpReranker:
    """Asks one server. Raises ModelError when it refuses, is gone, or answers anything but one
    score a text."""

    name: str
    url: str
    model: str
    batch: int
    key: str = field(default="", repr=False)
    texts_field: str = "documents"
    """What the request calls the texts."""
    patience: Patience = PATIENT

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        """As of Reranker: in requests of at most `batch` texts."""
        found: list[float] = []
        for at in range(0, len(texts), self.batch):
            found += self._request(question, texts[at : at + self.batch])
        return found

    def _request(self, question: str, texts: Sequence[str]) -> list[float]:
        payload: dict[str, object] = {"query": question, self.texts_field: list(texts)}
        if self.model:
            payload["model"] = self.model
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        secrets = [self.key] if self.key else []
        answer = post_json(self.url, payload, headers, who=self.name, secrets=secrets, patience=self.patience)
        return _scores(answer, len(texts), self.name)


class CachedReranker:
    """A reranker that is asked once for each question with a text."""

    def __init__(self, reranker: Reranker, memory: AnswerCache | None = None) -> None:
        """`memory` is the cache of this user when left out."""
        self.name = reranker.name
        self._reranker = reranker
        self._memory = memory

    def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
        """As of Reranker."""
        memory = self._memory if self._memory is not None else shared_cache()
        keys = {text: answer_key(self.name, f"{len(question)} {question}\0{text}") for text in texts}
        known = {key: each for key, each in memory.get(list(keys.values())).items() if len(each) == _SCORE.size}
        missing = [text for text, key in keys.items() if key not in known]
        if missing:
            scored = zip(
                missing, checked_scores(self._reranker(question, missing), len(missing), self.name), strict=True
            )
            answered = {keys[text]: _SCORE.pack(score) for text, score in scored}
            memory.put(answered)
            known.update(answered)
        return [float(_SCORE.unpack(known[keys[text]])[0]) for text in texts]


def reranker(provider: str, model: str = "") -> CachedReranker:
    """The reranker of that provider, with its default model when `model` is empty. Raises
    ModelError when its key or address is not in the environment, or the name is unknown."""
    of = RERANKERS.get(provider)
    if of is None:
        raise ModelError(f"reranker: none is named {provider[:60]!r}; there are: {', '.join(RERANKERS)}")
    key, base_url = key_of(provider, of), base_url_of(provider, of)
    chosen = checked_model(provider, model) or of.model
    at = f" at {base_url}" if of.address else ""
    texts_field = "texts" if provider == "tei" else "documents"
    return CachedReranker(
        HttpReranker(f"{provider}/{chosen}{at}", f"{base_url}/rerank", chosen, of.batch, key, texts_field)
    )


def checked_scores(answered: Sequence[float], wanted: int, name: str) -> list[float]:
    """The scores. Raises ModelError for another number of them, or what is not finite."""
    if len(answered) != wanted:
        raise ModelError(f"{name}: answered {counted(len(answered), 'score')} for {counted(wanted, 'text')}")
    if not all(isfinite(score) for score in answered):
        raise ModelError(f"{name}: answered with scores that are not finite")
    return list(answered)


def _scores(answer: object, wanted: int, name: str) -> list[float]:
    """The scores in the order of the texts, out of `{"results": [{"index": 0, "relevance_score":
    0.9}]}`, `{"data": [...]}` as Voyage has it, or a bare list with `score` as TEI has it."""
    rows = answer
    if isinstance(answer, dict):
        rows = answer.get("results", answer.get("data"))
    if not isinstance(rows, list):
        raise ModelError(f"{name}: answered without a list of results; is this the address of a rerank server?")
    found: dict[int, float] = {}
    for row in rows:
        index = row.get("index") if isinstance(row, dict) else None
        score = row.get("relevance_score", row.get("score")) if isinstance(row, dict) else None
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < wanted or index in found:
            raise ModelError(f"{name}: answered with an index that no text has, or one twice")
        if isinstance(score, bool) or not isinstance(score, int | float):
            raise ModelError(f"{name}: answered without a number as the score of text {index}")
        found[index] = float(score)
    if len(found) != wanted:
        raise ModelError(f"{name}: answered {counted(len(found), 'score')} for {counted(wanted, 'text')}")
    return checked_scores([found[index] for index in range(wanted)], wanted, name)
