"""Heading patterns of one's own: literal text with placeholders, such as "Rule {number} {title}".

They are compiled here into regular expressions that need time linear in a line: a placeholder takes
a bounded number of characters, no two stand next to each other, and `{title}` only at the end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

_PLACEHOLDERS = {
    "number": r"(\d{1,4}(?:\.\d{1,4}){0,8})",
    "roman": r"(?:[IVXLCDM]{1,9}|[ivxlcdm]{1,9})",
    "letter": r"[^\W\d_]",
    "title": r"\S.*",
}
_MOST_PLACEHOLDERS = 6
_MARKS = re.compile(r"(#{1,6})[ \t]+(?=\S)")
_PIECE = re.compile(r"(\{[^{}]*\})")
_BLANKS = re.compile(r"[ \t]+")
_SOME_BLANKS = r"[ \t\xa0]+"
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Template:
    """A template, ready to be compared with lines."""

    line: re.Pattern[str]
    """Matches a whole line without the white space around it; its first group is a number."""
    level: int
    """As its # marks say; 0 without any."""

    def depth(self, text: str) -> int:
        """1 for a line that fits, more where its number has dots; 0 for a line that does not
        fit."""
        found = self.line.fullmatch(text)
        return 0 if found is None else number_depth(found[1] or "") if found.re.groups else 1


def number_depth(number: str) -> int:
    """How deep a numbered heading is: 1 for 1 and 1.0, 2 for 1.2."""
    return 1 + number.removesuffix(".0").count(".")


@lru_cache(maxsize=256)
def compiled(pattern: str) -> Template | str:
    """The template, or what is wrong with it, to be read after the pattern."""
    marks = _MARKS.match(pattern)
    text = pattern[marks.end() :] if marks else pattern
    pieces = [piece for piece in _PIECE.split(text.strip()) if piece]
    places = [piece for piece in pieces if _PIECE.fullmatch(piece)]
    for place in places:
        if place[1:-1] not in _PLACEHOLDERS:
            return f"has the placeholder {place}; there are {', '.join(f'{{{name}}}' for name in _PLACEHOLDERS)}"
    if len(places) > _MOST_PLACEHOLDERS:
        return f"has {len(places)} placeholders; at most {_MOST_PLACEHOLDERS} are taken"
    if not places and not marks:
        return "is not a kind of heading and has no placeholder such as {number}; put # before a line that is a heading"
    if "{title}" in pieces[:-1]:
        return "has {title} before its end, where it takes all that follows; move it to the end"
    if any(one in places and other in places for one, other in pairwise(pieces)):
        return "has two placeholders side by side; write what stands between them"
    if all(piece == "{title}" or not piece.strip() for piece in pieces):
        return "fits every line; write what its headings begin with"
    numbers = 0
    written: list[str] = []
    for piece in pieces:
        if piece not in places:
            written.append(_literal(piece))
            continue
        numbers += piece == "{number}"
        expression = _PLACEHOLDERS[piece[1:-1]]
        written.append(expression if numbers == 1 else expression.replace("(\\d", "(?:\\d", 1))
    return Template(re.compile("".join(written)), len(marks[1]) if marks else 0)


def _literal(text: str) -> str:
    """Text as it stands, in any case; where it has blanks, a line may have other ones."""
    words = map(re.escape, _BLANKS.split(text))
    return f"(?i:{_SOME_BLANKS.join(words)})"


def level_of(outermost: int, depth: int) -> int:
    """The level of a heading of this depth where the outermost of its pattern has that level."""
    return min(_DEEPEST, outermost + depth - 1)
