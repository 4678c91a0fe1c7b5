"""The file format of one text's marks: versioned JSON with the offsets and the quote of each mark.

The offsets place a mark in the same text; the quotes place it in another edition of the text.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from chunking.document import Document, Span
from chunking.errors import GoldError
from chunking.gold.marks import Annotations
from chunking.gold.questions import Gold, Question, Review, WholeMark
from chunking.gold.quote_matching import found_once
from chunking.runtime.regular_file import opened_file
from chunking.text.decoding import with_whole_characters
from chunking.text.display import shown_text

FORMAT = 1
LARGEST = 64 * 1024 * 1024
"""Bytes of a file that is read."""


@dataclass(frozen=True, slots=True)
class Edition:
    """The marks of another edition of a text, as far as their quotes are in this one once."""

    marks: Annotations
    problems: tuple[str, ...]
    """A line for each mark that cannot be placed, with its question."""


def as_json(annotations: Annotations, document: Document) -> bytes:
    """The content of the file for these marks."""

    def reference(span: Span) -> dict[str, object]:
        return {"content": document[span], "start_index": span.start, "end_index": span.end}

    def entries(questions: Sequence[Question]) -> list[dict[str, object]]:
        return [
            {"question": each.text, "references": [reference(span) for span in each.answers], **each.notes}
            for each in questions
        ]

    content = {
        "chunkscope_marks": FORMAT,
        "document": document.name,
        "questions": entries(annotations.questions),
        "whole": [reference(span) for span in annotations.whole],
    }
    if annotations.rejected:
        content["rejected"] = entries(annotations.rejected)
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
    questions, whole, rejected = content.get("questions"), content.get("whole"), content.get("rejected", [])
    if not isinstance(questions, list) or not isinstance(whole, list) or not isinstance(rejected, list):
        raise _malformed(file, "lacks questions or whole")
    read = Annotations(
        tuple(_question(each, file, document) for each in questions),
        tuple(_span(reference, file, document) for reference in whole),
        tuple(_question(each, file, document) for each in rejected),
    )
    return Annotations().with_all(document, read)


def _question(entry: object, file: Path, document: Document) -> Question:
    text, references = (entry.get("question"), entry.get("references")) if isinstance(entry, dict) else (None, None)
    if not isinstance(entry, dict) or not isinstance(text, str) or not isinstance(references, list) or not references:
        raise _malformed(file, "has a question without its text or its answers")
    answers = tuple(_span(reference, file, document) for reference in references)
    return Question(with_whole_characters(text)[0], document.name, answers, *_notes(entry))


def placed_again(file: Path, document: Document) -> Edition | None:
    """The marks in another edition's file, placed by their quotes.

    None if the file is about a document of another name, or fewer than half of the quotes are
    found.
    """
    try:
        with opened_file(file) as opened:
            raw = opened.read(LARGEST + 1)
        content: object = json.loads(raw) if len(raw) <= LARGEST else None
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(content, dict) or content.get("document") != document.name:
        return None
    problems: list[str] = []
    questions = _placed(content.get("questions"), document, problems)
    whole = _spans(content.get("whole"), document, "must stay whole", problems)
    lost = len(problems)
    rejected = _placed(content.get("rejected"), document, [])
    placed = sum(len(each.answers) for each in questions) + len(whole)
    if not (placed or rejected) or placed < lost:
        return None
    gold = Gold(questions, (), tuple(WholeMark(document.name, span) for span in whole))
    marks = replace(Annotations().with_all(document, gold), rejected=rejected)
    return Edition(marks, tuple(problems))


def _placed(entries: object, document: Document, problems: list[str]) -> tuple[Question, ...]:
    """The questions of which an answer is found again."""
    placed = []
    for each in entries if isinstance(entries, list) else []:
        text = each.get("question") if isinstance(each, dict) else None
        if isinstance(text, str) and (spans := _spans(each.get("references"), document, text, problems)):
            placed.append(Question(with_whole_characters(text)[0], document.name, spans, *_notes(each)))
    return tuple(placed)


def _spans(references: object, document: Document, of: str, problems: list[str]) -> tuple[Span, ...]:
    """Where the quotes are in this text; a line for each that is not there once."""
    placed = []
    for each in references if isinstance(references, list) else []:
        quote = each.get("content") if isinstance(each, dict) else None
        if isinstance(quote, str):
            found = found_once(quote, document)
            if isinstance(found, Span):
                placed.append(found)
            else:
                problems.append(f"{shown_text(of, 200)}: {found}")
    return tuple(placed)


def _span(reference: object, file: Path, document: Document) -> Span:
    start = reference.get("start_index") if isinstance(reference, dict) else None
    end = reference.get("end_index") if isinstance(reference, dict) else None
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= len(document.text):
        raise _malformed(file, "has a mark that is not a span of the text")
    return Span(start, end)


def _notes(entry: dict[str, object]) -> tuple[Review, str, str]:
    """The review, origin and block of a question; without them a person wrote it."""
    told = (value if isinstance(value := entry.get(key), str) else "" for key in ("origin", "block"))
    origin, block = (with_whole_characters(each)[0] for each in told)
    return "accepted" if entry.get("review") in (None, "accepted") else "draft", origin, block


def _malformed(file: Path, what: str) -> GoldError:
    return GoldError(f"{file}: {what}, so it is left as it is; move it away to mark anew, or put a copy back")
