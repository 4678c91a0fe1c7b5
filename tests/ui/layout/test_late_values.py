"""What a browser sends that has not received the last value of a widget yet."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest


def a_page() -> None:
    import streamlit as st

    from pages.ui import state

    def comes_in(value: str) -> object:
        st.session_state["choice"] = value
        return state.moved("choice")

    for value in ("first", "second", "third"):
        state.own("choice", value)
    st.text(f"while the page is drawn: {comes_in('first')}, {comes_in('fourth')}")
    state.note_page_was_drawn()
    st.text(f"after that: {comes_in('first')}")


def test_a_value_from_before_the_page_put_another_one_is_nobodys_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.ui.state.session._SECONDS_TO_DRAW", 60)
    app = AppTest.from_function(a_page).run()

    assert [text.value for text in app.text] == ["while the page is drawn: third, fourth", "after that: third"]


def test_once_the_browser_has_drawn_a_value_the_one_before_it_can_be_chosen() -> None:
    app = AppTest.from_function(a_page).run()

    assert [text.value for text in app.text] == ["while the page is drawn: third, fourth", "after that: first"]
