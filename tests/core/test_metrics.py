"""A run in numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

import pytest

from chunking import Config, parse, run
from chunking.analysis.comparison import compare, counted_alike, diff_boundaries
from chunking.analysis.metric_table import metric
from chunking.core.chunk import Boundary, Part, Skip
from chunking.core.context import SplitContext
from chunking.core.metrics import measure
from chunking.core.strategy import Limits, Strategy, setting
from chunking.document import Document, Span
from chunking.runs import Run
from chunking.strategies.every_heading import EveryHeading
from chunking.tokens import counter

KETTLE = "# Kettle\nwater\n\n## Fill\n\n## Boil\n\n```\nsteam\nsteam\n```\n"


class EveryN(Strategy):
    """Cuts after every `size` characters, skipping the first `skip`: a strategy whose numbers can
    be predicted."""

    name: ClassVar[str] = "every-n"
    title: ClassVar[str] = "Every n"
    summary: ClassVar[str] = "Cuts after every n characters."
    size: int = setting(10, title="Size", help="Higher gives fewer chunks.", ge=1)
    skip: int = setting(0, title="Skip", help="Higher leaves out more.", ge=0)

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        if self.skip:
            yield Skip(Span(0, self.skip), Boundary("excluded", "skipped by the test"))
        for start in range(self.skip, len(document.text), self.size):
            body = Span(start, min(start + self.size, len(document.text)))
            yield tools.seal(document, body, Boundary("size", "n characters"), breadcrumb=(document.name,))

    def limits(self) -> Limits:
        return Limits(minimum=2, maximum=3)


def cut(text: str, size: int = 10, skip: int = 0) -> Run:
    return run(parse(text, name="a.md"), Config(EveryN(size=size, skip=skip), "words"))


def every_heading(text: str) -> Run:
    return run(parse(text, name="kettle.md"), Config(EveryHeading(), "words"))


def test_sizes_are_counted_in_tokens_of_the_whole_text() -> None:
    metrics = every_heading(KETTLE).metrics

    assert (metrics.chunk_count, metrics.tokens_to_embed) == (3, 3 + 2 + 6)
    assert (metrics.min_tokens, metrics.median_tokens, metrics.max_tokens) == (2, 3.0, 6)


def test_a_mean_is_rounded_once_where_it_is_shown_and_to_two_decimals_in_json() -> None:
    metrics = replace(every_heading(KETTLE).metrics, mean_tokens=4174 / 11)

    assert every_heading(KETTLE).metrics.mean_tokens == 11 / 3
    assert metric("mean_tokens").text(metrics) == "379.5"
    assert metrics.to_dict()["mean_tokens"] == 379.45


def test_a_chunk_of_headings_alone_is_counted_as_heading_only() -> None:
    assert every_heading(KETTLE).metrics.heading_only == 1


def test_depths_count_the_headings_above_each_chunk() -> None:
    assert every_heading("before\n\n" + KETTLE).metrics.depths == {0: 1, 1: 1, 2: 2}


def test_a_cut_inside_a_fence_is_counted_and_splits_an_atomic_block() -> None:
    metrics = cut("```\none two\nthree\n```\n", size=8).metrics

    assert (metrics.cuts_inside_blocks, metrics.blocks_cut) == (2, 1)
    assert (metrics.atomic_split, metrics.atomic_kept) == (1, 0)


def test_a_cut_inside_a_paragraph_is_inside_a_block_and_cuts_no_table_code_or_list() -> None:
    metrics = cut("one two three four\n\n- a b c d e f g\n- h\n", size=9).metrics

    assert (metrics.cuts_inside_blocks, metrics.blocks_cut, metrics.atomic_split) == (3, 1, 1)


def test_a_cut_between_two_blocks_is_inside_neither() -> None:
    metrics = cut("one two\n\n- a\n- b\n", size=9).metrics

    assert (metrics.cuts_inside_blocks, metrics.blocks_cut) == (0, 0)
    assert (metrics.atomic_split, metrics.atomic_kept) == (0, 1)


def test_within_limits_is_the_share_of_chunks_between_minimum_and_maximum() -> None:
    metrics = cut("a b c d\n\nx\n", size=9).metrics

    assert (metrics.over_maximum, metrics.under_minimum, metrics.within_limits) == (1, 1, 0.0)


def test_a_strategy_without_limits_has_no_share_within_them() -> None:
    assert every_heading(KETTLE).metrics.within_limits is None


def test_coverage_counts_visible_characters_that_no_chunk_says() -> None:
    metrics = cut("ab cd ef gh\n", skip=6).metrics

    assert metrics.coverage == 0.5
    assert metrics.skipped_characters == {"excluded": 4}


@pytest.mark.parametrize("length", [255, 256, 65_535, 65_536, 200_000])
def test_characters_left_out_are_counted_in_a_text_of_any_length(length: int) -> None:
    metrics = cut("a" * length, size=length, skip=length - 1).metrics

    assert metrics.skipped_characters == {"excluded": length - 1}


def test_an_empty_document_measures_zero_and_none_never_nan() -> None:
    metrics = every_heading("").metrics

    assert (metrics.chunk_count, metrics.median_tokens, metrics.coverage) == (0, 0.0, 1.0)
    assert metrics.within_limits is None


def test_repeats_of_a_text_under_one_breadcrumb_are_counted() -> None:
    assert cut("ab\nab\nab\n", size=3).metrics.repeated == 2


def test_a_run_can_be_counted_again_with_another_counter() -> None:
    assert measure(cut("abcdefgh", size=4), counter("chars-4")).tokens_to_embed == 2


def test_equal_cuts_are_kept_near_ones_moved_and_the_rest_added_or_removed() -> None:
    before, after = cut("x" * 40, size=10), cut("x" * 40, size=12)

    changes = [(change.change, change.before, change.after) for change in diff_boundaries(before, after)]

    assert changes == [("moved", 10, 12), ("moved", 20, 24), ("moved", 30, 36)]


def test_a_cut_is_kept_where_both_runs_have_it() -> None:
    changes = [(change.change, change.offset) for change in diff_boundaries(cut("x" * 40, 10), cut("x" * 40, 20))]

    assert changes == [("removed", 10), ("kept", 20), ("removed", 30)]


def test_moving_a_threshold_says_what_must_be_embedded_again() -> None:
    text = "one two\nsix ten\none two\n"
    comparison = compare(cut(text, size=8), cut(text, size=16))

    assert [chunk.text for chunk in comparison.to_embed_again] == ["one two\nsix ten\n", "one two\n"][:1]
    assert comparison.tokens_to_embed_again == 4
    assert len(comparison.ids_gone) == 2
    assert comparison.changed_share == 0.5


def test_both_sides_of_a_comparison_are_counted_with_the_after_sides_counter() -> None:
    document = parse("abcdefgh\n", name="a.md")
    before, after = (run(document, Config(EveryHeading(), name)) for name in ("words", "chars-4"))

    assert compare(before, after).before_metrics.tokens_to_embed == 2
    assert counted_alike(before, after) == [2]
