"""The snapshots of this session's owner: configs with a name, kept beside the marks."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from chunking import Config
from chunking.errors import ChunkscopeError, ConfigError
from chunking.imported import MadeElsewhere, given_chunkers
from pages.ui.choices.snapshots import Snapshot, read, renamed, with_snapshot, written
from pages.ui.state.kept_choices import owner_files
from pages.ui.state.session import this_session

_FILE = "snapshots"
_lock = Lock()


def snapshots() -> tuple[Snapshot, ...]:
    """This owner's snapshots, the oldest first."""
    return _read()[0]


def snapshot_problems() -> tuple[str, ...]:
    """What is wrong with the kept snapshots, or with what was last done to them: one line each."""
    return (*_read()[1], *this_session().snapshot_problems)


def save_snapshot(name: str, config: Config) -> None:
    """Keep this config under a name."""
    _change(lambda now: with_snapshot(now, name, config))


def rename_snapshot(name: str, new: str) -> None:
    """Give a snapshot another name."""
    _change(lambda now: renamed(now, name, new))


def remove_snapshot(name: str) -> None:
    """Keep this snapshot no longer."""
    _change(lambda now: tuple(each for each in now if each.name != name))


def chunk_files() -> tuple[Snapshot, ...]:
    """The functions that the app was started with and the files of another tool's chunks that this
    session has opened, the oldest first: each as a config with its name."""
    given = (Snapshot(each.called, Config(MadeElsewhere.of(each))) for each in given_chunkers())
    return (*given, *this_session().chunk_files)


def open_chunks(name: str, config: Config) -> None:
    """Offer a file of chunks wherever snapshots are offered, until the session ends."""
    session = this_session()
    session.chunk_files = (*(each for each in session.chunk_files if each.name != name), Snapshot(name, config))


def _change(changed: Callable[[tuple[Snapshot, ...]], tuple[Snapshot, ...]]) -> None:
    session, files = this_session(), owner_files()
    try:
        with _lock:
            files.write(_FILE, written(changed(read(files.read(_FILE))[0])))
        session.snapshot_problems = ()
    except ChunkscopeError as error:
        session.snapshot_problems = (str(error),)


def _read() -> tuple[tuple[Snapshot, ...], tuple[str, ...]]:
    try:
        return read(owner_files().read(_FILE))
    except ConfigError as error:
        return (), (str(error),)
