"""What is offered for a boundary that was dragged in the source: a click does what its button
says."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

from chunking import Config, Run, parse, run
from chunking.explanation import moves
from pages.ui.choices.placing import Wanted
from pages.ui.choices.samples import samples
from pages.ui.components.source_view.payload import run_name
from pages.ui.inspect.move_offers import heard, verdict
from pages.ui.layout.change_messages import why_not_there
from pages.ui.layout.drawbacks import NO_DRAWBACK, Drawback

SAMPLE = next(each for each in samples() if each.name == "10-an-api-reference.md")
DOCUMENT = parse(SAMPLE.text, name=SAMPLE.name)
NOW = run(DOCUMENT, Config.of("heading-window", {}))


def dragged(place: int, *, chunk: int = 1) -> AppTest:
    """The page after the boundary at the start of a chunk was let go at a place."""
    app = open_page(document=SAMPLE.key, strategy="heading-window")
    wanted = Wanted(NOW.chunks[chunk].body.start, place, run_name(NOW))
    app.session_state["chunkscope"].wanted_boundary = wanted
    return app.run()


def reachable() -> int:
    """A heading inside the second chunk that some setting moves its beginning to."""
    chunk = NOW.chunks[1]
    inside = (each.span.start for each in DOCUMENT.headings if chunk.body.start < each.span.start < chunk.body.end)
    return next(at for at in inside if (found := moves(NOW, chunk.body.start, at)).found and found.place == at)


def offers(app: AppTest) -> list[str]:
    return [button.label for button in app.button if str(button.key).startswith("take-move")]


def starts(of: Run) -> list[int]:
    return [chunk.body.start for chunk in of.chunks]


def test_a_click_puts_the_boundary_there_and_undo_takes_it_back() -> None:
    place = reachable()
    app = dragged(place)

    assert not app.exception
    assert 1 <= len(offers(app)) <= 3
    assert offers(app)[0].startswith("Set ")
    button = next(button for button in app.button if str(button.key).startswith("take-move"))
    button.click().run()

    assert not app.exception
    assert offers(app) == []
    assert address(app)["at"] == str(place)
    line = next(
        json.loads(each.proto.json)
        for each in app.get("bidi_component")
        if str(each.proto.component_name).endswith("change_line")
    )
    assert line["undoable"]
    assert re.fullmatch(
        rf"Boundary .+ moved, now before line {DOCUMENT.line_of(place)}: (still )?\d chunks(, was 7)?\.", line["words"]
    )
    changed = {name: int(value) for name, value in address(app).items() if name.endswith(("Tokens", "Deeper"))}
    assert place in starts(run(DOCUMENT, Config.of("heading-window", changed)))


def test_who_hears_the_page_is_told_the_change_and_its_counts_and_reaches_it_with_tab() -> None:
    place = reachable()
    app, found = dragged(place), moves(NOW, NOW.chunks[1].body.start, place)
    first = found.found[0]

    said = heard(NOW, replace(found, found=(first,)), first, Drawback(words="Costs: more tokens"))

    assert said == (
        f"Set Minimum before a subsection to {first.after} puts a boundary before line {DOCUMENT.line_of(place)}. "
        f"{first.chunks} chunks instead of 7. Costs: more tokens. Tab, then Enter, applies it."
    )
    several = heard(NOW, replace(found, found=(first, first)), first, NO_DRAWBACK)
    assert several.startswith("2 changes put a boundary before line ")
    assert f". The first: Set Minimum before a subsection to {first.after}. {first.chunks} chunks" in several
    assert re.search(r'data-tell="(?!No )[^"]*Tab, then Enter, applies it', html(app))
    lower = html(dragged(place + DOCUMENT.text[place:].index("\n\n") + 2))
    assert re.search(r'data-tell="No .+; the nearest line that a change reaches is \d+\. .*Set ', lower)
    stops = [str(button.key) for button in app.button if str(button.key).startswith(("take-move", "move-close"))]
    assert stops[-1] == "move-close"
    assert len(stops) > 1


def test_where_no_setting_puts_it_there_one_line_says_so_and_why() -> None:
    block = next(block for block in DOCUMENT.blocks if block.kind == "table")
    place = DOCUMENT.text.index("\n", block.span.start) + 1
    wanted = Wanted(NOW.chunks[1].body.start, place, run_name(NOW))

    said, (*_, why, tried) = verdict(NOW, wanted, moves(NOW, wanted.boundary, place))

    nearest = r"; the nearest line that a change reaches is \d+"
    assert re.fullmatch(
        rf"No (single setting|value that was tried) puts a boundary before line {DOCUMENT.line_of(place)}"
        rf"({nearest}| or nearer to it than line \d+)\.",
        said,
    )
    assert len(said) < 120
    assert why.startswith(f"Why: it is inside a table (lines {DOCUMENT.line_of(block.span.start)} to ")
    assert tried.startswith("Tried: minTokens 0 to 750, minTokensDeeper 0 to 1,000,000, maxTokens ")
    assert "h1Rule off" in tried


def test_why_no_setting_puts_it_there_is_folded_below_the_sentence() -> None:
    block = next(block for block in DOCUMENT.blocks if block.kind == "table")
    app = dragged(DOCUMENT.text.index("\n", block.span.start) + 1)

    assert '<summary>More about it</summary><ul class="cs-lines"><li>' in html(app)
    assert "<li>Why: it is inside a table" in html(app)


def test_it_is_closed_by_its_button_and_by_any_other_run() -> None:
    app = dragged(reachable())
    app.button(key="move-close").click().run()
    assert offers(app) == []

    app = dragged(reachable())
    app.session_state["chunkscope"].wanted_boundary = Wanted(5, 9, "another run")
    assert offers(app.run()) == []
    assert "Move the boundary" not in html(app)


def test_a_heading_is_refused_in_the_words_of_its_strategy() -> None:
    chunk = NOW.chunks[1]
    heading = next(each for each in DOCUMENT.headings if chunk.body.start < each.span.start < chunk.body.end)

    assert "tokens there, fewer than min" in why_not_there(NOW, heading.span.start)
