"""Leaves over hardCap, and headings over it, cut into pieces that fit (hi-5)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from chunking.splitting.source_code.structure import CodeFences
from chunking.strategies.hierarchical.rendering import ChunkHead, Renderer
from chunking.strategies.hierarchical.units import NO_PIECES, Path, SectionUnit, UnitPieces, Units, key_of

JOIN_TOKENS = 4
"""Tokens reserved where a piece is joined to carried headings: the blank lines between them count
as well."""


class LeafCutting:
    """Cuts the leaves of one document into pieces of at most `target` tokens."""

    def __init__(self, renderer: Renderer, target: int, code_fences: CodeFences) -> None:
        self._renderer = renderer
        self._tools = renderer.tools
        self._hard_cap = renderer.hard_cap
        self._target = target
        self._code_fences = code_fences

    def pieces_of_next(self, path: Path, units: Units, after: int) -> UnitPieces:
        """The pieces of the next unit if it is a leaf over hardCap: the first ones may fit into
        this chunk (hi-5)."""
        leaf = units[after] if after < len(units) else None
        if leaf is None or leaf.section is not None or leaf.piece or leaf.bare:
            return NO_PIECES
        head = ChunkHead.at(leaf)
        # The breadcrumb takes at most half: most leaves need no exact count to see that they fit.
        tokens, within_cap = self._renderer.count_after("", leaf.lead, leaf.tail), self._renderer.within_cap
        if within_cap(tokens * 2 + 1) or within_cap(self._renderer.tokens(head, leaf.tail, path)):
            return NO_PIECES
        return self.pieces(path, leaf, head)

    def with_pieces(self, units: Units, first: int, at: int, pieces: UnitPieces) -> Units:
        """The units from `first` on with a leaf replaced by its pieces: the same object for the
        same pieces."""
        if not self._tools.tracing:
            return units.with_pieces(first, at, pieces)
        replaced = partial(units.with_pieces, first, at, pieces)
        return self._tools.remembered(("with pieces", units, first, at, pieces), replaced)

    def pieces(self, path: Path, unit: SectionUnit, head: ChunkHead) -> UnitPieces:
        """The pieces of a unit over hardCap, behind what `head` carries; none where it cannot, or
        should not, be cut."""
        carried = key_of(head.carried[-1]) if head.carried else None
        key = ("pieces", key_of(path[-1]), unit.span, unit.piece, unit.bare, head.lead, head.opening, carried)
        return self._tools.remembered(key, partial(self._cut, path, unit, head))

    def _cut(self, path: Path, unit: SectionUnit, head: ChunkHead) -> UnitPieces:
        """A leaf, or one heading, that is over hardCap, as pieces of at most `target` (hi-5).

        Empty when it cannot be cut, and when headings are carried that should rather stand alone:
        they leave less than an eighth of hardCap, or it is only a heading that does not fit behind
        them.
        """
        if unit.piece:
            return NO_PIECES
        around, within_cap = head.joined(path), self._renderer.within_cap
        taken = self._renderer.tokens_before(around, "")
        if head.lead < unit.lead:
            if unit.bare and within_cap(self._renderer.tokens(ChunkHead.at(unit), unit.tail, path)):
                return NO_PIECES
            taken = JOIN_TOKENS + self._renderer.tokens(head, self._renderer.tail_before(head, unit), around)
            if not within_cap(-(-taken * 8 // 7)):
                return NO_PIECES
        # Other values of hardCap give the same pieces where these are of the whole target, and fit.
        same = not self._tools.tracing and within_cap(taken + self._target)
        limit = max(1, min(self._target, self._hard_cap - taken))
        while True:
            pieces = self._renderer.reading.pieces(self._tools, unit, limit, self._code_fences)
            over = self._most_over(around, pieces, head.in_pieces(unit, pieces))
            if not (same and within_cap(over + self._hard_cap)):
                self._renderer.limits.pin(self._hard_cap)
            if over <= 0 or limit < 1:
                return pieces
            # Behind a breadcrumb a word may count more than alone: at 0 it goes in single
            # characters.
            limit = max(0, limit - over)

    def _most_over(self, around: Path, pieces: Sequence[SectionUnit], head: ChunkHead) -> int:
        """By how much the largest piece is over hardCap as it will be rendered; the first piece
        comes after `head`."""
        starts = [head, *(ChunkHead.at(piece) for piece in pieces[1:])]
        counts = [
            self._renderer.tokens(start, piece.tail, around, piece.closing)
            for start, piece in zip(starts, pieces, strict=False)
            if not any(flag.rule == "unsplittable" for flag in piece.flags)
        ]
        return max(counts, default=0) - self._hard_cap
