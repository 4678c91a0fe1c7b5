"""Retrieve as a person uses it, in real Chromium: ask by words, see the answers, rank, export, open
in Inspect."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from chunking import Annotations, Span, parse
from chunking.config.config import read_yaml
from chunking.gold.mark_store import store

SAMPLE = Path(__file__).parents[2] / "sample_docs" / "04-a-long-preamble.md"
PATIENCE = 45_000


@pytest.fixture
def questions() -> Iterator[list[str]]:
    """Three questions, each with a sentence of the sample as its answer, marked for the server as
    for this test."""
    document = parse(SAMPLE.read_text(encoding="utf-8"), name=SAMPLE.name)
    sentences = list(re.finditer(r"[A-Z][^\n.|`*]{50,}\.", document.text))[:3]
    marks = Annotations()
    for sentence in sentences:
        asked = " ".join(sentence[0].split()[:6])
        marks = marks.with_answer(document, f"Why {asked}?", Span(sentence.start(), sentence.end()))
    store().save(document, Annotations(), marks)
    yield [question.text for question in marks.questions]
    store().save(document, marks, Annotations())


def test_ask_by_words_rank_on_three_questions_export_the_winner_and_open_a_passage_in_inspect(
    page: Page, serve: Callable[[str], str], questions: list[str]
) -> None:
    assert len(questions) == 3
    link = f"document=sample:{SAMPLE.name}&a.strategy=every-heading&b.strategy=fixed&search=bm25"
    page.goto(f"{serve('app.py')}/retrieve?{link}")
    field = page.get_by_label("Question", exact=True)
    field.wait_for(timeout=PATIENCE)
    told = page.locator('.st-key-retrieve-told[role="status"]').element_handle(timeout=PATIENCE)
    field.fill(questions[1])
    expect(page.get_by_test_id("InputInstructions")).to_have_css("font-size", "12px")
    field.press("Enter")

    for letter, title in (("A", "Every heading"), ("B", "Fixed size")):
        first = page.get_by_role("group", name=f"Text of chunk 1 of {letter}")
        first.wait_for(timeout=PATIENCE)
        expect(page.get_by_role("heading", name=f"{letter} {title}", level=2)).to_have_count(1)
        panel = page.locator(f".st-key-compare-panel-{letter}")
        passages = panel.get_by_role("list").first.get_by_role("listitem")
        expect(passages.filter(has=page.locator(".cs-passage"))).to_have_count(panel.locator(".cs-passage").count())
    said = rf"A Every heading: \d+ chunks?, .*; B Fixed size: .*; retrieved for \"{re.escape(questions[1])}\""
    assert told is not None
    assert re.fullmatch(said, told.inner_text())  # a status that is drawn anew is not heard
    expect(page.locator("mark").first).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("contains the answer").first).to_be_visible()
    assert page.locator("mark").first.inner_text().split()[:6] == questions[1].removesuffix("?").split()[1:]

    page.get_by_text("How certain is that?").click()
    board = page.get_by_role("region", name="Leaderboard")
    expect(board.get_by_role("row")).to_have_count(3, timeout=PATIENCE)
    expect(page.get_by_text("Fewer than 6 questions prove nothing")).to_be_visible()
    with page.expect_download(timeout=PATIENCE) as download:
        page.get_by_role("button", name=re.compile("^Export [AB] as YAML")).first.click()
    winner, proof = read_yaml(Path(download.value.path()).read_text(encoding="utf-8"))
    assert winner.strategy.name in ("every-heading", "fixed")
    assert proof is not None
    assert list(proof.documents) == [SAMPLE.name]
    assert proof.documents[SAMPLE.name].source == f"sha256:{hashlib.sha256(SAMPLE.read_bytes()).hexdigest()}"

    page.get_by_role("button", name="Open chunk 1 of A in Inspect").click()
    page.wait_for_url(re.compile("strategy=every-heading.*at="), timeout=PATIENCE)
    page.locator(".cs[data-painted]").first.wait_for(timeout=PATIENCE)
