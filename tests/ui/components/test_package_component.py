"""The browser asks for a component's JavaScript file by file: where Streamlit finds them, and that
none is missing."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from streamlit.components.v2.manifest_scanner import scan_component_manifests

from pages.ui.components.shared.package_component import FOLDER, told

ROOT = Path(__file__).parents[3]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MODULES = sorted(FOLDER.rglob("*.js"))


def declared_names() -> set[str]:
    return {component["name"] for component in PYPROJECT["tool"]["streamlit"]["component"]["components"]}


def drawn_names() -> set[str]:
    """What the components' Python asks Streamlit for; in reading_views the name is that of the
    module."""
    named = set()
    for path in FOLDER.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        named |= set(re.findall(r'package_component\(\s*"(\w+)"', source))
        if path.parent.name == "reading_views":
            named |= set(re.findall(r'\bcomponent\("(\w+)"\)', source))
    return named


def test_what_a_browser_tells_a_component_that_is_no_longer_on_the_page_is_nothing() -> None:
    assert told("offer-line", "answer") is None


def test_what_is_drawn_is_what_pyproject_declares() -> None:
    assert drawn_names() == declared_names()


def test_streamlit_finds_every_component_in_a_checkout_that_is_installed() -> None:
    found = {
        component.name: component.resolve_asset_root(root)
        for manifest, root in scan_component_manifests()
        if manifest.name == "chunkscope"
        for component in manifest.components
    }

    assert found == dict.fromkeys(declared_names(), FOLDER)


def test_a_wheel_has_pyproject_beside_the_pages_where_streamlit_looks_for_it_and_a_checkout_no_copy() -> None:
    wheel = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    hook = (ROOT / wheel["hooks"]["custom"]["path"]).read_text(encoding="utf-8")
    beside = f"{Path(wheel['force-include']['pages']).parent}/pyproject.toml"

    assert "pyproject.toml" not in wheel["force-include"]
    assert f'if version == "standard":\n            build_data["force_include"]["pyproject.toml"] = "{beside}"' in hook


@pytest.mark.parametrize("module", MODULES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_module_imports_files_of_the_folder_by_what_they_export(module: Path) -> None:
    for names, address in re.findall(r'^import \{([^}]*)\} from "([^"]+)";', module.read_text("utf-8"), re.MULTILINE):
        imported = (module.parent / address).resolve()
        assert imported in MODULES
        exported = re.findall(
            r"^export (?:async )?(?:function\*?|class|const|let) (\w+)", imported.read_text("utf-8"), re.M
        )
        assert {name.strip() for name in names.split(",") if name.strip()} <= set(exported)


def test_no_component_writes_where_another_one_or_streamlit_draws() -> None:
    others = re.compile(
        r"document\.(query|getElement|evaluate|elementFromPoint|body|head|write)|getRootNode\(\)\.host\b"
        r"|\.shadowRoot\b|adoptedStyleSheets|(?<!\bcomponent)\.parent(Element|Node)\b"
    )
    found = {f"{path.name}: {hit[0]}" for path in MODULES for hit in others.finditer(path.read_text("utf-8"))}
    roots = [path.name for path in MODULES if "documentElement" in path.read_text("utf-8")]

    # The command palette presses Streamlit's controls and goes to them; the notice reads whether
    # Streamlit has its server, and closes its dialog about that. Neither draws anything there,
    # nor do names and roles, attributes alone; what waits for another document is said to be busy
    # in the same way, and a list that was open is opened. The first of the first steps presses
    # Add. A popover, a dialog and a part of the page that is skipped to are given the focus, the
    # buttons Export and All settings, the tabs and the ribbon look for what they lead to, the
    # palette for a dialog, a page that has come by keyboard whether nothing has the focus, and a
    # button that was pressed for what is drawn in its place. On a phone Tab goes through the
    # parts as they are seen. A panel is given its role and name by its tab. What stands for the
    # page while it loads is removed. Digits choose Inspect's views by their buttons; a key and
    # the palette the first change that is offered against a boundary. What is dropped or pasted
    # goes into Add; while it is dragged a sign lies over the page. What a screen reader is told
    # has a place of its own on the page. A hit's text is measured against its box.
    assert found == {
        "page_commands.js: document.query",
        "other_settings.js: document.query",
        "ribbon.js: document.query",
        "view_keys.js: document.query",
        "connection_notice.js: document.query",
        "connection_notice.js: document.body",
        "names_and_roles.js: document.body",
        "tab_panels.js: document.body",
        "tab_order.js: document.query",
        "tab_order.js: .shadowRoot",
        "tab_panels.js: document.query",
        "another_document.js: document.query",
        "script_state.js: document.query",
        "early_tab.js: document.body",  # whether nothing has the focus
        "offer_line.js: document.body",  # whether nothing has the focus
        "offered_changes.js: document.query",
        "first_steps.js: document.query",
        "skip_link.js: document.query",
        "skip_link.js: document.body",
        "arrivals_by_key.js: document.body",
        "folds.js: document.body",
        "live_region.js: document.body",
        "longer_texts.js: document.body",
        "added.js: document.body",
        "dialogs.js: document.query",
        "dialogs.js: document.body",
        "drops.js: document.query",
        "drops.js: document.body",
        "focused.js: .shadowRoot",
        "open_dialog.js: document.query",
        "panel_tabs.js: document.query",
        "popovers.js: document.query",
        "pressed_button.js: document.query",
        "popovers.js: document.body",
        "popovers.js: .shadowRoot",
        "review_card.js: document.body",  # whether nothing has the focus
        "chart_keys.js: document.body",  # the same, after a point was chosen: the chart then has it again
        "chart_keys.js: document.query",
    }
    # Classes, data and CSS variables of <html>, which nobody draws.
    assert sorted(roots) == [
        *("another_document.js", "connection_notice.js", "external_updates.js", "offer_line.js", "open_panel.js"),
        *("panes.js", "scrolled.js", "sheet.js"),
    ]
