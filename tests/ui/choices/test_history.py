"""Undo and redo as a value: steps back and forward, and the words that say what they change."""

from __future__ import annotations

from pages.ui.choices.history import MOST_STEPS, History, Setup, difference
from pages.ui.choices.plans import Plan


def window(least: int, counter: str = "") -> Setup:
    return Setup(Plan("heading-window").with_values({"min_tokens": least}), counter)


def with_setup(*setups: Setup) -> History:
    history = History()
    for setup in setups:
        history = history.with_setup(setup)
    return history


def test_the_first_setup_is_no_step() -> None:
    history = with_setup(window(100))

    assert history.undone() == history
    assert (history.undo_words, history.redo_words) == ("", "")


def test_the_same_setup_again_is_no_step() -> None:
    assert with_setup(window(100), window(100)).earlier == ()


def test_undo_goes_back_one_step_and_redo_forward_again() -> None:
    history = with_setup(window(100), window(120), window(140))
    back = history.undone().undone()

    assert back.now == window(100)
    assert back.redone().now == window(120)
    assert back.redone().redone() == history
    assert back.redone().redone().redone() == history


def test_what_was_shown_before_the_last_step_is_known_whichever_way_that_went() -> None:
    history = with_setup(window(100), window(120), window(140))

    assert with_setup(window(100)).before is None
    assert history.before == window(120)
    assert history.undone().before == window(140)
    assert history.undone().undone().before == window(120)
    assert history.undone().undone().redone().before == window(100)
    assert history.undone().with_setup(window(160)).before == window(120)


def test_a_new_step_forgets_what_was_undone() -> None:
    history = with_setup(window(100), window(120)).undone().with_setup(window(300))

    assert (history.now, history.later) == (window(300), ())
    assert history.undone().now == window(100)


def test_a_setup_that_was_undone_to_is_no_new_step_when_it_is_noted() -> None:
    history = with_setup(window(100), window(120)).undone()

    assert history.with_setup(window(100)) is history
    assert history.redone().now == window(120)


def test_the_oldest_steps_are_dropped() -> None:
    history = with_setup(*(window(each) for each in range(MOST_STEPS + 50)))

    assert len(history.earlier) == MOST_STEPS
    assert history.earlier[0] == window(49)


def test_the_words_name_what_changes_and_both_values() -> None:
    history = with_setup(window(100), window(120)).undone()

    assert history.redo_words == "minTokens 100 → 120"
    assert with_setup(window(100), window(120)).undo_words == "minTokens 120 → 100"


def test_the_words_for_switches_choices_texts_counters_and_strategies() -> None:
    plan = Plan("heading-window")
    one = Setup(plan)

    assert difference(one, Setup(plan.with_values({"lookahead": True}))) == "lookahead off → on"
    assert difference(one, Setup(plan.with_values({"short_tail": "merge"}))) == "shortTail skip → merge"
    assert difference(one, Setup(plan, "cl100k_base")) == "tokenizer of the strategy → cl100k_base"
    assert difference(one, Setup(Plan("fixed"))) == "Heading window → Fixed size"
    fixed = Setup(Plan("fixed"))
    assert difference(fixed, Setup(Plan("fixed").with_values({"separator": "$x$"}))) == "separator"


def test_a_wrapped_strategys_settings_are_named_with_it() -> None:
    base = Plan("recursive")
    one = Setup(Plan("contextual").with_values({"base": base}))
    other = Setup(Plan("contextual").with_values({"base": base.with_values({"chunk_size": 700})}))

    assert difference(one, other) == "base.chunkSize 1000 → 700"


def test_a_baseline_is_a_part_of_a_step_and_named_after_what_is_shown() -> None:
    every, fixed = Plan("every-heading"), Plan("fixed")
    one = Setup(Plan("heading-window"), baseline=every)
    applied = Setup(fixed, baseline=Plan("heading-window"))

    assert difference(applied, one) == "Fixed size → Heading window, baseline Heading window → Every heading"
    assert difference(one, Setup(one.plan)) == "baseline Every heading → nothing"
    assert difference(Setup(one.plan, baseline=fixed), Setup(one.plan, baseline=fixed, baseline_counter="words")) == (
        "settings of the baseline"
    )


def test_many_changes_are_counted() -> None:
    changed = Plan("heading-window").with_values(
        {"min_tokens": 1, "min_tokens_deeper": 2, "max_tokens": 3, "lookahead": True, "h1_rule": False}
    )

    assert difference(Setup(Plan("heading-window")), Setup(changed)).endswith("and 2 more")
