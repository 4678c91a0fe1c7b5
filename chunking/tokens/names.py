"""How a counter is named in a YAML and in a link: a file as seen from where the name stands, and who may open it.

Inside the program a tokenizer.json is named by its path as seen from the current folder. In a YAML it is named from the
YAML's folder, and read by the command line only. A link names what the app was given at its start by its sha256.
"""

from __future__ import annotations

import os
from pathlib import Path

from chunking.errors import UnknownCounterError
from chunking.text.display import shown_ascii, shown_text
from chunking.tokens.counters import FILE, OFFERED
from chunking.tokens.offered_files import offered_as, offered_file

_LONGEST = len(OFFERED) + 64
"""Characters: the name of an offered tokenizer with all digits of its sha256."""
_LONGEST_PATH = 4096


def read_counter(written: str, folder: Path | None = None, table_hash: str = "") -> str:
    """The counter's name inside the program. Raises UnknownCounterError for what can be none, or may not be opened.

    `folder` is where a path begins; None where none may be opened. `table_hash` is what a proof says of the tokenizer.
    """
    if written.startswith(FILE):
        path = written.removeprefix(FILE)
        if not path or not path.isprintable() or len(path) > _LONGEST_PATH:
            raise UnknownCounterError(f"counter: {FILE} is followed by the path of a tokenizer.json")
        return _offered(path, table_hash) if folder is None else FILE + _from_here(folder, path)
    if not (written.isascii() and written.isprintable() and len(written) <= _LONGEST):
        raise UnknownCounterError(f"counter: there is none named '{shown_ascii(written)}'; try cl100k_base")
    return offered_as(written).name if written.startswith(OFFERED) else written


def written_counter(name: str, folder: Path | None = None) -> str:
    """The counter's name as a YAML in `folder` has it (left out: the current one); an offered one by its file."""
    if name.startswith(OFFERED):
        return FILE + offered_as(name).file_name
    path = name.removeprefix(FILE)
    if not name.startswith(FILE) or folder is None or Path(path).is_absolute():
        return name
    return FILE + _relative(Path(path), folder)


def names_a_file(name: str) -> bool:
    """Whether a YAML with this counter holds a path, as seen from where it lies."""
    return name.startswith(FILE) and not Path(name.removeprefix(FILE)).is_absolute()


def _offered(path: str, table_hash: str) -> str:
    """The offered tokenizer that is meant; a path is never opened."""
    known = offered_file(path.replace("\\", "/").rpartition("/")[2], table_hash)
    if known is None:
        raise UnknownCounterError(
            f"counter: {FILE}{shown_text(path, 60)} names a file, which only the command line opens; "
            f"start the app with --tokenizer and its path, or choose another counter"
        )
    return known.name


def _from_here(folder: Path, path: str) -> str:
    return path if Path(path).is_absolute() else _relative(folder / path, Path())


def _relative(path: Path, folder: Path) -> str:
    """The path as seen from a folder, so that it opens from there: `..` leaves the folder that a link leads to."""
    try:
        if _follows_no_link(path.parent) and _follows_no_link(folder):
            return Path(os.path.relpath(path, folder)).as_posix()
        real = Path(os.path.realpath(path.parent)) / path.name
        return Path(os.path.relpath(real, os.path.realpath(folder))).as_posix()
    except ValueError:  # on another drive
        return path.resolve().as_posix()


def _follows_no_link(folder: Path) -> bool:
    return os.path.realpath(folder) == os.path.abspath(folder)
