"""When more trials cannot matter, and what each setting of the best does."""

from __future__ import annotations

from collections.abc import Sequence

from chunking import Config, parse
from chunking.gold.questions import Question
from chunking.retrieval.statistics import difference, differences
from chunking.text.spans import Span
from chunking.tuning.effects import effects
from chunking.tuning.settled import PATIENCE, Settling, nothing_better
from chunking.tuning.space import explicit
from chunking.tuning.summary import ConfigSummary
from chunking.tuning.sweeps import Axis
from chunking.tuning.tune import Goal, Point, Tuning, measuring, points, space_of

TEA = parse("# Tea\n\nBoil water. Warm the pot.\n\n# Milk\n\nNone of it, ever.\n", name="tea.md")
ASKED = [Question("boil water", "tea.md", (Span(TEA.text.index("Boil"), TEA.text.index(" Warm")),))]
FIXED = Config.of("fixed", {"chunkOverlap": 0}, "words")


def point(values: Sequence[float], tokens: int = 10, config: Config = FIXED) -> Point:
    return Point(config, sum(values) / len(values), ConfigSummary(tokens_to_embed=tokens), (), 0.0, tuple(values))


def found(*points: Point) -> Tuning:
    return Tuning(Goal("recall"), points, len(points), exhaustive=False)


def test_where_even_a_perfect_config_would_not_be_shown_to_be_better_nothing_can_be() -> None:
    nearly, far = [1.0] * 28 + [0.0] * 2, [1.0] * 10 + [0.0] * 20
    assert difference(nearly, [1.0] * 30).verdict == "inconclusive"
    said = nothing_better(found(point(nearly)))
    assert said.startswith(
        f"With {len(nearly)} questions even a config that is perfect on each could not be shown to be better ("
    )
    assert nothing_better(found(point(far))) == ""
    assert nothing_better(found(point([1.0] * 9))) == "No config can be better: every question has the highest value."


def test_a_search_is_settled_when_the_frontier_has_not_moved_for_as_many_trials() -> None:
    settling = Settling(Goal("recall"))
    best, worse = point([1.0] * 9, tokens=10), point([0.5] * 9, tokens=20)
    assert [settling.settled(each) for each in (worse, best)] == [False, False]
    assert [settling.settled(worse) for _ in range(PATIENCE)] == [False] * (PATIENCE - 1) + [True]
    assert not settling.settled(point([1.0] * 9, tokens=5))


def test_a_large_space_is_left_when_more_trials_cannot_matter() -> None:
    def measured(*, until_settled: bool) -> int:
        # Of one question nothing is shown, whatever it is.
        return len(
            list(
                points(
                    *([TEA], Goal("recall", retrieved_tokens=50), space_of(["fixed", "recursive"])),
                    questions=ASKED,
                    trials=60,
                    until_settled=until_settled,
                )
            )
        )

    assert PATIENCE < measured(until_settled=True) < measured(until_settled=False) == 60


def test_each_setting_is_changed_alone_to_the_values_next_to_its_own() -> None:
    space = explicit(FIXED, [Axis("chunkSize", (10, 20, 40, 80)), Axis("chunkOverlap", (0, 2))])
    best = point([1.0] * 20, config=FIXED.with_settings({"chunkSize": 20, "chunkOverlap": 0}))
    worth = {(10, 0): [0.5] * 20, (40, 0): [1.0] * 20, (20, 2): [1.0] * 19 + [0.0]}
    asked: list[tuple[object, object]] = []

    def measure(config: Config) -> Point:
        settings = config.strategy.model_dump()
        asked.append((settings["chunk_size"], settings["chunk_overlap"]))
        return point(worth[settings["chunk_size"], settings["chunk_overlap"]], config=config)

    made = effects(best, space, measure)
    assert sorted(asked) == sorted(worth)
    assert [(each.setting, each.before, each.after) for each in made] == [
        ("chunkSize", 20, 10),
        ("chunkOverlap", 0, 2),
        ("chunkSize", 20, 40),
    ]
    columns = {"best": best.values, "10": (0.5,) * 20, "40": (1.0,) * 20, "2": (1.0,) * 19 + (0.0,)}
    assert made[0].difference == differences(columns)["best", "10"]
    assert [each.difference.verdict for each in made if each.difference] == ["lower", "inconclusive", "same"]


def test_effects_are_measured_as_the_search_measures_and_another_config_has_none() -> None:
    space = explicit(FIXED, [Axis("chunkSize", (12, 200))])
    goal = Goal("recall", retrieved_tokens=12)  # fewer than the one chunk of 200 characters has
    measure = measuring([TEA], goal, ASKED)
    best = max(points([TEA], goal, space, questions=ASKED), key=lambda each: each.quality)
    (effect,) = effects(best, space, measure)

    assert (best.config.strategy.model_dump()["chunk_size"], effect.after) == (12, 200)
    assert (best.quality > 0, effect.point.quality) == (True, 0.0)
    assert effects(point([1.0], config=Config.of("every-heading", {})), space, measure) == ()
