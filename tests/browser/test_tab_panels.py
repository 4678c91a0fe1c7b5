"""Each tab of Inspect controls a tabpanel in the accessibility tree, on a screen and on a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page
from usual_and_long import long
from waiting import until_on

PATIENCE = 45_000
DOCUMENT = "?document=sample:10-an-api-reference.md&strategy=heading-window&at=0"


def controlled(page: Page) -> dict[str, list[str]]:
    """What each tab controls, as "role name"."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    known = {node.get("backendDOMNodeId"): node for node in nodes}

    def said(of: int) -> str:
        return f"{known[of]['role']['value']} {known[of]['name']['value']}" if of in known else "nothing"

    tabs = [node for node in nodes if not node["ignored"] and node["role"]["value"] == "tab"]
    relations = {tab["name"]["value"]: tab.get("properties", []) for tab in tabs}
    return {
        name: [
            said(to["backendDOMNodeId"])
            for relation in properties
            if relation["name"] == "controls"
            for to in relation["value"]["relatedNodes"]
        ]
        for name, properties in relations.items()
    }


@pytest.mark.parametrize(
    ("width", "height", "tabs"),
    [(1440, 900, ["Chunk", "Health", "Marks", "Export"]), *long((390, 844, ["Settings", "Chunk"]))],
)
def test_the_open_tab_controls_the_tabpanel_that_it_shows(
    browser: Browser, serve: Callable[[str], str], width: int, height: int, tabs: list[str]
) -> None:
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(f"{serve('app.py')}/{DOCUMENT}")
    page.get_by_role("tab", name="Chunk").first.wait_for(timeout=PATIENCE)
    for tab in tabs:
        of = page.get_by_role("tab", name=tab)
        of.click()
        name = of.evaluate("tab => tab.innerText.replaceAll(/\\s+/g, ' ').trim()")
        until_on(
            page,
            lambda: controlled(page).get(name) == [f"tabpanel {tab}"],  # noqa: B023  (called at once)
            otherwise=lambda: f"{controlled(page)} has no {name} of {tab}",  # noqa: B023
        )
        assert page.get_by_role("tabpanel", name=tab, exact=True).count() == 1
    context.close()
