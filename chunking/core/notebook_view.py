"""A run as a notebook shows it: the first chunks one under the other, each with why it ends.

The text of a document is escaped, and the HTML is short, however large the document is.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from chunking.core.chunk import Chunk
from chunking.document import Document
from chunking.text.display import for_terminal

MOST_CHUNKS = 12
MOST_CHARACTERS = 400
"""Of a chunk's text: its beginning and its end are shown."""
_BANDS = ("rgba(31, 119, 180, .14)", "rgba(255, 127, 14, .14)")


def notebook_view(document: Document, strategy: str, chunks: Sequence[Chunk], *, approximate: bool) -> str:
    """At most `MOST_CHUNKS` chunks as HTML without scripts; what is left out is counted."""
    about = "about " if approximate else ""
    tokens = sum(chunk.tokens for chunk in chunks)
    title = f"{document.name} cut by {strategy}: {len(chunks):,} chunks, {about}{tokens:,} tokens"
    shown = "".join(_chunk(number, chunk) for number, chunk in enumerate(chunks[:MOST_CHUNKS], 1))
    more = len(chunks) - MOST_CHUNKS
    rest = f"<p>… and {more:,} more: <code>run.to_dataframe()</code> has all of them.</p>" if more > 0 else ""
    return f'<div style="max-width: 60em"><p><strong>{escape(for_terminal(title))}</strong></p>{shown}{rest}</div>'


def _chunk(number: int, chunk: Chunk) -> str:
    path = " › ".join(chunk.breadcrumb)
    head = f"{number} · {chunk.tokens:,} tokens · lines {chunk.start_line} to {chunk.end_line}"
    why = f"ends here: {chunk.ended_by.rule}: {chunk.ended_by.detail}"
    return (
        f'<div style="background: {_BANDS[number % 2]}; padding: .4em .8em; border-bottom: 2px dashed currentColor">'
        f"<small><strong>{escape(head)}</strong> {escape(for_terminal(path))}</small>"
        f'<pre style="white-space: pre-wrap; background: none; margin: .3em 0">{escape(_short(chunk.text))}</pre>'
        f"<small>{escape(for_terminal(why))}</small></div>"
    )


def _short(text: str) -> str:
    half = MOST_CHARACTERS // 2
    if len(text) > MOST_CHARACTERS:
        text = f"{text[:half]} […] {text[-half:]}"
    return for_terminal(text)
