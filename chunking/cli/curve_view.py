"""The output of `chunkscope evaluate --curve`: recall and IoU at each budget of tokens, areas, and
what embedding and searching cost, as text and as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from chunking.cli.terminal import print_line, print_table, rounded
from chunking.retrieval.costs import Costs
from chunking.retrieval.curves import CURVES, Curve, areas, areas_compared, curve_maximum, curve_points
from chunking.retrieval.standings import lead_words, metric_name
from chunking.retrieval.statistics import CONFIDENCE, Interval
from chunking.text.display import shown_text

_LONGEST_NAME = 80


def print_curves(curves: Mapping[str, Curve], costs: Mapping[str, Costs]) -> None:
    """Print a table for each metric, which area is shown to be larger, and the costs."""
    for metric in CURVES:
        print_line("")
        _print_curve(curves, metric)
    print_line("")
    names = ("tokens to embed", "US dollars", "search, ms")
    print_table(["", *names], [[_shown(name), *_cost_cells(each)] for name, each in costs.items()], numbers=names)
    asks = any(each.asks for each in costs.values())
    print_line(
        "US dollars: to embed all chunks once; search: median on this machine, "
        f"{'with' if asks else 'without'} embedding the question"
    )


def _print_curve(curves: Mapping[str, Curve], metric: str) -> None:
    points, whole = curve_points(curves, metric), areas(curves, metric)
    first = next(iter(points.values()))
    rows = [[f"{each.budget:,}", *(_interval(of[at].value) for of in points.values())] for at, each in enumerate(first)]
    rows.append(["area", *(_interval(each) for each in whole.values())])
    print_table([f"{metric_name(metric)} at tokens", *map(_shown, curves)], rows)
    best = max(whole, key=lambda name: whole[name].mean)
    if len(curves) > 1:
        print_line(f"Largest area under {metric_name(metric)}: {_shown(best)}, {_ahead(curves, metric, best)}.")
    most = curve_maximum(curves, metric)
    if most < 1:
        print_line(f"This assumes that no question comes above {most:.3f}.")
    if metric == CURVES[-1]:
        print_line(
            f"In brackets {CONFIDENCE:.0%} intervals over the questions, each by itself; areas are over the logarithm "
            "of the budget, from 0 to 1"
        )


def _ahead(curves: Mapping[str, Curve], metric: str, best: str) -> str:
    """How far the best is ahead of each other one, and whether that is shown."""
    ordered = {name: curves[name] for name in (*(name for name in curves if name != best), best)}
    leads = areas_compared(ordered, metric)
    return "; ".join(
        f"{of.mean:.3f} above {_shown(before)} ({of.low:.3f} to {of.high:.3f}), {lead_words(of)}"
        for (before, after), of in leads.items()
        if after == best
    )


def _cost_cells(of: Costs) -> Sequence[str]:
    money = "not known, see --price" if of.money is None else f"{of.money:,.4f}" if of.money else "0"
    return f"{of.tokens:,}", money, f"{of.search_ms:,.1f}"


def _interval(of: Interval) -> str:
    return f"{of.mean:.3f} [{of.low:.3f}, {of.high:.3f}]"


def _shown(name: str) -> str:
    return shown_text(name, _LONGEST_NAME)


def curves_json(curves: Mapping[str, Curve], costs: Mapping[str, Costs]) -> dict[str, object]:
    """What `--curve --json` prints: under `curves` by config, under `areas` every difference."""
    points = {metric: curve_points(curves, metric) for metric in CURVES}
    whole = {metric: areas(curves, metric) for metric in CURVES}
    return {
        "curves": [
            {
                "config": name,
                "points": [
                    {
                        "max_tokens": budget,
                        "retrieved_tokens": round(tokens, 1),
                        **{metric: rounded(asdict(points[metric][name][at].value)) for metric in CURVES},
                    }
                    for at, (budget, tokens) in enumerate(zip(of.budgets, of.tokens, strict=True))
                ],
                "area": {metric: rounded(asdict(whole[metric][name])) for metric in CURVES},
                "tokens_to_embed": costs[name].tokens,
                "dollars_per_million_tokens": costs[name].price,
                "dollars_to_embed": costs[name].money,
                "search_ms": round(costs[name].search_ms, 3),
                "search_embeds_question": costs[name].asks,
            }
            for name, of in curves.items()
        ],
        "areas": [
            {"before": before, "after": after, "metric": metric, **rounded(asdict(lead))}
            for metric in CURVES
            for (before, after), lead in areas_compared(curves, metric).items()
        ],
    }
