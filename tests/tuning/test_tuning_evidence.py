"""How far a tuning can be trusted: what is chosen is measured on other questions, and equals are
counted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from chunking import Config
from chunking.tuning.summary import ConfigSummary
from chunking.tuning.trust import evidence, trust_words
from chunking.tuning.tune import Goal, Point, Tuning

FIXED = Config.of("fixed", {}, "words")


def point(values: list[float], tokens: int = 10, cut: int = 0, *, broken: bool = False) -> Point:
    numbers = ConfigSummary(chunks=3, tokens_to_embed=tokens, answers_cut=cut)
    mean = sum(values) / len(values)
    return Point(FIXED, mean, numbers, ("9 chunks, more than 3",) if broken else (), float(broken), tuple(values))


def found(*points: Point) -> Tuning:
    return Tuning(Goal("recall"), points, len(points), exhaustive=True)


def test_a_goal_that_asks_no_question_has_no_evidence() -> None:
    plain = Point(FIXED, 0.5, ConfigSummary(), (), 0.0)

    assert evidence(Tuning(Goal("even-sizes"), (plain,), 1, exhaustive=True)) is None
    assert evidence(found(point([1.0], broken=True))) is None


def test_what_is_chosen_is_worth_on_other_questions_what_it_has_on_those() -> None:
    """Two questions, left out in turn: what is best on the first has nothing on the second, and the
    other way round."""
    of = evidence(found(point([1.0, 0.0]), point([0.0, 1.0])))

    assert of
    assert of.held_out
    assert of.held_out.mean == 0.0


def test_one_config_alone_is_worth_as_much_on_other_questions() -> None:
    of = evidence(found(point([0.2, 0.4, 0.9])))

    assert of
    assert of.held_out
    assert abs(of.held_out.mean - 0.5) < 1e-9


def test_of_configs_that_are_all_alike_none_is_shown_to_be_worse_and_one_that_finds_nothing_is() -> None:
    drawn = np.random.default_rng(4)
    alike = [point(list((drawn.random(40) < 0.8) * 1.0)) for _ in range(9)]
    nothing, unmet = point([0.0] * 40), point([1.0] * 40, broken=True)
    of = evidence(found(*alike, nothing, unmet))

    assert of
    assert list(of.not_worse) == alike


def test_the_number_for_other_questions_is_not_too_good() -> None:
    """Forty configs, each as good as the others: the best of them has more on its 25 questions, and
    not on others."""
    best, held = [], []
    for seed in range(40):
        drawn = np.random.default_rng(seed)
        tuned = found(*(point(list((drawn.random(25) < 0.7) * 1.0)) for _ in range(40)))
        of = evidence(tuned)
        assert tuned.best
        assert of
        assert of.held_out
        best.append(tuned.best.quality)
        held.append(of.held_out.mean)

    assert np.mean(best) > 0.85
    assert abs(np.mean(held) - 0.7) < 0.05


def test_every_point_has_an_interval() -> None:
    one = point([1.0] * 20)
    of = evidence(found(one))

    assert of
    assert (round(of.interval(one).low, 2), of.interval(one).high) == (0.83, 1.0)


def test_the_words_name_a_config_that_cuts_fewer_answers_and_is_not_shown_to_be_worse() -> None:
    tuned = found(point([1.0] * 7 + [0.5], cut=3), point([1.0] * 7 + [0.4], cut=1), point([0.0] * 8))
    of = evidence(tuned)

    assert of
    assert trust_words(tuned, of) == (
        "Chosen by some of the questions and measured on the others (cross-validation): 0.938 (0.397 to 1.000); "
        "the best has 0.938 on the 8 questions that it was chosen by. "
        "Of the 2 other configs that meet all requirements, 1 is not shown to be worse. "
        "The best cuts or leaves out 3 answers; fixed has 1 of these and is not shown to be worse (0.925)."
    )


def test_by_precision_omega_no_config_is_the_best_that_cuts_more_answers_than_another() -> None:
    small, middling, large = point([0.9] * 30, cut=9), point([0.3] * 30, cut=1), point([0.2] * 30, cut=1)
    tuned = Tuning(Goal("precision-omega"), (small, middling, large), 3, exhaustive=True)
    of = evidence(tuned)

    assert tuned.best is middling
    assert tuned.frontier == (middling,)
    assert of
    assert of.held_out
    assert abs(of.held_out.mean - 0.3) < 1e-9
    said = trust_words(tuned, of)
    assert (
        "The only other config that cuts or leaves out as few answers is not shown to be worse. The best cuts" in said
    )
    assert said.endswith("fixed has 0.900, but cuts or leaves out 9 answers: not recommended for that.")


def test_with_few_questions_that_is_said() -> None:
    tuned = found(*(point([number / 10, 0.5, 1.0]) for number in range(5)))
    of = evidence(tuned)

    assert of
    assert trust_words(tuned, of).endswith("Fewer than 8 questions show nothing between 5 configs.")


def test_by_iou_no_config_is_the_best_that_cuts_more_answers_than_another() -> None:
    small, large = point([0.9] * 30, cut=9), point([0.3] * 30, cut=1)

    assert Tuning(Goal("iou"), (small, large), 2, exhaustive=True).best is large


def test_of_configs_as_good_the_best_cuts_the_fewest_answers_though_it_has_more_tokens() -> None:
    cheap, cutting, whole = point([0.5], tokens=5, cut=9), point([1.0], tokens=10, cut=9), point([1.0], tokens=11)

    assert found(cheap, cutting, whole).frontier == (cheap, whole)


def test_which_configs_cut_the_fewest_is_not_chosen_by_the_questions_that_are_held_out() -> None:
    """Forty configs that cut a tenth of the answers: those that cut fewest have 0.27 on other
    questions, not more."""
    held = []
    for seed in range(12):
        cuts = (np.random.default_rng(seed).random((40, 25)) < 0.1) * 1
        points = [replace(point(list(0.3 * (1 - of)), cut=int(of.sum())), cuts=tuple(of.tolist())) for of in cuts]
        of_all = evidence(Tuning(Goal("precision-omega"), tuple(points), 40, exhaustive=True))
        assert of_all
        assert of_all.held_out
        held.append(of_all.held_out.mean)

    assert abs(np.mean(held) - 0.27) < 0.008


def test_one_and_several_are_said_as_people_say_them() -> None:
    alone, two, three = [point([1.0] * 8)], [point([1.0] * 8)] * 2, [point([1.0] * 8)] * 3

    def said(points: list[Point]) -> str:
        tuned = found(*points)
        of = evidence(tuned)
        assert of
        return trust_words(tuned, of)

    assert "No other config meets all requirements. The best cuts or leaves out no answer." in said(alone)
    assert "The only other config that meets all requirements is not shown to be worse." in said(two)
    assert "Of the 2 other configs that meet all requirements, 2 are not shown to be worse." in said(three)
    assert "Of the 2 other configs that meet all requirements, all are shown to be worse." in said(
        [point([1.0] * 40), point([0.0] * 40), point([0.0] * 40)]
    )


def test_what_is_held_out_lies_as_far_from_the_truth_as_its_interval_says() -> None:
    """Forty configs, each as good as the others: 0.7 lies in the interval, however the best of them
    came about."""
    within = 0
    for seed in range(20):
        drawn = np.random.default_rng(seed)
        of = evidence(found(*(point(list((drawn.random(50) < 0.7) * 1.0)) for _ in range(40))))
        assert of
        assert of.held_out
        within += of.held_out.low <= 0.7 <= of.held_out.high

    assert within >= 19


def test_what_is_said_of_iou_names_the_value_that_no_question_is_taken_to_exceed() -> None:
    points = (point([0.02] * 100), point([0.1] * 100))
    by_iou = Tuning(Goal("iou"), points, 2, exhaustive=True)
    of, of_recall = evidence(by_iou), evidence(found(*points))

    assert of
    assert of_recall
    assert "no question has a token IoU above 0.110 (the highest here is 0.100)" in trust_words(by_iou, of)
    assert "assumes" not in trust_words(found(*points), of_recall)
