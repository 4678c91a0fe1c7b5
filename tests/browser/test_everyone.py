"""Every page for everyone, in real Chromium: by keyboard, by screen reader's rules, on a phone,
whatever the text says.

Pages are found in the file system, so that a new one is held to all of this as well. Each is opened
once; the tests of a page share that visit, in the order they stand here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, FilePayload, Page, expect
from usual_and_long import long

ROOT = Path(__file__).parents[2]
PAGES = ["", *sorted(path.stem for path in (ROOT / "pages").glob("*.py") if path.stem != "__init__")]
"""As their addresses: the home page is Inspect."""
VIEWS = {
    "": "?document=sample:05-deep-nesting.md&strategy=hierarchical&target=300&hardCap=700&was.strategy=fixed&at=900",
    "compare": "?document=sample:05-deep-nesting.md&a.strategy=fixed&b.strategy=recursive&at=900",
    "retrieve": "?document=sample:05-deep-nesting.md&a.strategy=fixed&b.strategy=recursive&search=bm25&q=granite",
    "strategies": "?strategy=semantic",
}
"""What a page is asked to show; one that is not here shows what it does by itself."""
OTHER_VIEWS = {
    "Rendered": ".md",
    "Cards": ".card",
    "Structure": "[role=tree] .box",
    "Tokens": ".tokens .line",
    "Map": ".plane > svg .point",
}
"""Of Inspect, with what is drawn in each."""
SCRIPT = (Path(__file__).parent / "everyone.js").read_text(encoding="utf-8")
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
LEAST_OPACITY = """(element) => {
  let least = 1;
  for (; element; element = element.parentElement) least = Math.min(least, getComputedStyle(element).opacity);
  return least;
}"""
VIOLATIONS = """(rules) => axe.run(document, { resultTypes: ["violations"], ...(rules && { runOnly: rules }) })
    .then((found) => found.violations
        .map((each) => `${each.id}: ${each.nodes.map((node) => node.html.slice(0, 160)).join(" AND ")}`))"""
OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules that another colour scheme may break."""
FOLDS = "open => document.querySelectorAll('details').forEach(fold => (fold.open = open))"
PATIENCE = 45_000
MOST_STOPS = 400
NAME = ':red[x] $y$ <img src=x onerror="owned=1"> \u202egpj.md'
HOSTILE = """# :red[warning] $x$ <script>owned=1</script>

:material/home: `text` :blue-background[b] $5 and $6

## [a](javascript:alert(1)) <img src=x onerror="owned=1">

| <svg onload=alert(1)> | </textarea><script>owned=1</script> |
|---|---|
| ${owned=1} | {{owned}} |

### </style><iframe src="javascript:alert(1)"></iframe>

more
"""


@dataclass
class Visit:
    """One page as it was opened, and all it asked for since."""

    name: str
    page: Page
    asked: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    """Errors on the console."""


def watched(page: Page, name: str = "") -> Visit:
    """The page, with its requests, its connections and its errors written down."""
    visit = Visit(name, page)
    page.on("request", lambda request: visit.asked.append(request.url))
    page.on("websocket", lambda socket: visit.asked.append(socket.url))
    page.on("console", lambda message: visit.said.append(message.text) if wrong(message) else None)
    page.on("pageerror", lambda error: visit.said.append(str(error)))
    return visit


def wrong(message: ConsoleMessage) -> bool:
    """Whether this is an error of the page. Streamlit looks for its server below each page's
    address first."""
    return message.type == "error" and "/_stcore/" not in message.location["url"]


