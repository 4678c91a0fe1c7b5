"""The numbers of the strip, was beside now, from Metrics. No Streamlit, and no pandas: it is on
screen first."""

from __future__ import annotations

from chunking.analysis import STRIP
from chunking.core import Metrics
from pages.ui.layout.markup import Figure, figure


def before_after(now: Metrics, was: Metrics | None) -> tuple[Figure, ...]:
    """The six numbers that say most."""
    return tuple(figure(metric, now, was) for metric in STRIP)
