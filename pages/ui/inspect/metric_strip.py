"""The numbers of the strip, each beside the baseline's, from Metrics. No Streamlit, and no pandas:
the strip is on screen first."""

from __future__ import annotations

from dataclasses import replace

from chunking import Run
from chunking.analysis import STRIP
from chunking.core import Metrics
from pages.ui.components.number_strip import MovedFigure
from pages.ui.layout.markup import Figure, figure

_LEADS = {"Blocks cut in two": "Go to the next one"}


def before_after(now: Metrics, was: Metrics | None) -> tuple[Figure, ...]:
    """The six numbers that say most."""
    figures = (figure(metric, now, was) for metric in STRIP)
    return tuple(replace(each, leads=_LEADS.get(each.title, "") if each.now != "0" else "") for each in figures)


def moved(run: Run, *, was: Metrics | None) -> tuple[MovedFigure, ...]:
    """The part of these numbers that moving a threshold changes, for number_strip.js: the titles
    and the baseline's values stay."""
    return tuple((figure.now, figure.verdict) for figure in before_after(run.metrics, was))
