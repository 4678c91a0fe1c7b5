"""Recall and IoU against budgets of tokens: each point worked out again, areas by numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunking import Span, parse
from chunking.errors import GoldError
from chunking.gold.questions import Question
from chunking.models.prices import price_of
from chunking.retrieval.curves import Curve, areas_compared, curve, curve_points
from chunking.retrieval.evaluation import document_means, evaluate
from chunking.retrieval.passages import Passage
from chunking.retrieval.statistics import difference

DOCUMENT = parse("abcdefghijklmnopqrst" * 2, name="a.md")


class InOrder:
    """A searcher that ranks passages as they come."""

    def __init__(self, count: int) -> None:
        self._count = count

    def embed_questions(self, questions: object) -> None:
        """Nothing is to be embedded."""

    def ranking(self, question: str) -> list[int]:  # noqa: ARG002
        return list(range(self._count))


def passage(start: int, end: int, tokens: int) -> Passage:
    return Passage("a.md", DOCUMENT.text[start:end], tokens, (Span(start, end),))


def curve_of(held: list[Passage], budgets: tuple[int, ...], *answers: Span) -> Curve:
    questions = [Question("?", "a.md", (answer,)) for answer in answers]
    return curve(held, questions, [DOCUMENT], InOrder(len(held)), budgets=budgets)  # type: ignore[arg-type]


def test_a_larger_budget_takes_the_next_passages_and_the_area_is_over_the_logarithm() -> None:
    held = [passage(0, 10, 100), passage(10, 20, 100)]
    found = curve_of(held, (50, 100, 200), Span(5, 15))

    assert found.values["recall"] == ((0.0,), (0.5,), (1.0,))
    assert found.values["iou"] == ((0.0,), (5 / 15,), (10 / 20,))
    assert found.tokens == (0, 100, 200)
    assert found.areas("recall") == pytest.approx(((0 + 0.5) / 4 + (0.5 + 1) / 4,))  # both steps are as wide


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.integers(0, 35), st.integers(1, 5), st.integers(1, 60)), min_size=1, max_size=8),
    st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), min_size=1, max_size=3),
    st.lists(st.integers(1, 200), min_size=2, max_size=5, unique=True).map(sorted),
)
def test_each_point_is_what_evaluate_measures_at_that_budget_and_the_area_is_numpys(
    drawn: list[tuple[int, int, int]], asked: list[tuple[int, int]], budgets: list[int]
) -> None:
    held = [passage(start, start + length, tokens) for start, length, tokens in drawn]
    answers = [Span(start, start + length) for start, length in asked]
    found = curve_of(held, tuple(budgets), *answers)
    questions = [Question("?", "a.md", (answer,)) for answer in answers]
    for at, budget in enumerate(budgets):
        once = evaluate(held, questions, [DOCUMENT], InOrder(len(held)), max_tokens=budget)  # type: ignore[arg-type]
        assert found.values["recall"][at] == once.values["recall"]
        assert found.values["iou"][at] == once.values["iou"]
        assert found.tokens[at] == pytest.approx(once.retrieved_tokens)
    axis = np.log2(budgets)
    expected = np.trapezoid(np.array(found.values["recall"]), axis, axis=0) / np.ptp(axis)
    assert found.areas("recall") == pytest.approx(expected.tolist(), abs=1e-12)


def test_areas_are_compared_question_by_question() -> None:
    near, far = [passage(0, 10, 100)], [passage(20, 30, 100)]
    answers = [Span(at, at + 2) for at in range(8)]
    curves = {name: curve_of(held, (100, 200), *answers) for name, held in (("far", far), ("near", near))}

    lead = areas_compared(curves, "recall")["far", "near"]
    assert lead == difference(curves["far"].areas("recall"), curves["near"].areas("recall"))
    assert (lead.mean, lead.verdict) == (1.0, "higher")
    assert [point.value.mean for point in curve_points(curves, "recall")["near"]] == [1.0, 1.0]


@pytest.mark.parametrize("budgets", [(100,), (200, 100), (0, 10), (5, 5)])
def test_budgets_that_do_not_rise_are_refused(budgets: tuple[int, ...]) -> None:
    with pytest.raises(GoldError, match="give at least two, each more than the one before"):
        curve_of([passage(0, 5, 1)], budgets, Span(0, 2))


def test_each_document_has_its_own_mean_whatever_the_number_of_its_questions() -> None:
    assert document_means([1.0, 0.0, 1.0, 0.0], ["b", "a", "b", "b"]) == {"b": 2 / 3, "a": 0.0}


def test_a_model_of_ones_own_costs_nothing_and_an_unknown_one_has_no_price() -> None:
    assert price_of("local/all-MiniLM-L6-v2-int8") == 0.0
    assert price_of("openai/text-embedding-3-small") == 0.02
    assert price_of("compatible/some-model at http://127.0.0.1:1") is None