def settle(page: Page) -> Page:
    """The page, when its script has run and nothing on it changes any more."""
    page.locator(".st-key-nav").wait_for(timeout=PATIENCE)
    page.locator('.stApp[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    expect(page.locator('[data-testid="stSpinner"], [data-testid="stSkeleton"]')).to_have_count(0, timeout=PATIENCE)
    expect(page.locator('[data-stale="true"]')).to_have_count(0, timeout=PATIENCE)  # it is greyed
    page.evaluate(SCRIPT)
    page.evaluate("everyone.still(400)")
    return page


def elsewhere(asked: list[str]) -> list[str]:
    """The addresses that are not on this machine."""
    return [url for url in asked if urlsplit(url).hostname not in ("127.0.0.1", None)]


@pytest.fixture(scope="module", params=PAGES, ids=[name or "inspect" for name in PAGES])
def visit(request: pytest.FixtureRequest, warm_context: BrowserContext, serve: Callable[[str], str]) -> Iterator[Visit]:
    """One visit to each page, for all tests of it."""
    name: str = request.param
    opened = watched(warm_context.new_page(), name)
    opened.page.set_viewport_size({"width": 1440, "height": 900})
    opened.page.emulate_media(reduced_motion="reduce")
    opened.page.goto(f"{serve('app.py')}/{name}{VIEWS.get(name, '')}")
    settle(opened.page)
    yield opened
    opened.page.close()


def test_axe_finds_nothing(visit: Visit) -> None:
    address = visit.page.url
    visit.page.evaluate(FOLDS, True)
    assert violations_in_both_schemes(visit.page) == []
    visit.page.evaluate(FOLDS, False)
    if not visit.name:
        for looked_at in other_views(visit.page):
            assert violations_in_both_schemes(visit.page) == [], looked_at
            assert visit.page.evaluate("everyone.small()") == [], looked_at
            heights = [label.bounding_box() for label in visit.page.locator(".divide button").all()[:3]]
            assert all(box and box["height"] >= 24 for box in heights), looked_at
        visit.page.goto(address)  # the tests after this one begin at the top
        settle(visit.page)


def test_axe_finds_nothing_where_documents_are_added(page: Page, serve: Callable[[str], str]) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{serve('app.py')}/{VIEWS['']}")
    settle(page).get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("group", name="Drop files here or choose them")).to_be_visible(timeout=PATIENCE)
    settle(page)

    assert violations(page) == []
    assert page.evaluate("everyone.small()") == []
    # A part that is faded is too pale, which axe does not always find over another part.
    assert page.get_by_text("chunkscope run CONFIG FILE").evaluate(LEAST_OPACITY) == 1

    page.locator("input[type=file]").set_input_files({"name": "a.md", "mimeType": "text/markdown", "buffer": b"# A"})
    expect(page.get_by_role("alertdialog", name="1 document added")).to_be_visible(timeout=PATIENCE)


