"""The edge between two panes of a page, which is dragged or folds one of them away: a Streamlit
component."""

from pages.ui.components.pane_edge.pane_edge import Pane, pane_edge

__all__ = ["Pane", "pane_edge"]
