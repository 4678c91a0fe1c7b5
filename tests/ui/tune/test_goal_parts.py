"""What Tune says and draws of a search for a goal, without Streamlit: the frontier, the verdict,
what the best costs, options."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd
import pytest

from chunking import Config, parse
from chunking.tuning.effects import Effect
from chunking.tuning.goal import Objective
from chunking.tuning.summary import ConfigSummary
from chunking.tuning.trust import Evidence, certain_words, evidence, near_misses_words
from chunking.tuning.tune import Goal, Point, Tuning
from pages.ui.choices.snapshots import Snapshot
from pages.ui.choices.tuning import (
    GoalChoice,
)
from pages.ui.layout.drawbacks import NO_DRAWBACK, of_point
from pages.ui.tune import goal_charts, goal_options, markup
from pages.ui.tune.tables import effects_table, points_table, row_height

WINDOW = Config.of("heading-window", {}, "words")
FIXED = Config.of("fixed", {"chunkOverlap": 0}, "words")


def point(quality: float, tokens: int, *broken: str) -> Point:
    return Point(
        FIXED.with_settings({"chunkSize": tokens}), quality, ConfigSummary(tokens_to_embed=tokens), broken, len(broken)
    )


def test_the_frontier_is_drawn_over_everything_that_was_tried() -> None:
    found = Tuning(
        Goal("precision-omega"), (point(0.2, 10), point(0.1, 20), point(0.9, 30), point(1, 5, "x")), 9, False
    )
    figure = goal_charts.frontier_chart(found, found.points[1].config, found.points[2])
    line, breaks, meets, front, now, chosen = figure.data

    assert (list(line.x), list(line.y)) == ([10, 30], [0.2, 0.9])
    assert [list(group.x) for group in (breaks, meets, front, now, chosen)] == [[5], [20], [10, 30], [20], [30]]
    assert [custom[0] for custom in front.customdata] == [0, 2]
    assert figure.layout.meta == (
        "Chart of precision-omega of answers kept whole by tokens to embed, 4 configs, 3 of them meeting all "
        "requirements; the frontier: 0.200 at 10 tokens to 0.900 at 30 tokens"
    )
    # Three meet, as the line above the chart says: those on the frontier are among them.
    assert [group.name for group in (breaks, meets, front)] == [
        "misses a requirement (1)",
        "meets all requirements (3)",
        "of these, on the frontier (2)",
    ]


def test_points_of_the_frontier_have_their_intervals_and_the_table_the_answers_they_cut() -> None:
    asked = (1.0, 1.0, 0.0, 0.0)
    one = Point(FIXED, 0.5, ConfigSummary(tokens_to_embed=9, answers_cut=2), (), 0.0, asked)
    found = Tuning(Goal("recall"), (one,), 1, True)
    figure = goal_charts.frontier_chart(found, FIXED, None, evidence(found))
    table = points_table([one], found.goal, WINDOW, evidence(found))

    assert list(figure.data[3].error_y.array) == [pytest.approx(0.4324, abs=0.001)]
    assert table["95% interval"][0] == "0.067 to 0.933"
    assert table["Answers cut or left out"][0] == 2


def test_counts_are_drawn_with_fewest_on_top() -> None:
    found = Tuning(Goal("whole-blocks"), (point(-3, 10),), 1, True)
    figure = goal_charts.frontier_chart(found, FIXED, None)

    assert list(figure.data[3].y) == [3]
    assert figure.layout.yaxis.autorange == "reversed"


def test_where_tokens_are_the_goal_they_are_drawn_against_chunks_and_said_once() -> None:
    best = Point(FIXED, -1_200, ConfigSummary(tokens_to_embed=1_200, chunks=7), (), 0.0)
    found = Tuning(Goal("few-tokens"), (best,), 1, True)
    figure = goal_charts.frontier_chart(found, FIXED, None)

    assert (list(figure.data[3].x), list(figure.data[3].y)) == ([7], [1_200])
    assert figure.layout.xaxis.title.text == "chunks"
    assert figure.layout.meta.endswith("the frontier: 1,200 at 7 chunks")
    assert figure.data[3].customdata[0][1].count("1,200") == 1
    assert markup.verdict(found, FIXED, running=False).count("1,200") == 1


def test_the_verdict_says_the_best_or_plainly_that_there_is_none() -> None:
    goal = Goal("precision-omega")
    best = Tuning(goal, (point(0.25, 10), point(0.5, 30)), 9, False)
    none = Tuning(goal, (point(0.5, 30, "3 <code> blocks cut"),), 9, False)

    said = markup.verdict(best, WINDOW, running=False, certain="<b>")
    assert (
        "Best: Fixed size (Chunk size: 30, Overlap: 0). Precision-omega of answers kept whole: 0.500; "
        "tokens to embed: 30." in said
    )
    assert "The cheapest option (10 tokens) reaches only 0.250." in said
    assert said.endswith('<p class="cs-paragraph">&lt;b&gt;</p>')  # the sentence on certainty follows
    assert "No config that was tried meets all requirements." in markup.verdict(none, WINDOW, running=False)
    assert "3 &lt;code&gt; blocks cut" in markup.verdict(none, WINDOW, running=False)
    assert "No config meets all requirements yet." in markup.verdict(none, WINDOW, running=True)


def near_miss(tokens: int, quality: float, *, code: int = 0, lists: int = 0, chunks: int = 1) -> Point:
    summary = ConfigSummary(tokens_to_embed=tokens, chunks=chunks, code_cut=code, lists_cut=lists)
    goal = Goal("recall", max_chunks=9, must=("code-whole", "lists-whole"))
    return Point(FIXED.with_settings({"chunkSize": tokens}), quality, summary, *goal.violations(summary))


def test_cheaper_configs_of_the_same_value_are_counted_with_the_requirements_of_the_goal_that_they_miss() -> None:
    goal = Goal("recall", max_chunks=9, must=("code-whole", "lists-whole"))
    best = near_miss(90, 0.5)
    missing = (near_miss(60, 0.5, code=2), near_miss(61, 0.6, code=1, lists=3), near_miss(70, 0.5, chunks=10))
    no_near_misses = (near_miss(50, 0.4, code=1), near_miss(95, 0.9, lists=1), near_miss(40, 0.4))
    found = Tuning(goal, (best, *missing, *no_near_misses), 9, False)

    said = (
        "3 configs of at least this value are cheaper, but miss: code whole (2), lists whole (1), at most 9 chunks (1)."
    )
    assert said in markup.verdict(found, WINDOW, running=False)
    one = Tuning(goal, (best, missing[0]), 9, False)
    assert "1 config of at least this value is cheaper, but misses: code whole (1)." in (
        markup.verdict(one, WINDOW, running=False)
    )
    # As the command line says it.
    assert near_misses_words(found) == said.replace("code whole", "code-whole").replace("lists whole", "lists-whole")
    none = Tuning(goal, (best, *no_near_misses), 9, False)
    assert "cheaper, but" not in markup.verdict(none, WINDOW, running=False)
    assert "cheaper, but" not in markup.verdict(found, WINDOW, running=True)


def test_a_config_that_cuts_more_answers_is_no_near_miss_of_a_goal_that_is_better_for_small_chunks() -> None:
    cuts_one = ConfigSummary(tokens_to_embed=20, answers_cut=1)
    best, cutting = point(0.5, 30), replace(point(0.6, 20, "x"), summary=cuts_one)

    assert Tuning(Goal("precision-omega"), (best, cutting), 9, False).near_misses == ()
    assert Tuning(Goal("recall"), (best, cutting), 9, False).near_misses == (cutting,)


def test_what_is_nearly_as_good_is_no_option_that_reaches_only_so_much() -> None:
    found = Tuning(Goal("even-sizes"), (point(0.99, 80), point(1.0, 100)), 9, False)

    assert "Nearly as good: Fixed size (Chunk size: 80, Overlap: 0), 99% at 80 tokens (20% fewer)." in (
        markup.nearly(found, found.points[0])
    )
    assert "reaches only" not in markup.verdict(found, WINDOW, running=False)


def goal_point(quality: float, tokens: int, *broken: str, **numbers: Any) -> Point:
    return replace(point(quality, tokens, *broken), summary=replace(ConfigSummary(tokens_to_embed=tokens), **numbers))


def test_beside_the_best_stands_what_the_current_config_has_and_plainly_where_it_has_as_much() -> None:
    def said(best: Point, now: Point, objective: Objective = "even-sizes") -> str:
        return markup.now_words(Tuning(Goal(objective), (best, now), 9, False), now.config)

    better, now = goal_point(1.0, 100), goal_point(0.9, 200)
    assert said(better, now) == "Now: 90%; tokens to embed: 200."
    assert said(better, goal_point(1.0, 58_477)) == (
        "Now: 100%; tokens to embed: 58,477. The best is no better than now by the goal alone; it embeds 58,377 fewer "
        "tokens."
    )
    assert said(better, goal_point(1.0, 90, "8 tables cut", "2 lists cut")) == (
        "Now: 100%; tokens to embed: 90; misses 2 requirements: 8 tables cut, 2 lists cut. The best is no better than "
        "now by the goal alone; it meets the requirements that the current config misses."
    )
    assert "The best is worse than now by the goal alone; it meets" in said(now, goal_point(1.0, 90, "1 table cut"))
    sparing = said(goal_point(0.9, 200, answers_cut=1), goal_point(1.0, 90, answers_cut=3), "iou")
    assert sparing.endswith("The best is worse than now by the goal alone; it cuts or leaves out 2 fewer answers.")
    assert said(better, better) == "The current config is the best of those that were tried."
    # It was not tried.
    assert markup.now_words(Tuning(Goal("even-sizes"), (better,), 9, False), WINDOW) == ""


def test_of_a_config_that_was_found_all_is_said_that_it_makes_worse() -> None:
    now = goal_point(0.9, 1000, chunks=7, under_share=0.0, lists_cut=1, code_cut=1, over_limit=1, blocks_cut=4)
    then = goal_point(
        *(0.8, 1120),
        chunks=8,
        under_share=1 / 8,
        lists_cut=3,
        code_cut=1,
        over_limit=3,
        max_tokens=6525,
        blocks_cut=4,
        left_out=9,
    )

    assert of_point(then, now, Goal("even-sizes"), unread=5).words == (
        "Costs: scores 80% (now 90%), cuts 2 more lists in two, leaves out 9 visible characters, leaves 2 more "
        "chunks over the maximum (the largest has 6,525 tokens), leaves 1 more chunk under the minimum and embeds 12% "
        "more tokens; a 512-token embedder misses 5 more tokens"
    )
    assert of_point(now, then, Goal("even-sizes"), unread=0) == NO_DRAWBACK
    fewer, more = goal_point(-3, 1000), goal_point(-1, 1040)
    assert (
        of_point(fewer, more, Goal("whole-blocks"), unread=0).words == "Costs: has 3 boundaries inside blocks (now 1)"
    )
    assert of_point(goal_point(-1100, 1100), goal_point(-1000, 1000), Goal("few-tokens"), unread=0).words == (
        "Costs: embeds 10% more tokens"
    )


def test_a_config_is_named_by_what_differs_from_its_defaults_also_once_it_is_the_current_one() -> None:
    other = Config.of("heading-window", {"maxTokens": 1234, "shortTail": "keep"})

    assert markup.changed_words(other) == "Maximum: 1,234, If the last chunk is too small: keep"
    assert markup.named(other) == "Heading window (Maximum: 1,234, If the last chunk is too small: keep)"
    assert markup.changed_words(Config.of("fixed", {"separator": ""})) == "Separator: "
    assert markup.named(Config.of("fixed", {})) == "Fixed size (default settings)"
    found = Tuning(Goal("few-tokens"), (Point(other, -9, ConfigSummary(), (), 0.0),), 9, False)
    said = "Best: Heading window (Maximum: 1,234, If the last chunk is too small: keep)."
    assert said in markup.verdict(found, WINDOW, running=False)
    assert said in markup.verdict(found, other, running=False)
    rows = [points_table(found.points, found.goal, now)["Config"][0] for now in (WINDOW, other)]
    assert rows == [rows[0], f"{rows[0]} (current)"]
    assert rows[0].endswith(": Maximum: 1,234, If the last chunk is too small: keep")


def test_whether_the_best_is_certain_is_one_sentence() -> None:
    found = Tuning(Goal("recall"), (point(0.9, 30), point(0.8, 20), point(0.7, 10)), 9, False)
    best, second, third = found.points

    def known(*not_worse: Point) -> Evidence:
        return Evidence(12, None, not_worse, 1.0)

    assert certain_words(found, known(best, second)) == (
        "That it is the best is not certain: 1 of the 2 others may be as good (12 questions are too few to tell)."
    )
    assert certain_words(found, known(best)) == "It is shown to be better than each of the 2 others."
    alone = Tuning(Goal("recall"), (best,), 9, False)
    assert certain_words(alone, known(best)) == ""
    pair = Tuning(Goal("recall"), (best, third), 9, False)
    assert certain_words(pair, known(best)) == "It is shown to be better than the other."
    assert "certain: the other may be as good" in certain_words(pair, known(best, third))


def test_code_is_tried_for_prose_only_where_it_is_chosen_or_current() -> None:
    prose = parse("# Tea\n\nWords.\n", "tea.md")

    def tried(choice: GoalChoice, now: Config) -> bool:
        space = goal_options.space_for(choice, now, (), (prose,))
        return "code" in {each.config.strategy.name for each in space.options}

    assert not tried(GoalChoice(), FIXED)
    assert tried(GoalChoice(strategies=("code",)), FIXED)
    assert tried(GoalChoice(), Config.of("code", {}))


def test_without_questions_nothing_about_answers_is_wanted() -> None:
    told = GoalChoice(objective="recall", max_chunks=9)

    assert goal_options.goal_of(told, questions=True).objective == "recall"
    assert goal_options.goal_of(told, questions=False).objective == "even-sizes"
    assert goal_options.goal_of(told, questions=False).max_chunks == 9
    assert goal_options.goal_of(told, questions=False).max_tokens is None


def test_the_current_config_is_where_the_search_begins_and_all_are_counted_as_it_is() -> None:
    now = Config.of("recursive", {"chunkSize": 777}, "words")
    space = goal_options.space_for(GoalChoice(), now)

    assert space.options[0].config == now
    assert {each.config.counter for each in space.options} == {"words"}
    assert 777 in next(axis for axis in space.options[0].axes if axis.setting == "chunkSize").values
    assert len({each.config.strategy.name for each in space.options}) == len(space.options) > 4


def test_snapshots_are_tried_as_they_are_beside_what_is_searched_once_each() -> None:
    now = Config.of("fixed", {"chunkSize": 777}, "words")
    own = Config.of("recursive", {"chunkSize": 123, "chunkOverlap": 7}, "words")
    kept = (
        Snapshot("v1", own),
        Snapshot("as now", now),
        Snapshot("again", own),
        Snapshot("counted otherwise", Config.of("fixed", {}, "chars-4")),
        Snapshot("asks a model", Config.of("semantic", {}, "words")),
    )

    space = goal_options.space_for(GoalChoice(strategies=("fixed",)), now, kept)
    without = goal_options.space_for(GoalChoice(strategies=("fixed",), snapshots=("as now",)), now, kept)

    assert [each.name for each in goal_options.candidates(kept, now)] == ["v1", "as now", "again"]
    assert [each.config for each in space.options] == [now, own]
    assert space.possible == without.possible + 1
    assert list(space.all())[-1] == own


def test_a_config_that_is_a_snapshot_is_listed_by_its_name() -> None:
    own = Config.of("recursive", {"chunkSize": 1234}, "words")
    rows = points_table(
        [Point(own, 1.0, ConfigSummary(), (), 0.0), Point(FIXED, 1.0, ConfigSummary(), (), 0.0)],
        Goal("few-tokens"),
        WINDOW,
        snapshots=[Snapshot("v1", own)],
    )

    assert list(rows["Config"]) == ["v1 · Recursive: Chunk size: 1,234", "Fixed size: Overlap: 0"]


def test_a_difference_has_a_minus_sign_and_a_switch_is_on_or_off() -> None:
    best = point(0.5, 30)
    found = [Effect("countContext", before, not before, point(0.335, 20), None) for before in (True, False)]

    rows = effects_table(found, best, Goal("recall"))
    assert list(rows["Difference"]) == ["−0.165", "−0.165"]
    assert list(rows["From"]) == ["on", "off"]


def test_of_each_config_its_value_and_its_settings_come_first() -> None:
    rows = points_table([point(0.5, 30)], Goal("recall"), WINDOW)

    assert list(rows.columns) == ["Recall", "Config", "Tokens to embed", "Chunks", "Median tokens", "Largest"]


def test_a_config_has_as_many_lines_as_it_takes() -> None:
    long = Config.of("heading-window", {"maxTokens": 1234, "shortTail": "keep", "lookahead": True, "h1Rule": False})
    rows = points_table([Point(long, 1.0, ConfigSummary(), (), 0.0)], Goal("few-tokens"), FIXED)

    assert rows["Config"][0] == (
        "Heading window: Maximum: 1,234, If the last chunk is too small: keep, "
        "End an H1's chunk at its second H2: off, Avoid leaving a small chunk behind: on"
    )
    assert row_height(rows) == 88
    # Of five lines; and of one.
    assert row_height(pd.DataFrame({"Config": ["x" * 180]})) == 108
    assert row_height(points_table([Point(WINDOW, 1.0, ConfigSummary(), (), 0.0)], Goal("few-tokens"), FIXED)) == 36
