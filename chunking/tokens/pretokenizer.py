"""Where an encoding's pattern splits a text whatever stands left and right of the place: there
counts may be added.

An encoding first splits a text into pieces by a regex, then encodes each piece by itself. The regex
has no look-behind, so a text that begins where a piece begins has the same pieces from there on.
What is proven here, from the patterns, by the classes of the two characters at a position (L
letter, M mark, N number, P the rest that is not white space):

- A position is **firm** when no alternative of the pattern can match across it and none looks
  across it. Then count(a, b) = count(a, p) + count(p, b) for every a <= p <= b, in any text.
- A position is **soft** at the start of an indented line that is not blank, for the patterns that
  end a piece at the last line ending of a run of white space: there the same holds for every
  b = p and every b beyond the indentation.

The classes are asked of tiktoken's own regex engine, so that two versions of Unicode cannot
disagree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from chunking.runtime.made_once import once
from chunking.tokens.tiktoken_patterns import CL100K, O200K, R50K
from chunking.tokens.tiktoken_tables import matching

LETTER, MARK, NUMBER, BLANK, END, OTHER, SLASH, APOSTROPHE = range(8)
"""BLANK is white space other than CR and LF (END); OTHER is what no other class holds."""
_CLASSES = 8
_OF_THEIR_OWN = {"\r": END, "\n": END, "/": SLASH, "'": APOSTROPHE}
_UNASKED = 255
_STRETCH = 1 << 16
"""Characters looked at together: arrays of this size reuse memory, ten times as fast as new
pages."""
_MAX_INDENTATION = 64
"""Characters; a deeper indentation only makes its line start no soft position."""

Flags = npt.NDArray[np.bool_]
Codes = npt.NDArray[np.uint8]


class SafePositions(NamedTuple):
    """Where a text may be split, and where its blanks end."""

    flags: Flags
    """For each position 0 to len(text), whether it is firm or soft."""
    soft: npt.NDArray[np.int64]
    marks: npt.NDArray[np.int64]
    """As `tiktoken_patterns.marks_of`."""


@dataclass(frozen=True, slots=True)
class Pretokenizer:
    """What is known of one pattern."""

    firm: npt.NDArray[np.bool_]
    """For each class left of a position times 8, plus the class right of it: whether the position
    is firm."""
    ends_lines: bool
    """Whether a piece ends at the last line ending of a run of white space, so that indented lines
    start softly."""
    ends_at_last_blank: bool
    """Whether white space at the end of the text is one piece, found without steps back."""

    def safe_positions(self, text: str) -> SafePositions:
        """Where a text may be split. Its ends are firm."""
        classes = classes_of(text)
        flags = np.ones(len(text) + 1, dtype=np.bool_)
        found, between_blanks = [_NONE], [_NONE]
        # A stretch at a time, and each pair looked up as a byte: nothing is as large as the text.
        for start in range(0, len(text) - 1, _STRETCH):
            pairs = _pairs(classes[start : start + _STRETCH + 1])
            firm = pairs.tobytes().translate(self._firm_bytes)
            flags[start + 1 : start + 1 + len(firm)] = np.frombuffer(firm, dtype=np.bool_)
            if self.ends_lines:
                found.append(np.flatnonzero(pairs == END * _CLASSES + BLANK) + (start + 1))
            between_blanks.append(np.flatnonzero(pairs == BLANK * _CLASSES + BLANK) + (start + 1))
        soft = _indented(classes, np.concatenate(found))
        flags[soft] = True
        return SafePositions(flags, soft, _last_blanks(classes, np.concatenate(between_blanks)))

    @property
    def _firm_bytes(self) -> bytes:
        """`firm` as a table for `bytes.translate`."""
        return self.firm.tobytes().ljust(256, b"\0")

    def is_firm(self, left: str, right: str) -> bool:
        """Whether the position between two characters is firm."""
        firm: bool = self.firm.item(class_of(left) * _CLASSES + class_of(right))
        return firm

    def firm_ends(self, text: str) -> tuple[int, int] | None:
        """The first and last firm position strictly inside a text; None without one."""
        found = self.firm_inside(classes_of(text))
        return (int(found[0]), int(found[-1])) if len(found) else None

    def firm_inside(self, classes: Codes) -> npt.NDArray[np.int64]:
        """The firm positions strictly inside a text, by its classes."""
        return np.flatnonzero(self.firm[_pairs(classes)]) + 1

    def long_blank_piece(self, text: str, start: int, end: int) -> tuple[int, int]:
        """The part of a run of white space, `start` to `end`, that is one piece and holds no line
        ending that matters.

        What is left of it and right of it may be encoded by itself.
        """
        if self.ends_lines:
            start = max(start, text.rfind("\n", start, end) + 1, text.rfind("\r", start, end) + 1)
        if end < len(text):
            return start, end - 1  # the last blank goes with what follows
        return (end, end) if self.ends_at_last_blank else (start, end)


def _firm(pairs: dict[int, tuple[int, ...]]) -> npt.NDArray[np.bool_]:
    firm = np.zeros(_CLASSES * _CLASSES, dtype=np.bool_)
    for left, rights in pairs.items():
        firm[[left * _CLASSES + right for right in rights]] = True
    return firm


_NONE = np.zeros(0, dtype=np.int64)
_PUNCTUATION = (OTHER, SLASH, APOSTROPHE)

_CL100K = Pretokenizer(
    _firm(
        {
            # Letters end before anything else: a contraction begins with its apostrophe, a mark is
            # punctuation here.
            LETTER: (MARK, NUMBER, BLANK, END, *_PUNCTUATION),
            NUMBER: (LETTER, MARK, BLANK, END, *_PUNCTUATION),
            # Punctuation goes with letters (as their prefix) and with line endings (`[\r\n]*+`).
            **dict.fromkeys((MARK, *_PUNCTUATION), (NUMBER, BLANK)),
            END: (LETTER, MARK, NUMBER, *_PUNCTUATION),
        }
    ),
    ends_lines=True,
    ends_at_last_blank=True,
)
_O200K = Pretokenizer(
    _firm(
        {
            # An apostrophe after a letter may be a contraction of the same piece, and a mark is
            # part of the word.
            LETTER: (NUMBER, BLANK, END, OTHER, SLASH),
            # A mark may be part of a word or of punctuation, which takes line endings and slashes
            # along.
            MARK: (NUMBER, BLANK),
            NUMBER: (LETTER, MARK, BLANK, END, *_PUNCTUATION),
            **dict.fromkeys(_PUNCTUATION, (NUMBER, BLANK)),
            # `[\r\n/]*`: a slash after a line ending may belong to the punctuation before it.
            END: (LETTER, MARK, NUMBER, OTHER, APOSTROPHE),
        }
    ),
    ends_lines=True,
    ends_at_last_blank=False,
)
_R50K = Pretokenizer(
    _firm(
        {
            LETTER: (MARK, NUMBER, BLANK, END, *_PUNCTUATION),
            NUMBER: (LETTER, MARK, BLANK, END, *_PUNCTUATION),
            **dict.fromkeys((MARK, OTHER, SLASH), (LETTER, NUMBER, BLANK, END)),
            APOSTROPHE: (NUMBER, BLANK, END),
        }
    ),
    ends_lines=False,
    ends_at_last_blank=True,
)
_PROVEN = {CL100K: _CL100K, O200K: _O200K, R50K: _R50K}


def for_pattern(pattern: str) -> Pretokenizer | None:
    """What is proven of a pattern; None when nothing is."""
    return _PROVEN.get(pattern)


def classes_of(text: str) -> Codes:
    """The class of each character of a text."""
    if text.isascii():
        return np.frombuffer(text.encode().translate(_ascii_classes()), dtype=np.uint8)
    classes: Codes = np.empty(len(text), dtype=np.uint8)
    for start in range(0, len(text), _STRETCH):
        stretch = text[start : start + _STRETCH]
        classes[start : start + _STRETCH] = classes_of(stretch) if stretch.isascii() else _looked_up(stretch)
    return classes


def _looked_up(text: str) -> Codes:
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    table = _class_table()
    classes: Codes = table.take(codes)
    if classes.max(initial=0) == _UNASKED:
        # Not `np.unique`, which imports numpy.ma: as long as a text of 50 KB takes to encode twice.
        _ask(np.array(sorted(set(codes[classes == _UNASKED].tolist()))))
        classes = table.take(codes)
    return classes


def _pairs(classes: Codes) -> Codes:
    """For each position inside a text, the class left of it times 8, plus the class right of it."""
    return classes[:-1] * np.uint8(_CLASSES) + classes[1:]


@lru_cache(maxsize=1 << 12)
def class_of(character: str) -> int:
    """The class of one character."""
    known = int(_class_table()[ord(character)])
    return known if known != _UNASKED else int(classes_of(character)[0])


def _indented(classes: Codes, starts: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Of the positions after a line ending and before a blank, those where something other than a
    line ending follows the blanks."""
    followed = starts.copy()
    for _ in range(_MAX_INDENTATION):
        on_blank = (classes[followed] == BLANK) & (followed < len(classes) - 1)
        if not on_blank.any():
            break
        followed += on_blank
    indented: npt.NDArray[np.int64] = starts[(classes[followed] != BLANK) & (classes[followed] != END)]
    return indented


