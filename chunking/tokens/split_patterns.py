"""Proves from a pre-tokenizer's regex that no match runs from a visible into a white character.

A pattern with any construct that is not understood here proves nothing.

    whites_after(r" ?\\p{L}+| ?\\p{N}+|\\s+", ("abc", "123"), (" ", "\\n"))
    # ((True, True), (True, True)): no match runs from a letter or a digit into " " or "\\n"
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import regex

_ESCAPE = r"\\(?:[sSdDwWrntfv]|[pP]\{\^?[A-Za-z_=]+\}|u[0-9A-Fa-f]{4}|x[0-9A-Fa-f]{2}|[^A-Za-z0-9])"
_CLASS = rf"\[\^?\]?(?:{_ESCAPE}|[^\\\[\]&])*\]"
_ITEM = regex.compile(rf"({_CLASS}|{_ESCAPE}|[^\\\[\](){{}}|?*+^$.])([?*+]|\{{\d+(?:,\d*)?\}})?[+?]?")
_LOOKS_AHEAD = r"(?!\S)"
_ENDS = ("$", r"\z", r"\Z")
_WORDS = regex.compile(r"\(\?i:((?:'?[a-z]+\|)*'?[a-z]+)\)|\(\?:((?:'?[a-z]+\|)*'?[a-z]+)\)|'\(\?i?:[a-z\[\]|]+\)")
"""Contractions: letters and apostrophes only, so no white space."""


@dataclass(frozen=True, slots=True)
class _Item:
    """One character's worth of a pattern, and whether it may be repeated."""

    written: str
    repeats: bool

    def matches_any(self, characters: str) -> bool:
        return regex.search(self.written, characters) is not None


@lru_cache(maxsize=256)
def whites_after(pattern: str, visible: Sequence[str], white: Sequence[str]) -> tuple[tuple[bool, ...], ...] | None:
    """For each text of visible characters and each of white ones: whether no match goes on from the
    one to the other.

    None when the pattern is not understood. What looks around is understood only where all of it is
    white space: such a match ends in white space, and never right before it after something
    visible.
    """
    branches = _branches(pattern)
    if branches is None:
        return None
    return tuple(
        tuple(not any(_goes_on(each, left, right) for each in branches) for right in white) for left in visible
    )


def takes_every(pattern: str, characters: str) -> bool:
    """Whether each of these white characters, wherever it stands, is in some match: one branch
    takes it alone."""
    branches = _branches(pattern) or ()
    alone = [branch[0] for branch in branches if len(branch) == 1]
    return all(any(item.matches_any(each) for item in alone) for each in characters)


def _goes_on(branch: Sequence[_Item], left: str, right: str) -> bool:
    for at, item in enumerate(branch):
        if not item.matches_any(right):
            continue
        if any(before.matches_any(left) for before in branch[:at]) or (item.repeats and item.matches_any(left)):
            return True
    return False


@lru_cache(maxsize=256)
def _branches(pattern: str) -> tuple[tuple[_Item, ...], ...] | None:
    """The alternatives of a pattern as items; None when any of it is not understood."""
    found = []
    for written in _alternatives(_WORDS.sub("x", pattern)):
        looks = written.endswith((_LOOKS_AHEAD, *_ENDS))
        for ending in (_LOOKS_AHEAD, *_ENDS):
            written = written.removesuffix(ending)
        items = _items(written)
        if items is None or not items:
            return None
        if looks and any(item.matches_any(_SEEN) for item in items):
            return None
        found.append(items)
    return tuple(found)


_SEEN = "".join(map(chr, range(0x21, 0x7F))) + "éжא中ก한²½…🙂"


def _alternatives(pattern: str) -> Iterator[str]:
    """The pattern cut at every `|` that is not inside a class: groups are not understood anyway."""
    start, inside, at = 0, False, 0
    while at < len(pattern):
        if pattern[at] == "\\":
            at += 1
        elif pattern[at] == "[":
            inside = True
        elif pattern[at] == "]":
            inside = False
        elif pattern[at] == "|" and not inside:
            yield pattern[start:at]
            start = at + 1
        at += 1
    yield pattern[start:]


def _items(written: str) -> tuple[_Item, ...] | None:
    items, at = [], 0
    while at < len(written):
        match = _ITEM.match(written, at)
        if match is None:
            return None
        try:
            regex.compile(match[1])
        except regex.error:
            return None
        quantifier = match[2] or ""
        items.append(_Item(match[1], quantifier not in ("", "?", "{1}", "{0,1}")))
        at = match.end()
    return tuple(items)
