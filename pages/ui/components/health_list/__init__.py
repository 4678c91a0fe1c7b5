"""The checks of a run as a list whose chunk numbers lead to their places: a Streamlit component."""

from pages.ui.components.health_list.health_list import health_list
from pages.ui.components.health_list.rows import HealthPlace, HealthRow, rows

__all__ = ["HealthPlace", "HealthRow", "health_list", "rows"]
