"""The numbers of the strip, each beside the baseline's, from Metrics. No Streamlit, and no pandas:
the strip is on screen first."""

from __future__ import annotations

from dataclasses import replace

from chunking import Run
from chunking.analysis import STRIP
from chunking.core import Metrics
from pages.ui.components.number_strip import MovedFigure
from pages.ui.layout.markup import Figure, figure

CHUNKS, WITHIN, CUT = "Chunks", "Within limits", "Blocks cut in two"
"""The numbers that lead to what they count, by their titles."""


def before_after(now: Metrics, was: Metrics | None) -> tuple[Figure, ...]:
    """The six numbers that say most."""
    leads = {
        CHUNKS: "See them beside the sections" if now.chunk_count else "",
        WITHIN: "Go to the next chunk outside" if now.under_minimum or now.over_maximum else "",
        CUT: "Go to the next one" if now.blocks_cut else "",
    }
    return tuple(replace(figure(each, now, was), leads=leads.get(each.title, "")) for each in STRIP)


def moved(run: Run, *, was: Metrics | None) -> tuple[MovedFigure, ...]:
    """The part of these numbers that moving a threshold changes, for number_strip.js: the titles
    and the baseline's values stay."""
    return tuple((figure.now, figure.verdict) for figure in before_after(run.metrics, was))
