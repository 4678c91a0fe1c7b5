"""Text that is left out, on the page: a click keeps it, and undo is ready to take it back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

from chunking import Config, parse, run
from pages.ui.inspect import keep_offers

NAME = "05-deep-nesting.md"
DEEP = parse(Path(__file__).parents[3].joinpath("sample_docs", NAME).read_text(encoding="utf-8"), name=NAME)
HEADING = "How to keep this text"


BEFORE = run(DEEP, Config.of("heading-window", {}))
TAIL = BEFORE.skips[-1]


def page() -> AppTest:
    return open_page(document=f"sample:{NAME}", strategy="heading-window", at=str(TAIL.body.start))


def offered(app: AppTest) -> list[str]:
    return [button.label for button in app.button if str(button.key).startswith("take-left-out")]


def change_words(app: AppTest) -> str:
    drawn = [element.proto for element in app.get("bidi_component")]
    return str(json.loads(next(each for each in drawn if each.component_name.endswith("change_line")).json)["words"])


def test_a_click_keeps_a_short_tail_and_undo_says_what_it_brings_back() -> None:
    chunks = len(BEFORE.chunks)
    app = page()

    assert HEADING in html(app)
    assert offered(app) == [
        'Set "If the last chunk is too small" `shortTail` to keep',
        "Set Minimum `minTokens` to 247",
        "Set Minimum `minTokens` to 339",
        'Set "If the last chunk is too small" `shortTail` to merge',
    ]
    assert "Costs: a 512-token embedder misses 32 more tokens" in html(app)
    assert f"was skip · {chunks + 1} chunks instead of {chunks}" in html(app)
    app.button(key="take-left-out-shortTail-keep").click().run()

    assert not app.exception
    assert address(app)["shortTail"] == "keep"
    line = DEEP.line_of(TAIL.body.start)
    words = f"The text from line {line} on is in a chunk now: {chunks + 1} chunks, was {chunks}."
    assert change_words(app) == words
    assert "Why it ends here" in html(app)


def test_in_a_long_text_somebody_has_to_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keep_offers, "FAR", 100)
    app = page()

    assert offered(app) == []
    app.button(key="ask-about").click().run()
    assert len(offered(app)) > 1


def test_where_no_setting_keeps_it_one_line_says_so() -> None:
    text = "# A\n\ntext\n\n## B\n\nwater\n\n## Table of contents\n\nlink\n"
    made = run(parse(text), Config.of("section-rules", {}))

    assert keep_offers._found(made, made.skips[-1]).said == "To keep it, take its entry off the list Exclude."


def test_front_matter_is_no_text_that_is_lost() -> None:
    app = open_page(document="sample:04-a-long-preamble.md", strategy="heading-window", at="3")

    assert "Left out" in html(app)
    assert HEADING not in html(app)
