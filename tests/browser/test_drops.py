"""Files dropped and text pasted anywhere on a page, in real Chromium."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from waiting import until_on

PATIENCE = 60_000
PASTE = """text => {
  const held = new DataTransfer();
  held.setData("text/plain", text);
  const of = { clipboardData: held, bubbles: true, cancelable: true, composed: true };
  document.activeElement.dispatchEvent(new ClipboardEvent("paste", of));
}"""


class Dragged:
    """A file from outside that is dragged over the middle of the page, as by hand."""

    def __init__(self, page: Page, file: Path) -> None:
        self._devtools = page.context.new_cdp_session(page)
        self._data = {"items": [], "files": [str(file)], "dragOperationsMask": 1}

    def does(self, *kinds: str) -> None:
        for kind in kinds:
            drag = {"type": kind, "x": 720, "y": 500, "data": self._data}
            self._devtools.send("Input.dispatchDragEvent", drag)


@pytest.fixture(name="file")
def _file(tmp_path: Path) -> Path:
    file = tmp_path / "dropped.md"
    file.write_text("# Kettle\n\nwater\n", encoding="utf-8")
    return file


def opened(page: Page, address: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(address)
    expect(page.locator('.stApp[data-test-script-state="notRunning"]')).to_be_visible(timeout=PATIENCE)


def test_a_file_that_is_dropped_beside_the_box_is_added(page: Page, serve: Callable[[str], str], file: Path) -> None:
    opened(page, serve("app.py"))
    page.get_by_role("button", name="Add", exact=True).wait_for(timeout=PATIENCE)
    dragged, sign = Dragged(page, file), page.get_by_text("Drop to add", exact=True)

    def is_over() -> bool:  # as a browser says it again and again: the sign goes a second after the last word
        dragged.does("dragOver")
        return sign.is_visible()

    dragged.does("dragEnter")
    until_on(page, is_over)
    dragged.does("dragCancel")
    expect(sign).to_have_count(0)
    dragged.does("dragEnter", "dragOver", "drop")
    expect(page.get_by_role("combobox", name="Document", exact=True)).to_have_value("dropped.md", timeout=PATIENCE)
    expect(sign).to_have_count(0)


def test_a_page_that_takes_no_documents_is_not_left_for_a_file(
    page: Page, serve: Callable[[str], str], file: Path
) -> None:
    opened(page, f"{serve('app.py')}/strategies")
    page.evaluate("window.kept = []; addEventListener('dragover', (event) => kept.push(event.defaultPrevented)), 0")
    Dragged(page, file).does("dragEnter", "dragOver", "drop")

    page.wait_for_function("kept.length")
    assert page.evaluate("kept.every(Boolean)")  # what is not prevented leads a browser with a window to the file
    expect(page.get_by_text("Drop to add", exact=True)).to_have_count(0)


@pytest.mark.long
def test_text_that_is_pasted_where_no_field_takes_it_stands_in_add(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, serve("app.py"))
    page.get_by_role("button", name="Add", exact=True).wait_for(timeout=PATIENCE)
    page.evaluate(PASTE, "# Kettle\n\nsteam")

    field = page.get_by_role("textbox", name="Or paste text")
    expect(field).to_have_value("# Kettle\n\nsteam", timeout=PATIENCE)
    expect(field).to_be_focused()
    page.get_by_role("button", name="Add text").click()
    expect(page.get_by_role("combobox", name="Document", exact=True)).to_have_value("Pasted: Kettle", timeout=PATIENCE)


@pytest.mark.long
def test_control_and_enter_in_the_field_for_text_add_it(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, serve("app.py"))
    page.get_by_role("button", name="Add", exact=True).click(timeout=PATIENCE)
    field = page.get_by_role("textbox", name="Or paste text")
    field.fill("# Kettle\n\nwater", timeout=PATIENCE)
    field.press("ControlOrMeta+Enter")

    expect(page.get_by_role("combobox", name="Document", exact=True)).to_have_value("Pasted: Kettle", timeout=PATIENCE)
    expect(field).to_have_count(0)
