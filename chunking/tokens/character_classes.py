"""Classes of characters that split texts alike in every tokenizer.json that tokenizer_splits.py can
prove anything of. (pretokenizer.py has classes of its own, for the patterns of tiktoken.)"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt
import regex

from chunking.runtime.made_once import once

BLANK, TAB, LINE, RETURN, PUNCTUATION, DIGIT, LETTER, HAN, OTHER, UNKNOWN = range(10)
"""BLANK is U+0020, TAB, LINE and RETURN are \\t, \\n, \\r; PUNCTUATION is ASCII's; DIGIT is 0 to 9;
HAN are ideographs that BERT puts blanks around; OTHER is what else is visible. UNKNOWN is all that
may join with its neighbours, is invisible, becomes white space, or is not the same in every version
of Unicode since 3.2."""
CLASSES = 10
VISIBLE = (PUNCTUATION, DIGIT, LETTER, HAN, OTHER)
WHITE = (BLANK, TAB, LINE, RETURN)
WHITE_CHARACTERS = (" ", "\t", "\n", "\r")
_UNCLASSIFIED = 255

Pairs = npt.NDArray[np.bool_]
"""By the class left of a position and the class right of it."""


def classes_of(text: str) -> npt.NDArray[np.uint8]:
    """The class of each character of a text."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    table = _class_table()
    classes: npt.NDArray[np.uint8] = table[codes]
    if classes.max(initial=0) == _UNCLASSIFIED:
        fresh = list(set(codes[classes == _UNCLASSIFIED].tolist()))
        table[fresh] = np.array([_class(chr(code)) for code in fresh], dtype=np.uint8)
        classes = table[codes]
    return classes


def class_of(character: str) -> int:
    """The class of one character."""
    return int(classes_of(character)[0])


def pairs_of(lefts: Sequence[int], rights: Sequence[int]) -> Pairs:
    """The pairs with one of `lefts` on the left and one of `rights` on the right."""
    pairs = np.zeros((CLASSES, CLASSES), dtype=np.bool_)
    pairs[np.ix_(lefts, rights)] = True
    return pairs


def is_visible(text: str) -> bool:
    """Whether a text is neither empty nor has white space in it."""
    return bool(text) and not any(each.isspace() for each in text)


@once
def _class_table() -> npt.NDArray[np.uint8]:
    """The class of each code point; filled in for the code points that come up."""
    return np.full(0x110000, _UNCLASSIFIED, dtype=np.uint8)


@lru_cache(maxsize=1 << 12)
def _class(character: str) -> int:
    if character in WHITE_CHARACTERS:
        return WHITE_CHARACTERS.index(character)
    if character.isascii():
        kind = LETTER if character.isalpha() else DIGIT if character.isdigit() else PUNCTUATION
        return kind if "!" <= character <= "~" else UNKNOWN
    code = ord(character)
    if 0x4E00 <= code <= 0x9FA5 or 0x3400 <= code <= 0x4DB5:
        return HAN
    before, now = unicodedata.ucd_3_2_0.category(character)[0], unicodedata.category(character)[0]
    if before != now or now not in "LNPS" or 0xF900 <= code <= 0xFAFF or code >= 0x20000:
        return UNKNOWN
    # One that joins what stands beside it into one cluster, or is made of white space in a normal
    # form.
    alone = len(regex.findall(r"\X", f"a{character}a")) == 3 and not unicodedata.combining(character)
    if not alone or not is_visible(unicodedata.normalize("NFKC", character)):
        return UNKNOWN
    return LETTER if now == "L" else OTHER
