"""The figures of documents under one config, alone and together, against the full metrics."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking import Config, Run, parse, run
from chunking.analysis import (
    PLACES,
    DocumentFigures,
    Repeats,
    document_figures,
    packed,
    repeats,
    together,
)
from chunking.analysis.corpus_figures import median

SAMPLES = sorted((Path(__file__).parents[2] / "sample_docs").glob("[0-9]*.md"))
CONFIGS = (
    Config.of("heading-window", {"minTokens": 60, "minTokensDeeper": 90, "maxTokens": 200}),
    Config.of("fixed", {"chunkSize": 64, "chunkOverlap": 8}),
    Config.of("every-heading", {}),
)


def runs(config: Config) -> list[Run]:
    return [run(parse(path.read_text("utf-8-sig"), name=path.name), config) for path in SAMPLES]


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: config.strategy.name)
def test_the_figures_of_a_document_are_those_of_its_metrics(config: Config) -> None:
    for each in runs(config):
        figures, metrics = document_figures(each), each.metrics
        assert (figures.chunk_count, figures.tokens_to_embed) == (metrics.chunk_count, metrics.tokens_to_embed)
        assert figures.median_tokens == metrics.median_tokens
        assert figures.within_limits == pytest.approx(metrics.within_limits)
        assert (figures.under_minimum, figures.over_maximum) == (metrics.under_minimum, metrics.over_maximum)
        assert figures.over_with_context == metrics.over_with_context
        assert figures.blocks_cut == each.metrics.blocks_cut
        left_out = metrics.skipped_characters
        assert figures.left_out == metrics.left_out
        assert (figures.short_tail, figures.lost) == (left_out.get("short-tail", 0), 0)
        assert figures.ends is not None
        assert figures.ends.tolist() == [chunk.body.end * PLACES // len(each.document.text) for chunk in each.chunks]


def test_together_they_count_every_chunk_once() -> None:
    every = [document_figures(each, texts=True) for each in runs(CONFIGS[0])]
    whole = [chunk.tokens for each in runs(CONFIGS[0]) for chunk in each.chunks]
    total = together([*every, DocumentFigures(problem="not cut")])

    assert (total.documents, total.problems) == (len(SAMPLES), 1)
    assert (total.chunk_count, total.tokens_to_embed) == (len(whole), sum(whole))
    assert total.median_tokens == float(np.median(whole))
    assert total.within_limits == 1 - sum(each.under_minimum + each.over_maximum for each in every) / len(whole)


def test_a_chunk_whose_text_another_document_has_is_repeated() -> None:
    one = run(parse("# A\n\nthe same\n\n# B\n\nits own\n", name="one.md"), CONFIGS[2])
    other = run(parse("# A\n\nthe same\n\n# A\n\nthe same\n", name="other.md"), CONFIGS[2])
    figures = [document_figures(each, texts=True) for each in (one, other)]

    assert together(figures).repeated == 3
    assert together(figures[1:]).repeated == 0  # within one document nothing repeats another's
    assert together([document_figures(one)]).repeated is None


def test_documents_with_a_text_in_common_name_each_other() -> None:
    texts = ["the same", "the same", "its own", "the same", "the same", "the same"]
    runs = [run(parse(f"# Of {at}\n\n{text}\n\n# B\n\nb{at}\n"), CONFIGS[2]) for at, text in enumerate(texts)]
    figures = {10 + at: document_figures(each, texts=True) for at, each in enumerate(runs)}

    assert repeats(figures) == {}  # the headings differ, and a chunk's own text begins with its heading
    runs = [run(parse(f"# A\n\n{text}\n\n# B\n\nb{at}\n"), CONFIGS[2]) for at, text in enumerate(texts)]
    figures = {10 + at: document_figures(each, texts=True) for at, each in enumerate(runs)}
    assert repeats(figures)[10] == Repeats(1, (11, 13, 14), more=True)
    assert repeats(figures)[15] == Repeats(1, (10, 11, 13), more=True)
    assert 12 not in repeats(figures)
    assert repeats({10: figures[10], 11: figures[11]})[11] == Repeats(1, (10,), more=False)
    assert repeats({}) == repeats({10: DocumentFigures(problem="not cut")}) == {}
    assert sum(each.chunks for each in repeats(figures).values()) == together(figures.values()).repeated


texts_of_documents = st.dictionaries(
    st.integers(0, 30), st.one_of(st.none(), st.lists(st.one_of(st.integers(-(2**63), 2**63 - 1), st.integers(0, 6))))
)


@given(texts_of_documents)
def test_what_documents_have_in_common_is_what_looking_into_each_finds(texts: dict[int, list[int] | None]) -> None:
    figures = {
        row: DocumentFigures(
            chunk_count=1, whole=np.zeros(1, int), texts=None if of is None else np.array(of, np.int64)
        )
        for row, of in texts.items()
    }
    known = {row: of for row, of in texts.items() if of is not None}

    def others(row: int) -> set[int]:
        return {other for other, of in known.items() if other != row and set(of) & set(known[row])}

    found = repeats(figures)

    assert list(found) == sorted(row for row in known if others(row))
    for row, each in found.items():
        elsewhere = {text for other in others(row) for text in known[other]}
        assert each.chunks == sum(text in elsewhere for text in known[row])
        assert set(each.documents) <= others(row)
        assert len(each.documents) == min(3, len(others(row)))
        assert each.more == (len(others(row)) > 3)
    assert (together(figures.values()).repeated or 0) == sum(each.chunks for each in found.values())


def test_packed_for_another_process_nothing_changes() -> None:
    every = [document_figures(each, texts=at % 2 == 0) for at, each in enumerate(runs(CONFIGS[0]))]
    every.insert(3, DocumentFigures(problem="not cut"))

    for before, after in zip(every, packed(every).unpacked(), strict=True):
        for name in DocumentFigures.__slots__:
            one, other = getattr(before, name), getattr(after, name)
            assert np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other, name
    assert packed([]).unpacked() == []


@pytest.mark.parametrize("sizes", [[], [7], [7, 1], [3, 1, 2], [4, 4, 1, 9]])
def test_the_median_is_that_of_numpy(sizes: list[int]) -> None:
    assert median(np.array(sizes, np.int32)) == (float(np.median(sizes)) if sizes else 0.0)
