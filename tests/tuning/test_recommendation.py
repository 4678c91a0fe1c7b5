"""A config recommended for a document: the smallest change that cuts fewer blocks in two."""

from __future__ import annotations

from chunking import Config, parse, run
from chunking.tuning.checked_recommendation import checked
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
    found = recommended(tried, WINDOW, now)[0]

    assert now.tables_cut == 1
    assert found.summary.tables_cut == 0
    assert found.config == WINDOW.with_settings({"maxTokens": 240})


def test_a_limit_that_holds_a_cut_block_is_tried_however_far_it_is_up_to_four_times_the_present_one() -> None:
    small = WINDOW.with_settings({"minTokens": 20, "minTokensDeeper": 20, "maxTokens": 100})
    whole = TABLE.block_at(TABLE.text.index("| row 3")).span
    words = len(TABLE[whole].split())
    now = next(point for point in measured(small) if point.config == small).summary

    assert 200 < words < 400
    near = [each for each in measured(small) if each.config.strategy.name == "heading-window"]
    assert recommended(near, small, now) == ()
    found = recommended(measured(small, words, 5_000), small, now)[0]
    assert found.config.strategy.name == "heading-window"
    assert found.summary.tables_cut == 0


def test_nothing_is_recommended_where_nothing_is_cut_or_something_else_gets_worse() -> None:
    tried = measured(WINDOW)
    whole = next(point for point in tried if not point.summary.atomic_split).summary

    assert recommended(tried, WINDOW, whole) == ()
    assert recommended([], WINDOW, whole) == ()


def test_what_was_found_on_the_beginning_is_measured_on_the_whole_document() -> None:
    longer = "".join(f"| row {n} | one two three four |\n" for n in range(60))
    whole = parse(f"{TABLE.text}\n## Parts\n\n| name | words |\n|---|---|\n{longer}", name="k.md")
    found = recommended(measured(WINDOW), WINDOW, next(each.summary for each in measured(WINDOW)))
    best = checked(whole, WINDOW, [found[0].config])

    assert found[0].summary.tables_cut == 0
    assert best is not None
    made = run(whole, best.config)
    assert (best.now.tables_cut, best.summary.tables_cut) == (2, 1)
    assert best.summary.chunks == len(made.chunks)
    assert best.largest == (made.metrics.max_tokens, run(whole, WINDOW).metrics.max_tokens)


def test_the_recommended_maximum_is_the_least_that_cuts_as_few_blocks() -> None:
    best = checked(TABLE, WINDOW, [WINDOW.with_settings({"maxTokens": 400})])

    assert best is not None
    maximum = best.config.strategy.limits().maximum or 0
    lower = run(TABLE, WINDOW.with_settings({"maxTokens": maximum - 1}))
    assert 200 < maximum < 400
    assert (best.summary.atomic_split, lower.metrics.atomic_split) == (0, 1)


def test_what_an_embedder_of_512_tokens_does_not_read_is_counted() -> None:
    rows = "".join(f"| row {n} | one two three four |\n" for n in range(80))
    table = parse(f"# Kettle\n\n| name | words |\n|---|---|\n{rows}", name="k.md")
    config = Config.of("heading-window", {"minTokens": 50, "minTokensDeeper": 100, "maxTokens": 300})
    best = checked(table, config, [config.with_settings({"maxTokens": 2000})])

    assert best is not None
    assert best.unread[0] > best.unread[1] == 0


def test_where_none_is_better_on_the_whole_document_none_is_recommended() -> None:
    assert checked(TABLE, WINDOW, [WINDOW, WINDOW.with_settings({"maxTokens": 150})]) is None


def test_a_strategy_that_asks_a_model_is_not_tried() -> None:
    assert nearby(Config.of("semantic", {})) is None
    assert nearby(Config.of("contextual", {})) is None
    tried = nearby(Config.of("fixed", {}))
    assert tried is not None
    assert {options.config.strategy.name for options in tried.options} == {"fixed", "heading-window", "block-packing"}
