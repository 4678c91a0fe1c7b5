"""Inspect as a person uses it, in real Chromium: upload, drag, choose, export, replay, share,
phone, dark."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from panels import open_panel
from playwright.sync_api import Browser, FilePayload, Locator, Page, expect

from chunking import Config, parse, run
from pages.ui.components.first_steps import COOKIE, DISMISSED

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
    page.get_by_role("button", name="Add").click()
    page.locator("input[type=file]").set_input_files(
        [FilePayload(name=name, mimeType="text/markdown", buffer=text.encode()) for name, text in files]
    )
    page.wait_for_url(re.compile("document=[0-9a-f]{64}"), timeout=PATIENCE)
    page.keyboard.press("Escape")


def query(page: Page) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


def test_the_first_page_shows_a_document_cut_within_five_seconds(page: Page, serve: Callable[[str], str]) -> None:
    address = serve("app.py")
    opened(page, address)  # the first ever also imports everything
    page.goto(address)
    busy = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))  # others' work on this machine is not ours to time
    page.locator(".cs[data-painted]").wait_for(timeout=5_000 * busy)

    assert chunk_count(page) >= 1
    expect(page.get_by_text("Traceback")).to_have_count(0)


def test_the_strategies_page_opens_at_its_own_address(page: Page, serve: Callable[[str], str]) -> None:
    page.goto(f"{serve('app.py')}/strategies?strategy=every-heading")

    expect(page.get_by_role("heading", name="Every heading")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("link", name="Inspect").click()
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)


def test_an_upload_is_cut_and_shown(inspect: Callable[..., Page]) -> None:
    page = inspect("?strategy=every-heading")
    upload(page, ("kettle.md", TEXT))

    expect(page.locator(".cs-strip b").first).to_have_text("13")
    expect(page.locator(".crumb")).to_contain_text("kettle.md")


def test_the_documents_of_an_archive_are_cut_and_what_leads_out_of_it_is_one_line(
    inspect: Callable[..., Page],
) -> None:
    page = inspect("?strategy=every-heading")
    page.get_by_role("button", name="Add").click()
    packed = archive({"../out.md": "# Out\n", "guide/tea.md": "# Tea\n", "guide/kettle.md": TEXT})
    page.locator("input[type=file]").set_input_files(
        [FilePayload(name="docs.tar.gz", mimeType="application/octet-stream", buffer=packed)]
    )
    expect(page.locator(".st-key-chosen .cs-problem")).to_contain_text("docs.tar.gz/../out.md", timeout=PATIENCE)
    page.keyboard.press("Escape")

    expect(page.locator(".cs-strip b").first).to_have_text("13", timeout=PATIENCE)
    expect(page.locator(".crumb")).to_contain_text("kettle.md")
    page.get_by_role("combobox", name="Document").click()
    expect(page.get_by_role("option").filter(has_text="docs.tar.gz/guide")).to_have_text(
        ["docs.tar.gz/guide/tea.md", "docs.tar.gz/guide/kettle.md"]
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


def test_a_bad_file_is_one_line_beside_the_document_and_the_view_stays(inspect: Callable[..., Page]) -> None:
    page = inspect("?strategy=every-heading")
    before = chunk_count(page)
    page.get_by_role("button", name="Add").click()
    page.locator("input[type=file]").set_input_files(
        [FilePayload(name="broken.md", mimeType="text/markdown", buffer=b"# a\n\xff\xfe\n")]
    )
    expect(page.locator(".st-key-chosen .cs-problem")).to_contain_text("broken.md", timeout=PATIENCE)
    page.keyboard.press("Escape")

    assert chunk_count(page) == before


def test_boundaries_follow_while_the_pointer_is_down(inspect: Callable[..., Page]) -> None:
    page = inspect("?strategy=hierarchical&target=200")
    upload(page, ("kettle.md", TEXT))
    slider = page.locator("section.rail input[type=range]").last
    slider.scroll_into_view_if_needed()
    before, address = chunk_count(page), page.url
    page.mouse.move(*place_of(slider, float(slider.input_value())))
    page.mouse.down()
    page.mouse.move(*place_of(slider, 320), steps=12)

    expect(page.locator(".cs-strip b").first).not_to_have_text(str(before), timeout=PATIENCE)
    assert page.url == address
    page.mouse.up()
    page.wait_for_url(re.compile("hardCap="), timeout=PATIENCE)


def place_of(slider: Locator, value: float) -> tuple[float, float]:
    """Where the slider's thumb stands on the page at this value."""
    box = slider.bounding_box()
    assert box is not None
    low, high = float(slider.get_attribute("min") or 0), float(slider.get_attribute("max") or 1)
    return box["x"] + 10 + (value - low) / (high - low) * (box["width"] - 20), box["y"] + box["height"] / 2


