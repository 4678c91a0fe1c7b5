"""The changes of one setting that move a boundary to another place, the smallest first.

Found by cutting again (`nearest.py`), so the result is what would happen, for any strategy. Where
no setting moves it, those that also begin a chunk there; where none does, those that begin one at
the nearest place that was seen, and what was tried. No model is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from pydantic.alias_generators import to_camel

from chunking.config.config import Config
from chunking.core.chunk import Chunk, Part
from chunking.core.cut_blocks import blocks_cut, torn_boundaries
from chunking.core.metrics import content_left_out, content_of, left_out
from chunking.document import Document
from chunking.explanation.nearest import Change, Search, Tried, changes
from chunking.explanation.recutting import Recutter, cutting_strategy
from chunking.explanation.remove_boundary import CUT_WHOLE
from chunking.explanation.setting_values import SettingValue, plain_value
from chunking.explanation.unread_tokens import newly_unread
from chunking.models.access import Tools
from chunking.runs import Run, run
from chunking.tokens import counter

MOST_MOVES = 3
"""How many changes are worked out for one place."""
_VISIBLE = re.compile(r"\S")


@dataclass(frozen=True, slots=True)
class Move:
    """A change of one setting that begins a chunk at a place."""

    setting: str
    """In camelCase, as in the YAML and on screen; after `base.` where a wrapped strategy cuts."""
    before: SettingValue
    after: SettingValue
    config: Config
    """With the change, to run or to export."""
    chunks_before: int
    chunks: int | None
    """None where the document is too long to be cut to its end for it."""
    nearest: bool
    """Whether it is proven that no nearer value does it."""
    blocks_cut: int | None = None
    """Tables, code and lists that are then cut in two; None where `chunks` is."""
    newly_left_out: int | None = None
    """How many more visible characters of content are then in no chunk, fewer than 0 where more are
    in one; None where `chunks` is."""
    newly_unread: int | None = None
    """How many more tokens an embedder that reads `READS` does not read, fewer than 0 where it
    reads more; None where they are not counted."""


@dataclass(frozen=True, slots=True)
class Moves:
    """What a search found for one boundary and one place."""

    found: tuple[Move, ...]
    """The smallest change first; switches and choices after numbers."""
    place: int
    """Where these begin a chunk: where it was wanted or, where nothing does that, the nearest place
    that was seen and is nearer than the boundary is now."""
    stays: bool
    """Whether the boundary also stays where it is."""
    complete: bool
    """False where the work was capped before every setting was tried, so there may be more."""
    tried: tuple[Tried, ...] = ()
    """The values at which no chunk begins at the wanted place, settings in camelCase; only where
    nothing was found for it."""
    nearest: int | None = None
    """The place nearest to the wanted one where a chunk begins, now or at a value that was tried;
    only where nothing was found for it."""


@dataclass(frozen=True, slots=True)
class _BeginsAt:
    """The question whether a chunk begins at a place, and none at the one it leaves."""

    document: Document
    place: int
    leaves: int
    may_stay: bool = False
    of_text: bool = False
    seen: set[int] = field(default_factory=set, compare=False)
    """All places around these where a chunk began in some cut."""

    @property
    def start(self) -> int:
        return min(self.place, self.leaves)

    @property
    def end(self) -> int:
        return max(self.place, self.leaves) + 1

    def rule(self, parts: Sequence[Part]) -> str | None:
        begins = {visible_from(self.document, part.body.start) for part in parts if isinstance(part, Chunk)}
        self.seen.update(begins)
        moved = self.place in begins and (self.may_stay or self.leaves not in begins)
        return None if moved else "elsewhere"


def visible_from(document: Document, offset: int) -> int:
    """The first character from here on that is not white space: chunks begin alike whatever blank
    lines they keep."""
    found = _VISIBLE.search(document.text, offset)
    return found.start() if found else len(document.text)


def moves(
    of: Run,
    boundary: int,
    place: int,
    tools: Tools | None = None,
    goes_on: Callable[[], bool] = lambda: True,
    goes_on_nearby: Callable[[], bool] | None = None,
) -> Moves:
    """Single changes that move the boundary at which a chunk begins to another place.

    Both are offsets; white space after them does not matter. `tools` gives the counter and what
    models answered. The work is bounded by the length of text that is cut again. `goes_on` is
    called before each cut, and False ends the search: for a person who waits. `goes_on_nearby` ends
    the search for a near place, which follows where the first one found nothing.
    """
    document, config = of.document, of.config
    lent = tools or Tools(counter(config.counter))
    # The document was cut before, so the answers of models are cached.
    cutter_tools = lent.for_another_cut(use=lent.models.use)
    cutting, of_base = cutting_strategy(config.strategy)
    run(document, config.with_strategy(cutting), cutter_tools)
    wanted, leaves = visible_from(document, place), visible_from(document, boundary)
    present = {visible_from(document, start) for start in of.columns.start.tolist()}
    seen: set[int] = set()

    def search(there: int, goes_on: Callable[[], bool], *, may_stay: bool) -> Search:
        question = _BeginsAt(document, there, leaves, may_stay, seen=seen)
        return changes(Recutter(document, cutting, cutter_tools, question), goes_on)

    def leaving(there: int, changes: Sequence[Change]) -> list[Change]:
        strict = Recutter(document, cutting, cutter_tools, _BeginsAt(document, there, leaves))
        return [change for change in changes if strict.answer(change.strategy).gone]

    def outcome(there: int, goes_on: Callable[[], bool]) -> tuple[Moves, Search]:
        # What begins no chunk there at all does not move this boundary there either.
        begins = search(there, goes_on, may_stay=there not in present)
        moves_it = search(there, goes_on, may_stay=False) if begins.changes else begins
        best = moves_it if moves_it.changes else begins
        # The second search may have ended before it came to what the first one found.
        moving = moves_it.changes or leaving(there, begins.changes[:MOST_MOVES])
        found = tuple(_move(of, change, of_base, cutter_tools) for change in (moving or begins.changes)[:MOST_MOVES])
        return Moves(found, there, not moving and bool(found), best.complete), begins

    there, begins = outcome(wanted, goes_on)
    if there.found:
        return there
    tried = tuple(replace(each, setting=f"{of_base}{to_camel(each.setting)}") for each in begins.tried)

    def distance(each: int) -> tuple[int, int]:
        return abs(each - wanted), each

    nearest = min(seen | present, key=distance, default=None)
    near = min(seen - present, key=distance, default=leaves)
    in_vain = replace(there, tried=tried, nearest=nearest)
    if distance(near) >= distance(leaves):
        return in_vain
    found, _ = outcome(near, goes_on_nearby or goes_on)
    return replace(in_vain, found=found.found, place=near, stays=found.stays) if found.found else in_vain


def _move(of: Run, change: Change, of_base: str, cutter_tools: Tools) -> Move:
    cutting, _ = cutting_strategy(of.config.strategy)
    setting = f"{of_base}{to_camel(change.setting)}"
    after = plain_value(change.value)
    chunks = cut = lost = unread = None
    if len(of.document.text) <= CUT_WHOLE:
        parts = list(change.strategy.split(of.document, cutter_tools.for_another_cut()))
        made = [part for part in parts if isinstance(part, Chunk)]
        ends = [chunk.body.end for chunk in made]
        chunks, unread = len(ends), newly_unread(of, made)
        cut = len(blocks_cut(torn_boundaries(of.document, np.array(ends, np.int64))))
        lost = content_left_out(of.document, parts) - content_of(left_out(of))
    return Move(
        setting=setting,
        before=plain_value(getattr(cutting, change.setting)),
        after=after,
        config=of.config.with_settings({setting: after}),
        chunks_before=len(of.chunks),
        chunks=chunks,
        nearest=change.nearest,
        blocks_cut=cut,
        newly_left_out=lost,
        newly_unread=unread,
    )
