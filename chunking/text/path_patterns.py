"""Patterns of paths, as in a .gitignore: `*.txt`, `docs/api/**`, `/build/`, `!keep.md`.

They fit what git's wildmatch.c fits, but that a letter such as é is one character here and two
there. They come from strangers' folders and YAMLs, and to match one can take as long as the path's
length to the power of its stars: a pattern with more of them than anybody writes is not taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from chunking.text.glob_sets import character_at, set_at

MOST_CHARACTERS = 500
MOST_STARS = 3
"""In one part of a pattern, and as parts of their own (`**`)."""


class _Pattern(NamedTuple):
    """A pattern, ready to be matched."""

    include: bool
    """False for one with `!`."""
    folders_only: bool
    regex: re.Pattern[str]
    """Of a whole path, without the slash at a folder's end."""

    def fits(self, path: str, *, is_folder: bool) -> bool:
        return (is_folder or not self.folders_only) and self.regex.fullmatch(path) is not None


class PathPatterns:
    """Some patterns, of which the last that fits a path decides."""

    def __init__(self, patterns: Iterable[str]) -> None:
        """Raises ValueError, whose text names the pattern and the limit."""
        taken = list(patterns)
        for each in taken:
            _check(each)
        self._last_first = [found for each in reversed(taken) if (found := _compiled(each))]

    def fits(self, path: str) -> bool | None:
        """Whether the last pattern that fits wants this path, or else the last that fits a folder
        above it: False for one with `!`, None where none fits. Parts are divided by `/`, which also
        ends a folder's path."""
        own = self.fits_alone(path)
        if own is not None:
            return own
        parts = path.rstrip("/").split("/")
        return self._decided(["/".join(parts[:number]) for number in range(1, len(parts))], are_folders=True)

    def fits_alone(self, path: str) -> bool | None:
        """As `fits`, whatever is said of the folders above it."""
        return self._decided([path.rstrip("/")], are_folders=path.endswith("/"))

    def _decided(self, paths: Sequence[str], *, are_folders: bool) -> bool | None:
        for pattern in self._last_first:
            if any(pattern.fits(each, is_folder=are_folders) for each in paths):
                return pattern.include
        return None


def usable(patterns: Iterable[str]) -> list[str]:
    """Those of these patterns that are taken."""
    return [each for each in patterns if not _problem(each)]


def _check(pattern: str) -> None:
    if problem := _problem(pattern):
        raise ValueError(f"{pattern[:40]}: {problem}")


def _problem(pattern: str) -> str:
    if len(pattern) > MOST_CHARACTERS:
        return f"a pattern of {len(pattern)} characters; at most {MOST_CHARACTERS} are taken"
    parts = pattern.split("/")
    if parts.count("**") > MOST_STARS or any(part.count("*") > MOST_STARS for part in parts):
        return f"a pattern with more than {MOST_STARS} stars in a part, or parts that are **; write several patterns"
    kept = _trimmed(pattern)
    if kept == "!" or _ends_in_escape(kept):
        return "not a pattern; an example: docs/api/**"
    return ""


def _compiled(pattern: str) -> _Pattern | None:
    """None for a comment and for an empty line."""
    kept = _trimmed(pattern)
    if not kept or kept.startswith("#"):
        return None
    glob = kept.removeprefix("!")
    path = glob.removesuffix("/")
    anywhere = "" if "/" in path else "(?:.*/)?"
    regex = re.compile(anywhere + _regex(path.removeprefix("/")), re.DOTALL)
    return _Pattern(not kept.startswith("!"), path != glob, regex)


def _trimmed(pattern: str) -> str:
    """Without the spaces at its end, but for one behind a backslash."""
    kept = pattern.rstrip(" ")
    return pattern[: len(kept) + _ends_in_escape(kept)]


def _ends_in_escape(pattern: str) -> bool:
    """Whether a backslash at its end has nothing to stand for."""
    return (len(pattern) - len(pattern.rstrip("\\"))) % 2 == 1


def _regex(glob: str) -> str:
    regex, at = "", 0
    only_letters = True
    while at < len(glob):
        char = glob[at]
        if char == "*":
            stars = len(glob) - at - len(glob[at:].lstrip("*"))
            end = at + stars
            # As a part of its own. git takes one for that, too, behind letters that no star, set or
            # backslash comes before: `a**/b` fits `ax/y/b`.
            parts = stars > 1 and (only_letters or glob[at - 1] == "/") and glob[end : end + 1] in ("", "/")
            if parts and end < len(glob):
                regex, at = f"{regex}(?:.*/)?", end + 1
            else:
                regex, at = regex + (".*" if parts else "[^/]*"), end
        elif char == "?":
            regex, at = f"{regex}[^/]", at + 1
        elif char == "[":
            its_regex, at = set_at(glob, at)
            regex += its_regex
        else:
            meant, at = character_at(glob, at)
            regex += re.escape(meant)
        only_letters = only_letters and char not in "*?[\\"
    return regex
