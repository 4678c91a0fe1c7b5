"""Describers: functions that write a sentence or two about a chunk's place in its document; by
name.

The default uses no model: the breadcrumb and the section's first sentence. The others are a small
local model, and servers over HTTP.
"""

from __future__ import annotations

from typing import Protocol

from chunking.core.chunk import Chunk
from chunking.core.model_access import ChunkPrompt
from chunking.document import Document, Section, Span
from chunking.document.sentences import sentences_in
from chunking.errors import ModelError
from chunking.models.answer_cache import AnswerCache, answer_key, shared_cache
from chunking.models.http_describers import CHAT, http_describer
from chunking.models.local_llm import LOCAL_LLM, LocalDescriber
from chunking.runtime.made_once import once
from chunking.runtime.text_memory import memory
from chunking.splitting.breadcrumbs import arrow, clip

_LONGEST = 4000
"""Maximum characters of a description, far more than two sentences; a longer answer is rejected."""
_SENTENCE = 300
"""Characters of a section's first sentence that the summary repeats."""


class Describer(Protocol):
    """What describes chunks. A test or a script may hand `Tools` its own."""

    @property
    def name(self) -> str:
        """Provider, model and all else that changes the answers, the question apart."""

    @property
    def is_model(self) -> bool:
        """Whether a model writes the words: then they are hashed apart from the cuts, and
        remembered."""

    def question(self, chunk: Chunk, prompt: ChunkPrompt) -> str:
        """What is asked about a chunk: the answer depends on nothing else."""

    def __call__(self, question: str) -> str:
        """The answer. Raises ModelError."""


class CachedDescriber:
    """A describer that is asked each question once, and whose answers are held to what a
    description is."""

    def __init__(
        self, describer: Describer, memory: AnswerCache | None = None, *, asks: bool = True, refusal: str = ""
    ) -> None:
        """Without `memory` nothing is remembered. One that may not ask (`asks`) answers only what
        is remembered, and says why in its `refusal`."""
        self.describer = describer
        self.name = describer.name
        self.is_model = describer.is_model
        self._memory = memory
        self._asks = asks
        self._refusal = refusal or "would have to be asked, and here no model is asked"

    def question(self, chunk: Chunk, prompt: ChunkPrompt) -> str:
        """As of Describer. Half characters, which no model can read, are asked for as question
        marks."""
        return self.describer.question(chunk, prompt).encode("utf-8", "replace").decode("utf-8")

    def known(self, question: str) -> str | None:
        """The remembered answer, None without one."""
        if self._memory is None:
            return None
        answer = self._memory.get([self._key(question)]).get(self._key(question))
        return answer.decode("utf-8", "replace") if answer else None

    def __call__(self, question: str) -> str:
        """The description, without white space around it. Raises ModelError."""
        if (known := self.known(question)) is not None:
            return known
        if not self._asks:
            raise ModelError(f"{self.name}: {self._refusal}")
        description = checked_description(self.describer(question), self.name)
        if self._memory is not None:
            self._memory.put({self._key(question): description.encode()})
        return description

    def _key(self, question: str) -> bytes:
        # Apart from the embedders' answers: one server may have one name for both.
        return answer_key(f"describe/{self.name}", question)


class SummaryDescriber:
    """No model: the breadcrumb, and the first sentence of the section that the chunk begins in."""

    name = "summary"
    is_model = False

    def question(self, chunk: Chunk, prompt: ChunkPrompt) -> str:  # noqa: ARG002
        """The summary itself: there is nobody to ask."""
        begins = chunk.kept[0].start
        while chunk.document.text[begins].isspace() and begins + 1 < chunk.kept[0].end:
            begins += 1
        section = chunk.document.section_at(begins)
        sentence = _first_sentence(chunk.document, section)
        breadcrumb = arrow(chunk.breadcrumb).strip()
        return ": ".join(each for each in (breadcrumb, sentence) if each)

    def __call__(self, question: str) -> str:
        return question


def _first_sentence(document: Document, section: Section) -> str:
    """The first sentence of the section's first paragraph on one line; empty when it has no
    paragraph of its own."""
    block = next((block for block in section.blocks if block.kind == "paragraph"), None)
    return _sentence_at(document, block.span.start, block.content_end) if block else ""


@memory.remembered(most=512, of=lambda document, *_: (document.text,), key=lambda document, *place: (document, *place))
def _sentence_at(document: Document, start: int, end: int) -> str:
    # Enough to find where a sentence of _SENTENCE characters ends; a paragraph may be a megabyte.
    spans = sentences_in(document, Span(start, min(end, start + 4 * _SENTENCE)))
    return clip(" ".join(document[spans[0]].split()), _SENTENCE) if spans else ""


def describer(provider: str, model: str = "", *, asks: bool = True, refusal: str = "") -> CachedDescriber:
    """The describer of that provider, with its default model when `model` is empty; one that may
    not ask says why.

    Keys and addresses come from the environment only. Raises ModelError when one is missing, or the
    name is unknown.
    """
    if provider == "summary":
        return CachedDescriber(SummaryDescriber())
    if provider == "local":
        if model not in ("", LOCAL_LLM):
            raise ModelError(f"model: the local describer has only {LOCAL_LLM}, not {model[:60]!r}; leave it empty")
        return CachedDescriber(_local(), shared_cache(), asks=asks)
    if provider not in CHAT:
        raise ModelError(f"provider: none is named {provider[:60]!r}; there are: summary, local, {', '.join(CHAT)}")
    return CachedDescriber(http_describer(provider, model), shared_cache(), asks=asks, refusal=refusal)


@once
def _local() -> LocalDescriber:
    return LocalDescriber()


def checked_description(answer: str, name: str) -> str:
    """The answer without white space around it. Raises ModelError for one that is empty, or too
    long to be one.

    It stays what it is: text. Half characters, which no file can hold, become question marks.
    """
    description = answer.encode("utf-8", "replace").decode("utf-8").strip()
    if not description:
        raise ModelError(f"{name}: answered with an empty text")
    if len(description) > _LONGEST:
        raise ModelError(
            f"{name}: answered {len(description)} characters; a description has at most {_LONGEST}, so it is left out"
        )
    return description
