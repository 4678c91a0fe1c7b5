"""The source of a document with every chunk as a band: a Streamlit component."""

from pages.ui.components.source_view.marks import Mark
from pages.ui.components.source_view.placing import Placed
from pages.ui.components.source_view.view import SourceViewResult, source_view

__all__ = ["Mark", "Placed", "SourceViewResult", "source_view"]
