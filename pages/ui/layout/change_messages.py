"""What a single change of a setting is called and what comes of it, in words. No Streamlit."""

from __future__ import annotations

from collections.abc import Sequence

from chunking import Document, Run
from chunking.document import Block
from chunking.explanation import Fix, Move, Removal, SettingValue, Tried, cutting_strategy, exactly, plain_value
from chunking.text import counted
from chunking.tokens import counter, token_index
from pages.ui.choices.offers import Taken
from pages.ui.layout import setting_names
from pages.ui.layout.markup import without_directives

KINDS = {"code": "code block", "task-list": "task list", "html": "HTML block", "math": "formula", "rule": "line"}
"""Kinds of blocks that are called otherwise on screen."""
SEPARATOR = " · "
"""Between the consequences of a change."""


def action(change: Removal | Fix | Move) -> str:
    """What a button does, as a Streamlit label that names a setting by its title and YAML name: a
    switch is turned off, a number set to 263."""
    strategy = change.config.strategy
    named = setting_names.named(change.setting, strategy, quoted=isinstance(change.after, bool | str))
    return _set(named, change.after, without_directives(shown(change.after)))


def spoken_action(change: Move) -> str:
    """The same for who hears it: the setting by its title alone."""
    named = setting_names.title(change.setting, change.config.strategy)
    return _set(named, change.after, shown(change.after))


def _set(named: str, after: SettingValue, value: str) -> str:
    if isinstance(after, bool):
        return f"Turn {'on' if after else 'off'} {named}"
    return f"Set {named} to {value}"


def shown(value: SettingValue) -> str:
    if isinstance(value, float):
        return exactly(value)
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def tried_words(tried: Sequence[Tried]) -> str:
    """The values of settings that were tried: `minTokens 0 to 750, maxTokens from 260 on`."""
    return ", ".join(f"{each.setting} {_values(each)}" for each in tried)


def _values(tried: Tried) -> str:
    if tried.values:
        values = map(plain_value, tried.values)
        return " and ".join("on" if each is True else "off" if each is False else shown(each) for each in values)
    low, high = (
        "" if end is None else f"{end:,}" if isinstance(end, int) else exactly(end) for end in (tried.low, tried.high)
    )
    if not low:
        return f"up to {high}" if high else "at any value"
    return f"{low} to {high}" if high else f"from {low} on"


def outcome(change: Removal | Fix | Move) -> str:
    """What comes of it, beside what was asked for."""
    return SEPARATOR.join(filter(None, (_was(change.before), chunk_counts(change.chunks_before, change.chunks))))


def _was(value: SettingValue) -> str:
    """Where a setting stands, said of a change: `was on`, `was 250`."""
    if isinstance(value, bool):
        return "was on" if value else "was off"
    return f"was {shown(value)}"


def chunk_counts(before: int, after: int | None) -> str:
    """How many chunks it makes; nothing where a long document was not cut to its end for it."""
    if after is None:
        return ""
    return f"{counted(after, 'chunk')} instead of {before:,}" if after != before else f"still {counted(after, 'chunk')}"


def moves_to(change: Removal, document: Document, offset: int) -> str:
    """Where the nearest boundary is after the change, so that a cut that only moves a little is not
    taken for one that is gone; "" where there is none but the document's end."""
    near = change.nearest_cut
    if near is None or near == len(document.text):
        return ""
    return f"the nearest boundary is then {place_after(near, document, offset)}"


def place_after(near: int, document: Document, offset: int) -> str:
    """Where a boundary is that comes in place of the one at `offset`: `before line 12`."""
    now, then = place_name(offset, document), place_name(near, document)
    if now != then:
        return then
    return f"still {then}" if then.startswith("before") else f"elsewhere {then}"


def place_name(offset: int, document: Document) -> str:
    """Where a boundary is, by the line that the chunk after it is seen to begin in: `before line
    12`."""
    at = begins(document, offset)
    start = document.text.rfind("\n", 0, at) + 1
    inside = document.text[start:at].strip()
    return f"{'inside' if inside else 'before'} line {document.line_of(at):,}"


def begins(document: Document, offset: int) -> int:
    """The first character from this offset on that is no white space: the line that a person sees a
    chunk begin in."""
    text = document.text
    return next((at for at in range(offset, len(text)) if not text[at].isspace()), offset)


