"""The leaderboard and the recommendation: every word from numbers that a reader can check."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from chunking.document import Span
from chunking.errors import GoldError
from chunking.retrieval.evaluation import SEARCHED, UNSEARCHED, Evaluation
from chunking.retrieval.standings import METRICS, decision, leaderboard, metric_name, recommendation


def measured(recalls: list[float], *, retrieved: float = 100.0, cut: bool = False) -> Evaluation:
    return Evaluation(
        passages=10,
        values={"recall": tuple(recalls), "precision_omega": tuple(recalls)},
        cut=tuple((Span(0, 1),) if cut else () for _ in recalls),
        retrieved=tuple(() for _ in recalls),
        retrieved_tokens=retrieved,
        tokens=1000,
    )


STEADY = measured([0.75] * 20, retrieved=120.0)
LOWER = measured([0.5] * 20)
NOTHING = measured([0.0] * 10)


def test_the_config_with_the_highest_mean_leads_and_the_others_say_how_far_behind_they_are() -> None:
    board = leaderboard({"a.yaml": LOWER, "b.yaml": STEADY})
    first, second = board.places

    assert (board.metric, board.questions, board.decided) == ("recall", 20, True)
    assert (first.name, first.value.mean, first.behind) == ("b.yaml", 0.75, None)
    assert second.name == "a.yaml"
    assert second.behind
    assert (second.behind.mean, second.behind.verdict) == (0.25, "higher")


def test_a_leader_that_is_shown_to_be_better_is_recommended_with_its_lead_and_its_cost() -> None:
    said = recommendation(leaderboard({"a.yaml": LOWER, "b.yaml": STEADY}))

    assert said == (
        "Take b.yaml: recall 0.750 (0.623 to 0.792) on 20 questions, 0.250 above a.yaml (0.039 to 0.377). "
        "b.yaml retrieves 20% more tokens for a question than a.yaml (120; 100). "
        "None of them cuts an answer or leaves one out."
    )


def test_a_lead_that_may_be_chance_is_said_to_be_and_how_many_questions_would_tell() -> None:
    ups = measured([1.0, 1.0] + [0.0] * 8)
    other = measured([0.0] * 9 + [1.0])
    board = leaderboard({"x": other, "y": ups})

    assert not board.decided
    assert recommendation(board).startswith("No config is shown to be better. y has the highest mean, recall 0.200 (")
    assert (
        ", which may be chance. To tell them apart, about 250 (35 or far more) questions would be needed."
        in recommendation(board)
    )


def test_each_lead_that_may_be_chance_has_a_number_of_questions_of_its_own() -> None:
    board = leaderboard(
        {
            "first": measured([1.0, 1.0, 1.0] + [0.0] * 7),
            "near": measured([1.0, 1.0] + [0.0] * 8),
            "far": measured([0.0] * 9 + [1.0]),
        }
    )

    assert re.search(
        r"chance\. To tell it from near, about [\d,]+ \([^)]*\) questions would be needed; from far about [\d,]+ \(",
        recommendation(board),
    )


def test_configs_that_are_the_same_on_every_question_are_said_to_be() -> None:
    board = leaderboard({"x": measured([0.5, 1.0], retrieved=300), "y": measured([0.5, 1.0], retrieved=200)})

    assert [each.name for each in board.places] == ["y", "x"]  # equally good, and cheaper
    assert recommendation(board).startswith(
        "No config is better: y and x are the same on every one of 2 questions: recall 0.750 ("
    )
    cost = "At equal recall the cost speaks for y (tokens retrieved for a question: y 200, x 300)."
    assert cost in recommendation(board)
    assert decision(board).endswith(f", 0.750. {cost}")


FULL = replace(measured([1.0] * 20), retrieved=((0, 1, 2),) * 20)
DEAR = replace(FULL, retrieved_tokens=300.0)


def test_where_every_config_finds_every_answer_the_questions_are_said_to_be_too_easy() -> None:
    board = leaderboard({"x": DEAR, "y": FULL})

    assert (board.saturated, board.fewer_may_tell) == (True, True)
    assert decision(board, "2 questions and 18 keyword probes") == (
        "These questions are too easy to tell the configs apart at 3 chunks: y and x find every answer whole, recall "
        "1.000 on 2 questions and 18 keyword probes. At equal recall the cost speaks for y (tokens retrieved for a "
        "question: y 100, x 300). What may tell them apart: retrieving fewer chunks, or questions in other words than "
        "the text's, your own or drafted by a model."
    )
    said = recommendation(board)
    assert said.startswith(
        "These questions are too easy to tell the configs apart at 3 chunks: y and x find every answer whole, recall "
        "1.000 (0.831 to 1.000) on 20 questions. At equal recall the cost speaks for y ("
    )
    assert said.endswith("your own or drafted by a model.")


def test_at_a_token_budget_and_at_one_chunk_what_may_tell_configs_apart_is_another_step() -> None:
    def said(**how: object) -> str:
        return decision(leaderboard({name: replace(FULL, **how) for name in "xy"}))  # type: ignore[arg-type]

    assert " apart at 1,000 tokens: " in said(max_tokens=1_000)
    assert "retrieving fewer tokens, or " in said(max_tokens=1_000)
    assert " apart at 1 chunk: " in said(retrieved=((0,),) * 20)
    assert "retrieving" not in said(retrieved=((0,),) * 20)
    assert "the cost speaks for" not in said()  # it is the same


def test_questions_are_too_easy_only_where_each_config_has_the_highest_value_on_each_of_them() -> None:
    almost = replace(FULL, values={"recall": (1.0,) * 19 + (0.9,), "precision_omega": (1.0,) * 20})

    assert not leaderboard({"x": FULL, "y": almost}).saturated
    assert not leaderboard({"x": almost, "y": almost}).saturated
    assert not leaderboard({"x": FULL}).saturated
    assert not leaderboard({"x": FULL, "y": FULL}, "precision_omega").saturated  # it is about no search
    first = replace(FULL, values={**FULL.values, "mrr": FULL.values["recall"]})
    by_rank = leaderboard({"x": first, "y": first}, "mrr")
    assert (by_rank.saturated, by_rank.fewer_may_tell) == (True, False)
    assert "x and y have the highest value, MRR 1.000 on 20 questions." in decision(by_rank)


def test_a_config_that_finds_nothing_is_not_recommended_for_its_cost() -> None:
    nothing = {"x": NOTHING, "y": replace(NOTHING, retrieved_tokens=300.0)}

    assert "speaks for" not in decision(leaderboard(nothing))


def test_too_many_chunks_of_all_is_a_reason_beside_questions_that_are_too_easy() -> None:
    half = replace(FULL, retrieved=((0, 1, 2, 3, 4),) * 20)
    said = decision(leaderboard({"x": half, "y": half}))

    assert said.count("too easy") == 1
    assert ". x retrieves 5 of its 10 chunks and y retrieves 5 of its 10 chunks for a question. " in said


def test_configs_that_are_level_with_the_leader_are_named_beside_those_that_may_be() -> None:
    ups = [1.0, 1.0] + [0.0] * 8
    said = recommendation(
        leaderboard({"x": measured([0.0] * 9 + [1.0]), "y": measured(ups), "z": measured(ups, retrieved=90)})
    )

    assert said.startswith("No config is shown to be better. z has the highest mean, recall 0.200 (")
    assert " on 10 questions, the same on every question as y; that is 0.100 above x (" in said
    assert "z retrieves 10% fewer tokens for a question than y (90; 100)." in said


def test_a_leader_shown_better_than_one_and_not_than_another_is_no_winner() -> None:
    near = measured([0.75] * 19 + [0.7])
    board = leaderboard({"far": LOWER, "near": near, "first": STEADY})
    said = recommendation(board)

    assert not board.decided
    assert said.startswith("No config is shown to be better. first has the highest mean")
    assert "0.003 above near (-0.1" in said
    assert "It is shown to be better than others: 0.250 above far (0.0" in said


def test_few_questions_prove_nothing_and_more_configs_need_more() -> None:
    two = leaderboard({"x": measured([0.0] * 5), "y": measured([1.0] * 5)})
    four = leaderboard({name: measured([value] * 6) for name, value in zip("abcd", (0.1, 0.2, 0.3, 0.9), strict=True)})

    assert "Fewer than 6 questions prove nothing, however far apart the configs are." in recommendation(two)
    assert "Fewer than 7 questions prove nothing" in recommendation(four)


def test_the_answers_that_each_config_cuts_are_a_reason() -> None:
    said = recommendation(leaderboard({"a": measured([0.5] * 20, cut=True), "b": STEADY}))

    assert said.endswith("Answers cut or left out: b 0, a 20.")


SMALL = replace(measured([0.9] * 20, cut=True), passages=200)
LARGE = measured([0.3] * 20)


def test_a_config_that_cuts_more_answers_is_not_recommended_for_chunks_that_hold_little_else() -> None:
    board = leaderboard({"small": SMALL, "large": LARGE}, "precision_omega")
    said = recommendation(board)

    assert (board.leader.name, board.decided, board.recommended) == ("small", True, None)
    assert said.startswith("small has the highest precision omega 0.900 (")
    assert ", 0.600 above large (" in said
    assert "; but see what it cuts or leaves out." in said
    assert said.endswith(
        "Answers cut or left out: small 20, large 0. small is not recommended for its precision omega: small "
        "chunks contain little beside an answer, and cut it; large has fewer of these (precision omega 0.300)."
    )


def test_by_recall_a_config_is_recommended_though_it_cuts_more_and_both_numbers_are_named() -> None:
    said = recommendation(leaderboard({"small": SMALL, "large": LARGE}))

    assert said.startswith("Take small: recall 0.900 (")
    assert said.endswith("Answers cut or left out: small 20, large 0.")


def test_a_config_that_cuts_fewer_answers_is_recommended_for_its_precision_omega() -> None:
    board = leaderboard({"worse": replace(LARGE, cut=SMALL.cut), "better": measured([0.9] * 20)}, "precision_omega")

    assert board.recommended is board.leader
    assert recommendation(board).startswith("Take better: precision omega 0.900 (")


@pytest.mark.parametrize("several", [False, True])
def test_where_nearly_all_chunks_are_retrieved_that_is_too_easy_to_tell_configs_apart(several: bool) -> None:
    five_of_ten = replace(STEADY, retrieved=((0, 1, 2, 3, 4),) * 20)
    of_many = replace(LOWER, passages=11, retrieved=((0, 1, 2, 3, 4),) * 20)
    said = recommendation(leaderboard({"x": five_of_ten, "y": of_many} if several else {"x": five_of_ten}))

    assert said.endswith(
        "This test is too easy to tell the configs apart: x retrieves 5 of its 10 chunks for a question."
    )


def test_the_decision_is_one_plain_sentence_with_means_and_what_each_config_costs() -> None:
    assert decision(leaderboard({"a": LOWER, "b": STEADY})) == (
        "Take b: recall 0.750 on 20 questions, shown to be higher; a has 0.500. "
        "Tokens retrieved for a question: b 120, a 100."
    )
    same = {"x": measured([0.5, 1.0]), "y": measured([0.5, 1.0])}
    assert decision(leaderboard(same)) == (
        "No config is better: x and y have the same recall on every question, 0.750."
    )
    assert decision(leaderboard({"x": STEADY})) == (
        "Only x was measured: recall 0.750. Measure another config to see which is better."
    )


def test_the_decision_says_what_may_be_chance_and_how_many_questions_would_tell() -> None:
    ups, other = measured([1.0, 1.0] + [0.0] * 8), measured([0.0] * 9 + [1.0])

    assert decision(leaderboard({"x": other, "y": ups})) == (
        "No config is shown to be better. On 10 questions y has recall 0.200 and x 0.100, which may be chance. "
        "To tell them apart, about 250 (35 or far more) questions would be needed."
    )
    assert decision(leaderboard({"x": other, "y": ups}), "1 question and 9 keyword probes").startswith(
        "No config is shown to be better. On 1 question and 9 keyword probes y has recall 0.200 "
    )
    three = decision(leaderboard({"x": other, "y": ups, "z": NOTHING}))
    assert three.endswith("x 0.100 and z 0.000; the lead over some of them may be chance.")


def test_equal_means_are_said_to_be_equal_and_not_to_be_chance() -> None:
    board = leaderboard({"x": measured([1.0, 0.0] * 5), "y": measured([0.0, 1.0] * 5)})

    assert decision(board) == (
        "No config is shown to be better. On 10 questions x and y have the same recall, 0.500. "
        "The means are equal, so more questions of this kind would not tell."
    )


def test_how_many_more_questions_would_tell_is_known_only_where_a_lead_may_be_chance() -> None:
    ups, other = measured([1.0, 1.0] + [0.0] * 8), measured([0.0] * 9 + [1.0])

    assert leaderboard({"x": other, "y": ups}).questions_missing == 250 - 10
    assert leaderboard({"a": LOWER, "b": STEADY}).questions_missing == 0
    assert leaderboard({"x": STEADY}).questions_missing == 0


def test_the_decision_takes_no_config_that_is_better_by_cutting_more_answers() -> None:
    said = decision(leaderboard({"small": SMALL, "large": LARGE}, "precision_omega"))

    assert said.startswith("small has the highest precision omega, ")
    assert re.search(r", but cuts or leaves out \d+ answers, large \d+\.", said)


def test_the_decision_says_what_is_too_easy() -> None:
    easy = replace(STEADY, retrieved=((0, 1, 2, 3, 4),) * 20)

    assert decision(leaderboard({"x": easy, "y": LOWER})).endswith("x retrieves 5 of its 10 chunks for a question.")
    assert leaderboard({"x": easy, "y": LOWER}).too_easy
    assert not leaderboard({"x": STEADY, "y": LOWER}).too_easy


def test_one_config_alone_is_not_recommended() -> None:
    said = recommendation(leaderboard({"x": STEADY}))

    assert said.startswith("Only x was measured: recall 0.750 (0.623 to 0.792) on 20 questions.")


def test_a_leader_that_retrieves_much_more_is_to_be_compared_at_equal_tokens() -> None:
    board = leaderboard({"a": LOWER, "b": measured([0.9] * 20, retrieved=500)})

    said = recommendation(board)
    assert said.endswith("Who retrieves more finds more: compare at equal retrieved tokens as well.")
    held = {place.name: replace(place.evaluation, max_tokens=500) for place in board.places}
    assert "Who retrieves more" not in recommendation(leaderboard(held))


def test_a_metric_that_was_not_measured_is_refused_with_those_that_were() -> None:
    with pytest.raises(GoldError, match=r"^metric 'mrr': not measured for x; there are: recall, precision_omega$"):
        leaderboard({"x": STEADY}, "mrr")


def test_without_a_search_precision_omega_ranks() -> None:
    unsearched = Evaluation(3, {"answers_kept": (1.0,), "precision_omega": (0.5,)}, ((),), ((),), 0.0, 70)

    assert leaderboard({"x": unsearched}).metric == "precision_omega"


def test_every_metric_that_is_measured_has_words() -> None:
    assert set(METRICS) == {*UNSEARCHED, *SEARCHED}
    assert [metric_name(name) for name in ("iou", "token_iou", "mrr", "precision_omega")] == [
        "IoU",
        "token IoU",
        "MRR",
        "precision omega",
    ]


@pytest.mark.parametrize("metric", ["mrr", "ndcg", "recall_at_k"])
def test_a_config_that_cuts_more_answers_is_not_recommended_where_a_part_counts_as_all(metric: str) -> None:
    small, large = (replace(each, values={metric: each.values["recall"]}) for each in (SMALL, LARGE))
    board = leaderboard({"small": small, "large": large}, metric)

    assert (board.leader.name, board.recommended) == ("small", None)
    assert "a part of an answer counts as much as all of it; large has fewer of these (" in recommendation(board)


def test_of_one_question_it_is_said_that_configs_are_the_same_on_the_one_question() -> None:
    said = recommendation(leaderboard({"x": measured([0.5]), "y": measured([0.5])}))

    assert said.startswith("No config is better: x and y are the same on the one question: recall 0.500 (")


def test_one_question_does_not_say_how_high_a_metric_of_small_values_can_be() -> None:
    of = replace(STEADY, values={"iou": (0.02,), "precision_omega": (0.02,)})

    assert leaderboard({"x": of}, "iou").leader.value.high > 0.2
    assert leaderboard({"x": of}, "precision_omega").leader.value.high > 0.9


def test_what_a_verdict_on_a_metric_of_small_values_assumes_is_said_with_it() -> None:
    low, high = (replace(STEADY, values={"iou": (at,) * 100, "precision_omega": (at,) * 100}) for at in (0.02, 0.1))

    assert recommendation(leaderboard({"x": low, "y": high}, "iou")).endswith(
        "This assumes that no question has an IoU above 0.110 (the highest here is 0.100)."
    )
    assert "assumes" not in recommendation(leaderboard({"x": low, "y": high}, "precision_omega"))
