"""Sets of characters in patterns of paths, as git reads them: `[a-z_]`, `[!0-9]`, `[[:alpha:]]`."""

from __future__ import annotations

import re

_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": r" \t",
    "cntrl": r"\x00-\x1f\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": r"!-/:-@\[-`{-~",
    "space": r"\t-\r ",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
_CLASS = re.compile(r"\[:([^]]*):]")
_NOTHING = "(?!)"


def set_at(pattern: str, at: int) -> tuple[str, int]:
    """The set whose `[` stands here, as a regular expression, and where the pattern goes on.

    As git's wildmatch.c: a `]` that comes first is one of the characters, a range that runs
    backwards is its first character, and nothing fits a set without an end or with a class that
    nobody knows.
    """
    behind = at + 1
    negated = pattern[behind : behind + 1] in ("!", "^")
    begin = at = behind + negated
    members, low = "", ""
    while (char := pattern[at : at + 1]) != "]" or at == begin:
        named = _CLASS.match(pattern, at)
        if not char or (named and named[1] not in _CLASSES):
            return _NOTHING, behind
        if named:
            members += _CLASSES[named[1]]
            low, at = "", named.end()
        elif char == "-" and low and pattern[at + 1 : at + 2] not in ("", "]"):
            high, at = character_at(pattern, at + 1)
            members += f"{re.escape(low)}-{re.escape(high)}" if low <= high else ""
            low = ""
        else:
            low, at = character_at(pattern, at)
            members += re.escape(low)
    return f"(?!/)[{'^' if negated else ''}{members}]", at + 1


def character_at(pattern: str, at: int) -> tuple[str, int]:
    """The character that stands here, behind a backslash or not, and where the next one does."""
    at += pattern[at] == "\\" and at + 1 < len(pattern)
    return pattern[at], at + 1
