"""`chunkscope questions convert`: a set of questions in the form of another tool, with a word on
what that cannot hold."""

from __future__ import annotations

import os
import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Annotated

import typer

from chunking.cli.evaluated_configs import folder_of, report_problems
from chunking.cli.gold_files import gold_of
from chunking.cli.inputs import Given, TextColumn, documents, one_of
from chunking.cli.outputs import keep_inputs
from chunking.cli.terminal import ErrorLog, ProgressLine, print_error
from chunking.document.folders import Selection
from chunking.errors import DocumentError, GoldError, OutputError
from chunking.export.formats import to_bytes, whole_file
from chunking.gold.exports import FOLDERS, FORMS, WITH_WHOLE, Form, exported, held, lost
from chunking.gold.questions import Gold, load_gold, read_gold
from chunking.text.display import counted, shown_text

_BY_ENDING: Mapping[str, Form] = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}


def convert_command(
    questions: Annotated[Path, typer.Argument(metavar="FILE", help="Questions with known answers, in any form.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="OUT", help="Write them here; beir and trec are a new folder.")
    ],
    corpora: Annotated[Path, typer.Option(metavar="DIR", help="The documents with the answers.")],
    to: Annotated[
        str, typer.Option(metavar="FORM", help=f"One of: {', '.join(FORMS)}; left out, csv or jsonl by the ending.")
    ] = "",
    text_column: TextColumn = "",
) -> None:
    """Write questions in another form, and say what that cannot hold. Where a question would not
    come back as it is, that is said, too."""
    form = _form(to, output)
    selection = Selection(folder_of(corpora), text_column=text_column)
    keep_inputs({"-o": output}, {"the questions": questions}, [corpora], selection)
    errors, progress = ErrorLog(), ProgressLine(results_on_screen=False)
    read = list(progress.through(documents(Given((corpora,), selection), errors)))
    if not read:
        raise DocumentError(
            f"{shown_text(str(corpora), 200)}: no document with answers; give the folder of the corpora"
        )
    gold = gold_of(questions, read, as_marks=True)
    report_problems(gold.problems, errors)
    ProgressLine.clear()
    files = exported(gold, {each.name: each for each in read}, form, table=output.suffix.lower() == ".csv")
    if form in FOLDERS:
        _write_folder(output, files)
        again = _again(lambda: load_gold(output, read))
    else:
        with whole_file(output) as file:
            file.write(to_bytes(files[""]))
        lines = output.suffix.lower() != ".csv"
        again = _again(lambda: read_gold(files[""], read, json_lines=lines, as_marks=True))
    _say(gold, again, form, output)
    errors.exit_with()


def _form(to: str, output: Path) -> Form:
    if to:
        return FORMS[FORMS.index(one_of("--to", to, FORMS))]
    ending = output.suffix.lower()
    if ending not in _BY_ENDING:
        raise GoldError(
            f"--to: the ending of {shown_text(output.name, 120)} tells no form; give one of {', '.join(FORMS)}"
        )
    return _BY_ENDING[ending]


def _write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write a new folder, whole or not at all. Raises OutputError."""
    called = f"-o {shown_text(str(folder), 200)}"
    try:
        if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
            raise OutputError(f"{called}: is there already; name a new folder")
        made = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.absolute().parent))
        try:
            for name, text in files.items():
                (made / name).parent.mkdir(exist_ok=True)
                (made / name).write_bytes(to_bytes(text))
            made.chmod(0o755)
            os.replace(made, folder)
        finally:
            shutil.rmtree(made, ignore_errors=True)
    except OSError as error:
        raise OutputError(f"{called}: cannot be written ({error.strerror}); choose another place") from None


def _again(reader: Callable[[], Gold]) -> Gold:
    try:
        return reader()
    except GoldError:  # none of them can be placed again
        return Gold((), ())


def _say(gold: Gold, again: Gold, form: Form, output: Path) -> None:
    """What was written, what the form cannot hold, and how many questions come back otherwise."""
    whole = f" and {counted(len(gold.whole), 'span')} that must stay whole" if gold.whole and form in WITH_WHOLE else ""
    left = f"; {gold.rejected:,} rejected left out" if gold.rejected else ""
    print_error(f"{shown_text(str(output), 200)}: {counted(len(gold.questions), 'question')}{whole} as {form}{left}")
    if without := lost(gold, form):
        print_error(f"{form} has no place for: {'; '.join(without)}")
    back = Counter(held(question, form) for question in again.questions)
    other = [each for each in gold.questions if not back[held(each, form)]]
    if other:
        first = shown_text(other[0].text, 80)
        are = "does not come" if len(other) == 1 else "do not come"
        print_error(
            f"{len(other):,} of {counted(len(gold.questions), 'question')} {are} back as they are: {first!r}, ..."
        )
