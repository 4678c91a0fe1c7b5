"""What the command palette is given to list, and what it does with a document."""

from __future__ import annotations

import json

from app_pages import open_page
from streamlit.testing.v1 import AppTest

from pages.ui.choices.samples import samples


def listed(app: AppTest) -> dict[str, object]:
    given = [element.proto for element in app.get("bidi_component")]
    (palette,) = [each for each in given if each.component_name == "chunkscope.command_palette"]
    found: dict[str, object] = json.loads(palette.json)
    return found


def test_every_page_lists_the_documents_and_the_settings_of_its_strategy() -> None:
    for script in ("", "pages/tune.py"):
        found = listed(open_page(script, strategy="heading-window", document=samples()[1].key))

        assert found["documents"] == [[each.key, each.title] for each in samples()]
        assert found["document"] == samples()[1].key
        controls = dict(map(tuple, found["controls"]))  # type: ignore[call-overload]
        assert controls["strategy"] == "Strategy"
        assert controls["setting.heading-window.short_tail"].endswith("shortTail")
        assert not any("`" in words for words in controls.values())
