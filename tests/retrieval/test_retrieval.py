"""The metrics of retrieval, each against a number worked out by hand, in both modes."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking import Config, counter, parse, run
from chunking.document import Span
from chunking.errors import GoldError
from chunking.gold.questions import Question
from chunking.retrieval.evaluation import evaluate
from chunking.retrieval.ir_metrics import (
    Corpus,
    in_characters,
    in_tokens,
    precision_omega,
    rank_scores,
    scores,
    touches,
)
from chunking.retrieval.passages import Mode, Passage, load_foreign, passages_of
from chunking.retrieval.ranking import Searcher
from chunking.text.spans import minus, union
from chunking.tokens import token_index

ALPHABET = parse("abcdefghijklmnopqrstuvwxyz", name="a.md")
DIGITS = parse("0123456789", name="b.md")
LENGTHS: dict[str, Callable[[Span], int]] = {"a.md": in_characters, "b.md": in_characters}
QUESTION = Question("which?", "a.md", (Span(2, 6), Span(10, 14)))
"""Two answers, eight characters: cdef and klmn."""


def passage(start: int, end: int, name: str = "a.md") -> Passage:
    text = (ALPHABET if name == "a.md" else DIGITS).text[start:end]
    return Passage(name, text, end - start, (Span(start, end),))


A, B, C, D = passage(0, 4), passage(4, 8), passage(6, 10), passage(20, 26)


# ---- recall, precision, IoU ----


@pytest.mark.parametrize("mode", ["strict", "published"])
def test_two_of_eight_characters_in_ten_retrieved_ones(mode: Mode) -> None:
    found = scores(QUESTION, [A, D], LENGTHS, mode)

    assert found.recall == 2 / 8
    assert found.precision == 2 / 10
    assert found.iou == 2 / (10 + 2 + 4)  # ef of the first answer and the whole second are in nothing retrieved


@pytest.mark.parametrize("mode", ["strict", "published"])
def test_what_is_retrieved_twice_counts_once_as_found_and_twice_as_retrieved(mode: Mode) -> None:
    found = scores(QUESTION, [A, passage(2, 6)], LENGTHS, mode)

    assert found.recall == 4 / 8
    assert found.precision == 4 / 8
    assert found.iou == 4 / (8 + 4)


@pytest.mark.parametrize("mode", ["strict", "published"])
def test_a_passage_of_another_document_answers_nothing_and_counts_as_retrieved(mode: Mode) -> None:
    found = scores(QUESTION, [passage(2, 6, "b.md"), passage(10, 14)], LENGTHS, mode)

    assert found.recall == 4 / 8
    assert found.precision == 4 / 8


def test_nothing_retrieved_scores_nothing() -> None:
    found = scores(QUESTION, [], LENGTHS)

    assert (found.recall, found.precision, found.iou) == (0.0, 0.0, 0.0)


def test_answers_that_overlap_are_not_joined_in_the_length_that_recall_divides_by() -> None:
    overlapping = Question("which?", "a.md", (Span(0, 4), Span(2, 6)))

    assert scores(overlapping, [passage(0, 6)], LENGTHS).recall == 6 / 8


def test_tokens_are_counted_where_they_begin_so_that_lengths_add_up() -> None:
    text = "one two three four"
    length = in_tokens(token_index(text, counter("cl100k_base")))

    assert [length(Span(0, 3)), length(Span(3, 13)), length(Span(0, 18))] == [1, 2, 4]
    assert length(Span(0, 5)) + length(Span(5, 18)) == 4


def test_token_wise_scores_count_tokens() -> None:
    document = parse("one two three four", name="a.md")
    lengths = {"a.md": in_tokens(token_index(document.text, counter("cl100k_base")))}
    question = Question("which?", "a.md", (Span(3, 13),))  # " two three"
    retrieved = Passage("a.md", "one two", 2, (Span(0, 7),))

    found = scores(question, [retrieved], lengths)

    assert (found.recall, found.precision, found.iou) == (1 / 2, 1 / 2, 1 / 3)


# ---- precision-omega ----


def test_strict_a_passage_that_only_touches_an_answer_is_no_hit() -> None:
    corpus = Corpus([A, B, C, D], [ALPHABET], "strict")

    assert corpus.touching("a.md", QUESTION.answers) == [0, 1]
    # cdef of a to h, and klmn that no passage says.
    assert precision_omega(QUESTION, [A, B], in_characters, "strict") == 4 / (8 + 4)


def test_published_a_passage_that_only_touches_an_answer_is_a_hit() -> None:
    corpus = Corpus([A, B, C, D], [ALPHABET], "published")

    assert corpus.touching("a.md", QUESTION.answers) == [0, 1, 2]
    assert precision_omega(QUESTION, [A, B, C], in_characters, "published") == 4 / (10 + 4)


def test_overlap_between_passages_costs_precision_omega_nothing() -> None:
    assert precision_omega(QUESTION, [passage(0, 8), passage(4, 14)], in_characters) == 8 / 14


def test_precision_omega_is_nothing_without_a_hit() -> None:
    assert precision_omega(QUESTION, [], in_characters) == 0.0


@given(
    cuts=st.lists(st.integers(1, 25), max_size=8, unique=True),
    overlap=st.integers(0, 3),
    answers=st.lists(st.tuples(st.integers(0, 24), st.integers(1, 8)), min_size=1, max_size=3),
    mode=st.sampled_from(["strict", "published"]),
)
def test_precision_omega_is_an_upper_bound_on_precision_for_the_passages_that_hold_the_answers(
    cuts: list[int], overlap: int, answers: list[tuple[int, int]], mode: Mode
) -> None:
    edges = [0, *sorted(cuts), 26]
    passages = [passage(max(0, start - overlap), end) for start, end in pairwise(edges)]
    question = Question("?", "a.md", tuple(Span(start, min(26, start + length)) for start, length in answers))
    holding = [passages[at] for at in Corpus(passages, [ALPHABET], mode).touching("a.md", question.answers)]

    bound = precision_omega(question, holding, in_characters, mode)

    assert 0 < bound <= 1
    assert scores(question, holding, LENGTHS, mode).precision <= bound + 1e-12


# ---- answers cut, rankings, spans ----


def test_an_answer_is_cut_when_no_single_passage_says_it_whole() -> None:
    corpus = Corpus([A, B, passage(8, 20)], [ALPHABET])

    assert corpus.cut_answers(QUESTION) == (Span(2, 6),)


def test_white_space_that_no_passage_says_does_not_cut_an_answer() -> None:
    document = parse("one\n\ntwo", name="a.md")
    held = Passage("a.md", "one two", 2, (Span(0, 3), Span(5, 8)))

    assert Corpus([held], [document]).cut_answers(Question("?", "a.md", (Span(0, 8),))) == ()


def test_the_metrics_of_a_ranking_with_two_relevant_at_ranks_two_and_three() -> None:
    assert rank_scores([3, 1, 2], [1, 2], 3) == {
        "recall_at_k": 1.0,
        "precision_at_k": pytest.approx(2 / 3),
        "mrr": 0.5,
        "map": pytest.approx((1 / 2 + 2 / 3) / 2),
        "ndcg": pytest.approx(0.693426, abs=1e-6),  # (1/log2(3) + 1/log2(4)) / (1/log2(2) + 1/log2(3))
    }


def test_a_relevant_passage_below_the_top_counts_for_nothing() -> None:
    assert set(rank_scores([3, 1], [1], 1).values()) == {0.0}


def test_spans_join_where_they_touch_and_part_where_something_is_taken() -> None:
    assert union([Span(4, 6), Span(0, 2), Span(2, 3)]) == [Span(0, 3), Span(4, 6)]
    assert minus([Span(0, 10)], [Span(2, 4), Span(9, 12)]) == [Span(0, 2), Span(4, 9)]


def test_closed_ranges_touch_at_their_ends_and_half_open_ones_do_not() -> None:
    assert touches(Span(0, 2), Span(2, 4), "published")
    assert not touches(Span(0, 2), Span(2, 4), "strict")


# ---- passages ----


def test_strict_a_repeated_chunk_is_where_it_was_cut_and_published_where_its_text_is_first_found() -> None:
    document = parse("same.\n\nsame.\n", name="a.md")
    made = run(document, Config.of("fixed", {"chunkSize": 7, "chunkOverlap": 0}, "words"))

    assert [each.spans for each in passages_of(made, "strict")] == [(Span(0, 7),), (Span(7, 13),)]
    assert [each.spans for each in passages_of(made, "published")] == [(Span(0, 7),), (Span(0, 6),)]


def test_published_a_last_full_stop_is_dropped() -> None:
    document = parse("same.", name="a.md")

    (only,) = passages_of(run(document, Config.of("fixed", {}, "words")), "published")

    assert only.spans == (Span(0, 4),)


def test_a_chunks_overlap_is_among_its_spans_and_its_holes_are_not() -> None:
    document = parse("aaaa bbbb cccc dddd ", name="n.md")
    made = run(document, Config.of("fixed", {"chunkSize": 10, "chunkOverlap": 5}, "words"))

    assert [each.spans for each in passages_of(made)] == [(Span(0, 10),), (Span(5, 15),), (Span(10, 20),)]


# ---- evaluate ----


def test_evaluate_gives_each_metric_for_each_question() -> None:
    document = parse("# Tea\n\nBoil water.\n\n# Tyres\n\nMend a tyre.\n", name="a.md")
    passages = passages_of(run(document, Config.of("every-heading", {}, "words")))
    at = document.text.index("Mend")
    question = Question("how is a tyre mended", "a.md", (Span(at, at + 12),))
    tyres = passages[1].spans

    found = evaluate(passages, [question], [document], Searcher(passages, "bm25"), top=1)

    assert found.answers_cut == 0
    assert found.retrieved == ((1,),)
    assert found.values["answers_kept"] == (1.0,)
    assert found.values["recall"] == (1.0,)
    assert found.values["precision"] == (12 / sum(map(len, tyres)),)
    assert found.values["precision"] == found.values["precision_omega"] == found.values["iou"]
    assert (found.values["recall_at_k"], found.values["mrr"], found.values["ndcg"]) == ((1.0,), (1.0,), (1.0,))


def test_without_a_search_only_what_needs_none_is_measured() -> None:
    found = evaluate([A, B], [QUESTION], [ALPHABET])

    assert list(found.values) == ["answers_kept", "precision_omega", "token_precision_omega"]
    assert found.answers_cut == 2
    assert found.values["answers_kept"] == (0.0,)


def test_a_budget_of_tokens_takes_the_best_that_fit() -> None:
    passages = [Passage("a.md", "tea tea tea", 3, (Span(0, 4),)), Passage("a.md", "tea pot", 2, (Span(4, 8),))]
    question = Question("tea", "a.md", (Span(0, 2),))

    taken = [
        evaluate(passages, [question], [ALPHABET], Searcher(passages, "bm25"), max_tokens=limit).retrieved[0]
        for limit in (2, 3, 5)
    ]

    assert [len(each) for each in taken] == [0, 1, 2]


def test_a_search_by_vectors_needs_an_embedder() -> None:
    with pytest.raises(GoldError, match="nothing to rank passages by"):
        Searcher([A], "cosine")


# ---- chunks of another tool ----


def test_chunks_of_another_tool_without_offsets_are_found_one_after_the_other(tmp_path: Path) -> None:
    document = parse("same\n\nsame\n", name="a.md")
    file = tmp_path / "theirs.jsonl"
    file.write_text('{"text": "same", "document": "a.md"}\n{"text": "same", "document": "a.md"}\n', encoding="utf-8")

    strict = load_foreign(file, [document], "words")
    published = load_foreign(file, [document], "words", "published")

    assert [each.spans for each in strict.passages] == [(Span(0, 4),), (Span(6, 10),)]
    assert [each.spans for each in published.passages] == [(Span(0, 4),), (Span(0, 4),)]


def test_a_tidied_text_is_found_by_its_letters_and_a_strange_one_is_reported(tmp_path: Path) -> None:
    document = parse("One\n  two THREE\n", name="a.md")
    file = tmp_path / "theirs.jsonl"
    file.write_text('{"text": "one two three"}\n{"text": "four"}\n', encoding="utf-8")

    found = load_foreign(file, [document], "words")

    assert [each.spans for each in found.passages] == [(Span(0, 15),), ()]
    assert found.problems == (f"{file}, line 2: its text is not found in a.md; it answers nothing",)


def test_our_own_json_lines_give_the_same_spans_as_the_run(tmp_path: Path) -> None:
    from chunking.core.records import json_line, records

    document = parse("# Kettle\n\none two\n\n## Fill\n\nthree four five\n", name="a.md")
    made = run(document, Config.of("block-packing", {"maxTokens": 100}, "words"))
    file = tmp_path / "ours.jsonl"
    file.write_text("".join(json_line(each) + "\n" for each in records(made.parts, document)), encoding="utf-8")

    assert [e.spans for e in load_foreign(file, [document], "words").passages] == [e.spans for e in passages_of(made)]


@pytest.mark.parametrize("holes", [[["1", 2]], [[2, 1]], [[0, 99]], [[3, 4], [1, 2]], 7, [None]])
def test_holes_that_are_none_leave_the_chunk_where_it_says_it_is(tmp_path: Path, holes: object) -> None:
    file = tmp_path / "theirs.jsonl"
    file.write_text(json.dumps({"text": "abcde", "start": 0, "end": 5, "holes": holes}), encoding="utf-8")

    assert load_foreign(file, [ALPHABET], "words").passages[0].spans == (Span(0, 5),)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("nonsense", "is not a chunk"),
        ('{"text": "x", "document": "z.md"}', "is not among the corpora"),
        ("", "has no chunks"),
    ],
)
def test_what_is_no_file_of_chunks_is_refused_in_one_line(tmp_path: Path, line: str, says: str) -> None:
    file = tmp_path / "theirs.jsonl"
    file.write_text(line + "\n", encoding="utf-8")

    with pytest.raises(GoldError, match=says):
        load_foreign(file, [ALPHABET, DIGITS], "words")
