"""What people bring stays, after a reload and while it is edited on disk."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from one_run import PATIENCE
from playwright.sync_api import FilePayload, Page, Route, WebSocketRoute, expect

TOP = """(scroller) => {
    const top = scroller.getBoundingClientRect().top;
    const place = (line) => Math.round(line.getBoundingClientRect().top - top);
    const lines = [...scroller.querySelectorAll('.ln')].filter((each) => /^## Part \\d+\\s*$/.test(each.textContent));
    const first = lines.filter((each) => place(each) >= 0).sort((a, b) => place(a) - place(b))[0];
    return [first.textContent.trim(), place(first)];
}"""


def sections(count: int) -> str:
    return "".join(f"## Part {n}\n\nSection {n} says {'water ' * 60}\n\n" for n in range(count))


def held(route: Route) -> None:
    route.request.frame.page.wait_for_timeout(100)
    route.continue_()


def test_a_file_that_is_edited_on_disk_is_followed_and_the_view_keeps_its_place(
    page: Page, own_server: Callable[..., str], tmp_path: Path
) -> None:
    file = tmp_path / "guide.md"
    file.write_text(sections(80))
    address = own_server("app.py", variables={"CHUNKSCOPE_FILES": json.dumps([str(file)]), "CHUNKSCOPE_WATCH": "1"})
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{address}/?strategy=every-heading")
    chunks = page.locator(".cs-strip b").first
    expect(chunks).to_have_text("80", timeout=PATIENCE)
    source = page.locator(".cs .scroll")
    source.evaluate("each => { each.scrollTop = 4000; }")
    expect(page.locator(".cs .count")).not_to_have_text(re.compile(r"chunks? 1\b"))
    before = source.evaluate(TOP)

    file.write_text("# New\n\nthree\n\nmore\n\nparagraphs\n\n" + sections(80) + "## Last\n\nwords\n")
    expect(chunks).to_have_text("82", timeout=PATIENCE)
    expect(page.locator(".cs .count")).to_contain_text("of 82", timeout=PATIENCE)
    assert source.evaluate(TOP) == before
    file.unlink()
    expect(page.get_by_text("guide.md is not on disk any more")).to_be_visible(timeout=PATIENCE)
    expect(chunks).to_have_text("82")


def test_a_reload_shows_the_same_document_settings_and_steps(
    page: Page, own_server: Callable[..., str], tmp_path: Path
) -> None:
    address = own_server("app.py", variables={"CHUNKSCOPE_KEEP_MB": "1", "CHUNKSCOPE_DATA": str(tmp_path)})
    page.goto(f"{address}/?strategy=every-heading&was.strategy=fixed")
    chunks = page.locator(".cs-strip b").first
    expect(page.locator(".cs[data-painted]")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator(".st-key-uploads input").set_input_files(
        FilePayload(name="guide.md", mimeType="text/markdown", buffer=sections(7).encode())
    )
    expect(chunks).to_have_text("7", timeout=PATIENCE)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Swap with baseline").click()
    undo = page.get_by_role("button", name="Undo", exact=True)
    expect(undo).to_have_attribute("aria-disabled", "false", timeout=PATIENCE)

    page.reload()

    expect(page.locator(".st-key-document input")).to_have_value("guide.md", timeout=PATIENCE)
    expect(undo).to_have_attribute("aria-disabled", "false", timeout=PATIENCE)
    expect(chunks).not_to_have_text("7")
    undo.click()
    expect(chunks).to_have_text("7", timeout=PATIENCE)


def test_a_reload_of_corpus_shows_all_documents_that_were_added(
    page: Page, own_server: Callable[..., str], tmp_path: Path
) -> None:
    address = own_server("app.py", variables={"CHUNKSCOPE_KEEP_MB": "1", "CHUNKSCOPE_DATA": str(tmp_path)})
    page.goto(f"{address}/?strategy=every-heading")
    expect(page.locator(".cs[data-painted]")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator(".st-key-uploads input").set_input_files(
        [
            FilePayload(name=f"{count}.md", mimeType="text/markdown", buffer=sections(count).encode())
            for count in (5, 6, 7)
        ]
    )
    expect(page.locator(".cs-strip b").first).to_have_text("5", timeout=PATIENCE)
    page.locator(".st-key-nav").get_by_role("link", name="Corpus").click()
    page.wait_for_url(re.compile("/corpus[?].*strategy="), timeout=PATIENCE)
    chunks = page.locator(".cs-strip b").first
    expect(chunks).to_have_text("18", timeout=PATIENCE)

    page.reload()

    expect(chunks).to_have_text("18", timeout=PATIENCE)


@pytest.mark.long
def test_a_reload_of_one_page_keeps_what_was_asked_on_another_and_which_document_is_shown(
    page: Page, own_server: Callable[..., str], tmp_path: Path
) -> None:
    address = own_server("app.py", variables={"CHUNKSCOPE_DATA": str(tmp_path)})
    pages = page.locator(".st-key-nav")
    page.goto(f"{address}/retrieve?document=sample:06-no-headings.md&search=bm25&q=lighthouse")
    expect(page.locator(".cs-passage").first).to_be_visible(timeout=PATIENCE)
    page.wait_for_url(re.compile("a\\.strategy="))
    pages.get_by_role("link", name="Corpus").click()
    expect(page.locator(".st-key-corpus-table .line").first).to_be_visible(timeout=PATIENCE)
    page.wait_for_url(re.compile("corpus\\?.*strategy="))

    page.reload()

    expect(page.locator(".st-key-corpus-table .line").first).to_be_visible(timeout=PATIENCE)
    pages.get_by_role("link", name="Retrieve").click()
    expect(page.get_by_role("textbox", name="Question")).to_have_value("lighthouse", timeout=PATIENCE)
    page.wait_for_url(re.compile("retrieve\\?.*document=sample.*06-no-headings.*search=bm25"))

    # Another tab of the same browser begins anew, also where one was just loaded again.
    page.reload()
    expect(page.get_by_role("textbox", name="Question")).to_have_value("lighthouse", timeout=PATIENCE)
    another = page.context.new_page()
    another.route("**/tab_name.js", held)  # what names a tab is waited for, however late it comes
    another.goto(f"{address}/?strategy=fixed")
    expect(another.locator(".cs[data-painted]")).to_be_visible(timeout=PATIENCE)
    another.locator(".st-key-nav").get_by_role("link", name="Retrieve").click()
    expect(another.get_by_role("textbox", name="Question")).to_have_value("", timeout=PATIENCE)


@pytest.mark.long
def test_what_is_changed_in_inspect_is_said_on_compare_also_after_a_reload_and_taken_there(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{serve('app.py')}/compare?a.strategy=fixed&b.strategy=heading-window&b.minTokens=321")
    page.get_by_role("button", name="Open B in Inspect").click(timeout=PATIENCE)
    page.wait_for_url(re.compile("/[?].*minTokens=321"), timeout=PATIENCE)
    expect(page.locator(".cs[data-painted]")).to_be_visible(timeout=PATIENCE)
    page.locator('[class*="short_tail"]').get_by_role("radio").last.click()
    page.wait_for_url(re.compile("shortTail="), timeout=PATIENCE)
    page.locator(".st-key-nav").get_by_role("link", name="Compare").click()
    page.wait_for_url(re.compile("/compare[?].*now.shortTail="), timeout=PATIENCE)
    said, take = page.locator(".st-key-from-inspect"), page.get_by_role("button", name="Use it as B")
    expect(said).to_contain_text("Heading window, Minimum: 321, If the last chunk is too small: ", timeout=PATIENCE)

    page.reload()

    expect(said).to_contain_text("Heading window, Minimum: 321, If the last chunk is too small: ", timeout=PATIENCE)
    row, button = said.bounding_box(), take.bounding_box()
    assert row
    assert button
    assert row["height"] == button["height"] == 24
    take.click()
    page.wait_for_url(re.compile("/compare[?].*b.shortTail="), timeout=PATIENCE)
    expect(said).to_be_hidden(timeout=PATIENCE)


@pytest.mark.long
def test_while_the_server_is_away_one_line_says_so_and_the_page_goes_on_when_it_is_back(
    page: Page, serve: Callable[[str], str]
) -> None:
    sockets: list[WebSocketRoute] = []

    def through(socket: WebSocketRoute) -> None:
        sockets.append(socket)
        socket.connect_to_server()

    page.route_web_socket(re.compile("/_stcore/stream"), through)
    page.goto(f"{serve('app.py')}/?strategy=every-heading")
    expect(page.locator(".cs[data-painted]")).to_be_visible(timeout=PATIENCE)
    page.locator('[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    said = page.get_by_role("status").filter(has_text="Chunkscope has stopped.")
    expect(said).to_be_hidden()
    health = re.compile("/_stcore/(health|host-config)")
    page.route(health, lambda route: route.abort())
    sockets[-1].close()

    expect(said).to_be_visible(timeout=PATIENCE)
    expect(said).to_contain_text("Start it again with chunkscope app")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".cs .ln").first).to_be_visible()
    page.unroute(health)
    expect(said).to_be_hidden(timeout=PATIENCE)
    page.locator(".cs .scroll").press("j")
    expect(page.locator(".st-key-chunk").get_by_role("heading", name="Chunk 2")).to_be_visible(timeout=PATIENCE)
