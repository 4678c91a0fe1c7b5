"""Lists of choices, in real Chromium: what is typed after a click filters them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from usual_and_long import long

PATIENCE = 60_000


@pytest.mark.parametrize(
    ("page_address", "name", "typed", "chosen"),
    [
        ("?strategy=heading-window", "Strategy", "Recursive", "Recursive"),
        ("compare", "Strategy of A", "Recursive", "Recursive"),
        *long(
            ("?strategy=heading-window", "Strategy", "Semantic sim", "Semantic similarity"),
            ("?strategy=heading-window", "Baseline", "Fixed", "Fixed size"),
            ("retrieve", "Strategy of A", "Recursive", "Recursive"),
        ),
    ],
)
def test_what_is_typed_after_a_click_on_a_choice_takes_the_place_of_what_stood_there(
    page: Page, serve: Callable[[str], str], page_address: str, name: str, typed: str, chosen: str
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{serve('app.py')}/{page_address}")
    choice = page.get_by_role("combobox", name=name, exact=True)
    expect(page.locator('.stApp[data-test-script-state="notRunning"]')).to_be_visible(timeout=PATIENCE)
    choice.click(timeout=PATIENCE)
    expect(page.get_by_role("listbox")).to_be_visible()
    assert choice.evaluate("field => [field.selectionStart, field.selectionEnd === field.value.length]") == [0, True]

    page.keyboard.type(typed)
    assert choice.input_value() == typed
    expect(page.get_by_role("option").first).to_contain_text(chosen)
    page.keyboard.press("Enter")
    expect(choice).to_have_value(re.compile(f"^{chosen}"), timeout=PATIENCE)


def test_a_letter_that_is_typed_within_a_choice_filters_by_that_letter(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(f"{serve('app.py')}/?strategy=heading-window")
    choice = page.get_by_role("combobox", name="Strategy", exact=True)
    expect(page.locator('.stApp[data-test-script-state="notRunning"]')).to_be_visible(timeout=PATIENCE)
    choice.click(timeout=PATIENCE)
    choice.evaluate("field => field.setSelectionRange(3, 3)")

    page.keyboard.type("R")
    expect(choice).to_have_value("R")
    expect(page.get_by_role("option", name="Recursive").first).to_be_visible()
