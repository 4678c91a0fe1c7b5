"""A results file as one HTML file that needs nothing else: numbers, intervals, data, configs, and
the command that repeats it."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from chunking.report.html import template
from chunking.report.report import style
from chunking.report.tables import Head
from chunking.retrieval.results import BenchmarkRecord, NumberRecord, Results

_TITLE = "Results of an evaluation"


def results_html(results: Results) -> str:
    """The report. The same results give the same bytes."""
    metrics = list(dict.fromkeys(metric for each in results.configs for metric in each.metrics))
    return template("results.html").render(
        title=results.benchmark.title if results.benchmark else _TITLE,
        style_hash=b64encode(sha256(style().encode()).digest()).decode(),
        style=style(),
        results=results,
        metrics=metrics,
        metrics_head=[("metric", ""), *((each.config, "number") for each in results.configs)],
        benchmark_head=_benchmark_head(results.benchmark) if results.benchmark else (),
        benchmark_metrics=_measured(results.benchmark) if results.benchmark else (),
        measured_decimals=max(2, results.benchmark.decimals) if results.benchmark else 3,
        number=_number,
    )


def _measured(benchmark: BenchmarkRecord) -> list[str]:
    return list(dict.fromkeys(metric for row in benchmark.rows for metric in row.measured))


def _benchmark_head(benchmark: BenchmarkRecord) -> Head:
    names = [name.replace("_", " ") for name in _measured(benchmark)]
    return [("method", ""), *((cell, "number") for name in names for cell in (f"{name}, published", "measured"))]


def _number(of: NumberRecord | None, decimals: int = 3) -> str:
    """A mean with its interval, or with its standard deviation where it has none."""
    if of is None:
        return "–"
    if of.low is not None and of.high is not None:
        return f"{of.mean:.{decimals}f} [{of.low:.{decimals}f}, {of.high:.{decimals}f}]"
    return f"{of.mean:.{decimals}f}" + ("" if of.std is None else f" ± {of.std:.{decimals}f}")
