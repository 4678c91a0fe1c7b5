"""`chunkscope search`: ask a store that `run -o` wrote."""

from __future__ import annotations

from typing import Annotated

import typer

from chunking.cli.inputs import AsJson
from chunking.cli.outputs import keep_inputs
from chunking.cli.terminal import print_error, print_json, print_line, print_table
from chunking.errors import ModelError, StoreError
from chunking.export.open_stores import opened
from chunking.export.store_address import is_address
from chunking.export.store_facts import Embedding, facts_in, notes_in
from chunking.export.store_search import MODES, Hit, embedder_of, search
from chunking.models.requests import server_of
from chunking.text.display import shown_text

_EXCERPT = 160
"""Characters of a chunk's own text that the table shows."""


def search_command(
    store: Annotated[
        str, typer.Argument(metavar="STORE", help="What `run -o` wrote: kb.sqlite, or an address as lancedb://kb.")
    ],
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="In quotes.")],
    mode: Annotated[str, typer.Option(help=f"{', '.join(MODES)}.")] = "hybrid",
    top: Annotated[int, typer.Option(min=1, max=1000, help="How many chunks.")] = 5,
    json: AsJson = False,
) -> None:
    """Ask a store: by meaning, by words, or by both."""
    if mode not in MODES:
        raise StoreError(f"--mode {shown_text(mode, 40)}: no such mode; there are: {', '.join(MODES)}")
    if not is_address(store):
        keep_inputs({}, {"the store": store})
    with opened(store) as there:
        if mode != "bm25":
            facts = facts_in(there)
            _announce(embedder_of(facts))
        hits = search(there, question, mode=mode, top=top)
    if mode != "bm25":
        for note in notes_in(facts, question):
            print_error(shown_text(note, 1000))
    if json:
        print_json([_as_json(hit) for hit in hits])
        return
    if not hits:
        print_line("nothing found")
        return
    print_table(
        ("rank", "score", "cosine", "bm25", "document", "lines", "text"),
        [_row(hit) for hit in hits],
        numbers=("rank", "score", "cosine", "bm25"),
    )


def _announce(by: Embedding) -> None:
    """Say that the question goes to a server, and to which, before it does; a question asked before
    is remembered."""
    if by.provider == "local":
        return
    try:
        server = server_of(by.provider)
    except ModelError:
        return  # nothing can be sent, and the search will say why
    if server:
        print_error(f"the question is sent to {by.provider} at {server} to embed, unless it is remembered")


def _row(hit: Hit) -> tuple[str, ...]:
    record = hit.record
    body = record["text"].removeprefix(record["context"])
    return (
        str(hit.rank),
        f"{hit.score:.4f}",
        "" if hit.cosine is None else f"{hit.cosine:.3f}",
        "" if hit.bm25 is None else f"{hit.bm25:.2f}",
        record["document"],
        f"{record['start_line']}-{record['end_line']}",
        shown_text(" ".join(body.split()), _EXCERPT),
    )


def _as_json(hit: Hit) -> dict[str, object]:
    return {"rank": hit.rank, "score": hit.score, "cosine": hit.cosine, "bm25": hit.bm25, "chunk": hit.record}
