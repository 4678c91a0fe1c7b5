"""`chunkscope evaluate --trec-run`: what was retrieved, and which chunks are relevant, as TREC's
files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from chunking.cli.terminal import print_error
from chunking.document import Document
from chunking.errors import OutputError
from chunking.export.formats import to_bytes, whole_file
from chunking.gold.questions import Gold
from chunking.retrieval.evaluation import Evaluation
from chunking.retrieval.passages import Mode, Passage
from chunking.retrieval.trec import chunk_ids, qrels_lines, run_lines
from chunking.text.display import shown_text

_QRELS = ".qrels"
TrecRun = Annotated[
    Path | None,
    typer.Option(
        "--trec-run",
        metavar="FILE",
        help="Write the rankings as a TREC run, and which chunks are relevant beside it, as .qrels; of several configs "
        "FILE-1, FILE-2, ...",
    ),
]


def trec_files(run: Path | None, configs: int) -> dict[str, Path | None]:
    """The files that will be written, by what to call them in messages. Raises OutputError."""
    if run is None:
        return {}
    if run.suffix.lower() == _QRELS:
        called = shown_text(str(run), 200)
        raise OutputError(f"--trec-run {called}: {_QRELS} is for the relevance of chunks; name the run otherwise")
    runs = [run] if configs == 1 else [run.with_stem(f"{run.stem}-{number}") for number in range(1, configs + 1)]
    named: dict[str, Path | None] = {}
    for number, each in enumerate(runs, start=1):
        which = f" ({number})" if configs > 1 else ""
        named |= {f"--trec-run{which}": each, f"--trec-run, relevance{which}": each.with_suffix(_QRELS)}
    return named


def write_trec_runs(
    run: Path,
    measured: Mapping[str, tuple[Sequence[Passage], Evaluation]],
    gold: Gold,
    documents: Sequence[Document],
    mode: Mode,
) -> None:
    """Write a run and its relevance for each config, and say which file is whose."""
    files = [path for path in trec_files(run, len(measured)).values() if path]
    for at, (name, (passages, of)) in enumerate(measured.items()):
        ids = chunk_ids(passages)
        relevance = qrels_lines(passages, gold.questions, documents, ids, mode)
        for path, lines in zip(files[2 * at : 2 * at + 2], (run_lines(of, ids, name), relevance), strict=True):
            with whole_file(path) as file:
                file.writelines(map(to_bytes, lines))
        print_error(f"{shown_text(name, 200)}: run in {files[2 * at]}, relevance in {files[2 * at + 1]}")