def _last_blanks(classes: Codes, between_blanks: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Of the positions between two blanks, those with a character other than white space behind the
    second one."""
    followed = classes.take(between_blanks + 1, mode="clip")
    last: npt.NDArray[np.int64] = between_blanks[(followed != BLANK) & (followed != END)]
    return last


@once
def _class_table() -> Codes:
    """The class of each code point, filled as they are met; surrogates are what U+FFFD is
    (EncodingCounter)."""
    table = np.full(0x110000, _UNASKED, dtype=np.uint8)
    table[0xD800:0xE000] = OTHER
    return table


@once
def _ascii_classes() -> bytes:
    _ask(np.arange(128))
    return _class_table()[:128].tobytes() + bytes(128)


def _ask(codes: npt.NDArray[np.int64] | npt.NDArray[np.uint32]) -> None:
    """Ask tiktoken's regex engine for the classes of some code points.

    Threads share the table: each entry is written once, with what it stays.
    """
    codes = codes[(codes < 0xD800) | (codes > 0xDFFF)]
    characters = "".join(map(chr, codes.tolist()))
    kinds = dict.fromkeys(characters, OTHER)
    for kind, pattern in ((BLANK, r"\s"), (LETTER, r"\p{L}"), (MARK, r"\p{M}"), (NUMBER, r"\p{N}")):
        kinds |= dict.fromkeys(matching(pattern, characters), kind)
    kinds |= {character: kind for character, kind in _OF_THEIR_OWN.items() if character in kinds}
    _class_table()[codes] = np.fromiter((kinds[character] for character in characters), np.uint8, len(characters))
