"""Questions in the forms of other tools, so that each of them, and `load_gold`, reads them again.

Each form holds less than ours or the same; `LOSES` says what it cannot hold. Sources as of
other_formats.py and judgment_files.py.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Literal, get_args
from urllib.parse import quote

from chunking.document import Document, Span
from chunking.gold.question_rows import COLUMNS, NOTES
from chunking.gold.questions import Gold, Question, gold_json_lines
from chunking.text.spans import minus, union

Form = Literal["jsonl", "csv", "ragas", "llamaindex", "langsmith", "beir", "trec", "legalbench-rag", "squad"]
FORMS: tuple[Form, ...] = get_args(Form)
FOLDERS: tuple[Form, ...] = ("beir", "trec")
"""Forms of several files."""
Documents = Mapping[str, Document]
"""By name."""

_PLACES = "documents and places (a quote is looked for in all documents again)"
_NOTES = "review, origin and block"
_SOME_NOTES = "block, and the origin of what no model worded"
LOSES: Mapping[Form, tuple[str, ...]] = {
    "jsonl": (),
    "csv": (),
    "ragas": (_PLACES, _NOTES),
    "llamaindex": (_PLACES, _SOME_NOTES),
    "langsmith": (),
    "beir": (),
    "trec": ("which part of a document answers", _NOTES),
    "legalbench-rag": (_NOTES,),
    "squad": (_NOTES,),
}
"""What a form cannot hold, spans that must stay whole aside."""
WITH_WHOLE: tuple[Form, ...] = ("jsonl", "csv")
"""Forms that hold spans that must stay whole as well."""


def exported(gold: Gold, documents: Documents, form: Form, *, table: bool = False) -> dict[str, str]:
    """The text of each file by its name, "" where the form is one file; `table` for CSV where the
    form may be that as well (ragas, langsmith)."""
    asked = gold.questions
    if form == "jsonl":
        return {"": gold_json_lines(asked, documents, gold.whole)}
    if form == "csv":
        rows = map(json.loads, gold_json_lines(asked, documents, gold.whole).splitlines())
        return {"": _csv([*COLUMNS, *NOTES], ({**row, "references": _json(row["references"])} for row in rows))}
    if form == "beir":
        return _beir(asked, documents)
    if form == "trec":
        return _trec(asked)
    if form in ("ragas", "langsmith"):
        lines = list((_ragas if form == "ragas" else _langsmith)(asked, documents))
        if not table:
            return {"": "".join(f"{_json(line)}\n" for line in lines)}
        # Lists as Python writes them: ragas reads a CSV by literal_eval.
        cell: Callable[[object], str] = str if form == "ragas" else _json
        rows_of_cells = (
            {key: each if isinstance(each, str) else cell(each) for key, each in line.items()} for line in lines
        )
        return {"": _csv(list(lines[0]) if lines else [], rows_of_cells)}
    whole = {"llamaindex": _llamaindex, "legalbench-rag": _legalbench, "squad": _squad}[form]
    return {"": json.dumps(whole(asked, documents), ensure_ascii=False, indent=1) + "\n"}


def lost(gold: Gold, form: Form) -> list[str]:
    """What of these questions the form cannot hold."""
    noted = any(question.notes for question in gold.questions)
    found = [each for each in LOSES[form] if noted or each not in (_NOTES, _SOME_NOTES)]
    return [*found, *(["spans that must stay whole"] if gold.whole and form not in WITH_WHOLE else [])]


def held(question: Question, form: Form) -> tuple[object, ...]:
    """What of a question the form holds: equal to that of the question that is read again."""
    if form == "trec":
        return question.text, question.document
    of_all = (question.text, question.document, question.answers)
    if _NOTES in LOSES[form]:
        return of_all
    if form == "llamaindex":
        return (*of_all, question.review, _model(question))
    return (*of_all, question.review, question.origin, question.block)


def _model(question: Question) -> str:
    """The model that has worded a draft; "" for others."""
    by_model = question.review == "draft" and question.origin.startswith("model: ")
    return question.origin.removeprefix("model: ") if by_model else ""


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _csv(columns: Sequence[str], rows: Iterable[Mapping[str, object]]) -> str:
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, columns, restval="")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def _quotes(question: Question, documents: Documents) -> list[str]:
    return [documents[question.document][answer] for answer in question.answers]


def _ragas(asked: Iterable[Question], documents: Documents) -> Iterator[dict[str, object]]:
    for each in asked:
        yield {"user_input": each.text, "reference_contexts": _quotes(each, documents)}


def _langsmith(asked: Iterable[Question], documents: Documents) -> Iterator[dict[str, object]]:
    for each in asked:
        quotes = _quotes(each, documents)
        references = [
            {"content": text, "start_index": answer.start, "end_index": answer.end}
            for text, answer in zip(quotes, each.answers, strict=True)
        ]
        yield {
            "inputs": {"question": each.text},
            "outputs": {"answer": "\n".join(quotes), "references": references},
            "metadata": {"corpus_id": each.document, **each.notes},
        }


def _llamaindex(asked: Iterable[Question], documents: Documents) -> dict[str, object]:
    examples = [
        {
            "query": each.text,
            "query_by": {"model_name": _model(each), "type": "ai" if each.review == "draft" else "human"},
            "reference_contexts": _quotes(each, documents),
            "reference_answer": "",
            "reference_answer_by": None,
        }
        for each in asked
    ]
    return {"examples": examples}


def _legalbench(asked: Iterable[Question], documents: Documents) -> dict[str, object]:
    def snippets(question: Question) -> list[dict[str, object]]:
        return [
            {"file_path": question.document, "span": [answer.start, answer.end], "answer": text}
            for answer, text in zip(question.answers, _quotes(question, documents), strict=True)
        ]

    return {"tests": [{"query": each.text, "snippets": snippets(each)} for each in asked]}


def _squad(asked: Sequence[Question], documents: Documents) -> dict[str, object]:
    """One paragraph a question: the blocks of its answers, or the whole document where another
    place has the same blocks."""
    articles: dict[str, list[dict[str, object]]] = {}
    for number, each in enumerate(asked, start=1):
        document = documents[each.document]
        around = _blocks_around(document, each.answers)
        if sum(other.text.count(document[around]) for other in documents.values()) > 1:
            around = Span(0, len(document.text))
        answers = [{"text": document[answer], "answer_start": answer.start - around.start} for answer in each.answers]
        asks = [{"id": str(number), "question": each.text, "answers": answers}]
        articles.setdefault(each.document, []).append({"context": document[around], "qas": asks})
    data = [{"title": name, "paragraphs": paragraphs} for name, paragraphs in articles.items()]
    return {"version": "1.1", "data": data}


def _blocks_around(document: Document, answers: Sequence[Span]) -> Span:
    start, end = min(answer.start for answer in answers), max(answer.end for answer in answers)
    first, last = document.block_at(start), document.block_at(end - 1)
    return Span(min(start, first.span.start), max(end, last.content_end))


def _trec(asked: Sequence[Question]) -> dict[str, str]:
    topics = "".join(f"{number}\t{' '.join(each.text.split())}\n" for number, each in enumerate(asked, start=1))
    qrels = "".join(f"{number} 0 {without_spaces(each.document)} 1\n" for number, each in enumerate(asked, start=1))
    return {"topics.tsv": topics, "qrels.txt": qrels}


def without_spaces(name: str) -> str:
    """A name as an id of TREC's files, whose columns are between spaces: `%20` for a space."""
    return re.sub(r"[\s%]", lambda found: quote(found[0]), name)


