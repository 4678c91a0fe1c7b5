"""The checks of a run as a list whose chunk numbers lead to their places: a Streamlit component."""

from pages.ui.components.health_list.health_list import health_list
from pages.ui.components.health_list.rows import Place, Row, rows

__all__ = ["Place", "Row", "health_list", "rows"]
