"""Our components as Streamlit's package components: the browser asks for their JavaScript file by
file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

FOLDER = Path(__file__).parents[1]
"""The `asset_dir` of every component: a module may import those of another folder in it."""


def package_component(name: str, *, js: str, css: str = "", isolate_styles: bool = True) -> ComponentRenderer:
    """The component that pyproject.toml declares as `name`. `js` is its module's path in the asset
    folder, `css` text.

    Streamlit knows the folder only once its server runs: a component is made when it is first
    drawn, never on import. Raises StreamlitAPIException where Streamlit does not find the folder,
    because Chunkscope is not installed.
    """
    return st.components.v2.component(f"chunkscope.{name}", css=css or None, js=js, isolate_styles=isolate_styles)
