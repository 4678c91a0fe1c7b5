"""A boundary that was dragged in the source comes back in code points."""

from __future__ import annotations

import pytest

from chunking import parse
from pages.ui.components.source_view.payload import source_text
from pages.ui.components.source_view.placing import Placed, placed_request, placing

SOURCE = source_text(parse("# 🫖 One\n\nwater\n\n# Two\n\nsteam\n", "kettle.md"))


def test_the_browsers_units_become_code_points_and_back() -> None:
    placed = placed_request({"boundary": 17, "place": 10}, SOURCE)

    assert placed == Placed(16, 9)
    assert placing(placed, SOURCE, able=True).header == {"placing": True, "placed": 10}
    assert placing(None, SOURCE, able=False).header == {"placing": False, "placed": -1}


@pytest.mark.parametrize(
    "message",
    [
        *(None, 7, {}, {"boundary": 17}, {"boundary": "17", "place": 3}),
        *({"boundary": 17, "place": 17}, {"boundary": 17, "place": -1}),
        *({"boundary": 0, "place": 3}, {"boundary": 17, "place": 400}),
    ],
)
def test_what_is_no_place_of_the_text_is_not_taken(message: object) -> None:
    assert placed_request(message, SOURCE) is None
