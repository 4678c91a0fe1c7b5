"""What is said about models: who answers, where the text goes for it, what it costs. No
Streamlit."""

from __future__ import annotations

from chunking import Chunk
from chunking.core import Estimate
from chunking.errors import ModelError
from chunking.models import Step, Waiting, key_of, server_of
from chunking.text import counted

NO_MODEL = "No model: the breadcrumb and the section's first sentence. Nothing is sent."


def option(setting: str, name: str) -> str:
    """A choice as the control shows it: a provider says where it runs; nearly all others are their
    names."""
    if setting not in ("provider", "embedder"):
        return name
    if name == "summary":
        return "summary (no model)"
    return "local (a small model, runs here)" if name == "local" else f"{name} (a server)"


def where_text_goes(step: Step) -> str:
    """One line on what is sent where; it names the key's variable, and never the key."""
    sent = _sent(step)
    if step.here:
        return f"{sent} on this machine; nothing is sent."
    try:
        server = server_of(step.provider)
    except ModelError:
        server = "the server that you name"
    key = key_of(step.provider)
    by = f" The key is read from {key}." if key else ""
    return f"{sent} by {step.model or 'the model'} at {server}, only when you ask for it below.{by}"


def _sent(step: Step) -> str:
    """As the strategy announces it."""
    if step.here:
        return "Each sentence is compared" if step.doing == "embed" else "Each chunk is described"
    return step.request.sends or f"{step.strategy.title} sends text of the document"


def ask_label(step: Step, expected: Estimate) -> str:
    """What the button that sends says."""
    if expected.at_least:
        return f"Send at least {counted(expected.calls, 'text')}"
    return f"Compare {_sentences(expected.calls)}" if step.doing == "embed" else f"Describe {_chunks(expected.calls)}"


def done_words(step: Step, expected: Estimate) -> str:
    answered = _sentences(expected.cached) if step.doing == "embed" else _chunks(expected.cached)
    return f"Done: the answers for {answered} are remembered, and nothing more is asked."


def estimate_facts(step: Step, expected: Estimate) -> list[tuple[str, str]]:
    """The estimate, a name and its value each."""
    requests = (
        _sentences(expected.calls)
        if step.doing == "embed"
        else f"{counted(expected.calls, 'call')}, one for each chunk"
    )
    if expected.at_least:
        requests = f"at least {counted(expected.calls, 'text')}"
    tokens = f"about {expected.input_tokens:,} in"
    tokens += f", {expected.output_tokens:,} out" if expected.output_tokens else ""
    return [("To ask", requests), ("Remembered", f"{expected.cached:,}"), ("Tokens", tokens)]


def cost_words(expected: Estimate, prices: tuple[float, float]) -> str:
    """The cost by the prices that were given; what to do where none were."""
    if not any(prices):
        return "Give your provider's prices to see the cost."
    cost = expected.cost(*prices)
    shown = f"{cost:,.2f}" if cost >= 1 else f"{cost:.2g}" if cost >= 0.0001 else "less than 0.0001"
    return f"About {shown} in the currency of the prices; tokens are cl100k_base's, your model's may differ."


def progress_words(doing: str, done: int, total: int) -> str:
    return f"{doing[:1].upper()}{doing[1:]}: {done:,} of {total:,}"


def waiting_words(waiting: Waiting, done: str = "") -> str:
    """What is done so far, and how long a server has been waited for. Without the server's name,
    which a shared config may have written."""
    return f"{done or 'Asking the server'}; {waiting.words}"


def writer_words(chunk: Chunk) -> str:
    """Who wrote a chunk's description."""
    writer = chunk.description.writer if chunk.description else ""
    if not writer:
        return "no model: breadcrumb and first sentence"
    return f"by the local model {writer.removeprefix('local/')}" if writer.startswith("local/") else f"by {writer}"


def _sentences(count: int) -> str:
    return counted(count, "sentence")


def _chunks(count: int) -> str:
    return counted(count, "chunk")
