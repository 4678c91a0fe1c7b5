"""Auto-tune: what is measured is worked out by hand, and the same input gives the same trials and
frontier."""

from __future__ import annotations

import sys

import pytest

from chunking import Config, Span, parse, run
from chunking.errors import ConfigError, GoldError
from chunking.gold.questions import Question, WholeMark
from chunking.tuning.optimizer import _Arm
from chunking.tuning.space import options_of
from chunking.tuning.summary import ConfigSummary
from chunking.tuning.sweeps import Axis
from chunking.tuning.trust import nearly_words
from chunking.tuning.tune import Goal, Point, Tuning, explicit, frontier_of, points, space_of, tune

WORDS = parse("aaaa bbbb cccc dddd eeee ffff gggg hhhh ", name="w.md")
"""Eight words of five characters with their space."""
FIXED = Config.of("fixed", {"chunkOverlap": 0, "unit": "characters"}, "words")
SIZES = explicit(FIXED, [Axis("chunkSize", (5, 10, 20, 40))])


def point(quality: float, tokens: int, *broken: str, off: float = 0.0) -> Point:
    return Point(FIXED, quality, ConfigSummary(tokens_to_embed=tokens), broken, off)


def sizes(found: Tuning) -> list[object]:
    return [each.config.to_query()["chunkSize"] for each in found.points]


def test_the_frontier_holds_what_nothing_betters_in_quality_for_as_many_tokens() -> None:
    cheap, middling, worse, best, dear = point(0.2, 10), point(0.5, 20), point(0.4, 30), point(0.9, 40), point(0.9, 50)

    assert frontier_of([dear, worse, best, cheap, middling]) == (cheap, middling, best)


def test_the_best_meets_all_conditions_and_is_the_cheapest_of_the_highest_quality() -> None:
    meets, cheaper, breaks = point(0.9, 50), point(0.9, 40), point(1.0, 10, "3 code blocks cut", off=2)
    found = Tuning(Goal(), (meets, cheaper, breaks), possible=3, exhaustive=True)

    assert found.best is cheaper
    assert found.frontier == (cheaper,)
    assert found.nearest is None


def test_where_nothing_meets_all_conditions_the_nearest_is_the_one_that_is_off_by_least() -> None:
    far, near = point(1.0, 10, "9 code blocks cut", off=3.0), point(0.1, 99, "1 code blocks cut", off=1.1)
    found = Tuning(Goal(), (far, near), possible=2, exhaustive=True)

    assert found.best is None
    assert found.frontier == ()
    assert found.nearest is near


def nearly(goal: Goal, *points: Point) -> Point | None:
    return Tuning(goal, points, possible=len(points), exhaustive=True).nearly_as_good


def test_nearly_as_good_has_the_fewest_tokens_within_5_percent_and_10_percent_fewer_than_the_best() -> None:
    best, close, cheapest, worse = point(1.0, 100), point(0.99, 90), point(0.95, 80), point(0.949, 50)

    assert nearly(Goal(), best, close, cheapest, worse) is cheapest
    assert nearly(Goal(), best, close) is close
    assert nearly(Goal(), best, point(0.99, 91)) is None  # 9 percent
    assert nearly(Goal(), best) is None
    assert nearly(Goal()) is None


def test_of_equally_cheap_ones_the_better_is_nearly_as_good_then_the_first() -> None:
    best, first, better, again = point(1.0, 100), point(0.98, 80), point(0.99, 80), point(0.99, 80)

    assert nearly(Goal(), first, best, better, again) is better


def test_nearly_as_good_meets_all_requirements_and_cuts_no_more_answers() -> None:
    best = Point(FIXED, 1.0, ConfigSummary(tokens_to_embed=100, answers_cut=1), (), 0.0)
    cutting = Point(FIXED, 0.99, ConfigSummary(tokens_to_embed=50, answers_cut=2), (), 0.0)

    assert nearly(Goal(), best, cutting) is None
    assert nearly(Goal(), best, point(0.99, 50, "3 code blocks cut", off=2)) is None


def test_a_count_is_nearly_as_good_within_5_percent_and_none_only_where_there_is_none() -> None:
    found = Tuning(Goal("whole-blocks"), (point(-100, 1000), point(-105, 810)), possible=2, exhaustive=True)

    assert nearly_words(found) == "105 boundaries inside blocks at 810 tokens (19% fewer)"
    assert nearly(Goal("whole-blocks"), point(0, 100), point(-1, 50)) is None
    assert nearly(Goal("few-tokens"), point(-1000, 1000), point(-1040, 1040)) is None  # the cost is the goal


@pytest.mark.parametrize("name", ["semantic", "contextual"])
def test_a_search_asks_no_other_models_than_its_strategies_do_by_themselves(name: str) -> None:
    (options,) = space_of([name]).options

    assert options.axes
    assert not {"embedder", "provider"} & {axis.setting for axis in options.axes}


