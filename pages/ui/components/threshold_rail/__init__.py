"""Thresholds that move while they are dragged, under a token histogram: a Streamlit component."""

from pages.ui.components.threshold_rail.rail import (
    Histogram,
    RailDrawn,
    Threshold,
    ThresholdRailResult,
    Value,
    rail_drawn,
    threshold_rail,
)

__all__ = ["Histogram", "RailDrawn", "Threshold", "ThresholdRailResult", "Value", "rail_drawn", "threshold_rail"]
