"""Questions drafted from documents: each quote is chosen first, then worded, and kept only if an
independent ranker finds the quote by the question.

The same documents, seed and answers of the model give the same questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chunking.document import Document, Span
from chunking.drafting.places import MOST_RIVALS, Places
from chunking.drafting.quotes import Quote, all_quotes, spread
from chunking.drafting.wording import Worder, Wording
from chunking.errors import ModelError, ModelUnsetError
from chunking.export.store_search import terms
from chunking.gold.questions import Question

TRIED = 4
"""Quotes that a model is tried on at most for each question that is wanted."""
_TRIED_WITHOUT = 25
"""The same without a model: to look at a quote costs a thousandth of a second."""
_ALIKE = 0.75
"""Share of the words of two questions from which they are near-duplicates."""
_MOST_FAILURES = 3
"""Failures of the model in a row after which it is not asked again."""
_FEWEST_TERMS = 2
_COPIED = 0.8
"""Share of a quote's words from which a question repeats it."""

REASONS: Mapping[str, str] = {
    "known": "the quote, or most of it, is the answer of a question that was kept or rejected before",
    "not-unique": "the quote is in the documents more than once",
    "no-wording": "nothing could be asked about the quote, or the model wrote no question",
    "says-little": "the question names too little of the quote, or repeats it",
    "not-found": "the ranker did not find the quote by the question",
    "many-places": "many places answer the question as well",
    "near-duplicate": "nearly the same as a question that was kept",
    "model-failed": "the model could not be asked",
}
"""Why a quote gave no question, by a short name."""
DROPPED: Mapping[str, str] = {
    "known": "asked about before",
    "not-unique": "found in the documents more than once",
    "no-wording": "with nothing to ask about",
    "says-little": "with a question that says too little, or repeats it",
    "not-found": "not found by its question",
    "many-places": "with a question that many places answer as well",
    "near-duplicate": "with nearly the same question as another",
    "model-failed": "that the model could not be asked about",
}
"""The same in a few words, behind a number of quotes."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """What one quote gave: a draft, or the reason why there is none."""

    question: Question | None
    reason: str
    """A name of REASONS; "" with a question."""
    tried: int
    """How many quotes were looked at, this one included."""
    quotes: int
    """How many there are."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """Questions that were drafted, all of them drafts, and what was dropped."""

    questions: tuple[Question, ...]
    tried: int
    """How many quotes were looked at."""
    quotes: int
    """How many there were."""
    dropped: Mapping[str, int]
    """By name of REASONS, how many quotes gave no question."""


def draft(
    documents: Sequence[Document],
    places: Places,
    worders: Sequence[Worder],
    *,
    count: int = 40,
    seed: int = 0,
    known: Sequence[Question] = (),
) -> Iterator[Attempt]:
    """Draft at most `count` questions, each about another quote; each quote that was looked at is
    yielded at once, so that whoever stops keeps the questions that came until then.

    Of several `worders` the next is asked about a quote where the one before gave no question that
    passes; without a model the quotes of a kind that the first words come first. Nothing is asked
    about the answers of `known` questions, and none of these is worded again. Raises ModelError
    where a model can't be asked at all.
    """
    everything = all_quotes(documents)
    # What words without a model does so at once: its quotes come first, within their kind.
    is_quick = len(worders) > 1 and not worders[0].is_model
    order = spread(everything, seed, lambda quote: is_quick and bool(worders[0].wordings(quote)))
    most = count * (TRIED if any(each.is_model for each in worders) else _TRIED_WITHOUT)
    wanted = _Wanted(documents, places, known)
    answers = answering(known)
    kept = failures = passed = 0
    for tried, quote in enumerate(order, start=1):
        passed += answers(quote)
        reason = "known" if answers(quote) else "" if wanted.unique(quote) else "not-unique"
        for worder in [] if reason else worders:
            try:
                reason = wanted.take(quote, worder.wordings(quote))
                failures = 0
            except ModelUnsetError:
                raise
            except ModelError:
                failures += 1
                if failures == _MOST_FAILURES:
                    raise
                reason = "model-failed"
            if not reason:
                break
        question = None if reason else wanted.last
        kept += question is not None
        yield Attempt(question, reason, tried, len(everything))
        if kept == count or tried - passed == most:
            return


def answering(known: Sequence[Question]) -> Callable[[Quote], bool]:
    """Whether a quote, or most of it, answers one of these questions."""
    answers: dict[str, list[Span]] = {}
    for each in known:
        answers.setdefault(each.document, []).extend(each.answers)

    def answers_one(quote: Quote) -> bool:
        span = quote.span
        shared = (
            min(span.end, each.end) - max(span.start, each.start) for each in answers.get(quote.document.name, ())
        )
        return any(2 * each > span.end - span.start for each in shared)

    return answers_one


def drafted(attempts: Iterable[Attempt]) -> Drafted:
    """What came of these attempts, the first ones of `draft`."""
    every = list(attempts)
    questions = tuple(each.question for each in every if each.question)
    reasons = Counter(each.reason for each in every)
    dropped = {name: reasons[name] for name in REASONS if reasons[name]}
    return Drafted(questions, len(every), every[-1].quotes if every else 0, dropped)


class _Wanted:
    """The questions that were kept so far, and the checks that the next one has to pass."""

    def __init__(self, documents: Sequence[Document], places: Places, known: Sequence[Question]) -> None:
        self.last: Question | None = None
        """The question that was kept last."""
        self._documents = documents
        self._places = places
        self._words = [frozenset(terms(each.text)) for each in known]

    def unique(self, quote: Quote) -> bool:
        """Whether the quote is in all documents only once."""
        times = 0
        for document in self._documents:
            at = document.text.find(quote.text)
            while at >= 0 and times < 2:
                times += 1
                at = document.text.find(quote.text, at + 1)
        return times == 1

    def take(self, quote: Quote, wordings: Sequence[Wording]) -> str:
        """Keep the wording that passes and finds the quote best; or why none does."""
        reason, best, best_key = "no-wording", None, (0, 0.0)
        for wording in wordings:
            problem, key = self._checked(quote, wording)
            if problem:
                reason = problem
            elif best is None or key > best_key:
                best, best_key = wording, key
                if not wording.origin.startswith("model: "):
                    break  # in the order of how much they say
        if best is None:
            return reason
        self.last = Question(best.text, quote.document.name, (quote.span,), "draft", best.origin, quote.block)
        self._words.append(frozenset(terms(best.text)))
        return ""

    def _checked(self, quote: Quote, wording: Wording) -> tuple[str, tuple[int, float]]:
        """Why a wording is dropped, or "" and how well it finds the quote."""
        words = frozenset(terms(wording.text))
        telling = {word for word in words if self._places.rare(word)}
        of_quote = set(terms(quote.text))
        by_model = wording.origin.startswith("model: local/")
        if not telling or (by_model and (len(words & of_quote) < _FEWEST_TERMS or not telling & of_quote)):
            return "says-little", (0, 0.0)
        if wording.origin.startswith("model: ") and len(words & of_quote) > _COPIED * len(of_quote):
            return "says-little", (0, 0.0)
        found = self._places.found(wording.text, quote)
        if found.rivals > MOST_RIVALS:
            return "many-places", (0, 0.0)
        if not found.rank:
            return "not-found", (0, 0.0)
        if any(len(words & each) >= _ALIKE * len(words | each) for each in self._words):
            return "near-duplicate", (0, 0.0)
        return "", (-found.rank, found.score - 0.1 * found.rivals + 0.01 * len(telling & of_quote))
