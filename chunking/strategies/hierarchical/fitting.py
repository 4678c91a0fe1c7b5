"""How many units fit into a chunk of hierarchical packing, counted as it will be rendered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.splitting.known_limits import KnownLimits
from chunking.strategies.hierarchical.rendering import ChunkHead, Renderer
from chunking.strategies.hierarchical.units import Path, SectionKey, Units, key_of


@dataclass(frozen=True, slots=True)
class Fit:
    """How many units fit into the chunk that begins with a given head."""

    after: int
    """Index after the last unit that fits; where the search began when not even one does."""
    tokens: int
    """Of the chunk with those units."""
    over: int
    """Of the chunk with one unit more; 0 when there is none."""


class _Fits(Memo[tuple[bool, Units, int, int, str, SectionKey | None], tuple[Fit, KnownLimits]]):
    """The fit found last, with the values of hardCap with which it is found again; keyed by
    embedBreadcrumb, the units, the index of the first, where the chunk begins, its opening, and the
    section around carried headings."""


class Fitting:
    """Fills the chunks of one document under one hardCap."""

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer
        self._tools = renderer.tools
        self._hard_cap = renderer.hard_cap
        self._known = once_per_counter(renderer.document, renderer.tools.counter, _Fits)

    def fit(self, path: Path, units: Units, i: int, head: ChunkHead) -> Fit:
        """The units from `i` on that fit into the chunk that begins with `head`; cached."""
        carried = key_of(head.carried[-1]) if head.carried else None
        if self._tools.tracing:
            key = ("fit", key_of(path[-1]), units, i, head.lead, head.opening, carried)
            return self._tools.remembered(key, partial(self._found, path, units, i, head))
        place = (self._renderer.embed_breadcrumb, units, i, head.lead, head.opening, carried)
        known = self._known.get(place)
        around = self._renderer.limits
        if known is None or not known[1].hold(self._hard_cap):
            limits = self._renderer.limits = KnownLimits()
            known = self._known.keep(place, (self._found(path, units, i, head), limits))
            self._renderer.limits = around
        around.also(known[1])
        return known[0]

    def _found(self, path: Path, units: Units, i: int, head: ChunkHead) -> Fit:
        """`fit` without the cache: units are added one after the other and counted as rendered
        (hi-6)."""
        first = i + 1 if units[i].bare and units[i].section is None else i
        child = units[first].section if first < len(units) else None
        in_child = path if child is None else (*path, child)

        def tokens(j: int) -> int:
            around = head.joined(in_child if j == first else path)
            return self._renderer.tokens(head, units[j].tail, around, units[j].closing)

        within_cap = self._renderer.within_cap
        accepted = alone = tokens(i)
        if not within_cap(alone):
            return Fit(i, 0, alone)
        last, over = i, 0
        if i + 1 < len(units):
            # A first guess from prefix sums; what is decided on is the rendered text.
            room = self._hard_cap - self._renderer.tokens_before(head.joined(path), head.opening)
            last = max(i, self._renderer.last_within(units, i + 1, head.lead, room))
            while last > i and not within_cap(accepted := tokens(last)):
                last -= 1
            accepted = accepted if last > i else alone
        while last + 1 < len(units) and within_cap(over := tokens(last + 1)):
            last, accepted, over = last + 1, over, 0
        return Fit(last + 1, accepted, over)
