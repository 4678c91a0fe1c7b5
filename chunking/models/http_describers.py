"""Describers behind HTTP: every provider with an OpenAI-style /chat/completions, and Anthropic's
/v1/messages.

Keys and addresses come from the environment only, as those of the embedders do (http_embedders.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from chunking.core.chunk import Chunk
from chunking.core.model_access import ChunkPrompt
from chunking.errors import ModelError
from chunking.models.http import AnswerLimit, Patience, post_json
from chunking.models.http_embedders import PROVIDERS as EMBEDDING
from chunking.models.http_embedders import Provider, base_url_of, checked_model, key_of

SYSTEM = "You are a concise technical writer."
TEMPERATURE = 0.0
MOST_TOKENS = 300
"""Maximum tokens of an answer: enough for two long sentences."""

CHAT: Mapping[str, Provider] = {
    "openai": replace(EMBEDDING["openai"], model="gpt-4o-mini", batch=1),
    "anthropic": Provider(
        "https://api.anthropic.com", "claude-haiku-4-5", 1, "ANTHROPIC_API_KEY", address="ANTHROPIC_BASE_URL"
    ),
    "gemini": replace(EMBEDDING["gemini"], model="gemini-2.5-flash-lite", batch=1),
    "cohere": replace(EMBEDDING["cohere"], model="command-r7b-12-2024", batch=1),
    "ollama": replace(EMBEDDING["ollama"], model="llama3.2", batch=1),
    "compatible": replace(EMBEDDING["compatible"], model="", batch=1),
}
"""Addresses and keys are those of the embedders; the models are others."""

ANSWERING = Patience(attempts=4, answer=120.0, total=180.0)
"""A model that reads a whole document first takes its time."""
ANSWER_LIMIT = AnswerLimit(size=2**20, values=100_000)
"""Of an answer with MOST_TOKENS tokens: some servers send what the model thought as well."""


@dataclass(frozen=True)
class HttpDescriber:
    """Asks one server for one description. Raises ModelError when it refuses, is gone, or answers
    without a text."""

    name: str
    url: str
    model: str
    key: str = field(default="", repr=False)
    token_limit: str = "max_tokens"
    """The server's name for the answer limit. OpenAI's newer models accept only
    `max_completion_tokens`."""
    patience: Patience = ANSWERING
    is_model = True

    def question(self, chunk: Chunk, prompt: ChunkPrompt) -> str:
        """As of Describer: the prompt."""
        return prompt.of(chunk)

    def __call__(self, question: str) -> str:
        """As of Describer."""
        payload = self._payload(question)
        if self.model:
            payload["model"] = self.model
        secrets = [self.key] if self.key else []
        answer = post_json(
            self.url,
            payload,
            self._headers(),
            who=self.name,
            secrets=secrets,
            patience=self.patience,
            limit=ANSWER_LIMIT,
        )
        return self._text(answer)

    def _payload(self, question: str) -> dict[str, object]:
        messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": question}]
        return {"messages": messages, "temperature": TEMPERATURE, self.token_limit: MOST_TOKENS}

    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def _text(self, answer: object) -> str:
        """The content of the first choice: `{"choices": [{"message": {"content": ...}}]}`."""
        choices = answer.get("choices") if isinstance(answer, dict) else None
        message = choices[0].get("message") if isinstance(choices, list) and choices and _mapping(choices[0]) else None
        content = message.get("content") if isinstance(message, dict) else None
        if not isinstance(content, str):
            raise ModelError(
                f"{self.name}: answered without choices that hold a text; is this a chat server's address?"
            )
        return content


class AnthropicDescriber(HttpDescriber):
    """The same over Anthropic's messages: the system prompt stands apart, and the answer is a list
    of blocks."""

    def _payload(self, question: str) -> dict[str, object]:
        messages = [{"role": "user", "content": question}]
        return {"system": SYSTEM, "messages": messages, "temperature": TEMPERATURE, "max_tokens": MOST_TOKENS}

    def _headers(self) -> dict[str, str]:
        return {"anthropic-version": "2023-06-01", **({"x-api-key": self.key} if self.key else {})}

    def _text(self, answer: object) -> str:
        blocks = answer.get("content") if isinstance(answer, dict) else None
        if not isinstance(blocks, list):
            raise ModelError(
                f"{self.name}: answered without a list named content; is this a messages server's address?"
            )
        texts = [block.get("text") for block in blocks if _mapping(block) and block.get("type") == "text"]
        return "".join(text for text in texts if isinstance(text, str))


def http_describer(provider: str, model: str = "") -> HttpDescriber:
    """The describer of one of CHAT. Raises ModelError when its key or its address is not in the
    environment."""
    of = CHAT[provider]
    key, base_url = key_of(provider, of), base_url_of(provider, of)
    model = checked_model(provider, model) or of.model
    base_url = base_url.removesuffix("/v1") if provider in ("anthropic", "ollama") else base_url
    at = f" at {base_url}" if of.address and base_url != of.base_url else ""
    name = f"{provider}/{model}{at}"
    if provider == "anthropic":
        return AnthropicDescriber(name, f"{base_url}/v1/messages", model, key)
    path = "/v1/chat/completions" if provider == "ollama" else "/chat/completions"
    limit = "max_completion_tokens" if provider == "openai" else "max_tokens"
    return HttpDescriber(name, f"{base_url}{path}", model, key, limit)


def _mapping(value: object) -> bool:
    return isinstance(value, dict)
