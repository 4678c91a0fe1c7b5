"""`chunkscope evaluate`: which config is better on questions with known answers, and whether that is certain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from chunking.asking import announced
from chunking.certainty import CONFIDENCE, Difference, difference, interval
from chunking.cli_inputs import AsJson, documents, read_config
from chunking.cli_terminal import Progress, Trouble, complain, say, say_json, say_table
from chunking.document import Document
from chunking.errors import GoldError
from chunking.evaluating import TOKENS_BY, Evaluation, evaluate
from chunking.gold import Gold, load_gold
from chunking.models.embedders import RememberingEmbedder, embedder, shortened
from chunking.passages import MODES, Mode, Passage, load_foreign, passages_of
from chunking.runs import run
from chunking.searching import SEARCHES, Search, Searcher
from chunking.showing import shown_text
from chunking.tokens import counter
from chunking.tools import Tools

Choice = TypeVar("Choice", bound=str)
_FOREIGN = (".jsonl", ".ndjson")
_MOST_PROBLEMS = 20


def evaluate_command(
    configs: Annotated[
        list[str],
        typer.Argument(
            metavar="CONFIG...", help="YAML files or strategies' names; a .jsonl file holds another tool's chunks."
        ),
    ],
    corpora: Annotated[Path, typer.Option(metavar="DIR", help="The documents that hold the answers.")],
    questions: Annotated[
        Path, typer.Option(metavar="FILE", help="CSV or JSON lines: question, references, corpus_id.")
    ],
    mode: Annotated[
        str, typer.Option(help="strict: chunks are where they were cut. published: as Chroma's evaluation has it.")
    ] = "strict",
    search: Annotated[str, typer.Option(help=f"{', '.join(SEARCHES)} (none: only what needs no search).")] = "cosine",
    top: Annotated[int, typer.Option(min=1, max=1000, help="How many chunks are retrieved for a question.")] = 5,
    max_tokens: Annotated[
        int, typer.Option(min=0, help="Retrieve as many chunks as fit in this many tokens instead; 0 for --top.")
    ] = 0,
    provider: Annotated[str, typer.Option("--embedder", help="Whose vectors: local, openai, ollama, ...")] = "local",
    model: Annotated[str, typer.Option(help="The embedder's model; left out, its default.")] = "",
    json: AsJson = False,
) -> None:
    """Measure configs on questions with known answers, with intervals, and say whether they differ."""
    chosen_mode, chosen_search = _one_of("--mode", mode, MODES), _one_of("--search", search, SEARCHES)
    trouble, progress = Trouble(), Progress(results_on_screen=False)
    read = list(progress.through(documents([corpora], trouble)))
    if not read:
        raise GoldError(f"{shown_text(str(corpora), 200)}: no document to ask about; give the folder of the corpora")
    gold = load_gold(questions, read)
    _report(gold.problems, trouble)
    embed = embedder(provider, model) if chosen_search in ("cosine", "hybrid") else None
    found: dict[str, Evaluation] = {}
    for config in dict.fromkeys(configs):
        passages = _passages(config, read, chosen_mode, trouble, progress)
        searcher = _searcher(passages, gold, chosen_search, embed, progress)
        limit = max_tokens or None
        found[config] = evaluate(passages, gold.questions, read, searcher, mode=chosen_mode, top=top, max_tokens=limit)
    Progress.clear()
    if json:
        say_json(_as_json(found, gold, chosen_mode, chosen_search, top, max_tokens))
    else:
        _say(found, gold)
    trouble.leave()


def _one_of(option: str, text: str, choices: Sequence[Choice]) -> Choice:
    for choice in choices:
        if choice == text:
            return choice
    raise GoldError(f"{option} {shown_text(text)}: no such choice; there are: {', '.join(choices)}")


def _report(problems: Sequence[str], trouble: Trouble) -> None:
    for problem in problems[:_MOST_PROBLEMS]:
        trouble.report(GoldError(problem))
    if len(problems) > _MOST_PROBLEMS:
        complain(f"and {len(problems) - _MOST_PROBLEMS} more of the kind")


def _passages(
    config: str, read: Sequence[Document], mode: Mode, trouble: Trouble, progress: Progress
) -> tuple[Passage, ...]:
    """Everything a config makes of all documents, or what another tool made of them."""
    if Path(config).suffix.lower() in _FOREIGN:
        foreign = load_foreign(Path(config), read, TOKENS_BY, mode)
        _report(foreign.problems, trouble)
        return foreign.passages
    chosen, _ = read_config(config)
    passages: list[Passage] = []
    for document in read:
        tools = Tools(counter(chosen.counter), progress=progress.of_model)
        announced(chosen.strategy, document, tools, complain)
        made = run(document, chosen, tools)
        for warning in made.warnings:
            complain(f"{document.name}: {warning}")
        passages += passages_of(made, mode)
    return tuple(passages)


def _searcher(
    passages: Sequence[Passage], gold: Gold, search: Search, embed: RememberingEmbedder | None, progress: Progress
) -> Searcher | None:
    if search == "none" or not passages:
        return None
    if embed is not None and not embed.name.startswith("local/"):
        asked = embed.unknown([*{passage.text for passage in passages}, *{each.text for each in gold.questions}])
        if asked:
            complain(f"{len(asked):,} chunks and questions are sent to {embed.name} to embed; the rest are remembered")
    if embed is not None and (count := shortened(embed, [passage.text for passage in passages])):
        complain(f"{count} of {len(passages)} chunks are longer than {embed.name} reads; only their beginnings count")
    return Searcher(passages, search, embed, partial(progress.of_model, "embedding chunks"))


def _say(found: dict[str, Evaluation], gold: Gold) -> None:
    """One row for each metric; each config after the first with its difference to the first."""
    (first, base), *others = found.items()
    columns = ["", *(column for name in found for column in _columns(name, first))]
    counts = [
        ["chunks", *(cell for name, each in found.items() for cell in _filled(str(each.passages), name, first))],
        [
            "answers cut",
            *(cell for name, each in found.items() for cell in _filled(str(each.answers_cut), name, first)),
        ],
    ]
    rows = []
    for metric in base.values:
        cells = [metric.replace("_", " "), _shown_mean(base.values[metric])]
        for _, each in others:
            compared = _compared(base, each, metric)
            shown = _shown_mean(each.values[metric]) if metric in each.values else "-"
            cells += [shown, sentence(compared) if compared else "-"]
        rows.append(cells)
    say_table([shown_text(column, 80) for column in columns], [*counts, *rows])
    say(f"{len(gold.questions)} questions; in brackets, {CONFIDENCE:.0%} intervals by bootstrap over the questions")


def _columns(name: str, first: str) -> tuple[str, ...]:
    return (name,) if name == first else (name, f"less {first}")


def _filled(cell: str, name: str, first: str) -> tuple[str, ...]:
    return (cell,) if name == first else (cell, "")


def _shown_mean(values: Sequence[float]) -> str:
    held = interval(values)
    return f"{held.mean:.3f} [{held.low:.3f}, {held.high:.3f}]"


def _compared(before: Evaluation, after: Evaluation, metric: str) -> Difference | None:
    if metric not in before.values or metric not in after.values:
        return None
    return difference(before.values[metric], after.values[metric])


def sentence(of: Difference) -> str:
    """A difference in words: `+0.051 [-0.010, +0.112] inconclusive; about 90 questions would tell`."""
    shown = f"{of.mean:+.3f} [{of.low:+.3f}, {of.high:+.3f}] {of.verdict}"
    return f"{shown}; about {of.questions_needed} questions would tell" if of.questions_needed else shown


def _as_json(
    found: dict[str, Evaluation], gold: Gold, mode: Mode, search: Search, top: int, max_tokens: int
) -> dict[str, object]:
    return {
        "mode": mode,
        "search": search,
        "top": None if max_tokens else top,
        "max_tokens": max_tokens or None,
        "questions": len(gold.questions),
        "problems": list(gold.problems),
        "configs": [
            {
                "config": name,
                "chunks": each.passages,
                "answers_cut": each.answers_cut,
                "retrieved_tokens": round(each.retrieved_tokens, 1),
                "metrics": {metric: _rounded(asdict(interval(values))) for metric, values in each.values.items()},
            }
            for name, each in found.items()
        ],
        "differences": [
            {"before": before, "after": after, "metric": metric, **_rounded(asdict(compared))}
            for before, after in combinations(found, 2)
            for metric in found[before].values
            if (compared := _compared(found[before], found[after], metric))
        ],
    }


def _rounded(values: dict[str, object]) -> dict[str, object]:
    return {name: round(value, 6) if isinstance(value, float) else value for name, value in values.items()}
