"""Figures say what the run says."""

from __future__ import annotations

from chunking import Config, parse, run
from pages.ui.inspect import charts

DOCUMENT = parse("".join(f"# H{n}\n\n{'word ' * 10 * n}\n\n" for n in range(1, 9)), name="a.md")
RUN = run(DOCUMENT, Config.of("hierarchical", {"target": 40, "hardCap": 60}))
BASELINE = run(DOCUMENT, Config.of("every-heading", {}))


def test_every_chunk_is_in_the_histogram_once() -> None:
    figure = charts.token_histogram(RUN)

    assert sum(figure.data[0].y) == len(RUN.chunks)


def test_the_limits_are_drawn_where_they_stand_and_named() -> None:
    figure = charts.token_histogram(RUN)

    assert [shape.x0 for shape in figure.layout.shapes] == [40, 60]
    assert [note.text for note in figure.layout.annotations] == ["target 40", "max 60"]


def test_the_baseline_is_an_outline_of_all_its_chunks() -> None:
    figure = charts.token_histogram(RUN, BASELINE)

    assert figure.data[1].name == "was"
    assert sum(figure.data[1].y) == len(BASELINE.chunks)


def test_a_run_without_limits_has_no_lines() -> None:
    assert not charts.token_histogram(BASELINE).layout.shapes


def test_a_document_without_chunks_has_an_empty_histogram() -> None:
    empty = run(parse("   \n", name="a.md"), Config.of("every-heading", {}))

    assert sum(charts.token_histogram(empty).data[0].y) == 0


def test_a_bar_holds_chunks_of_one_side_of_the_limits_only() -> None:
    # Lists stay whole whatever their size, so that some chunks are over each of these maxima and
    # some are not.
    lists = parse("".join(f"# H{n}\n\n- {'word ' * 10 * n}\n\n" for n in range(1, 9)), name="a.md")
    for maximum in range(40, 80):
        made = run(lists, Config.of("block-packing", {"maxTokens": maximum, "overlapPercentage": 0}))
        bars = charts.token_histogram(made).data[0]
        over = sum(count for count, colour in zip(bars.y, bars.marker.color, strict=True) if colour == charts.OVER)

        assert over == made.metrics.over_maximum > 0
