"""A button that copies a text: a Streamlit component."""

from pages.ui.components.copy_text.copy_text import copy_text

__all__ = ["copy_text"]
