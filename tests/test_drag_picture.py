"""The moving picture of the README shows that chunks follow a drag."""

from __future__ import annotations

import pytest

pytest.importorskip("PIL")

from PIL import Image, ImageDraw
from playwright.sync_api import FloatRect

from benchmarks.pictures import changes_within

SOURCE = FloatRect(x=20, y=0, width=20, height=20)


def frames(at: tuple[int, int]) -> list[Image.Image]:
    """Four moves of two frames, in which a line goes down from this place."""
    drawn = []
    for frame in range(8):
        image = Image.new("RGB", (40, 20))
        left, top = at[0], at[1] + frame // 2
        ImageDraw.Draw(image).line((left, top, left + 8, top), fill="white")
        drawn.append(image)
    return drawn


def test_a_drag_is_no_picture_where_nothing_moves_in_the_source() -> None:
    assert not changes_within(frames((2, 4)), SOURCE)  # only the thresholds beside it
    assert changes_within(frames((24, 4)), SOURCE)
