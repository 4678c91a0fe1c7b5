"""`chunkscope run`: documents in, records out, one document after another."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from chunking.cli.inputs import (
    ConfigPath,
    Delimiters,
    Exclude,
    Headings,
    Include,
    Paths,
    Root,
    TextColumn,
    given,
    read_config,
    with_loader,
)
from chunking.cli.outputs import keep_inputs, tokenizers
from chunking.cli.pipeline import CutDocument, cut_all
from chunking.cli.run_folder import ENDINGS, run_to_folder
from chunking.cli.terminal import ErrorLog, ProgressLine, print_error, print_line
from chunking.cli.written import made_of, write, write_to_store
from chunking.config.config import DocumentProof
from chunking.config.proof import proof_of
from chunking.errors import OutputError
from chunking.export.formats import FORMATS, check_parquet, to_bytes, whole_file
from chunking.export.store_address import is_address, store_address
from chunking.runtime.run_limits import RunLimits
from chunking.runtime.text_memory import VARIABLE, in_megabytes, memory
from chunking.text.display import shown_text

Made = TypeVar("Made")

_SUFFIXES = {".md": "markdown", ".markdown": "markdown", ".ndjson": "jsonl", ".htm": "html", ".db": "sqlite"}
_IN_FILES = ("parquet", "sqlite")
ENGINES = ("local", "daft")
RUNNERS = ("native", "ray")
_PARTS = ", ".join((*ENDINGS, "html"))
_WRITTEN = ", ".join((*FORMATS, "html", "sqlite"))


def run_command(
    config: ConfigPath,
    paths: Paths,
    format: Annotated[
        str,
        typer.Option(
            help=f"{_WRITTEN}; left out, the ending of -o decides, else jsonl. "
            "html is one report on all documents, a section for each, that opens anywhere without a network; "
            "with -o FOLDER/ an index with their health, and a page for each."
        ),
    ] = "",
    output_name: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="PATH",
            help="Write to this file, whole or not at all; to a folder (FOLDER/), a part for each document and a "
            "manifest: run again, what did not change is not cut again; or to a store, kb.sqlite or an address such as "
            "lancedb://kb: run again, what is no longer cut of these documents is removed there.",
        ),
    ] = "",
    skips: Annotated[
        bool, typer.Option("--skips", help="Also write what was left out, in its place (html always does).")
    ] = False,
    baseline: Annotated[
        str, typer.Option(metavar="CONFIG", help="html: the config that the report compares with, before beside now.")
    ] = "",
    proof: Annotated[
        Path | None, typer.Option(help="Write the config to this file, with the proof that `verify` checks.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Processes; the results keep their order.")] = 1,
    max_seconds: Annotated[
        float | None, typer.Option(min=0.001, help="Stop a document that takes more CPU time than this, and go on.")
    ] = None,
    max_memory: Annotated[
        int | None, typer.Option(min=1, metavar="MB", help="Stop a document that takes more memory, and go on.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="End with the first document that cannot be cut.")] = False,
    engine: Annotated[
        str,
        typer.Option(
            help="What does the work: local (this machine), or daft (with --runner ray a cluster; parts of many "
            "documents, as Parquet)."
        ),
    ] = "local",
    runner: Annotated[str, typer.Option(help="daft: native (this machine) or ray.")] = "native",
    address: Annotated[
        str, typer.Option(help="ray: the cluster, such as ray://HOST:10001; left out, one on this machine.")
    ] = "",
    gpus: Annotated[
        float, typer.Option(min=0, help="daft: GPUs for each worker, such as 0.5 where two share one.")
    ] = 0,
    lance: Annotated[
        str, typer.Option(metavar="PLACE", help="daft: write the records to this Lance dataset too (s3://… or a path).")
    ] = "",
    vectors: Annotated[
        bool, typer.Option("--vectors", help="daft: with --lance, only chunks, each with its vector.")
    ] = False,
    stats: Annotated[
        bool, typer.Option("--stats", help="Say at the end what this process remembers of documents, in bytes.")
    ] = False,
    headings: Headings = None,
    delimiters: Delimiters = None,
    root: Root = None,
    include: Include = None,
    exclude: Exclude = None,
    text_column: TextColumn = "",
) -> None:
    """Chunk files and folders."""
    to_store = is_address(output_name)
    if to_store and (format or skips):
        raise OutputError(
            f"{store_address(output_name).shown}: a store has its own format, without skips; leave those out"
        )
    output = Path(output_name) if output_name and not to_store else None
    to_folder = output is not None and (output_name.endswith(("/", os.sep)) or output.is_dir())
    _check_engine(engine, runner, address, gpus, lance, format, to_folder=to_folder)
    if vectors and not lance:
        raise OutputError("--vectors: go into a Lance dataset; add --engine daft --lance PLACE")
    if engine == "daft":
        format = "parquet"
    chosen = "sqlite" if to_store else _format(format, None if to_folder else output, in_file=output is not None)
    if to_folder and chosen not in (*ENDINGS, "html"):
        raise OutputError(f"--format {chosen}: is one file; give -o a file name, or a folder --format {_PARTS}")
    if baseline and chosen != "html":
        raise OutputError(f"--baseline: --format {chosen} compares nothing; take --format html, or chunkscope compare")
    limits = RunLimits(max_seconds, max_memory, "--max-seconds", "--max-memory")
    wanted = given(paths, root, include, exclude, text_column)
    inputs = {"the config": config, "the baseline": baseline}
    keep_inputs({"-o": output, "--proof": proof}, inputs, wanted.paths, wanted.selection)
    settings = with_loader(read_config(config)[0], headings, delimiters, text_column)
    if proof:
        settings.to_yaml()  # what has no YAML is refused before anything is written
    before = with_loader(read_config(baseline)[0], headings, delimiters, text_column) if baseline else None
    looked_at, wanted = wanted.selection, wanted.for_configs(settings, *([before] if before else ()))
    # Once more: the config may read files that no option names.
    more = tokenizers(settings, *([before] if before else ()))
    documents = () if wanted.selection == looked_at else wanted.paths
    keep_inputs({"-o": output, "--proof": proof}, more, documents, wanted.selection)
    if chosen == "sqlite":
        from chunking.export.store_facts import embedding_of  # as in written.py
        from chunking.models.local_embedder import check_installed

        if embedding_of(settings.strategy).provider == "local":
            check_installed()
    errors = ErrorLog(strict=strict)
    progress = ProgressLine(results_on_screen=output is None and not to_store)
    proven: dict[str, DocumentProof] | None = {} if proof else None
    if chosen == "html":
        from chunking.cli.report import ReportJob

        job = ReportJob(wanted, settings, before, workers, errors, progress, proven, limits)
        if to_folder and output:
            job.in_pages(output)
        else:
            _write_report(job.in_one(output.parent if output else None), output)
    elif engine == "daft" and output:
        from chunking.cli.daft_engine import Where
        from chunking.cli.run_cluster import run_on_daft

        where = Where(runner, address, workers, gpus)
        run_on_daft(
            *(wanted, settings, output, errors, progress, proven, where),
            skips=skips,
            limits=limits,
            lance=lance,
            vectors=vectors,
        )
    elif to_folder and output:
        run_to_folder(
            *(wanted, settings, output, errors, progress, proven),
            format=chosen,
            skips=skips,
            workers=workers,
            limits=limits,
        )
    else:
        make = partial(made_of, format=chosen, skips=skips)
        told = progress.of_model
        cuts = cut_all(wanted, settings, workers, errors, make=make, proven=bool(proof), progress=told, limits=limits)
        passing = _passing(progress.through(cuts, wanted.count), proven, errors)
        if to_store:
            write_to_store(passing, output_name, settings)
        else:
            write(passing, chosen, output, settings)
    if proof and proven is not None:
        with whole_file(proof) as file:
            file.write(to_bytes(settings.to_yaml(proof_of(settings, proven), proof.parent)))
    errors.say_count()
    if stats:
        print_error(f"remembered of documents: {in_megabytes(memory.used(exactly=True), memory.limit)} ({VARIABLE})")
    errors.exit_with()


def _format(named: str, output: Path | None, *, in_file: bool) -> str:
    """The format that was named, or that the output file's ending names; JSON lines when neither
    does. `in_file` where there is an output, which may be a folder."""
    ending = output.suffix.lower() if output else ""
    implied = _SUFFIXES.get(ending, ending[1:])
    known = (*FORMATS, "html", "sqlite")
    chosen = named or (implied if implied in known else "jsonl")
    if chosen not in known:
        raise OutputError(f"--format {chosen}: no such format; there are: {_WRITTEN}")
    if chosen in _IN_FILES and not in_file:
        raise OutputError(f"--format {chosen}: is binary and needs a file; add -o chunks.{chosen}")
    if chosen == "parquet":
        check_parquet()
    return chosen


def _check_engine(
    engine: str, runner: str, address: str, gpus: float, lance: str, format: str, *, to_folder: bool
) -> None:
    """Raises OutputError, one line, where the options do not fit each other."""
    if engine not in ENGINES:
        raise OutputError(f"--engine {shown_text(engine, 60)}: no such engine; there are: {', '.join(ENGINES)}")
    if runner not in RUNNERS:
        raise OutputError(f"--runner {shown_text(runner, 60)}: no such runner; there are: {', '.join(RUNNERS)}")
    if engine == "local":
        given = {
            "--runner": runner != RUNNERS[0],
            "--address": bool(address),
            "--gpus": bool(gpus),
            "--lance": bool(lance),
        }
        for option in [each for each, is_given in given.items() if is_given]:
            raise OutputError(f"{option}: is for a cluster; add --engine daft, or leave it out")
        return
    if address and runner != "ray":
        raise OutputError("--address: is a Ray cluster's; add --runner ray")
    if not to_folder:
        raise OutputError("--engine daft: writes a folder; give -o FOLDER/")
    if format not in ("", "parquet"):
        raise OutputError(
            f"--engine daft: writes Parquet, not {shown_text(format, 60)}; leave --format out, or take --engine local"
        )


def _passing(
    cuts: Iterable[CutDocument[Made]], proven: dict[str, DocumentProof] | None, errors: ErrorLog
) -> Iterator[CutDocument[Made]]:
    """The documents as they come; behind each, its warnings, and its proof is put into `proven`.

    Where not one came, and why was reported, the command ends here: what was written before must
    not become empty because its source was not there.
    """
    some = False
    for cut in cuts:
        some = True
        yield cut
        if proven is not None and cut.proof:
            proven[cut.name] = cut.proof
        for warning in cut.warnings:
            print_error(f"{cut.name}: {warning}")
    if not some and errors.count:
        errors.say_count()
        errors.exit_with()


def _write_report(pieces: Iterable[str], output: Path | None) -> None:
    if output is None:
        for piece in pieces:
            print_line(piece, end="")
        return
    with whole_file(output) as file:
        for piece in pieces:
            file.write(to_bytes(piece))
