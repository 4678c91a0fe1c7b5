"""The nearest value of each setting at which a boundary is gone, with its side effects and a config
to use.

`explain` found the values by cutting again. Here the document is cut once more with each, to its
end or, where it is long, to the boundary, so that the numbers are those the person will get. A
fraction gets no more digits than it needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypedDict

import numpy as np

from chunking.config.config import Config
from chunking.config.setting_spec import Number
from chunking.core.chunk import PASSED_OVER, Chunk, Part
from chunking.core.cut_blocks import blocks_cut, torn_boundaries
from chunking.core.metrics import content_left_out, content_of, left_out
from chunking.core.model_access import ModelUse
from chunking.document import Document, Span
from chunking.explanation.explanation import Explanation
from chunking.explanation.ranges import NumberRange, OptionRange
from chunking.explanation.recutting import cutting_strategy
from chunking.explanation.setting_values import SettingValue, rounded_outward
from chunking.explanation.unread_tokens import newly_unread
from chunking.models.access import Tools
from chunking.runs import Run, cut
from chunking.tokens import counter

CUT_WHOLE = 300_000
"""Characters up to which a document is cut to its end for each value."""


@dataclass(frozen=True, slots=True)
class Removal:
    """One setting changed so that a boundary is gone."""

    setting: str
    """In camelCase, as in the YAML and on screen; after `base.` where a wrapped strategy cuts."""
    before: SettingValue
    after: SettingValue
    config: Config
    """With the change, to run or to export."""
    chunks_before: int
    chunks: int | None
    """None where the document is too long to be cut to its end for it."""
    nearest_cut: int | None
    """The offset of the boundary that is then nearest to the old one; None where no chunk is
    left."""
    nearest: bool
    """Whether it is proven that no nearer value removes the boundary."""
    boundaries_changed: int | None = None
    """How many boundaries come or go with it, this one included; None where `chunks` is."""
    blocks_cut: int | None = None
    """Tables, code and lists that are then cut in two; None where `chunks` is."""
    torn: int | None = None
    """Boundaries that then cut one of these; None where `chunks` is."""
    newly_left_out: int | None = None
    """How many more visible characters of content are then in no chunk, fewer than 0 where more are
    in one; None where `chunks` is."""
    newly_unread: int | None = None
    """How many more tokens an embedder that reads `READS` does not read, fewer than 0 where it
    reads more; None where they are not counted."""
    still_cut_at: int | None = None
    """The offset of the nearest boundary that then cuts the block which the old one cuts; None
    where it cuts none, or none cuts it then."""


@dataclass(frozen=True, slots=True)
class Removals:
    """The changes of single settings that remove one boundary."""

    found: tuple[Removal, ...]
    """The nearest value of each number that removes it, and every such choice, in the strategy's
    order."""
    complete: bool
    """False where a search ended before it came to the last value, so there may be more."""


def removals(of: Run, explained: Explanation, tools: Tools | None = None) -> Removals:
    """The changes of one setting that remove the boundary that was explained. `tools` gives the
    answers of models."""
    # As in `explain`: the document was cut before, so the answers of models are cached.
    cutter_tools = (tools or Tools(counter(of.config.counter))).for_another_cut(use=ModelUse.ASK)
    cut(of.document, cutting_strategy(of.config.strategy)[0], cutter_tools)
    found: list[Removal] = []
    for each in explained.ranges:
        for value, nearest in _values(each):
            removal = _removal(of, explained.offset, each, value, cutter_tools, nearest=nearest)
            found += [removal] if removal else []
    return Removals(tuple(found), all(_all_known(each) for each in explained.ranges))


def counted_to_end(of: Run, removal: Removal, tools: Tools | None = None) -> Removal:
    """The same change with its numbers of the whole document, which is cut to its end for it: of a
    long one `removals` leaves them out. As it is where that cut fails."""
    if removal.chunks is not None:
        return removal
    again = (tools or Tools(counter(of.config.counter))).for_another_cut(use=ModelUse.ASK)
    try:
        parts = _all_parts(of.document, removal.config, again)
    except Exception:  # of a strategy, at this one value
        return removal
    return replace(removal, **_of_whole(of, parts))


def _of_whole(of: Run, parts: Sequence[Part]) -> _Whole:
    chunks = [part for part in parts if isinstance(part, Chunk)]
    ends = [chunk.body.end for chunk in chunks]
    changed = set(of.columns.end.tolist()).symmetric_difference(ends)
    torn = list(torn_boundaries(of.document, np.array(ends, np.int64)))
    return {
        "chunks": len(ends),
        "boundaries_changed": len(changed),
        "blocks_cut": len(blocks_cut(torn)),
        "torn": len(torn),
        "newly_left_out": content_left_out(of.document, parts) - content_of(left_out(of)),
        "newly_unread": newly_unread(of, chunks),
    }


class _Whole(TypedDict):
    """What is known of a removal once all of the document is cut with it."""

    chunks: int
    boundaries_changed: int
    blocks_cut: int
    torn: int
    newly_left_out: int
    newly_unread: int | None


def _values(of: NumberRange | OptionRange) -> list[tuple[SettingValue, bool]]:
    """The nearest number on either side, or all options, at which the boundary goes; and whether
    none is nearer."""
    if isinstance(of, OptionRange):
        return [(option.value, True) for option in of.others if option.stays is False]
    goes = [side for side in (of.below, of.above) if side.goes_at is not None]
    nearest = min(goes, key=lambda side: _distance(of, side.goes_at), default=None)
    if nearest is None:
        return []
    known = all(
        _distance(of, side.stays_to) >= _distance(of, nearest.goes_at)
        for side in (of.below, of.above)
        if not side.exact
    )
    return [(nearest.goes_at, nearest.exact and known)]


def _distance(of: NumberRange, value: Number | None) -> Number:
    return abs((value or 0) - of.value)


def _all_known(of: NumberRange | OptionRange) -> bool:
    if isinstance(of, OptionRange):
        return all(option.stays is not None for option in of.others)
    return of.exact


def _removal(
    of: Run, offset: int, setting: NumberRange | OptionRange, value: SettingValue, cutter_tools: Tools, *, nearest: bool
) -> Removal | None:
    """The removal by this value; None where the boundary stays or the cut fails."""

    def parts_at(tried: SettingValue) -> list[Part] | None:
        """None where the boundary stays too."""
        try:
            parts = _parts(of.document, of.config.with_settings({setting.setting: tried}), cutter_tools, offset)
        except Exception:  # of a strategy, at this one value: the others are offered all the same
            return None
        return None if offset in _ends(parts) else parts

    def gone(tried: Number) -> bool:
        return parts_at(tried) is not None

    if isinstance(value, float) and isinstance(setting.value, int | float):
        goes_at, value = value, rounded_outward(value, setting.value, gone)
        nearest = nearest and value == goes_at  # what was rounded away would do it too
    parts = parts_at(value)
    if parts is None:
        return None
    config, ends = of.config.with_settings({setting.setting: value}), _ends(parts)
    near = min(ends, key=lambda end: abs(end - offset), default=None)
    block = _block_cut(of, offset)
    still = [end for end in ends if block and block.start < end < block.end]
    found = Removal(
        setting=setting.setting,
        before=setting.value,
        after=value,
        config=config,
        chunks_before=len(of.chunks),
        chunks=None,
        nearest_cut=near,
        nearest=nearest,
        still_cut_at=min(still, key=lambda end: abs(end - offset), default=None),
    )
    return replace(found, **_of_whole(of, parts)) if len(of.document.text) <= CUT_WHOLE else found


def _block_cut(of: Run, offset: int) -> Span | None:
    """The content of the block that this boundary cuts, the innermost of those that hold others."""
    torn = next((each.span for each in of.torn_boundaries if each.offset == offset), None)
    if torn is not None or offset >= len(of.document.text):
        return torn
    block = of.document.block_at(offset)
    inside = block.kind != "blank" and block.span.start < offset < block.content_end
    return Span(block.span.start, block.content_end) if inside else None


def _all_parts(document: Document, config: Config, tools: Tools) -> list[Part]:
    cutting, _ = cutting_strategy(config.strategy)
    return list(cutting.split(document, tools.for_another_cut()))


def _ends(parts: Sequence[Part]) -> list[int]:
    """Where chunks end in what `_parts` gives."""
    return [part.body.end for part in parts if isinstance(part, Chunk) or part.because is PASSED_OVER]


def _parts(document: Document, config: Config, tools: Tools, offset: int) -> list[Part]:
    """All of them; in a long document those from near the offset on, up to the first one that does
    not end before it."""
    whole = len(document.text) <= CUT_WHOLE
    # Descriptions move no boundary, and would need a model.
    cutting, _ = cutting_strategy(config.strategy)
    parts: list[Part] = []
    for part in cutting.split(document, tools.for_another_cut(matters_after=0 if whole else offset - 1)):
        parts.append(part)
        if part.body.end >= offset and not whole:
            break
    return parts
