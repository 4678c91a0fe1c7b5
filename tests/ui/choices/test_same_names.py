"""Documents of the same name are told apart."""

from __future__ import annotations

import pytest

from pages.ui.choices.same_names import beginning_of, same_names, titles_told_apart, told_apart


def test_only_names_that_occur_twice_say_how_each_document_begins() -> None:
    titles = told_apart(["README.md", "guide.md", "README.md"], ["Tea", "Guide", "Coffee"])

    assert titles == ["README.md · Tea", "guide.md", "README.md · Coffee"]


def test_a_text_that_is_not_at_hand_is_told_by_its_key() -> None:
    titles = titles_told_apart({"abcdef01": "a.md", "b": "a.md", "c": "c.md"}, {"b": "# Tea\n", "c": ""})

    assert titles == {"abcdef01": "a.md · abcdef", "b": "a.md · Tea", "c": "c.md"}


@pytest.mark.parametrize(
    ("text", "beginning"),
    [
        ("\n\n## Tea ##\nx\n", "Tea"),
        ("---\ntitle: Tea\n---\n", "title: Tea"),
        ("", ""),
        ("# ---\n", ""),
        (f"{'a' * 41}\n", f"{'a' * 40}…"),
    ],
)
def test_a_document_begins_with_its_first_words(text: str, beginning: str) -> None:
    assert beginning_of(text) == beginning


def test_names_of_more_than_one_document_are_said_once() -> None:
    assert same_names(["a", "b", "a", "c", "a", "c"]) == ["a", "c"]
