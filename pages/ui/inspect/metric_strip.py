"""The numbers of the strip, was beside now, from Metrics. No Streamlit, and no pandas: it is on
screen first."""

from __future__ import annotations

from chunking import Run
from chunking.analysis import STRIP
from chunking.core import Metrics
from pages.ui.layout.markup import Figure, figure

MovedFigure = tuple[str, str]
"""What a move of a threshold makes of a number: what it is now, and its verdict."""


def before_after(now: Metrics, was: Metrics | None) -> tuple[Figure, ...]:
    """The six numbers that say most."""
    return tuple(figure(metric, now, was) for metric in STRIP)


def moved(run: Run, *, was: Metrics | None) -> tuple[MovedFigure, ...]:
    """What a move changes of them, for number_strip.js: the titles and what was stay."""
    return tuple((figure.now, figure.verdict) for figure in before_after(run.metrics, was))
