"""Patterns of paths, as in a .gitignore: `*.txt`, `docs/api/**`, `/build/`, `!keep.md`.

They come from strangers' folders and YAMLs, and to match one can take as long as the path's length
to the power of its stars: a pattern with more of them than anybody writes is not taken.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable

from pathspec import GitIgnoreSpec

MOST_CHARACTERS = 500
MOST_STARS = 3
"""In one part of a pattern, and as parts of their own (`**`)."""
MOST_PLACES = 5
"""Where stars stand in a pattern."""
_STARS = re.compile(r"\*+")


class PathPatterns:
    """Some patterns, of which the last that fits a path decides."""

    def __init__(self, patterns: Iterable[str]) -> None:
        """Raises ValueError, whose text names the pattern and the limit."""
        taken = list(patterns)
        for each in taken:
            _check(each)
        self._spec = GitIgnoreSpec.from_lines(taken)

    def fits(self, path: str) -> bool | None:
        """Whether the last pattern that fits wants this path: False for one with `!`, None where
        none fits. Parts are divided by `/`, which also ends a folder's path."""
        return self._spec.check_file(path).include


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
    if len(_STARS.findall(pattern)) > MOST_PLACES:
        return f"a pattern with stars in more than {MOST_PLACES} places; write several patterns"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # `re` warns of sets that it reads otherwise than git, as [[:alpha:]]
            GitIgnoreSpec.from_lines([pattern])
    except (ValueError, re.error, Warning):
        return "not a pattern; an example: docs/api/**"
    return ""
