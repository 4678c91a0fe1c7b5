"""Questions in the formats of other tools: recognised by their keys, placed by their quotes."""

from __future__ import annotations

import json

import pytest

from chunking import Question, Span, parse
from chunking.gold.questions import read_gold

TEA = parse("# Tea\n\nBoil the water. Warm the pot first.\n", name="docs/tea.md")
TYRES = parse("# Tyres\n\nMend a tyre with glue.\n", name="tyres.md")
BOIL, WARM = Span(7, 22), Span(23, 42)
GLUE = Span(9, 31)
ASKED = Question("What first?", "docs/tea.md", (WARM,))


def drafted(origin: str) -> Question:
    return Question("What first?", "docs/tea.md", (WARM,), "draft", origin)


RAGAS = {"user_input": "What first?", "reference_contexts": ["<1-hop>\n\nWarm the pot first."], "reference": "Warm it."}
EXAMPLE = {"query": "What first?", "reference_contexts": ["Warm the pot first."], "reference_answer": "Warm it."}
PAIRS = {"queries": {"q": "What first?"}, "corpus": {"n": "Warm the pot first."}, "relevant_docs": {"q": ["n"]}}
SNIPPET = {"file_path": "docs/tea.md", "span": [23, 42], "answer": "Warm the pot first."}
PARAGRAPH = "Boil the water. Warm the pot first."
ANSWER = {"text": "Warm the pot first.", "answer_start": 16}
QA = {"id": "1", "question": "What first?", "answers": [ANSWER, ANSWER]}
FLAT = {"text": ["Warm the pot first."], "answer_start": [16]}


@pytest.mark.parametrize(
    ("content", "taken_for", "question"),
    [
        (RAGAS, "RAGAS", ASKED),
        ([{**RAGAS, "synthesizer_name": "single_hop"}], "RAGAS", drafted("model: RAGAS single_hop")),
        ({"examples": [EXAMPLE]}, "LlamaIndex", ASKED),
        (
            {"examples": [{**EXAMPLE, "query_by": {"model_name": "m", "type": "ai"}}]},
            "LlamaIndex",
            drafted("model: m"),
        ),
        (PAIRS, "LlamaIndex", ASKED),
        ({"tests": [{"query": "What first?", "snippets": [SNIPPET]}]}, "LegalBench-RAG", ASKED),
        ({"version": "1.1", "data": [{"paragraphs": [{"context": PARAGRAPH, "qas": [QA]}]}]}, "SQuAD", ASKED),
        ({"id": "1", "question": "What first?", "context": PARAGRAPH, "answers": FLAT}, "SQuAD", ASKED),
        ([{"inputs": {"question": "What first?"}, "outputs": {"answer": "Warm the pot first."}}], "LangSmith", ASKED),
        ([{"question": "What first?", "references": ["Warm the pot first."]}], "a JSON array", ASKED),
    ],
)
def test_other_tools_questions_are_placed_where_their_quotes_are(
    content: object, taken_for: str, question: Question
) -> None:
    gold = read_gold(json.dumps(content, indent=1), [TEA, TYRES])

    assert (gold.questions, gold.problems, gold.taken_for) == ((question,), (), taken_for)


def test_lines_of_another_format_are_recognised_too() -> None:
    gold = read_gold(f"{json.dumps(RAGAS)}\n{json.dumps(RAGAS)}\n", [TEA, TYRES], json_lines=True)

    assert (len(gold.questions), gold.taken_for) == (2, "RAGAS")


def test_a_question_with_answers_in_two_documents_is_one_question_for_each() -> None:
    both = {"user_input": "What?", "reference_contexts": ["Boil the water.", "Mend a tyre with glue."]}

    assert read_gold(json.dumps(both), [TEA, TYRES]).questions == (
        Question("What?", "docs/tea.md", (BOIL,)),
        Question("What?", "tyres.md", (GLUE,)),
    )


def test_without_a_corpus_id_the_only_document_is_meant_in_csv_too() -> None:
    gold = read_gold('question,references\nWhat?,"[""Boil the water.""]"\n', [TEA])

    assert gold.questions == (Question("What?", "docs/tea.md", (BOIL,)),)


def test_a_quote_in_no_document_or_in_two_is_reported_and_never_guessed() -> None:
    copy = parse("Boil the water.\n", name="copy.md")
    rows = [
        {"user_input": "In two?", "reference_contexts": ["Boil the water."]},
        {"user_input": "In none?", "reference_contexts": ["Boil the milk."]},
        {"user_input": "In one?", "reference_contexts": ["Warm the\npot first."]},
    ]

    gold = read_gold(json.dumps(rows), [TEA, copy])

    assert [question.text for question in gold.questions] == ["In one?"]
    assert gold.problems == (
        "questions, question 1: 'Boil the water.' is in 2 documents; give a corpus_id; left out",
        "questions, question 1: names no document, and its quotes tell none; it is left out",
        "questions, question 2: 'Boil the milk.' is in none of the documents; left out",
        "questions, question 2: names no document, and its quotes tell none; it is left out",
    )


@pytest.mark.parametrize(
    ("text", "taken_for", "question"),
    [
        ("user_input,reference_contexts\nWhat first?,\"['Warm the pot first.']\"\n", "RAGAS", ASKED),
        (
            'user_input,reference_contexts,synthesizer_name\r\nWhat first?,"[""Warm the pot first.""]",single\r\n',
            "RAGAS",
            drafted("model: RAGAS single"),
        ),
        ("question,contexts,ground_truth\nWhat first?,\"['Warm the pot first.']\",Warm it.\n", "RAGAS", ASKED),
        (
            'inputs,outputs\n"{""question"": ""What first?""}","{""answer"": ""Warm the pot first.""}"\n',
            "LangSmith",
            ASKED,
        ),
    ],
)
def test_other_tools_csv_is_recognised_by_its_columns(text: str, taken_for: str, question: Question) -> None:
    gold = read_gold(text, [TEA, TYRES])

    assert (gold.questions, gold.problems, gold.taken_for) == ((question,), (), taken_for)