def violations(page: Page, rules: list[str] | None = None) -> list[str]:
    """What axe finds, and finds again a moment later: what is drawn anew may be half there."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found: list[str] = page.evaluate(VIOLATIONS, rules)
    return settle(page).evaluate(VIOLATIONS, rules) if found else found


def violations_in_both_schemes(page: Page) -> list[str]:
    """What axe finds in the dark, of colours, and in the light."""
    page.emulate_media(color_scheme="dark")
    settle(page)
    ground = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    assert sum(int(part) for part in re.findall(r"\d+", ground)[:3]) < 200
    found = violations(page, OF_COLOURS)
    page.emulate_media(color_scheme="light")
    settle(page)
    return found + violations(page)


def other_views(page: Page) -> Iterator[str]:
    """Inspect while a boundary is dragged, in each other view, and as the source again."""
    source, aim = page.locator(".cs .scroll"), page.locator(".aim .to")
    source.press("j")
    expect(page.locator(".lbl.sel")).not_to_have_count(0)
    settle(page)
    source.press("Alt+ArrowDown")
    expect(aim).to_be_visible()
    yield "while a boundary is dragged"
    source.press("Escape")
    expect(aim).to_be_hidden()
    for view, drawn in OTHER_VIEWS.items():
        page.get_by_role("radio", name=view, exact=True).click()
        page.locator(drawn).first.wait_for(timeout=PATIENCE)
        settle(page)
        yield view
    page.get_by_role("radio", name="Source", exact=True).click()
    source.wait_for(timeout=PATIENCE)


def test_the_keyboard_reaches_every_control_shows_where_it_is_and_gets_out_again(visit: Visit) -> None:
    page = settle(visit.page)
    assert page.evaluate("everyone.begin()") > 5
    stops = 0
    page.keyboard.press("Tab")
    while page.evaluate("everyone.here()") and stops < MOST_STOPS:
        page.keyboard.press("Tab")
        stops += 1

    assert stops < MOST_STOPS
    # The first Tab led past Streamlit's menu, to the link to the source: the menu comes when one
    # goes round.
    page.keyboard.press("Tab")
    while page.evaluate("everyone.missed()") and page.evaluate("everyone.here()") and stops < 2 * MOST_STOPS:
        page.keyboard.press("Tab")
        stops += 1
    assert page.evaluate("everyone.missed()") == []
    assert page.evaluate("everyone.unseen()") == []
    assert page.evaluate("everyone.thin()") == []


def test_each_page_has_a_heading_and_nothing_is_too_small(visit: Visit) -> None:
    expect(visit.page.get_by_role("heading", level=1)).to_have_count(1)
    assert visit.page.evaluate("everyone.small()") == []


def test_the_pages_are_a_landmark_and_the_first_link_leads_past_them(visit: Visit) -> None:
    page = settle(visit.page)
    pages = page.get_by_role("navigation", name="Pages")
    titles = {name.capitalize() or "Inspect" for name in PAGES}
    assert {link.strip() for link in pages.get_by_role("link").all_inner_texts()} == titles
    expect(pages.locator('[aria-current="page"]')).to_have_text(visit.name.capitalize() or "Inspect")

    skip = page.get_by_role("link", name=re.compile("^Skip to "))
    expect(skip).to_have_count(1)
    skip.press("Enter")
    page.wait_for_function("""() => document.querySelector('[role="navigation"]').compareDocumentPosition(
        document.activeElement) === Node.DOCUMENT_POSITION_FOLLOWING""")


def test_every_chart_and_button_has_a_name_that_says_what_it_is(visit: Visit) -> None:
    heard = settle(visit.page).locator("body").aria_snapshot()

    assert re.findall(r"^ *- img(?:: .*)?$", heard, re.MULTILINE) == []
    assert re.findall(r'^ *- (?:button "Open"|group: "\?")$', heard, re.MULTILINE) == []
    spun = re.findall(r'^ *- spinbutton "([^"]*)"', heard, re.MULTILINE)
    assert len(spun) == len(set(spun))


def test_an_open_list_of_choices_is_in_a_landmark_too(page: Page, serve: Callable[[str], str]) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{serve('app.py')}/{VIEWS['']}")
    settle(page)
    page.get_by_role("combobox", name="Strategy").click()
    expect(page.get_by_role("region", name="Choices: Strategy").get_by_role("listbox")).to_be_visible()

    assert violations(page) == []


def test_axe_finds_nothing_in_the_menu_of_streamlit(page: Page, serve: Callable[[str], str]) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{serve('app.py')}/strategies")
    settle(page)
    page.get_by_role("button", name="Main menu").click()
    item = page.get_by_role("region", name="Streamlit's menu").get_by_role("menuitem").first
    expect(item).to_be_visible()

    assert violations_in_both_schemes(page) == []
    expect(item).to_be_visible()


def test_axe_finds_nothing_where_questions_are_drafted(page: Page, serve: Callable[[str], str]) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.goto(f"{serve('app.py')}/retrieve?document=sample:10-an-api-reference.md")
    settle(page).get_by_role("button", name="Draft questions").click()
    begins = page.get_by_role("button", name="Draft 30 questions")
    expect(begins).to_be_enabled(timeout=PATIENCE)

    assert violations_in_both_schemes(page) == []
    expect(begins).to_be_visible()


@pytest.mark.parametrize(("width", "height"), [(390, 844), *long((720, 450))], ids=["phone", "1440 pixels at 200 %"])
def test_in_a_small_window_nothing_sticks_out_and_axe_finds_nothing(visit: Visit, width: int, height: int) -> None:
    visit.page.set_viewport_size({"width": width, "height": height})
    settle(visit.page)

    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    panels = [each.bounding_box() for each in visit.page.locator('[class*="st-key-compare-panel-"]:visible').all()]
    tops = [panel["y"] for panel in panels if panel]
    ends = [panel["y"] + panel["height"] for panel in panels if panel]
    assert all(end <= top for end, top in zip(ends, tops[1:], strict=False))
    assert violations_in_both_schemes(visit.page) == []
    visit.page.set_viewport_size({"width": 1440, "height": 900})


def test_the_address_alone_brings_the_view_back(visit: Visit) -> None:
    page = settle(visit.page)
    before, address = page.evaluate("everyone.chosen()"), page.url
    page.reload()
    settle(page)

    assert parse_qs(urlsplit(page.url).query) == parse_qs(urlsplit(address).query)
    assert page.evaluate("everyone.chosen()") == before


def test_nothing_left_the_machine_and_nothing_failed(visit: Visit) -> None:
    assert len(visit.asked) > 5
    assert elsewhere(visit.asked) == []
    assert visit.said == []


# ---- whatever the text says, whoever else is there ----


def upload(page: Page, *uploads: tuple[str, str]) -> None:
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator("input[type=file]").set_input_files(
        [FilePayload(name=name, mimeType="text/markdown", buffer=text.encode()) for name, text in uploads]
    )
    page.wait_for_url(re.compile("document=[0-9a-f]{64}"), timeout=PATIENCE)
    page.keyboard.press("Escape")


def tab_to(page: Page, name: str) -> None:
    """Press Tab until the focus is on the control of this name."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate("everyone.name()") == name:
            return
    raise AssertionError(f"Tab does not come to {name}")


def test_by_keyboard_alone_a_strategy_is_chosen_a_threshold_moved_and_a_chunk_read(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.goto(f"{serve('app.py')}/?document=sample:05-deep-nesting.md&strategy=every-heading")
    settle(page)
    tab_to(page, "Strategy")
    page.keyboard.press("ControlOrMeta+a")
    page.keyboard.type("Hierarch")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("[?&]strategy=hierarchical"), timeout=PATIENCE)
    settle(page)
    tab_to(page, "Target, tokens")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    page.wait_for_url(re.compile("target=511"), timeout=PATIENCE)
    settle(page)
    tab_to(page, "Source text of 05-deep-nesting.md")
    page.keyboard.press("j")

    expect(page.locator(".st-key-chunk").get_by_role("heading", name="Chunk 1")).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("j")
    expect(page.locator(".st-key-chunk").get_by_role("heading", name="Chunk 2")).to_be_visible(timeout=PATIENCE)


