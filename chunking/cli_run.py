"""`chunkscope run`: documents in, records out, one document after another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated

import typer

from chunking.cli_inputs import ConfigPath, Paths, read_config, source_bytes
from chunking.cli_terminal import Progress, Trouble, complain, flush, say
from chunking.cli_workers import Cut, cut_all
from chunking.config import Config, DocumentProof
from chunking.errors import OutputError
from chunking.export import FORMATS, TEXT_FORMATS, to_bytes, whole_file, write_parquet
from chunking.proving import document_proof, proof_of
from chunking.records import Record
from chunking.store import write_store

_SUFFIXES = {".md": "markdown", ".markdown": "markdown", ".ndjson": "jsonl", ".htm": "html", ".db": "sqlite"}
_LATER = ("html",)
_IN_FILES = ("parquet", "sqlite")
_WRITTEN = ", ".join((*FORMATS, "sqlite"))


def run_command(
    config: ConfigPath,
    paths: Paths,
    format: Annotated[str, typer.Option(help=f"{_WRITTEN}; left out, the ending of -o decides, else jsonl.")] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file, whole or not at all.")
    ] = None,
    skips: Annotated[bool, typer.Option("--skips", help="Also write what was left out, in its place.")] = False,
    proof: Annotated[
        Path | None, typer.Option(help="Write the config to this file, with the proof that `verify` checks.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, max=256, help="Processes; the results keep their order.")] = 1,
    engine: Annotated[str, typer.Option(help="Where the work is done: local.")] = "local",
) -> None:
    """Chunk files and folders."""
    chosen = _format(format, output)
    _check_engine(engine)
    if proof and output and proof.resolve() == output.resolve():
        raise OutputError(f"--proof {proof}: is the file of -o too; give them two names")
    settings, _ = read_config(config)
    trouble = Trouble()
    progress = Progress(results_on_screen=output is None)
    cuts = progress.through(cut_all(paths, settings, workers, trouble, proven=bool(proof), progress=progress.of_model))
    proven: dict[str, DocumentProof] | None = {} if proof else None
    _write(_records(cuts, proven, skips=skips), chosen, output, settings)
    if proof and proven is not None:
        with whole_file(proof) as file:
            file.write(to_bytes(settings.to_yaml(proof_of(settings, proven))))
    trouble.leave()


def _format(named: str, output: Path | None) -> str:
    """The format that was named, or that the output file's ending names; JSON lines when neither does."""
    ending = output.suffix.lower() if output else ""
    implied = _SUFFIXES.get(ending, ending[1:])
    chosen = named or (implied if implied in (*FORMATS, *_LATER, *_IN_FILES) else "jsonl")
    if chosen in _LATER:
        raise OutputError(f"--format {chosen}: this version does not write it yet; there are: {_WRITTEN}")
    if chosen not in (*FORMATS, *_IN_FILES):
        raise OutputError(f"--format {chosen}: no such format; there are: {_WRITTEN}")
    if chosen in _IN_FILES and output is None:
        raise OutputError(f"--format {chosen}: is binary and needs a file; add -o chunks.{chosen}")
    return chosen


def _check_engine(engine: str) -> None:
    if engine in ("daft", "ray"):
        raise OutputError(
            f"--engine {engine}: needs the extra chunkscope[{engine}], which this version does not have; "
            "take --engine local --workers N"
        )
    if engine != "local":
        raise OutputError(f"--engine {engine}: no such engine; there are: local, daft, ray")


def _records(cuts: Iterable[Cut], proven: dict[str, DocumentProof] | None, *, skips: bool) -> Iterator[Record]:
    """The records of one document after another, what was left out only with `skips`.

    With `proven`, each document's proof is put there as soon as its last record has passed; skips always count in it.
    """
    for cut in cuts:
        for record in cut.records:
            if skips or record["type"] == "chunk":
                yield record
        if proven is not None and (of := cut.fingerprint):
            proven[cut.name] = document_proof(source_bytes(cut.path), of.chunks, of.descriptions)
        for warning in cut.warnings:
            complain(f"{cut.name}: {warning}")


def _write(records: Iterable[Record], chosen: str, output: Path | None, settings: Config) -> None:
    if output is None:
        _say_all(records, chosen)
        return
    with whole_file(output) as file:
        if chosen == "parquet":
            write_parquet(records, file)
            return
        if chosen == "sqlite":
            write_store(records, file, settings)
            return
        file.write(to_bytes(TEXT_FORMATS[chosen].header))
        for record in records:
            file.write(to_bytes(TEXT_FORMATS[chosen].piece(record)))


def _say_all(records: Iterable[Record], chosen: str) -> None:
    """Write to standard output, handing over at each document's end: readers see records as they come."""
    say(TEXT_FORMATS[chosen].header, end="")
    document = None
    for record in records:
        if record["document"] != document:
            flush()
            document = record["document"]
        say(TEXT_FORMATS[chosen].piece(record), end="")
