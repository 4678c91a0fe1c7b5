"""What the documents in files are called: their path below a root, which does not depend on how a
path was written.

The root is the one that was given, else the nearest folder above with `.git`. Outside both it is
the folder above all folders that were given, and a file that is in none of them is called by its
base name, with as many folders above it as tell it from the others. A page of the web is called by
its address.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from chunking.errors import DocumentError
from chunking.text.display import shown_text

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.I)


def is_url(given: str) -> bool:
    """Whether this is meant as an address of the web, or of a kind that is refused, and not as a
    path."""
    return bool(_SCHEME.match(given))


def base_name_of(name: str) -> str:
    """The last part of a document's name: where every breadcrumb starts."""
    return name.rstrip("/").rpartition("/")[2] or name


class Names:
    """What some paths that are given are called."""

    def __init__(self, given: Sequence[Path], root: Path | None) -> None:
        self._root = os.path.abspath(root) if root is not None else ""
        self._repositories: dict[str, str] = {}
        outside = [each for each in map(os.path.abspath, given) if not self._root and not self.repository(each)]
        folders = [each for each in outside if os.path.isdir(each)]
        self._common = os.path.commonpath(folders) if folders else ""
        self._alone = _shortest({each for each in outside if not _is_below(each, self._common)})

    def of(self, path: Path) -> str:
        """The name of one of the paths that were given, not yet made printable; of a folder, what
        stands before the names in it, `.` for nothing. Raises DocumentError for what is not below
        the root that was given."""
        absolute = os.path.abspath(path)
        if absolute in self._alone:
            return self._alone[absolute]
        if self._root and not _is_below(absolute, self._root):
            raise DocumentError(
                f"{shown_text(str(path), 200)}: is not below --root {shown_text(self._root, 200)}; "
                "give a folder above both"
            )
        root = self._root or self.repository(absolute) or self._common
        return os.path.relpath(absolute, root).replace(os.sep, "/")

    def repository(self, path: str) -> str:
        """The nearest folder at or above an absolute path with `.git` in it; empty without one."""
        if path not in self._repositories:
            parent = os.path.dirname(path)
            if os.path.lexists(os.path.join(path, ".git")):
                self._repositories[path] = path
            else:
                self._repositories[path] = self.repository(parent) if parent != path else ""
        return self._repositories[path]


def _is_below(path: str, folder: str) -> bool:
    return bool(folder) and (path == folder or path.startswith(folder.rstrip(os.sep) + os.sep))


def _shortest(paths: Iterable[str]) -> dict[str, str]:
    parts = {path: path.strip(os.sep).split(os.sep) for path in paths}
    names = {path: each[-1] for path, each in parts.items()}
    depth = 1
    while twins := {name for name, count in Counter(names.values()).items() if count > 1}:
        depth += 1
        names.update({path: "/".join(parts[path][-depth:]) for path, name in names.items() if name in twins})
    return names