def test_conditions_say_what_is_not_met_with_the_numbers() -> None:
    goal = Goal("few-tokens", max_chunks=2, max_tokens=8, must=("code-whole",))

    assert goal.violations(ConfigSummary(chunks=2, tokens_to_embed=8)) == ((), 0.0)
    assert goal.violations(ConfigSummary(chunks=4, tokens_to_embed=12, code_cut=2)) == (
        ("4 chunks, more than 2", "12 tokens, more than 8", "2 code blocks cut"),
        (1 + 2 / 2) + (1 + 4 / 8) + (1 + 2 / 4),
    )


def test_a_small_space_is_tried_whole() -> None:
    found = tune([WORDS], Goal("even-sizes", sizes=(2, 4)), SIZES)

    # 8 chunks of 1 word, 4 of 2, 2 of 4, 1 of 8.
    assert sizes(found) == ["5", "10", "20", "40"]
    assert [each.quality for each in found.points] == [0.0, 1.0, 1.0, 0.0]
    assert found.goal.sentence(0.884) == "share of chunks of 2 to 4 tokens 88.4%"
    assert (found.possible, found.exhaustive) == (4, True)


def test_at_most_so_many_chunks_leaves_out_what_has_more() -> None:
    found = tune([WORDS], Goal("even-sizes", max_chunks=2, sizes=(1, 4)), SIZES)

    assert [each.broken for each in found.points] == [("8 chunks, more than 2",), ("4 chunks, more than 2",), (), ()]
    assert found.best is found.points[2]


def test_spans_that_are_to_stay_whole_may_not_be_cut() -> None:
    marked = [WholeMark("w.md", Span(5, 14))]  # "bbbb cccc"
    goal = Goal("precision-omega", must=("spans-whole",))
    asked = [Question("b?", "w.md", (Span(5, 9),))]

    found = tune([WORDS], goal, SIZES, questions=asked, whole=marked)

    assert [each.broken for each in found.points] == [
        ("1 span to keep whole cut",),
        ("1 span to keep whole cut",),
        (),
        (),
    ]
    # "bbbb" stands in chunks of 5, 10, 20 and 40 characters.
    assert [each.quality for each in found.points] == [4 / 5, 4 / 10, 4 / 20, 4 / 40]
    assert found.best is found.points[2]


def test_chunks_that_cut_the_answers_are_not_the_best_for_holding_little_else() -> None:
    asked = [Question("b c?", "w.md", (Span(5, 14),))]  # "bbbb cccc"

    found = tune([WORDS], Goal("precision-omega"), SIZES, questions=asked)

    # Chunks of 5 and of 10 characters cut it: their precision-omega, 9/10 and 9/20, counts nothing.
    assert [each.summary.precision_omega for each in found.points] == [9 / 10, 9 / 20, 9 / 20, 9 / 40]
    assert [each.quality for each in found.points] == [0.0, 0.0, 9 / 20, 9 / 40]
    assert found.best is found.points[2]
    assert found.best.values == (9 / 20,)


def test_recall_is_what_of_the_answers_is_within_the_tokens_that_may_be_retrieved() -> None:
    asked = [Question("cccc dddd", "w.md", (Span(10, 20),))]  # "cccc dddd "

    found = tune([WORDS], Goal("recall", retrieved_tokens=2), SIZES, questions=asked)

    # One word at a time two can be retrieved; two at a time the one chunk that holds both; four are
    # too many.
    assert [each.quality for each in found.points] == [1.0, 1.0, 0.0, 0.0]
    assert [each.tokens for each in found.frontier] == [8]


def test_the_searcher_may_be_ones_own() -> None:
    class LastFirst:
        def __init__(self, count: int) -> None:
            self._count = count

        def ranking(self, question: str) -> list[int]:  # noqa: ARG002
            return list(range(self._count))[::-1]

        def embed_questions(self, questions: object) -> None:
            pass

    asked = [Question("?", "w.md", (Span(35, 39),))]  # "hhhh"
    found = tune(
        [WORDS],
        Goal("recall", retrieved_tokens=1),
        explicit(FIXED, [Axis("chunkSize", (5,))]),
        questions=asked,
        searcher=lambda passages: LastFirst(len(passages)),  # type: ignore[arg-type,return-value]
    )

    assert found.points[0].quality == 1.0


def test_fewest_cuts_and_fewest_tokens_are_shown_without_their_sign() -> None:
    cut = tune([WORDS], Goal("whole-blocks"), SIZES).points[0]
    spent = tune([WORDS], Goal("few-tokens"), SIZES).points[0]

    assert (cut.quality, Goal("whole-blocks").shown(cut.quality)) == (-7.0, "7")
    assert (spent.quality, Goal("few-tokens").shown(spent.quality)) == (-8.0, "8")


def test_text_that_is_left_out_is_no_way_to_save_tokens_unless_one_says_so() -> None:
    document = parse("# A\n\none two three four\n\n# B\n\nfive\n", name="n.md")
    config = Config.of("heading-window", {"minTokens": 5, "minTokensDeeper": 5}, "words")
    space = explicit(config, [Axis("shortTail", ("skip", "keep"))])

    strict, lax = tune([document], Goal("few-tokens"), space), tune([document], Goal("few-tokens", must=()), space)

    assert strict.best is not None
    assert lax.best is not None
    assert strict.best.config.to_query()["shortTail"] == "keep"
    assert "shortTail" not in lax.best.config.to_query()


