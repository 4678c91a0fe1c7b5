"""Chunks that begin by pointing back at what is not in them."""

from __future__ import annotations

import pytest

from chunking import Config, Run, parse, run
from chunking.analysis.dangling import dangling_starts

FIRST = "The kettle heats the water and switches itself off when it boils, as most of them do."


def cut_before(second: str, heading: str = "") -> Run:
    """A run whose second chunk begins with this."""
    text = f"{FIRST}\n\n{heading}{second}\n"
    start = text.index(heading + second)
    return run(parse(text, name="a.md"), Config.from_function(lambda _: [(0, start), (start, len(text))]))


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ("It switches itself off.", "It"),
        ("This is done by steam.", "This"),
        ("- They are made of steel.", "They"),
        ("2. *Its* lid is closed.", "Its"),
        ("As mentioned above, steam does it.", "As mentioned above"),
        ("as was already described earlier it stops.", "as was already described earlier"),
        ("The latter is cheaper.", "The latter"),
        ("For this reason it stops.", "For this reason"),
        ("Because of that it stops.", "Because of that"),
        ("> “Such kettles are rare.”", "Such"),
    ],
)
def test_words_that_point_back_are_found_behind_marks_too(second: str, words: str) -> None:
    (found,) = dangling_starts(cut_before(second)) or ()

    assert (found.chunk, found.words) == (1, words)


@pytest.mark.parametrize(
    "second",
    [
        "Items are counted.",
        "Thistles are thorny.",
        "It-girls are not meant.",
        "The kettle is full.",
        "As kettles go, this is one.",
        "```\nit = 3\n```",
        "| it | this |\n|---|---|\n| a | b |",
        "Hearing aids help.",
    ],
)
def test_other_words_code_and_tables_are_not(second: str) -> None:
    assert dangling_starts(cut_before(second)) == ()


@pytest.mark.parametrize("mark", ["[", "*", "_", '"', "*_[(", "- ", "[ ] "])
def test_any_number_of_marks_is_read_once(mark: str) -> None:
    assert dangling_starts(cut_before(f"{mark * 60}x")) == ()


def test_a_heading_says_what_is_meant() -> None:
    assert dangling_starts(cut_before("It switches itself off.", "## The lid\n\n")) == ()


def test_nothing_stands_before_the_first_chunk() -> None:
    text = "It is a kettle, and it heats the water that is in it."

    assert dangling_starts(run(parse(text, name="a.md"), Config.of("every-heading", {}, ""))) == ()


def test_a_text_in_another_language_is_not_measured() -> None:
    text = "Der Kessel ist voll und wird nicht mehr gefüllt, weil das Wasser sonst über den Rand läuft. " * 5

    assert dangling_starts(run(parse(text, name="a.md"), Config.of("recursive", {}, ""))) is None
