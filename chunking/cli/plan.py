"""`chunkscope plan`: what a store of vectors has to do to go from one run to another, and that
done."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from chunking.cli.inputs import AsJson
from chunking.cli.outputs import keep_inputs
from chunking.cli.terminal import print_error, print_json, print_line, print_table
from chunking.cli.written import announce_store
from chunking.config.config import Config, read_yaml
from chunking.errors import ConfigError, OutputError
from chunking.export.formats import check_parquet
from chunking.export.open_stores import opened
from chunking.export.part_records import READABLE
from chunking.export.run_folder import folder_of, read_about, read_manifest
from chunking.export.store_address import is_address
from chunking.export.store_plan import StorePlan, store_plan
from chunking.export.store_update import apply_plan
from chunking.text.display import counted, shown_text

_MOST_RENAMED = 20


def plan_command(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The former run: its folder, or its manifest.jsonl.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The run that the store is to hold.")],
    apply: Annotated[
        str,
        typer.Option(metavar="STORE", help="Do it in this store, kb.sqlite or an address, and touch nothing else."),
    ] = "",
    json: AsJson = False,
) -> None:
    """Say what to add, keep, move and delete in a store that was filled from OLD, with the tokens
    to embed. `--json` has the ids."""
    for each in (old, new):
        if is_address(str(each).replace(":/", "://", 1)) and not each.exists():
            raise OutputError(
                "OLD and NEW are folders that `run -o FOLDER/` wrote; a store is given with --apply STORE"
            )
    found = store_plan(read_manifest(old), read_manifest(new))
    if apply:
        _apply(found, old, new, apply, json=json)
        return
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


def _apply(found: StorePlan, old: Path, new: Path, where: str, *, json: bool) -> None:
    """Change the store, and say what was done."""
    if not is_address(where):
        keep_inputs({}, {"the store": where})
    if (format := read_about(new).parts) not in READABLE:
        raise OutputError(
            f"{new}: has parts in {shown_text(format, 60)}, without all of a record; run it again with jsonl"
        )
    if format == "parquet":
        check_parquet()
    before = {each.document: each.key for each in read_manifest(old)}
    configs = (_config_of(old), _config_of(new))
    with opened(where) as store:

        def announce() -> None:
            announce_store(store.shown, configs[1])

        done = apply_plan(store, found, before, read_manifest(new), (folder_of(new), format), configs, announce)
    for note in done.notes:
        print_error(shown_text(note, 1000))
    if done.missing:
        print_error(
            f"{store.shown}: {counted(done.missing, 'chunk')} of NEW were not in it before either; fill it with run -o"
        )
    if json:
        print_json(asdict(done) | {"notes": list(done.notes)})
        return
    print_line(
        f"{store.shown}: {done.embedded:,} embedded, {done.moved:,} moved, {done.rewritten:,} rewritten with their "
        f"vectors, {done.deleted:,} deleted; it holds {counted(done.holds, 'chunk')}"
    )


def _config_of(place: Path) -> Config:
    try:
        return read_yaml(read_about(place).config, folder_of(place))[0]
    except ConfigError as error:
        raise ConfigError(f"{shown_text(str(place), 200)}: {error}") from error


def _of_renamed(found: StorePlan) -> list[str]:
    lines = [f"renamed: {shown_text(old, 200)} is {shown_text(new, 200)}" for old, new in found.renamed[:_MOST_RENAMED]]
    if more := len(found.renamed) - _MOST_RENAMED:
        lines += [f"renamed: {more:,} more"] if more > 0 else []
    if found.renamed_to_embed:
        lines.append(
            f"{counted(found.renamed_to_embed, 'chunk')} of renamed documents to embed: the name is in their text"
        )
    return lines
