"""Why a question failed, in words: where its chunk is, its rank, and what was ranked higher."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from chunking.document import Document
from chunking.retrieval.failures import REASONS, Failure
from chunking.retrieval.passages import Passage
from chunking.text.display import counted


def failures_words(failed: Sequence[Failure], questions: int) -> str:
    """How many questions failed, and for which reasons: `3 of 60 questions failed: 2 outranked,
    1 cut`."""
    asked = counted(questions, "question")
    if not failed:
        return f"None of {asked} failed"
    counts = {reason: sum(each.reason == reason for each in failed) for reason in REASONS}
    parts = sorted(((count, reason) for reason, count in counts.items() if count), key=lambda each: -each[0])
    return f"{len(failed):,} of {asked} failed: " + ", ".join(f"{count:,} {REASONS[reason]}" for count, reason in parts)


def why_words(of: Failure, passages: Sequence[Passage], documents: Mapping[str, Document]) -> str:
    """The reason with its numbers, without a full stop: `Outranked: its chunk, tea.md lines 3-4 of
    40 tokens, has rank 9, 0.03 behind pot.md lines 1-2 at rank 5`. `documents` by name."""
    if of.reason == "cut":
        return "Cut: no chunk has all of it"
    if of.holder is None or of.rank is None:
        return _sentence(REASONS[of.reason])
    holder = passages[of.holder]
    its = f"its chunk, {place_words(holder, documents)} of {counted(holder.tokens, 'token')}, has rank {of.rank:,}"
    if of.reason == "not-embedded":
        its = f"{counted(of.unread_from or 0, 'token')} of its chunk come before it; {its}"
    return f"{_sentence(REASONS[of.reason])}: {its}{_outranking(of, passages, documents)}"


def _outranking(of: Failure, passages: Sequence[Passage], documents: Mapping[str, Document]) -> str:
    last = of.outranking
    if last is None or of.reason == "does-not-fit":
        return ""
    far = "" if last.ahead_by is None else f"{last.ahead_by:.4g} "
    return f", {far}behind {place_words(passages[last.at], documents)} at rank {last.rank:,}"


def place_words(passage: Passage, documents: Mapping[str, Document]) -> str:
    """A passage's document and lines: `tea.md lines 3-4`."""
    document = documents[passage.document]
    if not passage.spans:
        return passage.document
    first, last = document.line_of(passage.spans[0].start), document.line_of(passage.spans[-1].end - 1)
    return f"{passage.document} lines {first}-{last}"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"
