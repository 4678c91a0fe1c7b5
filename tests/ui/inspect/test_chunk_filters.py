"""The chunks that a filter has stand out, and the places that the strip's numbers lead to."""

from __future__ import annotations

from chunking import Config, Run, health, parse, run
from pages.ui.components.source_view.torn import torn_columns
from pages.ui.inspect.chunk_filters import chunks_of, next_cut, next_outside, standing_in_drag, standing_out

TABLE = "# Prices\n\nSome words first.\n\n| tea | price |\n|---|---|\n| green | 1 |\n| black | 2 |\n\nThe end.\n"


def cut_every(characters: int) -> Run:
    return run(parse(TABLE, "prices.md"), Config.of("fixed", {"chunkSize": characters, "chunkOverlap": 0}, "chars-4"))


def test_torn_chunks_and_those_over_the_limit_are_known_without_checks() -> None:
    cut = cut_every(8)

    torn = chunks_of(cut, "torn", ())
    assert torn
    assert all("|" in cut.chunks[number].text for number in torn)
    assert chunks_of(cut, "over", ()) == ()
    assert len(chunks_of(cut, "all", ())) == len(cut.chunks)


def test_failing_chunks_are_those_that_a_failed_check_names() -> None:
    cut = cut_every(8)
    checks = health(cut)

    failing = chunks_of(cut, "failing", checks)
    assert set(failing) == {chunk for check in checks if check.verdict == "fail" for chunk in check.chunks}
    assert failing


def test_during_a_drag_checks_are_not_made_and_nothing_stands_out_by_them() -> None:
    cut = cut_every(8)

    assert standing_in_drag("failing", cut) is None
    assert standing_in_drag("torn", cut) == standing_out(cut, "torn", None)
    assert standing_out(cut, "all", health(cut)) is None


def test_the_strips_number_leads_from_cut_to_cut_and_from_the_last_to_the_first() -> None:
    cut = cut_every(8)

    first = next_cut(cut, None)
    places = [first]
    while (place := next_cut(cut, places[-1])) != first:
        places.append(place)
    assert len(places) == len(cut.torn_boundaries) == len(chunks_of(cut, "torn", ())) == len(torn_columns(cut)["torn"])
    assert next_cut(cut_every(1000), None) is None


def test_the_share_within_limits_leads_from_chunk_to_chunk_outside_of_them() -> None:
    text = "# A\n\none\n\n# B\n\n" + "word " * 60 + "\n\n# C\n\ntwo\n"
    config = Config.of("heading-window", {"min_tokens": 10, "min_tokens_deeper": 10, "max_tokens": 40}, "words")
    cut = run(parse(text, "a.md"), config)
    under_or_over = [chunk.body.start for chunk in cut.chunks if not 10 <= chunk.body_tokens <= 40]

    assert under_or_over
    assert next_outside(cut, None) == under_or_over[0]
    assert next_outside(cut, under_or_over[0]) == under_or_over[1 % len(under_or_over)]
    assert next_outside(cut, under_or_over[-1]) == under_or_over[0]
    assert next_outside(cut_every(1000), None) is None
