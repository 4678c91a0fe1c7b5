"""Inspect as a person uses it, in real Chromium: upload, drag, choose, export, replay, share,
phone, dark."""

from __future__ import annotations

import io
import os
import re
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from command_line import chunkscope
from panels import open_panel
from playwright.sync_api import FilePayload, Page, expect
from seen_first import WHAT_IS_SEEN_FIRST
from waiting import until_on

from chunking import Config, parse, run

SAMPLES = Path(__file__).parents[2] / "sample_docs"
TEXT = "# Kettle\n\nintro\n\n" + "".join(f"## Step {n}\n\n{'water and steam ' * 30}\n\n" for n in range(1, 13))
HOSTILE_NAME = ":red[x] $y$ <img src=x onerror=alert(1)>.md"
HOSTILE = (
    "# :red[warning] $x$ <script>document.title='owned'</script>\n\n:material/home: `text`\n\n"
    "## [a](javascript:alert(1)) <img src=x onerror=\"document.title='owned'\">\n\nmore\n"
)
PATIENCE = 45_000


@pytest.fixture
def inspect(page: Page, serve: Callable[[str], str]) -> Callable[..., Page]:
    """`inspect(query)` opens the page and waits until a document is cut and painted."""
    return lambda query="": opened(page, f"{serve('app.py')}/{query}")


def opened(page: Page, address: str) -> Page:
    page.goto(address)
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    page.locator(".cs-strip").wait_for(timeout=PATIENCE)
    return page


def chunk_count(page: Page) -> int:
    """What the strip says."""
    return int(page.locator(".cs-strip b").first.inner_text().replace(",", ""))


def upload(page: Page, *files: tuple[str, str]) -> None:
    page.get_by_role("button", name="Add", exact=True).click()
    page.locator("input[type=file]").set_input_files(
        [FilePayload(name=name, mimeType="text/markdown", buffer=text.encode()) for name, text in files]
    )
    page.wait_for_url(re.compile("document=[0-9a-f]{64}"), timeout=PATIENCE)
    page.keyboard.press("Escape")


WATCH_GREYING = """() => {
    const right = document.querySelector(".st-key-right");
    window.seen = [];
    const look = () => {
        if (!("anotherDocument" in document.documentElement.dataset)) return;
        const old = [...document.querySelectorAll('.st-key-checked [data-stale="true"]')];
        window.seen.push([right.ariaBusy, Math.max(0, ...old.map((each) => Number(getComputedStyle(each).opacity)))]);
    };
    new MutationObserver(look).observe(document, { attributes: true, childList: true, subtree: true });
}"""
"""Notes at each change of the page, while it is another document's, whether the panels are said to
be busy, and how strong the strongest is of what is still the former one's."""


def query(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


FIRST_PARTS = ["copy-link", "first-steps", "steps", "numbers", "source-view", "panel-tabs"]


def test_the_first_page_is_whole_and_there_within_five_seconds(page: Page, serve: Callable[[str], str]) -> None:
    address = serve("app.py")
    opened(page, address)  # the first ever also imports everything
    page.add_init_script(WHAT_IS_SEEN_FIRST)
    page.goto(address)
    busy = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))  # others' work on this machine is not ours to time
    page.locator(".cs[data-painted]").wait_for(timeout=5_000 * busy)

    assert chunk_count(page) >= 1
    expect(page.get_by_text("Traceback")).to_have_count(0)
    first = until_on(page, lambda: page.evaluate("window.seenFirst"))
    missing = [name for name in FIRST_PARTS if not any(f"st-key-{name} " in each for each in first["drawn"])]
    assert first["skeletons"] == 0
    assert not missing or first["spinners"]  # on a slow machine a spinner says what takes long


def add(page: Page, name: str, content: bytes) -> None:
    """Give a file to the dialog that is open."""
    page.locator("input[type=file]").set_input_files(
        [FilePayload(name=name, mimeType="application/octet-stream", buffer=content)]
    )