@pytest.mark.long
def test_on_a_tablet_the_text_the_chosen_chunk_and_the_tabs_are_in_view_together(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{serve('app.py')}/{VIEWS['']}")
    settle(page)

    expect(page.locator(".cs .scroll")).to_be_in_viewport(ratio=1)
    expect(page.locator(".st-key-chunk h2").first).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("tab", name="Export")).to_be_in_viewport(ratio=1)
    expect(page.locator("section.rail")).to_be_in_viewport()
    assert page.evaluate("document.documentElement.scrollWidth") <= 1024


def hostile_text() -> str:
    """Ours, and what the shared material has for the screen, where it is there."""
    folder = ROOT.parent / "shared" / "adversarial" / "texts"
    found = [*sorted(folder.glob("xss_*.md")), folder / "streamlit_directives.md", folder / "prompt_injection.md"]
    return "\n\n".join([HOSTILE, *(path.read_text(encoding="utf-8") for path in found if path.is_file())])


def test_hostile_text_and_names_are_only_ever_text_on_every_page(page: Page, serve: Callable[[str], str]) -> None:
    seen = watched(page)
    dialogs: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", dismiss)
    page.goto(f"{serve('app.py')}/?strategy=every-heading")
    settle(page)
    upload(page, (NAME, hostile_text()))
    settle(page)
    page.locator(".lbl button").first.click()
    expect(page.locator(".st-key-chunk .cs-crumb")).to_contain_text(":red[x] $y$ <img", timeout=PATIENCE)

    for name in PAGES:
        page.locator(".st-key-nav").get_by_role("link", name=name.capitalize() or "Inspect", exact=True).click()
        page.wait_for_url(re.compile(rf"^[^?]*//[^/?]+/{name}(\?|$)"), timeout=PATIENCE)
        settle(page)
        named = [value for label, value in page.evaluate("everyone.chosen()") if label == "Document"]
        assert all(str(value).startswith(":red[x] $y$ <img") for value in named), name
        assert len(named) == (name not in ("corpus", "strategies")), name
        if name == "corpus":
            expect(page.locator(".corpus .base")).to_contain_text(":red[x] $y$ <img", timeout=PATIENCE)
        assert page.evaluate("everyone.foreign()") == [], name
        assert page.evaluate("typeof owned") == "undefined", name
        assert page.title().endswith("Chunkscope"), name
        expect(page.get_by_text("Traceback")).to_have_count(0)
    assert (dialogs, elsewhere(seen.asked)) == ([], [])


@pytest.mark.long
def test_two_people_work_on_their_own_documents_at_once(
    page: Page, browser: Browser, serve: Callable[[str], str]
) -> None:
    texts = {"mine.md": "# Mine\n\nalpha\n", "yours.md": "# Yours\n\nbeta\n\n## Two\n\ngamma\n"}
    pages = {"mine.md": page, "yours.md": browser.new_context().new_page()}
    for page in pages.values():
        page.goto(f"{serve('app.py')}/?strategy=every-heading")
    for page in pages.values():
        settle(page)
    for name, page in pages.items():
        upload(page, (name, texts[name]))

    expect(pages["mine.md"].locator(".crumb")).to_contain_text("mine.md › Mine", timeout=PATIENCE)
    expect(pages["yours.md"].locator(".crumb")).to_contain_text("yours.md › Yours", timeout=PATIENCE)
    expect(pages["mine.md"].locator(".cs-strip b").first).to_have_text("1")
    expect(pages["yours.md"].locator(".cs-strip b").first).to_have_text("2")
    for name, page in pages.items():
        assert not any(other in page.content() for other in texts if other != name)
    pages["yours.md"].context.close()


def test_a_file_over_the_limit_is_refused_before_it_is_sent_with_the_way_out_beside_it(
    page: Page, serve: Callable[[str], str], tmp_path: Path
) -> None:
    large = tmp_path / "large.md"
    large.write_bytes(b"word " * 12_000_000)
    page.goto(f"{serve('app.py')}/?strategy=every-heading")
    settle(page)
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator("input[type=file]").set_input_files(large)

    expect(page.get_by_text("File must be 50.0MB or smaller.")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("Over 50 MB a file, or 10 MB pasted: chunkscope run CONFIG FILE cuts")).to_be_visible()
    expect(page.locator(".cs[data-painted]")).to_be_visible()
