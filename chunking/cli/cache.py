"""`chunkscope cache`: what is kept of models' answers and of conversions, and what of it goes."""

from __future__ import annotations

import sqlite3
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from chunking.cli.inputs import AsJson
from chunking.cli.terminal import print_json, print_line
from chunking.document import kept_conversions
from chunking.errors import OutputError
from chunking.models.answer_cache import (
    AGE_VARIABLE,
    CACHE_VARIABLE,
    SIZE_VARIABLE,
    CacheContents,
    Limits,
    cache_contents,
    cache_file,
    cleared,
    limits,
    pruned,
)
from chunking.text.display import counted, shown_text


def cache_command(
    prune: Annotated[bool, typer.Option("--prune", help="Remove what is over the limits.")] = False,
    clear: Annotated[bool, typer.Option("--clear", help="Remove all; answers would be asked for again.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Clear without asking.")] = False,
    json: AsJson = False,
) -> None:
    """Show what is kept of models' answers and of converted documents, within which limits; or
    prune or clear it."""
    if prune and clear:
        raise OutputError("--prune, --clear: give one of them")
    within, file = limits(), cache_file()
    if file is None:
        print_line(f"nothing is kept: {CACHE_VARIABLE} is off, or there is no home folder")
        return
    try:
        gone = _cleared(file, yes=yes) if clear and file.exists() else 0
        gone += pruned(file, within) if prune and file.exists() else 0
        contents = cache_contents(file) if file.exists() else CacheContents(0, 0, None)
    except (sqlite3.Error, OSError) as error:
        raise OutputError(
            f"{shown_text(str(file), 200)}: the cache cannot be used ({error}); remove it with chunkscope cache --clear"
        ) from error
    converted = kept_conversions.pruned(0) if clear else kept_conversions.pruned() if prune else 0
    if json:
        print_json(_as_json(file, contents, within, gone) | {"conversions": _conversions(converted)})
        return
    if prune or clear:
        also = f" and {counted(converted, 'conversion')}" if converted else ""
        print_line(f"{counted(gone, 'answer')}{also} removed")
    for line in _lines(file, contents, within):
        print_line(line)
    of = kept_conversions.contents()
    limit = f"{kept_conversions.limit_in_bytes() // 10**6:,} MB ({kept_conversions.SIZE_VARIABLE})"
    print_line(f"conversions: {counted(of.documents, 'document')}, {of.bytes / 1e6:,.1f} MB of {limit}")


def _cleared(file: Path, *, yes: bool) -> int:
    if not yes:
        if not sys.stdin.isatty():
            raise OutputError("--clear: removes answers that were paid for, and there is nobody to ask; add --yes")
        typer.confirm("Remove every answer? They would be asked for again.", abort=True)
    return cleared(file)


def _lines(file: Path, contents: CacheContents, within: Limits) -> tuple[str, ...]:
    oldest = f", the oldest last used about {contents.oldest}" if contents.oldest else ""
    return (
        f"folder: {file.parent} ({CACHE_VARIABLE} names another)",
        f"{file.name}: {counted(contents.answers, 'answer')} of models, {contents.bytes / 1e6:,.1f} MB{oldest}",
        f"limits: {within.megabytes:,} MB ({SIZE_VARIABLE}), {counted(within.days, 'day')} unused ({AGE_VARIABLE})",
    )


def _as_json(file: Path, contents: CacheContents, within: Limits, gone: int) -> dict[str, object]:
    return {
        "folder": str(file.parent),
        "files": [{"name": file.name, "answers": contents.answers, "bytes": contents.bytes, "oldest": _iso(contents)}],
        "limits": asdict(within),
        "removed": gone,
    }


def _conversions(removed: int) -> dict[str, int]:
    limit = kept_conversions.limit_in_bytes() // 10**6
    return {**kept_conversions.contents()._asdict(), "megabytes": limit, "removed": removed}


def _iso(contents: CacheContents) -> str | None:
    return contents.oldest.isoformat() if contents.oldest else None
