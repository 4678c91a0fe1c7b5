"""Every metric is declared once, and every view draws what the table says."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from chunking import Config, parse, run
from chunking.analysis import metric_table
from chunking.analysis.corpus_figures import OF_CORPORA, document_figures, together
from chunking.analysis.health import health
from chunking.analysis.metric_table import GROUPS, LEFT_OUT, NO_LIMITS, OF_CONFIGS, PICTURE, STRIP, Metric, share_text
from chunking.core.metrics import Metrics
from chunking.report.report import html_report
from chunking.report.tables import overview_of
from chunking.tuning.summary import ConfigSummary, SummaryBuilder
from pages.ui.compare.corpus_numbers import ComparedDocument, total_lines
from pages.ui.compare.markup import metrics_table as compared
from pages.ui.inspect.metric_strip import before_after
from pages.ui.tune.measures import figures
from pages.ui.tune.preview import preview

MADE = run(parse("# A\n\nx y z\n\n## B\n\n## C\n\nw\n", name="a.md"), Config.of("every-heading", {}))


def headings_share(metrics: Metrics) -> float | None:
    return metrics.heading_only / metrics.chunk_count if metrics.chunk_count else None


def test_a_new_metric_is_one_line_in_the_table_and_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    new = Metric("headings_share", "Headings alone", "share", "less", short="headings", function=headings_share)
    monkeypatch.setattr(metric_table, "GROUPS", {**GROUPS, "New": (new,)})

    assert "Headings alone" in html_report(MADE)
    assert ">33%<" in compared(["A", "B"], metric_table.lines([MADE.metrics, MADE.metrics]))


def test_every_number_that_a_run_is_measured_by_is_in_the_table_once() -> None:
    names = [metric.name for group in GROUPS.values() for metric in group]
    by_reason = {"boundaries", "skipped_characters", "depths"}
    about_limits = {"limits_counter", "limits_approximate"}

    assert len(set(names)) == len(names)
    assert {field.name for field in fields(Metrics)} == {*names, *by_reason, *about_limits}


def test_what_configs_are_compared_by_is_measured_of_them() -> None:
    assert {metric.name for metric in OF_CONFIGS} <= {field.name for field in fields(ConfigSummary)}


def test_the_strips_of_the_app_and_of_the_report_say_the_same_numbers() -> None:
    said = html_report(MADE)

    for figure, metric in zip(before_after(MADE.metrics, None), STRIP, strict=True):
        assert figure.title == metric.title
        assert f"<dt>{metric.title}</dt><dd><b>{figure.now}</b></dd>" in said
    columns = [name for name, _ in overview_of([("a.md", "a", MADE.metrics, 0)]).head]
    assert columns == ["document", *(metric.short for metric in STRIP), "warnings"]


def test_one_table_that_is_cut_twice_is_one_block_cut_in_two_with_two_torn_boundaries_in_every_place() -> None:
    table = "".join(f"| {row} | {row} |\n" for row in range(6))
    cut = run(
        parse(f"| a | b |\n|---|---|\n{table}", name="a.md"),
        Config.of("fixed", {"unit": "characters", "chunkSize": 36, "chunkOverlap": 0}),
    )

    said = {figure.title: figure.now for figure in before_after(cut.metrics, None)}
    assert (said["Blocks cut in two"], cut.metrics.atomic_split) == ("1", 1)
    assert {each.title for each in OF_CORPORA if each.name == "blocks_cut"} == {"Blocks cut in two"}
    assert preview(cut, cut).endswith("✂ 1 block cut in 2 places</p></div>")


def test_a_config_that_embeds_fewer_tokens_because_it_leaves_text_out_shows_how_much() -> None:
    text = "# A\n\n" + "One two three four five six. " * 200 + "\n\n# B\n\nShort end.\n"
    document = parse(text, name="a.md")

    def shown(tail: str) -> str:
        made = run(document, Config.of("heading-window", {"shortTail": tail}))
        measured = SummaryBuilder(made.config)
        measured.add(made)
        return {each.title: each.now for each in figures(measured.summary(), None, OF_CONFIGS)}["Characters left out"]

    assert (shown("skip"), shown("keep")) == (f"{len('# B Short end.'.replace(' ', ''))}", "0")


def test_characters_left_out_are_one_number_in_every_place_and_front_matter_is_not_among_them() -> None:
    text = "---\ntitle: Tea for two\n---\n\n# A\n\n" + "One two three four five six. " * 200 + "\n\n# B\n\nShort end.\n"
    made = run(parse(text, name="a.md"), Config.of("heading-window", {"shortTail": "skip"}))
    of_sweep, of_document = SummaryBuilder(made.config), document_figures(made)
    of_sweep.add(made)
    totals = {each.metric.title: each.values for each in total_lines([ComparedDocument((of_document,), ())], 1)}
    check = next(each for each in health(made) if each.name == "coverage")

    left_out = len("# B Short end.".replace(" ", ""))

    assert [LEFT_OUT.of(each) for each in (made.metrics, of_sweep.summary(), of_document, together([of_document]))] == (
        [left_out] * 4
    )
    assert totals["Characters left out"] == (left_out,)
    assert check.finding == f"{left_out} characters are left out"
    assert of_sweep.summary().violation_words("nothing-left-out") == f"{left_out} visible characters left out"
    assert all(LEFT_OUT in each for each in (PICTURE, OF_CONFIGS, OF_CORPORA))


def test_better_is_said_by_the_metrics_own_direction_and_never_of_what_is_the_same() -> None:
    fewer, more, neither = (Metric("x", "X", better=better) for better in ("less", "more", ""))

    assert [each.verdict(3, 1) for each in (fewer, more, neither)] == ["better", "worse", ""]
    assert [each.verdict(1, 3) for each in (fewer, more, neither)] == ["worse", "better", ""]
    assert fewer.verdict(2, 2) == fewer.verdict(None, 2) == fewer.verdict(2, None) == ""


def test_fewer_tokens_to_embed_are_better_of_configs_and_neither_of_one_run() -> None:
    now, was = ConfigSummary(tokens_to_embed=10), ConfigSummary(tokens_to_embed=20)

    shown = {figure.title: figure.verdict for figure in figures(now, was, OF_CONFIGS[:4])}

    assert shown == {"Chunks": "", "Median tokens": "", "Largest": "", "Tokens to embed": "better"}
    assert next(metric for metric in STRIP if metric.name == "tokens_to_embed").better == ""


def test_more_tokens_to_embed_are_not_worse_than_those_of_a_config_that_leaves_out_more_text() -> None:
    tokens = [each for each in OF_CONFIGS if each.name == "tokens_to_embed"]
    lossy, whole = ConfigSummary(tokens_to_embed=10, left_out=408), ConfigSummary(tokens_to_embed=20)

    (more,), (fewer,) = figures(whole, lossy, tokens), figures(lossy, whole, tokens)
    (both,) = figures(replace(whole, left_out=500), lossy, tokens)

    assert (more.verdict, fewer.verdict, both.verdict) == ("", "", "worse")
    assert more.hint == f"{tokens[0].help}; the config with fewer tokens leaves out more text"


def test_every_metric_says_what_it_means_and_compare_says_it_below_its_table() -> None:
    declared = [metric for group in GROUPS.values() for metric in group]
    silent = [metric.name for metric in (*declared, *OF_CONFIGS, *OF_CORPORA) if not metric.help]
    assert silent == []

    below = compared(["A"], metric_table.lines([MADE.metrics])).partition("</table>")[2]
    assert "What these numbers mean" in below
    assert [metric.title for metric in declared if f"<dt>{metric.title}</dt>" not in below] == []


def test_a_median_between_two_sizes_is_the_same_number_alone_and_in_a_table() -> None:
    median = next(metric for metric in PICTURE if metric.name == "median_tokens")

    assert (median.text(ConfigSummary(median_tokens=1234.5)), median.value_text(1234.5)) == ("1,234.5", "1,234.5")
    assert (median.value_text(7.0), median.value_text(None)) == ("7", "–")


def test_of_a_strategy_without_limits_every_table_says_so() -> None:
    found = run(parse("# A\n\nwords\n", name="a.md"), Config.of("every-heading", {})).metrics
    empty = run(parse("", name="a.md"), Config.of("heading-window", {})).metrics
    within = metric_table.metric("within_limits")

    assert within.text(found) == within.value_text(within.of(found)) == NO_LIMITS
    assert within.text(empty) == "–"  # of no chunk there is no share
    assert Metric("x", "X", "score", decimals=3).value_text(0.5) == "0.500"
    assert Metric("x", "X", "share", decimals=1).value_text(0.0304) == "3%"


def test_nearly_all_is_never_shown_as_all() -> None:
    assert [share_text(share) for share in (0.9999, 0.0001, 1.0, 0.0)] == ["99%", "1%", "100%", "0%"]
    assert [share_text(share, 1) for share in (0.9999, 0.0001, 1.0, 0.0)] == ["99.9%", "0.1%", "100%", "0%"]


def test_a_share_is_rounded_and_a_half_away_from_zero() -> None:
    assert share_text(6593 / 6877, 1) == "95.9%"
    assert [share_text(share) for share in (1 / 8, 29 / 200, 0.996, 0.004)] == ["13%", "15%", "99%", "1%"]
