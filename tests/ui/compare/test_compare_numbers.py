"""A comparison in numbers: one counter, differences from the first, what is to be embedded
again."""

from __future__ import annotations

from chunking import Config, parse, run
from chunking.analysis.metric_table import Metric, MetricLine, lines
from chunking.document import Conversion
from pages.ui.choices.comparing import Comparing, ConfigRow, read_rows, row_of, write_rows
from pages.ui.choices.plans import Plan
from pages.ui.compare.markup import difference, metrics_table, money
from pages.ui.compare.tables import boundaries
from pages.ui.components.ribbon.ticks import MOST_TICKS, Tick, moved_words, thinned, ticks_of_changes
from pages.ui.side_by_side.markup import numbers
from pages.ui.side_by_side.numbers import measured, versus

TEXT = "# A\n\none two\n\n## B\n\nthree\n\n## C\n\nfour\n"
DOCUMENT = parse(TEXT, name="a.md")
HEADINGS = run(DOCUMENT, Config.of("every-heading", {}))
WHOLE = run(DOCUMENT, Config.of("hierarchical", {"embedBreadcrumb": False}))


def test_sizes_are_counted_with_the_counter_of_the_comparison() -> None:
    found = measured(HEADINGS, "words")

    assert found.sizes == (4, 3, 3)
    assert found.metrics.tokens_to_embed == 10
    assert [chunk.tokens for chunk in found.drawn.chunks] == [4, 3, 3]
    assert [chunk.id for chunk in found.drawn.chunks] == [chunk.id for chunk in HEADINGS.chunks]


def test_every_boundary_that_is_gone_is_removed_and_the_one_chunk_is_embedded_again() -> None:
    found = versus(measured(HEADINGS, "words"), measured(WHOLE, "words"))

    assert [each.change for each in found.changes] == ["removed", "removed"]
    assert (found.again, found.again_tokens, found.gone) == ((0,), 10, 3)


def test_a_run_against_itself_needs_nothing_again() -> None:
    found = versus(measured(HEADINGS, "words"), measured(HEADINGS, "words"))

    assert (found.again, found.gone, found.count("kept")) == ((), 0, 2)


def test_a_chunk_that_differs_from_one_before_in_white_space_alone_is_counted_apart() -> None:
    document = parse("# A\n\nOne two.\n")
    by_heading, fixed = (run(document, Config.of(name, {})) for name in ("every-heading", "fixed"))
    found = versus(measured(by_heading, "words"), measured(fixed, "words"))

    assert (len(found.again), found.alike) == (1, 1)
    assert versus(measured(HEADINGS, "words"), measured(WHOLE, "words")).alike == 0


def test_the_table_of_boundaries_says_the_line_the_change_and_which_chunk_became_which() -> None:
    table = boundaries(versus(measured(HEADINGS, "words"), measured(WHOLE, "words")), ("removed",))

    assert table["Line"].tolist() == [5, 9]
    assert table["Boundary"].tolist() == ["× removed", "× removed"]
    assert table["Chunk"].tolist() == ["1 → –", "2 → –"]
    assert table["Reason before"].tolist() == ["heading", "heading"]
    assert table["What follows"].tolist() == ["## B", "## C"]


def test_the_table_of_boundaries_has_the_page_of_what_follows_where_there_are_pages() -> None:
    paged = parse(TEXT, "a.pdf", Conversion("reader 1.0", (0, TEXT.index("## B"))))
    before, after = (run(paged, Config.of(name, {})) for name in ("every-heading", "fixed"))
    table = boundaries(versus(measured(before, "words"), measured(after, "words")), ("removed",))

    assert (table["Line"].tolist(), table["Page"].tolist()) == ([5, 9], [2, 2])


def test_differences_are_signed_and_shares_differ_by_points() -> None:
    count, share = Metric("x", "X"), Metric("x", "X", "share")

    assert difference(MetricLine(count, (10, 7)), 7) == "−3"
    assert difference(MetricLine(count, (10, 10.5)), 10.5) == "+0.5"
    assert difference(MetricLine(share, (0.5, 0.75)), 0.75) == "+25.0 pts"
    assert difference(MetricLine(count, (10, 10)), 10) == ""
    assert difference(MetricLine(count, (4004 / 27, 4174 / 11)), 4174 / 11) == "+231.2"
    assert difference(MetricLine(share, (None, 0.5)), 0.5) == ""