def taken_words(taken: Taken, run: Run) -> str:
    """What has become of the boundary or the text that an offer was taken for, and what it cost;
    plain text."""
    document, chunks = run.document, len(run.chunks)
    if taken.keeps:
        return _kept_words(taken, run)
    name = _boundary_name(taken.boundary, document)
    if taken.undone:
        return f"Undone: the boundary {name} is back: {counted(chunks, 'chunk')}."
    now, before = boundaries(run), len(taken.boundaries) + 1
    count = was_words(counted(chunks, "chunk"), chunks, before)
    costs = f" {taken.costs}." if taken.costs else ""
    if taken.moved_to is not None:
        there = place_name(taken.moved_to, document)
        stays = any(chunk.body.start == taken.boundary for chunk in run.chunks)
        what = f"Boundary added {there}" if stays else f"Boundary {name} moved, now {there}"
        return f"{what}: {count}.{costs}"
    fresh = now - taken.boundaries
    if not fresh or len(now) < len(taken.boundaries):
        return f"Boundary {name} removed: {count}.{costs}"
    nearest = min(fresh, key=lambda at: abs(at - taken.boundary))
    return f"Boundary {name} moved, now {place_name(nearest, document)}: {count}.{costs}"


def _kept_words(taken: Taken, run: Run) -> str:
    chunks, line = len(run.chunks), run.document.line_of(begins(run.document, taken.boundary))
    if taken.undone:
        return f"Undone: the text from line {line:,} on is left out again: {counted(chunks, 'chunk')}."
    count = was_words(counted(chunks, "chunk"), chunks, len(taken.boundaries) + 1)
    costs = f" {taken.costs}." if taken.costs else ""
    return f"The text from line {line:,} on is in a chunk now: {count}.{costs}"


def was_words(words: str, now: int, before: int) -> str:
    """A count as it is now, in `words`, beside what it was: `6 chunks, was 7`, `still 7 chunks`."""
    return f"still {words}" if now == before else f"{words}, was {before:,}"


def boundaries(run: Run) -> frozenset[int]:
    """Where a chunk ends and another one follows, as offsets."""
    return frozenset(chunk.body.end for chunk in run.chunks[:-1])


def _boundary_name(offset: int, document: Document) -> str:
    """By the heading that it stands before, else by its place."""
    at = begins(document, offset)
    block = document.block_at(at)
    if block.kind == "heading" and block.title and block.span.start <= at < block.content_end:
        return f"before '{block.title}'"
    return place_name(offset, document)


def kind_name(block: Block) -> str:
    """A block by its kind alone: `table`."""
    return KINDS.get(block.kind, block.kind)


def block_name(block: Block, document: Document) -> str:
    """A block by its kind and its lines: `table, lines 11 to 74`."""
    first, last = document.line_of(block.span.start), document.line_of(max(block.span.start, block.content_end - 1))
    kind = kind_name(block)
    return f"{kind} (line {first:,})" if first == last else f"{kind} (lines {first:,} to {last:,})"


def cut_block(document: Document, offset: int) -> Block | None:
    """The block that a boundary here cuts; None where it lies between blocks."""
    if not 0 < offset < len(document.text):
        return None
    block = document.block_at(offset)
    return block if block.span.start < offset < block.content_end and block.kind != "blank" else None


def cut_name(run: Run, offset: int) -> str:
    """What the boundary there cuts, by its kind alone: the innermost of blocks that hold others."""
    torn = next((each.kind for each in run.torn_boundaries if each.offset == offset), "")
    return KINDS.get(torn, torn) or kind_name(run.document.block_at(offset))


def why_not_there(run: Run, place: int) -> str:
    """Why the run begins no chunk at the start of this line: what the strategy says of a heading,
    else what block is there; half a sentence."""
    document = run.document
    block = document.block_at(place)
    chunk = next((each for each in run.chunks if each.body.start < place < each.body.end), None)
    if cut_block(document, place):
        return f"it is inside a {block_name(block, document)}"
    if block.kind == "heading" and chunk is not None:
        tokens = token_index(document.text, counter(run.config.counter)).count(chunk.body.start, block.span.start)
        return cutting_strategy(run.config.strategy)[0].why_not_here(chunk, block, tokens)
    return f"a {kind_name(block)} begins there"
