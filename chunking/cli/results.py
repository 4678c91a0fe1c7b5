"""Results files: written by `--results`, compared by `--expect`, and `chunkscope results`, which
shows one, tells two apart and makes the HTML report."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from chunking.cli.inputs import AsJson
from chunking.cli.outputs import keep_inputs
from chunking.cli.terminal import CHECK_FAILED, DONE, ErrorLog, print_error, print_json, print_line, print_table
from chunking.document.folders import reason
from chunking.errors import OutputError
from chunking.export.formats import to_bytes, whole_file
from chunking.report.results_report import results_html
from chunking.retrieval.results import BenchmarkRecord, NumberRecord, Results, changes, read_results
from chunking.text.display import counted, shown_text
from chunking.text.reading import read_at_most

_LARGEST = 64 * 1024 * 1024
_NOT_PART = frozenset({"results", "expected", "winner", "trec_run", "json"})
"""Parameters that say where output goes, and change nothing that is measured."""

KeptResults = Annotated[
    Path | None,
    typer.Option(
        "--results", metavar="FILE", help="Write a results file, to be cited: data, configs, numbers, intervals."
    ),
]
Expected = Annotated[
    Path | None,
    typer.Option("--expect", metavar="FILE", help="Exit 1, and say what differs, unless this results file holds."),
]


def settled(results: Path | None, expected: Path | None, make: Callable[[], Results]) -> bool:
    """Write the results file that was asked for, and say what differs from the one expected;
    whether nothing does."""
    if results is None and expected is None:
        return True
    before = results_in(expected) if expected else None
    made = make()
    if results is not None:
        with whole_file(results) as file:
            file.write(to_bytes(made.to_json()))
    found = changes(before, made) if before else []
    for each in found:
        print_error(each)
    if expected and not found:
        print_error(f"as in {shown_text(str(expected), 200)}: {_agreeing(made)}")
    return not found


def _agreeing(made: Results) -> str:
    count = sum(len(each.metrics) for each in made.configs)
    return f"{counted(count, 'number')} of {counted(len(made.configs), 'config')} are the same"


def command_given(context: typer.Context) -> str:
    """The command as it can be typed again, without what only says where output goes."""
    words = ["chunkscope", str(context.info_name)]
    for parameter in context.command.params:
        value = context.params.get(parameter.name or "")
        if parameter.name in _NOT_PART or value is None or value == parameter.default or value == ():
            continue
        values = [str(each) for each in (value if isinstance(value, list | tuple) else [value])]
        if parameter.param_type_name == "argument":
            words += values
        elif value is True:
            words.append(parameter.opts[0])
        else:
            words += [word for each in values for word in (parameter.opts[0], each)]
    return shlex.join(words)


def results_in(path: Path) -> Results:
    """The results in a file. Raises GoldError for anything else."""
    return read_results(read_at_most(path, _LARGEST), shown_text(str(path), 200))


def results_command(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that --results wrote.")],
    other: Annotated[
        Path | None, typer.Argument(metavar="[OTHER]", help="Another one: say what differs; exit code 1 when so.")
    ] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a report as one HTML file.")] = None,
    configs: Annotated[Path | None, typer.Option(metavar="FOLDER", help="Write the YAML of each config here.")] = None,
    json: AsJson = False,
) -> None:
    """Show a results file, tell two apart, or make a report of one."""
    keep_inputs({"--html": html}, {"the results": file, "the other results": other})
    results = results_in(file)
    found = changes(results, results_in(other)) if other else []
    if html:
        with whole_file(html) as opened:
            opened.write(to_bytes(results_html(results)))
    if configs:
        _write_configs(results, configs)
    if json:
        print_json({"changes": found} if other else results.model_dump(mode="json"))
    elif other:
        print_line("\n".join(found) if found else "nothing that was measured differs")
    else:
        _show(results)
    ErrorLog().exit_with(CHECK_FAILED if found else DONE)


def _write_configs(results: Results, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{shown_text(str(folder), 200)}: {reason(error)}") from error
    for number, each in enumerate(results.configs, start=1):
        if each.yaml is not None:
            with whole_file(folder / f"config-{number}.yaml") as file:
                file.write(to_bytes(each.yaml))


def _show(results: Results) -> None:
    for line in _about(results):
        print_line(shown_text(line, 2_000))
    print_line("")
    if results.benchmark:
        _show_rows(results.benchmark)
        return
    metrics = dict.fromkeys(metric for each in results.configs for metric in each.metrics)
    columns = ["", *(shown_text(each.config, 80) for each in results.configs)]
    rows = [
        [shown_text(metric.replace("_", " "), 80), *(_cell(each.metrics.get(metric)) for each in results.configs)]
        for metric in metrics
    ]
    print_table(columns, rows, numbers=columns[1:])
    if results.recommendation:
        print_line("")
        print_line(shown_text(results.recommendation, 4_000))


def _show_rows(benchmark: BenchmarkRecord) -> None:
    metrics = dict.fromkeys(metric for row in benchmark.rows for metric in row.measured)
    columns = ["", *(cell for metric in metrics for cell in (shown_text(metric.replace("_", " "), 80), "here"))]
    printed = benchmark.decimals
    rows = [
        [
            shown_text(row.method, 80),
            *(
                _cell(of.get(metric), decimals)
                for metric in metrics
                for of, decimals in ((row.published, printed), (row.measured, max(2, printed)))
            ),
        ]
        for row in benchmark.rows
    ]
    print_table(columns, rows, numbers=columns[1:])


def _about(results: Results) -> Iterator[str]:
    yield results.command
    asked = f"{counted(results.questions.measured, 'question')} on " if results.questions else ""
    yield f"{asked}{counted(len(results.documents), 'document')}; chunkscope {results.engine}"
    if results.embedder:
        yield f"embedder {results.embedder.name}"


def _cell(number: NumberRecord | None, decimals: int = 3) -> str:
    if number is None:
        return "-"
    between = "" if number.low is None or number.high is None else f" [{number.low:.3f}, {number.high:.3f}]"
    return f"{number.mean:.{decimals}f}{between}"
