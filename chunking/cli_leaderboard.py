"""What `chunkscope evaluate` says of what it measured: the metrics, the leaderboard, what to do, and all as JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path

from chunking.certainty import CONFIDENCE, Difference, difference, interval, pairs
from chunking.cli_terminal import say, say_table
from chunking.config import Config
from chunking.errors import GoldError
from chunking.evaluating import Evaluation
from chunking.export import to_bytes, whole_file
from chunking.gold import Gold
from chunking.leaderboard import Leaderboard, Place, lead_words, leaderboard, metric_name, recommendation
from chunking.passages import Mode
from chunking.searching import Embedded, Search
from chunking.showing import shown_text

_LONGEST_NAME = 80
_NUMBERS = ("chunks", "answers cut", "tokens a question", "to embed")


@dataclass(frozen=True, slots=True)
class Asked:
    """What the command was told."""

    mode: Mode
    search: Search
    top: int
    max_tokens: int
    """0 where `top` passages are retrieved."""
    metric: str
    """What ranks; "" for the usual one."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One config, or one file of another tool's chunks, measured."""

    evaluation: Evaluation
    config: Config | None
    """None for another tool's chunks."""
    embedded: Embedded


def ranked(found: Mapping[str, Measured], asked: Asked) -> Leaderboard:
    """The leaderboard. Raises GoldError for a metric that was not measured."""
    try:
        return leaderboard({name: each.evaluation for name, each in found.items()}, asked.metric)
    except GoldError as error:
        raise GoldError(f"--metric: {error}") from None


def say_all(found: Mapping[str, Measured], board: Leaderboard, gold: Gold) -> None:
    """Every metric, the leaderboard, what to do."""
    _say_metrics({shown_text(name, _LONGEST_NAME): each.evaluation for name, each in found.items()})
    say("")
    rows = [_row(number, each, searched=board.searched) for number, each in enumerate(board.places, start=1)]
    say_table(["", metric_name(board.metric), "the first leads by", *_NUMBERS], rows, numbers=_NUMBERS)
    say("")
    say(shown_text(recommendation(board), 4_000))
    together = pairs(len(found))
    wider = f"; those of all {together} differences hold together" if together > 1 else ""
    told = (
        f"± is the standard deviation; in brackets, {CONFIDENCE:.0%} intervals by bootstrap over the questions{wider}"
    )
    say(f"{len(gold.questions)} questions; {told}")


def _row(number: int, place: Place, *, searched: bool) -> list[str]:
    of, value, lead = place.evaluation, place.value, place.behind
    return [
        f"{number}. {shown_text(place.name, _LONGEST_NAME)}",
        f"{value.mean:.3f} [{value.low:.3f}, {value.high:.3f}]",
        f"{lead.mean:.3f} [{lead.low:.3f}, {lead.high:.3f}] {lead_words(lead)}" if lead else "",
        f"{of.passages:,}",
        f"{of.answers_cut:,}",
        f"{of.retrieved_tokens:,.0f}" if searched else "-",
        f"{of.tokens:,}",
    ]


def _say_metrics(found: Mapping[str, Evaluation]) -> None:
    """One row for each metric; each config after the first with its difference to the first."""
    (first, base), *others = found.items()
    columns = [first, *(column for name, _ in others for column in (name, f"less {first}"))]
    counts = [
        [title, values[0], *(cell for value in values[1:] for cell in (value, ""))]
        for title, values in (
            ("chunks", [str(each.passages) for each in found.values()]),
            ("answers cut", [str(each.answers_cut) for each in found.values()]),
        )
    ]
    rows = []
    for metric in base.values:
        cells = [metric.replace("_", " "), _mean(base.values[metric])]
        for _, each in others:
            compared = _compared(base, each, metric, len(found))
            cells += [
                _mean(each.values[metric]) if metric in each.values else "-",
                sentence(compared) if compared else "-",
            ]
        rows.append(cells)
    say_table(["", *columns], [*counts, *rows])


def _mean(values: Sequence[float]) -> str:
    held = interval(values)
    return f"{held.mean:.3f} ± {held.std:.3f} [{held.low:.3f}, {held.high:.3f}]"


def _compared(before: Evaluation, after: Evaluation, metric: str, configs: int) -> Difference | None:
    if metric not in before.values or metric not in after.values:
        return None
    return difference(before.values[metric], after.values[metric], comparisons=pairs(configs))


def sentence(of: Difference) -> str:
    """A difference in words: `+0.051 [-0.010, +0.112] inconclusive; about 90 questions would tell`."""
    shown = f"{of.mean:+.3f} [{of.low:+.3f}, {of.high:+.3f}] {of.verdict}"
    return f"{shown}; about {of.questions_needed} questions would tell" if of.questions_needed else shown


def as_json(found: Mapping[str, Measured], board: Leaderboard, gold: Gold, asked: Asked) -> dict[str, object]:
    """All of it, for a CI."""
    return {
        "mode": asked.mode,
        "search": asked.search,
        "top": None if asked.max_tokens else asked.top,
        "max_tokens": asked.max_tokens or None,
        "questions": len(gold.questions),
        "problems": list(gold.problems),
        "configs": [_config_json(name, each) for name, each in found.items()],
        "differences": [
            {"before": before, "after": after, "metric": metric, **_rounded(asdict(compared))}
            for before, after in combinations(found, 2)
            for metric in found[before].evaluation.values
            if (compared := _compared(found[before].evaluation, found[after].evaluation, metric, len(found)))
        ],
        "leaderboard": {
            "metric": board.metric,
            "decided": board.decided,
            "places": [
                {
                    "config": place.name,
                    **_rounded(asdict(place.value)),
                    "leader_ahead_by": _rounded(asdict(place.behind)) if place.behind else None,
                }
                for place in board.places
            ],
            "recommendation": recommendation(board),
        },
    }


def _config_json(name: str, measured: Measured) -> dict[str, object]:
    of = measured.evaluation
    return {
        "config": name,
        "chunks": of.passages,
        "answers_cut": of.answers_cut,
        "retrieved_tokens": round(of.retrieved_tokens, 1),
        "tokens_to_embed": of.tokens,
        "embedded": asdict(measured.embedded),
        "metrics": {metric: _rounded(asdict(interval(values))) for metric, values in of.values.items()},
    }


def _rounded(values: dict[str, object]) -> dict[str, object]:
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in values.items()}


def write_winner(path: Path, found: Mapping[str, Measured], board: Leaderboard) -> None:
    """The YAML of the first place. Raises GoldError where that is another tool's chunks."""
    name = board.leader.name
    config = found[name].config
    if config is None:
        raise GoldError(f"--winner: {shown_text(name, 200)} comes first, and chunks of another tool have no YAML")
    with whole_file(path) as file:
        file.write(to_bytes(config.to_yaml()))