def test_fewer_cuts_inside_a_block_are_better_and_names_are_escaped() -> None:
    shown = metrics_table(["A", "B"], {"<i>": (MetricLine(Metric("b", "<b>", better="less"), (3, 1)),)})

    assert '−2 <span class="cs-better">better</span>' in shown
    assert "&lt;b&gt;" in shown
    assert "<i>" not in shown


def test_every_number_of_the_metrics_is_in_the_table() -> None:
    named = {name for group in lines([HEADINGS.metrics]).values() for name in (line.metric.title for line in group)}

    assert {"Chunks", "Coverage", "Standard deviation", "heading", "end"} <= named


def test_small_amounts_of_money_keep_their_digits() -> None:
    assert money(2_000_000, 0.5) == "1.00"
    assert money(10_000, 0.13) == "0.0013"
    assert money(100, 0.02) == "0.000002"
    assert money(0, 0.02) == "0.00"


def test_a_link_reads_back_as_the_rows_it_was_written_from() -> None:
    rows = (row_of(Config.of("fixed", {"chunkSize": 500})), row_of(Config.of("hierarchical", {}, "words")))
    written = write_rows(Comparing(rows, "words", 0.25))

    assert written == {
        "a.strategy": "fixed",
        "a.chunkSize": "500",
        "b.strategy": "hierarchical",
        "b.counter": "words",
        "counted": "words",
        "price": "0.25",
    }
    again = read_rows(written)
    assert again is not None
    assert (again.configs(), again.counter, again.price, again.problem) == (
        tuple(row.resolution().config for row in rows),
        "words",
        0.25,
        "",
    )


def test_a_link_of_another_page_says_nothing_of_rows() -> None:
    assert read_rows({"strategy": "fixed", "was.strategy": "recursive", "document": "sample:x.md"}) is None


def test_a_price_that_is_no_number_is_said() -> None:
    for text in ("nan", "-1", "inf", "1e99", "free"):
        found = read_rows({"a.strategy": "fixed", "b.strategy": "recursive", "price": text})
        assert found is not None
        assert found.price == 0.0
        assert "is not a price" in found.problem


def test_two_rows_always_stay_and_a_fifth_never_comes() -> None:
    two = Comparing((ConfigRow(Plan("fixed")), ConfigRow(Plan("recursive"))))
    four = two.with_another().with_another()

    assert two.without(0) == two
    assert len(four.rows) == 4
    assert four.with_another() == four


def test_ticks_say_how_far_a_boundary_moved() -> None:
    assert moved_words(1) == "moved 1 character later"
    assert moved_words(-1234) == "moved 1,234 characters earlier"
    found = versus(measured(HEADINGS, "words"), measured(WHOLE, "words"))
    assert [tick.says for tick in ticks_of_changes(found.changes, DOCUMENT)] == [
        "line 5: removed, was heading",
        "line 9: removed, was heading",
    ]


def test_of_very_many_ticks_the_most_telling_of_each_stretch_is_drawn() -> None:
    document = parse("x" * 30_000, name="x.md")
    ticks = [Tick("removed" if at == 10 else "kept", at, None, f"at {at}") for at in range(30_000)]
    found = list(thinned(ticks, document))

    assert len(found) == MOST_TICKS
    assert (found[0].kind, found[0].at, found[0].says) == ("removed", 10, "at 10, and 19 more beside it")


def test_one_chunk_above_a_source_is_no_plural() -> None:
    one, two = parse("# A\n\nx\n", name="a.md"), parse("# A\n\nx\n\n# B\n\ny\n", name="b.md")
    config = Config.of("every-heading", {})

    shown = [numbers(measured(run(each, config), "cl100k_base"), []) for each in (one, two)]

    assert "<b>1</b> chunk</span>" in shown[0]
    assert "<b>2</b> chunks</span>" in shown[1]


def test_what_the_share_within_limits_is_of_stands_behind_its_name() -> None:
    text = "# A title above\n\n" + "".join(f"## Part {at}\n\n{'word ' * 88}\n\n" for at in range(6))
    limits: dict[str, int | bool] = {"minTokens": 20, "minTokensDeeper": 20, "maxTokens": 95, "h1Rule": False}
    row = measured(run(parse(text, "a.md"), Config.of("heading-window", limits)), "cl100k_base")

    assert "<b>86%</b> within limits (0% with context)</span>" in numbers(row, ["default settings"])


def test_of_a_strategy_without_limits_it_is_said_that_it_has_none() -> None:
    row = measured(run(parse("# A\n\nwords\n", "a.md"), Config.of("every-heading", {})), "cl100k_base")

    assert "<span>no limits</span>" in numbers(row, ["default settings"])
    assert "within limits" not in numbers(row, ["default settings"])
