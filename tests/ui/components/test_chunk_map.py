"""Chunks as points: their groups, their places, and a question among them."""

from __future__ import annotations

import numpy as np
import pytest

from chunking import Config, Run, parse, run, strategies
from chunking.analysis import VectorMap, map_vectors
from pages.ui.choices.mapped import MapChunk, map_chunk
from pages.ui.components.reading_views.chunk_map import (
    GROUPS,
    NEAREST,
    MapDocuments,
    Placed,
    asked,
    placed,
)

TEXT = "# Kettle\n\nfill\n\n## Boil\n\nsteam rises from it\n\n## Lid\n\nclose\n\n### Knob\n\nround\n"


def cut(text: str = TEXT) -> Run:
    return run(parse(text, "kettle.md"), Config(strategies.get("every-heading")()))


def vectors(count: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.random.default_rng(1).normal(size=(count, 6)).astype(np.float32)


def mapped(of: Run, more: int = 0) -> VectorMap:
    return map_vectors(vectors(len(of.chunks) + more), len(of.chunks))


def chunks(of: Run, document: int = 0) -> list[MapChunk]:
    return [map_chunk(chunk, number, document) for number, chunk in enumerate(of.chunks)]


def points(of: Run, colour: str) -> Placed:
    return placed(chunks(of), [], mapped(of), colour, total=len(of.chunks))


def test_a_point_is_a_chunk_with_its_place_its_title_and_its_section() -> None:
    of = cut()
    found = points(of, "section")

    assert found.chunk == [0, 1, 2, 3]
    assert found.start == [chunk.body.start for chunk in of.chunks]
    assert found.title[3] == "Lid › Knob"
    assert [found.groups[group] for group in found.group] == ["Kettle", "Boil", "Lid", "Lid"]
    assert max(map(abs, [*found.x, *found.y])) == pytest.approx(1)


def test_sizes_are_quarters_and_every_chunk_is_in_the_one_with_its_tokens() -> None:
    of = cut()
    found = points(of, "size")

    assert len(found.groups) == max(found.group) + 1
    for tokens, group in zip(found.tokens, found.group, strict=True):
        low = int(found.groups[group].split()[0])
        assert tokens >= low


def test_the_baseline_has_points_of_its_own_and_is_not_among_what_is_odd() -> None:
    of, before = cut(), cut("# Other\n\ntext\n")
    found = placed(chunks(of), chunks(before), mapped(of, more=1), "config", total=len(of.chunks))

    assert found.of == [0, 0, 0, 0, 1]
    assert found.groups == ["now", "baseline"]
    assert found.chunk[-1] == 0
    assert all(one < 4 and other < 4 for one, other, _ in found.duplicates)


def test_beyond_some_sections_the_others_share_a_look() -> None:
    of = cut("# Kettle\n" + "".join(f"\n## Part {number}\n\ntext\n" for number in range(GROUPS + 5)))
    found = points(of, "section")

    assert found.groups[-1] == "other sections"
    assert len(found.groups) == GROUPS + 1
    assert max(found.group) == GROUPS


def test_a_question_is_near_the_chunks_with_the_most_similar_vectors() -> None:
    of = cut()
    known = vectors(len(of.chunks))
    found = asked(mapped(of), known, len(of.chunks), 3 * known[2])

    assert found.nearest[0] == (2, 1.0)
    assert len(found.nearest) == min(NEAREST, len(of.chunks))
    there = points(of, "section")
    assert (found.x, found.y) == pytest.approx((there.x[2], there.y[2]), abs=1e-3)


def corpus_points(counts: list[int], colour: str, opened: int = -1) -> Placed:
    """Documents with so many chunks each, named by letters."""
    of = [MapChunk(row, number, 0, 10, "part", "Part") for row, count in enumerate(counts) for number in range(count)]
    names = [chr(ord("a") + row) for row in range(len(counts))]
    vectors_of = map_vectors(vectors(len(of)), documents=[chunk.document for chunk in of])
    return placed(of, [], vectors_of, colour, total=len(of) + 3, documents=MapDocuments(names, opened))


def test_documents_are_told_apart_the_one_with_most_points_first() -> None:
    found = corpus_points([1, 3, 2], "document")

    assert found.groups == ["b", "c", "a"]
    assert found.group == [2, 0, 0, 0, 1, 1]
    assert found.documents == ["a", "b", "c"]
    assert found.document == [0, 1, 1, 1, 2, 2]
    assert found.left_out == 3


def test_beyond_some_documents_the_others_share_a_look_but_not_the_opened_one() -> None:
    found = corpus_points([2] * GROUPS + [1, 1, 1], "document", opened=GROUPS + 1)

    assert len(found.groups) == GROUPS + 1
    assert found.groups[-2:] == ["m", "other documents"]
    assert found.group[-3:] == [GROUPS, GROUPS - 1, GROUPS]
    assert found.opened == GROUPS + 1


def test_documents_of_one_name_are_groups_of_their_own() -> None:
    of = [MapChunk(row, 0, 0, 10, "part", "Part") for row in range(2)]
    found = placed(of, [], map_vectors(vectors(2)), "document", total=2, documents=MapDocuments(["a", "a"], -1))

    assert (found.groups, found.group) == (["a", "a"], [0, 1])
