"""`chunkscope stability`: what an edit of a document does to its chunks, config by config."""

from __future__ import annotations

from typing import Annotated

import typer

from chunking import strategies
from chunking.analysis.edits import EditStability, edit_stability
from chunking.analysis.metric_table import share_text
from chunking.cli.inputs import AsJson, announce, one_document, read_config
from chunking.cli.terminal import print_json, print_table
from chunking.config.config import Config
from chunking.document.parser import parse
from chunking.models.requests import steps
from chunking.runs import run
from chunking.text.display import shown_text


def stability_command(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The document before the edit.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The document after it.")],
    config: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CONFIG]...", help="YAML files or names of strategies; all that ask no model where left out."
        ),
    ] = None,
    json: AsJson = False,
) -> None:
    """Say how many chunks of NEW keep the id that they have in OLD, and what is to be embedded
    again. Both are cut under NEW's name."""
    later = one_document(new)
    before = parse(one_document(old).text, name=later.name)
    configs = [(shown_text(each, 80), read_config(each)[0]) for each in config] if config else _without_models()
    found: list[tuple[str, EditStability]] = []
    for name, each in configs:
        announce(later, each)
        own = each.for_document(later.name)
        found.append((name, edit_stability(run(before, own), run(later, own))))
    if json:
        print_json([{"config": name, **each.to_dict()} for name, each in found])
        return
    rows = [
        (
            *(name, f"{each.chunks_before:,}", f"{each.chunks_after:,}", f"{each.kept:,}", share_text(each.kept_share)),
            *(f"{each.moved:,}", f"{each.to_embed:,}", f"{each.tokens_to_embed:,}"),
        )
        for name, each in found
    ]
    columns = ("config", "before", "after", "keep their id", "share", "same text", "to embed", "tokens")
    print_table(columns, rows, numbers=columns[1:])


def _without_models() -> list[tuple[str, Config]]:
    made = [Config(strategies.get(name)()) for name in strategies.names()]
    return [(each.strategy.name, each) for each in made if not steps(each.strategy)]
