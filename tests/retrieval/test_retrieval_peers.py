"""The metrics of rankings against ir-measures, tests and areas against scipy, on random data."""

from __future__ import annotations

import ir_measures
import numpy as np
import pytest
from ir_measures import AP, RR, P, R, nDCG
from scipy.integrate import trapezoid
from scipy.stats import binomtest, bootstrap, permutation_test

from chunking.retrieval.curves import BUDGETS, Curve
from chunking.retrieval.ir_metrics import rank_scores
from chunking.retrieval.statistics import difference, interval

NAMES = {"recall_at_k": "R", "precision_at_k": "P", "mrr": "RR", "map": "AP", "ndcg": "nDCG"}


@pytest.mark.parametrize("top", [1, 3, 5, 10])
def test_the_metrics_of_rankings_are_those_of_ir_measures(top: int) -> None:
    drawn = np.random.default_rng(top)
    asked = {f"q{number}": drawn.permutation(40).tolist() for number in range(60)}
    relevant = {name: drawn.choice(40, size=drawn.integers(1, 8), replace=False).tolist() for name in asked}
    run = {name: {f"d{at}": 100.0 - rank for rank, at in enumerate(order)} for name, order in asked.items()}
    qrels = {name: {f"d{at}": 1 for at in wanted} for name, wanted in relevant.items()}

    theirs = {
        (each.query_id, str(each.measure)): each.value
        for each in ir_measures.iter_calc([measure @ top for measure in (R, P, RR, AP, nDCG)], qrels, run)
    }
    assert len(theirs) == 300
    for name, order in asked.items():
        ours = rank_scores(order, relevant[name], top)
        expected = {key: theirs[name, f"{measure}@{top}"] for key, measure in NAMES.items()}
        assert ours == pytest.approx(expected, abs=1e-9)


def test_of_hits_and_misses_an_interval_is_that_of_scipys_exact_binomial_test() -> None:
    drawn = np.random.default_rng(15)
    for questions in (8, 20, 60, 150):
        hits = int(drawn.integers(0, questions + 1))
        ours = interval([1.0] * hits + [0.0] * (questions - hits))
        exact = binomtest(hits, questions).proportion_ci(0.95, "exact")
        assert (ours.low, ours.high) == pytest.approx((exact.low, exact.high), abs=0.005)


@pytest.mark.parametrize("questions", [20, 50, 120])
def test_an_interval_holds_that_of_scipys_bootstrap_and_is_not_much_wider(questions: int) -> None:
    drawn = np.random.default_rng(questions)
    for values in (drawn.random(questions), drawn.beta(0.5, 1.5, questions), drawn.choice([0, 0.5, 1.0], questions)):
        ours = interval(values.tolist())
        theirs = bootstrap((values,), np.mean, method="percentile", random_state=1).confidence_interval
        assert ours.low <= theirs.low + 0.006
        assert ours.high >= theirs.high
        assert ours.high - ours.low <= 1.6 * (theirs.high - theirs.low)


def test_no_difference_is_shown_that_scipys_exact_permutation_test_does_not_show() -> None:
    drawn = np.random.default_rng(7)
    shown = 0
    for _ in range(60):
        before, shift = drawn.random(11) * 0.3, drawn.choice([0.0, 0.3, 0.6])
        after = np.clip(before + shift + drawn.normal(0, 0.15, 11), 0, 1)
        of = difference(before.tolist(), after.tolist())
        exact = permutation_test(
            (after, before), lambda a, b: (a - b).mean(), permutation_type="samples", n_resamples=np.inf
        )
        if of.verdict in ("higher", "lower"):
            shown += 1
            assert exact.pvalue <= 0.05
    assert shown > 5


def test_an_area_is_scipys_over_the_logarithm_of_the_budget() -> None:
    drawn = np.random.default_rng(3)
    values = np.sort(drawn.random((len(BUDGETS), 25)), axis=0)
    rows = tuple(tuple(row) for row in values.tolist())
    of = Curve(BUDGETS, {"recall": rows, "iou": rows}, tuple(map(float, BUDGETS)))
    axis = np.log(BUDGETS)
    assert of.areas("recall") == pytest.approx((trapezoid(values, axis, axis=0) / np.ptp(axis)).tolist())
