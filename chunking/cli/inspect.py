"""`chunkscope inspect` and `chunkscope explain`: one document in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Annotated

import typer

from chunking.analysis.counter_ratio import measured_ratio
from chunking.analysis.health import Check, health
from chunking.analysis.histogram import round_bins
from chunking.analysis.metric_table import within_text
from chunking.cli.folder_health import say_health
from chunking.cli.inputs import (
    AsJson,
    ConfigPath,
    Delimiters,
    Exclude,
    Headings,
    Include,
    OnePath,
    Paths,
    Root,
    TextColumn,
    announce,
    given,
    one_document,
    read_config,
    with_loader,
)
from chunking.cli.marks import explain_gold
from chunking.cli.outputs import keep_inputs
from chunking.cli.quality_view import measured_quality, quality_lines
from chunking.cli.terminal import CHECK_FAILED, DONE, ErrorLog, chunk_numbers, print_json, print_line, print_table
from chunking.config.config import Config
from chunking.core.chunk import Chunk, Part
from chunking.core.records import records
from chunking.document import Document
from chunking.document.archives import is_archive
from chunking.document.loaders import extension_of
from chunking.document.names import is_url
from chunking.document.text_rows import ENDINGS as TABLES
from chunking.errors import DocumentError, GoldError
from chunking.explanation.explanation import explain
from chunking.imported import Audit, audit_of
from chunking.runs import Run, run
from chunking.text.display import counted, shown_text

_BINS = 10
_BAR = 40
"""Characters of the longest bar."""


def inspect_command(
    config: ConfigPath,
    paths: Paths,
    with_health: Annotated[
        bool,
        typer.Option(
            "--health",
            help="Also check whether the chunks are fit to embed; exit code 1 when not. "
            "Of several documents, which are: the worst first.",
        ),
    ] = False,
    with_quality: Annotated[
        bool,
        typer.Option(
            "--quality", help="Also measures that need no questions, with what the literature found about each."
        ),
    ] = False,
    cut_points: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --quality: agreement with gold cut points (JSON, HiCBench's form)."),
    ] = None,
    json: AsJson = False,
    markdown: Annotated[
        bool,
        typer.Option("--markdown", help="With --health: Markdown tables of all documents, for a pull request."),
    ] = False,
    headings: Headings = None,
    delimiters: Delimiters = None,
    root: Root = None,
    include: Include = None,
    exclude: Exclude = None,
    text_column: TextColumn = "",
) -> None:
    """Show one document's chunks, from #1 as in the app (index 0 in JSON): where each ends, why,
    and how large they are; or, with --health, which of several documents are fit to be embedded."""
    wanted = given(paths, root, include, exclude, text_column)
    keep_inputs({}, {"the config": config}, wanted.paths, wanted.selection)
    settings = with_loader(read_config(config)[0], headings, delimiters, text_column)
    wanted = wanted.for_configs(settings)
    if cut_points and not with_quality:
        raise GoldError("--cut-points: is for --quality; add it")
    several = len(paths) > 1 or _is_several(paths[0], settings.loader.text_column)
    if with_quality and (several or markdown):
        raise DocumentError("--quality: is of one document, as text or --json; leave --markdown and other paths out")
    if with_health and (several or markdown):
        errors = ErrorLog()
        healthy = say_health(wanted, settings, errors, json=json, markdown=markdown)
        errors.exit_with(DONE if healthy else CHECK_FAILED)
    if len(paths) > 1 or markdown:
        raise DocumentError("inspect: shows one document; with --health, several, and --markdown")
    (path,) = paths
    result = run(_announced(path, root, settings), settings)
    checks = health(result) if with_health else None
    measures = measured_quality(result, cut_points) if with_quality else ()
    if json:
        listed = {"quality": [each.to_dict() for each in measures]} if with_quality else {}
        print_json({**inspected(result, settings, checks), **listed})
    else:
        _say_run(result)
        override = settings.override_for(result.document.name)
        audited = audit_of(result.config.strategy, result.document, result.config.counter)
        if override:
            print_line(f"by the override {shown_text(override.pattern, 120)}")
        quality = quality_lines(measures) if measures else ()
        for line in (*_audit_lines(audited), *_health_lines(checks or ()), *quality):
            print_line(line)
    errors = ErrorLog()
    errors.descriptions(len(result.chunks), result.undescribed)
    errors.exit_with(CHECK_FAILED if any(check.verdict == "fail" for check in checks or ()) else DONE)


def _say_run(result: Run) -> None:
    pages = ("pages",) if result.document.pages(result.document.span) else ()
    columns = ("chunk", "lines", *pages, "tokens", "ends by", "why", "breadcrumb")
    print_table(columns, _rows(result), numbers=("chunk", "tokens"))
    print_line("")
    for line in (*histogram([chunk.tokens for chunk in result.chunks]), _summary(result)):
        print_line(line)
    if ratio := measured_ratio(result):
        print_line(f"{'warning: ' if ratio.far else ''}{ratio.sentence}")
    if conversion := result.document.conversion:
        print_line(shown_text(str(conversion), 1000))
    for warning in result.warnings:
        print_line(f"warning: {shown_text(warning, 500)}")


def _audit_lines(found: Audit | None) -> Iterator[str]:
    """What another tool's chunks have of the document."""
    if found:
        yield ""
        yield "audit"
        yield from (f"  {shown_text(line, 1000)}" for line in found.lines())


