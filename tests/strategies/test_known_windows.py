"""Windows that are found again while thresholds move are those that a fresh document gives."""

from __future__ import annotations

from itertools import islice

import pytest
from cut_again import cuts_as_fresh_ones
from hypothesis import given
from hypothesis import strategies as st
from markdown_strategies import MARKDOWN

from chunking import Config, Tools, counter, parse, run
from chunking.strategies.heading_window import heading_sums, places
from chunking.strategies.heading_window.known_windows import Minimums

SETTINGS = st.fixed_dictionaries(
    {
        "minTokens": st.integers(0, 30),
        "minTokensDeeper": st.integers(0, 60),
        "maxTokens": st.integers(30, 80),
        "h1Rule": st.booleans(),
        "countContext": st.sampled_from([False, False, True]),
        "lookahead": st.sampled_from([False, False, True]),
        "shortTail": st.sampled_from(["skip", "keep", "merge"]),
    }
)
COUNTERS = st.sampled_from(["cl100k_base", "words", "chars-4"])
SECTIONS = st.lists(
    st.tuples(
        st.integers(1, 4), st.sampled_from(["", "one two three.\n", "a line\n" * 9, "word " * 40 + "\n", "  \n\n"])
    ),
    min_size=3,
    max_size=25,
).map(lambda sections: "".join(f"{'#' * level} Part {level}\n\n{body}\n" for level, body in sections))


@given(text=st.one_of(SECTIONS, MARKDOWN), moves=st.lists(SETTINGS, min_size=2, max_size=6), by=COUNTERS)
def test_a_document_that_was_cut_before_is_cut_as_a_fresh_one(text: str, moves: list[dict[str, int]], by: str) -> None:
    cuts_as_fresh_ones("heading-window", text, [*moves, moves[0]], by)


@given(
    text=SECTIONS,
    settings=st.fixed_dictionaries({"minTokens": st.integers(0, 60), "minTokensDeeper": st.integers(0, 60)}),
    dragged=st.sampled_from(["minTokens", "minTokensDeeper", "maxTokens"]),
    steps=st.lists(st.integers(1, 4), min_size=5, max_size=20),
)
def test_each_step_of_a_drag_up_and_down_is_cut_as_a_fresh_one(
    text: str, settings: dict[str, int], dragged: str, steps: list[int]
) -> None:
    settings = {**settings, "maxTokens": 150}
    moves: list[dict[str, int]] = []
    for step in [*steps, *(-2 * step for step in steps)]:
        settings[dragged] = max(settings[dragged] + step, settings["minTokens"] if dragged == "maxTokens" else 0)
        moves.append(dict(settings))
    cuts_as_fresh_ones("heading-window", text, moves, "words")


@given(
    text=st.one_of(SECTIONS, MARKDOWN),
    settings=SETTINGS,
    counter_name=st.sampled_from(["cl100k_base", "o200k_base"]),
)
def test_windows_found_by_the_sums_of_headings_are_those_of_a_walk(
    text: str, settings: dict[str, int], counter_name: str
) -> None:
    config = Config.of("heading-window", settings, counter_name)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(heading_sums, "MANY_HEADINGS", 1)
        found = run(parse(text), config).parts
        patched.setattr(heading_sums, "MANY_HEADINGS", 1_000_000)
        assert found == run(parse(text), config).parts


@given(
    text=st.one_of(SECTIONS, MARKDOWN), moves=st.lists(SETTINGS, min_size=2, max_size=4), room=st.sampled_from([2, 100])
)
def test_places_at_which_a_maximum_has_cut_give_the_windows_of_a_fresh_document(
    text: str, moves: list[dict[str, int]], room: int
) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(heading_sums, "MANY_HEADINGS", 1)
        patched.setattr(places, "_FEW", 1)
        patched.setattr(places, "_ROOM", room)
        cuts_as_fresh_ones("heading-window", text, [*moves, *moves, *moves], "cl100k_base")


def test_the_last_place_of_all_keeps_the_headings_above_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heading_sums, "MANY_HEADINGS", 1)
    monkeypatch.setattr(places, "_FEW", 1)
    line = "one two three four.\n"
    text = "".join(f"{'#' * (1 + number % 3)} Part {number}\n\n{line * (number % 7)}\n" for number in range(40))
    moves = [(least, most) for most in (20, 30, 45) for least in (0, 10, most)] * 3

    settings = [{"minTokens": least, "minTokensDeeper": least, "maxTokens": most} for least, most in moves]
    cuts_as_fresh_ones("heading-window", text, settings, "cl100k_base")


@given(
    words=st.lists(
        st.sampled_from(["word", "a", "  ", "*b*", "`code`", "[c](d)", ". ", "\u00e9"]), min_size=4, max_size=40
    ),
    most=st.integers(1, 4),
    parts=st.integers(1, 30),
)
def test_a_run_that_is_broken_off_in_a_long_line_changes_nothing_for_the_next(
    words: list[str], most: int, parts: int
) -> None:
    config = Config.of("heading-window", {"minTokens": 0, "minTokensDeeper": 0, "maxTokens": most}, "chars-4")
    text = " ".join(words) + "\n"
    document = parse(text)
    list(islice(config.strategy.split(document, Tools(counter("chars-4"))), parts))
    assert run(document, config).parts == run(parse(text), config).parts


def test_minimums_hold_from_above_what_was_passed_over_to_what_sealed() -> None:
    minimums = Minimums().passing(10, deeper=False).passing(30, deeper=True).sealing(20, deeper=False)

    assert [least for least in range(9, 23) if minimums.hold(least, 31)] == list(range(11, 21))
    assert not minimums.hold(15, 30)
