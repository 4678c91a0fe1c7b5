"""`chunkscope plan`: what a store of vectors has to do to go from one run to another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chunking.cli.inputs import AsJson
from chunking.cli.terminal import print_json, print_line, print_table
from chunking.export.run_folder import read_manifest
from chunking.export.store_plan import StorePlan, store_plan
from chunking.text.display import counted, shown_text

_MOST_RENAMED = 20


def plan_command(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The former run: its folder, or its manifest.jsonl.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The run that the store is to hold.")],
    json: AsJson = False,
) -> None:
    """Say what to add, keep, move and delete in a store that was filled from OLD, with the tokens
    to embed. `--json` has the ids."""
    found = store_plan(read_manifest(old), read_manifest(new))
    if json:
        print_json(found.to_dict())
        return
    rows = [
        ("keep", f"{found.kept:,}", "0", "the same id and text"),
        ("move", f"{len(found.move):,}", "0", "another id, the same text: its vector is there"),
        ("add", f"{len(found.add):,}", f"{found.tokens_to_embed:,}", "to embed"),
        ("delete", f"{len(found.delete):,}", "0", "ids that are no longer there, those of moved chunks included"),
    ]
    print_table(("what", "chunks", "tokens to embed", "why"), rows, numbers=("chunks", "tokens to embed"))
    for line in _of_renamed(found):
        print_line(line)


def _of_renamed(found: StorePlan) -> list[str]:
    lines = [f"renamed: {shown_text(old, 200)} is {shown_text(new, 200)}" for old, new in found.renamed[:_MOST_RENAMED]]
    if more := len(found.renamed) - _MOST_RENAMED:
        lines += [f"renamed: {more:,} more"] if more > 0 else []
    if found.renamed_to_embed:
        lines.append(
            f"{counted(found.renamed_to_embed, 'chunk')} of renamed documents to embed: the name is in their text"
        )
    return lines
