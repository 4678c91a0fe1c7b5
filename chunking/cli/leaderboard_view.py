"""The output of `chunkscope evaluate`: metrics, leaderboard and recommendation, as text and as
JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from chunking.cli.terminal import print_line, print_table, rounded
from chunking.config.config import Config
from chunking.errors import GoldError
from chunking.export.formats import to_bytes, whole_file
from chunking.gold.questions import Gold, unreviewed
from chunking.retrieval.evaluation import TOKENS_BY, Evaluation, document_means
from chunking.retrieval.passages import Mode
from chunking.retrieval.ranking import Embedded, Search
from chunking.retrieval.standings import (
    Leaderboard,
    Standing,
    assumed_maximum_of,
    compared,
    drafts_words,
    lead_words,
    leaderboard,
    means_apart,
    metric_name,
    recommendation,
    returned_words,
)
from chunking.retrieval.statistics import CONFIDENCE, Difference, interval, needed_words
from chunking.text.display import be, counted, shown_text
from chunking.tokens.embedder_windows import LostEnds

_LONGEST_NAME = 80
_NUMBERS = ("chunks", "answers cut or left out", "tokens a question", "to embed")


@dataclass(frozen=True, slots=True)
class EvaluationRequest:
    """The options of the command that affect the result."""

    mode: Mode
    search: Search
    top: int
    max_tokens: int
    """0 where `top` passages are retrieved."""
    neighbours: int
    """How many chunks before and behind it a hit gives back too."""
    metric: str
    """The metric that ranks; "" for the default one."""
    merge: float = 0.0
    """Share of a section's chunks that must be hit for the section to be given back; 0 for none."""
    contextual: str = ""
    """Who describes the chunks of each config a second time; "" for nobody."""
    reranker: str = ""
    """`PROVIDER/MODEL`, as far as they were given; "" for none."""
    candidates: int = 0
    """Passages that the reranker is asked about for each question; 0 without one."""
    late: bool = False
    """Whether chunks' vectors are made of their tokens', by late chunking."""


@dataclass(frozen=True, slots=True)
class MeasuredConfig:
    """One config, or one file of another tool's chunks, measured."""

    evaluation: Evaluation
    config: Config | None
    """None for another tool's chunks."""
    embedded: Embedded
    lost: LostEnds | None = None
    """Chunks that are longer than the embedder reads; None without an embedder, or where its limit
    is not known."""


def ranked(found: Mapping[str, MeasuredConfig], request: EvaluationRequest) -> Leaderboard:
    """The leaderboard. Raises GoldError for a metric that was not measured."""
    try:
        return leaderboard({name: each.evaluation for name, each in found.items()}, request.metric)
    except GoldError as error:
        raise GoldError(f"--metric: {error}") from None


def print_leaderboard(
    found: Mapping[str, MeasuredConfig], board: Leaderboard, gold: Gold, request: EvaluationRequest
) -> None:
    """Print the metrics, the leaderboard and the recommendation."""
    _print_metrics({shown_text(name, _LONGEST_NAME): each.evaluation for name, each in found.items()})
    print_line("")
    rows = [_row(number, each, searched=board.searched) for number, each in enumerate(board.places, start=1)]
    print_table(["", metric_name(board.metric), "the first leads by", *_NUMBERS], rows, numbers=_NUMBERS)
    print_line("")
    print_line(shown_text(recommendation(board), 4_000))
    if returned := returned_words(
        {name: each.evaluation for name, each in found.items()}, request.neighbours, request.merge
    ):
        print_line(shown_text(returned, 4_000))
    if drafts := drafts_words(board, gold.questions):
        print_line(shown_text(drafts, 4_000))
    if gold.rejected:
        print_line(f"{counted(gold.rejected, 'question')} that a reviewer rejected {be(gold.rejected)} not measured")
    wider = "; those of all differences of a metric are simultaneous" if len(found) > 2 else ""
    legend = f"± is the standard deviation; in brackets, {CONFIDENCE:.0%} intervals over the questions{wider}"
    assumed = assumed_highest({name: each.evaluation for name, each in found.items()})
    if assumed:
        each = ", ".join(f"{metric_name(metric)} {maximum:.3f}" for metric, maximum in assumed.items())
        print_line(f"intervals and verdicts assume that no question comes above {each}")
    print_line(f"{counted(board.questions, 'question')}; tokens by {TOKENS_BY}; {legend}")


def print_by_document(found: Mapping[str, MeasuredConfig], board: Leaderboard, gold: Gold) -> None:
    """Print the ranking metric's mean for each document, and the macro mean: each document counts
    as much as any other, however many questions it has."""
    names = [question.document for question in gold.questions]
    columns = {place.name: place.evaluation.values[board.metric] for place in board.places}
    means = {name: document_means(values, names) for name, values in columns.items()}
    rows = [
        [
            shown_text(document, _LONGEST_NAME),
            f"{names.count(document):,}",
            *(f"{of[document]:.3f}" for of in means.values()),
        ]
        for document in dict.fromkeys(names)
    ]
    most = assumed_maximum_of({name: each.evaluation for name, each in found.items()}, board.metric)
    macro = [interval(list(of.values()), most) for of in means.values()]
    rows.append(["macro mean", "", *(f"{of.mean:.3f} [{of.low:.3f}, {of.high:.3f}]" for of in macro)])
    print_line("")
    shown = [shown_text(name, _LONGEST_NAME) for name in columns]
    print_table([f"{metric_name(board.metric)} by document", "questions", *shown], rows, numbers=("questions",))
    print_line(f"The macro mean is of the documents' means; in brackets, {CONFIDENCE:.0%} intervals over the documents")


