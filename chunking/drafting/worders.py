"""Worders by the name of a provider, or without one, and what a server's model would be sent,
before it is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from chunking.core.estimates import Estimate
from chunking.document import Document
from chunking.drafting.drafts import TRIED, answering
from chunking.drafting.places import Places
from chunking.drafting.quotes import all_quotes, spread
from chunking.drafting.rules import Rules
from chunking.drafting.wording import LocalWorder, ModelWorder, Probes, Worder, prompt_of
from chunking.errors import ModelError
from chunking.gold.questions import Question
from chunking.models.answer_cache import shared_cache
from chunking.models.describers import describer
from chunking.models.http_describers import CHAT
from chunking.models.local_llm import LOCAL_LLM, weights_file
from chunking.models.local_questions import LocalQuestions
from chunking.tokens import counter

RULES = "rules"
PROVIDERS = (RULES, "local", *CHAT)
_QUESTION_TOKENS = 30
"""What a question is taken to have."""


def in_turn(by: Worder | None, places: Places, fill: bool) -> list[Worder]:
    """Who is asked about a quote, one after the other: this one, and where it has no question,
    probes if they shall fill; without one rules, and then probes."""
    if by is None:
        return [Rules(), Probes(places)]
    return [by, Probes(places)] if fill else [by]


def worder(provider: str, model: str = "") -> Worder:
    """What words questions: rules, the local model, or a server's. Raises ModelError where it can't
    be asked."""
    if provider == RULES:
        if model:
            raise ModelError(f"model: {RULES} ask no model; leave it empty, not {model[:60]!r}")
        return Rules()
    if provider == "local":
        if model not in ("", LOCAL_LLM):
            raise ModelError(f"model: the local model is {LOCAL_LLM}, not {model[:60]!r}; leave it empty")
        weights_file()
        return LocalWorder(LocalQuestions(shared_cache()))
    if provider not in CHAT:
        raise ModelError(f"describer: none is named {provider[:60]!r}; there are: {', '.join(PROVIDERS)}")
    return ModelWorder(describer(provider, model))


def expected(
    documents: Sequence[Document], by: Worder, count: int, seed: int, known: Sequence[Question] = ()
) -> Estimate | None:
    """What a server's model would be sent at most; None where nothing is sent."""
    if not isinstance(by, ModelWorder):
        return None
    answers = answering(known)
    asked = (quote for quote in spread(all_quotes(documents), seed) if not answers(quote))
    prompts = [prompt_of(quote) for quote in islice(asked, TRIED * count)]
    missing = [prompt for prompt in prompts if by.model.known(prompt) is None]
    tokens = counter("cl100k_base")
    sent = sum(tokens(prompt) for prompt in missing)
    return Estimate(len(missing), len(prompts) - len(missing), sent, _QUESTION_TOKENS * len(missing))
