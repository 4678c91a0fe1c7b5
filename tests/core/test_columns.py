"""A run's chunks as columns of numbers."""

from __future__ import annotations

from chunking import Config, parse, run
from chunking.strategies.fixed import Fixed
from chunking.strategies.hierarchical import Hierarchical

KETTLE = "# Kettle\n\nwater\n\n## Fill\n\nto the line\n\n## Boil\n\nwait for the steam\n"


def test_each_chunk_is_a_row_with_its_places_and_sizes() -> None:
    cut = run(parse(KETTLE, name="k.md"), Config(Hierarchical(target=5, hard_cap=8), "words"))

    columns = cut.columns

    assert len(cut.chunks) > 1
    assert columns.start.tolist() == [chunk.body.start for chunk in cut.chunks]
    assert columns.end.tolist() == [chunk.body.end for chunk in cut.chunks]
    assert columns.kept_start.tolist() == [chunk.kept[0].start for chunk in cut.chunks]
    assert columns.kept_end.tolist() == [chunk.kept[-1].end for chunk in cut.chunks]
    assert columns.tokens.tolist() == [chunk.tokens for chunk in cut.chunks]
    assert columns.body_tokens.tolist() == [chunk.body_tokens for chunk in cut.chunks]
    assert columns.rules == tuple(chunk.ended_by.rule for chunk in cut.chunks)
    assert columns.breadcrumbs == tuple(chunk.breadcrumb for chunk in cut.chunks)
    assert any(chunk.holes for chunk in cut.chunks)
    assert columns.holes == {}


def test_overlaps_have_their_spans_and_chunks_without_one_minus_one() -> None:
    cut = run(parse("one two three four five six", name="n.md"), Config(Fixed(chunk_size=12, chunk_overlap=4)))

    spans = [(chunk.overlap.start, chunk.overlap.end) if chunk.overlap else (-1, -1) for chunk in cut.chunks]

    assert list(zip(cut.columns.overlap_start.tolist(), cut.columns.overlap_end.tolist(), strict=True)) == spans
    assert spans[0] == (-1, -1)
    assert max(spans) > (0, 0)


def test_an_empty_run_has_empty_columns() -> None:
    columns = run(parse("", name="empty.md"), Config(Fixed())).columns

    assert columns.start.tolist() == []
    assert columns.rules == ()
