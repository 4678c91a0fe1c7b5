"""Every number of an evaluation, worked out again by other means: sets of characters, counted one
by one."""

from __future__ import annotations

from math import log2

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunking import Document, Span, counter, parse
from chunking.gold.questions import Question
from chunking.retrieval.evaluation import evaluate
from chunking.retrieval.passages import Passage
from chunking.retrieval.standings import leaderboard

TEXTS = ("one two three four five six seven eight", "nine ten eleven twelve and none")
DOCUMENTS = tuple(parse(text, name=name) for text, name in zip(TEXTS, ("a.md", "b.md"), strict=True))
Place = tuple[str, int]
"""A document's name and a character's number in it."""


def spans(length: int) -> st.SearchStrategy[Span]:
    return st.tuples(st.integers(0, length - 1), st.integers(1, 9)).map(
        lambda each: Span(each[0], min(length, each[0] + each[1]))
    )


def passages() -> st.SearchStrategy[list[Passage]]:
    def of(document: Document) -> st.SearchStrategy[Passage]:
        return spans(len(document.text)).map(lambda span: Passage(document.name, document[span], len(span), (span,)))

    return st.lists(st.one_of(*map(of, DOCUMENTS)), min_size=1, max_size=7)


def questions() -> st.SearchStrategy[list[Question]]:
    def of(document: Document) -> st.SearchStrategy[Question]:
        answers = st.lists(spans(len(document.text)), min_size=1, max_size=3, unique=True)
        return answers.map(lambda each: Question("?", document.name, tuple(each)))

    return st.lists(st.one_of(*map(of, DOCUMENTS)), min_size=1, max_size=3)


class InOrder:
    """A searcher that ranks passages as they come, the last ones first."""

    def __init__(self, count: int) -> None:
        self._count = count

    def embed_questions(self, questions: object) -> None:
        """Nothing is to be embedded."""

    def ranking(self, question: str) -> list[int]:  # noqa: ARG002
        return list(range(self._count))[::-1]


def characters(passage: Passage) -> set[Place]:
    return {(passage.document, at) for span in passage.spans for at in range(span.start, span.end)}


def token_starts(document: Document) -> set[Place]:
    """Where tokens begin: prefixes that one more character makes a token longer."""
    count = counter("cl100k_base")
    found, text = set(), ""
    for word in document.text.split(" "):  # each of these words is a token or more, with the space before it
        piece = word if not text else f" {word}"
        for at in range(1, count(piece) + 1):
            shortest = next(end for end in range(1, len(piece) + 1) if count(piece[:end]) >= at)
            found.add((document.name, len(text) + (0 if at == 1 else shortest - 1)))
        text += piece
    return found


@settings(deadline=None)
@given(passages(), questions(), st.integers(1, 7))
def test_recall_precision_iou_and_precision_omega_are_sets_of_characters(
    held: list[Passage], asked: list[Question], top: int
) -> None:
    found = evaluate(held, asked, DOCUMENTS, InOrder(len(held)), top=top)  # type: ignore[arg-type]

    for number, question in enumerate(asked):
        answers = [{(question.document, at) for at in range(each.start, each.end)} for each in question.answers]
        wanted, length = set().union(*answers), sum(map(len, answers))
        taken = held[::-1][:top]
        said = set().union(*map(characters, taken)) & wanted
        size = sum(len(characters(each)) for each in taken)
        unsaid = sum(len(each - said) for each in answers)
        values = {name: each[number] for name, each in found.values.items()}

        assert values["recall"] == pytest.approx(len(said) / length)
        assert values["precision"] == pytest.approx(len(said) / size)
        assert values["iou"] == pytest.approx(len(said) / (size + unsaid))

        touching = [each for each in held if characters(each) & wanted]
        around = set().union(*map(characters, touching)) if touching else set()
        bound = len(around & wanted) / len(around | wanted) if touching else 0.0
        assert values["precision_omega"] == pytest.approx(bound)

        held_whole = [
            any(
                all(TEXTS[name == "b.md"][at].isspace() for name, at in each - characters(passage))
                for passage in held
                if characters(passage) & each
            )
            for each in answers
        ]
        assert values["answers_kept"] == pytest.approx(sum(held_whole) / len(held_whole))
        assert len(found.cut[number]) == held_whole.count(False)

        hits = [rank for rank, each in enumerate(taken, start=1) if characters(each) & wanted]
        gain, ideal = (
            sum(1 / log2(1 + rank) for rank in hits),
            sum(1 / log2(1 + rank) for rank in range(1, min(len(touching), top) + 1)),
        )
        assert values["recall_at_k"] == pytest.approx(len(hits) / len(touching) if touching else 0.0)
        assert values["mrr"] == pytest.approx(1 / hits[0] if hits else 0.0)
        assert values["precision_at_k"] == pytest.approx(len(hits) / len(taken))
        at_hits = sum(number / rank for number, rank in enumerate(hits, start=1))
        assert values["map"] == pytest.approx(at_hits / len(touching) if touching else 0.0)
        assert values["ndcg"] == pytest.approx(gain / ideal if ideal else 0.0)


@settings(deadline=None)
@given(passages(), questions(), st.integers(1, 7))
def test_token_wise_metrics_are_the_same_sets_of_the_characters_that_begin_a_token(
    held: list[Passage], asked: list[Question], top: int
) -> None:
    begins = token_starts(DOCUMENTS[0]) | token_starts(DOCUMENTS[1])
    found = evaluate(held, asked, DOCUMENTS, InOrder(len(held)), top=top)  # type: ignore[arg-type]

    for number, question in enumerate(asked):
        answers = [
            {(question.document, at) for at in range(each.start, each.end)} & begins for each in question.answers
        ]
        wanted, length = set().union(*answers), sum(map(len, answers))
        taken = held[::-1][:top]
        said = set().union(*map(characters, taken)) & wanted
        size = sum(len(characters(each) & begins) for each in taken)
        unsaid = sum(len(each - said) for each in answers)
        values = {name: each[number] for name, each in found.values.items()}

        assert values["token_recall"] == pytest.approx(len(said) / length if length else 0.0)
        assert values["token_precision"] == pytest.approx(len(said) / size if size else 0.0)
        assert values["token_iou"] == pytest.approx(len(said) / (size + unsaid) if size + unsaid else 0.0)


def test_the_leaderboards_means_are_the_means_of_the_questions() -> None:
    held = [Passage("a.md", "one two", 2, (Span(0, 7),)), Passage("a.md", "three", 1, (Span(8, 13),))]
    asked = [Question("?", "a.md", (Span(0, 3),)), Question("?", "a.md", (Span(6, 10),))]
    found = evaluate(held, asked, DOCUMENTS, InOrder(2), top=1)  # type: ignore[arg-type]

    # "three" alone is retrieved: nothing of "one", and of "o th" the last two of four characters.
    assert found.values["recall"] == (0.0, 0.5)
    assert leaderboard({"x": found}).leader.value.mean == 0.25
