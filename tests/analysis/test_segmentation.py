"""Agreement with gold cuts: equal to the formulas of the literature, computed anew, window by
window."""

from __future__ import annotations

from random import Random

import pytest

from chunking import Config, parse, run
from chunking.analysis.segmentation import agreement, agreement_of


def pk(reference: str, hypothesis: str, k: int) -> float:
    """Beeferman's measure over strings of boundaries, 1 where one is, window by window."""
    starts = range(len(reference) - k + 1)
    return sum(("1" in reference[i : i + k]) != ("1" in hypothesis[i : i + k]) for i in starts) / len(starts)


def window_diff(reference: str, hypothesis: str, k: int) -> float:
    """Pevzner and Hearst's, in the same way."""
    starts = range(len(reference) - k + 1)
    differ = (reference[i : i + k].count("1") != hypothesis[i : i + k].count("1") for i in starts)
    return sum(differ) / len(starts)


def test_the_formulas_give_the_values_that_nltk_documents() -> None:
    assert pk("0100" * 100, "1" * 400, 2) == pytest.approx(0.50, abs=0.005)
    assert pk("0100" * 100, "0100" * 100, 2) == 0
    assert window_diff("000100000010", "000010000100", 3) == pytest.approx(0.30)
    assert window_diff("000010000100", "000100000010", 3) == pytest.approx(0.30)


@pytest.mark.parametrize("seed", range(20))
def test_random_cuts_have_the_pk_and_window_diff_of_the_formulas(seed: int) -> None:
    draw = Random(seed)
    length = draw.randrange(8, 300)
    gold, found = (draw.sample(range(1, length), draw.randrange(1, length // 3 + 1)) for _ in range(2))
    reference, hypothesis = ("".join("01"[gap in cuts] for gap in range(1, length)) for cuts in (gold, found))

    of = agreement_of(found, gold, length)

    assert of.window == max(1, round(length / (2 * (len(gold) + 1))))
    assert of.pk == pytest.approx(pk(reference, hypothesis, of.window))
    assert of.window_diff == pytest.approx(window_diff(reference, hypothesis, of.window))
    assert of.f1 == pytest.approx(2 * len({*gold} & {*found}) / (len(gold) + len(found)))


def test_nltk_finds_the_same_pk_and_window_diff() -> None:
    theirs = pytest.importorskip("nltk.metrics.segmentation")
    for seed in range(60):
        draw = Random(seed)
        length = draw.randrange(8, 300)
        gold, found = (draw.sample(range(1, length), draw.randrange(1, length // 3 + 1)) for _ in range(2))
        reference, hypothesis = ("".join("01"[gap in cuts] for gap in range(1, length)) for cuts in (gold, found))

        of = agreement_of(found, gold, length)

        assert of.pk == pytest.approx(theirs.pk(reference, hypothesis, k=of.window))
        assert of.window_diff == pytest.approx(theirs.windowdiff(reference, hypothesis, k=of.window))


def test_equal_cuts_agree_and_none_do_not() -> None:
    same, none = agreement_of([4, 8], [4, 8], 12), agreement_of([], [4, 8], 12)

    assert (same.pk, same.window_diff, same.f1) == (0, 0, 1)
    assert (none.precision, none.recall, none.f1, none.window) == (0, 0, 0, 2)
    assert none.pk == pytest.approx(4 / 10)


def test_a_cut_too_many_beside_a_gold_one_is_seen_by_window_diff_and_not_by_pk() -> None:
    of = agreement_of([5, 6], [6], 12)

    assert of.window == 3
    assert of.pk == pytest.approx(1 / 9)
    assert of.window_diff == pytest.approx(3 / 9)


@pytest.mark.parametrize("length", [0, 1, 2])
def test_texts_of_hardly_a_character_have_numbers_too(length: int) -> None:
    of = agreement_of([], [], length)

    assert (of.pk, of.window_diff, of.f1) == (0, 0, 1)


def test_a_run_is_compared_by_its_visible_characters_whatever_the_white_space() -> None:
    document = parse("# Tea\n\nBoil water.\n\n\n# Pot\n\nWarm it.\n", name="tea.md")
    made = run(document, Config.of("every-heading", {}, ""))

    before, behind = (agreement(made, [document.text.index("# Pot") - shift]) for shift in (2, 0))

    assert before == behind
    assert (before.f1, before.pk, before.cuts, before.gold_cuts) == (1, 0, 1, 1)
