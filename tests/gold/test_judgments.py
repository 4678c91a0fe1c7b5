"""Relevance judgments of BEIR and TREC as questions: the passage's own text where the documents
have it, else the whole document."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunking import Question, Span, parse
from chunking.errors import GoldError
from chunking.gold.questions import load_gold

TEA = parse("# Tea\n\nBoil the water. Warm the pot first.\n", name="docs/tea.md")
TYRES = parse("# Tyres\n\nMend a tyre with glue.\n", name="tyres.md")
BOTH = (TEA, TYRES)
WARM = Question("What first?", "docs/tea.md", (Span(23, 42),))
CORPUS = [
    {"_id": "p 1", "title": "Tea", "text": "Warm the pot first."},
    {"_id": "p2", "title": "", "text": "Mend a tyre with glue."},
    {"_id": "p3", "title": "", "text": "Nowhere."},
]
QUERIES = [{"_id": "q1", "text": "What first?"}, {"_id": "ü 2", "text": "What mends?"}]
HEAD = "query-id\tcorpus-id\tscore\n"


def beir(folder: Path, qrels: str = "q1\tp 1\t1\n", end: str = "\n", queries: object = None) -> Path:
    (folder / "qrels").mkdir(exist_ok=True)
    for name, rows in (("corpus", CORPUS), ("queries", queries or QUERIES)):
        text = "".join(json.dumps(row, ensure_ascii=False) + end for row in rows)  # type: ignore[attr-defined]
        (folder / f"{name}.jsonl").write_bytes(text.encode())
    (folder / "qrels" / "test.tsv").write_bytes((HEAD + qrels).replace("\n", end).encode())
    return folder


@pytest.mark.parametrize("given", ["", "queries.jsonl", "qrels/test.tsv", "corpus.jsonl"])
def test_a_beir_folder_or_any_of_its_files_is_read_and_passages_are_found_by_their_text(
    tmp_path: Path, given: str
) -> None:
    gold = load_gold(beir(tmp_path) / given, BOTH)

    assert (gold.questions, gold.problems) == ((WARM,), ())
    assert gold.taken_for == "BEIR: relevance without spans; the answers are 1 passage and 0 whole documents"


def test_ids_with_spaces_and_other_letters_crlf_and_a_byte_order_mark_are_read(tmp_path: Path) -> None:
    folder = beir(tmp_path, "q1\tp 1\t2\nü 2\tp2\t1\nü 2\tp 1\t0\n", "\r\n")
    queries = folder / "queries.jsonl"
    queries.write_bytes(b"\xef\xbb\xbf" + queries.read_bytes())

    gold = load_gold(folder, BOTH)

    assert [(each.text, each.document) for each in gold.questions] == [
        ("What first?", "docs/tea.md"),
        ("What mends?", "tyres.md"),
    ]
    assert "grades above 0 count alike" in gold.taken_for


def test_trec_judgments_mean_the_whole_document_that_the_id_names(tmp_path: Path) -> None:
    (tmp_path / "qrels.txt").write_text("301 0 tyres.md 1\n301 0 tea 0\n302 0 docs/tea.md -1\n", "utf-8")
    topics = "<top>\n<num> Number: 301\n<title> Tyre &amp; glue\n<desc> Description:\nHow?\n</top>\n"
    (tmp_path / "topics.301.txt").write_text(topics, "utf-8")

    gold = load_gold(tmp_path / "qrels.txt", BOTH)

    assert gold.questions == (Question("Tyre & glue", "tyres.md", (Span(0, 31),)),)
    assert gold.taken_for == (
        "TREC: relevance without spans; the answers are 0 passages and 1 whole document, of which recall is the share "
        "that is retrieved"
    )


def test_topics_may_be_lines_of_an_id_and_a_query_or_xml(tmp_path: Path) -> None:
    (tmp_path / "qrels.trec").write_text("7 0 tyres 1\n", "utf-8")
    topics = tmp_path / "topics.tsv"
    for text in (
        "7\tMend how?\n",
        '<topics><topic number="7"><query>mend</query><question>Mend how?</question></topic>',
    ):
        topics.write_text(text, "utf-8")
        assert [each.text for each in load_gold(topics, BOTH).questions] == ["Mend how?"]


def test_a_query_with_answers_in_two_documents_is_one_question_for_each_and_that_is_said(tmp_path: Path) -> None:
    gold = load_gold(beir(tmp_path, "q1\tp 1\t1\nq1\tp2\t1\n"), BOTH)

    assert [each.document for each in gold.questions] == ["docs/tea.md", "tyres.md"]
    assert "1 query with answers in several documents: one question for each" in gold.taken_for


def test_ids_that_are_there_twice_or_nowhere_are_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    twice = [*QUERIES, {"_id": "q1", "text": "Another?"}]
    folder = beir(tmp_path, "q1\tp 1\t1\nq1\tp 1\t1\nq1\tp3\t1\nq9\tp2\t1\nq1\tgone\t1\n", queries=twice)

    gold = load_gold(folder, BOTH)

    assert gold.questions == (WARM,)
    assert [problem.replace(str(tmp_path), "F") for problem in gold.problems] == [
        "F/queries.jsonl: 1 id (q1, ...) more than once; the first is taken",
        "F/qrels/test.tsv: 1 id (p 1, ...) more than once; the first judgment is taken",
        "F/qrels/test.tsv: 1 judged id (q9, ...) left out: no query has it",
        "F: 2 relevant ids (p3, ...) left out: not in corpus.jsonl with a text that is in one document, or the name "
        "of a document",
    ]


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"qrels.txt": "1 0 tea 1\n"}, "need queries.jsonl (BEIR) or a file with topics or queries in its name"),
        ({"queries.jsonl": '{"_id": "1", "text": "?"}\n'}, "need qrels/test.tsv (BEIR) or a file with qrels"),
        ({"queries.jsonl": '{"_id": "1"}\n', "qrels.txt": "1 0 tea 1\n"}, "line 1: has no _id and text"),
        ({"topics.txt": "", "qrels.txt": "1 0 tea 1\n"}, "topics.txt: no query in it"),
        ({"topics.tsv": "no tab\n", "qrels.txt": "1 0 tea 1\n"}, "topics.tsv, line 1: is not a topic"),
        ({"topics.tsv": "1\t?\n", "qrels.txt": ""}, "qrels.txt: nothing in it is relevant"),
        ({"topics.tsv": "1\t?\n", "qrels.txt": "1 0 tea 0\n"}, "qrels.txt: nothing in it is relevant"),
        ({"topics.tsv": "1\t?\n", "qrels.txt": "1 0 tea 1\n1 0 tea\n"}, "line 2: '1 0 tea' is neither BEIR's"),
        ({"topics.tsv": "1\t?\n", "qrels.txt": "1 0 tea 1\n", "qrels.old": "x"}, "more than one file could be"),
        ({"topics.tsv": "1\t?\n", "qrels.txt": "1 0 milk 1\n"}, "1 relevant id (milk, ...) left out"),
    ],
)
def test_what_is_missing_or_damaged_is_one_line_with_the_file(tmp_path: Path, files: dict[str, str], said: str) -> None:
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")

    with pytest.raises(GoldError) as caught:
        load_gold(tmp_path, BOTH)

    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
