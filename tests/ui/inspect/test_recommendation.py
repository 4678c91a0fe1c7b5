"""The line that offers a config for the document: when it is looked for, and what it says."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from types import SimpleNamespace

import pytest
from app_pages import open_page
from streamlit.testing.v1 import AppTest
from waiting import until

from chunking import Config, Document, health, parse, run
from chunking.tuning import KEEP_WHOLE, Checked, ConfigSummary, Point, SummaryBuilder, nearby
from pages.ui import state
from pages.ui.background import goal_job, recommendation_job
from pages.ui.background.goal_job import GoalRequest
from pages.ui.background.jobs import Jobs
from pages.ui.choices.offers import Replaced
from pages.ui.choices.recommending import Recommending
from pages.ui.components.offer_line import Offer
from pages.ui.inspect import recommendation
from pages.ui.inspect.recommendation import SAMPLE, beginning
from pages.ui.inspect.recommendation_words import (
    NOTHING_BETTER,
    NOTHING_CUT,
    SEARCHING,
    nothing_cut,
    offer_of,
    replaced_words,
)
from pages.ui.server import sessions

TABLE = "| a | b |\n|---|---|\n| 1 | 2 |\n"
DOCUMENT = parse(f"# Kettle\n\n{TABLE}\n## Use\n\n{TABLE}\n```\ncode\n```\n", name="k.md")
WINDOW = Config.of("heading-window", {})
LONG_TABLE = "| a | b |\n|---|---|\n" + "| some words | in a row |\n" * 200
TORN = WINDOW.with_settings({"maxTokens": 600})
NOW = ConfigSummary(documents=1, chunks=9, tables_cut=2, atomic_split=2, blocks_cut=2)


def offered(app: AppTest) -> dict[str, object]:
    """What the line is drawn with."""
    drawn = [element.proto for element in app.get("bidi_component")]
    line = next(each for each in drawn if each.component_name.endswith("offer_line"))
    found: dict[str, object] = json.loads(line.json)
    return found


def checked(config: Config, chunks: int, cut: int) -> Checked:
    then = replace(NOW, chunks=chunks, tables_cut=cut, atomic_split=cut, blocks_cut=cut)
    return Checked(config, then, NOW, (0, 0), largest_by_context=False, unread=(0, 0))


def said(found: Checked, measured: Document = DOCUMENT, whole: Document = DOCUMENT) -> str:
    """All words of the offer."""
    offer = offer_of(found, WINDOW, measured, whole)
    return f"{offer.words}{offer.costs}{offer.rest}"


def test_a_config_that_was_taken_as_a_whole_says_what_it_did_with_undo_while_it_is_shown() -> None:
    app = open_page(document="sample:02-a-huge-table.md", strategy="heading-window", maxTokens="2000")
    assert not offered(app)["undoable"]
    now = WINDOW.with_settings({"maxTokens": 2000})
    app.session_state["chunkscope"].replaced = Replaced(now, WINDOW)
    app.run()

    words = "Now Maximum 2,000: 2 chunks, was 4; 0 blocks cut in two, was 1. "
    costs = "Costs: a 512-token embedder misses 786 more tokens."
    assert offered(app) == asdict(Offer(words, costs, undoable=True))
    app.session_state["chunkscope"].replaced = Replaced(TORN, now)
    app.run()
    assert not offered(app)["undoable"]


def test_what_replaced_a_config_is_named_beside_the_counts_before() -> None:
    now, was = run(DOCUMENT, Config.of("every-heading", {})), run(DOCUMENT, WINDOW)

    assert replaced_words(now, was, WINDOW) == "Now Every heading: 2 chunks, was 1."
    assert replaced_words(was, was, WINDOW.with_settings({"minTokens": 9})) == "Now Minimum 250: still 1 chunk."
    assert replaced_words(was, None, now.config) == "Now Heading window: 1 chunk."
    packing = Config.of("block-packing", {"maxTokens": 1540, "overlapScope": "top-level", "countContext": True})
    packed = "Block packing with Maximum 1,540, Overlap scope top-level, Include context in the maximum on"
    assert replaced_words(run(DOCUMENT, packing), None, WINDOW) == f"Now {packed}: 1 chunk."


def test_where_nothing_is_cut_in_two_nothing_is_looked_for_and_the_line_says_so() -> None:
    whole = open_page(document="sample:01-headings-without-content.md", strategy="heading-window")
    torn = open_page(document="sample:02-a-huge-table.md", strategy="fixed")

    words = "No table, code block or list is cut in two, but 655 visible characters are in no chunk: "
    assert offered(whole) == asdict(Offer(words, leads="see Health", panel="checked", shown="See a torn table"))
    assert offered(torn) == asdict(Offer(looks=True))


def test_where_nothing_is_cut_in_two_but_text_is_lost_or_too_long_the_line_does_not_read_as_if_all_were_well() -> None:
    text = parse("# Key\n\nAnna has it.\n\n## Water\n\nno\n\n## Compost\n\nyes yes\n", name="k.md")
    long = run(DOCUMENT, Config.of("block-packing", {"maxTokens": 20}))

    short = run(text, WINDOW).metrics
    kept = run(text, WINDOW.with_settings({"shortTail": "merge"})).metrics

    assert nothing_cut(short, ()) == Offer(
        "No table, code block or list is cut in two, but 15 visible characters are in no chunk: ",
        leads="see Health",
        panel="checked",
    )
    assert nothing_cut(kept, ()) == Offer(NOTHING_CUT)
    assert "but 1 chunk is over the maximum: " in nothing_cut(replace(long.metrics, over_maximum=1), ()).words


def test_nothing_to_recommend_is_not_said_beside_warnings_of_health() -> None:
    large = run(parse(f"# Kettle\n\n{'water ' * 600}\n", name="k.md"), WINDOW)
    checks = health(large)
    failed = (replace(checks[0], verdict="fail"), *checks[1:])

    assert [check.name for check in checks if check.verdict == "warn"] == ["embedder-256", "embedder-512"]
    assert nothing_cut(large.metrics, checks) == Offer(
        "No table, code block or list is cut in two, but 1 chunk is too long for a 256-token embedder and 1 more "
        "warning: ",
        leads="see Health",
        panel="checked",
    )
    said = f"No table, code block or list is cut in two, but a check failed ({checks[0].title}): "
    assert nothing_cut(large.metrics, failed).words == said
    passed = tuple(replace(check, verdict="ok") for check in checks)
    assert nothing_cut(large.metrics, passed) == Offer(NOTHING_CUT)


def test_the_offer_names_what_changes_what_is_kept_whole_and_how_many_chunks_there_are() -> None:
    larger = checked(WINDOW.with_settings({"maxTokens": 1500}), chunks=6, cut=0)
    other = checked(Config.of("block-packing", {"maxTokens": 610}), chunks=9, cut=1)

    assert said(larger) == "Maximum 1,500 keeps both tables whole (2 are cut now); 6 chunks (now 9)."
    quoted = replace(NOW, tables_cut=0, lists_cut=1)
    assert " keeps the list and the quote whole (2 are cut now); " in said(replace(larger, now=quoted))
    assert "Block packing with " in said(other)


def test_the_offer_counts_blocks_that_stay_cut_as_the_strip_does() -> None:
    fewer = checked(WINDOW.with_settings({"minTokens": 260, "maxTokens": 610}), chunks=9, cut=1)
    quote = replace(fewer, summary=replace(fewer.summary, blocks_cut=0))

    assert said(fewer) == "Minimum 260 and Maximum 610 leave 1 block cut in two (now 2); still 9 chunks."
    assert " leave 1 tables, code blocks, lists and quotes cut in two (now 2); " in said(quote)


def test_what_the_offer_costs_is_apart_from_its_other_words() -> None:
    larger = checked(WINDOW.with_settings({"maxTokens": 1757}), chunks=6, cut=0)
    costly = replace(larger, largest=(1757, 737), unread=(1243, 457))
    small = replace(costly, summary=replace(larger.summary, under_share=0.5))

    assert offer_of(larger, WINDOW, DOCUMENT, DOCUMENT).costs == ""
    assert offer_of(costly, WINDOW, DOCUMENT, DOCUMENT) == Offer(
        "Maximum 1,757 keeps both tables whole (2 are cut now). ",
        costs="Costs: a 512-token embedder misses 786 more tokens.",
        rest=" 6 chunks (now 9), largest 1,757 tokens (now 737).",
        takes=True,
    )
    assert offer_of(small, WINDOW, DOCUMENT, DOCUMENT).costs == (
        "Costs: leaves 3 more chunks under the minimum; a 512-token embedder misses 786 more tokens."
    )
    assert "embedder" not in said(replace(larger, unread=(3, 4)))


def test_a_largest_chunk_over_the_maximum_is_said_to_be_so_with_its_context() -> None:
    larger = replace(checked(WINDOW.with_settings({"maxTokens": 1311}), chunks=6, cut=0), largest=(1322, 737))

    assert said(replace(larger, largest_by_context=True)).endswith("largest 1,322 tokens with its context (now 737).")
    assert said(larger).endswith("largest 1,322 tokens (now 737).")


def test_a_long_text_is_tried_on_its_beginning_up_to_a_heading_and_the_offer_says_so() -> None:
    text = "".join(f"## Part {n}\n\n{'word ' * 100}\n\n" for n in range(500))
    long = parse(text, name="long.md")
    tried = beginning(long)
    larger = checked(WINDOW.with_settings({"maxTokens": 1500}), chunks=6, cut=1)
    words = said(larger, tried, long)

    assert len(tried.text) <= SAMPLE < len(long.text)
    assert long.text[len(tried.text) :].startswith("## Part")
    assert words.startswith("On its first 199 KB, Maximum 1,500 leaves 1 block ")
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
    recommendation._look(shown.document, shown)

    assert (offer.words, offer.looks) == ((NOTHING_BETTER, False) if near == TORN else ("", True))
    assert asked[-1].config == TORN
    assert began == ([] if near == TORN else [TORN])


@pytest.mark.parametrize("small", [50_000, 0], ids=["in a thread", "in a process"])
def test_what_was_found_is_offered_once_it_is_checked_on_the_whole_document(
    monkeypatch: pytest.MonkeyPatch, small: int
) -> None:
    monkeypatch.setattr(recommendation_job, "_SMALL", small)
    monkeypatch.setattr(recommendation_job, "_jobs", Jobs())
    shown = run(parse(LONG_TABLE, name="k.md"), TORN)
    larger = TORN.with_settings({"maxTokens": 3000})
    tried = tuple(Point(each, 0.0, summary_of(shown.document, each), (), 0.0) for each in (TORN, larger))
    asked = [Recommending(shown.document.text_hash, TORN, "job")]
    space = nearby(TORN)
    assert space is not None
    request = GoalRequest((shown.document,), KEEP_WHOLE, space, (), (), 2)
    ended = SimpleNamespace(running=False, cancelled=False)
    monkeypatch.setattr(state, "recommendation_dismissed", lambda _: False)
    monkeypatch.setattr(state, "recommending", lambda: asked[-1])
    monkeypatch.setattr(state, "ask_recommendation", asked.append)
    monkeypatch.setattr(recommendation, "_request", lambda *_: request)
    monkeypatch.setattr(goal_job, "progress_of", lambda _: (SimpleNamespace(points=tried), ended))
    monkeypatch.setattr(sessions, "at_end", lambda *_: None)

    searching, _ = recommendation._offer(shown.document, shown)
    recommendation._look(shown.document, shown)
    check = recommendation._check(shown.document, shown, request, tried)
    assert check is not None
    job = recommendation_job.about(check)
    assert job is not None
    until(lambda: not job.running)
    offer, config = recommendation._offer(shown.document, shown)

    assert (searching.words, searching.looks, searching.takes) == (SEARCHING, True, False)
    assert (check.document, check.found) == (shown.document, (larger,))
    assert asked[-1].check == check.key
    assert offer.takes
    assert offer.words.startswith("Maximum ")
    assert not run(shown.document, config).metrics.blocks_cut


def summary_of(document: Document, config: Config) -> ConfigSummary:
    builder = SummaryBuilder(config)
    builder.add(run(document, config))
    return builder.summary()


def test_a_torn_table_is_shown_only_where_the_config_tears_one() -> None:
    sample, whole = "sample:02-a-huge-table.md", {"strategy": "heading-window", "maxTokens": "1757"}

    assert offered(open_page(document=sample, **whole))["shown"] == ""
    assert offered(open_page(document="sample:06-no-headings.md", **whole))["shown"] == ""
