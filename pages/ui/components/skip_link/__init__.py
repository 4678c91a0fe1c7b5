"""A link past the pages and the controls, first on the page: a Streamlit component."""

from pages.ui.components.skip_link.skip_link import Skip, skip_link

__all__ = ["Skip", "skip_link"]
