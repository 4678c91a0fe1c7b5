"""Which files of a folder its .gitignore files name."""

from __future__ import annotations

import os
from collections.abc import Iterable

from chunking.text.path_patterns import PathPatterns, usable

_LARGEST = 100_000
"""Bytes that are read of a .gitignore."""

_Rules = tuple[tuple[int, PathPatterns], ...]
"""For each .gitignore, the outermost first: where a path in its folder begins, in characters of the
absolute path, and what it says."""


class IgnoredFiles:
    """What the .gitignore files of a folder name, those in the folders below it, and those above it
    up to its repository's folder."""

    def __init__(self, top: str, repository: str) -> None:
        """`top` is the folder's absolute path, `repository` that of its repository or empty."""
        self._top = f"{top.rstrip(os.sep)}/".replace(os.sep, "/")
        above = []
        folder = top
        while repository and folder != repository:
            folder = os.path.dirname(folder)
            above.append(folder)
        rules: _Rules = ()
        for each in reversed(above):
            rules += _rules_in(each)
        # A folder that was named is read, whatever is said of it.
        self._rules: dict[str, _Rules] = {"": () if _ignores(rules, self._top) else rules}

    def enter(self, folder: str) -> None:
        """Read what is said in this folder: its path below the first one, empty or ending in `/`.
        The one that it is in was entered before."""
        outer = folder[:-1].rpartition("/")
        self._rules[folder] = self._rules["".join(outer[:2])] + _rules_in(self._top + folder)

    def names(self, folder: str, entry: str) -> bool:
        """Whether this entry of a folder that was entered is ignored; a folder's ends in `/`."""
        rules = self._rules[folder]
        return bool(rules) and _ignores(rules, f"{self._top}{folder}{entry}")


def _rules_in(folder: str) -> _Rules:
    folder = f"{folder.rstrip('/')}/"
    try:
        with open(f"{folder}.gitignore", "rb") as file:
            lines = file.read(_LARGEST).decode("utf-8-sig", "replace").split("\n")
    except (OSError, ValueError):
        return ()
    return ((len(folder), PathPatterns(usable(each.removesuffix("\r") for each in lines))),)


def _ignores(rules: Iterable[tuple[int, PathPatterns]], path: str) -> bool:
    """What the last rule that fits says."""
    for start, patterns in reversed(tuple(rules)):
        fits = patterns.fits(path[start:])
        if fits is not None:
            return fits
    return False
