"""What sessions hold themselves: the files that they sent, and the texts that they added.

They are used until their session ends, so nothing drops them. They count in the limit of what is
remembered (text_memory.py), within which results made from texts are dropped first. All sessions
together may take half of the limit, one session a quarter. A text beyond that is not added, and one
line says why. A file beyond that is refused once it has arrived, before it is kept; the uploader
asks for the reason.
"""

from __future__ import annotations

from collections.abc import Mapping
from sys import getsizeof
from threading import RLock
from weakref import WeakValueDictionary

from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from chunking.runtime import memory
from chunking.text import shown_text
from pages.ui.server.sessions import session_id

_ALL, _ONE = 2, 4
"""Parts of the limit that all sessions' texts may take, and one session's: a half, a quarter."""
_FILE = 1_000
"""Bytes of a file besides its content."""
_MB = 1_000_000


class HeldTexts:
    """The bytes of the texts that one session added, by their keys; gone with the session."""

    def __init__(self, session: str) -> None:
        self.session = session
        self.sizes: dict[str, int] = {}

    def add(self, key: str, text: str, name: str, file: int = 0) -> str:
        """Count this text, and the bytes of its file where that is held, too; where there is no
        room for them, why it is not added instead."""
        size = getsizeof(text) + file
        with _lock:
            problem = "" if key in self.sizes else _no_room(self.session, name, size)
            if not problem:
                self.sizes[key] = size
        return problem

    def note(self, key: str, text: str, file: int = 0) -> None:
        """Count a text that is there already."""
        self.sizes[key] = getsizeof(text) + file

    def free(self, key: str) -> None:
        """Count this text no longer: it was closed."""
        self.sizes.pop(key, None)

    def replace(self, key: str, new: str, text: str, file: int = 0) -> None:
        """Count a text in the place of another, such as an edited file."""
        self.sizes.pop(key, None)
        self.note(new, text, file)


_lock = RLock()
_held: WeakValueDictionary[str, HeldTexts] = WeakValueDictionary()
_add_file = MemoryUploadedFileManager.add_file


def held_texts() -> HeldTexts:
    """An empty record of texts for this session, which is new."""
    session = session_id() or ""
    held = _held[session] = HeldTexts(session)
    return held


def hold_within_limits() -> None:
    """Have the server count what sessions hold, and keep no file that there is no room for."""
    memory.beside = held_by_session
    MemoryUploadedFileManager.add_file = _keep_file  # type: ignore[method-assign]


def held_by_session() -> Mapping[str, int]:
    """Bytes of files and texts, by session."""
    held = {each.session: sum(list(each.sizes.values())) for each in list(_held.values())}
    for session, files in list(_files().items()):
        sizes = [_FILE + len(file.data) for file in list(files.values())]
        held[session] = held.get(session, 0) + sum(sizes)
    return held


def refusal(file_id: str) -> str:
    """Why this session's file was not kept; empty where it was."""
    file = _files().get(session_id() or "", {}).get(file_id)
    return file.data.why if file and isinstance(file.data, _NotKept) else ""


class _NotKept(bytes):
    """Stands in the place of a file's content."""

    why: str


def _keep_file(self: MemoryUploadedFileManager, session_id: str, file: UploadedFileRec) -> None:
    """Streamlit's `add_file`, replaced: keeps the file, or why it is not kept."""
    with _lock:
        problem = _no_room(session_id, shown_text(file.name, 120), _FILE + len(file.data))
        if problem:
            empty = _NotKept()
            empty.why = problem
            file = file._replace(data=empty)
        if not problem or len(self.file_storage.get(session_id, ())) < memory.limit // _ONE // _FILE:
            _add_file(self, session_id, file)


def _files() -> dict[str, dict[str, UploadedFileRec]]:
    if not runtime.exists():
        return {}
    manager = runtime.get_instance().uploaded_file_mgr
    return manager.file_storage if isinstance(manager, MemoryUploadedFileManager) else {}


def _no_room(session: str, name: str, size: int) -> str:
    """Why a text of so many bytes is not taken; empty where it is."""
    limit = memory.limit
    if not limit:
        return ""
    held = held_by_session()
    if held.get(session, 0) + size > limit // _ONE:
        return _not_added(
            name,
            f"this session would use more than {limit // _ONE // _MB} MB of files and texts",
            "open the app in another tab to begin anew",
        )
    if sum(held.values()) + size > limit // _ALL:
        return _not_added(
            name, f"all sessions would use more than {limit // _ALL // _MB} MB of files and texts", "try again later"
        )
    return ""


def _not_added(name: str, why: str, way_out: str) -> str:
    of = f"CHUNKSCOPE_MEMORY_MB {memory.limit // _MB:,}"
    return f"{name} is not added: {why} ({of}); {way_out}, or cut it with `chunkscope run`, which takes any size"
