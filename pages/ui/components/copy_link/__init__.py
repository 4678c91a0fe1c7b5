"""The complete link to what is shown, copied with one click, and what it does not carry: a
Streamlit component."""

from pages.ui.components.copy_link.copy_link import LinkText, copy_link

__all__ = ["LinkText", "copy_link"]
