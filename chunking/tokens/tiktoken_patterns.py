"""tiktoken's patterns, and two of them said without look-ahead: its regex engine, which tries one
character after another where a pattern looks ahead, then takes half to a third of the time.

All that looks ahead in cl100k_base and o200k_base is `\\s+(?!\\S)`: of two blanks or more before a
character that is none, the last one goes with that character. So a mark is put before that blank,
and the pattern without look-ahead takes the mark for a piece of its own. A text that holds the
mark's character itself is left to the pattern as it is. Of all others the tokens, less those of the
marks, are the same:

- What is matched before such a run of blanks ends with other characters or with line endings. So
  both patterns match from the run's first blank on; the one that looks ahead takes all but the last
  blank, the other one all up to the mark. Then both go on from the last blank.
- Where a possessive quantifier (`++`) stands, nothing behind it could match what it gave back.
- Each character can be matched alone: as a letter, a number, white space, the mark, or none of
  these. So a match begins where the one before it ended, which `\\G` says. Without being told, the
  engine looks for the beginning of each match from its end, by an automaton of its own that takes
  long to make and, for o200k_base, does not fit in its memory: four times as slow in many scripts.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

CL100K = (
    r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}++|\p{N}{1,3}+| ?[^\s\p{L}\p{N}]++[\r\n]*+"
    r"|\s++$|\s*[\r\n]|\s+(?!\S)|\s"
)
O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
R50K = r"'(?:[sdmt]|ll|ve|re)| ?\p{L}++| ?\p{N}++| ?[^\s\p{L}\p{N}]++|\s++$|\s+(?!\S)|\s"
"""As in tiktoken 0.13 and later, from where the three come; gpt2, p50k_base and p50k_edit have the
pattern of r50k_base."""


WHITE_SPACE = (
    "\t\n\x0b\x0c\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
)
"""What `\\s` is to tiktoken: Unicode's White_Space. `str.isspace` also takes \\x1c to \\x1f."""

MARK = "\x01"

LINEAR = {
    CL100K: (
        r"\G(?:'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}\x01]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}\x01]+[\r\n]*"
        r"|\s+$|\s*[\r\n]|\s+|\x01)"
    ),
    O200K: (
        r"\G(?:"
        r"[^\r\n\p{L}\p{N}\x01]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|[^\r\n\p{L}\p{N}\x01]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
        r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}\x01]+[\r\n/]*|\s*[\r\n]+|\s+|\x01)"
    ),
}
"""The patterns without look-ahead, by those that they stand for."""

_BLANK = WHITE_SPACE.translate(dict.fromkeys(map(ord, "\r\n")))
_MARKED = re.compile(f"[{_BLANK}](?=[{_BLANK}][^{WHITE_SPACE}])")


def has_marks(text: str) -> bool:
    """Whether there is a blank before which a mark goes: sooner found than all of them."""
    return _MARKED.search(text) is not None


def marks_of(text: str) -> list[int]:
    """The offsets of the blanks before which a mark goes, ascending."""
    return [before.end() for before in _MARKED.finditer(text)]


def marked(text: str, marks: Sequence[int]) -> str:
    """The text with its marks."""
    return MARK.join(map(text.__getitem__, map(slice, [0, *marks], [*marks, len(text)]))) if marks else text
