"""Gold cut points in HiCBench's form, placed in a document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunking import parse
from chunking.errors import GoldError
from chunking.gold.cut_points import load_cut_points

TEA = parse("# Tea\n\nBoil water.\n\n## Pot\n\nWarm it.\n", name="docs/tea.md")


def written(folder: Path, value: object) -> Path:
    path = folder / "gold.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["docs/tea.md", "tea.md", "tea"])
def test_texts_that_joined_are_the_document_are_placed_whatever_their_white_space(tmp_path: Path, name: str) -> None:
    splits = [["# Tea\nBoil water.", 1], ["\n## Pot\n\nWarm it.", 2]]

    assert load_cut_points(written(tmp_path, {name: {"splits": splits}}), TEA) == (0, 20)


def test_points_below_a_level_are_left_out(tmp_path: Path) -> None:
    path = written(tmp_path, {"tea": {"splits": [["# Tea\nBoil water.", 1], ["## Pot\n\nWarm it.", 2]]}})

    assert load_cut_points(path, TEA, level=1) == (0,)


def test_offsets_may_stand_for_texts(tmp_path: Path) -> None:
    assert load_cut_points(written(tmp_path, {"tea": {"splits": [[20, 2], [0, 1]]}}), TEA) == (0, 20)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            {"tea": {"splits": [["# Tea", 1], ["Cook water.", 1]]}},
            "split 1 is not the text of docs/tea.md from line 3 on",
        ),
        ({"tea": {"splits": [["# Tea", 1]]}}, "the splits end in docs/tea.md before line 3"),
        ({"tea": {"splits": [[99, 1]]}}, "an offset is not in docs/tea.md, which has 37 characters"),
        ({"tea": {"splits": [["# Tea", 1], [7, 1]]}}, "split 1 is an offset, and others are texts; give one of both"),
        ({"pot": {"splits": []}}, "has no cut points of docs/tea.md; there are those of: pot"),
        ({"tea": 3}, "tea: "),
        ([], "the file: "),
    ],
)
def test_what_does_not_fit_is_one_line(tmp_path: Path, value: object, said: str) -> None:
    with pytest.raises(GoldError) as raised:
        load_cut_points(written(tmp_path, value), TEA)

    assert said in str(raised.value)
    assert "\n" not in str(raised.value)
