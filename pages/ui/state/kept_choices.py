"""What this session's owner keeps from one session to the next: documents that were added, which
of them were open together, and the choice whether they are kept.

It lies in the owner's folder (server/owners.py), beside the marks. A session that is an owner of
its own keeps nothing longer than itself.
"""

from __future__ import annotations

from threading import Lock

from chunking.errors import ConfigError, DocumentError
from chunking.text import shown_text
from pages.ui.choices.open_together import OpenDocument, read, written
from pages.ui.choices.samples import Source, first_sample
from pages.ui.server.kept_documents import VARIABLE, About, Kept, KeptDocuments, limit_in_bytes
from pages.ui.server.owner_files import OwnerFiles
from pages.ui.server.owners import owner
from pages.ui.state.mark_choices import marks_store
from pages.ui.state.session import this_session

_SWITCH = "documents"
_OPEN = "open-documents"
_lock = Lock()


def kept_documents() -> tuple[Kept, ...]:
    """What this owner kept, the last opened first."""
    return tuple(_documents().all())


def why_nothing_is_kept() -> str:
    """Why documents cannot be kept here at all; "" where they can."""
    if owner().kind == "session":
        return "Documents are forgotten when this session ends: the server does not know who you are."
    if not limit_in_bytes():
        return f"Documents are forgotten at a reload: this server keeps none ({VARIABLE} is 0)."
    if _documents().folder is None:
        return "Documents are forgotten at a reload: the server has no folder for data (CHUNKSCOPE_DATA)."
    return ""


def keeps_documents() -> bool:
    """Whether what is added from now on is kept."""
    if why_nothing_is_kept():
        return False
    try:
        chosen = owner_files().read(_SWITCH)
    except ConfigError:
        return True
    return not (isinstance(chosen, dict) and chosen.get("keep") is False)


def keep_documents(*, on: bool) -> None:
    """Keep what is added from now on, or do not; remembered for this owner's later sessions."""
    session = this_session()
    try:
        owner_files().write(_SWITCH, {"keep": on})
    except ConfigError as error:
        session.kept_notes = (str(error),)
        return
    session.kept_notes = ()
    if on:
        keep(*session.added.values())


def keep(*added: Source) -> None:
    """Keep these documents, where documents are kept; what has to go for them is said."""
    if not keeps_documents():
        return
    said: list[str] = []
    for each in added:
        about = About(each.key, each.name, each.title, each.uploaded, each.file_hash, each.conversion)
        said += _documents().keep(about, each.text)
    this_session().kept_notes = tuple(said)
    note_open()


def open_kept(key: str) -> Source | None:
    """The kept document with this key, which belongs to the session from now on; None where there
    is none, or it cannot be opened (`kept_problem`)."""
    session = this_session()
    if key in session.kept_problems or not _documents().has(key):
        return None
    try:
        about, text = _documents().open(key)
    except DocumentError as error:
        session.kept_problems[key] = str(error)
        return None
    if problem := session.held.add(key, text, about.name):
        session.kept_problems[key] = problem
        return None
    found = Source(
        about.name,
        about.title,
        text,
        uploaded=about.uploaded,
        file_hash=about.file_hash,
        conversion=about.conversion,
    )
    session.added[key] = found
    return found


def open_all_kept() -> None:
    """Have all kept documents in this session, and so in its corpus; the shown one stays."""
    for each in kept_and_closed():
        open_kept(each.about.key)
    note_open()


def note_open() -> None:
    """Remember that the kept documents of this session are open together, for this owner's later
    sessions. The last change of any of them holds."""
    if why_nothing_is_kept():
        return
    session, documents = this_session(), _documents()
    now = [OpenDocument(key, each.name) for key, each in session.added.items() if documents.has(key)]
    try:
        with _lock:
            owner_files().write(_OPEN, written(now))
    except ConfigError as error:
        session.kept_notes = tuple(dict.fromkeys((*session.kept_notes, str(error))))


def open_again(*, on_corpus: bool, shows: bool = False) -> None:
    """Once, in a session that began at the address of a page: where that names one of the documents
    that were open together, or is that of Corpus, open all of them. The shown one comes first, in
    case there is no room for all; `shows` says that it is known on Corpus too."""
    session = this_session()
    began_at_page, session.began_at_page = session.began_at_page, False
    if not began_at_page or why_nothing_is_kept():
        return
    try:
        together = read(owner_files().read(_OPEN))
    except ConfigError as error:
        session.kept_problems[_OPEN] = str(error)
        return
    keys = [each.key for each in together]
    if not on_corpus and session.source not in keys:
        return
    for each in sorted(together, key=lambda each: each.key != session.source):
        if each.key not in session.added and open_kept(each.key) is None:
            gone = f"{shown_text(each.name)} is not kept any more; add it again"
            session.kept_problems.setdefault(each.key, gone)
    opened = {key: session.added.pop(key) for key in keys if key in session.added}
    session.added |= opened
    if on_corpus and not shows and session.source not in session.added:
        session.source = next(iter(session.added), session.source)
    try:
        _forget(*(key for key in keys if not _documents().has(key)))
    except ConfigError as error:
        session.kept_problems[_OPEN] = str(error)


def _forget(*keys: str) -> None:
    """Have later sessions open these no more."""
    if not keys:
        return
    with _lock:
        files = owner_files()
        files.write(_OPEN, written([each for each in read(files.read(_OPEN)) if each.key not in keys]))


def kept_and_closed() -> tuple[Kept, ...]:
    """The kept documents that can be opened and are not in this session, nor its corpus."""
    session = this_session()
    there = {*session.added, *session.kept_problems, *(each.key for each in session.followed.sources())}
    return tuple(each for each in kept_documents() if not each.problem and each.about.key not in there)


def kept_problem(key: str) -> str:
    """Why the kept document with this key cannot be opened; "" where it can, or there is none."""
    return this_session().kept_problems.get(key, "")


def kept_problems() -> tuple[str, ...]:
    """Of all kept documents that were to be opened and cannot: one line each."""
    return tuple(this_session().kept_problems.values())


def kept_notes() -> tuple[str, ...]:
    """What became of kept documents when others were last added: one line each."""
    return this_session().kept_notes


def remove_kept(*keys: str) -> None:
    """Keep these documents no longer, and close them in this session."""
    said: list[str] = []
    for key in keys:
        try:
            _documents().remove(key)
        except DocumentError as error:
            said.append(str(error))
        else:
            _close(key)
    try:
        _forget(*keys)
    except ConfigError as error:
        said.append(str(error))
    this_session().kept_notes = tuple(said)


def _close(key: str) -> None:
    """Have this document no longer in this session, unless the app was opened with its file. Where
    it was shown, the next one of the session is shown, else the first sample."""
    session = this_session()
    session.kept_problems.pop(key, None)
    if any(each.key == key for each in session.followed.sources()):
        return
    keys = list(session.added)
    at = keys.index(key) if key in keys else 0
    session.added.pop(key, None)
    session.held.free(key)
    session.ran = {name: run for name, run in session.ran.items() if run.document.text_hash != key}
    if session.source == key:
        others = [*keys[at + 1 :], *keys[:at]]
        first = first_sample()
        session.source = next(iter(others), first.key if first else "")
        session.linked_name, session.selected = "", None


def owner_files() -> OwnerFiles:
    """The small files of this session's owner."""
    if owner().kind == "session":
        return this_session().own_files
    return OwnerFiles(marks_store().folder)


def _documents() -> KeptDocuments:
    return KeptDocuments(marks_store().folder if limit_in_bytes() else None)
