"""A stretch of a document with the tokens that each chunk has there, by one tokenizer or two. No
Streamlit.

Only chunks near a place are tokenized: a document of 10 MB costs as much as one of 30 KB.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from chunking import Chunk, Run
from chunking.analysis import ChunkTokens, near_lines, row_edges
from chunking.text import counted
from chunking.tokens import (
    LOCAL,
    MINILM,
    TokenCounter,
    counter,
    counter_title,
    differing_borders,
    has_tokens,
    special_around,
)
from pages.ui.components.reading_views.cuts import Cut, cut_of, number_of, parts_between
from pages.ui.components.reading_views.token_rows import (
    RowCell,
    Tokenized,
    alternating,
    cells_by_row,
    chunk_at,
    tokenized,
)

BEFORE, AFTER = 3_000, 6_000
"""Characters that are shown before and after the place that is looked at."""
SIZES = (256, 512)
"""Tokens that common embedders read."""
EXACT = "cl100k_base"
"""Whose tokens are shown for a counter that has none."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the source, or the part of one between two cuts or rulers."""

    start: int
    end: int
    text: str
    first: tuple[int, ...]
    """By the first tokenizer, four numbers for each cell: its length in UTF-16 units, the tokens
    that begin in it, the number of the first of them, and what it is, as bits."""
    second: tuple[int, ...]
    """By the second; empty without one."""


@dataclass(frozen=True, slots=True)
class Ruler:
    """Where an embedder stops reading a chunk, or its limit is."""

    at: int
    words: str
    detail: str


@dataclass(frozen=True, slots=True)
class ChunkSum:
    """What a chunk's tokens are made of."""

    at: int
    """Where its body begins."""
    words: str
    context: str
    """What is put before the chunk, from which these cells are."""
    cells: tuple[int, ...]
    """As of Row."""


@dataclass(frozen=True, slots=True)
class TokenStretch:
    """Rows that follow each other, and what stands among them."""

    rows: tuple[Row, ...] = ()
    cuts: tuple[Cut, ...] = ()
    sums: tuple[ChunkSum, ...] = ()
    rulers: tuple[Ruler, ...] = ()
    titles: tuple[str, ...] = ()
    """The tokenizers' names for people, one or two."""
    marks: tuple[tuple[Sequence[str], Sequence[str]], ...] = ()
    """By tokenizer: the special tokens that an embedder puts before a text, and after it."""
    notes: tuple[str, ...] = ()
    """What is to be said of these tokens, a sentence each."""


def stretch(run: Run, around: int, beside: str = "") -> TokenStretch:
    """The rows near an offset, with the tokens of the run's counter and of the one named `beside`.

    Raises UnknownCounterError where a tokenizer has no token for part of the text.
    """
    document = run.document
    if not document.text:
        return TokenStretch()
    near = near_lines(document, around, BEFORE, AFTER)
    parts = parts_between(run, near.start, near.end)
    own = counter(run.config.counter)
    first = tokenized(run, parts, own if has_tokens(own) else counter(EXACT), near)
    second = tokenized(run, parts, counter(beside), near) if beside and beside != first.by.name else None
    notes = list(_notes(own, first))
    if second:
        here, there, alike = differing_borders(document.text, first.starts, second.starts)
        first, second = replace(first, differs=frozenset(here)), replace(second, differs=frozenset(there))
        notes.append(_compared(first.by, second.by, len(here), len(there), alike))
    local = next((of for of in (first, second) if of and of.by.name == MINILM), None)
    rulers = tuple(_rulers(run, first, local or tokenized(run, parts, counter(MINILM), near)))
    cuts = tuple(cut for cut in (cut_of(run, index) for index in parts) if cut is not None)
    edges = row_edges(document, near, [*(cut.at for cut in cuts), *(ruler.at for ruler in rulers)])
    columns = [cells_by_row(run, of, edges) for of in (first, second) if of]
    rows = []
    for number, (start, end) in enumerate(pairwise(edges)):
        packed = [_packed(document.text, column[number]) for column in columns]
        rows.append(Row(start, end, _shown(document.text[start:end]), packed[0], packed[1] if second else ()))
    used = [of.by for of in (first, second) if of]
    return TokenStretch(
        tuple(rows),
        cuts,
        tuple(_sum(run, index, first, second, own) for index in first.chunks),
        rulers,
        tuple(counter_title(by.name) for by in used),
        tuple(special_around(by) for by in used),
        tuple(notes),
    )