def test_what_is_added_is_cut_and_what_cannot_be_read_is_one_line_until_a_good_file_comes(
    inspect: Callable[..., Page],
) -> None:
    page = inspect("?strategy=every-heading")
    upload(page, ("kettle.md", TEXT))
    strip, problem = page.locator(".cs-strip b").first, page.locator(".st-key-chosen .cs-problem")
    expect(strip).to_have_text("13")
    expect(page.locator(".crumb")).to_contain_text("kettle.md")

    page.get_by_role("button", name="Add", exact=True).click()
    add(page, "broken.md", b"# a\n\xff\xfe\n")
    expect(problem).to_contain_text("broken.md", timeout=PATIENCE)
    expect(strip).to_have_text("13")
    before = page.url
    add(page, "good.md", b"# A\n\nx\n")
    expect(page).not_to_have_url(before, timeout=PATIENCE)
    expect(page.locator(".cs-problem")).to_have_count(0, timeout=PATIENCE)
    expect(strip).to_have_text("1", timeout=PATIENCE)

    page.get_by_role("button", name="Add", exact=True).click()
    packed = {"../out.md": "# Out\n", "guide/kettle.md": f"{TEXT}poured\n", "guide/tea.md": "# Tea\n"}
    add(page, "docs.tar.gz", archive(packed))
    expect(problem).to_contain_text("docs.tar.gz/../out.md", timeout=PATIENCE)
    page.keyboard.press("Escape")
    expect(strip).to_have_text("13", timeout=PATIENCE)
    expect(page.locator(".crumb")).to_contain_text("kettle.md")
    page.get_by_role("combobox", name="Document").click()
    expect(page.get_by_role("option").filter(has_text="docs.tar.gz/guide")).to_have_text(
        ["docs.tar.gz/guide/kettle.md", "docs.tar.gz/guide/tea.md"]
    )


def archive(members: Mapping[str, str]) -> bytes:
    """A tar.gz of documents by their names."""
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w:gz") as tar:
        for name, text in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))
    return made.getvalue()


@pytest.mark.long
def test_the_keyboard_skips_to_the_source_a_click_shows_a_chunk_and_the_outline_goes_to_its_heading(
    inspect: Callable[..., Page],
) -> None:
    sample = SAMPLES / "01-headings-without-content.md"
    text = sample.read_text()
    chunks = run(parse(text, name=sample.name), Config.of("every-heading", {})).chunks
    page = inspect(f"?document=sample:{sample.name}&strategy=every-heading")
    link = page.get_by_role("link", name="Skip to the source")
    for _ in range(6):
        page.keyboard.press("Tab")
        if link.evaluate("link => link.matches(':focus')"):
            break
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name=f"Source text of {sample.name}")).to_be_focused()

    page.locator(".lbl button").nth(1).click()
    panel = page.locator(".st-key-chunk")
    expect(panel.get_by_role("heading", name=f"Chunk 2 of {len(chunks)}")).to_be_visible(timeout=PATIENCE)
    expect(panel.locator("pre code").first).to_have_text(chunks[1].text)
    expect(panel).to_contain_text(re.compile(rf"body\s*{chunks[1].tokens}\D"))
    expect(panel).to_contain_text("Tokenizer cl100k_base")
    expect(panel).to_contain_text("The next heading begins on line")
    assert query(page)["at"] == str(chunks[1].body.start)

    outline = page.get_by_role("listbox", name="Headings of the document")
    outline.evaluate("e => e.scrollTop = 260")
    outline.get_by_role("option", name="line 73").click()
    page.wait_for_url(lambda url: line_at(text, url) == 73, timeout=PATIENCE)
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: line_at(text, url) < 73, timeout=PATIENCE)


def line_at(text: str, url: str) -> int:
    """The line of the place that an address names."""
    return text[: int(parse_qs(urlsplit(url).query)["at"][0])].count("\n") + 1


