"""The drawn sizes say what the run says."""

from __future__ import annotations

import re

from chunking import Config, Run, parse, run
from pages.ui.inspect import charts

DOCUMENT = parse("".join(f"# H{n}\n\n{'word ' * 10 * n}\n\n" for n in range(1, 9)), name="a.md")
RUN = run(DOCUMENT, Config.of("hierarchical", {"target": 40, "hardCap": 60}))
BASELINE = run(DOCUMENT, Config.of("every-heading", {}))


def counts(drawn: str, side: str = r"\w+") -> int:
    """The chunks of the bars on one side of the limits."""
    bars = re.findall(rf'<i class="cs-({side})"[^>]* tokens: ([\d,]+) now"', drawn)
    return sum(int(count.replace(",", "")) for _, count in bars)


def test_every_chunk_is_in_the_histogram_once() -> None:
    assert counts(charts.token_histogram(RUN)) == len(RUN.chunks)


def test_the_limits_are_drawn_where_they_stand_and_named() -> None:
    drawn = charts.token_histogram(RUN)
    (top,) = re.findall(r"([\d,]+) tokens</span></p>", drawn)
    limits = re.findall(r'<b class="cs-limit[^"]*" style="left:([\d.]+)%"><span>([^<]*)</span>', drawn)

    assert [name for _, name in limits] == ["target 40", "max 60"]
    assert [round(float(at) * int(top) / 100) for at, _ in limits] == [40, 60]


def test_limits_that_are_close_are_named_in_two_rows() -> None:
    close = run(DOCUMENT, Config.of("hierarchical", {"target": 57, "hardCap": 60}))

    assert charts.token_histogram(close).count("cs-high") == 1
    assert charts.token_histogram(RUN).count('class="cs-before"') == 0


def test_the_baseline_is_an_outline_of_all_its_chunks() -> None:
    drawn = charts.token_histogram(RUN, BASELINE)

    assert sum(map(int, re.findall(r'title="(\d+) of the baseline"', drawn))) == len(BASELINE.chunks)


def test_a_run_without_limits_has_no_lines_and_says_its_sizes() -> None:
    drawn = charts.token_histogram(BASELINE)
    sizes = [chunk.tokens for chunk in BASELINE.chunks]

    assert "cs-limit" not in drawn
    assert f'aria-label="Tokens a chunk: {min(sizes)} to {max(sizes)}"' in drawn


def test_a_document_without_chunks_has_an_empty_histogram() -> None:
    drawn = charts.token_histogram(run(parse("   \n", name="a.md"), Config.of("every-heading", {})))

    assert counts(drawn) == 0
    assert 'aria-label="No chunks"' in drawn


def over(made: Run) -> int:
    return counts(charts.token_histogram(made), "over")


def test_a_bar_holds_chunks_of_one_side_of_the_limits_only() -> None:
    # Lists stay whole whatever their size, so that some chunks are over each of these maxima and
    # some are not.
    lists = parse("".join(f"# H{n}\n\n- {'word ' * 10 * n}\n\n" for n in range(1, 9)), name="a.md")
    for maximum in range(40, 80):
        made = run(lists, Config.of("block-packing", {"maxTokens": maximum, "overlapPercentage": 0}))

        assert over(made) == made.metrics.over_maximum > 0
