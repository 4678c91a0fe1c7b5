"""The line of live counts says what each was before the last change."""

from __future__ import annotations

import json

from app_pages import open_page
from streamlit.testing.v1 import AppTest

from chunking import Config, Run, parse, run
from chunking.config import Value
from pages.ui.choices.measured import Measured
from pages.ui.choices.plans import Plan
from pages.ui.inspect.threshold_panel import summary

DOCUMENT = parse("# A\n\none two\n\n## B\n\nthree four\n", name="a.md")


def counts(app: AppTest) -> str:
    given = [element.proto for element in app.get("bidi_component")]
    said: list[str] = [json.loads(each.json)["summary"] for each in given if "threshold_rail" in each.component_name]
    return said[0]


def move(app: AppTest, **settings: int) -> AppTest:
    """The page after a threshold was moved; while `dragging` is set, held."""
    session = app.session_state["chunkscope"]
    session.plans["heading-window"] = Plan("heading-window").with_values(settings)
    app.query_params.clear()
    (chunk_filter,) = [each for each in app.selectbox if str(each.options[0]).startswith("All chunks")]
    chunk_filter.select_index(0)  # whose words change with what is chosen
    return app.run()


def test_a_change_says_what_each_count_was_and_a_drag_what_it_was_before_it_began() -> None:
    app = open_page(document="sample:10-an-api-reference.md", strategy="heading-window")
    session = app.session_state["chunkscope"]

    assert counts(app) == "7 chunks · 1 under min · 0 over max · 284 characters left out · 2,408 tokens to embed"
    session.dragging = True
    assert counts(move(app, min_tokens=100)).startswith("13 chunks, was 7 · 0 under min, was 1 · 0 over max · ")
    assert counts(move(app, min_tokens=0)).startswith("21 chunks, was 7 · 0 under min, was 1 · ")
    assert ", was" not in counts(move(app, min_tokens=250))
    held = counts(move(app, min_tokens=0))
    session.dragging = False
    assert counts(move(app, min_tokens=0)) == held
    assert held.endswith(" tokens to embed, was 2,408")
    assert counts(move(app, min_tokens=100)).startswith("13 chunks, was 21 · ")
    session.history = session.history.undone()
    assert counts(move(app, min_tokens=0)).startswith("21 chunks, was 13 · ")  # as it stood before that was undone
    session.history = session.history.undone()
    assert counts(move(app, min_tokens=250)).startswith("7 chunks, was 21 · ")


def test_what_another_tokenizer_or_other_limits_counted_is_not_compared() -> None:
    now = run(DOCUMENT, Config.of("heading-window", {"minTokens": 0}))
    other = run(DOCUMENT, Config.of("every-heading", {}))
    counter = run(DOCUMENT, Config.of("heading-window", {"minTokens": 5}, counter="words"))

    def line(was: object) -> str:
        return summary(now, Measured("", was.config, was.metrics))  # type: ignore[attr-defined]

    assert "under min, was" not in line(other)
    assert "tokens to embed, was" not in line(counter)


def test_a_change_that_alters_no_count_says_how_many_boundaries_it_has_moved() -> None:
    app = open_page(document="sample:10-an-api-reference.md", strategy="heading-window")

    assert counts(move(app, min_tokens=251)).startswith("Still 7 chunks, the same boundaries · 1 under min · ")
    app.session_state["chunkscope"].dragging = True
    assert counts(move(app, min_tokens=252)).startswith("7 chunks · 1 under min · ")


def test_of_as_many_chunks_those_boundaries_have_moved_that_are_elsewhere() -> None:
    def cut_into(tokens: int) -> Run:
        return run(
            DOCUMENT, Config.of("fixed", {"chunkSize": tokens, "chunkOverlap": 0, "unit": "tokens"}, counter="words")
        )

    now, earlier = cut_into(5), cut_into(6)
    unchanged = Measured("", earlier.config, now.metrics)

    assert summary(now, unchanged, earlier).startswith("Still 2 chunks, 1 boundary moved · ")
    assert summary(now, unchanged).startswith("2 chunks · ")
    assert summary(now, unchanged, now).startswith("2 chunks · ")


def test_visible_characters_that_are_in_no_chunk_are_counted_where_there_are_any() -> None:
    text = f"# One\n\n{'word ' * 40}\n\n# Two\n\nlast\n"

    def cut(short_tail: str) -> Run:
        settings: dict[str, Value] = {"minTokens": 20, "shortTail": short_tail}
        return run(parse(text), Config.of("heading-window", settings, "words"))

    left_out, kept = cut("skip"), cut("keep")
    assert " · 0 over max · 8 characters left out · " in summary(left_out, None)
    assert "left out" not in summary(kept, None)
    was = Measured("", left_out.config, left_out.metrics)
    assert " · 0 characters left out, was 8 · " in summary(kept, was)


def test_a_chunk_that_has_the_minimum_with_its_context_alone_is_said_to_be_under_it_without() -> None:
    # The last chunk has 10 words, and 16 with the heading above it.
    text = f"# A heading of some length\n\n## Part\n\n{'word ' * 30}\n\n## Two\n\n{'word ' * 8}\n"

    def said(minimum: int) -> str:
        settings: dict[str, Value] = {
            "minTokens": minimum,
            "minTokensDeeper": 100,
            "maxTokens": 44,
            "shortTail": "keep",
        }
        return summary(run(parse(text), Config.of("heading-window", settings, "words")), None)

    assert " · 0 under min · " in said(9)
    assert " · 1 under min without context · " in said(16)
    assert " · 1 under min · " in said(18)
