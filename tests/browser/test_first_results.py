"""How soon results come below the controls of a page, and whether they fit a narrow phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect
from usual_and_long import long

PATIENCE = 45_000
WIDE = [(1280, 800), *long((1440, 900))]


def opened(page: Page, address: str, width: int, height: int, shown: str) -> Locator:
    page.set_viewport_size({"width": width, "height": height})
    page.goto(address)
    first = page.locator(shown).first
    first.wait_for(timeout=PATIENCE)
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    return first


def top(of: Locator) -> float:
    box = of.bounding_box()
    assert box
    return box["y"]


@pytest.mark.parametrize(("width", "height"), WIDE)
def test_compare_has_all_its_controls_in_one_row_above_what_it_shows(
    page: Page, serve: Callable[[str], str], width: int, height: int
) -> None:
    ribbon = opened(page, f"{serve('app.py')}/compare", width, height, ".st-key-compare-ribbon-place")
    names = ("Document", "Example comparison", "Tokenizer for all numbers")
    controls = [page.get_by_role("combobox", name=name, exact=True) for name in names]

    assert len({round(top(each)) for each in controls}) == 1
    assert top(ribbon) < 130
    expect(page.locator(".st-key-compare-source-A .lbl").first).to_be_in_viewport()
    assert controls[0].evaluate("field => field.clientWidth") > 120


@pytest.mark.long
@pytest.mark.parametrize(("width", "height"), WIDE)
def test_the_first_passage_that_retrieve_finds_is_in_the_upper_part_of_the_window(
    page: Page, serve: Callable[[str], str], width: int, height: int
) -> None:
    address = f"{serve('app.py')}/retrieve?q=rate+limits&search=bm25"
    passage = opened(page, address, width, height, ".cs-passage")

    assert top(page.locator(".st-key-compare-panels")) < 265
    assert top(passage) < 500


@pytest.mark.long
def test_a_narrow_phone_shows_the_metrics_of_two_configs_with_what_is_better_or_worse(
    page: Page, serve: Callable[[str], str]
) -> None:
    table = opened(page, f"{serve('app.py')}/compare", 360, 640, ".cs-metrics")
    verdict = table.locator(".cs-worse, .cs-better").first
    verdict.scroll_into_view_if_needed()

    box = verdict.bounding_box()
    assert box
    assert box["x"] + box["width"] <= 350
    assert table.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth")


@pytest.mark.parametrize(("width", "height"), WIDE)
def test_the_proof_and_the_command_that_checks_it_are_in_sight_when_export_is_opened(
    page: Page, serve: Callable[[str], str], width: int, height: int
) -> None:
    tab = opened(page, serve("app.py"), width, height, '[role="tab"]:has-text("Export")')
    tab.click()

    expect(page.get_by_text("Proof:", exact=True)).to_be_in_viewport(ratio=1)
    expect(page.get_by_text("chunkscope verify chunks.yaml")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize(("width", "drawn"), [(360, "row"), (1280, "box")])
def test_a_structure_is_a_list_with_whole_names_where_boxes_would_cut_them(
    page: Page, serve: Callable[[str], str], width: int, drawn: str
) -> None:
    address = f"{serve('app.py')}/?document=sample:10-an-api-reference.md&strategy=heading-window&view=structure"
    name = opened(page, address, width, 800, f".structure .{drawn} .name")

    if drawn == "row":
        assert name.evaluate("name => name.scrollWidth <= name.clientWidth")
    expect(page.get_by_role("button", name="As a list")).to_have_attribute("aria-pressed", str(drawn == "row").lower())
