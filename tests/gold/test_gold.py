"""Questions with their answers: placed in the documents or reported, never guessed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from chunking import parse
from chunking.document import Span
from chunking.errors import GoldError
from chunking.gold.questions import Question, by_rule_words, gold_json_lines, load_gold, read_gold, unreviewed_words

TEA = parse("Boil water.\nPour it.\nWait. Wait.\n", name="docs/tea.md")
TYRES = parse("Mend a tyre.\n", name="tyres.md")


def lines(*rows: Mapping[str, object]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def test_a_csv_has_references_as_json() -> None:
    references = json.dumps([{"content": "Boil water.", "start_index": 0, "end_index": 11}]).replace('"', '""')

    gold = read_gold(f'question,references,corpus_id\n"what, first?","{references}",tea\n', [TEA, TYRES])

    assert gold.questions == (Question("what, first?", "docs/tea.md", (Span(0, 11),)),)
    assert gold.problems == ()


@pytest.mark.parametrize("corpus", ["docs/tea.md", "tea.md", "tea", "docs/tea"])
def test_a_corpus_id_is_a_documents_name_with_or_without_folder_and_ending(corpus: str) -> None:
    row = {"question": "?", "references": ["Pour it."], "corpus_id": corpus}

    assert read_gold(lines(row), [TEA, TYRES], json_lines=True).questions[0].document == "docs/tea.md"


def test_a_quote_without_offsets_is_found_with_its_white_space_read_loosely() -> None:
    row = {"question": "?", "references": [{"content": "water. Pour"}], "corpus_id": "tea"}

    assert read_gold(lines(row), [TEA], json_lines=True).questions[0].answers == (Span(5, 16),)


def test_half_a_character_in_a_question_becomes_a_whole_one() -> None:
    row = {"question": "why \ud83d?", "references": ["Pour it."], "corpus_id": "tea", "origin": "\ud83d"}
    (question,) = read_gold(lines(row), [TEA], json_lines=True).questions

    assert (question.text, question.origin) == ("why \ufffd?", "\ufffd")


def test_a_quote_that_is_not_found_or_found_twice_is_reported_and_left_out() -> None:
    row = {"question": "?", "references": ["Pour it.", "Stir it.", "Wait."], "corpus_id": "tea"}

    gold = read_gold(lines(row), [TEA], json_lines=True)

    assert gold.questions[0].answers == (Span(12, 20),)
    assert gold.problems == (
        "questions, line 1: the quote 'Stir it.' is not found in docs/tea.md; it is left out",
        "questions, line 1: the quote 'Wait.' is found twice; it is left out",
    )


def test_offsets_tell_a_repeated_quote_apart() -> None:
    row = {
        "question": "?",
        "references": [{"content": "Wait.", "start_index": 27, "end_index": 32}],
        "corpus_id": "tea",
    }

    gold = read_gold(lines(row), [TEA], json_lines=True)

    assert gold.questions[0].answers == (Span(27, 32),)
    assert gold.problems == ()


def test_offsets_that_hold_another_text_than_the_quote_are_reported_and_the_quote_is_followed() -> None:
    row = {"question": "?", "references": [{"content": "Pour", "start_index": 0, "end_index": 4}], "corpus_id": "tea"}

    gold = read_gold(lines(row), [TEA], json_lines=True)

    assert gold.questions[0].answers == (Span(12, 16),)
    assert gold.problems == ("questions, line 1: the text at 0 to 4 is not the quote; taken from where it is",)


@pytest.mark.parametrize(("start", "end"), [(5, 5), (-1, 3), (0, 9999), ("0", 3), (0, None), (0.5, 3), (True, 3)])
def test_offsets_that_are_no_span_of_the_document_are_reported(start: object, end: object) -> None:
    bad = {"start_index": start, "end_index": end}
    row = {"question": "?", "references": ["Pour it.", bad], "corpus_id": "tea"}

    (problem,) = read_gold(lines(row), [TEA], json_lines=True).problems

    assert "are not a span of docs/tea.md" in problem


def test_a_question_of_no_document_and_one_without_answers_are_reported_and_the_others_stay() -> None:
    rows = [
        {"question": "a", "references": ["Mend"], "corpus_id": "tires"},
        {"question": "b", "references": [], "corpus_id": "tyres"},
        {"question": " ", "references": ["Mend"], "corpus_id": "tyres"},
        {"question": "d", "references": ["Mend"], "corpus_id": "tyres"},
    ]

    gold = read_gold(lines(*rows), [TEA, TYRES], json_lines=True)

    assert [question.text for question in gold.questions] == ["d"]
    assert gold.problems == (
        "questions, line 1: corpus_id 'tires' is not among the documents; left out",
        "questions, line 2: no answer can be placed; the question is left out",
        "questions, line 3: has no question; it is left out",
    )


@pytest.mark.parametrize(
    ("text", "json_lines", "says"),
    [
        ("question,corpus_id\na,b\n", False, "has no column references"),
        ("question,references,corpus_id\n", False, "no question that can be measured"),
        ('question,references,corpus_id\n"a', False, "is not valid CSV"),
        ("[]\n", True, "is not a JSON object"),
    ],
)
def test_what_holds_no_questions_is_refused_in_one_line(text: str, json_lines: bool, says: str) -> None:
    with pytest.raises(GoldError) as raised:
        read_gold(text, [TEA], json_lines=json_lines)

    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


def test_questions_survive_being_written_and_loaded(tmp_path: Path) -> None:
    questions = (Question("what first?", "docs/tea.md", (Span(0, 11), Span(27, 32))),)
    file = tmp_path / "gold.jsonl"
    file.write_text(gold_json_lines(questions, {TEA.name: TEA}), encoding="utf-8")

    gold = load_gold(file, [TEA])

    assert gold.questions == questions
    assert gold.problems == ()


def test_a_file_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(GoldError, match="cannot be read"):
        load_gold(tmp_path / "none.csv", [TEA])


def test_a_line_says_who_worded_it_and_a_rejected_one_is_counted_and_left_out() -> None:
    rows = [
        {"question": "a", "references": ["Boil"], "review": "draft", "origin": "probe: heading", "block": "paragraph"},
        {"question": "b", "references": ["Boil"], "review": "rejected"},
        {"question": "c", "references": ["Boil"], "review": "maybe"},
    ]
    text = "".join(json.dumps({**row, "corpus_id": "tea"}) + "\n" for row in rows)

    gold = read_gold(text, [TEA], json_lines=True)

    boil = (Span(TEA.text.index("Boil"), TEA.text.index("Boil") + 4),)
    assert gold.questions == (
        Question("a", TEA.name, boil, "draft", "probe: heading", "paragraph"),
        Question("c", TEA.name, boil, "draft"),
    )
    assert gold.rejected == 1
    assert gold.problems == ("questions, line 3: review 'maybe' is not draft, accepted or rejected; taken as draft",)
    assert unreviewed_words(gold.questions) == "All 2 questions are drafts that nobody has reviewed"


def test_questions_that_were_worded_by_rule_are_said_to_be_easy_for_keywords() -> None:
    origins = ("", "rule: called", "model: x", "probe: heading", "probe: rare words")
    asked = [Question("Why?", "a.md", (Span(0, 3),), origin=origin) for origin in origins]

    assert by_rule_words(asked).startswith(
        "3 of 5 questions are made by rule from words of the answers, 2 of them keyword probes: a search by keywords"
    )
    assert by_rule_words(asked[:3]).startswith("1 of 3 questions is made by rule from words of the answers: a search")
    assert ", all of them keyword probes: " in by_rule_words(asked[3:])
    assert by_rule_words(asked[:3:2]) == ""
