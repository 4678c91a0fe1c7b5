"""The similarity curve's figure: what is drawn where, what a click goes to, and how long curves
stay light."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from sample_embedders import GivenEmbedder

from chunking import Config, Run, parse, run
from chunking.models.access import Tools
from chunking.strategies.contextual import Contextual
from chunking.strategies.every_heading import EveryHeading
from chunking.strategies.semantic import Curve, Semantic, semantic_of, similarities
from pages.ui.inspect.similarity_chart import MOST_POINTS, cuts, sentence_at, similarity_figure, thinned

TEXT = "Tea is hot.\nTea is wet.\n\nIron rusts.\nIron is old.\n"
VECTORS = {"Tea is hot.": (1, 0), "Tea is wet.": (1, 0), "Iron rusts.": (0, 1), "Iron is old.": (0.6, 0.8)}


def cut(
    strategy: Semantic, *, text: str = TEXT, vectors: dict[str, tuple[float, float]] = VECTORS
) -> tuple[Run, Curve]:
    document, tools = parse(text, name="tea.md"), Tools(embedder=GivenEmbedder(vectors))
    return run(document, Config(strategy, "cl100k_base"), tools), similarities(document, strategy, tools)


def trace(figure: Any, name: str) -> dict[str, Any]:
    return next(each for each in figure.to_dict()["data"] if each["name"] == name)


def names(figure: Any) -> list[str]:
    return [each["name"] for each in figure.to_dict()["data"]]


def test_each_place_between_sentences_is_a_point_at_its_similarity() -> None:
    figure = similarity_figure(*cut(Semantic(similarity_threshold=0.5)))
    curve = trace(figure, "similarity")

    assert list(curve["x"]) == [1.5, 2.5, 3.5]
    assert list(curve["y"]) == [1.0, 0.0, 0.8]
    assert (
        figure.layout.meta == "Chart of similarity between neighbouring sentences: least 0, greatest 1; threshold 0.5"
    )


def test_a_point_leads_to_the_first_letter_of_the_sentence_after_it_and_names_its_line() -> None:
    figure = similarity_figure(*cut(Semantic(similarity_threshold=0.5)))
    places = [tuple(each) for each in trace(figure, "similarity")["customdata"]]

    assert places == [(TEXT.index("Tea is wet"), 2), (TEXT.index("Iron rusts"), 4), (TEXT.index("Iron is old"), 5)]


def test_a_cut_below_the_threshold_is_a_triangle_on_its_place() -> None:
    figure = similarity_figure(*cut(Semantic(similarity_threshold=0.5)))
    marks = trace(figure, "cut: below the threshold")

    assert list(marks["x"]) == [2.5]
    assert marks["marker"]["symbol"] == "triangle-down"
    assert "cut: most sentences" not in names(figure)


def test_a_cut_at_the_most_sentences_has_a_shape_of_its_own() -> None:
    figure = similarity_figure(*cut(Semantic(similarity_threshold=0, max_chunk_sentences=2)))
    marks = trace(figure, "cut: most sentences")

    assert list(marks["x"]) == [2.5]
    assert marks["marker"]["symbol"] == "square"


@pytest.mark.parametrize("threshold", [0.2, 0.9])
def test_the_threshold_is_a_line_that_moves_with_it(threshold: float) -> None:
    layout = similarity_figure(*cut(Semantic(similarity_threshold=threshold))).to_dict()["layout"]

    assert (layout["shapes"][0]["y0"], layout["shapes"][0]["y1"]) == (threshold, threshold)
    assert layout["annotations"][0]["text"] == f"threshold {threshold:g}"
    assert layout["yaxis"]["range"][0] < 0
    assert layout["yaxis"]["range"][1] > 1


def test_a_percentile_is_drawn_where_it_lies_in_this_document() -> None:
    strategy = Semantic(similarity_threshold=0.5, threshold_kind="percentile")
    layout = similarity_figure(*cut(strategy)).to_dict()["layout"]

    assert layout["shapes"][0]["y0"] == 0.8
    assert layout["annotations"][0]["text"] == "the least alike 50% lie below 0.8"


def test_the_selected_sentence_is_marked() -> None:
    shown, curve = cut(Semantic())
    layout = similarity_figure(shown, curve, selected=TEXT.index("rusts")).to_dict()["layout"]

    assert layout["shapes"][1]["x0"] == 3
    assert sentence_at(curve, len(TEXT)) is None
    assert sentence_at(curve, None) is None


def test_the_curve_of_a_wrapped_strategy_is_drawn_with_the_cuts_of_the_whole() -> None:
    inner = Semantic(similarity_threshold=0.5)
    document, tools = parse(TEXT, name="tea.md"), Tools(embedder=GivenEmbedder(VECTORS))
    whole = run(document, Config(Contextual(base=inner), "cl100k_base"), tools)

    assert semantic_of(whole.config.strategy) == inner
    assert semantic_of(EveryHeading()) is None
    assert cuts(whole, similarities(document, inner, tools)) == ([1], [])


def test_a_long_curve_keeps_the_least_and_the_greatest_of_each_stretch() -> None:
    values = [0.5] * 100_000
    values[70_001], values[70_002] = 0.01, 0.99
    kept = thinned(values, MOST_POINTS)

    assert len(kept) <= MOST_POINTS
    assert {70_001, 70_002} <= set(kept)
    assert kept == sorted(kept)


@pytest.mark.parametrize("values", [[0.1], [0.1, 0.2, 0.3]])
def test_a_short_curve_is_drawn_whole(values: Sequence[float]) -> None:
    assert thinned(values, MOST_POINTS) == list(range(len(values)))


def test_the_figure_of_a_long_document_is_small() -> None:
    sentences = 20_000
    text = "".join(f"Word {number}.\n" for number in range(sentences))
    vectors = {f"Word {number}.": (float(number % 7), 1.0) for number in range(sentences)}
    figure = similarity_figure(*cut(Semantic(similarity_threshold=0.9), text=text, vectors=vectors))

    assert len(figure.to_json()) < 400_000
