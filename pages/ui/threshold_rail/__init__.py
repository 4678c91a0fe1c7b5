"""Thresholds that move while they are dragged, under a token histogram: a Streamlit component."""

from pages.ui.threshold_rail.rail import Histogram, Threshold, ThresholdRailResult, Value, threshold_rail

__all__ = ["Histogram", "Threshold", "ThresholdRailResult", "Value", "threshold_rail"]