def _beir(asked: Sequence[Question], documents: Documents) -> dict[str, str]:
    """The corpus is all documents in passages: each answer is one, and so is what is left of each
    block. A passage keeps its place in `metadata`, a query its notes."""
    answers: dict[str, list[Span]] = {name: [] for name in documents}
    for each in asked:
        answers[each.document] += each.answers
    passages = [
        {
            "_id": _passage_id(name, span),
            "title": " > ".join(document.section_at(span.start).breadcrumb[1:]),
            "text": document[span],
            "metadata": {"document": name, "start_index": span.start, "end_index": span.end},
        }
        for name, document in documents.items()
        for span in _tiles(document, answers[name])
    ]
    queries = [
        {"_id": str(number), "text": each.text, "metadata": each.notes} for number, each in enumerate(asked, start=1)
    ]
    qrels = [
        f"{number}\t{_passage_id(each.document, answer)}\t1\n"
        for number, each in enumerate(asked, start=1)
        for answer in each.answers
    ]
    return {
        "corpus.jsonl": "".join(f"{_json(each)}\n" for each in passages),
        "queries.jsonl": "".join(f"{_json(each)}\n" for each in queries),
        "qrels/test.tsv": "".join(["query-id\tcorpus-id\tscore\n", *qrels]),
    }


def _tiles(document: Document, answers: Sequence[Span]) -> list[Span]:
    taken = union(answers)
    blocks = (Span(block.span.start, block.content_end) for block in document.blocks if block.kind != "blank")
    left = chain.from_iterable(minus([block], taken) for block in blocks)
    said = (span for span in left if document[span].strip())
    return sorted({*answers, *said}, key=lambda span: (span.start, span.end))


def _passage_id(name: str, span: Span) -> str:
    return f"{without_spaces(name)}#{span.start}-{span.end}"
