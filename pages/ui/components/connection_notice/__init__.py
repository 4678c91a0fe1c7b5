"""One line while the server cannot be reached: a Streamlit component."""

from pages.ui.components.connection_notice.connection_notice import connection_notice

__all__ = ["connection_notice"]
