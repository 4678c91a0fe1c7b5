"""Undo and redo as two buttons, also by Ctrl+Z and Ctrl+Y: a Streamlit component."""

from pages.ui.components.undo_buttons.undo_buttons import undo_buttons

__all__ = ["undo_buttons"]
