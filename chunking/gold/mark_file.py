"""The file format of one text's marks: versioned JSON with the offsets and the quote of each mark.

The offsets place a mark in the same text; the quotes place it in another edition of the text.
"""

from __future__ import annotations

import json
from pathlib import Path

from chunking.document import Document, Span
from chunking.errors import GoldError
from chunking.gold.marks import Annotations
from chunking.gold.questions import Gold, Question, Review, read_gold

FORMAT = 1


def as_json(annotations: Annotations, document: Document) -> bytes:
    """The content of the file for these marks."""

    def reference(span: Span) -> dict[str, object]:
        return {"content": document[span], "start_index": span.start, "end_index": span.end}

    content = {
        "chunkscope_marks": FORMAT,
        "document": document.name,
        "questions": [
            {"question": each.text, "references": [reference(span) for span in each.answers], **each.notes}
            for each in annotations.questions
        ],
        "whole": [reference(span) for span in annotations.whole],
    }
    return (json.dumps(content, indent=1) + "\n").encode()


def parsed(raw: bytes, file: Path, document: Document) -> Annotations:
    """The marks in a file. Raises GoldError, naming the file, if it is not a file of marks of this
    text."""
    try:
        content: object = json.loads(raw)
    except (ValueError, RecursionError):
        raise _malformed(file, "is not valid JSON") from None
    if not isinstance(content, dict) or "chunkscope_marks" not in content:
        raise _malformed(file, "is not a file of Chunkscope's marks")
    if content["chunkscope_marks"] != FORMAT:
        raise GoldError(f"{file}: is of another version than {FORMAT}; open it with the Chunkscope that wrote it")
    questions, whole = content.get("questions"), content.get("whole")
    if not isinstance(questions, list) or not isinstance(whole, list):
        raise _malformed(file, "lacks questions or whole")
    parsed_questions = []
    for each in questions:
        text, references = (each.get("question"), each.get("references")) if isinstance(each, dict) else (None, None)
        if not isinstance(text, str) or not isinstance(references, list) or not references:
            raise _malformed(file, "has a question without its text or its answers")
        answers = tuple(_span(reference, file, document) for reference in references)
        parsed_questions.append(Question(text, document.name, answers, *_notes(each)))
    read = Annotations(tuple(parsed_questions), tuple(_span(reference, file, document) for reference in whole))
    return Annotations().with_all(document, read)


def placed_again(file: Path, document: Document) -> Gold | None:
    """The marks in another edition's file, placed by their quotes.

    None if the file is about a document of another name, or fewer than half of the quotes are
    found.
    """
    try:
        content: object = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(content, dict) or content.get("document") != document.name:
        return None
    questions, whole = content.get("questions"), content.get("whole")
    entries = [each for each in questions if isinstance(each, dict)] if isinstance(questions, list) else []
    rows = [{**each, "references": _quotes(each.get("references"))} for each in entries]
    rows += [{"kind": "whole", "references": [quote]} for quote in _quotes(whole)]
    lines = [json.dumps({**row, "corpus_id": document.name}) for row in rows]
    try:
        gold = read_gold("\n".join(lines), [document], json_lines=True, called="earlier marks", as_marks=True)
    except GoldError:
        return None
    placed = sum(len(question.answers) for question in gold.questions) + len(gold.whole)
    quotes = sum(len(_quotes(each.get("references"))) for each in entries) + len(_quotes(whole))
    return gold if 2 * placed >= quotes else None


def _quotes(references: object) -> list[str]:
    entries = references if isinstance(references, list) else []
    quotes = [each.get("content") for each in entries if isinstance(each, dict)]
    return [quote for quote in quotes if isinstance(quote, str)]


def _span(reference: object, file: Path, document: Document) -> Span:
    start = reference.get("start_index") if isinstance(reference, dict) else None
    end = reference.get("end_index") if isinstance(reference, dict) else None
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(document.text):
        raise _malformed(file, "has a mark that is not a span of the text")
    return Span(start, end)


def _notes(entry: dict[str, object]) -> tuple[Review, str, str]:
    """The review, origin and block of a question; without them a person wrote it."""
    origin, block = (value if isinstance(value := entry.get(key), str) else "" for key in ("origin", "block"))
    return "accepted" if entry.get("review") in (None, "accepted") else "draft", origin, block


def _malformed(file: Path, what: str) -> GoldError:
    return GoldError(f"{file}: {what}, so it is left as it is; move it away to mark anew, or put a copy back")
