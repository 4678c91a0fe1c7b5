"""Patterns of paths, as in a .gitignore: `*.txt`, `docs/api/**`, `/build/`, `!keep.md`.

They fit what git's wildmatch.c fits, but that a letter such as é is one character here and two
there. They come from strangers' folders and YAMLs: a pattern with more stars than anybody writes is
not taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
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
    above: re.Pattern[str]
    """Of how a path begins that lies in a folder which fits."""

    def fits(self, path: str) -> bool:
        return (not self.folders_only or path.endswith("/")) and bool(self.regex.fullmatch(path.rstrip("/")))


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
        inside = path.rstrip("/")
        return next((each.include for each in self._last_first if each.above.match(inside)), None)

    def fits_alone(self, path: str) -> bool | None:
        """As `fits`, whatever is said of the folders above it."""
        return next((each.include for each in self._last_first if each.fits(path)), None)


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
    regex = _regex(path.removeprefix("/"), anywhere="/" not in path)
    whole, above = (re.compile(each, re.DOTALL) for each in (regex, f"(?:{regex})/."))
    return _Pattern(not kept.startswith("!"), path != glob, whole, above)


def _trimmed(pattern: str) -> str:
    """Without the spaces at its end, but for one behind a backslash."""
    kept = pattern.rstrip(" ")
    return pattern[: len(kept) + _ends_in_escape(kept)]


def _ends_in_escape(pattern: str) -> bool:
    """Whether a backslash at its end has nothing to stand for."""
    return (len(pattern) - len(pattern.rstrip("\\"))) % 2 == 1


_PARTS, _ALL, _STAR = "**/", "**", "*"


def _tokens(glob: str, *, one_part: bool) -> Iterator[tuple[str, str]]:
    """The stars of a pattern, each beside an empty text, and regular expressions of one character
    each, beside `/` for that one."""
    at = 0
    only_letters = True
    while at < len(glob):
        char = glob[at]
        if char == "*":
            end = len(glob) - len(glob[at:].lstrip("*"))
            # As a part of its own. git takes one for that, too, behind letters that no star, set or
            # backslash comes before: `a**/b` fits `ax/y/b`.
            alone = end - at > 1 and (only_letters or glob[at - 1] == "/") and glob[end : end + 1] in ("", "/")
            kind = _STAR if not alone else _PARTS if end < len(glob) else _ALL
            yield _STAR if one_part else kind, ""
            at = end + (kind == _PARTS)
        elif char == "?":
            yield "", "[^/]"
            at += 1
        elif char == "[":
            its_regex, at = set_at(glob, at)
            yield "", its_regex
        else:
            meant, at = character_at(glob, at)
            yield "/" if meant == "/" else "", re.escape(meant)
        only_letters = only_letters and char not in "*?[\\"


def _regex(glob: str, *, anywhere: bool) -> str:
    """The regular expression of a pattern, which begins at any part of a path with `anywhere`.

    What stands between two `**` is looked for once, at the first place where it fits, and so is
    what stands between two `*` of a part: what comes behind has the most room there, so there is no
    way back (`(?>`), which for several stars would take as long as the length to their power.
    """
    runs: list[list[tuple[str, str]]] = [[], []] if anywhere else [[]]
    for token in _tokens(glob, one_part=anywhere):
        if token[0] == _PARTS:
            runs.append([])
        else:
            runs[-1].append(token)
    first, *others = map(_of_run, runs)
    between = "".join(f"(?>(?:[^/]*/)*?{each})" for each in others[:-1])
    return first + between + (f"(?:.*/)?{others[-1]}" if others else "")


def _of_run(tokens: Sequence[tuple[str, str]]) -> str:
    """The regular expression of what has no `**/` in it."""
    regex, held = "", ""
    under_star = False
    for kind, text in tokens:
        if kind == _STAR:
            regex += f"(?>[^/]*?{held})" if under_star else held
            under_star, held = True, ""
        elif kind == "/":
            regex += f"[^/]*{held}/" if under_star else f"{held}/"
            under_star, held = False, ""
        else:
            held += ".*" if kind == _ALL else text
    return regex + (f"[^/]*{held}" if under_star else held)
