"""The torn boundaries that a view is sent: those near what it shows, with the way to the next."""

from __future__ import annotations

from itertools import pairwise

from chunking import Boundary, Chunk, Config, Run, Skip, Span, parse, strategies
from pages.ui.components.reading_views.cuts import cut_of
from pages.ui.components.reading_views.near_tears import torn_among, torn_in

LIST = "- one\n- two\n- three\n- four\n- five\n- six\n"
WORDS = ("- two", "- three", "- four", "- five", "- six")


def cut(text: str, *at: int, left_out: tuple[int, ...] = (), rule: str = "excluded") -> Run:
    """The text cut at these places; parts that begin at one of `left_out` are in no chunk."""
    document = parse(text, "a.md")
    why = Boundary(rule, "for a reason")
    parts = [
        Skip(Span(start, end), why)
        if start in left_out
        else Chunk(document, Span(start, end), Boundary("size", "full"), ("a.md",), 1, 1)
        for start, end in pairwise([0, *at, len(text)])
    ]
    return Run(document, Config(strategies.get("every-heading")()), tuple(parts))


def test_a_stretch_has_its_own_and_two_more_at_either_side() -> None:
    places = [LIST.index(word) for word in WORDS]
    run = cut(LIST, *places)
    all_of_it, middle = torn_in(run, 0, len(LIST)), torn_in(run, places[2], places[2])

    assert (list(all_of_it.at), all_of_it.before, all_of_it.of, all_of_it.blocks) == (places, 0, 5, 1)
    assert (list(middle.at), middle.before, middle.of) == (places, 0, 5)
    assert list(torn_in(run, places[4], len(LIST)).at) == places[2:]
    assert torn_in(run, places[4], len(LIST)).before == 2


def test_of_chunks_that_are_filtered_only_the_ends_of_those_shown_are_torn_by_their_places() -> None:
    run = cut(LIST, *(LIST.index(word) for word in WORDS))
    near = torn_among(run, (1, 3, 5), range(3))  # the last chunk ends with the list

    assert (list(near.at), [torn.chunk for torn in near.torn], near.of) == ([0, 1], [1, 3], 2)


def test_a_cut_knows_what_it_tears_also_where_white_space_or_a_skip_begins_there() -> None:
    text = "- one\n\n- two\n\nafter\n"
    two, blank, after = text.index("- two"), text.index("\n- two"), text.index("after")

    assert [found.torn for index in range(3) if (found := cut_of(cut(text, two, after), index))] == [-1, two, -1]
    held = cut(text, blank, two, after, left_out=(blank,), rule="blank")
    assert [found.torn if (found := cut_of(held, index)) else None for index in range(4)] == [-1, None, blank, -1]
    skipped = cut(text, two, after, left_out=(two,))
    assert [found.torn for index in range(3) if (found := cut_of(skipped, index))] == [-1, two, -1]
