"""The line that offers a config for the document: when it is looked for, and what it says."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from types import SimpleNamespace

import pytest
from app_pages import open_page
from streamlit.testing.v1 import AppTest
from waiting import until

from chunking import Config, parse, run
from chunking.tuning import KEEP_WHOLE, ConfigSummary, Point, nearby
from pages.ui import state
from pages.ui.background import goal_job
from pages.ui.background.goal_job import GoalRequest
from pages.ui.choices.recommending import Recommending
from pages.ui.components.offer_line import Offer
from pages.ui.inspect import recommendation
from pages.ui.inspect.recommendation import SAMPLE, beginning
from pages.ui.inspect.recommendation_words import NOTHING_BETTER, NOTHING_CUT, nothing_cut, offer_words
from pages.ui.server import sessions

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
DOCUMENT = parse(f"# Kettle\n\n{TABLE}\n## Use\n\n{TABLE}\n```\ncode\n```\n", name="k.md")
WINDOW = Config.of("heading-window", {})
LONG_TABLE = "| a | b |\n|---|---|\n" + "| some words | in a row |\n" * 200
TORN = WINDOW.with_settings({"maxTokens": 600})
NOW = ConfigSummary(documents=1, chunks=9, tables_cut=2, atomic_split=2)


def offered(app: AppTest) -> dict[str, object]:
    """What the line is drawn with."""
    drawn = [element.proto for element in app.get("bidi_component")]
    line = next(each for each in drawn if each.component_name.endswith("offer_line"))
    found: dict[str, object] = json.loads(line.json)
    return found


def point(config: Config, chunks: int, cut: int) -> Point:
    return Point(config, 0.0, replace(NOW, chunks=chunks, tables_cut=cut, atomic_split=cut), (), 0.0)


def test_where_nothing_is_cut_in_two_nothing_is_looked_for_and_the_line_says_so() -> None:
    whole = open_page(document="sample:01-headings-without-content.md", strategy="heading-window")
    torn = open_page(document="sample:02-a-huge-table.md", strategy="fixed")

    said = "No table, code block or list is cut in two, but 655 characters are in no chunk: "
    assert offered(whole) == asdict(Offer(said, leads="see Health", panel="checked", shown="See a torn table"))
    assert offered(torn) == asdict(Offer(looks=True))


def test_where_nothing_is_cut_in_two_but_text_is_lost_or_too_long_the_line_does_not_read_as_if_all_were_well() -> None:
    text = parse("# Key\n\nAnna has it.\n\n## Water\n\nno\n\n## Compost\n\nyes yes\n", name="k.md")
    long = run(DOCUMENT, Config.of("block-packing", {"maxTokens": 20}))

    short = run(text, WINDOW).metrics
    kept = run(text, WINDOW.with_settings({"shortTail": "merge"})).metrics

    assert nothing_cut(short) == Offer(
        "No table, code block or list is cut in two, but 15 characters are in no chunk: ",
        leads="see Health",
        panel="checked",
    )
    assert nothing_cut(kept) == Offer(NOTHING_CUT)
    assert nothing_cut(replace(long.metrics, over_maximum=1)).words.endswith(", but 1 chunk is over the maximum: ")


def test_the_offer_names_what_changes_what_is_kept_whole_and_how_many_chunks_there_are() -> None:
    larger = point(WINDOW.with_settings({"maxTokens": 1500}), chunks=6, cut=0)
    other = point(Config.of("block-packing", {"maxTokens": 610}), chunks=9, cut=1)

    assert offer_words(larger, WINDOW, NOW, DOCUMENT, DOCUMENT) == (
        "Maximum 1,500 (with room to spare) keeps both tables whole (2 are cut now); 6 chunks instead of 9."
    )
    assert offer_words(
        replace(larger, summary=replace(larger.summary, median_tokens=812.5)), WINDOW, NOW, DOCUMENT, DOCUMENT
    ).endswith("; 6 chunks instead of 9, median 812.5 tokens (was 0).")
    costly = replace(larger.summary, under_share=0.5)
    both = point(WINDOW.with_settings({"minTokens": 260, "maxTokens": 1500}), chunks=6, cut=0)
    assert offer_words(replace(both, summary=costly), WINDOW, NOW, DOCUMENT, DOCUMENT) == (
        "Minimum 260 and Maximum 1,500 (with room to spare) keep both tables whole (2 are cut now); "
        "3 chunks are under the minimum (0 now); 6 chunks instead of 9."
    )
    quoted = replace(NOW, tables_cut=0, lists_cut=1)
    assert " keeps the list and the quote whole (2 are cut now); " in (
        offer_words(larger, WINDOW, quoted, DOCUMENT, DOCUMENT)
    )
    assert "Block packing with " in offer_words(other, WINDOW, NOW, DOCUMENT, DOCUMENT)
    assert offer_words(other, WINDOW, NOW, DOCUMENT, DOCUMENT).endswith(
        " 610 cuts 1 of its tables, code blocks, lists and quotes instead of 2; still 9 chunks."
    )


def test_a_long_text_is_tried_on_its_beginning_up_to_a_heading_and_the_offer_says_so() -> None:
    text = "".join(f"## Part {n}\n\n{'word ' * 100}\n\n" for n in range(500))
    long = parse(text, name="long.md")
    tried = beginning(long)
    words = offer_words(point(WINDOW, chunks=6, cut=1), WINDOW, NOW, tried, long)

    assert len(tried.text) <= SAMPLE < len(long.text)
    assert long.text[len(tried.text) :].startswith("## Part")
    assert " on its first 199 KB; " in words
    assert beginning(DOCUMENT) is DOCUMENT


def test_the_search_is_cancelled_by_its_key() -> None:
    text = "".join(f"## Part {n}\n\n{TABLE}{'word ' * 100}\n\n" for n in range(300))
    space = nearby(WINDOW)
    assert space is not None
    request = GoalRequest((parse(text, name="w.md"),), KEEP_WHOLE, space, (), (), space.possible)
    job = goal_job.begin(request, nice=15)
    goal_job.cancel(request.key)

    until(lambda: not job.running)
    assert job.cancelled
    assert len(job.found) < space.possible


@pytest.mark.parametrize("near", [TORN, WINDOW], ids=["this config", "another"])
def test_that_nothing_is_better_is_said_only_where_it_was_looked_for_near_this_config(
    monkeypatch: pytest.MonkeyPatch, near: Config
) -> None:
    shown = run(parse(LONG_TABLE, name="k.md"), TORN)
    assert shown.metrics.blocks_cut
    finished, asked, began = SimpleNamespace(running=False, cancelled=False), list[Recommending](), list[Config]()
    monkeypatch.setattr(state, "recommendation_dismissed", lambda _: False)
    monkeypatch.setattr(state, "recommending", lambda: Recommending(shown.document.text_hash, near, "job"))
    monkeypatch.setattr(state, "ask_recommendation", asked.append)
    monkeypatch.setattr(
        recommendation, "_request", lambda document, config: SimpleNamespace(documents=(document,), key=config)
    )
    monkeypatch.setattr(
        goal_job,
        "progress_of",
        lambda request: (SimpleNamespace(points=()), finished if request.key == near else None),
    )
    monkeypatch.setattr(goal_job, "begin", lambda request, **_: began.append(request.key))
    monkeypatch.setattr(sessions, "at_end", lambda *_: None)

    offer, _ = recommendation._offer(shown.document, shown)
    recommendation._look(shown.document, TORN)

    assert (offer.words, offer.looks) == ((NOTHING_BETTER, False) if near == TORN else ("", True))
    assert asked[-1].config == TORN
    assert began == ([] if near == TORN else [TORN])


def test_a_torn_table_is_shown_only_where_the_config_tears_one() -> None:
    sample, whole = "sample:02-a-huge-table.md", {"strategy": "heading-window", "maxTokens": "1757"}

    assert offered(open_page(document=sample, **whole))["shown"] == ""
    assert offered(open_page(document="sample:06-no-headings.md", **whole))["shown"] == ""
