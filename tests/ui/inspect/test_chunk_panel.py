"""The panel of the selected chunk."""

from __future__ import annotations

from pages.ui.inspect.chunk_panel import lines_fact


def test_a_chunk_of_one_line_names_that_line_once() -> None:
    assert lines_fact(22, 22) == ("Line", "22")
    assert lines_fact(1_019, 1_049) == ("Lines", "1,019 to 1,049")
