"""What is marked in a document, kept on disk, and what this session is doing with marks."""

# Without `from __future__ import annotations`: that name is a door here.

from chunking import Annotations, Document
from chunking.annotation_store import store, text_key
from chunking.errors import GoldError
from pages.ui.marks_choice import Marking
from pages.ui.state.session import this_session


def annotations(document: Document) -> Annotations:
    """What is marked in this text, in any session; nothing where the marks cannot be read (`annotations_problem`)."""
    try:
        read = store().read(document)
    except GoldError:
        return Annotations()
    this_session().marks_seen[text_key(document)] = read
    return read


def annotations_problem(document: Document) -> str:
    """Why the marks of this text cannot be read, one line; "" where they can."""
    try:
        store().read(document)
    except GoldError as error:
        return str(error)
    return ""


def annotate(document: Document, annotations: Annotations) -> None:
    """Keep these marks, without taking away what another session marked meanwhile. Raises GoldError."""
    seen, key = this_session().marks_seen, text_key(document)
    seen[key] = store().save(document, seen.get(key, Annotations()), annotations)


def marking() -> Marking:
    """What is being done with marks."""
    return this_session().marking


def mark_with(what: Marking) -> None:
    this_session().marking = what
