"""Between which values of a setting a document is cut differently."""

from __future__ import annotations

from chunking import Config, parse, run
from chunking.tuning.value_ranges import Searched, changing_range, ranges_of_texts

WORDS = parse("aaaa bbbb cccc dddd ", name="w.md")
WINDOW = Config.of(
    "heading-window", {"minTokens": 0, "minTokensDeeper": 0, "maxTokens": 50, "shortTail": "keep"}, "words"
)
SECTIONS = parse("# A\n\none two three\n\n# B\n\nfour five six seven\n\n# C\n\neight nine\n", name="s.md")


def test_a_range_reaches_from_the_last_value_before_a_change_to_the_first_one_after_all() -> None:
    found = changing_range([SECTIONS], WINDOW, Searched("minTokens", 0, 0, 40, 1))

    assert found is not None
    low, high = found
    assert _ends(0) == _ends(low) != _ends(low + 1)
    assert _ends(high - 1) != _ends(high) == _ends(40)


def test_a_setting_that_changes_no_chunk_has_no_range() -> None:
    assert changing_range([parse("one\n", name="o.md")], WINDOW, Searched("minTokens", 0, 0, 40, 1)) is None


def test_values_that_are_illegal_beside_the_other_settings_are_left_out() -> None:
    # A minimum above the maximum of 50 is illegal.
    found = changing_range([SECTIONS], WINDOW, Searched("minTokens", 0, 0, 1000, 1))

    assert found is not None
    assert 0 <= found[0] < found[1] <= 50


def test_what_differs_in_any_of_the_documents_is_in_the_range() -> None:
    one = changing_range([SECTIONS], WINDOW, Searched("minTokens", 0, 0, 40, 1))

    assert changing_range([WORDS, SECTIONS], WINDOW, Searched("minTokens", 0, 0, 40, 1)) == one
    assert changing_range([WORDS], WINDOW, Searched("minTokens", 0, 0, 40, 1)) is None


def test_fractions_are_tried_as_a_person_would_write_them() -> None:
    searched = Searched("similarityThreshold", 0.75, 0.0, 1.0, 0.01)

    assert [searched.value(step) for step in (0, 7, 100)] == [0.0, 0.07, 1.0]
    assert searched.step(0.75) == 75


def test_texts_are_searched_as_documents_are() -> None:
    searched = Searched("minTokens", 0, 0, 40, 1)

    found = dict(ranges_of_texts([("s.md", SECTIONS.text)], WINDOW, [searched]))

    assert found == {"minTokens": changing_range([SECTIONS], WINDOW, searched)}


def _ends(minimum: float) -> list[int]:
    made = run(SECTIONS, WINDOW.with_settings({"minTokens": int(minimum)}))
    return [chunk.body.end for chunk in made.chunks]
