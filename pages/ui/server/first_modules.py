"""The JavaScript modules that a page needs first, named in its HTML: the browser asks for all of
them at once, while Streamlit starts, and not for each after another that imports it has come."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import streamlit

_COMPONENTS = Path(__file__).resolve().parents[1] / "components"
_STREAMLIT = Path(streamlit.__file__).parent / "static"
_SHARED = "./_stcore/bidi-components/chunkscope.copy_link/shared"
TAB_NAME = f"{_SHARED}/tab_name.js"
"""The address of the script that runs before all modules, Streamlit's too."""
FIRST_SCRIPTS = tuple(
    f"{_SHARED}/{name}.js"
    for name in (
        *(
            "added",
            "arrivals_by_key",
            "chart_keys",
            "chart_taps",
            "chosen_text",
            "dialogs",
            "drops",
            "early_palette",
            "early_tab",
            "first_drawn",
            "folds",
            "live_region",
            "longer_texts",
            "names_and_roles",
            "one_entry",
        ),
        *("popovers", "radio_groups", "scrolled", "table_stops"),
    )
)
"""The addresses of the modules that run before Streamlit has drawn a page, on every page."""
_IMPORT = re.compile(r"""(?:^|\n)\s*(?:import|export|\})[^;"']*?from\s+["'](\.[^"']+)["']""")

_EVERYWHERE = {
    "command_palette": "command_palette/command_palette.js",
    "copy_link": "copy_link/copy_link.js",
    "skip_link": "skip_link/skip_link.js",
    "connection_notice": "connection_notice/connection_notice.js",
}
_PARTS = {
    "number_strip": "number_strip/number_strip.js",
    "panel_tabs": "panel_tabs/panel_tabs.js",
    "source_view": "source_view/view.js",
    "threshold_rail": "threshold_rail/rail.js",
    "panel_button": "panel_tabs/panel_button.js",
    "first_steps": "first_steps/first_steps.js",
    "undo_buttons": "undo_buttons/undo_buttons.js",
    "offer_line": "offer_line/offer_line.js",
    "outline_list": "outline_list/outline_list.js",
    "pane_edge": "pane_edge/pane_edge.js",
    "phone_sheet": "phone_sheet/phone_sheet.js",
    "health_list": "health_list/health_list.js",
    "copy_text": "copy_text/copy_text.js",
    "change_line": "change_line/change_line.js",
    "corpus_table": "corpus_table/corpus_table.js",
    "heading_commands": "command_palette/heading_commands.js",
    "ribbon": "ribbon/ribbon.js",
}


def _with(*names: str) -> dict[str, str]:
    return _EVERYWHERE | {name: _PARTS[name] for name in names}


PAGES: dict[str, dict[str, str]] = {
    "inspect": _with(
        *("source_view", "number_strip", "panel_tabs", "threshold_rail", "panel_button", "first_steps"),
        *("undo_buttons", "offer_line", "outline_list", "pane_edge", "phone_sheet", "health_list", "copy_text"),
        "change_line",
    ),
    "corpus": _with("number_strip", "threshold_rail", "corpus_table", "copy_text", "heading_commands"),
    "compare": _with("ribbon", "source_view", "heading_commands"),
    "tune": _with("heading_commands"),
    "retrieve": _with("heading_commands"),
    "strategies": _EVERYWHERE,
}
"""For each page, the components that it shows at first, with their modules."""
_ELEMENTS = (
    *("PageLink", "Html", "BidiComponent", "Selectbox", "ButtonGroup"),
    *("Multiselect", "Checkbox", "Button", "DownloadButton"),
)
"""Elements of Streamlit that stand on nearly each page; it asks for their modules when it draws
them."""


def modules_of(page: str) -> list[str]:
    """The addresses of a page's modules, relative to it: Streamlit's, then ours. What is not found
    is left out: the browser then asks for it where it is needed."""
    ours = [
        f"./_stcore/bidi-components/chunkscope.{name}/{module}"
        for name, entry in PAGES[page].items()
        for module in _imported(entry)
    ]
    return [*_streamlit_modules(), *ours]


@cache
def _streamlit_modules() -> tuple[str, ...]:
    try:
        manifest = json.loads((_STREAMLIT / "manifest.json").read_bytes())
        named_already = (_STREAMLIT / "index.html").read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ()
    first = [key for key in manifest if Path(key).stem in _ELEMENTS]
    files = (manifest[key]["file"] for key in _reached(first, lambda key: manifest[key].get("imports", ())))
    return tuple(f"./{file}" for file in files if file not in named_already)


@cache
def _imported(entry: str) -> tuple[str, ...]:
    """A component's module and all that it imports, as paths in the folder of the components."""

    def imports(module: str) -> Iterator[str]:
        path = _COMPONENTS / module
        for name in _IMPORT.findall(path.read_text(encoding="utf-8")):
            yield (path.parent / name).resolve().relative_to(_COMPONENTS).as_posix()

    return tuple(_reached([entry], imports))


def _reached(first: Iterable[str], leads_to: Callable[[str], Iterable[str]]) -> list[str]:
    """All that is reached from the first, each once."""
    found = dict.fromkeys(first)
    left = list(found)
    while left:
        for name in leads_to(left.pop()):
            if name not in found:
                found[name] = None
                left.append(name)
    return list(found)