def _notes(own: TokenCounter, first: Tokenized) -> Iterator[str]:
    title = counter_title(first.by.name)
    if first.by is not own:
        yield f"{own.name} estimates and has no tokens: these are the tokens of {title}."
    before, after = special_around(first.by)
    if before or after:
        marks = " and ".join([*before, *after])
        yield f"An embedder adds {marks} to each chunk; counts and limits leave them out."
    if not all(tokens.sure for tokens in first.chunks.values()):
        yield "Borders at the top and the bottom may be off: no place where a token ends for sure is near."


def _compared(first: TokenCounter, second: TokenCounter, here: int, there: int, alike: int) -> str:
    one, other = counter_title(first.name), counter_title(second.name)
    return (
        f"Near here {counted(alike, 'token border')} are the same, {here:,} are only {one}'s and {there:,} only "
        f"{other}'s; white space aside."
    )


def _rulers(run: Run, first: Tokenized, local: Tokenized) -> Iterator[Ruler]:
    """Where reading stops, in chunks that are longer than is read."""
    limits, special = run.config.strategy.limits_in(run.document), first.by.special_tokens
    for index, tokens in first.chunks.items():
        chunk = chunk_at(run, index)
        name = f"chunk {number_of(run, chunk.body.start) + 1:,}"
        for size in SIZES:
            if first.by.name != MINILM or size != LOCAL.tokens:
                words = f"An embedder of {size} tokens stops here"
                yield from _ruler(chunk, tokens, size - special, words, f"of {name} are not read")
        by_its_own = f"of {name} are in no vector; {LOCAL.embedder} reads {LOCAL.tokens} of its own, its marks included"
        yield from _ruler(chunk, local.chunks[index], LOCAL.room, "MiniLM stops reading here", by_its_own)
        if limits.maximum is not None and first.by.name == run.config.counter:
            ahead = (
                0 if limits.counts == "text" else sum(tokens.by_part.get(part, 0) for part in ("context", "overlap"))
            )
            setting = f"Maximum {limits.maximum:,} is reached here"
            yield from _ruler(chunk, tokens, limits.maximum + ahead, setting, f"of {name} are over the maximum")


def _ruler(chunk: Chunk, tokens: ChunkTokens, room: int, words: str, outcome: str) -> Iterator[Ruler]:
    stop = tokens.stop(room)
    if stop is None or stop.part == "closing":
        return
    rest = "The other tokens" if tokens.total is None else counted(tokens.total - room, "token")
    if stop.part == "body":
        yield Ruler(stop.start, words, f"{rest} {outcome}")
    else:
        yield Ruler(chunk.kept[0].start, f"{words}, before the body: in the {stop.part}", f"{rest} {outcome}")


def _sum(run: Run, index: int, first: Tokenized, second: Tokenized | None, own: TokenCounter) -> ChunkSum:
    chunk, tokens = chunk_at(run, index), first.chunks[index]
    parts = tokens.by_part
    if tokens.total is None:
        words = f"{chunk.tokens:,} tokens: a long chunk, of which only what is near is tokenized"
    else:
        words = counted(tokens.total, "token")
        if len(parts) > 1:
            words += " = " + " + ".join(f"{count:,} {part}" for part, count in parts.items())
        if first.by is not own:
            words += f"; {own.name} estimates {chunk.tokens:,}"
    maximum = run.config.strategy.limits_in(run.document).maximum
    if maximum is not None and first.by is own:
        words += f" · maximum {maximum:,}"
    if second and (other := second.chunks[index].total) is not None:
        words += f" · {other:,} by {counter_title(second.by.name)}"
    cells = alternating(
        RowCell(cell.start, cell.end, cell.tokens, cell.number, 0) for cell in tokens.cells if cell.part == "context"
    )
    return ChunkSum(chunk.body.start, words, _shown(chunk.context), _packed(chunk.context, cells) if cells else ())


def _packed(text: str, cells: Sequence[RowCell]) -> tuple[int, ...]:
    """Four numbers for each cell, in one row."""
    numbers: list[int] = []
    for cell in cells:
        length = cell.end - cell.start + sum(map("\uffff".__lt__, text[cell.start : cell.end]))
        numbers += (length, cell.tokens, cell.number, cell.bits)
    return tuple(numbers)


def _shown(text: str) -> str:
    """Half characters and NUL as what can be shown, unit for unit."""
    return text.replace("\0", "␀").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
