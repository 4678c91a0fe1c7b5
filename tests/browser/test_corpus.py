"""Many documents under one config, in a browser: the worst found, a folder given an override, what
is exported replayed by command."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from command_line import chunkscope
from playwright.sync_api import Page, expect
from waiting import until_on

from chunking import Config, Run, parse, run
from chunking.analysis import document_figures, failed_checks, together

PATIENCE = 60_000
DOCUMENTS = 120
CUT = 17
"""Every so many documents have a table that no limit leaves whole."""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """Documents in two folders; in some a table is cut, the more often the later the document."""
    for at in range(DOCUMENTS):
        name = f"{'api' if at % 2 else 'guide/deep'}/page-{at:03}.md"
        sections = "\n".join(f"## Part {part}\n\n{'Words of page ' * 9}{at}.\n" for part in range(3 + at % 5))
        rows = "".join(f"| row {row} of page {at} | {'cell ' * 20}|\n" for row in range(at if at % CUT == 3 else 0))
        file = tmp_path / "docs" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"# Page {at}\n\n{sections}\n## Table\n\n| a | b |\n|---|---|\n{rows}", encoding="utf-8")
    return tmp_path / "docs"


def runs(folder: Path, config: Config) -> dict[str, Run]:
    files = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*.md")}
    texts = {name: file.read_text(encoding="utf-8") for name, file in files.items()}
    return {name: run(parse(text, name=name), config.for_document(name)) for name, text in texts.items()}


def rows(page: Page) -> list[list[str]]:
    """What the rows in view say: name, chunks and cut blocks."""
    script = """lines => lines.map((line) => ["base", "folder", "chunks", "torn"]
        .map((name) => line.querySelector(`.${name}`).textContent))"""
    found = page.locator(".corpus .space .line")
    by_place = "lines => lines.map((line) => Number(line.getAttribute('aria-rowindex')))"
    places, lines = found.evaluate_all(by_place), found.evaluate_all(script)
    return [line for _, line in sorted(zip(places, lines, strict=True))]


def shows(page: Page, folder: Path, config: Config) -> None:
    """Wait until table and strip are of this config."""
    made = runs(folder, config)
    figures = {name: document_figures(each) for name, each in made.items()}
    total = together(figures.values())
    worst = sorted(figures, key=lambda name: (-figures[name].blocks_cut, name))[:6]
    expected = [
        [
            name.rpartition("/")[2],
            name.rpartition("/")[0],
            f"{figures[name].chunk_count:,}",
            f"{figures[name].blocks_cut:,}",
        ]
        for name in worst
    ]
    strip = page.locator(".st-key-corpus-strip .cs-strip b").first

    def agrees() -> bool:
        return rows(page)[:6] == expected and strip.inner_text() == f"{total.chunk_count:,}"

    until_on(page, agrees, otherwise=lambda: f"{rows(page)[:6]}, {strip.inner_text()} in place of {expected}, {total}")


def test_a_folder_is_looked_through_given_an_override_exported_and_replayed(
    page: Page, own_server: Callable[..., str], folder: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    address = own_server("app.py", variables={"CHUNKSCOPE_FILES": json.dumps([str(folder)])})
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{address}/corpus?strategy=heading-window&minTokens=60&minTokensDeeper=90&maxTokens=300")
    config = Config.of("heading-window", {"minTokens": 60, "minTokensDeeper": 90, "maxTokens": 300})
    expect(page.locator(".corpus .says")).to_have_text(f"{DOCUMENTS} of {DOCUMENTS}", timeout=PATIENCE)
    shows(page, folder, config)

    # A drag: all rows follow, in the order from before it; then the worst are first again.
    order = [row[:2] for row in rows(page)]
    summary = page.locator(".st-key-corpus-rail .summary")
    before = summary.inner_text()
    slider = page.get_by_role("slider", name="Maximum", exact=False)
    box = slider.bounding_box()
    assert box
    slider.hover()
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + box["height"] / 2, steps=8)
    expect(summary).not_to_have_text(before, timeout=PATIENCE)
    assert [row[:2] for row in rows(page)] == order
    page.mouse.up()
    until_on(page, lambda: "maxTokens" in page.url and linked(page) != config, otherwise=lambda: page.url)
    config = linked(page)
    shows(page, folder, config)

    # An override for one folder.
    page.get_by_role("button", name="Add an override").click()
    page.get_by_role("textbox", name="Pattern of names").fill("api/**")
    page.get_by_role("textbox", name="Settings", exact=True).fill("maxTokens: 150")
    page.get_by_role("button", name="Add the override").click()
    expect(page.get_by_text("api/** maxTokens 150").first).to_be_visible(timeout=PATIENCE)
    config = Config.from_yaml(config.to_yaml() + "overrides:\n  api/**: {maxTokens: 150}\n")
    shows(page, folder, config)

    # Only what fails a health check.
    failing = [
        name for name, each in runs(folder, config).items() if "tables" in {of.name for of in failed_checks(each)}
    ]
    checks = page.get_by_role("combobox", name="Health check")
    expect(checks.locator("option[value=tables]")).to_have_text(
        f"Tables kept whole: {len(failing)} failed", timeout=PATIENCE
    )
    checks.select_option("tables")
    until_on(
        page,
        lambda: sorted("/".join(reversed(row[:2])) for row in rows(page)) == sorted(failing) and "check=" in page.url,
        otherwise=lambda: f"{rows(page)} in place of {failing}, {page.url}",
    )
    checks.select_option("")
    until_on(page, lambda: "check=" not in page.url, otherwise=lambda: page.url)
    shows(page, folder, config)

    # The worst document at its worst place, and back at its row.
    name = "/".join(reversed(rows(page)[0][:2]))
    page.locator(".corpus .space .line").first.click()
    page.wait_for_url(re.compile(r"/\?document="), timeout=PATIENCE)
    page.locator(".cs[data-painted]").wait_for(timeout=PATIENCE)
    expect(page.locator(".st-key-chunk")).to_contain_text("This boundary cuts the table", timeout=PATIENCE)
    expect(page.locator(".cs-strip b").first).to_have_text(
        f"{len(runs(folder, config)[name].chunks)}", timeout=PATIENCE
    )
    page.go_back()
    expect(page.locator('.corpus .line[aria-selected="true"] .base')).to_have_text(
        name.rpartition("/")[2], timeout=PATIENCE
    )
    shows(page, folder, config)

    # What is exported is what the command line cuts.
    page.get_by_role("button", name="Export", exact=True).click()
    with page.expect_download(timeout=PATIENCE) as download:
        page.get_by_role("button", name="YAML", exact=True).click()
    yaml = tmp_path / "chunks.yaml"
    yaml.write_bytes(Path(download.value.path()).read_bytes())
    verified = chunkscope(capfd, "verify", str(yaml), str(folder), "--root", str(folder))
    assert verified.code == 0, verified
    assert Config.from_yaml(yaml.read_text(encoding="utf-8")) == config


def linked(page: Page) -> Config:
    """The config of the address, without its overrides."""
    query = {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}
    ours = {name: text for name, text in query.items() if not re.match(r"was\.|overrides$|row$", name)}
    return Config.from_query(ours)


def test_no_number_of_the_strip_takes_the_room_of_what_stands_beside_it(
    page: Page, serve: Callable[[str], str]
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{serve('app.py')}/corpus")
    strip = page.locator(".st-key-corpus-strip .cs-strip")
    expect(strip.locator(".cs-was").last).to_be_visible(timeout=PATIENCE)

    clipped = "all => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"
    assert strip.locator(".cs-was").evaluate_all(clipped) == []


@pytest.mark.long
def test_what_is_over_the_limit_with_its_context_alone_is_said_as_inspect_says_it(
    page: Page, own_server: Callable[..., str], tmp_path: Path
) -> None:
    parts = "".join(f"## Part {part}\n\n{'word ' * 26}\n\n" for part in range(4))
    (tmp_path / "over.md").write_text(f"# A heading of some length\n\n{parts}", encoding="utf-8")
    (tmp_path / "within.md").write_text("# Short\n\n" + "word " * 22, encoding="utf-8")
    address = own_server("app.py", variables={"CHUNKSCOPE_FILES": json.dumps([str(tmp_path)])})
    config = Config.of("heading-window", {"minTokens": 20, "minTokensDeeper": 20, "maxTokens": 36})
    found = runs(tmp_path, config)["over.md"].metrics
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{address}/corpus?strategy=heading-window&minTokens=20&minTokensDeeper=20&maxTokens=36")

    said = f"{found.over_with_context} more with context"
    cell = page.get_by_role("row").filter(has_text="over.md").get_by_role("gridcell", name=f"0, {said}", exact=True)
    expect(cell.get_by_text(f"+{found.over_with_context} with context", exact=True)).to_be_visible(timeout=PATIENCE)
    strip = page.locator(".st-key-corpus-strip .cs-strip")
    expect(strip).to_contain_text("% with context")
    page.get_by_role("button", name="Over the maximum 0, 1 more with context").click()
    expect(page.locator(".corpus .says")).to_have_text("1 of 2 shown")
    expect(page.get_by_role("row").filter(has_text="over.md")).to_be_visible()
    page.set_viewport_size({"width": 1200, "height": 900})
    strips = page.locator(".corpus .cell.strip")
    assert min(strips.evaluate_all("all => all.map((each) => each.clientWidth)")) >= 140


@pytest.mark.long
def test_a_median_between_two_sizes_is_the_same_number_in_corpus_and_in_inspect(
    page: Page, own_server: Callable[..., str], tmp_path: Path
) -> None:
    (tmp_path / "half.md").write_text(f"# One\n\n{'word ' * 20}\n\n# Two\n\n{'word ' * 25}\n", encoding="utf-8")
    address = own_server("app.py", variables={"CHUNKSCOPE_FILES": json.dumps([str(tmp_path)])})
    median = runs(tmp_path, Config.of("every-heading", {}))["half.md"].metrics.median_tokens
    assert median % 1 == 0.5
    page.goto(f"{address}/corpus?strategy=every-heading")

    cell = page.get_by_role("row").filter(has_text="half.md").get_by_role("gridcell", name=str(median), exact=True)
    expect(cell).to_be_visible(timeout=PATIENCE)
    strip = page.locator(".st-key-corpus-strip .cs-strip > :nth-child(2) b")
    expect(strip).to_have_text(str(median))
    cell.click()
    strip = page.locator(".st-key-numbers .cs-strip > :nth-child(2) b")
    expect(strip).to_have_text(str(median), timeout=PATIENCE)


def test_the_map_of_all_documents_names_them_and_leads_to_a_chunk_and_back(
    page: Page, own_server: Callable[..., str], folder: Path
) -> None:
    for file in [*folder.rglob("*.md")][5:]:
        file.unlink()
    address = own_server("app.py", variables={"CHUNKSCOPE_FILES": json.dumps([str(folder)])})
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{address}/corpus?strategy=every-heading")
    table = page.locator(".st-key-corpus-table .grid")
    table.wait_for(timeout=PATIENCE)
    before = table.bounding_box()
    page.get_by_role("radio", name="Map").click()
    points = page.get_by_role("region", name="Points: ").get_by_role("button")
    points.nth(2).wait_for(timeout=2 * PATIENCE)
    after = page.locator(".map").bounding_box()
    assert before
    assert after
    assert before["height"] == 36 + 5 * 46  # its head and five rows, and nothing below them
    assert before["y"] + before["height"] < after["y"] + after["height"] <= 900

    expect(page.locator(".plane > svg .point")).to_have_count(points.count())
    expect(page.get_by_role("list", name="Colours and shapes").get_by_role("listitem")).to_have_count(5)
    expect(page.get_by_role("region", name="Near-duplicates across documents: ")).to_contain_text(".md")

    points.first.focus()
    page.keyboard.press("j")
    expect(points.nth(1)).to_be_focused()
    expect(page.locator(".plane > svg .point.at")).to_have_count(1)
    name = points.nth(1).locator(".document").inner_text()
    page.keyboard.press("Enter")
    expect(page.locator(".st-key-chunk")).to_contain_text("Chunk 2", timeout=PATIENCE)
    page.go_back()
    opened = page.get_by_role("list", name="Colours and shapes").get_by_text(f"opened last: {name}")
    expect(opened).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("radio", name="Map")).to_be_checked()