def _health_lines(checks: Sequence[Check]) -> Iterator[str]:
    """Every check on a line, as `verify --checklist` marks them, with the chunks that do not hold
    it."""
    if checks:
        yield ""
        yield "health"
    for check in checks:
        mark = {"ok": "pass", "warn": "warn", "fail": "FAIL"}[check.verdict]
        yield shown_text(f"  {mark}  {check.title}: {check.said}{_numbered(check.chunks)}", 1000)


def _numbered(chunks: Sequence[int]) -> str:
    return f" ({chunk_numbers(chunks)})" if chunks else ""


def explain_command(
    config: ConfigPath,
    path: OnePath,
    line: Annotated[
        int | None, typer.Option(min=1, help="The boundary nearest this line, from 1, is explained.")
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(
            help="Questions with their answers (CSV or JSON lines): which are cut, and what keeps them whole."
        ),
    ] = None,
    headings: Headings = None,
    delimiters: Delimiters = None,
    json: AsJson = False,
    root: Root = None,
) -> None:
    """Say why a boundary is there, and at which value of each setting it would go; or which answers
    are cut."""
    keep_inputs({}, {"the config": config, "the questions": gold}, given([path], root).paths)
    settings = with_loader(read_config(config)[0], headings, delimiters)
    if (line is None) == (gold is None):
        raise GoldError("explain: give either --line or --gold")
    if gold is not None:
        explain_gold(_announced(path, root, settings), settings, gold, json=json)
        return
    explanation = explain(_announced(path, root, settings), settings, line=line)
    if json:
        print_json(explanation.to_dict())
        return
    for each in explanation.lines():
        print_line(each[: len(each) - len(each.lstrip())] + shown_text(each.lstrip(), 500))


def _is_several(path: str, text_column: str) -> bool:
    """Whether there may be several documents at a path."""
    table = bool(text_column) and extension_of(path) in TABLES
    return not is_url(path) and (table or Path(path).is_dir() or is_archive(Path(path).name))


def _announced(path: str, root: Path | None, config: Config) -> Document:
    document = one_document(path, root, config.loader.text_column)
    announce(document, config)
    return document


def _rows(result: Run) -> Iterator[tuple[str, ...]]:
    number = 0
    for part in result.parts:
        number += isinstance(part, Chunk)
        yield _row(part, number, result)


def _row(part: Part, number: int, result: Run) -> tuple[str, ...]:
    if not isinstance(part, Chunk):
        first, last = (result.document.line_of(at) for at in (part.body.start, part.body.end - 1))
        pages = _pages(result.document.pages(part.body))
        why = f"left out: {shown_text(part.because.detail, 120)}"
        return "", f"{first}-{last}", *pages, "", part.because.rule, why, ""
    flags = "".join(f"; {flag.rule}" for flag in part.flags)
    breadcrumb = " > ".join(shown_text(title, 40) for title in part.breadcrumb[1:])
    why = shown_text(part.ended_by.detail, 120) + flags
    lines, pages = f"{part.start_line}-{part.end_line}", _pages(part.pages)
    return f"#{number}", lines, *pages, str(part.tokens), part.ended_by.rule, why, breadcrumb


def _pages(pages: tuple[int, int] | None) -> tuple[str, ...]:
    return (f"{pages[0]}-{pages[1]}",) if pages else ()


def histogram(sizes: Sequence[int]) -> list[str]:
    """Chunk sizes in about ten equal classes, one bar each; nothing when there are no chunks.

    0 to 99     ████████ 4
    """
    if not sizes:
        return []
    bins = round_bins(max(sizes), _BINS)
    counts = bins.counts(sizes)
    labels = [f"{start:g} to {end - 1:g}" for start, end in pairwise(bins.edges)]
    room = max(map(len, labels))
    bars = ["█" * -(-count * _BAR // max(counts)) for count in counts]
    return [f"{label:<{room}}  {bar} {count}".rstrip() for label, bar, count in zip(labels, bars, counts, strict=True)]


def _summary(result: Run) -> str:
    metrics, config = result.metrics, result.config
    within = "" if metrics.within_limits is None else f", within limits {within_text(metrics)}"
    tokens = f"about {metrics.tokens_to_embed:,}" if result.approximate else f"{metrics.tokens_to_embed:,}"
    return (
        f"{shown_text(result.document.name, 120)}: {counted(metrics.chunk_count, 'chunk')} by {config.strategy.name}, "
        f"{tokens} tokens ({config.counter}), median {round(metrics.median_tokens, 2):,.6g}, "
        f"95% up to {round(metrics.p95_tokens, 2):,.6g}{within}"
    )


def inspected(result: Run, settings: Config, checks: Sequence[Check] | None) -> dict[str, object]:
    """What --json prints of a run; with its checks where they are given."""
    override = settings.override_for(result.document.name)
    audited = audit_of(result.config.strategy, result.document, result.config.counter)
    found = {"audit": audited.to_dict()} if audited else {}
    listed = {} if checks is None else {"health": [check.to_dict() for check in checks]}
    return {**_as_json(result), "override": override.pattern if override else None, **found, **listed}


def _as_json(result: Run) -> dict[str, object]:
    return {
        "document": result.document.name,
        "strategy": result.config.strategy.name,
        "counter": result.config.counter,
        "fingerprint": result.fingerprint,
        "metrics": result.metrics.to_dict(),
        "measured_ratio": ratio.to_dict() if (ratio := measured_ratio(result)) else None,
        "warnings": list(result.warnings),
        "conversion": str(result.document.conversion or ""),
        "records": list(records(result.parts, result.document)),
    }