def test_the_exported_yaml_verifies_with_the_fingerprint_the_app_showed(
    inspect: Callable[..., Page], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    page = inspect("?strategy=hierarchical&hardCap=700&target=300")
    upload(page, ("kettle.md", TEXT))
    open_panel(page, "Export")
    with page.expect_download() as yaml:
        page.get_by_role("button", name="YAML").click()
    with page.expect_download() as lines:
        page.get_by_role("tabpanel", name="Export").get_by_role("button", name="Chunks", exact=True).click()
    yaml.value.save_as(tmp_path / "chunks.yaml")
    lines.value.save_as(tmp_path / "chunks.jsonl")
    (tmp_path / "kettle.md").write_bytes(TEXT.encode())
    expected = run(parse(TEXT, name="kettle.md"), Config.of("hierarchical", {"hardCap": 700, "target": 300}))

    assert f"sha256:{expected.fingerprint}" in (tmp_path / "chunks.yaml").read_text()
    monkeypatch.chdir(tmp_path)
    verified = chunkscope(capfd, "verify", "chunks.yaml", "kettle.md")
    assert verified.code == 0, verified.err
    assert chunkscope(capfd, "run", "chunks.yaml", "kettle.md").out == (tmp_path / "chunks.jsonl").read_text()


def test_what_was_left_out_can_be_chosen_and_a_link_to_it_shows_it(inspect: Callable[..., Page]) -> None:
    page = inspect("?document=sample:10-an-api-reference.md&strategy=heading-window&counter=words-1.3&at=8300")
    skipped = page.locator(".lbl.gone button")

    expect(skipped).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Left out")).to_be_visible()
    page.locator(".lbl:not(.gone) button").last.click()
    expect(page.get_by_role("heading", name="Chunk 6")).to_be_visible()
    skipped.click()
    expect(page.get_by_role("heading", name="Left out")).to_be_visible()


def test_the_selection_survives_another_strategy_and_back_and_forward_go_through_the_views(
    inspect: Callable[..., Page],
) -> None:
    page = inspect("?document=sample:01-headings-without-content.md&strategy=fixed&at=700")
    strategy = page.get_by_role("combobox", name="Strategy")
    expect(strategy).to_have_value(re.compile("^Fixed size"))
    strategy.click()
    page.get_by_role("option", name="Every heading").click()
    page.wait_for_url(re.compile("[?&]strategy=every-heading"), timeout=PATIENCE)
    expect(page.locator(".st-key-chunk h2").first).to_contain_text("Chunk", timeout=PATIENCE)
    assert query(page)["at"] == "700"

    page.go_back()
    expect(strategy).to_have_value(re.compile("^Fixed size"), timeout=PATIENCE)
    page.go_forward()
    expect(strategy).to_have_value(re.compile("^Every heading"), timeout=PATIENCE)


@pytest.mark.long
def test_the_strategies_page_opens_at_its_own_address_names_what_it_shows_and_leads_to_it(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.goto(f"{serve('app.py')}/strategies?strategy=every-heading")
    shown = page.get_by_role("heading", level=1)
    expect(shown).to_contain_text("Every heading", timeout=PATIENCE)
    for name, title in (("fixed", "Fixed size"), ("recursive", "Recursive")):
        page.locator(f".st-key-strategy-links a[href$='strategy={name}']").click()
        page.wait_for_url(re.compile(f"strategies[?]strategy={name}$"), timeout=PATIENCE)
        expect(shown).to_contain_text(title, timeout=PATIENCE)

    page.go_back()
    page.wait_for_url(re.compile("strategies[?]strategy=fixed$"), timeout=PATIENCE)
    expect(shown).to_contain_text("Fixed size", timeout=PATIENCE)
    page.reload()
    expect(shown).to_contain_text("Fixed size", timeout=PATIENCE)

    page.get_by_role("link", name="Try it on a document").click()
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    expect(page.get_by_role("combobox", name="Strategy")).to_have_value(re.compile("^Fixed size"), timeout=PATIENCE)


@pytest.mark.long
def test_what_is_still_of_the_former_document_is_grey_at_once(inspect: Callable[..., Page]) -> None:
    page = inspect("?document=sample:10-an-api-reference.md&strategy=heading-window&panel=checked")
    page.locator('[data-test-script-state="notRunning"]').wait_for(timeout=PATIENCE)
    page.evaluate(WATCH_GREYING)
    upload(page, ("kettles.md", 400 * TEXT))  # two megabytes and more are not there at once
    page.wait_for_function("() => window.seen.length && !('anotherDocument' in document.documentElement.dataset)")

    busy, strengths = zip(*page.evaluate("window.seen"), strict=True)
    assert set(busy) == {"true"}
    assert max(strengths) < 0.4  # 1 for a second and a half before, beside a source that was new
    assert page.locator("[aria-busy=true]").count() == 0


def test_a_long_number_of_the_strip_lies_over_nothing_and_is_whole(inspect: Callable[..., Page]) -> None:
    over = "maxTokens=300&was.strategy=heading-window&was.maxTokens=300"
    page = inspect(f"?document=sample:10-an-api-reference.md&strategy=heading-window&{over}")
    cell = page.locator(".st-key-numbers .cs-strip > div", has_text="Within limits")
    expect(cell).to_contain_text("% with context")

    expect(cell).to_contain_text("baseline 89% (44%)")
    number, baseline = cell.locator("b").bounding_box(), cell.locator(".cs-was").bounding_box()
    assert number is not None
    assert baseline is not None
    assert number["x"] + cell.locator("b").evaluate("each => each.scrollWidth") <= baseline["x"]


@pytest.mark.long
def test_at_200_percent_the_buttons_of_the_header_have_all_their_edges(inspect: Callable[..., Page]) -> None:
    page = inspect("?document=sample:10-an-api-reference.md&strategy=heading-window")
    page.set_viewport_size({"width": 720, "height": 450})
    header = page.locator(".st-key-nav")
    expect(header.get_by_role("button", name="Export")).to_be_visible()

    rows = header.evaluate("""nav => {
        const whole = nav.getBoundingClientRect();
        return [...nav.querySelectorAll(".st-key-nav-buttons [class*=st-key-]")]
            .map((each) => each.getBoundingClientRect()).filter((each) => each.height > 8)
            .map((each) => [each.top - whole.top, whole.bottom - each.bottom]);
    }""")
    assert len(rows) >= 3
    assert min(map(min, rows)) >= 0, rows
