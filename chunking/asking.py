"""What a config asks of models, step by step, where the text goes for it, and what that would cost.

For whoever wants to say so before it happens: the app asks for leave, the command line prints an estimate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from chunking.document import Document
from chunking.errors import ModelError
from chunking.estimates import Estimate
from chunking.models.describers import describer
from chunking.models.http_describers import CHAT
from chunking.models.http_embedders import PROVIDERS, base_url_of
from chunking.strategies import contextual, semantic
from chunking.strategies.contextual import Contextual
from chunking.strategies.semantic import Semantic
from chunking.strategy import Strategy
from chunking.tools import Tools

Doing = Literal["embed", "describe"]


@dataclass(frozen=True)
class Step:
    """One strategy's questions to one model."""

    doing: Doing
    strategy: Semantic | Contextual

    @property
    def setting(self) -> str:
        """The name, in snake_case, of the setting that says whose model it is."""
        return "embedder" if self.doing == "embed" else "provider"

    @property
    def provider(self) -> str:
        return self.strategy.embedder if isinstance(self.strategy, Semantic) else self.strategy.provider

    @property
    def model(self) -> str:
        """The model's name; empty for the provider's default that cannot be known here."""
        of = (PROVIDERS if self.doing == "embed" else CHAT).get(self.provider)
        return self.strategy.model or (of.model if of else "")

    @property
    def here(self) -> bool:
        """Whether the model runs on this machine and inside this process: nothing is sent."""
        return self.provider == "local"


def steps(strategy: Strategy) -> tuple[Step, ...]:
    """What a run asks of models, in its order; nothing for most strategies."""
    if isinstance(strategy, Semantic):
        return (Step("embed", strategy),)
    if isinstance(strategy, Contextual):
        described = () if strategy.provider == "summary" else (Step("describe", strategy),)
        return (*steps(strategy.base), *described)
    return ()


def semantic_of(strategy: Strategy) -> Semantic | None:
    """The strategy that compares sentences, be it wrapped by another; None where none does."""
    return next((step.strategy for step in steps(strategy) if isinstance(step.strategy, Semantic)), None)


def estimate(step: Step, document: Document, tools: Tools) -> Estimate:
    """What this step would ask for now. Nothing is asked for it, if the steps before it are done.

    Raises ModelError for a missing key, address or weights, and where a step before it is not done and `tools` may not
    ask.
    """
    if isinstance(step.strategy, Semantic):
        return semantic.estimate(document, step.strategy, tools)
    return contextual.estimate(document, step.strategy, tools)


def ask(step: Step, document: Document, tools: Tools) -> list[str]:
    """Ask for all that is missing, so that a run finds it remembered; what could not be had, one line each.

    `tools` is told how far it is. Raises ModelError where nothing more can be had at all.
    """
    if isinstance(step.strategy, Semantic):
        semantic.similarities(document, step.strategy, tools)
        return []
    describer(step.strategy.provider, step.strategy.model)  # without a key or weights there is nobody to ask
    for _ in step.strategy.split(document, tools):
        pass
    return [warning for warning in tools.warnings if "have no description" in warning]


def server_of(provider: str) -> str:
    """The address that a provider's requests go to; empty for what runs here. Raises ModelError when it is not set."""
    of = {**PROVIDERS, **CHAT}.get(provider)
    return base_url_of(provider, of) if of else ""


def key_of(provider: str) -> str:
    """The environment variable of a provider's key; empty where it takes none."""
    of = {**PROVIDERS, **CHAT}.get(provider)
    return of.key if of else ""


def announced(strategy: Strategy, document: Document, tools: Tools, say: Callable[[str], None]) -> None:
    """Say what each step that sends text to a server would ask for, one line each, before it does.

    Steps before it are done on the way, since what it asks depends on them. Where the estimate itself fails nothing is
    said: the run will say why.
    """
    for step in steps(strategy):
        if step.here:
            continue
        try:
            expected, server = estimate(step, document, tools), server_of(step.provider)
        except ModelError:
            return
        if expected.calls:
            what = "sentences to embed" if step.doing == "embed" else "chunks to describe"
            tokens = f"about {expected.input_tokens:,} tokens in"
            tokens += f" and {expected.output_tokens:,} out" if expected.output_tokens else ""
            say(
                f"{document.name}: {expected.calls:,} {what} by {step.provider} at {server} "
                f"({expected.cached:,} more are remembered), {tokens}"
            )
