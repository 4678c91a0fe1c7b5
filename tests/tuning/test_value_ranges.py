"""Between which values of a setting a document is cut differently."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from random import Random

import pytest

from chunking import Config, Document, parse, run
from chunking.config import Value, plain_settings
from chunking.errors import ConfigError
from chunking.tuning.value_ranges import ChangingRange, Searched, changing_ranges, ranges_of_texts

WORDS = parse("aaaa bbbb cccc dddd ", name="w.md")
WINDOW = Config.of(
    "heading-window", {"minTokens": 0, "minTokensDeeper": 0, "maxTokens": 50, "shortTail": "keep"}, "words"
)
SECTIONS = parse("# A\n\none two three\n\n# B\n\nfour five six seven\n\n# C\n\neight nine\n", name="s.md")


MINIMUM = Searched("minTokens", 0, 0, 40, 1, 0, 1_000_000)
MAXIMUM = Searched("maxTokens", 50, 10, 60, 1, 1, 1_000_000)


def test_a_range_reaches_from_the_last_value_before_a_change_to_the_first_one_after_all() -> None:
    found = _alone([SECTIONS], MINIMUM)

    assert found is not None
    assert (found.below, found.above) == (False, False)
    assert _ends(0) == _ends(found.low) != _ends(found.low + 1)
    assert _ends(found.high - 1) != _ends(found.high) == _ends(40)


def test_a_setting_that_changes_no_chunk_has_no_range() -> None:
    assert _alone([parse("one\n", name="o.md")], MINIMUM) is None


def test_values_that_are_illegal_beside_the_other_settings_are_left_out() -> None:
    # A minimum above the maximum of 50 is illegal.
    found = _alone([SECTIONS], Searched("minTokens", 0, 0, 1000, 1))

    assert found is not None
    assert 0 <= found.low < found.high <= 50


def test_what_differs_in_any_of_the_documents_is_in_the_range() -> None:
    one = _alone([SECTIONS], MINIMUM)

    assert _alone([WORDS, SECTIONS], MINIMUM) == one
    assert _alone([WORDS], MINIMUM) is None


def test_a_range_goes_on_beyond_its_usual_end_to_where_nothing_changes_or_says_that_it_goes_on() -> None:
    # 60 words: a maximum changes the chunks up to 60.
    prose = parse("one two three\n" * 20, name="p.md")

    assert _alone([prose], Searched("maxTokens", 30, 4, 30, 1, 1, 1000)) == ChangingRange(4, 60, below=True)
    assert _alone([prose], Searched("maxTokens", 15, 4, 15, 1, 1, 1000)) == (
        ChangingRange(4, 15, below=True, above=True)
    )


def test_a_range_holds_beside_every_value_that_was_tried_of_the_other_setting() -> None:
    sections = parse("# Title\n\nsix words of text in it\n\n" * 6, name="s.md")
    small = WINDOW.with_settings({"maxTokens": 8})

    alone = changing_ranges([sections], small, [MINIMUM])["minTokens"]
    beside = changing_ranges([sections], small, [MINIMUM, MAXIMUM])["minTokens"]

    assert alone is None or alone.high <= 8
    assert beside is not None
    assert beside.high > 8


def test_a_range_holds_for_each_choice_of_the_other_setting() -> None:
    kept = Searched("shortTail", "keep", choices=("skip", "keep", "merge"))

    found = changing_ranges([SECTIONS], WINDOW, [MINIMUM, kept])

    assert list(found) == ["minTokens"]
    assert found["minTokens"] != _alone([SECTIONS], MINIMUM)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_said_of_the_values_outside_a_range_is_true_of_real_cuts(seed: int) -> None:
    random = Random(seed)
    lines = [random.choice(("# A", "## B", "### C", "word " * random.randint(1, 30), "- one")) for _ in range(40)]
    document = parse("\n\n".join(lines) + "\n", name="r.md")
    config = WINDOW.with_settings(
        {
            "maxTokens": random.randint(20, 80),
            "minTokens": random.randint(0, 20),
            "h1Rule": random.random() < 0.5,
            "lookahead": random.random() < 0.5,
            "shortTail": random.choice(("skip", "keep", "merge")),
        }
    )
    settings = plain_settings(config.strategy)
    axes = [
        Searched("minTokens", settings["minTokens"], 0, 40, 1, 0, 10_000),
        Searched("maxTokens", settings["maxTokens"], 20, 100, 1, 1, 10_000),
    ]
    found = changing_ranges([document], config, axes)

    for axis, other in (axes, axes[::-1]):
        of, beside = found[axis.setting], found[other.setting]
        assert of is not None
        assert beside is not None
        tried = [axis.value(step) for step in axis.steps()]
        further = range(int(of.high), 700, 7) if of.above else ()
        above = [value for value in (of.high, *tried, *further) if value >= of.high]
        below = [value for value in (of.low, *tried, *range(int(of.low))) if value <= of.low]
        kept = {other.now, beside.low, beside.high}
        every = {*kept, *range(int(beside.low), int(beside.high))}
        assert _change(document, config, axis, above, other, every if of.above else kept) == of.above
        assert _change(document, config, axis, below, other, every if of.below else kept) == of.below


def test_fractions_are_tried_as_a_person_would_write_them() -> None:
    searched = Searched("similarityThreshold", 0.75, 0.0, 1.0, 0.01)

    assert [searched.value(step) for step in (0, 7, 100)] == [0.0, 0.07, 1.0]
    assert searched.step(0.75) == 75


def test_texts_are_searched_as_documents_are() -> None:
    found = dict(ranges_of_texts([("s.md", SECTIONS.text)], WINDOW, [MINIMUM]))

    assert found == {"minTokens": _alone([SECTIONS], MINIMUM)}


def _alone(documents: list[Document], searched: Searched) -> ChangingRange | None:
    return changing_ranges(documents, WINDOW, [searched])[searched.setting]


def _change(
    document: Document, config: Config, axis: Searched, values: Sequence[Value], other: Searched, beside: set[Value]
) -> bool:
    """Whether the document is cut differently at these values, as far as they are legal, beside
    some value of the other setting."""
    for fixed in beside:
        found = set()
        for value in values:
            with suppress(ConfigError):
                made = run(document, config.with_settings({axis.setting: value, other.setting: fixed}))
                found.add(tuple(part.body for part in made.parts))
        if len(found) > 1:
            return True
    return False


def _ends(minimum: float) -> list[int]:
    made = run(SECTIONS, WINDOW.with_settings({"minTokens": int(minimum)}))
    return [chunk.body.end for chunk in made.chunks]
