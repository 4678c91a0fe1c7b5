"""Questions in the JSON and CSV of other tools, recognised by its keys, as rows of our own format:
RAGAS, LlamaIndex, LangSmith, LegalBench-RAG, SQuAD, and JSON arrays.

Contexts of RAGAS and LlamaIndex are the chunks that a question was made from, and stand for its
answers. Sources: ragas `SingleTurnSample`, the columns of its testsets, and how `from_csv` reads
lists; LlamaIndex
`LabelledRagDataset` and `EmbeddingQAFinetuneDataset`; LangSmith's examples (inputs, outputs,
metadata); the types of the LegalBench-RAG repository; SQuAD 1.1 and 2.0, also as flat rows.
"""

from __future__ import annotations

import json
import re
from ast import literal_eval
from collections.abc import Callable, Iterator, Mapping, Sequence

Row = dict[str, object]
_HOP = re.compile(r"^<\d+-hop>\s*")
"""How RAGAS marks the contexts of a question that needs several."""
_QUESTION_KEYS = ("question", "query", "input", "user_input")
_CONTEXT_KEYS = ("references", "reference_contexts", "contexts", "context")


def other_rows(text: str) -> tuple[str, list[Row]] | None:
    """What the text was taken for, and its rows with our keys; None where it is not JSON of another
    format, as our own JSON lines and CSV are not."""
    begun = text.lstrip("\ufeff \t\r\n")
    if not begun.startswith(("{", "[")):
        return None
    whole = _parsed(begun)
    if isinstance(whole, list):
        entries = [each for each in whole if isinstance(each, dict)]
        return _of_entries(entries, "a JSON array") if entries and len(entries) == len(whole) else None
    if isinstance(whole, dict):
        for name, key, rows in _WHOLE:
            if isinstance(whole.get(key), list | dict):
                return name, list(rows(whole))
        return _of_entries([whole], "")
    lines = [_parsed(line) for line in begun.splitlines() if line.strip()]
    entries = [each for each in lines if isinstance(each, dict)]
    return _of_entries(entries, "") if entries and len(entries) == len(lines) else None


def csv_rows(rows: Sequence[Mapping[str, str]], columns: Sequence[str]) -> tuple[str, list[Row]] | None:
    """What the rows of a CSV were taken for, by its columns, and the rows with our keys; None for
    our own form and unknown ones."""
    for wanted, named in (
        (("user_input", "reference_contexts"), {}),
        (("question", "contexts", "ground_truth"), {"question": "user_input", "contexts": "reference_contexts"}),
    ):
        if all(column in columns for column in wanted):
            entries = [{named.get(key, key): value for key, value in row.items()} for row in rows]
            lists = [{**each, "reference_contexts": _cell(each["reference_contexts"])} for each in entries]
            return "RAGAS", [made for entry in lists for made in _ragas(entry)]
    if "inputs" in columns and "outputs" in columns:
        cells = [{key: _cell(row.get(key)) for key in ("inputs", "outputs", "metadata")} for row in rows]
        return "LangSmith", [made for entry in cells for made in _langsmith(entry)]
    return None


def _cell(text: str | None) -> object:
    """The value of a cell of CSV: JSON, or as Python writes it, which is how pandas writes lists;
    the text where it is neither."""
    text = text or ""
    found = _parsed(text)
    if found is None and text[:1] in ("[", "{"):
        try:
            found = literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            return text
    return text if found is None else found


def _of_entries(entries: list[Row], otherwise: str) -> tuple[str, list[Row]] | None:
    for name, keys, row in _ENTRIES:
        if all(all(key in entry for key in keys) for entry in entries):
            return name, [made for entry in entries for made in row(entry)]
    return (otherwise, entries) if otherwise else None


def _ragas(entry: Row) -> Iterator[Row]:
    given = entry.get("reference_contexts")
    contexts = [given] if isinstance(given, str) and given else _list(given)
    quotes = [_HOP.sub("", each) if isinstance(each, str) else each for each in contexts]
    by = entry.get("synthesizer_name")
    drafted = {"review": "draft", "origin": f"model: RAGAS {by}"} if isinstance(by, str) and by else {}
    yield {"question": entry.get("user_input"), "references": quotes, **drafted}


