"""What a dragged threshold is answered: the same as a whole run of the page would show."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import pytest
from drag_sessions import TEXT, session

from chunking import Config, Document, Run, parse, run
from chunking.errors import ModelError
from pages.ui.choices.reading import View
from pages.ui.components.source_view.payload import MAGIC, run_name
from pages.ui.dragging.drag_session import MOST_CHARACTERS, DragSession, answer, framed, refusal
from pages.ui.inspect.reading_panel import _read


def asked(session: DragSession, question: object) -> tuple[dict[str, object], bytes, DragSession]:
    said, after = answer(session, question if isinstance(question, str) else json.dumps(question))
    size = int.from_bytes(said[:4], "little")
    return json.loads(said[4 : 4 + size]), said[4 + size :], after


def test_a_move_is_answered_with_the_boundaries_and_the_numbers_of_that_run() -> None:
    said, drawn, _ = asked(session(), {"sequence": 7, "values": {"hard_cap": 60, "target": 40}})

    expected = run(parse(TEXT, name="kettle.md"), Config.of("hierarchical", {"hardCap": 60, "target": 40}, "words"))
    header = json.loads(drawn[8 : 8 + int.from_bytes(drawn[4:8], "little")])
    rail_said, figures = said["rail"], said["figures"]
    assert said["sequence"] == 7
    assert drawn.startswith(MAGIC)
    assert header["chunks"] == len(expected.chunks) > 2
    assert isinstance(rail_said, dict)
    assert rail_said["summary"].startswith(f"{len(expected.chunks)} chunks")
    assert isinstance(figures, list)
    assert figures[0] == [str(len(expected.chunks)), ""]
    assert sum(rail_said["histogram"]["linear"]["current"]) == len(expected.chunks)


def test_a_move_carries_neither_the_text_nor_what_no_threshold_changes() -> None:
    _, drawn, _ = asked(session(), {"sequence": 1, "values": {"target": 40}})

    header = json.loads(drawn[8 : 8 + int.from_bytes(drawn[4:8], "little")])
    assert not {"text", "crumbs"} & set(header["strings"])
    assert not {"name", "height", "together"} & set(header)
    assert b"water and steam" not in drawn


@pytest.mark.parametrize("view", ["rendered", "cards", "structure", "tokens"])
def test_where_another_view_is_shown_a_move_carries_what_that_one_draws(view: View) -> None:
    shows = replace(session(), reading=partial(_read, view, None, {}, "all", "", ()))

    said, drawn, _ = asked(shows, {"sequence": 1, "values": {"hard_cap": 60, "target": 40}})

    reading, rail_said = said["reading"], said["rail"]
    assert not drawn
    assert isinstance(reading, dict)
    assert isinstance(rail_said, dict)
    assert reading["view"] == view
    assert reading["sent"]["run"] == rail_said["run"]
    assert reading["sent"]["title"] == "kettle.md"


def test_cards_are_moved_in_the_window_that_the_browser_asked_for() -> None:
    shows = replace(
        session(), reading=partial(_read, "cards", None, {"window": {"first": 2, "count": 60}}, "torn", "", ())
    )

    said, _, _ = asked(shows, {"sequence": 1, "values": {"hard_cap": 60, "target": 40}})

    reading = said["reading"]
    assert isinstance(reading, dict)
    assert reading["sent"]["only"] == "cutting a block in two"
    assert reading["sent"]["count"] == 0


def test_a_move_gives_the_reasons_of_the_boundaries_near_the_view_alone() -> None:
    values = {"hard_cap": 60, "target": 40}
    _, whole, _ = asked(session(), {"sequence": 1, "values": values})
    expected = run(parse(TEXT, name="kettle.md"), Config.of("hierarchical", {"hardCap": 60, "target": 40}, "words"))
    third, fifth = expected.chunks[2].body.start, expected.chunks[4].body.start

    _, drawn, _ = asked(session(), {"sequence": 1, "values": values, "near": [third, fifth]})

    reasons = [chunk.ended_by.detail for chunk in expected.chunks]
    assert details_of(whole) == (0, reasons)
    assert details_of(drawn) == (1, reasons[1:3])  # at the starts of the third and the fourth


@pytest.mark.parametrize("near", [[0, 0], [10**30, -5], [0, 10**30], [0, True], [], [1], ["0", "9"], {}, 7, None])
def test_any_stretch_may_be_named_as_near(near: object) -> None:
    said, drawn, _ = asked(session(), {"sequence": 3, "values": {"target": 40}, "near": near})

    assert said["sequence"] == 3
    assert "refused" not in said
    assert drawn.startswith(MAGIC)


def details_of(drawn: bytes) -> tuple[int, list[str]]:
    """From which chunk on there are reasons in words, and these."""
    size = int.from_bytes(drawn[4:8], "little")
    header = json.loads(drawn[8 : 8 + size])
    place, length = header["strings"]["details"]
    start = 8 + size + (-(8 + size) % 4) + place
    return header["detailsFrom"], drawn[start : start + length].decode().split("\0")


def test_a_move_past_another_threshold_stops_there() -> None:
    first, drawn, after = asked(session(), {"sequence": 1, "values": {"target": 80, "hard_cap": 80}})
    said, still, _ = asked(after, {"sequence": 2, "values": {"target": 90, "hard_cap": 80}})

    assert still == drawn
    rail_said, before = said["rail"], first["rail"]
    assert isinstance(rail_said, dict)
    assert isinstance(before, dict)
    assert rail_said["run"] == before["run"]
    assert [threshold["value"] for threshold in rail_said["thresholds"]] == [80, 80]
    assert not any(threshold["error"] for threshold in rail_said["thresholds"])


def test_an_answer_names_the_run_that_its_boundaries_and_its_numbers_are_of() -> None:
    said, drawn, _ = asked(session(), {"sequence": 1, "values": {"target": 40}})
    other, _, _ = asked(session(), {"sequence": 1, "values": {"target": 41}})

    header = json.loads(drawn[8 : 8 + int.from_bytes(drawn[4:8], "little")])
    expected = run(parse(TEXT, name="kettle.md"), Config.of("hierarchical", {"target": 40}, "words"))
    rail_said, rail_other = said["rail"], other["rail"]
    assert isinstance(rail_said, dict)
    assert isinstance(rail_other, dict)
    assert header["run"] == rail_said["run"] == run_name(expected)
    assert rail_other["run"] != rail_said["run"]


def test_values_are_kept_within_the_bounds_of_their_settings() -> None:
    said, _, _ = asked(session(), {"sequence": 1, "values": {"target": -5, "hard_cap": -5, "no_such": 3}})

    rail_said = said["rail"]
    assert isinstance(rail_said, dict)
    least = next(each for each in rail_said["thresholds"] if each["setting"] == "hard_cap")
    assert least["value"] == least["least"]


@pytest.mark.parametrize("question", ["", "[]", "{", "[" * 10_000, '{"values": 3}', " " * (MOST_CHARACTERS + 1), '"x"'])
def test_what_is_no_question_changes_nothing(question: str) -> None:
    said, drawn, _ = asked(session(), question)

    _, unmoved, _ = asked(session(), {"sequence": 0, "values": {}})
    assert said["sequence"] == 0
    assert drawn == unmoved


def test_a_run_that_fails_is_refused_so_that_the_page_is_asked() -> None:
    def no_model(_document: Document, _config: Config) -> Run:
        raise ModelError("embedder: not asked")

    said, drawn, after = asked(session(no_model), {"sequence": 4, "values": {"target": 40}})

    assert said == {"sequence": 4, "refused": True}
    assert drawn == b""
    assert after.good == session().good


def test_a_session_that_is_gone_refuses() -> None:
    assert refusal() == framed({"sequence": 0, "refused": True})
