"""What to do on a first visit, in three steps: a Streamlit component."""

from pages.ui.components.first_steps.first_steps import COOKIE, DISMISSED, first_steps

__all__ = ["COOKIE", "DISMISSED", "first_steps"]
