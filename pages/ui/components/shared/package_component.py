"""Our components as Streamlit's package components: the browser asks for their JavaScript file by
file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

import streamlit as st

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")
FOLDER = Path(__file__).parents[1]
"""The `asset_dir` of every component: a module may import those of another folder in it."""


def package_component(name: str, *, js: str, css: str = "", isolate_styles: bool = True) -> ComponentRenderer:
    """The component that pyproject.toml declares as `name`. `js` is its module's path in the asset
    folder, `css` text.

    Streamlit knows the folder only once its server runs: a component is made when it is first
    drawn, never on import. Raises StreamlitAPIException where Streamlit does not find the folder,
    because Chunkscope is not installed.

    What is drawn is given as a dict of texts, numbers, bytes, lists and tuples. Streamlit looks
    whether other values, such as dicts, are tables; for that it imports pandas, which takes half a
    second of a first visit.
    """
    return _with_tuples(
        st.components.v2.component(f"chunkscope.{name}", css=css or None, js=js, isolate_styles=isolate_styles)
    )


def told(key: str, name: str) -> Any:
    """What the browser told the component of this key by this name. None where it told nothing, and
    where Streamlit has forgotten the component: another page may be there when it arrives."""
    return st.session_state.get(key, {}).get(name)


def _with_tuples(draw: Callable[_Given, _Result]) -> Callable[_Given, _Result]:
    """The same, with tuples for the lists of `data`: the same JSON, and no tables to look for."""

    def drawn(*args: _Given.args, **given: _Given.kwargs) -> _Result:
        data = given.get("data")
        if isinstance(data, dict):
            given["data"] = {name: tuple(each) if isinstance(each, list) else each for name, each in data.items()}
        return draw(*args, **given)

    return drawn
