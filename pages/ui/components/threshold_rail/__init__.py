"""Thresholds that move while they are dragged, under a token histogram: a Streamlit component."""

from pages.ui.components.threshold_rail.histogram import Axis, Histogram
from pages.ui.components.threshold_rail.rail import (
    RailDrawn,
    Threshold,
    ThresholdRailResult,
    Value,
    rail_drawn,
    rail_height,
    steady_axis,
    threshold_rail,
)

__all__ = [
    "Axis",
    "Histogram",
    "RailDrawn",
    "Threshold",
    "ThresholdRailResult",
    "Value",
    "rail_drawn",
    "rail_height",
    "steady_axis",
    "threshold_rail",
]
