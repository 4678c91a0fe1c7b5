"""What a page's HTML names, so that the browser asks for it at once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import streamlit

from pages.ui.server.first_modules import FIRST_SCRIPTS, PAGES, TAB_NAME, modules_of

COMPONENTS = Path(__file__).parents[3] / "pages" / "ui" / "components"
STATIC = Path(streamlit.__file__).parent / "static"
OURS = re.compile(r"\./_stcore/bidi-components/chunkscope\.(\w+)/(.+)")


@pytest.mark.parametrize("page", PAGES)
def test_every_module_that_is_named_is_there(page: str) -> None:
    for module in (*modules_of(page), TAB_NAME, *FIRST_SCRIPTS):
        ours = OURS.fullmatch(module)
        path = COMPONENTS / ours[2] if ours else STATIC / module
        assert path.is_file(), module


def test_what_a_module_imports_is_named_with_it() -> None:
    named = {module.partition("chunkscope.source_view/")[2] for module in modules_of("inspect")}
    view = (COMPONENTS / "source_view" / "view.js").read_text(encoding="utf-8")
    imported = re.findall(r'from "\.(?:/|\./)([\w/]+\.js)"', view)

    assert len(imported) > 15
    assert {path if "/" in path else f"source_view/{path}" for path in imported} <= named


def test_no_module_is_named_twice() -> None:
    modules = modules_of("inspect")

    assert len(set(modules)) == len(modules) > 60
