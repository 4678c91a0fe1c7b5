"""The cuts of a selected combination over the length of the document, beside those of the current
config: a look before it is taken. No Streamlit."""

from __future__ import annotations

from itertools import pairwise

from markupsafe import Markup

from chunking import Run
from chunking.text import counted
from pages.ui.layout import markup

_PLACES = 400
"""Into as many places the length is divided: boundaries in the same place are drawn as one."""


def preview(now: Run, then: Run) -> Markup:
    """Two rows of chunks, what differs drawn in another shape, and the same in words."""
    before, after = _ends(now), _ends(then)
    rows = (("current", now, before - after, "gone"), ("selected", then, after - before, "new"))
    drawn = markup.joined(_row(name, run, changed, kind) for name, run, changed, kind in rows)
    return Markup('<div class="cs-cuts"><div aria-hidden="true">{}</div><p class="cs-note">{}</p></div>').format(
        drawn, _words(now, then, len(after - before), len(before - after))
    )


def _words(now: Run, then: Run, new: int, gone: int) -> str:
    count, was = len(then.chunks), len(now.chunks)
    chunks = f"{counted(count, 'chunk')} (now {was:,})" if count != was else f"still {counted(count, 'chunk')}"
    changed = f"{new:,} new and {gone:,} removed boundaries" if new or gone else "the same boundaries"
    blocks, places = then.metrics.blocks_cut, len(then.torn_boundaries)
    cut = f"✂ {counted(blocks, 'block')} cut" + (f" in {places:,} places" if places > blocks else "")
    return " · ".join((chunks, changed, *([cut] if blocks else [])))


def _row(name: str, run: Run, changed: set[int], kind: str) -> Markup:
    """A run's chunks from left to right, with a mark at each boundary that the other one lacks."""
    length = max(1, len(run.document.text))
    ends = sorted({_place(end, length) for end in (0, *_ends(run), length)})
    chunk = Markup('<i style="left:{:.2f}%;width:{:.2f}%"></i>')
    mark = Markup('<b class="cs-{}" style="left:{:.2f}%"></b>')
    chunks = [chunk.format(_share(start), _share(end - start)) for start, end in pairwise(ends)]
    marks = [mark.format(kind, _share(place)) for place in sorted({_place(end, length) for end in changed})]
    torn = sorted({_place(each.offset, length) for each in run.torn_boundaries})
    marks += [mark.format("torn", _share(place)) for place in torn]
    return Markup('<div><span>{}</span><div class="cs-cuts-row">{}</div></div>').format(
        name, markup.joined((*chunks, *marks))
    )


def _ends(run: Run) -> set[int]:
    """The boundaries of a run; the document's end is none."""
    return {chunk.body.end for chunk in run.chunks} - {len(run.document.text)}


def _place(offset: int, length: int) -> int:
    return round(_PLACES * offset / length)


def _share(places: int) -> float:
    return 100 * places / _PLACES
