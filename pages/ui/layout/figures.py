"""What all charts have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import plotly.graph_objects as go  # type: ignore[import-untyped]

_SIZE = 12


def readable(figure: go.Figure) -> go.Figure:
    """The figure with texts of 12 px, which Streamlit's theme makes smaller, and readable numbers.
    Its layout's `meta` is the sentence by which it is heard
    (components/shared/names_and_roles.js)."""
    font = {"size": _SIZE}
    figure.update_layout(font=font, legend={"font": font})
    numbers = {"separatethousands": True, "exponentformat": "none"}  # as counts are written everywhere: 12,000
    figure.update_xaxes(tickfont=font, title_font=font, **numbers)
    figure.update_yaxes(tickfont=font, title_font=font, **numbers)
    figure.update_annotations(font=font)
    bar = {"tickfont": font, "title": {"font": font}} | numbers
    figure.update_traces(textfont=font, colorbar=bar, selector={"type": "heatmap"})
    return figure
