"""A place in a text that was edited."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pages.ui.choices.edited import place_after_edit

BEFORE = "one two three four"
AFTER = "one two and a half three four"


def test_a_place_before_an_edit_stays_one_after_it_moves_along_and_one_inside_stays_near() -> None:
    assert place_after_edit(BEFORE, AFTER, BEFORE.index("two")) == AFTER.index("two")
    assert place_after_edit(BEFORE, AFTER, BEFORE.index("four")) == AFTER.index("four")
    assert place_after_edit(AFTER, BEFORE, AFTER.index("half")) == BEFORE.index("three")
    assert place_after_edit("", "text", 0) == 0
    assert place_after_edit("text", "", 3) == 0


def test_between_two_edits_a_place_is_found_by_the_rest_of_its_line() -> None:
    before, after = "a\nthe kettle\nb\n", "new\na\nthe kettle\nc\nb, too\n"

    assert place_after_edit(before, after, before.index("kettle")) == after.index("kettle")


@given(st.text("ab"), st.text("ab"), st.text("ab"), st.text("ab"))
def test_a_place_in_what_stayed_has_the_same_text_around_it(start: str, old: str, new: str, end: str) -> None:
    before, after = start + old + end, start + new + end
    for offset in (*range(len(start) + 1), *range(len(start + old), len(before) + 1)):
        place = place_after_edit(before, after, offset)
        assert 0 <= place <= len(after)
        assert before[:offset] == after[:place] or before[offset:] == after[place:]
