"""The smallest change of a setting that keeps a marked span whole: what it says is what happens."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunking import Config, Document, Run, Span, load, parse, run, strategies
from chunking.config.values import Value
from chunking.explanation.keep_whole import fixes, keep_whole
from chunking.gold.coverage import coverages

TEXT = "# Kettle\n\nFill it with cold water.\n\nBoil it.\n\n# Pot\n\nWarm it first. Then add the leaves and wait.\n"
TEA = parse(TEXT, name="tea.md")
API = Path(__file__).parents[2] / "sample_docs" / "10-an-api-reference.md"


def of(quote: str) -> Span:
    start = TEXT.index(quote)
    return Span(start, start + len(quote))


def by(strategy: str, **settings: str | int) -> Run:
    return run(TEA, Config.of(strategy, settings, "words-1.3"))


def characters(size: int) -> Run:
    return by("fixed", unit="characters", chunk_size=size, chunk_overlap=0, separator="")


def test_the_nearest_value_is_found_in_both_directions() -> None:
    # Bodies of 40 end at 40, of 36 at 36 and of 44 at 44: the last two have no end inside 36 to 44.
    found = fixes(characters(40), Span(36, 44)).found

    sizes = [(fix.after, fix.chunks) for fix in found if fix.setting == "chunkSize"]
    assert sizes == [(44, 3), (36, 3)]
    assert all(fix.before == 40 and fix.chunks_before == 3 and fix.nearest for fix in found[:2])


def test_no_nearer_value_keeps_it_whole() -> None:
    def whole_at(size: int) -> bool:
        return coverages(characters(size), [Span(36, 44)])[0].whole

    assert [size for size in range(30, 50) if whole_at(size)] == [*range(30, 37), *range(44, 50)]


def test_the_change_says_what_it_does_to_other_marks() -> None:
    other, third = Span(40, 48), Span(78, 82)
    fix = next(fix for fix in fixes(characters(40), Span(36, 44), [other, third]).found if fix.after == 44)

    assert fix.newly_cut == (other,)
    assert fix.newly_whole == (third,)


def test_a_change_that_cuts_no_other_mark_comes_before_a_smaller_one_that_does() -> None:
    other = Span(40, 48)

    best = keep_whole(characters(40), Span(37, 44), [other])

    assert best is not None
    assert best.newly_cut == ()
    assert coverages(run(TEA, best.config), [Span(37, 44), other])[0].whole


def test_what_was_compared_is_tried_exactly() -> None:
    # 5 tokens are enough at "# Pot", where 10 are held; 11 ask for more than that.
    best = keep_whole(by("heading-window", min_tokens=5), of("Boil it.\n\n# Pot"))

    assert best is not None
    assert (best.setting, best.before, best.after, best.chunks_before, best.chunks) == ("minTokens", 5, 11, 2, 1)


def test_a_span_that_is_whole_needs_no_change() -> None:
    assert fixes(by("every-heading"), of("Boil it.")).found == ()


def test_where_no_single_setting_does_it_that_is_what_is_said() -> None:
    found = fixes(by("every-heading"), of("Boil it.\n\n# Pot"))

    assert found.found == ()
    assert found.best is None
    assert found.complete


def test_a_search_that_is_ended_says_so() -> None:
    found = fixes(characters(40), Span(36, 44), goes_on=lambda: False)

    assert not found.complete
    assert [fix.setting for fix in found.found if isinstance(fix.after, int)] == []


def test_the_settings_of_a_wrapped_strategy_are_named_after_it() -> None:
    base: dict[str, Value] = {"strategy": "heading-window", "settings": {"minTokens": 5}}
    config = Config.of("contextual", {"base": base}, "words-1.3")

    best = keep_whole(run(TEA, config), of("Boil it.\n\n# Pot"))

    assert best is not None
    assert (best.setting, best.after) == ("base.minTokens", 11)
    assert best.config.strategy.name == "contextual"
    assert coverages(run(TEA, best.config), [of("Boil it.\n\n# Pot")])[0].whole


@pytest.mark.parametrize("strategy", [name for name in strategies.names() if name != "contextual"])
def test_every_change_offered_keeps_the_span_whole_and_counts_the_chunks(strategy: str) -> None:
    document = load(API)
    assert isinstance(document, Document)
    made = run(document, Config(strategies.get(strategy)()))
    boundary = made.chunks[len(made.chunks) // 2].body.end if len(made.chunks) > 1 else 400
    span, others = Span(boundary - 60, boundary + 60), [chunk.kept[0] for chunk in made.chunks[:8]]

    found = fixes(made, span, others)

    for fix in found.found:
        after = run(document, fix.config)
        assert coverages(after, [span])[0].whole, fix
        assert fix.chunks == len(after.chunks)
        cut = [coverage.span for coverage in coverages(after, others) if not coverage.whole]
        assert list(fix.newly_cut) == [other for other in others if other in cut and other != span]
