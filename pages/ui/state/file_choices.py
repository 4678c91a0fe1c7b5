"""Following the files that the app was opened with, while they are edited on disk."""

from __future__ import annotations

from chunking.document import watched
from pages.ui.choices.edited import place_after_edit
from pages.ui.choices.samples import Source
from pages.ui.state.session import Session, this_session


def watches_files() -> bool:
    """Whether there are files to look at now and then."""
    return watched() and bool(this_session().followed.files)


def file_problems() -> tuple[str, ...]:
    """Why a file is not shown as it is on disk: one line each."""
    return tuple(each.problem for each in this_session().followed.files if each.problem)


def files_passed_over() -> str:
    """What of the folders that the app was opened with is no document, by kind, in one line; empty
    where nothing is."""
    return str(this_session().followed.passed_over)


def follows_shown() -> bool:
    """Whether the chosen text is that of a file that is followed."""
    session = this_session()
    return watched() and any(each.source and each.source.key == session.source for each in session.followed.files)


def look_at_files() -> bool:
    """Take what has changed on disk, and say whether anything has. Not while a threshold is
    held."""
    session = this_session()
    if session.dragging:
        return False
    changed = list(session.followed.look())
    for before, source in changed:
        _replace(session, before, source)
    return bool(changed)


def _replace(session: Session, before: str, source: Source) -> None:
    """Have the text of a file stand where its former one stood; the view keeps its place."""
    former = session.added.get(before)
    if former is None:
        session.added[source.key] = source
    else:
        session.added = {
            (source.key if key == before else key): (source if key == before else each)
            for key, each in session.added.items()
        }
    session.held.replace(before, source.key, source.text, len(source.original))
    if former is not None and session.source == before:
        session.source = source.key
        if session.selected is not None:
            session.selected = place_after_edit(former.text, source.text, session.selected)
