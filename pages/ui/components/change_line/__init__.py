"""A line that says what a change did, with a button that undoes it: a Streamlit component."""

from pages.ui.components.change_line.change_line import change_line

__all__ = ["change_line"]
