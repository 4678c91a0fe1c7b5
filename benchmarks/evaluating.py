"""What measuring on questions with known answers costs: seconds for each config, without a search
and by words."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from benchmarks.texts import cpu_seconds, text_of
from chunking import Config, Document, Span, parse, run
from chunking.gold.questions import Question
from chunking.retrieval.evaluation import TOKENS_BY, evaluate
from chunking.retrieval.passages import Passage, passages_of
from chunking.retrieval.ranking import Searcher

_SENTENCE = re.compile(r"[A-Z][^\n.]{40,400}\.")
_CONFIGS = ("heading-window", "hierarchical", "fixed")


def questions_of(document: Document, count: int) -> list[Question]:
    """As many sentences of the text, drawn with a seed, each the answer to seven of its own
    words."""
    drawn = random.Random(7)
    sentences = list(_SENTENCE.finditer(document.text))
    questions = []
    for sentence in drawn.sample(sentences, min(count, len(sentences))):
        words = re.findall(r"\w+", sentence[0])
        asked = " ".join(drawn.sample(words, min(7, len(words))))
        questions.append(Question(asked, document.name, (Span(*sentence.span()),)))
    return questions


def report(corpus: str | None, *, quick: bool) -> None:
    """Print a table: rows are strategies, columns what is measured, cells seconds of CPU time."""
    document = parse(text_of(50_000 if quick else 1_500_000, corpus), name="text.md")
    questions = questions_of(document, 20 if quick else 300)
    rounds = 1 if quick else 3
    print(f"\n{len(questions)} questions over {len(document.text):,} characters, seconds of CPU time for each config")
    columns = ("chunks", "cut", "precision-omega", "index by words", "all by words")
    print(f"{'':20}" + "".join(f"{column:>17}" for column in columns))
    for name in _CONFIGS:
        config = Config.of(name, {})
        passages = _passages(document, config)
        searcher = Searcher(passages, "bm25")
        works: tuple[Callable[[], object], ...] = (
            lambda config=config: _passages(document, config),  # type: ignore[misc]
            lambda passages=passages: evaluate(passages, questions, [document]),  # type: ignore[misc]
            lambda passages=passages: Searcher(passages, "bm25"),  # type: ignore[misc]
            lambda passages=passages, by=searcher: evaluate(passages, questions, [document], by),  # type: ignore[misc]
        )
        cells = "".join(f"{cpu_seconds(work, rounds):>17.2f}" for work in works)
        print(f"{name:20}{len(passages):>17,}{cells}")


def _passages(document: Document, config: Config) -> tuple[Passage, ...]:
    return passages_of(run(document, config), counted_by=TOKENS_BY)
