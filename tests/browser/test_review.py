"""From no questions to a recommendation that can be cited, in real Chromium: draft, review ten,
compare three configs, read the curve, fix one failure, export."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from benchmarks.layout_shift import GOAL, cumulative, opened, shifts_of
from chunking import Annotations, Document, Question, Span, parse
from chunking.gold import store

SAMPLE = Path(__file__).parents[2] / "sample_docs" / "10-an-api-reference.md"
LINK = (
    f"document=sample:{SAMPLE.name}&search=bm25&top=3"
    "&a.strategy=every-heading&b.strategy=heading-window&c.strategy=fixed&c.chunkSize=25&c.chunkOverlap=0"
)
PATIENCE = 45_000


@pytest.fixture
def document() -> Iterator[Document]:
    """The sample, without marks before and after."""
    of = parse(SAMPLE.read_text(encoding="utf-8"), name=SAMPLE.name)
    store().change(of, lambda _: Annotations())
    yield of
    store().change(of, lambda _: Annotations())


@pytest.mark.long
def test_a_draft_to_be_reviewed_pushes_down_nothing_when_it_comes(
    browser: Browser, serve: Callable[[str], str], document: Document
) -> None:
    at = document.text.index("Every `POST`")
    draft = Question("How is a request repeated?", document.name, (Span(at, at + 60),), review="draft")
    store().change(document, lambda _: Annotations((draft,)))
    page = opened(browser, f"{serve('app.py')}/retrieve?{LINK}", (1440, 900), 1_500)
    expect(page.get_by_role("region", name="Review of drafted questions")).to_be_visible(timeout=PATIENCE)
    shifts = shifts_of(page)
    page.context.close()

    assert cumulative(shifts) < 2 * GOAL, shifts


def reviewed(card: Locator, words: str) -> None:
    expect(card.get_by_role("status")).to_have_text(words, timeout=PATIENCE)
    expect(card).to_have_attribute("aria-busy", "false")


@pytest.mark.long
def test_counts_follow_each_review_and_the_verdict_says_that_it_is_of_before(
    page: Page, serve: Callable[[str], str], document: Document
) -> None:
    at = document.text.index("Every `POST`")
    drafts = [Question(f"Question {n}?", document.name, (Span(at, at + 60),), review="draft") for n in range(3)]
    store().change(document, lambda _: Annotations(tuple(drafts)))
    page.goto(f"{serve('app.py')}/retrieve?{LINK}")
    card = page.get_by_role("region", name="Review of drafted questions")
    reviewed(card, "0 of 3 reviewed")
    again = page.get_by_role("button", name="Measure again")
    expect(page.get_by_text("3 questions with marked answers, 3 not reviewed")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("Drafts count until you reject them.")).to_be_visible()
    expect(again).to_have_count(0)

    card.get_by_role("button", name="Reject").click()
    reviewed(card, "1 of 3 reviewed")
    expect(page.get_by_text("2 questions with marked answers, 2 not reviewed")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("The latest reviews are not in these figures yet.")).to_be_visible()

    again.click()
    expect(page.get_by_text("Drafts count until you reject them.")).to_be_visible(timeout=PATIENCE)
    expect(again).to_have_count(0)


@pytest.mark.long
def test_from_no_questions_to_a_recommendation_that_can_be_cited(
    page: Page, serve: Callable[[str], str], document: Document
) -> None:
    page.goto(f"{serve('app.py')}/retrieve?{LINK}")
    expect(page.get_by_text("No question with a known answer yet")).to_be_visible(timeout=PATIENCE)

    # Draft: what is sent is said before.
    page.get_by_role("button", name="Draft questions").click()
    expect(page.get_by_text("Nothing is sent.")).to_be_visible()
    page.get_by_role("button", name="Draft 30 questions").click()
    card = page.get_by_role("region", name="Review of drafted questions")
    reviewed(card, "0 of 30 reviewed")
    expect(card.get_by_role("button", name="Accept")).to_be_focused(timeout=PATIENCE)
    expect(card.get_by_role("button", name="Accept")).to_be_in_viewport(ratio=1)
    expect(page.get_by_text(re.compile("drafted from 30 of "))).to_be_visible(timeout=PATIENCE)
    # The verdict comes above the card, which keeps the keyboard in view.
    expect(page.get_by_text("All 30 questions are drafts that nobody has reviewed.")).to_be_visible(timeout=PATIENCE)
    expect(card.get_by_role("button", name="Accept")).to_be_focused()
    expect(card.get_by_role("button", name="Accept")).to_be_in_viewport(ratio=1)

    # Review ten: a press, then keys; one in other words; one taken back and decided otherwise.
    first = card.get_by_role("heading").inner_text()
    card.get_by_role("button", name="Accept").click()
    reviewed(card, "1 of 30 reviewed")
    expect(card.get_by_role("heading")).not_to_have_text(first)
    page.keyboard.press("e")
    page.keyboard.type("What does a pending delivery wait for?")
    page.keyboard.press("Enter")
    reviewed(card, "2 of 30 reviewed")
    for number, key in enumerate("aaaarra", start=3):
        page.keyboard.press(key)
        reviewed(card, f"{number} of 30 reviewed")
    page.keyboard.press("r")
    reviewed(card, "10 of 30 reviewed")
    page.keyboard.press("u")
    reviewed(card, "9 of 30 reviewed")
    page.keyboard.press("a")
    reviewed(card, "10 of 30 reviewed")
    expect(card).to_contain_text("8 accepted, 2 rejected, 20 not reviewed")

    # It survives a reload, and rejected ones are counted apart.
    page.reload()
    reviewed(card, "10 of 30 reviewed")
    expect(page.get_by_text("28 questions with marked answers, 20 not reviewed")).to_be_visible(timeout=PATIENCE)
    kept = store().read(document)
    assert sum(each.review == "accepted" for each in kept.questions) == 8
    assert "What does a pending delivery wait for?" in [each.text for each in kept.questions]
    assert len(kept.rejected) == 2

    # Three configs, ranked; the curve as numbers.
    page.get_by_text("How certain is that?").click()
    board = page.get_by_role("region", name="Leaderboard")
    expect(board.get_by_role("row")).to_have_count(4, timeout=PATIENCE)
    expect(page.get_by_text("20 of 28 questions are drafts that nobody has reviewed").first).to_be_visible()
    page.get_by_text("At other token budgets, and what that costs").click()
    curve = page.get_by_role("table", name="Recall at budgets of tokens")
    expect(curve.get_by_role("row")).to_have_count(4, timeout=PATIENCE)
    assert re.search(r"[01]\.\d\d", curve.inner_text())

    # One failure, fixed where it is said.
    failures = page.locator(".st-key-retrieve-failed-C")
    before = failures.locator("summary").inner_text()
    failures.locator("summary").click()
    failures.get_by_role("button", name="Look for a change of C").first.click()
    failures.get_by_role("button", name=re.compile("^Set ")).first.click(timeout=PATIENCE)
    page.wait_for_url(re.compile(r"c\.chunk(Size=(?!25&)|Overlap=[1-9])"), timeout=PATIENCE)
    expect(failures.locator("summary")).not_to_have_text(before, timeout=PATIENCE)

    # What can be cited, and the questions.
    with page.expect_download(timeout=PATIENCE) as download:
        page.get_by_role("button", name="Results file").click()
    results = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))
    assert len(results["configs"]) == 3
    assert results["questions"]["unreviewed"] == 20
    page.get_by_role("button", name="Export questions").click()
    with page.expect_download(timeout=PATIENCE) as download:
        page.get_by_role("button", name="Download 8").click()
    lines = Path(download.value.path()).read_text(encoding="utf-8").splitlines()
    assert len([line for line in lines if "review" not in json.loads(line)]) == 8