def assumed_highest(found: Mapping[str, Evaluation]) -> dict[str, float]:
    """The metrics whose maximum is assumed, with that maximum: their intervals hold only below
    it."""
    metrics = dict.fromkeys(metric for each in found.values() for metric in each.values)
    assumed = {metric: assumed_maximum_of(found, metric) for metric in metrics}
    return {metric: maximum for metric, maximum in assumed.items() if maximum < 1}


def _row(number: int, place: Standing, *, searched: bool) -> list[str]:
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


def _print_metrics(found: Mapping[str, Evaluation]) -> None:
    """One row for each metric; each config after the first with its difference to the first."""
    (first, base), *others = found.items()
    columns = [first, *(column for name, _ in others for column in (name, f"less {first}"))]
    counts = [
        [title, values[0], *(cell for value in values[1:] for cell in (value, ""))]
        for title, values in (
            ("chunks", [str(each.passages) for each in found.values()]),
            ("answers cut or left out", [str(each.answers_cut) for each in found.values()]),
        )
    ]
    rows = []
    for metric in base.values:
        leads, maximum = compared(found, metric), assumed_maximum_of(found, metric)
        cells = [metric.replace("_", " "), _mean(base.values[metric], maximum)]
        for name, each in others:
            cells.append(_mean(each.values[metric], maximum) if metric in each.values else "-")
            cells.append(sentence(leads[first, name]) if (first, name) in leads else "-")
        rows.append(cells)
    print_table(["", *columns], [*counts, *rows])


def _mean(values: Sequence[float], maximum: float) -> str:
    mean = interval(values, maximum)
    return f"{mean.mean:.3f} ± {mean.std:.3f} [{mean.low:.3f}, {mean.high:.3f}]"


def sentence(of: Difference) -> str:
    """A difference in words: `+0.051 [-0.010, +0.112] inconclusive; about 90 (40 to 400) questions
    would be needed`."""
    shown = f"{of.mean:+.3f} [{of.low:+.3f}, {of.high:+.3f}] {of.verdict}"
    return f"{shown}; {needed}" if (needed := needed_words(of)) else shown


def as_json(
    found: Mapping[str, MeasuredConfig], board: Leaderboard, gold: Gold, request: EvaluationRequest
) -> dict[str, object]:
    """Everything, for programs."""
    evaluations = {name: each.evaluation for name, each in found.items()}
    metrics = dict.fromkeys(metric for each in evaluations.values() for metric in each.values)
    return {
        "mode": request.mode,
        "search": request.search,
        "top": None if request.max_tokens else request.top,
        "max_tokens": request.max_tokens or None,
        "neighbours": request.neighbours,
        "merge": request.merge or None,
        "contextual": request.contextual or None,
        "reranker": request.reranker or None,
        "candidates": request.candidates or None,
        "late_chunking": request.late,
        "counter": TOKENS_BY,
        "questions": len(gold.questions),
        "unreviewed": unreviewed(gold.questions),
        "rejected": gold.rejected,
        "reviewed_apart": means_apart(board, gold.questions),
        "problems": list(gold.problems),
        "configs": [_config_json(name, each, evaluations, gold) for name, each in found.items()],
        "differences": [
            {"before": before, "after": after, "metric": metric, **rounded(asdict(lead))}
            for metric in metrics
            for (before, after), lead in compared(evaluations, metric).items()
        ],
        "assumed_highest": {metric: round(maximum, 6) for metric, maximum in assumed_highest(evaluations).items()},
        "leaderboard": {
            "metric": board.metric,
            "decided": board.decided,
            "recommended": board.recommended.name if board.recommended else None,
            "places": [
                {
                    "config": place.name,
                    **rounded(asdict(place.value)),
                    "leader_ahead_by": rounded(asdict(place.behind)) if place.behind else None,
                }
                for place in board.places
            ],
            "recommendation": recommendation(board),
        },
    }


def _config_json(name: str, measured: MeasuredConfig, every: Mapping[str, Evaluation], gold: Gold) -> dict[str, object]:
    of, documents = measured.evaluation, [question.document for question in gold.questions]
    means = {metric: document_means(values, documents) for metric, values in of.values.items()}
    return {
        "config": name,
        "chunks": of.passages,
        "measured_by": "returned" if of.returned else "chunks",
        "answers_cut": of.answers_cut,
        "retrieved_tokens": round(of.retrieved_tokens, 1),
        "tokens_to_embed": of.tokens,
        "embedded": asdict(measured.embedded),
        "lost_ends": measured.lost.to_dict() if measured.lost else None,
        "metrics": {
            metric: rounded(asdict(interval(values, assumed_maximum_of(every, metric))))
            for metric, values in of.values.items()
        },
        "macro_means": {
            metric: rounded(asdict(interval(list(each.values()), assumed_maximum_of(every, metric))))
            for metric, each in means.items()
        },
        "by_document": [
            {
                "document": document,
                "questions": documents.count(document),
                **{metric: round(each[document], 6) for metric, each in means.items()},
            }
            for document in dict.fromkeys(documents)
        ],
    }


def write_winner(path: Path, found: Mapping[str, MeasuredConfig], board: Leaderboard) -> None:
    """Write the YAML of the first config. Raises GoldError where it leads only by cutting
    answers."""
    leader, less = board.leader, board.cutting_less
    config = found[leader.name].config
    if less:
        cut = leader.evaluation.answers_cut
        counts = f"{counted(cut, 'answer')}, and {shown_text(less.name, 200)}"
        raise GoldError(
            f"--winner: {shown_text(leader.name, 200)} comes first by {metric_name(board.metric)}, but cuts or "
            f"leaves out {counts} {less.evaluation.answers_cut:,}: that is not a config to recommend; "
            "rank by another --metric"
        )
    if config is None:
        return
    with whole_file(path) as file:
        file.write(to_bytes(config.to_yaml(folder=path.parent)))
