"""The requests that a config will make to models: to which servers, and an estimate of how many.

Shown before anything is sent: the app asks for permission, the command line prints an estimate.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chunking.core.context import SplitContext
from chunking.core.estimates import Estimate
from chunking.core.strategy import Doing, ModelRequest, Strategy, announced_by
from chunking.document import Document
from chunking.errors import ModelError
from chunking.models.describers import describer
from chunking.models.dry_run import estimate_by_dry_run
from chunking.models.embedders import embedder
from chunking.models.http_describers import CHAT
from chunking.models.http_embedders import PROVIDERS, base_url_of
from chunking.text.display import counted

__all__ = ["Doing", "Step", "announced", "ask", "estimate", "key_of", "server_of", "steps"]


@dataclass(frozen=True)
class Step:
    """One strategy's requests to one model, as the strategy announced them."""

    strategy: Strategy
    request: ModelRequest

    @property
    def doing(self) -> Doing:
        return self.request.doing

    @property
    def setting(self) -> str:
        """The name, in snake_case, of the setting that says whose model it is; empty where none
        does."""
        return self.request.setting

    @property
    def provider(self) -> str:
        return self.request.provider

    @property
    def model(self) -> str:
        """The model's name; empty for the provider's default that cannot be known here."""
        of = (PROVIDERS if self.doing == "embed" else CHAT).get(self.provider)
        return self.request.model or (of.model if of else "")

    @property
    def here(self) -> bool:
        """Whether the model runs on this machine and inside this process: nothing is sent."""
        return self.provider == "local"


def steps(strategy: Strategy) -> tuple[Step, ...]:
    """The requests of a run to models, in its order; empty for most strategies."""
    return tuple(Step(*each) for each in announced_by(strategy) if each[1].provider != "summary")


def estimate(step: Step, document: Document, tools: SplitContext) -> Estimate:
    """What this step would ask for now. Nothing is asked for it, if the steps before it are done.

    Raises ModelError for a missing key, address or weights, and where a step before it is not done
    and `tools` may not ask.
    """
    known = step.strategy.expected(step.request, document, tools)
    if known is not None:
        return known
    _check_available(step)
    return estimate_by_dry_run(step.strategy, step.request, document, tools)


def _check_available(step: Step) -> None:
    """Raises ModelError where nobody can be asked: no key, no address, no weights."""
    if step.doing == "embed":
        embedder(step.provider, step.request.model)
    else:
        describer(step.provider, step.request.model)


def ask(step: Step, document: Document, tools: SplitContext) -> list[str]:
    """Ask for all that is missing, so that a run finds it remembered; what could not be had, one
    line each.

    `tools` is told how far it is. Raises ModelError where nothing more can be had at all.
    """
    _check_available(step)
    tools.announce(step.doing, step.provider, step.request.model)
    for _ in step.strategy.split(document, tools):
        pass
    return [warning for warning in tools.warnings if "have no description" in warning]


def server_of(provider: str) -> str:
    """The address that a provider's requests go to; empty for what runs here. Raises ModelError
    when it is not set."""
    of = {**PROVIDERS, **CHAT}.get(provider)
    return base_url_of(provider, of) if of else ""


def key_of(provider: str) -> str:
    """The environment variable of a provider's key; empty where it takes none."""
    of = {**PROVIDERS, **CHAT}.get(provider)
    return of.key if of else ""


def announced(strategy: Strategy, document: Document, tools: SplitContext, say: Callable[[str], None]) -> None:
    """Say what each step that sends text to a server would ask for, one line each, before it does.

    Steps before it are done on the way, since what it asks depends on them. Where nothing can be
    sent, for want of a key or an address, nothing is said: the run will say why.
    """
    for step in steps(strategy):
        if not step.here:
            _announce(step, document, tools, say)
        tools.announce(step.doing, step.provider, step.request.model)


def _announce(step: Step, document: Document, tools: SplitContext, say: Callable[[str], None]) -> None:
    try:
        _check_available(step)
        server = server_of(step.provider)
    except ModelError:
        return
    one = "sentence" if step.doing == "embed" else "chunk"
    try:
        expected = estimate(step, document, tools)
    except ModelError:
        say(f"{document.name}: {one}s to {step.doing} by {step.provider} at {server}; how many is not known beforehand")
        return
    if not expected.calls:
        return
    many = f"{counted(expected.calls, one)} to {step.doing}"
    if expected.at_least:
        many = f"at least {counted(expected.calls, 'text')} to {step.doing}"
    tokens = f"about {expected.input_tokens:,} tokens in"
    tokens += f" and {expected.output_tokens:,} out" if expected.output_tokens else ""
    say(f"{document.name}: {many} by {step.provider} at {server} ({expected.cached:,} more are remembered), {tokens}")
