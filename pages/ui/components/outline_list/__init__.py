"""The document's headings as a list to go through by mouse or keyboard: a Streamlit component."""

from pages.ui.components.outline_list.outline_list import outline_list, send_headings
from pages.ui.components.outline_list.rows import Heading, headings

__all__ = ["Heading", "headings", "outline_list", "send_headings"]
