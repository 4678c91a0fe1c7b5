"""Chunks of any other strategy, each with a description in front that says where it stands in its
document.

Source: semantic-contextual.md, ContextualChunker; DECISIONS sc-4, all-5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from chunking.core.chunk import Chunk, Description, Part
from chunking.core.context import SplitContext
from chunking.core.estimates import Estimate
from chunking.core.model_access import ChunkDescriber
from chunking.core.strategy import Family, Limits, ModelRequest, Strategy, setting
from chunking.document import Document
from chunking.errors import ModelError, SettingError
from chunking.models.prompts import DEFAULT_TEMPLATE, Prompt, missing_placeholders
from chunking.tokens import counter

Provider = Literal["summary", "local", "openai", "anthropic", "gemini", "cohere", "ollama", "compatible"]

MOST_FAILURES = 3
"""Failed calls in a row after which no more are made: a wrong key or a server that is gone fails
for every chunk."""
NOT_ASKED = "not asked for yet"
"""Why a chunk has no description in a run that may not ask models."""
ANSWER_TOKENS = 100
"""What an estimate takes a description to have: two sentences."""
_ASKING_TOKENS = 20
"""Of the system prompt and the roles, in an estimate."""


def _default_base() -> Strategy:
    # The spec's first example. Found by name: strategies do not import each other.
    from chunking import strategies

    return strategies.get("recursive")()


class _CounterOfBase:
    """The base's default counter, or its spec's; asked of the class, that of the default base."""

    def __init__(self, which: Literal["default_counter", "spec_counter"]) -> None:
        self.which = which

    def __get__(self, strategy: Contextual | None, _owner: type[Contextual]) -> str:
        base = strategy.base if strategy is not None else _default_base()
        return base.default_counter if self.which == "default_counter" else base.spec_counter


class Contextual(Strategy):
    """Cuts exactly where its base cuts, and puts prefix, description and a blank line before each
    chunk's context."""

    name: ClassVar[str] = "contextual"
    title: ClassVar[str] = "Contextual descriptions"
    summary: ClassVar[str] = (
        "Cuts as any other strategy does, and puts a description of its place in the document before each chunk: "
        "for chunks that mean little on their own."
    )
    family: ClassVar[Family] = "meaning"
    default_counter: ClassVar[str] = _CounterOfBase("default_counter")  # type: ignore[assignment]
    spec_counter: ClassVar[str] = _CounterOfBase("spec_counter")  # type: ignore[assignment]
    describes: ClassVar[str] = "base"

    base: Strategy = Field(
        default_factory=_default_base,
        title="Base",
        description="The strategy that cuts, with its own settings. Its limits apply without the description.",
        json_schema_extra={"unit": "", "slider": None, "step": None},
    )
    provider: Provider = setting(
        "summary",
        title="Describer",
        help="Who writes the descriptions. summary asks no model: the breadcrumb and the section's first sentence. "
        "local is a small model that runs here. For the others the document is sent to a server, once for each chunk, "
        "with a key from the environment.",
    )
    model: str = setting(
        "",
        title="Model",
        help="The provider's model; left empty, its default (openai: gpt-4o-mini).",
    )
    prompt_template: str = setting(
        DEFAULT_TEMPLATE,
        title="Prompt",
        help="What the model is asked, with {document} and {chunk} where the texts go; no other braces mean anything. "
        "summary and local ask nothing of the kind.",
    )
    max_document_chars: int = setting(
        50_000,
        title="Document in the prompt",
        help="Higher shows the model more of a long document, and costs more. It is sent once for each chunk.",
        unit="characters",
        ge=1,
        le=10_000_000,
        slider=(1_000, 200_000),
    )
    context_prefix: str = setting(
        "[Context] ",
        title="Prefix",
        help="Text before each description.",
    )

    @model_validator(mode="after")
    def _asks_about_both_and_describes_once(self) -> Self:
        if missing := missing_placeholders(self.prompt_template):
            raise SettingError("promptTemplate", f"has no {' and no '.join(missing)}; put it where the text should go")
        if self.base.describes:
            raise SettingError("base", f"{self.base.name} already describes what it wraps; choose a strategy that cuts")
        return self

    def limits(self) -> Limits:
        """Those of the base; they hold without the description (DECISIONS all-5)."""
        return self.base.limits().of_wrapped("base")

    def limits_in(self, document: Document) -> Limits:
        """As `limits`."""
        return self.base.limits_in(document).of_wrapped("base")

    def model_requests(self) -> tuple[ModelRequest, ...]:
        """A description of each chunk, where a model writes them."""
        if self.provider == "summary":
            return ()
        most = f"{self.max_document_chars:,} characters of the document"
        sends = f"Each chunk is sent with up to {most} and described"
        return (ModelRequest("describe", self.provider, self.model, "provider", sends),)

    def expected(self, request: ModelRequest, document: Document, tools: SplitContext) -> Estimate:  # noqa: ARG002
        """Each chunk that was not described before."""
        return estimate(document, self, tools)

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        """Cut the whole document first, which tells how many descriptions there will be; then
        describe and yield."""
        parts = list(self.base.split(document, tools.for_base()))
        total = sum(isinstance(part, Chunk) for part in parts)
        writer = _Writer(self, document, tools, total)
        for part in parts:
            yield self._described(part, writer, tools) if isinstance(part, Chunk) else part
        writer.close()

    def _described(self, chunk: Chunk, writer: _Writer, tools: SplitContext) -> Chunk:
        """The chunk, sealed anew with its description; as it was, with context null, where there is
        none."""
        index, description = writer.done, writer.describe(chunk)
        metadata = {
            **chunk.metadata,
            "chunker": self.name,
            "chunk": index,
            "total_chunks": writer.total,
            "context": description,
        }
        blank_line = 2 * chunk.document.line_ending
        added = f"{self.context_prefix}{description}{blank_line}" if description else ""
        sealed = tools.seal(
            chunk.document,
            chunk.body,
            chunk.ended_by,
            breadcrumb=chunk.breadcrumb,
            holes=chunk.holes,
            overlap=chunk.overlap,
            context=added + chunk.context,
            closing=chunk.closing,
            flags=chunk.flags,
            metadata=metadata,
        )
        without = replace(chunk, metadata={**metadata, "context": None})
        return replace(sealed, description=Description(added, writer.model, without))


