"""What a first visitor sees on Inspect before doing anything."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

from chunking import Config, parse, run
from pages.ui.choices.samples import first_sample
from pages.ui.inspect.first_visit import first_selected

TEXT = "# Kettle\n\nintro\n\n" + "".join(f"## Step {n}\n\n{'water and steam ' * 30}\n\n" for n in range(1, 9))

API = Path(__file__).parents[3] / "sample_docs" / "10-an-api-reference.md"
LINES, COLUMNS = 22, 64
"""What Inspect shows of a document that was just opened, in a window of 1,280 x 720 pixels with
the first steps."""


def steps(app: AppTest) -> list[dict[str, str | bool]]:
    """What the first steps are drawn with; nothing where they are not."""
    drawn = [element.proto for element in app.get("bidi_component")]
    return [json.loads(each.json) for each in drawn if each.component_name.endswith("first_steps")]


def test_inspect_says_what_it_is_and_which_threshold_to_drag() -> None:
    app = open_page(strategy="hierarchical")

    assert "See where a chunking strategy cuts your document, and why." in html(app)
    assert [(each["threshold"], each["moves"]) for each in steps(app)] == [("Hard cap", True)]
    assert steps(open_page("pages/tune.py")) == []


def test_no_cuts_are_promised_to_move_where_the_first_threshold_moves_none() -> None:
    (step,) = steps(open_page(strategy="small-to-big"))

    assert (step["threshold"], step["moves"]) == ("Sentences around", False)


def test_the_slightest_drag_of_the_named_threshold_moves_a_cut_on_the_first_screen() -> None:
    (step,) = steps(open_page())
    first = first_sample()
    assert first is not None
    assert step["threshold"] == "Minimum"
    document = parse(first.text, name=first.name)

    def first_screen(minimum: int) -> list[int]:
        chunks = run(document, Config.of("heading-window", {"minTokens": minimum})).chunks
        return [line for chunk in chunks if (line := document.line_of(chunk.body.end)) <= LINES]

    assert max(map(len, first.text.splitlines()[:LINES])) <= COLUMNS
    assert (first_screen(250), first_screen(251), first_screen(290)) == ([18], [21], [21])
    assert (first_screen(215), first_screen(170), first_screen(100)) == ([15], [12], [9, 18])


def test_a_chunk_is_selected_from_the_start_and_no_link_has_it() -> None:
    app = open_page(document="sample:10-an-api-reference.md", strategy="heading-window")

    assert "Chunk 1" in html(app)
    assert html(app).index("Why it ends here") < html(app).index('class="cs-facts"')
    assert [button for button in app.button if button.label.startswith("Set ")]
    assert "at" not in address(app)


def test_what_a_link_selects_comes_before_what_is_selected_at_the_start() -> None:
    app = open_page(document="sample:10-an-api-reference.md", strategy="every-heading", at="0")

    assert "Chunk 1" in html(app)
    assert address(app)["at"] == "0"


def test_what_was_selected_at_the_start_stays_when_something_else_cuts() -> None:
    app = open_page(document="sample:10-an-api-reference.md", strategy="heading-window")
    document = parse(API.read_text("utf-8"), name=API.name)
    start = run(document, Config.of("heading-window", {})).chunks[1].body.start
    now = run(document, Config.of("every-heading", {})).chunks
    session = app.session_state["chunkscope"]
    session.begun_at = session.source, start
    app.selectbox(key="strategy").set_value("every-heading").run()

    assert f"Chunk {1 + [chunk.body.start for chunk in now].index(start)}" in html(app)


def test_of_the_chunks_that_end_in_sight_the_first_whose_boundary_can_be_moved_is_selected() -> None:
    short = "".join(f"## Step {n}\n\nwater and steam\n\n" for n in range(1, 9))
    cut = run(parse(short), Config.of("heading-window", {"minTokens": 0}))
    fixed = replace(cut.chunks[0].ended_by, settings=())
    later = SimpleNamespace(document=cut.document, chunks=(replace(cut.chunks[0], ended_by=fixed), *cut.chunks[1:]))
    long = run(parse(TEXT * 2), Config.of("heading-window", {"minTokens": 700, "h1Rule": False}))

    assert first_selected(cut) == 0
    assert first_selected(later) == cut.chunks[1].body.start  # type: ignore[arg-type]
    assert first_selected(long) == 0
    assert first_selected(run(parse("# A\n\none\n\n# B\n\ntwo\n"), Config.of("every-heading", {}))) == 0
    assert first_selected(run(parse(""), Config.of("every-heading", {}))) is None
