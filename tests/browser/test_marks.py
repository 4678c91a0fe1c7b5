"""Marks in real Chromium: mark answers, see which config cuts them, apply the change that keeps one
whole, export."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from marking import FIRST, LINK, PATIENCE, SAMPLE, SECOND, TEXT, mark, opened, select
from panels import open_panel
from playwright.sync_api import Browser, FilePayload, Page, expect
from waiting import until_on

from chunking import Config, Span, parse, run
from chunking.gold.coverage import coverages
from chunking.gold.questions import read_gold

IN_VIEW = """(scroller, words) => new Promise((done, failed) => {
    const until = Date.now() + 45000;
    const look = () => {
        const line = [...scroller.querySelectorAll(".ln")].find((each) => each.textContent.includes(words));
        const [inner, outer] = [line?.getBoundingClientRect(), scroller.getBoundingClientRect()];
        if (inner && inner.top >= outer.top && inner.top < outer.bottom) done();
        else if (Date.now() < until) setTimeout(look, 50);
        else failed(new Error(`${words} is not in view`));
    };
    look();
})"""
"""Waits until the line is in the source's window, wherever that window is on the page."""
THIRD = ("Gneiss, which has", "##### Granodiorite")
FOURTH = ("by shoes, wetted", "a magnifying glass.")
"""Chunks of 250 tokens and more end before "Granodiorite", and chunks of one heading each before
every heading."""
HOSTILE = "Which are :red[mistaken] $x$ <b>?"


def span(ends: tuple[str, str]) -> Span:
    return Span(TEXT.index(ends[0]), TEXT.index(ends[1]) + len(ends[1]))


def test_three_answers_are_marked_compared_fixed_and_the_winner_exported(
    page: Page, serve: Callable[[str], str]
) -> None:
    opened(page, f"{serve('app.py')}/{LINK}")
    mark(page, FIRST, "How are rocks sorted?")
    mark(page, SECOND, "How does plutonic rock form?")
    mark(page, THIRD, HOSTILE)
    expect(page.locator(".marks thead")).to_contain_text(re.compile("Now.*1 of 3 cut.*Baseline.*1 of 3 cut", re.DOTALL))

    expect(page.get_by_role("heading", name="Smallest change that keeps it whole")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_role("button", name="What keeps the mark on line")).to_have_text("Fix…")

    page.get_by_role("link", name="Compare").click()
    rows = page.locator(".marks tbody tr:has(td)")
    expect(rows).to_have_count(3, timeout=PATIENCE)
    expect(rows.nth(0).locator("td").nth(2)).to_contain_text("whole")
    expect(rows.nth(2).locator("td").nth(2)).to_contain_text(re.compile("cut.*minimum-reached", re.DOTALL))
    rows.nth(2).get_by_role("button").click()
    fix = page.locator(".st-key-compare-marked").get_by_role("button", name="Set Minimum minTokens to 223")
    fix.click(timeout=PATIENCE)
    expect(rows.nth(2).locator("td").nth(2)).to_contain_text("whole", timeout=PATIENCE)
    expect(page.locator(".marks thead th").nth(2)).to_contain_text("none cut")

    page.get_by_role("button", name="Open B in Inspect").click()
    page.wait_for_url(re.compile("minTokens=223"), timeout=PATIENCE)
    expect(page.locator(".marks thead th").nth(1)).to_contain_text("none cut", timeout=PATIENCE)
    open_panel(page, "Export")
    with page.expect_download() as winner:
        page.get_by_role("button", name="YAML").click()
    open_panel(page, "Marks")
    with page.expect_download() as questions:
        page.locator(".st-key-marked").get_by_role("button", name="Export", exact=True).click()
    config = Config.from_yaml(winner.value.path().read_text(encoding="utf-8"))
    document = parse(TEXT, name=SAMPLE.name)
    gold = read_gold(questions.value.path().read_text(encoding="utf-8"), [document], json_lines=True)

    assert [(asked.text, asked.answers) for asked in gold.questions] == [
        ("How are rocks sorted?", (span(FIRST),)),
        ("How does plutonic rock form?", (span(SECOND),)),
        (HOSTILE, (span(THIRD),)),
    ]
    assert all(
        coverage.whole for coverage in coverages(run(document, config), [span(FIRST), span(SECOND), span(THIRD)])
    )


