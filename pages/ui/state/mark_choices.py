"""What is marked in a document, kept on disk, and what this session is doing with marks.

Marks belong to an owner (server/owners.py): those of the person at this machine are in the folder
for data, those of each signed-in user in a folder of their own below it, and those of a session
end with it.
"""

# Without `from __future__ import annotations`: `annotations` is a function here.

from chunking import Annotations, AnnotationStore, Document
from chunking.errors import GoldError
from chunking.gold import store
from pages.ui.choices.marking import Marking
from pages.ui.server.owners import owner
from pages.ui.state.session import this_session


def marks_store() -> AnnotationStore:
    """Where this session's marks are kept."""
    of = owner()
    return this_session().own_marks if of.kind == "session" else store(of.name)


def annotations(document: Document) -> Annotations:
    """What this owner marked in this text; nothing where the marks cannot be read
    (`annotations_problem`)."""
    try:
        read = marks_store().read(document)
    except GoldError:
        return Annotations()
    this_session().marks_seen[document.text_hash] = read
    return read


def annotations_problem(document: Document) -> str:
    """Why the marks of this text cannot be read, one line; "" where they can."""
    try:
        marks_store().read(document)
    except GoldError as error:
        return str(error)
    return ""


def annotate(document: Document, annotations: Annotations) -> None:
    """Keep these marks, without taking away what another session marked meanwhile. Raises
    GoldError."""
    seen, key = this_session().marks_seen, document.text_hash
    seen[key] = marks_store().save(document, seen.get(key, Annotations()), annotations)


def marking() -> Marking:
    """What is being done with marks."""
    return this_session().marking


def mark_with(what: Marking) -> None:
    this_session().marking = what


def drafts_in_source() -> bool:
    """Whether Inspect's views show the answers of questions that nobody has reviewed."""
    return this_session().drafts_in_source


def show_drafts_in_source(shown: bool) -> None:
    this_session().drafts_in_source = shown
