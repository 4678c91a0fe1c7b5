"""Converts counter names between the program, YAML files and links; they differ in how they name
files.

Inside the program a tokenizer.json is named by its path relative to the current folder. In a YAML
the path is relative to the YAML's folder, and only the command line opens it. A link names a
tokenizer that the app was started with, by its sha256 (offered_files.py).
"""

from __future__ import annotations

import os
from pathlib import Path

from chunking.errors import UnknownCounterError
from chunking.text.display import shown_ascii, shown_text
from chunking.tokens.offered_files import offered_as, offered_file
from chunking.tokens.token_counter import FILE, OFFERED

_LONGEST = len(OFFERED) + 64
"""Characters in the name of an offered tokenizer with all digits of its sha256."""
_LONGEST_PATH = 4096


def read_counter(written: str, folder: Path | None = None, table_hash: str = "") -> str:
    """The counter's name inside the program, from its name in a YAML or link.

    `folder` is the folder that a path is relative to; None if no path may be opened. `table_hash`
    is the tokenizer's hash in the YAML's proof. Raises UnknownCounterError for a malformed name,
    and for a file that may not be opened.
    """
    if written.startswith(FILE):
        path = written.removeprefix(FILE)
        if not path or not path.isprintable() or len(path) > _LONGEST_PATH:
            raise UnknownCounterError(f"counter: {FILE} is followed by the path of a tokenizer.json")
        return _offered_name(path, table_hash) if folder is None else FILE + _from_current_folder(folder, path)
    if not (written.isascii() and written.isprintable() and len(written) <= _LONGEST):
        raise UnknownCounterError(f"counter: there is none named '{shown_ascii(written)}'; try cl100k_base")
    return offered_as(written).name if written.startswith(OFFERED) else written


def written_counter(name: str, folder: Path | None = None) -> str:
    """The counter's name in a YAML in `folder` (by default the current folder).

    An offered tokenizer is named by its file.
    """
    if name.startswith(OFFERED):
        return FILE + offered_as(name).file_name
    path = name.removeprefix(FILE)
    if not name.startswith(FILE) or folder is None or Path(path).is_absolute():
        return name
    return FILE + _relative(Path(path), folder)


def names_a_file(name: str) -> bool:
    """Whether a YAML with this counter contains a path relative to its folder."""
    return name.startswith(FILE) and not Path(name.removeprefix(FILE)).is_absolute()


def _offered_name(path: str, table_hash: str) -> str:
    """The name of the offered tokenizer that a path in a YAML refers to; the path is not opened."""
    known = offered_file(path.replace("\\", "/").rpartition("/")[2], table_hash)
    if known is None:
        raise UnknownCounterError(
            f"counter: {FILE}{shown_text(path, 60)} names a file, which only the command line opens; "
            f"start the app with --tokenizer and its path, or choose another counter"
        )
    return known.name


def _from_current_folder(folder: Path, path: str) -> str:
    return path if Path(path).is_absolute() else _relative(folder / path, Path())


def _relative(path: Path, folder: Path) -> str:
    """The path relative to a folder, so that it opens from there.

    Symbolic links are resolved first: `..` leads to the parent of a link's target.
    """
    try:
        if _has_no_symlink(path.parent) and _has_no_symlink(folder):
            return Path(os.path.relpath(path, folder)).as_posix()
        real = Path(os.path.realpath(path.parent)) / path.name
        return Path(os.path.relpath(real, os.path.realpath(folder))).as_posix()
    except ValueError:  # on another drive
        return path.resolve().as_posix()


def _has_no_symlink(folder: Path) -> bool:
    return os.path.realpath(folder) == os.path.abspath(folder)
