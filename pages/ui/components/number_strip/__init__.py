"""The strip of numbers, which follows a drag; what fills it is number_strip.js alone."""

from pages.ui.components.number_strip.number_strip import MovedFigure, number_strip

__all__ = ["MovedFigure", "number_strip"]