def test_a_large_space_is_searched_in_as_many_trials_and_the_same_ones_each_time() -> None:
    space = space_of(["fixed", "recursive"], "words")
    goal = Goal("even-sizes", sizes=(2, 4), max_chunks=5)

    first = tune([WORDS], goal, space, trials=24)
    again = tune([WORDS], goal, space, trials=24)

    assert len(first.points) == 24
    assert not first.exhaustive
    assert len({repr(each.config) for each in first.points}) == 24
    assert first.points == again.points


def test_what_each_strategy_stands_at_is_tried_first() -> None:
    space = space_of(["fixed", "recursive"], "words")

    tried = [each.config for each in tune([WORDS], Goal("few-tokens"), space, trials=3).points]

    assert tried[:2] == [Config.of("fixed", {}, "words"), Config.of("recursive", {}, "words")]


def test_a_strategy_with_nothing_more_to_try_leaves_the_trials_to_the_others() -> None:
    space = space_of(["every-heading", "fixed"], "words")

    tried = [each.config.strategy.name for each in tune([WORDS], Goal("few-tokens"), space, trials=12).points]

    assert tried.count("every-heading") == 1
    assert tried.count("fixed") == 11


def test_a_search_comes_nearer_to_what_is_wanted() -> None:
    arm = _Arm(options_of(Config.of("block-packing", {}, "words")))
    for _ in range(80):
        config = arm.suggestion()
        assert config is not None
        size = int(config.to_query().get("maxTokens", 512))
        arm.record(Point(config, -abs(size - 830), ConfigSummary(tokens_to_embed=1), (), 0.0))
    distances = [-each.quality for each in arm.points]

    assert sum(distances[-20:]) < sum(distances[:20]) * 2 / 3


def test_all_strategies_that_need_no_model_are_in_the_space() -> None:
    names = [each.config.strategy.name for each in space_of().options]

    assert names == [
        "block-packing",
        "code",
        "every-heading",
        "fixed",
        "heading-window",
        "hierarchical",
        "recursive",
        "section-rules",
    ]
    assert {each.config.counter for each in space_of().options} == {"cl100k_base"}


@pytest.mark.parametrize(
    ("name", "text", "tried"),
    [
        ("a.md", "# Brewing\n\nWords about tea.\n", False),
        ("a.md", "Prose that is longer than its example, by a few words.\n\n```python\nx = 1\n```\n", False),
        ("a.md", "Logs:\n\n```\n12:00 kettle on, water cold, nothing boils\n```\n", False),
        ("a.md", "Example:\n\n```python\ndef boil(kettle):\n    return kettle.on()\n```\n", True),
        ("a.py", "def boil(kettle):\n    return kettle.on()\n", True),
        ("a.md", "", False),
    ],
)
def test_the_strategy_for_source_code_is_tried_where_most_of_the_text_is_that(
    name: str, text: str, *, tried: bool
) -> None:
    suited = space_of().suited_to([parse(text, name)])

    assert ("code" in {each.config.strategy.name for each in suited.options}) is tried
    assert len(suited.options) == len(space_of().options) - (not tried)


def test_illegal_combinations_are_passed_over() -> None:
    config = Config.of("heading-window", {"minTokensDeeper": 0}, "words")
    space = explicit(config, [Axis("minTokens", (5, 30)), Axis("maxTokens", (10,))])

    found = tune([WORDS], Goal("few-tokens", must=()), space)

    assert found.possible == 2
    assert len(found.points) == 1


def test_a_space_without_a_legal_config_is_said() -> None:
    space = explicit(Config.of("fixed", {}, "words"), [Axis("chunkSize", (5, 10))])

    with pytest.raises(ConfigError, match="none of the 2 combinations of values is legal"):
        tune([WORDS], Goal("few-tokens"), space)


def test_a_goal_about_answers_needs_questions() -> None:
    with pytest.raises(GoldError) as raised:
        tune([WORDS], Goal("recall"), SIZES)

    assert str(raised.value).startswith("goal recall: needs questions with known answers")


def test_whoever_stops_gets_what_is_found() -> None:
    told: list[tuple[int, int]] = []
    found = tune(
        [WORDS], Goal("few-tokens"), SIZES, progress=lambda *each: told.append(each), stopped=lambda: len(told) == 2
    )

    assert len(found.points) == 2
    assert told == [(1, 4), (2, 4)]
    assert not found.exhaustive


def test_a_point_is_what_a_run_with_its_config_gives() -> None:
    (first, *_) = points([WORDS], Goal("few-tokens"), SIZES)

    assert first.tokens == run(WORDS, first.config).metrics.tokens_to_embed
    assert first.summary.chunks == 8


def test_without_optuna_a_large_space_says_what_is_missing_and_a_small_one_is_tried(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)

    assert len(tune([WORDS], Goal("few-tokens"), SIZES).points) == 4
    with pytest.raises(ConfigError, match=r"optuna is not installed; pip install 'chunkscope\[tune\]'"):
        tune([WORDS], Goal("few-tokens"), space_of(["fixed"]), trials=5)
