"""A slip in a name is answered with the name that was meant."""

from __future__ import annotations

from chunking.text.display import counted
from chunking.text.suggest import closest_name, did_you_mean


def test_a_slip_is_answered_with_the_likely_name_and_anything_else_with_all_names() -> None:
    assert did_you_mean("heirarchical", ["fixed", "hierarchical"]) == "did you mean 'hierarchical'?"
    assert did_you_mean("xyz", ["fixed", "recursive"]) == "there are: fixed, recursive"
    assert closest_name("fixd", ("fixed",)) == "fixed"
    assert closest_name("", ["fixed"]) == ""


def test_a_name_of_a_million_characters_is_answered_at_once() -> None:
    assert closest_name("fixed" + "x" * 1_000_000, ["fixed"]) == ""


def test_one_thing_is_said_in_the_singular() -> None:
    assert [counted(each, "chunk") for each in (0, 1, 1200)] == ["0 chunks", "1 chunk", "1,200 chunks"]
    assert counted(2, "boundary", "boundaries") == "2 boundaries"
