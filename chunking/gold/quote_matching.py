"""Placing references to answers in a document: by their offsets, else by their quote.

A reference that cannot be placed is reported, never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TypeGuard

from chunking.document import Document, Span
from chunking.text.display import shown_text


def answers(references: object, document: Document, where: str, problems: list[str]) -> Iterator[Span]:
    """The spans of a line's references. Errors are appended to `problems`, each beginning with
    `where`."""
    if not isinstance(references, list):
        problems.append(f"{where}: references are not a JSON list of {{content, start_index, end_index}}")
        return
    for reference in references:
        found, problem = _placed(reference, document)
        if problem:
            problems.append(f"{where}: {problem}")
        if found is not None:
            yield found


def located(references: object, documents: Sequence[Document]) -> tuple[dict[str, list[object]], list[str]]:
    """References that name no document, by the only document that has their text; and the problems
    with the others."""
    by_document: dict[str, list[object]] = {}
    problems = []
    for reference in references if isinstance(references, list) else []:
        text = _text_of(reference)
        having = [document for document in documents if text and text in document.text]
        if not having and text:
            words = " ".join(text.split())
            having = [document for document in documents if words in " ".join(document.text.split())]
        if len(having) == 1:
            by_document.setdefault(having[0].name, []).append(reference)
            continue
        where = f"in {len(having)} documents; give a corpus_id" if having else "in none of the documents"
        problems.append(f"{shown_text(' '.join(text.split()))!r} is {where}; left out")
    return by_document, problems


def _text_of(reference: object) -> str:
    """What of a reference tells its document: the text around the answer where it has one."""
    if isinstance(reference, dict):
        reference = reference.get("context") or reference.get("content")
    return reference if isinstance(reference, str) else ""


def _in_context(reference: dict[str, object], document: Document) -> Span | None:
    """The place of an answer that is given by its offset in a text around it; None where that text
    is not in the document once, or has another text there."""
    context, start, content = (reference.get(key) for key in ("context", "context_start", "content"))
    if not isinstance(context, str) or not _is_whole_number(start) or not isinstance(content, str) or not content:
        return None
    at = document.text.find(context)
    if at < 0 or document.text.find(context, at + 1) >= 0:
        return None
    span = Span(at + int(start), at + int(start) + len(content))
    return span if document[span] == content else None


def _placed(reference: object, document: Document) -> tuple[Span | None, str]:
    """The span of a reference, or None; and the problem with it, or ""."""
    if isinstance(reference, str):
        reference = {"content": reference}
    if not isinstance(reference, dict):
        return None, "a reference is neither a quote nor an object; it is left out"
    if "context" in reference and (inside := _in_context(reference, document)) is not None:
        return inside, ""
    content, start, end = (reference.get(key) for key in ("content", "start_index", "end_index"))
    if start is None and end is None:
        return (
            _find_quote(content, document) if isinstance(content, str) else (None, "a reference has no quote; left out")
        )
    if not (_is_whole_number(start) and _is_whole_number(end)) or not 0 <= int(start) < int(end) <= len(document.text):
        return (
            None,
            f"start_index {start} and end_index {end} are not a span of {document.name}; the answer is left out",
        )
    span = Span(int(start), int(end))
    if not isinstance(content, str) or document[span] == content:
        return span, ""
    # The offsets may be those of another edition: trust the quote, which a person can check.
    found, problem = _find_quote(content, document)
    return found, f"the text at {span.start} to {span.end} is not the quote; " + (problem or "taken from where it is")


def _find_quote(quote: str, document: Document) -> tuple[Span | None, str]:
    found = found_once(quote, document)
    return (found, "") if isinstance(found, Span) else (None, found)


def found_once(quote: str, document: Document) -> Span | str:
    """The span of a quote that occurs exactly once in the document; else a message.

    If it does not occur literally, any run of white space matches any other.
    """
    shown = shown_text(" ".join(quote.split()))
    if not quote.strip():
        return "a quote is empty; it is left out"
    start = document.text.find(quote)
    if start >= 0:
        again = document.text.find(quote, start + 1)
        return Span(start, start + len(quote)) if again < 0 else f"the quote {shown!r} is found twice; it is left out"
    words = quote.split()
    if sum(map(len, words)) > len(document.text):
        return f"the quote {shown!r} is not found in {document.name}; it is left out"
    pattern = re.compile(r"\s+".join(re.escape(word) for word in words))
    matches = pattern.finditer(document.text)
    first = next(matches, None)
    if first is None:
        return f"the quote {shown!r} is not found in {document.name}; it is left out"
    if next(matches, None) is not None:
        return f"the quote {shown!r} is found twice; it is left out"
    return Span(first.start(), first.end())


def _is_whole_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and float(value).is_integer()