def _llama_example(entry: Mapping[str, object]) -> Iterator[Row]:
    by = _mapping(entry.get("query_by"))
    origin = {"origin": f"model: {by['model_name']}"} if by.get("model_name") else {}
    drafted = {"review": "draft", **origin} if by.get("type") == "ai" else {}
    yield {"question": entry.get("query"), "references": _list(entry.get("reference_contexts")), **drafted}


def _llama_pairs(whole: Row) -> Iterator[Row]:
    queries, corpus, relevant = (_mapping(whole.get(key)) for key in ("queries", "corpus", "relevant_docs"))
    for key, question in queries.items():
        yield {"question": question, "references": [corpus.get(str(each)) for each in _list(relevant.get(key))]}


def _langsmith(entry: Row) -> Iterator[Row]:
    inputs, outputs, metadata = (_mapping(entry.get(key)) for key in ("inputs", "outputs", "metadata"))
    question = next((inputs[key] for key in _QUESTION_KEYS if key in inputs), None)
    references = next((source[key] for source in (outputs, metadata) for key in _CONTEXT_KEYS if key in source), None)
    if references is None:
        references = outputs.get("answer", outputs.get("output"))
    notes = {key: metadata[key] for key in ("corpus_id", "review", "origin", "block") if key in metadata}
    yield {"question": question, "references": references if isinstance(references, list) else [references], **notes}


def _legalbench(entry: Mapping[str, object]) -> Iterator[Row]:
    by_file: dict[object, list[Row]] = {}
    for snippet in map(_mapping, _list(entry.get("snippets"))):
        start, end = (*_list(snippet.get("span")), None, None)[:2]
        reference: Row = {"content": snippet.get("answer"), "start_index": start, "end_index": end}
        by_file.setdefault(snippet.get("file_path"), []).append(reference)
    for file, references in by_file.items():
        yield {"question": entry.get("query"), "references": references, "corpus_id": file}


def _squad(whole: Row) -> Iterator[Row]:
    for article in map(_mapping, _list(whole.get("data"))):
        for paragraph in map(_mapping, _list(article.get("paragraphs"))):
            for asked in map(_mapping, _list(paragraph.get("qas"))):
                yield _asked(asked.get("question"), paragraph.get("context"), _list(asked.get("answers")))


def _squad_row(entry: Row) -> Iterator[Row]:
    answers = _mapping(entry.get("answers"))
    pairs = zip(_list(answers.get("text")), _list(answers.get("answer_start")), strict=False)
    found: list[object] = [{"text": text, "answer_start": start} for text, start in pairs]
    yield _asked(entry.get("question"), entry.get("context"), found)


def _asked(question: object, context: object, answers: list[object]) -> Row:
    """Several people may have given the same answer: it counts once."""
    given = [(each.get("text"), each.get("answer_start")) for each in map(_mapping, answers)]
    references = [
        {"content": text, "context": context, "context_start": start}
        for number, (text, start) in enumerate(given)
        if (text, start) not in given[:number]
    ]
    return {"question": question, "references": references}


_WHOLE: tuple[tuple[str, str, Callable[[Row], Iterator[Row]]], ...] = (
    ("LegalBench-RAG", "tests", lambda whole: (r for e in _list(whole["tests"]) for r in _legalbench(_mapping(e)))),
    ("SQuAD", "data", _squad),
    (
        "LlamaIndex",
        "examples",
        lambda whole: (r for e in _list(whole["examples"]) for r in _llama_example(_mapping(e))),
    ),
    ("LlamaIndex", "relevant_docs", _llama_pairs),
)
"""Name, the key that tells it, and its rows."""
_ENTRIES: tuple[tuple[str, tuple[str, ...], Callable[[Row], Iterator[Row]]], ...] = (
    ("RAGAS", ("user_input", "reference_contexts"), _ragas),
    ("LangSmith", ("inputs", "outputs"), _langsmith),
    ("LegalBench-RAG", ("query", "snippets"), _legalbench),
    ("LlamaIndex", ("query", "reference_contexts"), _llama_example),
    ("SQuAD", ("question", "context", "answers"), _squad_row),
)


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _parsed(text: str) -> object:
    try:
        found: object = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found
