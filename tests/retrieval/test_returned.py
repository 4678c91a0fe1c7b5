"""What hits give back, measured in the place of the chunks that were found: by numbers worked out
by hand, and by sets of characters."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chunking import Config, Document, Span, parse, run
from chunking.gold.questions import Question
from chunking.retrieval.evaluation import Evaluation, evaluate
from chunking.retrieval.ir_metrics import in_characters, precision_omega, scores
from chunking.retrieval.passages import Passage, passages_of
from chunking.retrieval.ranking import Searcher
from chunking.retrieval.returned import cost, fitting, retrieved_length, span_tokens, with_neighbours
from chunking.retrieval.standings import leaderboard, recommendation, returned_words
from chunking.text.spans import Length

ALPHABET = parse("abcdefghijklmnopqrstuvwxyz", name="a.md")
LENGTHS: dict[str, Length] = {"a.md": in_characters, "b.md": in_characters}
QUESTION = Question("which?", "a.md", (Span(2, 6), Span(10, 14)))
"""Two answers, eight characters: cdef and klmn."""


def passage(start: int, end: int, *returned: tuple[int, int], name: str = "a.md") -> Passage:
    spans = tuple(Span(*each) for each in returned)
    return Passage(name, ALPHABET.text[start:end], end - start, (Span(start, end),), spans)


def test_two_hits_that_give_back_one_stretch_count_it_once() -> None:
    found = scores(QUESTION, [passage(2, 4, (0, 8)), passage(4, 6, (0, 8))], LENGTHS)

    assert found.recall == 4 / 8
    assert found.precision == 4 / 8
    assert found.iou == 4 / (8 + 4)  # klmn is in nothing that was given back


def test_stretches_that_overlap_are_merged() -> None:
    found = scores(QUESTION, [passage(2, 4, (0, 8)), passage(7, 9, (5, 12))], LENGTHS)

    assert found.recall == 6 / 8
    assert found.precision == 6 / 12
    assert found.iou == 6 / (12 + 2)


def test_a_stretch_of_another_document_counts_as_retrieved_and_answers_nothing() -> None:
    found = scores(QUESTION, [passage(2, 4, (2, 6)), passage(2, 4, (0, 12), name="b.md")], LENGTHS)

    assert found.recall == 4 / 8
    assert found.precision == 4 / 16


def test_chunks_that_give_back_themselves_still_count_as_often_as_they_are_retrieved() -> None:
    assert retrieved_length([passage(0, 4), passage(2, 6), passage(0, 2, (0, 8)), passage(4, 6, (0, 8))], LENGTHS) == 16


def test_precision_omega_is_of_what_the_hits_that_answer_give_back() -> None:
    touching = [passage(2, 4, (0, 8)), passage(4, 6, (0, 8)), passage(10, 14, (8, 16))]

    assert precision_omega(QUESTION, touching, in_characters) == 8 / 16


def test_an_answer_is_kept_where_a_hit_gives_it_back_whole() -> None:
    small = [passage(2, 4, (0, 8)), passage(4, 6, (0, 8)), passage(10, 12), passage(12, 14)]

    found = evaluate(small, [QUESTION], [ALPHABET])

    assert found.cut == ((Span(10, 14),),)
    assert found.values["answers_kept"] == (0.5,)
    assert found.returned
    assert not evaluate([replace(each, returned=()) for each in small], [QUESTION], [ALPHABET]).returned


def test_a_neighbour_on_each_side_is_given_back_too_and_none_of_another_document() -> None:
    row = [passage(0, 4), passage(4, 8), passage(8, 12), passage(12, 16), passage(0, 4, name="b.md")]
    wide = with_neighbours(row, 1)

    assert [each.returned for each in wide] == [
        (Span(0, 8),),
        (Span(0, 12),),
        (Span(4, 16),),
        (Span(8, 16),),
        (Span(0, 4),),
    ]
    found = scores(QUESTION, [wide[1]], LENGTHS)
    assert (found.recall, found.precision, found.iou) == (6 / 8, 6 / 12, 6 / (12 + 2))
    assert with_neighbours(row, 0) == tuple(row)


def test_neighbours_give_back_nothing_that_is_in_no_chunk() -> None:
    wide = with_neighbours([passage(0, 4), passage(8, 12)], 5)

    assert [each.returned for each in wide] == [(Span(0, 4), Span(8, 12))] * 2


def test_neighbours_of_small_chunks_give_back_their_stretches() -> None:
    wide = with_neighbours([passage(0, 2, (0, 8)), passage(2, 4, (0, 8)), passage(9, 10, (8, 16))], 1)

    assert [each.returned for each in wide] == [(Span(0, 8),), (Span(0, 16),), (Span(0, 16),)]


def test_a_budget_is_spent_on_what_is_given_back_each_place_once() -> None:
    document = parse("one two three four five six seven eight", name="a.md")
    sizes = span_tokens([document], "words")
    first, second, far = Span(0, 13), Span(0, 18), Span(24, 39)  # 3 words, 4 of which 3 are the same, 3 others
    row = [Passage("a.md", "one", 1, (Span(0, 3),), (each,)) for each in (first, first, second, far)]

    assert [cost(row[:count], sizes) for count in range(5)] == [0, 3, 3, 4, 7]
    assert [fitting([0, 1, 2, 3], row, most, sizes) for most in (2, 3, 4, 6, 7)] == [
        [],
        [0, 1],
        [0, 1, 2],
        [0, 1, 2],
        [0, 1, 2, 3],
    ]


def spans() -> st.SearchStrategy[Span]:
    return st.tuples(st.integers(0, 25), st.integers(1, 9)).map(lambda each: Span(each[0], min(26, each[0] + each[1])))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(st.sampled_from(["a.md", "b.md"]), st.lists(spans(), min_size=1, max_size=3)), max_size=9))
def test_what_is_given_back_costs_as_many_characters_as_are_in_it(given_back: list[tuple[str, list[Span]]]) -> None:
    row = [Passage(name, "x", 1, (), tuple(each)) for name, each in given_back]
    places = {(name, at) for name, each in given_back for span in each for at in range(span.start, span.end)}

    assert cost(row, LENGTHS) == retrieved_length(row, LENGTHS) == len(places)


# ---- from a config to words ----

TEA = "# Tea\n\nBoil the water. Warm the pot. Wait a while.\n\n# Milk\n\nCold.\n"


def small_to_big(**changed: object) -> tuple[Document, tuple[Passage, ...]]:
    small = {"strategy": "fixed", "settings": {"chunkSize": 16, "chunkOverlap": 0}}
    big = {"strategy": "every-heading", "settings": {}}
    document = parse(TEA, name="tea.md")
    return document, passages_of(
        run(document, Config.of("small-to-big", {"small": small, "big": big, **changed}, "words"))  # type: ignore[dict-item]
    )


def measured(**changed: object) -> Evaluation:
    document, passages = small_to_big(**changed)
    at = TEA.index("Warm")
    question = Question("when is the pot warmed", "tea.md", (Span(at, at + len("Warm the pot.")),))
    return evaluate(passages, [question], [document], Searcher(passages, "bm25"), top=1, counted_by="words")


def test_the_chunks_of_small_to_big_give_back_what_their_records_say() -> None:
    _, passages = small_to_big()

    assert {each.returned for each in passages[:3]} == {(Span(0, TEA.index("\n\n# Milk")),)}
    document = parse(TEA, name="tea.md")
    assert all(not each.returned for each in passages_of(run(document, Config.of("fixed", {}, "words"))))


def test_small_to_big_finds_by_the_small_chunk_and_is_measured_by_the_large_one() -> None:
    found = measured()
    section, answer = TEA.index("\n\n# Milk"), len("Warm the pot.")

    assert found.values["recall"] == (1.0,)
    assert found.values["precision"] == (answer / section,)
    assert found.retrieved_tokens == 11  # of the section, "#" included; the small chunk has 4 at most
    assert found.answers_cut == 0


def test_it_is_said_that_what_hits_give_back_was_measured_and_of_which_configs() -> None:
    document, passages = small_to_big()
    asked = replace(QUESTION, document="tea.md")
    plain = evaluate([replace(each, returned=()) for each in passages], [asked], [document])
    returned = evaluate(passages, [asked], [document])

    assert returned_words({"plain": plain}, 0) == ""
    assert returned_words({"s2b": returned}, 2) == (
        "Measured by what a hit gives back in place of its chunk, with 2 neighbours on each side; a place that several "
        "hits give back counts once."
    )
    assert "a hit of s2b gives back" in returned_words({"plain": plain, "s2b": returned}, 0)


def test_giving_back_most_of_all_is_too_easy() -> None:
    assert "gives back 11 of its " in recommendation(leaderboard({"s2b": measured()}))
    assert "Too easy" not in recommendation(leaderboard({"s2b": measured(returns="window", windowSentences=0)}))


@pytest.mark.parametrize("neighbours", [1, 20])
def test_an_empty_corpus_has_no_neighbours(neighbours: int) -> None:
    assert with_neighbours([], neighbours) == ()
    assert with_neighbours([Passage("a.md", "lost", 1, ())], neighbours)[0].given == ()
