"""A config recommended for a document: the smallest change that cuts fewer blocks in two."""

from __future__ import annotations

from chunking import Config, parse
from chunking.tuning.recommendation import KEEP_WHOLE, nearby, recommended
from chunking.tuning.tune import Point, points

ROWS = "".join(f"| row {n} | one two three four |\n" for n in range(24))
TABLE = parse(f"# Kettle\n\n## Sizes\n\n| name | words |\n|---|---|\n{ROWS}\n## Use\n\n{'water ' * 60}\n", name="k.md")
WINDOW = Config.of("heading-window", {"minTokens": 50, "minTokensDeeper": 100, "maxTokens": 200}, "words")


def measured(config: Config, *cut: int) -> list[Point]:
    space = nearby(config, cut)
    assert space is not None
    return list(points([TABLE], KEEP_WHOLE, space, trials=space.possible))


def test_the_nearest_limit_that_keeps_the_table_whole_is_recommended() -> None:
    tried = measured(WINDOW)
    now = next(point for point in tried if point.config == WINDOW).summary
    found = recommended(tried, WINDOW, now)

    assert now.tables_cut == 1
    assert found is not None
    assert found.summary.tables_cut == 0
    assert found.config == WINDOW.with_settings({"maxTokens": 240})


def test_a_limit_that_holds_a_cut_block_is_tried_however_far_it_is_up_to_four_times_the_present_one() -> None:
    small = WINDOW.with_settings({"minTokens": 20, "minTokensDeeper": 20, "maxTokens": 100})
    whole = TABLE.block_at(TABLE.text.index("| row 3")).span
    words = len(TABLE[whole].split())
    now = next(point for point in measured(small) if point.config == small).summary

    assert 200 < words < 400
    assert (
        recommended([each for each in measured(small) if each.config.strategy.name == "heading-window"], small, now)
        is None
    )
    found = recommended(measured(small, words, 5_000), small, now)
    assert found is not None
    assert found.config.strategy.name == "heading-window"
    assert found.summary.tables_cut == 0


def test_nothing_is_recommended_where_nothing_is_cut_or_something_else_gets_worse() -> None:
    tried = measured(WINDOW)
    whole = next(point for point in tried if not point.summary.atomic_split).summary

    assert recommended(tried, WINDOW, whole) is None
    assert recommended([], WINDOW, whole) is None


def test_a_strategy_that_asks_a_model_is_not_tried() -> None:
    assert nearby(Config.of("semantic", {})) is None
    assert nearby(Config.of("contextual", {})) is None
    tried = nearby(Config.of("fixed", {}))
    assert tried is not None
    assert {options.config.strategy.name for options in tried.options} == {"fixed", "heading-window", "block-packing"}
