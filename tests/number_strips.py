"""What Inspect's strip of numbers was given to draw, as the markup that number_strip.js makes of
it; without what its titles lead to."""

from __future__ import annotations

import json

from streamlit.testing.v1 import AppTest

from pages.ui.layout import markup


def strip_html(app: AppTest) -> str:
    """The strip; "" on a page without one."""
    given = [element.proto for element in app.get("bidi_component")]
    drawn = [json.loads(each.json)["figures"] for each in given if each.component_name == "chunkscope.number_strip"]
    return "\n".join(
        markup.strip([markup.Figure(**figure | {"leads": ""}) for figure in figures], beside="baseline")
        for figures in drawn
    )
