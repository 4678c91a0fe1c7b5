"""The marks of a document against configs, as a table whose cells lead to the source: a Streamlit
component."""

from pages.ui.components.marks_list.marks_list import marks_list
from pages.ui.components.marks_list.rows import Column, MarkRow, column, rows, tally

__all__ = ["Column", "MarkRow", "column", "marks_list", "rows", "tally"]