def test_a_setting_against_another_is_said_beside_it_and_the_last_good_view_stays(inspect: Callable[..., Page]) -> None:
    page = inspect("?strategy=hierarchical")
    before = chunk_count(page)
    page.locator("section.rail input.number").first.fill("1500")
    page.keyboard.press("Enter")

    said = page.locator("section.rail .error:visible")
    expect(said).to_have_text("Target must be at most 1,024 (Hard cap). Showing 512.", timeout=PATIENCE)
    assert chunk_count(page) == before


def test_a_clicked_chunk_shows_its_text_its_tokens_and_why_it_ends(inspect: Callable[..., Page]) -> None:
    sample = SAMPLES / "01-headings-without-content.md"
    chunks = run(parse(sample.read_text(), name=sample.name), Config.of("every-heading", {})).chunks
    page = inspect("?document=sample:01-headings-without-content.md&strategy=every-heading")
    page.locator(".lbl button").nth(1).click()

    panel = page.locator(".st-key-chunk")
    expect(panel.get_by_role("heading", name=f"Chunk 2 of {len(chunks)}")).to_be_visible(timeout=PATIENCE)
    expect(panel.locator("pre code").first).to_have_text(chunks[1].text)
    expect(panel).to_contain_text(re.compile(rf"body\s*{chunks[1].tokens}\D"))
    expect(panel).to_contain_text("Tokenizer cl100k_base")
    expect(panel).to_contain_text("The next heading begins on line")
    assert query(page)["at"] == str(chunks[1].body.start)


def test_the_selection_survives_another_strategy(inspect: Callable[..., Page]) -> None:
    page = inspect("?strategy=every-heading&at=700")
    page.goto(page.url.replace("strategy=every-heading", "strategy=hierarchical", 1))

    expect(page.locator(".st-key-chunk h2").first).to_contain_text("Chunk", timeout=PATIENCE)
    assert query(page)["at"] == "700"


def test_the_outline_goes_to_its_heading(inspect: Callable[..., Page]) -> None:
    page = inspect("?document=sample:01-headings-without-content.md&strategy=every-heading")
    outline = page.get_by_role("listbox", name="Headings of the document")
    outline.evaluate("e => e.scrollTop = 260")
    outline.get_by_role("option", name="line 73").click()

    page.wait_for_url(re.compile("at="), timeout=PATIENCE)
    sample = (SAMPLES / "01-headings-without-content.md").read_text()
    assert sample[: int(query(page)["at"])].count("\n") == 72
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    page.wait_for_url(
        lambda url: sample[: int(parse_qs(urlsplit(url).query)["at"][0])].count("\n") < 72, timeout=PATIENCE
    )


def test_the_exported_yaml_verifies_with_the_fingerprint_the_app_showed(
    inspect: Callable[..., Page], tmp_path: Path
) -> None:
    page = inspect("?strategy=hierarchical&hardCap=700&target=300")
    upload(page, ("kettle.md", TEXT))
    open_panel(page, "Export")
    with page.expect_download() as yaml:
        page.get_by_role("button", name="YAML").click()
    with page.expect_download() as lines:
        page.get_by_role("button", name="Chunks").click()
    yaml.value.save_as(tmp_path / "chunks.yaml")
    lines.value.save_as(tmp_path / "chunks.jsonl")
    (tmp_path / "kettle.md").write_bytes(TEXT.encode())
    expected = run(parse(TEXT, name="kettle.md"), Config.of("hierarchical", {"hardCap": 700, "target": 300}))

    assert f"sha256:{expected.fingerprint}" in (tmp_path / "chunks.yaml").read_text()
    verified = command("verify", "chunks.yaml", "kettle.md", cwd=tmp_path)
    assert verified.returncode == 0, verified.stderr
    replayed = command("run", "chunks.yaml", "kettle.md", cwd=tmp_path)
    assert replayed.stdout == (tmp_path / "chunks.jsonl").read_text()


