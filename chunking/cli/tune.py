"""`chunkscope tune`: searches strategies and settings for a goal; prints the frontier of quality
against tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated, Literal

import typer

from chunking.cli.gold_files import gold_of
from chunking.cli.inputs import (
    AsJson,
    Delimiters,
    Exclude,
    Headings,
    Include,
    Paths,
    Root,
    TextColumn,
    announce,
    documents,
    given,
    one_of,
)
from chunking.cli.outputs import keep_inputs, tokenizer_path
from chunking.cli.terminal import (
    CHECK_FAILED,
    DONE,
    ErrorLog,
    ProgressLine,
    flush,
    print_error,
    print_json,
    print_line,
    print_table,
)
from chunking.cli.tune_view import effects_json, print_effects, print_equals
from chunking.config.config import Config
from chunking.config.validation import plain_settings
from chunking.core.strategy import ModelRequest
from chunking.document import Document
from chunking.document.loader_settings import LoaderSettings
from chunking.errors import ConfigError, DocumentError, GoldError
from chunking.export.formats import to_bytes, whole_file
from chunking.gold.questions import Gold, elsewhere_words
from chunking.models.http_embedders import PROVIDERS
from chunking.models.requests import server_of, steps
from chunking.runs import run
from chunking.runtime.faults import document_fault
from chunking.text.display import be, counted, shown_text
from chunking.tokens import counter as counter_named
from chunking.tuning.effects import Effect, effects
from chunking.tuning.goal import NEED_QUESTIONS, SEARCHED, Objective
from chunking.tuning.settled import nothing_better
from chunking.tuning.space import COUNTER
from chunking.tuning.summary import INVARIANTS, Invariant
from chunking.tuning.sweeps import axis_of
from chunking.tuning.trust import Evidence, config_words, evidence, near_misses_words, nearly_words, trust_words
from chunking.tuning.tune import TRIALS, Goal, Point, Space, Tuning, explicit, measuring, points, space_of

CUTS: dict[str, Invariant] = {
    "code": "code-whole",
    **dict.fromkeys(("table", "tables"), "tables-whole"),
    **dict.fromkeys(("list", "lists"), "lists-whole"),
}
"""Kinds of blocks that must not be cut, by what --never-cut calls them."""


def tune_command(
    paths: Paths,
    goal: Annotated[Objective, typer.Option(help="What to make best.")] = "recall",
    questions: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Questions with known answers, and spans to keep whole."),
    ] = None,
    max_chunks: Annotated[int, typer.Option(min=0, help="At most so many chunks; 0 for no limit.")] = 0,
    max_tokens: Annotated[int, typer.Option(min=0, help="At most so many tokens to embed; 0 for no limit.")] = 0,
    never_cut: Annotated[
        str,
        typer.Option(metavar="KINDS", help="code, table or list, or several, as code,table: none may be cut."),
    ] = "",
    keep_whole: Annotated[
        bool, typer.Option(help="Answers may not be cut; spans marked to stay whole never may.")
    ] = False,
    within_limits: Annotated[bool, typer.Option(help="No chunk may be over its strategy's maximum.")] = False,
    may_leave_out: Annotated[bool, typer.Option(help="Text may be left out, as by shortTail: skip.")] = False,
    retrieve: Annotated[int, typer.Option(min=1, help="Tokens that are retrieved for a question.")] = 1000,
    sizes: Annotated[str, typer.Option(metavar="LOW:HIGH", help="For even-sizes, in tokens.")] = "200:800",
    search: Annotated[Literal["bm25", "cosine", "hybrid"], typer.Option(help="For recall and iou.")] = "bm25",
    provider: Annotated[str, typer.Option("--embedder", help="Whose vectors: local, openai, model2vec, ...")] = "local",
    model: Annotated[str, typer.Option(help="The embedder's model; left out, its default.")] = "",
    strategy: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Only this strategy; may be given several times.")
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="SETTING=VALUES", help="Only these values, of one strategy: maxTokens=200:800:50"
        ),
    ] = None,
    counter: Annotated[str, typer.Option(help="Counts for every config, so that they compare.")] = COUNTER,
    trials: Annotated[int, typer.Option(min=1, max=10_000, help="At most so many configs are measured.")] = TRIALS,
    all_trials: Annotated[
        bool, typer.Option("--all-trials", help="Go on to --trials where more of them cannot matter.")
    ] = False,
    explain: Annotated[
        bool,
        typer.Option("--effects", help="Also what each setting of the best does: one changed at a time, measured."),
    ] = False,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write the best config here, as YAML.")
    ] = None,
    json: AsJson = False,
    headings: Headings = None,
    delimiters: Delimiters = None,
    root: Root = None,
    include: Include = None,
    exclude: Exclude = None,
    text_column: TextColumn = "",
) -> None:
    """Search strategies and settings for a goal, and print what quality costs in tokens. Exit code
    1 when no config meets all requirements; the nearest is printed then. Ctrl-C leaves what is
    found."""
    chosen = given(paths, root, include, exclude, text_column)
    inputs = {"the questions": questions, "the tokenizer": tokenizer_path(counter)}
    keep_inputs({"-o": output}, inputs, chosen.paths, chosen.selection)
    cut = [kind.strip() for kind in never_cut.split(",") if kind.strip()]
    must = {CUTS[one_of("--never-cut", kind, tuple(CUTS))] for kind in cut}
    must |= {"answers-whole"} if keep_whole else set()
    must |= {"within-limits"} if within_limits else set()
    must |= set() if may_leave_out else {"nothing-left-out"}
    space = _space(
        strategy or (),
        settings or (),
        counter,
        LoaderSettings(tuple(headings or ()), tuple(delimiters or ()), text_column),
    )
    errors, progress = ErrorLog(), ProgressLine(results_on_screen=False)
    read = list(progress.through(documents(chosen, errors)))
    if not read and not errors.count:
        raise DocumentError("no document to cut; give files or folders that contain some")
    if not read:
        errors.exit_with()
    if not strategy and not settings:
        space = space.suited_to(read)
    asking = _Announcer(read)
    read = _cuttable(read, space, errors, asking)
    gold = _gold(questions, read, errors)
    must |= {"spans-whole"} if gold.whole else set()
    wanted = Goal(
        goal,
        max_chunks or None,
        max_tokens or None,
        tuple(name for name in INVARIANTS if name in must),
        retrieve,
        _sizes(sizes),
        search,
        provider,
        model,
    )
    if wanted.objective in SEARCHED and wanted.search != "bm25" and provider in PROVIDERS:
        at = f"{provider} at {server_of(provider)}"
        print_error(f"the chunks of every config that is tried, and the questions, are sent to {at} to embed")
    found, interrupted = _tuned(read, wanted, space, gold, trials, progress, asking, until_settled=not all_trials)
    found = _without_faults(found, errors)
    best = found.best
    changes: tuple[Effect, ...] = ()
    if explain and best and not interrupted:
        measure = measuring(read, wanted, gold.questions, gold.whole, asking)
        changes = effects(best, space, measure)
    ProgressLine.clear()
    if json:
        print_json({**tuned(found, counter), **({"effects": effects_json(best, changes)} if explain else {})})
    else:
        _say(found, counter)
        if explain and best:
            print_effects(best, changes, wanted)
    if output and best:
        with whole_file(output) as file:
            file.write(to_bytes(best.config.to_yaml(folder=output.parent)))
    if interrupted:
        flush()
        print_error(f"interrupted: {_measured_words(found)}")
        raise KeyboardInterrupt
    errors.exit_with(DONE if best else CHECK_FAILED)


def _gold(questions: Path | None, read: Sequence[Document], errors: ErrorLog) -> Gold:
    """The questions and marks in a file: either or both."""
    if questions is None:
        return Gold((), ())
    gold = gold_of(questions, read, as_marks=True)
    for problem in gold.problems:
        errors.report(GoldError(problem))
    if gold.elsewhere:
        errors.report(GoldError(f"{shown_text(str(questions), 200)}: {elsewhere_words(gold.elsewhere)}; left out"))
    return gold


class _Announcer:
    """Prints what configs will send to servers, and where, before they do: with numbers for the
    first config of each kind."""

    def __init__(self, read: Sequence[Document]) -> None:
        self._read = read
        self._announced: set[frozenset[ModelRequest]] = set()

    def __call__(self, config: Config) -> None:
        requests = frozenset(step.request for step in steps(config.strategy) if not step.here)
        if not requests or requests in self._announced:
            return
        self._announced.add(requests)
        for document in self._read:
            announce(document, config)
        print_error(f"{config.strategy.name}: every config that is tried sends what it needs to the same servers")


def _cuttable(read: Sequence[Document], space: Space, errors: ErrorLog, asking: _Announcer) -> list[Document]:
    """The documents that at least one strategy can cut with its own settings; the others are
    reported and left out."""
    cuttable = []
    for document in read:
        fault = DocumentError("")
        for options in space.options:
            try:
                asking(options.config)
                run(document, options.config)
            except BaseException as error:
                fault = document_fault(error, document.name)
            else:
                cuttable.append(document)
                break
        else:
            errors.report(fault)
    if not cuttable:
        errors.exit_with()
    return cuttable


def _without_faults(found: Tuning, errors: ErrorLog) -> Tuning:
    """The configs that could be measured; of the others, which document they could not cut, each
    document once."""
    failed = [point for point in found.points if point.summary.faults]
    for fault in dict.fromkeys(fault for point in failed for fault in point.summary.faults):
        errors.report(DocumentError(fault))
    if failed:
        print_error(f"{counted(len(failed), 'config')} could not be measured and {be(len(failed))} left out")
    return replace(found, points=tuple(point for point in found.points if not point.summary.faults))


def _tuned(
    read: Sequence[Document],
    goal: Goal,
    space: Space,
    gold: Gold,
    trials: int,
    progress: ProgressLine,
    asking: _Announcer,
    *,
    until_settled: bool,
) -> tuple[Tuning, bool]:
    """What was found, and whether somebody pressed Ctrl-C before that was all."""
    found: list[Point] = []
    most, interrupted = min(trials, space.possible), False
    try:
        for point in points(
            *(read, goal, space),
            questions=gold.questions,
            whole=gold.whole,
            trials=trials,
            goes_on=True,
            before=asking,
            until_settled=until_settled,
        ):
            found.append(point)
            progress.of_model("trying configs", len(found), most)
    except KeyboardInterrupt:
        interrupted = True
    exhaustive = space.possible <= trials and not interrupted
    settled = until_settled and len(found) < most and not exhaustive and not interrupted and bool(found)
    return Tuning(goal, tuple(found), space.possible, exhaustive, settled), interrupted


def _sizes(text: str) -> tuple[int, int]:
    low, _, high = text.partition(":")
    if not (low.isdecimal() and high.isdecimal() and len(text) < 20):
        raise GoldError(f"--sizes {shown_text(text)}: is not a range of tokens; write it as 200:800")
    return int(low), int(high)


def _space(names: Sequence[str], settings: Sequence[str], counter: str, loader: LoaderSettings) -> Space:
    if not settings:
        return space_of(names, counter, loader)
    if len(names) != 1:
        raise ConfigError("--set: give the one strategy that has these settings, with --strategy")
    config = replace(Config.of(names[0], {}, counter, Path()), loader=loader)
    return explicit(config, [axis_of(config, text) for text in settings])


def _say(found: Tuning, counter: str) -> None:
    goal, known = found.goal, evidence(found)
    cuts = ["answers cut or left out"] if goal.objective in NEED_QUESTIONS else []
    columns = list(dict.fromkeys((goal.unit, *cuts, "tokens to embed", "chunks", "strategy", "settings")))
    if found.frontier:
        print_table(columns, [_row(goal, point, known) for point in found.frontier], numbers=columns[:-2])
    tried = (
        ("all of them" if len(found.points) > 1 else "all there is")
        if found.exhaustive
        else f"of {found.possible:,} possible"
    )
    met = len(found.meeting)
    print_line(f"{_measured_words(found)}, {tried}; {met:,} {'meets' if met == 1 else 'meet'} all requirements")
    estimate = ", an estimate" if counter_named(counter).approximate else ""
    print_line(f"tokenizer {shown_text(counter, 200)}{estimate}")
    if found.settled:
        stopped = f"Stopped after {counted(len(found.points), 'config')}. {nothing_better(found)}"
        print_line(f"{stopped} A cheaper one may be among those not tried (--all-trials).")
    if found.nearly_as_good:
        print_line(f"Nearly as good: {config_words(found.nearly_as_good.config)}, {nearly_words(found)}")
    if near := near_misses_words(found):
        print_line(near)
    if known:
        print_line(trust_words(found, known))
        print_equals(found, known)
    if found.nearest:
        print_line(f"No config meets all requirements. The nearest: {'; '.join(found.nearest.broken)}")
        print_table(columns, [_row(goal, found.nearest, None)], numbers=columns[:-2])


def _measured_words(found: Tuning) -> str:
    count = len(found.points)
    return f"{counted(count, 'config')} {be(count, past=True)} measured"


def _row(goal: Goal, point: Point, known: Evidence | None) -> list[str]:
    name, _, settings = config_words(point.config).partition(" ")
    shown = goal.shown(point.quality)
    if known:
        interval = known.interval(point)
        shown = f"{shown} [{interval.low:.3f}, {interval.high:.3f}]"
    numbers = [shown, f"{point.answers_cut:,}", f"{point.tokens:,}", f"{point.summary.chunks:,}"]
    if goal.objective not in NEED_QUESTIONS:
        del numbers[1]
    numbers = numbers[1:] if goal.is_cost else numbers
    return [*numbers, name, settings or "as by default"]


def tuned(found: Tuning, counter: str) -> dict[str, object]:
    """What --json prints of a search."""
    goal, known = found.goal, evidence(found)
    return {
        "counter": counter,
        "goal": goal.objective,
        "quality": goal.unit,
        "conditions": {"max_chunks": goal.max_chunks, "max_tokens": goal.max_tokens, "must": list(goal.must)},
        "measured": len(found.points),
        "possible": found.possible,
        "exhaustive": found.exhaustive,
        "meeting": len(found.meeting),
        "questions": known.questions if known else None,
        "held_out": asdict(known.held_out) if known and known.held_out else None,
        "stopped_because": nothing_better(found) if found.settled else "",
        "not_shown_to_be_worse": len(known.not_worse) - 1 if known else None,
        "not_worse": [_point(goal, point, known) for point in known.not_worse] if known else [],
        "assumed_highest": {goal.objective: round(known.most, 6)} if known and known.most < 1 else {},
        "frontier": [_point(goal, point, known) for point in found.frontier],
        "nearly_as_good": _point(goal, found.nearly_as_good, known) if found.nearly_as_good else None,
        "nearest": _point(goal, found.nearest, None) if found.nearest else None,
    }


def _point(goal: Goal, point: Point, known: Evidence | None) -> dict[str, object]:
    interval = known.interval(point) if known else None
    return {
        "quality": round(-point.quality if goal.counted else point.quality, 6),
        "low": round(interval.low, 6) if interval else None,
        "high": round(interval.high, 6) if interval else None,
        "answers_cut": point.summary.answers_cut,
        "tokens_to_embed": point.tokens,
        "chunks": point.summary.chunks,
        "median_tokens": point.summary.median_tokens,
        "broken": list(point.broken),
        "strategy": point.config.strategy.name,
        "settings": plain_settings(point.config.strategy),
        "counter": point.config.counter,
    }
