"""Which settings move a boundary to another place: what is said is what happens."""

from __future__ import annotations

import pytest

from chunking import Config, Run, parse, run
from chunking.explanation import Moves, moves

TEXT = "".join(f"# Part {number}\n\n{'water and steam ' * 6}\n\n" for number in range(1, 9))
KETTLE = parse(TEXT, name="kettle.md")


def by(**settings: int | str) -> Run:
    return run(KETTLE, Config.of("heading-window", settings, "words"))


def heading(number: int) -> int:
    return TEXT.index(f"# Part {number}\n")


def starts(of: Run) -> list[int]:
    return [chunk.body.start for chunk in of.chunks]


def moved(of: Run, start: int, place: int) -> Moves:
    found = moves(of, start, place)
    for move in found.found:
        after = starts(run(KETTLE, move.config))
        assert found.place in after
        assert (start in after) == found.stays
        assert move.chunks == len(after)
        assert move.newly_unread == 0
    return found


def test_a_boundary_moves_to_the_heading_that_was_asked_for() -> None:
    # A part has 21 words: two of them are 42, three are 63.
    before = by(min_tokens=30, min_tokens_deeper=500, max_tokens=750)
    assert starts(before)[:2] == [0, heading(3)]

    found = moved(before, heading(3), heading(4))

    assert (found.place, found.stays) == (heading(4), False)
    first = found.found[0]
    assert (first.setting, first.before, first.after) == ("minTokens", 30, 43)
    assert first.nearest
    assert starts(by(min_tokens=42, min_tokens_deeper=500, max_tokens=750)) == starts(before)


def test_white_space_before_a_line_is_no_other_place() -> None:
    before = by(min_tokens=30, min_tokens_deeper=500, max_tokens=750)

    assert moves(before, heading(3) - 1, heading(4) - 2) == moved(before, heading(3), heading(4))


def test_where_the_old_boundary_cannot_go_it_is_said_that_it_stays() -> None:
    before = by(min_tokens=50, min_tokens_deeper=500, max_tokens=750)
    assert starts(before) == [0, heading(4)]

    found = moved(before, heading(4), heading(2))

    assert found.found
    assert found.place == heading(2)
    assert found.stays


def test_where_nothing_begins_a_chunk_there_the_nearest_place_is_found() -> None:
    before = by(min_tokens=30, min_tokens_deeper=500, max_tokens=750)
    inside = TEXT.index("steam water", heading(4))

    found = moved(before, heading(3), inside)

    assert found.place != inside
    assert found.found == () or abs(found.place - inside) < abs(heading(3) - inside)


def test_a_strategy_without_settings_moves_nothing() -> None:
    cut = run(KETTLE, Config.of("every-heading", {}, "words"))

    found = moves(cut, heading(3), heading(3) + 10)

    assert (found.found, found.tried, found.nearest) == ((), (), heading(3))


def test_where_nothing_puts_it_there_it_is_said_what_was_tried() -> None:
    before = by(min_tokens=30, min_tokens_deeper=500, max_tokens=750)
    inside = TEXT.index("steam water", heading(4))

    found = moves(before, heading(3), inside)

    assert found.place != inside
    assert found.nearest is not None
    assert abs(found.nearest - inside) <= abs(found.place - inside)
    tried = {each.setting: each for each in found.tried}
    for value in (tried["minTokens"].low, tried["minTokens"].high, 31, 43):
        assert inside not in starts(by(min_tokens=int(value or 0), min_tokens_deeper=500, max_tokens=750))
    assert tried["h1Rule"].values == (False,)


def test_a_boundary_can_move_onto_one_that_is_there() -> None:
    before = by(min_tokens=30, min_tokens_deeper=500, max_tokens=750)
    assert starts(before)[1:3] == [heading(3), heading(5)]

    found = moved(before, heading(3), heading(5))

    assert (found.place, found.stays) == (heading(5), False)
    assert found.found


def test_a_place_nearby_is_looked_for_in_a_time_of_its_own() -> None:
    before = by(min_tokens=30, min_tokens_deeper=500, max_tokens=750)
    left = iter([True] * 12)

    found = moves(
        before,
        heading(3),
        TEXT.index("steam water", heading(4)),
        goes_on=lambda: next(left, False),
        goes_on_nearby=lambda: True,
    )

    assert not found.complete
    assert found.found


def test_a_search_that_is_ended_says_that_there_may_be_more() -> None:
    found = moves(by(min_tokens=30), heading(3), heading(4), goes_on=lambda: False)

    assert not found.complete


@pytest.mark.parametrize("cuts", [8, 13, 20, 30, 50, 80])
def test_a_search_that_ends_early_says_rightly_whether_the_old_boundary_stays(cuts: int) -> None:
    text = "".join(f"## Part {n}\n\n{'Water and steam in a kettle. ' * (3 + n % 5)}\n\n" for n in range(30))
    before = run(parse(text, name="long.md"), Config.of("recursive", {}))
    boundary, place = before.chunks[2].body.start, text.index("## Part", before.chunks[2].body.start + 200)
    left = iter(range(cuts))

    found = moves(before, boundary, place, goes_on=lambda: next(left, None) is not None)

    for move in found.found:
        after = starts(run(before.document, move.config))
        assert found.place in after
        assert (boundary in after) == found.stays