def command(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A `chunkscope` command line, as somebody would type it."""
    start = [sys.executable, "-c", "from chunking.cli import main; main()"]
    return subprocess.run([*start, *words], cwd=cwd, capture_output=True, text=True, check=False)


def test_a_link_opens_the_same_view_in_another_browser(inspect: Callable[..., Page], browser: Browser) -> None:
    page = inspect("?strategy=hierarchical&target=200&hardCap=300&was.strategy=hierarchical&at=900")
    shown = page.locator(".cs-strip").inner_text()
    other = opened(browser.new_page(), page.url)

    assert other.locator(".cs-strip").inner_text() == shown
    expect(other.locator(".st-key-chunk h2").first).to_contain_text("Chunk", timeout=PATIENCE)
    other.close()


def test_two_people_have_their_own_documents(inspect: Callable[..., Page], browser: Browser) -> None:
    page = inspect("?strategy=every-heading")
    upload(page, ("mine.md", TEXT))
    other = browser.new_page()
    other.goto(page.url)

    expect(other.get_by_text("Open the document to see this view")).to_be_visible(timeout=PATIENCE)
    expect(other.locator(".cs-empty")).to_contain_text("Add mine.md")
    expect(other.locator(".cs[data-painted]")).to_have_count(0)
    expect(other.get_by_text(TEXT.splitlines()[0])).to_have_count(0)
    other.close()


def test_hostile_names_and_headings_are_text(inspect: Callable[..., Page]) -> None:
    page = inspect("?strategy=every-heading")
    upload(page, (HOSTILE_NAME, HOSTILE))
    expect(page.locator(".cs-strip b").first).to_have_text("2")
    page.locator(".lbl button").first.click()

    panel = page.locator(".st-key-chunk")
    expect(panel.locator(".cs-crumb")).to_contain_text(":red[warning] $x$", timeout=PATIENCE)
    expect(panel.locator("pre code").first).to_contain_text("<script>document.title='owned'</script>")
    assert page.title() == "Inspect · Chunkscope"
    expect(page.locator("img[src=x], .katex, a[href^=javascript]")).to_have_count(0)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_its_ground_in_both_themes(
    browser: Browser, serve: Callable[[str], str], scheme: str
) -> None:
    page = browser.new_page(color_scheme=scheme)  # type: ignore[arg-type]
    opened(page, f"{serve('app.py')}/?at=10")
    ground = page.evaluate("getComputedStyle(document.querySelector('.stApp')).backgroundColor")
    text = page.evaluate("getComputedStyle(document.querySelector('.cs-strip b')).color")

    assert (sum(rgb(ground)) < 200) == (scheme == "dark")
    assert abs(sum(rgb(ground)) - sum(rgb(text))) > 450
    page.close()


def rgb(colour: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", colour)[:3]]


def test_on_a_phone_the_thresholds_and_the_text_are_in_view_together(
    browser: Browser, serve: Callable[[str], str]
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.context.add_cookies([{"name": COOKIE, "value": DISMISSED, "url": serve("app.py")}])
    opened(page, f"{serve('app.py')}/?strategy=hierarchical")
    rail, source = page.locator("section.rail").bounding_box(), page.locator(".cs .scroll").bounding_box()
    assert rail is not None
    assert source is not None

    assert rail["y"] + 60 < 844
    assert min(source["y"] + source["height"], rail["y"]) - source["y"] > 200
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()


def test_a_typed_threshold_may_go_beyond_the_slider(inspect: Callable[..., Page]) -> None:
    page = inspect("?document=sample:10-an-api-reference.md&strategy=heading-window")
    field = page.get_by_role("spinbutton", name="Maximum, tokens")
    field.fill("5000")
    field.press("Enter")

    page.wait_for_url(re.compile("maxTokens=5000"), timeout=PATIENCE)
    expect(field).to_have_value("5000")


def test_what_was_left_out_can_be_chosen_and_a_link_to_it_shows_it(inspect: Callable[..., Page]) -> None:
    page = inspect("?document=sample:10-an-api-reference.md&strategy=heading-window&counter=words-1.3&at=8300")
    skipped = page.locator(".lbl.gone button")

    expect(skipped).to_be_in_viewport()
    expect(page.get_by_role("heading", name="Left out")).to_be_visible()
    page.locator(".lbl:not(.gone) button").last.click()
    expect(page.get_by_role("heading", name="Chunk 6")).to_be_visible()
    skipped.click()
    expect(page.get_by_role("heading", name="Left out")).to_be_visible()


def test_a_refusal_is_gone_once_a_good_file_is_added(inspect: Callable[..., Page]) -> None:
    page = inspect("?strategy=every-heading")
    page.get_by_role("button", name="Add").click()
    files = page.locator("input[type=file]")
    files.set_input_files({"name": "bad.md", "mimeType": "text/markdown", "buffer": b"\xff\x00\xff"})
    expect(page.locator(".cs-problem").first).to_contain_text("bad.md")

    files.set_input_files({"name": "good.md", "mimeType": "text/markdown", "buffer": b"# A\n\nx\n"})

    page.wait_for_url(re.compile("document=[0-9a-f]{64}"), timeout=PATIENCE)
    expect(page.locator(".cs-problem")).to_have_count(0)


def test_back_and_forward_go_through_the_views(inspect: Callable[..., Page]) -> None:
    page = inspect("?document=sample:01-headings-without-content.md&strategy=fixed")
    strategy = page.get_by_role("combobox", name="Strategy")
    expect(strategy).to_have_value(re.compile("^Fixed size"))
    strategy.click()
    page.get_by_role("option", name="Every heading").click()
    page.wait_for_url(re.compile("[?&]strategy=every-heading"), timeout=PATIENCE)

    page.go_back()
    expect(strategy).to_have_value(re.compile("^Fixed size"), timeout=PATIENCE)
    page.go_forward()
    expect(strategy).to_have_value(re.compile("^Every heading"), timeout=PATIENCE)


def test_the_address_of_the_strategies_page_names_the_strategy_that_is_shown(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.goto(f"{serve('app.py')}/strategies")
    shown = page.get_by_role("heading", level=1)
    for name, title in (("fixed", "Fixed size"), ("recursive", "Recursive")):
        page.locator(f".st-key-strategy-links a[href$='strategy={name}']").click()
        page.wait_for_url(re.compile(f"strategies[?]strategy={name}$"), timeout=PATIENCE)
        expect(shown).to_contain_text(title, timeout=PATIENCE)

    page.go_back()
    page.wait_for_url(re.compile("strategies[?]strategy=fixed$"), timeout=PATIENCE)
    expect(shown).to_contain_text("Fixed size", timeout=PATIENCE)
    page.reload()
    expect(shown).to_contain_text("Fixed size", timeout=PATIENCE)


def test_a_strategys_page_leads_to_that_strategy(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, f"{serve('app.py')}/?strategy=fixed")
    page.get_by_role("link", name="Strategies").click()
    page.get_by_role("link", name="Try it on a document").click()

    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    expect(page.get_by_role("combobox", name="Strategy")).not_to_have_value(re.compile("^Fixed size"), timeout=PATIENCE)


def test_the_keyboard_skips_to_the_source(page: Page, serve: Callable[[str], str]) -> None:
    opened(page, f"{serve('app.py')}/?document=sample:02-a-huge-table.md")
    link = page.get_by_role("link", name="Skip to the source")
    for _ in range(6):
        page.keyboard.press("Tab")
        if link.evaluate("link => link.matches(':focus')"):
            break
    page.keyboard.press("Enter")

    expect(page.get_by_role("region", name="Source text of 02-a-huge-table.md")).to_be_focused()
