"""`chunkscope sweep`: settings over ranges, one row for each combination."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from functools import partial
from json import dumps as as_json
from math import prod
from pathlib import Path
from typing import Annotated

import typer

from chunking.cli.gold_files import gold_of
from chunking.cli.inputs import (
    AsJson,
    ConfigPath,
    Delimiters,
    Exclude,
    Headings,
    Include,
    Paths,
    Root,
    TextColumn,
    documents,
    given,
    read_config,
    with_loader,
)
from chunking.cli.outputs import keep_inputs
from chunking.cli.terminal import ErrorLog, ProgressLine, flush, note, print_error, print_json, print_line
from chunking.config.config import Config
from chunking.config.values import Value
from chunking.document import Document
from chunking.errors import ConfigError, DocumentError, GoldError, StrategyError
from chunking.export.formats import csv_cell
from chunking.gold.questions import Gold
from chunking.models.access import Tools
from chunking.models.requests import announced, steps
from chunking.runs import run
from chunking.runtime.faults import document_fault
from chunking.text.display import shown_text
from chunking.tokens import counter
from chunking.tuning.batch import workers_for
from chunking.tuning.sweeps import Axis, Cell, axis_of, checked_axes, grid, sweep

_LEFT_OUT = ("at", "values", "config", "faults")
COLUMNS = (*(field.name for field in fields(Cell) if field.name not in (*_LEFT_OUT, "error")), "broken", "error")
"""What stands behind the swept settings in each row."""


def sweep_command(
    config: ConfigPath,
    paths: Paths,
    settings: Annotated[
        list[str],
        typer.Option(
            "--set",
            metavar="SETTING=VALUES",
            help="minTokens=100:500:50 (lower:upper:step, both included), or shortTail=skip,keep; once or twice.",
        ),
    ],
    questions: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Questions with known answers: adds answers_cut and precision_omega."),
    ] = None,
    workers: Annotated[
        int, typer.Option(min=0, max=64, help="Processes; 0 for as many as are worth it. Models are asked from one.")
    ] = 0,
    headings: Headings = None,
    delimiters: Delimiters = None,
    json: AsJson = False,
    root: Root = None,
    include: Include = None,
    exclude: Exclude = None,
    text_column: TextColumn = "",
) -> None:
    """Sweep one or two settings over ranges and measure each combination, as CSV. Ctrl-C leaves
    what is measured."""
    wanted = given(paths, root, include, exclude, text_column)
    keep_inputs({}, {"the config": config, "the questions": questions}, wanted.paths, wanted.selection)
    chosen = with_loader(read_config(config)[0], headings, delimiters, text_column)
    if not chosen.strategy.has_yaml:
        raise ConfigError(f"{shown_text(config, 200)}: chunks made elsewhere have no settings to sweep; compare them")
    wanted = wanted.for_configs(chosen)
    axes = tuple(axis_of(chosen, text) for text in settings)
    checked_axes(chosen, axes)
    errors, progress = ErrorLog(), ProgressLine(results_on_screen=False)
    read = list(progress.through(documents(wanted, errors)))
    tools = Tools(counter(chosen.counter), progress=progress.of_model)
    read = [document for document in read if _can_be_cut(document, chosen, tools, errors)]
    if not read:
        errors.exit_with()
    for swept in _asking_others(chosen, axes):
        for document in read:
            announced(swept.strategy, swept.read(document), tools, print_error)
    gold = gold_of(questions, read) if questions else Gold((), ())
    for problem in gold.problems:
        errors.report(GoldError(problem))
    measured: list[Cell] = []
    sweeping = sweep(
        read,
        chosen,
        axes,
        gold=gold.questions,
        whole=gold.whole,
        tools=tools,
        workers=workers or workers_for(read, prod(len(axis.values) for axis in axes)),
        progress=partial(progress.of_model, "cutting"),
        goes_on=True,
    )
    interrupted = False
    try:
        interrupted = not taken(sweeping, measured)
    except StrategyError as error:  # a process was ended: what the others measured stays
        errors.report(error)
    cells = finished(measured)
    ProgressLine.clear()
    for fault in dict.fromkeys(fault for cell in cells for fault in cell.faults):
        errors.report(DocumentError(fault))
    if json:
        print_json([_as_json(cell, axes, chosen) for cell in cells])
    else:
        _say_csv(cells, axes)
        flush()
        note(f"tokenizer {chosen.counter}{', an estimate' if tools.counter.approximate else ''}")
    for warning in tools.warnings:
        print_error(warning)
    if interrupted:
        flush()
        print_error(f"interrupted: {len(cells)} of {prod(len(axis.values) for axis in axes)} cells were measured")
        raise KeyboardInterrupt
    errors.exit_with()


def _can_be_cut(document: Document, config: Config, tools: Tools, errors: ErrorLog) -> bool:
    """Whether the config as it stands cuts the document; where not, that is reported and the sweep
    goes without it."""
    try:
        announced(config.for_document(document.name).strategy, config.read(document), tools, print_error)
        made = run(document, config, tools.for_base())
    except BaseException as error:
        errors.report(document_fault(error, document.name))
        return False
    errors.descriptions(len(made.chunks), made.undescribed)
    return True


def _asking_others(chosen: Config, axes: Sequence[Axis]) -> Iterator[Config]:
    """The first config of the sweep for each set of models that the chosen config does not ask."""
    known = {frozenset(step.request for step in steps(chosen.strategy))}
    for cell in grid(chosen, axes):
        asks = frozenset(step.request for step in steps(cell.config.strategy)) if cell.config else frozenset()
        if cell.config and asks and asks not in known:
            known.add(asks)
            yield cell.config


def taken(cells: Iterable[Cell], into: list[Cell]) -> bool:
    """Take cells as they come; whether all of them came before somebody pressed Ctrl-C."""
    try:
        into.extend(cells)
    except KeyboardInterrupt:
        return False
    return True


def finished(cells: Iterable[Cell]) -> list[Cell]:
    """The last of the cells of each place, in the axes' order."""
    return sorted({cell.at: cell for cell in cells}.values(), key=lambda cell: cell.at)


def _say_csv(cells: Iterable[Cell], axes: Sequence[Axis]) -> None:
    print_line(_row([*(axis.setting for axis in axes), *COLUMNS]), end="")
    for cell in cells:
        print_line(_row([*map(_written, cell.values), *map(_flat, _measured(cell).values())]), end="")


def _measured(cell: Cell) -> dict[str, object]:
    """What a cell has in each column: where its values are illegal, nothing but the error."""
    error = cell.error or "; ".join(cell.faults)
    values = {name: None if error else getattr(cell, name) for name in COLUMNS}
    rounded = {name: round(value, 4) if isinstance(value, float) else value for name, value in values.items()}
    return {**rounded, "broken": None if error else list(cell.broken), "error": error}


def _written(value: Value) -> Value:
    """A setting's value as `--set` takes it."""
    return value if isinstance(value, int | float | str) and not isinstance(value, bool) else as_json(value)


def _flat(measured: object) -> object:
    """A list as words."""
    return " ".join(measured) if isinstance(measured, list) else measured


def _row(cells: Iterable[object]) -> str:
    row = io.StringIO()
    csv.writer(row, lineterminator="\n", quoting=csv.QUOTE_MINIMAL).writerow(csv_cell(cell) for cell in cells)
    return row.getvalue()


def _as_json(cell: Cell, axes: Sequence[Axis], chosen: Config) -> dict[str, object]:
    values = {axis.setting: value for axis, value in zip(axes, cell.values, strict=True)}
    return {"settings": values, "counter": chosen.counter, **_measured(cell)}