@pytest.mark.long
def test_a_file_is_loaded_a_mark_put_back_and_another_session_sees_it(
    page: Page, browser: Browser, serve: Callable[[str], str]
) -> None:
    sample = "06-no-headings.md"
    text = (SAMPLE.parent / sample).read_text(encoding="utf-8")
    boundary = run(parse(text, name=sample), Config.of("heading-window", {})).chunks[0].body.end
    quotes = [text[at : at + 40] for at in range(100, 900, 100)] + [text[boundary - 40 : boundary + 40]]
    rows = [
        {"question": f"Question {at}", "references": [quote], "corpus_id": sample} for at, quote in enumerate(quotes)
    ]
    rows.append({"question": "lost", "references": ["nowhere in this text"], "corpus_id": sample})
    address = f"{serve('app.py')}/?document=sample:{sample}&strategy=heading-window"
    opened(page, address)
    open_panel(page, "Marks")

    page.get_by_role("button", name="Load").click()
    content = "\n".join(map(json.dumps, rows)).encode()
    file: FilePayload = {"name": "q.jsonl", "mimeType": "application/jsonl", "buffer": content}
    page.get_by_role("dialog").locator("input[type=file]").set_input_files(file)
    expect(page.get_by_text("Loaded 9 answers to 9 questions.")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("'nowhere in this text' is not found", exact=False).first).to_be_visible()
    page.keyboard.press("Escape")

    questions = page.locator(".marks .question")
    page.get_by_role("checkbox", name="only cut").check()
    expect(questions).to_have_text(["Question 8✎"], timeout=PATIENCE)
    page.get_by_role("button", name=re.compile("^Remove the mark on line")).click()
    expect(questions).to_have_count(8, timeout=PATIENCE)
    page.get_by_role("button", name="Put back").click()
    expect(questions).to_have_text(["Question 8✎"], timeout=PATIENCE)

    other = opened(browser.new_context().new_page(), address)
    open_panel(other, "Marks")
    expect(other.locator(".marks .question")).to_have_count(9, timeout=PATIENCE)
    expect(other.get_by_role("img", name=re.compile("^Answer: Question 0"))).to_be_attached(timeout=PATIENCE)
    other.context.close()


INSIDE = """(marks) => {
    const [box, head] = [marks, marks.querySelector("thead")].map((each) => each.getBoundingClientRect());
    return [...marks.querySelectorAll("tbody tr:has(td)")].filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return top >= head.bottom - 1 && bottom <= box.bottom + 1;
    }).map((row) => row.classList.contains("chosen"));
}"""
"""Of the marks that are seen whole in their list, which is chosen."""


def test_many_marks_take_the_height_of_their_panel_and_a_chosen_one_stays_in_sight(
    page: Page, own_server: Callable[..., str], tmp_path: Path
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    quotes = [line for line in TEXT.splitlines() if len(line) > 30 and TEXT.count(line) == 1][:20]
    rows = [
        {"question": f"Question {at}", "references": [line], "corpus_id": SAMPLE.name} for at, line in enumerate(quotes)
    ]
    opened(page, f"{own_server('app.py', variables={'CHUNKSCOPE_DATA': str(tmp_path)})}/{LINK}")
    open_panel(page, "Marks")
    page.get_by_role("button", name="Load").click()
    content = "\n".join(map(json.dumps, rows)).encode()
    file: FilePayload = {"name": "q.jsonl", "mimeType": "application/jsonl", "buffer": content}
    page.get_by_role("dialog").locator("input[type=file]").set_input_files(file)
    expect(page.locator(".marks .question")).to_have_count(20, timeout=PATIENCE)
    page.reload()
    open_panel(page, "Marks")
    marks = page.locator(".marks")
    expect(marks.locator(".question")).to_have_count(20, timeout=PATIENCE)
    expect(page.locator(".st-key-marks-files")).to_be_in_viewport(ratio=1)

    assert len(marks.evaluate(INSIDE)) >= 7
    panel = page.locator(".st-key-marked").locator("..")
    assert panel.evaluate("(panel) => panel.scrollHeight - panel.clientHeight") <= 1
    marks.get_by_role("button", name=re.compile("^Show line")).nth(7).click()
    expect(page.get_by_role("heading", name="Selected mark")).to_be_in_viewport(timeout=PATIENCE)
    until_on(page, lambda: True in marks.evaluate(INSIDE), otherwise=lambda: str(marks.evaluate(INSIDE)))


def test_marks_fit_a_phone_in_the_dark_and_work_by_keyboard(page: Page, serve: Callable[[str], str]) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme="dark")
    opened(page, f"{serve('app.py')}/{LINK}")
    select(page, FOURTH, "Keep whole")
    go = page.locator(".marks").get_by_role("button", name=re.compile("^Show line .*by shoes, wetted"))
    go.focus(timeout=PATIENCE)
    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", name="Selected mark")).to_be_visible(timeout=PATIENCE)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.locator(".cs .scroll").evaluate(IN_VIEW, FOURTH[0])
    remove = page.locator(".marks").get_by_role("button", name=re.compile("^Remove .*by shoes, wetted"))
    remove.press("Enter")
    expect(go).to_have_count(0, timeout=PATIENCE)
