"""Configs against each other over all documents: each document as the library compares it, and all
of them together."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chunking import Config, compare, parse, run
from chunking.analysis import DocumentFigures, document_figures, together
from pages.ui.background.corpus_workers import Corpus, CorpusWorkers
from pages.ui.choices.samples import samples
from pages.ui.compare import tables
from pages.ui.compare.corpus_numbers import (
    Changes,
    ComparedDocument,
    compare_there,
    most_different,
    total_changes,
    total_lines,
)

CORPUS = Corpus(samples())
CONFIGS = (
    Config.of("heading-window", {"minTokens": 60, "minTokensDeeper": 90, "maxTokens": 200}),
    Config.of("every-heading", {}),
    Config.of("semantic", {"embedder": "compatible", "model": "nobody-was-asked"}),
)


@pytest.fixture(name="found", scope="module")
def _found() -> Iterator[dict[int, ComparedDocument]]:
    workers = CorpusWorkers(2)
    try:
        workers.hold(CORPUS, "ann")
        parts = workers.each(CORPUS, compare_there, CONFIGS, CONFIGS[1].counter)
        yield {row: each for part in parts for row, each in part.items()}
    finally:
        workers.end()


def test_how_many_more_chunks_are_over_the_limit_with_context_has_a_column_where_there_are_some(
    found: dict[int, ComparedDocument],
) -> None:
    names, rows = [source.name for source in CORPUS.documents], sorted(found)
    over = [found[row].figures[0].over_with_context for row in rows]
    assert sum(over) > 0
    table = tables.documents(names, found, rows, 0, "AB")
    assert table["More over with context A"].tolist() == over
    for name in ("More over with context B", "Over maximum B"):
        assert table[name].tolist() == [None] * len(rows)  # every-heading has no maximum
    assert table["Over maximum A"].tolist() == [found[row].figures[0].over_maximum for row in rows]

    none = [row for row in rows if not found[row].figures[0].over_with_context]
    assert not [name for name in tables.documents(names, found, none, 0, "AB").columns if "context" in name]


def test_every_document_is_compared_as_the_library_does(found: dict[int, ComparedDocument]) -> None:
    assert sorted(found) == list(range(len(CORPUS.documents)))
    for row, source in enumerate(CORPUS.documents):
        runs = [run(parse(source.text, name=source.name), config) for config in CONFIGS[:2]]
        expected, changes = compare(*runs), found[row].against[0]
        assert changes is not None
        assert [each.chunk_count for each in found[row].figures[:2]] == [len(each.chunks) for each in runs]
        for kind in ("kept", "moved", "added", "removed"):
            assert getattr(changes, kind) == expected.count(kind), kind
        assert (changes.again, changes.gone) == (len(expected.to_embed_again), len(expected.ids_gone))
        assert changes.again_tokens == expected.tokens_to_embed_again


def test_a_config_that_cannot_cut_a_document_says_why_and_is_not_compared(found: dict[int, ComparedDocument]) -> None:
    assert all(each.figures[2].problem for each in found.values())
    assert {each.against[1] for each in found.values()} == {None}
    assert total_changes(found.values(), 1) == Changes()


def test_all_documents_together_are_those_that_every_config_cuts(found: dict[int, ComparedDocument]) -> None:
    two = [ComparedDocument(each.figures[:2], each.against[:1]) for each in found.values()]
    runs = [[run(parse(each.text, name=each.name), config) for each in CORPUS.documents] for config in CONFIGS[:2]]
    totals = [together(map(document_figures, each)) for each in runs]

    for line in total_lines(two, 2):
        assert line.values == tuple(line.metric.of(total) for total in totals), line.metric.name
    largest = next(line for line in total_lines(two, 2) if line.metric.title == "Largest")
    assert largest.values == tuple(max(max(each.columns.tokens) for each in of) for of in runs)
    assert total_changes(two, 0).kept == sum(each.against[0].kept for each in two if each.against[0])
    assert total_lines(found.values(), 3)[0].values == (0, 0, 0)  # semantic cuts none


def test_the_share_within_limits_with_context_is_said_of_all_documents_where_it_is_another_one() -> None:
    def said(with_context: int) -> list[str]:
        of = DocumentFigures(chunk_count=4, bounded=True, under_minimum=1, within_with_context=with_context)
        return [each.metric.title for each in total_lines([ComparedDocument((of,), ())], 1)]

    assert "Within limits with context" not in said(3)
    titles = said(2)
    assert titles.index("Within limits with context") == titles.index("Within limits") + 1


def test_documents_whose_boundaries_changed_most_come_first_and_those_that_are_not_cut_last() -> None:
    changes = (Changes(kept=9), None, Changes(kept=1, moved=9), Changes(kept=1, added=9, again_tokens=50), Changes())
    documents = {at: ComparedDocument((), (each,)) for at, each in enumerate(changes)}

    assert most_different(documents, 0) == [3, 2, 0, 4, 1]
    assert [each.shared for each in changes if each] == [1.0, 0.1, 0.1, 1.0]
