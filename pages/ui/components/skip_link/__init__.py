"""A link past the controls to the source, first on the page: a Streamlit component."""

from pages.ui.components.skip_link.skip_link import skip_link

__all__ = ["skip_link"]