class _Writer:
    """Asks for one description after another, and remembers what failed until the end of the
    run."""

    def __init__(self, settings: Contextual, document: Document, tools: SplitContext, total: int) -> None:
        self.total = total
        self.done = 0
        self.model = ""
        """The model that writes; empty when none does."""
        self._tools = tools
        self._prompt = Prompt(settings.prompt_template, document, settings.max_document_chars)
        self._failures: dict[str, list[Chunk]] = {}
        self._in_a_row = 0
        self._describer: ChunkDescriber | None = None
        if not total:
            return
        try:
            self._describer = tools.describer(settings.provider, settings.model)
        except ModelError as error:
            # Without a key or weights there is nobody to ask, and still nothing is lost.
            self._unavailable = str(error)
            self.model = settings.provider
            return
        self.model = self._describer.name if self._describer.is_model else ""
        if settings.provider in ("summary", "local") and settings.prompt_template != DEFAULT_TEMPLATE:
            tools.warn(f"contextual: promptTemplate is not used by provider {settings.provider}")

    def describe(self, chunk: Chunk) -> str | None:
        """The description of the next chunk, None when it has none."""
        if self.model:
            self._tools.report_progress("describing chunks", self.done, self.total)
        self.done += 1
        if self._describer is None:
            self._failures.setdefault(self._unavailable, []).append(chunk)
            return None
        question = self._describer.question(chunk, self._prompt)
        if self._in_a_row >= MOST_FAILURES or (self.model and not self._tools.asks_models):
            return self._remembered(self._describer, question, chunk)
        try:
            description = self._describer(question)
        except ModelError as error:
            self._failures.setdefault(str(error), []).append(chunk)
            self._in_a_row += 1
            return None
        self._in_a_row = 0
        return description

    def _remembered(self, describer: ChunkDescriber, question: str, chunk: Chunk) -> str | None:
        description = describer.known(question)
        if description is None:
            why = (
                f"not asked for after {MOST_FAILURES} failed calls in a row; run again to ask only for what is missing"
                if self._tools.asks_models
                else NOT_ASKED
            )
            self._failures.setdefault(why, []).append(chunk)
        return description

    def close(self) -> None:
        """Say that the work is done, and which chunks have no description, one warning for each
        reason."""
        if self.model:
            self._tools.report_progress("describing chunks", self.total, self.total)
        for error, chunks in self._failures.items():
            what = f"{len(chunks)} of {self.total} chunks have no description, the first on line {chunks[0].start_line}"
            self._tools.warn(f"contextual: {what}: {error}")


def estimate(document: Document, strategy: Contextual, tools: SplitContext) -> Estimate:
    """How many calls and tokens a run would cost now. The document is cut for it, and no
    description is asked for.

    Raises ModelError when the describer lacks a key, an address or weights.
    """
    describer = tools.describer(strategy.provider, strategy.model)
    if not describer.is_model:
        return Estimate(0, 0, 0, 0)
    prompt = Prompt(strategy.prompt_template, document, strategy.max_document_chars)
    count, shown = counter("cl100k_base"), document.text[: strategy.max_document_chars]
    # The document is counted once: it is most of every prompt, and long.
    around = _ASKING_TOKENS + count(strategy.prompt_template) + count(shown)
    questions: dict[str, int] = {}
    cached = 0
    for part in strategy.base.split(document, tools.for_base()):
        if not isinstance(part, Chunk):
            continue
        question = describer.question(part, prompt)
        if question in questions or describer.known(question) is not None:
            cached += 1
            continue
        holds_document = len(question) > len(shown)
        questions[question] = around + count(part.text) if holds_document else count(question)
    calls = len(questions)
    return Estimate(calls, cached, sum(questions.values()), calls * ANSWER_TOKENS)
