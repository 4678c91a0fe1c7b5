"""Chunks as points: their groups, their places, and a question among them."""

from __future__ import annotations

import numpy as np
import pytest

from chunking import Config, Run, parse, run, strategies
from chunking.analysis import VectorMap, map_vectors
from pages.ui.components.reading_views.chunk_map import GROUPS, MOST, NEAREST, asked, chosen_chunks, placed

TEXT = "# Kettle\n\nfill\n\n## Boil\n\nsteam rises from it\n\n## Lid\n\nclose\n\n### Knob\n\nround\n"


def cut(text: str = TEXT) -> Run:
    return run(parse(text, "kettle.md"), Config(strategies.get("every-heading")()))


def vectors(count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.random.default_rng(1).normal(size=(count, 6)).astype(np.float32)


def mapped(of: Run, more: int = 0) -> VectorMap:
    return map_vectors(vectors(len(of.chunks) + more), len(of.chunks))


def test_a_point_is_a_chunk_with_its_place_its_title_and_its_section() -> None:
    of = cut()
    found = placed(of, None, mapped(of), "section")

    assert found.chunk == [0, 1, 2, 3]
    assert found.start == [chunk.body.start for chunk in of.chunks]
    assert found.title[3] == "Lid › Knob"
    assert [found.groups[group] for group in found.group] == ["Kettle", "Boil", "Lid", "Lid"]
    assert max(map(abs, [*found.x, *found.y])) == pytest.approx(1)


def test_sizes_are_quarters_and_every_chunk_is_in_the_one_with_its_tokens() -> None:
    of = cut()
    found = placed(of, None, mapped(of), "size")

    assert len(found.groups) == max(found.group) + 1
    for tokens, group in zip(found.tokens, found.group, strict=True):
        low = int(found.groups[group].split()[0])
        assert tokens >= low


def test_the_baseline_has_points_of_its_own_and_is_not_among_what_is_odd() -> None:
    of, before = cut(), cut("# Other\n\ntext\n")
    found = placed(of, before, mapped(of, more=1), "config")

    assert found.of == [0, 0, 0, 0, 1]
    assert found.groups == ["now", "baseline"]
    assert found.chunk[-1] == 0
    assert all(one < 4 and other < 4 for one, other, _ in found.duplicates)


def test_beyond_some_sections_the_others_share_a_look() -> None:
    of = cut("# Kettle\n" + "".join(f"\n## Part {number}\n\ntext\n" for number in range(GROUPS + 5)))
    found = placed(of, None, mapped(of), "section")

    assert found.groups[-1] == "other sections"
    assert len(found.groups) == GROUPS + 1
    assert max(found.group) == GROUPS


def test_a_question_is_near_the_chunks_with_the_most_similar_vectors() -> None:
    of = cut()
    known = vectors(len(of.chunks))
    found = asked(mapped(of), known, len(of.chunks), 3 * known[2])

    assert found.nearest[0] == (2, 1.0)
    assert len(found.nearest) == min(NEAREST, len(of.chunks))
    points = placed(of, None, mapped(of), "section")
    assert (found.x, found.y) == pytest.approx((points.x[2], points.y[2]), abs=1e-3)


def test_of_more_chunks_than_a_map_can_hold_some_are_taken_evenly() -> None:
    of = cut("".join(f"# Part {number}\n\n" for number in range(MOST + 500)))
    chosen = chosen_chunks(of)

    assert len(chosen) == MOST
    assert (chosen[0], chosen[-1]) == (of.chunks[0], of.chunks[-1])
    assert len({chunk.body.start for chunk in chosen}) == MOST
