"""The complete link to what is shown, copied with one click, and what it does not carry: a
Streamlit component."""

from pages.ui.components.copy_link.copy_link import copy_link

__all__ = ["copy_link"]
