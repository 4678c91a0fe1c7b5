"""A page of a PDF as it looks, with the chosen chunk outlined: a Streamlit component."""

from pages.ui.components.page_picture.page_picture import PageView, asked_page, is_seen, page_view

__all__ = ["PageView", "asked_page", "is_seen", "page_view"]
