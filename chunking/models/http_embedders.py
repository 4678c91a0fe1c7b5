"""Embedders behind HTTP: every provider with an OpenAI-style /embeddings (by its address), and
Voyage.

Keys come from the environment and go into a header, nowhere else. The address of a server of one's
own comes from the environment as well: a YAML that somebody shares can never send documents or keys
to a place of its choosing.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from chunking.errors import ModelError, ModelUnsetError
from chunking.models.http import PATIENT, AnswerLimit, Patience, checked_key, post_json
from chunking.models.http_exchange import checked_base_url
from chunking.text.display import counted

MOST_DIMENSIONS = 8192
"""Numbers of one vector; the longest of the models that are known have half as many."""
_NUMBER = 24
"""Bytes of a number in JSON with its comma, and the white space of a server that indents."""
_AROUND = AnswerLimit(size=65_536, values=1_000)
"""What stands around the vectors of an answer."""
_ROW = AnswerLimit(size=512, values=32)
"""What stands around one vector."""


def answer_limit(texts: int) -> AnswerLimit:
    """The most that an answer with so many vectors can need."""
    return AnswerLimit(
        size=_AROUND.size + texts * (MOST_DIMENSIONS * _NUMBER + _ROW.size),
        values=_AROUND.values + texts * (MOST_DIMENSIONS + _ROW.values),
    )


@dataclass(frozen=True, slots=True)
class Provider:
    """What differs between servers that all take a list of texts and answer `data: [{index,
    embedding}]`."""

    base_url: str
    """Where `/embeddings` is; for a server of one's own the default address, or empty where there
    is none."""
    model: str
    """The default; empty where the server's own is meant, and then none is sent."""
    batch: int
    """Texts in one request: what the provider allows, or less where its limit of tokens comes
    first."""
    key: str = ""
    """The environment variable of the key; empty for none."""
    address: str = ""
    """The environment variable of the address, for a server of one's own."""
    needs_key: bool = True
    encoding_format: bool = True
    """Whether `encoding_format: float` is sent. Voyage knows only base64 by that name; it answers
    floats without."""


PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider("https://api.openai.com/v1", "text-embedding-3-small", 256, "OPENAI_API_KEY"),
    "gemini": Provider(
        "https://generativelanguage.googleapis.com/v1beta/openai", "gemini-embedding-001", 100, "GEMINI_API_KEY"
    ),
    "cohere": Provider("https://api.cohere.ai/compatibility/v1", "embed-v4.0", 96, "COHERE_API_KEY"),
    "voyage": Provider("https://api.voyageai.com/v1", "voyage-3.5", 128, "VOYAGE_API_KEY", encoding_format=False),
    "ollama": Provider("http://127.0.0.1:11434", "nomic-embed-text", 64, address="OLLAMA_HOST", needs_key=False),
    "compatible": Provider("", "", 64, "CHUNKSCOPE_API_KEY", address="CHUNKSCOPE_BASE_URL", needs_key=False),
}


@dataclass(frozen=True)
class HttpEmbedder:
    """Asks one server. Raises ModelError when it refuses, is gone, or answers anything but one
    vector a text."""

    name: str
    url: str
    model: str
    batch: int
    key: str = field(default="", repr=False)
    encoding_format: bool = True
    patience: Patience = PATIENT

    def __call__(self, texts: Sequence[str]) -> list[list[float]]:
        """As of Embedder: in requests of at most `batch` texts."""
        vectors: list[list[float]] = []
        for at in range(0, len(texts), self.batch):
            vectors += self._request(texts[at : at + self.batch])
        return vectors

    def _request(self, texts: Sequence[str]) -> list[list[float]]:
        payload: dict[str, object] = {"input": list(texts)}
        if self.model:
            payload["model"] = self.model
        if self.encoding_format:
            payload["encoding_format"] = "float"
        headers = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        secrets = [self.key] if self.key else []
        limit = answer_limit(len(texts))
        answer = post_json(
            self.url, payload, headers, who=self.name, secrets=secrets, patience=self.patience, limit=limit
        )
        return _vectors(answer, len(texts), self.name)


def http_embedder(provider: str, model: str = "") -> HttpEmbedder:
    """The embedder of one of PROVIDERS. Raises ModelError when its key or its address is not in the
    environment."""
    of = PROVIDERS[provider]
    key = key_of(provider, of)
    base_url, model = base_url_of(provider, of), checked_model(provider, model) or of.model
    if provider == "ollama":
        base_url += "/v1"
    # Two servers of one's own may have different models of one name; the public ones have one
    # address each.
    at = f" at {base_url}" if of.address else ""
    return HttpEmbedder(
        name=f"{provider}/{model}{at}",
        url=f"{base_url}/embeddings",
        model=model,
        batch=of.batch,
        key=key,
        encoding_format=of.encoding_format,
    )


def key_of(provider: str, of: Provider) -> str:
    """The provider's key from the environment, empty where it needs none. Raises ModelUnsetError
    without."""
    key = checked_key(of.key, os.environ.get(of.key, "")) if of.key else ""
    if of.needs_key and not key:
        raise ModelUnsetError(f"{provider}: the environment variable {of.key} is not set; set it to your key")
    return key


def checked_model(provider: str, model: str) -> str:
    """The model's name, if a request and a message can carry it. Raises ModelError."""
    if len(model) > 200 or not model.isprintable():
        raise ModelError(f"{provider}: the model's name is over 200 characters or not printable; correct it")
    return model


def base_url_of(provider: str, of: Provider) -> str:
    """The address that a provider's paths follow, without a last slash. Raises ModelUnsetError
    without one."""
    if not of.address:
        return of.base_url
    url = os.environ.get(of.address, "").strip() or of.base_url
    if not url:
        raise ModelUnsetError(
            f"{provider}: the environment variable {of.address} is not set; set it to the server's address"
        )
    if provider == "ollama":
        # As Ollama's own clients read it: scheme and port may be missing; 0.0.0.0 is where it
        # listens, not its place.
        if "://" not in url:
            url = f"http://{url}" if ":" in url else f"http://{url}:11434"
        url = url.replace("://0.0.0.0", "://127.0.0.1")
    return checked_base_url(of.address, url)


def _vectors(answer: object, wanted: int, name: str) -> list[list[float]]:
    """The vectors in the order of the texts, out of `{"data": [{"index": 0, "embedding":
    [...]}]}`."""
    rows = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(rows, list):
        raise ModelError(f"{name}: answered without a list named data; is this the address of an embeddings server?")
    if len(rows) != wanted:
        raise ModelError(
            f"{name}: answered {counted(len(rows), 'vector')} for {counted(wanted, 'text')}; "
            "expected one vector per text"
        )
    found: dict[int, list[float]] = {}
    for position, row in enumerate(rows):
        vector = row.get("embedding") if isinstance(row, dict) else None
        index = row.get("index", position) if isinstance(row, dict) else None
        if not isinstance(vector, list) or not isinstance(index, int):
            raise ModelError(f"{name}: answered a vector that is not a list of numbers")
        found[index] = vector
    if sorted(found) != list(range(wanted)):
        raise ModelError(f"{name}: answered vectors whose indexes are not 0 to {wanted - 1}")
    return [found[index] for index in range(wanted)]
