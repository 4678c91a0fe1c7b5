"""`chunkscope questions draft|check|convert`: questions drafted from documents, a report on a set
of them before it is used, and other forms of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer

from chunking.cli.convert import convert_command
from chunking.cli.evaluated_configs import report_problems
from chunking.cli.gold_files import gold_of
from chunking.cli.inputs import (
    AsJson,
    Exclude,
    Given,
    Include,
    Paths,
    Root,
    TextColumn,
    documents,
    given,
    read_config,
)
from chunking.cli.outputs import keep_inputs
from chunking.cli.terminal import (
    CHECK_FAILED,
    DONE,
    ErrorLog,
    ProgressLine,
    print_error,
    print_json,
    print_line,
    print_table,
)
from chunking.document import Document
from chunking.document.folders import Selection
from chunking.drafting.drafts import REASONS, Attempt, Drafted, draft, drafted
from chunking.drafting.places import Places
from chunking.drafting.set_quality import Quality, quality
from chunking.drafting.worders import PROVIDERS, expected, in_turn, worder
from chunking.drafting.wording import Worder
from chunking.errors import DocumentError, ModelError
from chunking.export.formats import to_bytes, whole_file
from chunking.gold.questions import gold_json_lines
from chunking.models.embedders import embedder
from chunking.models.requests import server_of
from chunking.retrieval.ranking import not_english
from chunking.runs import run
from chunking.runtime.faults import document_fault
from chunking.text.display import counted, shown_text

FAILING = ("same-question", "same-answer", "ambiguous-quote")
"""Rules whose findings make the check fail; the others are for a person to look at."""
_MOST_SHOWN = 10

questions_app = typer.Typer(
    add_completion=False,
    rich_markup_mode=None,
    help="Draft questions from documents, check a set of them, write it in another form.",
)


@questions_app.callback()
def questions_command() -> None:
    """Draft questions with known answers from documents, check a set of them before it is used, and
    write it in the forms of other tools."""


questions_app.command("convert")(convert_command)


@questions_app.command("draft")
def draft_command(
    paths: Paths,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write the questions here, as JSON lines.")
    ] = None,
    count: Annotated[int, typer.Option(min=1, max=10_000, help="How many questions are wanted.")] = 40,
    provider: Annotated[
        str,
        typer.Option(
            "--describer",
            metavar="PROVIDER",
            help=f"Who words them: {', '.join(PROVIDERS)}; left out, no model: rules, and then keyword probes.",
        ),
    ] = "",
    model: Annotated[str, typer.Option(help="The provider's model; left out, its default.")] = "",
    fill: Annotated[
        bool, typer.Option("--fill", help="Where that has no question that passes, take a probe, labelled as one.")
    ] = False,
    search: Annotated[
        Literal["bm25", "hybrid"],
        typer.Option(help="What must find each quote: words; hybrid: words or the local embedder."),
    ] = "bm25",
    seed: Annotated[int, typer.Option(min=0, help="Another seed takes other quotes.")] = 0,
    root: Root = None,
    include: Include = None,
    exclude: Exclude = None,
    text_column: TextColumn = "",
) -> None:
    """Draft questions: the quotes are chosen first, spread over documents, sections and kinds of
    block; each is worded, and kept if a ranker finds the quote by it. All are drafts, to be
    reviewed."""
    chosen = given(paths, root, include, exclude, text_column)
    keep_inputs({"-o": output}, {}, chosen.paths, chosen.selection)
    errors, progress = ErrorLog(), ProgressLine(results_on_screen=output is None)
    read = _read(chosen, errors, progress)
    by = worder(provider, model) if provider else None
    embed = embedder("local", "") if search == "hybrid" else None
    if by is not None:
        _announce(read, by, provider, count, seed)
    places = Places(read, embed, lambda done, total: progress.of_model("embedding places", done, total))
    attempts = draft(read, places, in_turn(by, places, fill), count=count, seed=seed)
    made, stopped = _attempts(attempts, count, progress)
    ProgressLine.clear()
    text = gold_json_lines(made.questions, {document.name: document for document in read})
    if output is None:
        print_line(text, end="")
    else:
        with whole_file(output) as file:
            file.write(to_bytes(text))
    _say(made, count)
    if stopped:
        raise stopped
    errors.exit_with()


def _attempts(
    attempts: Iterator[Attempt], count: int, progress: ProgressLine
) -> tuple[Drafted, ModelError | KeyboardInterrupt | None]:
    """The questions that came, and what ended them before their time: those are kept all the
    same. Raises what came before the first question."""
    every: list[Attempt] = []
    kept = 0
    try:
        for each in attempts:
            every.append(each)
            if each.question:
                kept += 1
                progress.of_model("questions", kept, count)
    except (ModelError, KeyboardInterrupt) as error:
        if not kept:
            raise
        return drafted(every), error
    return drafted(every), None


def _read(chosen: Given, errors: ErrorLog, progress: ProgressLine) -> list[Document]:
    read = list(progress.through(documents(chosen, errors)))
    if not read and errors.count:
        errors.exit_with()
    if not read:
        raise DocumentError("no document to ask about; give files or folders that contain some")
    return read


def _announce(read: list[Document], by: Worder, provider: str, count: int, seed: int) -> None:
    """Say what will be sent to a server, before it is."""
    if provider == "local" and (others := not_english(read)):
        names = ", ".join(shown_text(name) for name in others[:3])
        print_error(f"{names}: seems not to be English, which is all that the local model knows")
    would = expected(read, by, count, seed)
    if would is not None and would.calls:
        print_error(
            f"at most {counted(would.calls, 'quote')} with the text around to word by {provider} at "
            f"{server_of(provider)} ({would.cached:,} more are remembered), about {would.input_tokens:,} tokens in and "
            f"{would.output_tokens:,} out"
        )


def _say(made: Drafted, count: int) -> None:
    """What was kept, by who worded it, and what was dropped, by reason."""
    origins: dict[str, int] = {}
    for question in made.questions:
        origins[question.origin] = origins.get(question.origin, 0) + 1
    by = "; ".join(f"{number} {shown_text(origin)}" for origin, number in sorted(origins.items()))
    kept = len(made.questions)
    print_error(f"{counted(kept, 'question')} drafted from {made.tried:,} of {counted(made.quotes, 'quote')}: {by}")
    for name, number in made.dropped.items():
        print_error(f"{counted(number, 'quote')} dropped: {REASONS[name]}")
    if kept < count:
        print_error(f"{count:,} were wanted: give more documents, another --seed, or --fill for probes")


@questions_app.command("check")
def check_command(
    questions: Annotated[Path, typer.Argument(metavar="FILE", help="Questions with known answers.")],
    corpora: Annotated[Path, typer.Option(metavar="DIR", help="The documents with the answers.")],
    config: Annotated[
        str, typer.Option(metavar="CONFIG", help="Whether --top of its chunks is too easy: a YAML, or a strategy.")
    ] = "",
    top: Annotated[int, typer.Option(min=1, max=1000, help="How many chunks are retrieved for a question.")] = 5,
    json: AsJson = False,
    text_column: TextColumn = "",
) -> None:
    """Report on a set of questions before it is used: what it covers, what is not clear, and the
    smallest difference that it can show. Exit code 1 where quotes or questions are duplicated or
    ambiguous, there are too few questions, or half of all chunks would be retrieved."""
    folder = corpora if corpora.is_dir() else corpora.parent
    errors, progress = ErrorLog(), ProgressLine(results_on_screen=False)
    selection = Selection(folder if folder.is_dir() else None, text_column=text_column)
    read = _read(Given((corpora,), selection), errors, progress)
    gold = gold_of(questions, read)
    report_problems(gold.problems, errors)
    chunks = _chunks(config, read, errors) if config else None
    found = quality(gold.questions, read, top=top, chunks=chunks)
    ProgressLine.clear()
    if json:
        print_json(_as_json(found, gold.problems, gold.rejected))
    else:
        _print(found, gold.rejected)
    failed = found.few or found.easy or any(each.rule in FAILING for each in found.findings)
    errors.exit_with(CHECK_FAILED if failed else DONE)


def _chunks(named: str, read: list[Document], errors: ErrorLog) -> int:
    """How many chunks a config makes of the documents; one that it cannot cut is reported."""
    config, _ = read_config(named)
    made = 0
    for document in read:
        try:
            made += len(run(document, config.for_document(document.name)).chunks)
        except BaseException as error:
            errors.report(document_fault(error, document.name))
    return made


def _as_json(found: Quality, problems: tuple[str, ...], rejected: int) -> dict[str, object]:
    values = {**asdict(found), "easy": found.easy, "too_few": found.few}
    return {**values, "rejected": rejected, "problems": list(problems)}


def _print(found: Quality, rejected: int) -> None:
    shortest, middle, longest = found.answer_characters
    rows = [
        ["questions", f"{found.questions:,}"],
        ["that nobody has reviewed", f"{found.unreviewed:,}"],
        *([["rejected, not counted", f"{rejected:,}"]] if rejected else []),
        *([f"worded by {shown_text(origin)}", f"{number:,}"] for origin, number in found.by_origin.items()),
        ["documents asked about", f"{found.documents.covered:,} of {found.documents.all:,}"],
        ["sections asked about", f"{found.sections.covered:,} of {found.sections.all:,}"],
        *(
            [f"answers in {kind}", f"{share.covered:,} ({share.all:,} quotes there)"]
            for kind, share in found.by_block.items()
        ),
        ["characters of an answer", f"{shortest:,} to {longest:,}, median {middle:,}"],
    ]
    if found.chunks is not None:
        easy = ": too easy, any config finds the answers" if found.easy else ""
        rows.append(["chunks retrieved", f"{found.chunks_retrieved:,} of {found.chunks:,}{easy}"])
    rows.append(["smallest difference of recall", _smallest(found)])
    print_table(["", "found"], rows)
    for rule in dict.fromkeys(each.rule for each in found.findings):
        of = [each for each in found.findings if each.rule == rule]
        print_line(f"\n{rule}: {len(of):,}")
        for each in of[:_MOST_SHOWN]:
            print_line(f"  {shown_text(each.detail, 300)}")
        if len(of) > _MOST_SHOWN:
            print_line(f"  and {len(of) - _MOST_SHOWN:,} more")


def _smallest(found: Quality) -> str:
    if found.smallest_difference is None:
        return "none can be shown: too few questions"
    return f"about {found.smallest_difference:.2f} between two configs is shown 8 times in 10"
