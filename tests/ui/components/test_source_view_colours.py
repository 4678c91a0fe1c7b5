"""Neighbouring chunks can be told apart by colour alone: with normal sight and with each colour
blindness."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from chunking.analysis.hues import PATTERNS

CSS = Path(__file__).parents[3] / "pages" / "ui" / "components" / "source_view" / "view.css"
Colour = npt.NDArray[np.float64]

# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear sRGB.
SIGHTS = {
    "normal": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "no red cones": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "no green cones": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "no blue cones": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}


def hues(theme: str) -> list[str]:
    """The six hues of a theme."""
    light, dark = re.findall(r"--h0: .*", CSS.read_text(encoding="utf-8"))
    return re.findall(r"--h\d: #([0-9a-f]{6})", light if theme == "light" else dark)


def linear(hue: str) -> Colour:
    parts = np.array([int(hue[at : at + 2], 16) / 255 for at in (0, 2, 4)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(colour: Colour) -> Colour:
    """CIE L*a*b* of a linear sRGB colour, for white D65."""
    to_xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
    xyz = to_xyz @ np.clip(colour, 0, 1) / np.array([0.9505, 1, 1.089])
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("sight", SIGHTS)
def test_neighbouring_hues_differ(theme: str, sight: str) -> None:
    seen = [lab(np.array(SIGHTS[sight]) @ linear(hue)) for hue in hues(theme)]
    assert len(seen) == 6

    neighbours = [(one, other) for one, other in combinations(range(6), 2) if one % PATTERNS != other % PATTERNS]
    distances = {pair: float(np.linalg.norm(seen[pair[0]] - seen[pair[1]])) for pair in neighbours}

    assert min(distances.values()) >= 25, distances


@pytest.mark.parametrize(("theme", "ground", "text"), [("light", "ffffff", "1b2030"), ("dark", "11141c", "e6e9f2")])
def test_the_text_of_a_selected_chunk_is_as_easy_to_read_as_others(theme: str, ground: str, text: str) -> None:
    css = CSS.read_text(encoding="utf-8")
    light, dark = (int(tint) / 100 for tint in re.findall(r"--tint: (\d+)%", css))
    [times] = re.findall(r"\.band\.sel \{ .*var\(--tint\) \* ([\d.]+)", css)
    share = (light if theme == "light" else dark) * float(times)

    assert min(contrast(text, mixed(hue, ground, share)) for hue in hues(theme)) >= 9


def mixed(hue: str, ground: str, share: float) -> str:
    parts = zip(bytes.fromhex(hue), bytes.fromhex(ground), strict=True)
    return bytes(round(one * share + other * (1 - share)) for one, other in parts).hex()


def contrast(one: str, other: str) -> float:
    """Of WCAG 2."""
    low, high = sorted(float(linear(colour) @ [0.2126, 0.7152, 0.0722]) for colour in (one, other))
    return (high + 0.05) / (low + 0.05)
