"""Where a tokenizer.json provably splits a text whatever stands left and right of the place: there
counts may be added.

A tokenizer normalises a text, splits it into words, and encodes each word by itself. A position is
**safe** when

- the normaliser makes of both sides together what it makes of each by itself, one after the other;
- the pre-tokenizer ends a word there, and what it does on one side does not look at the other;
- no word of the file's own that is looked for in the raw text (an added token) lies across it.

Then count(a, b) = count(a, p) + count(p, b) for every a <= p <= b. It is proven from what the file
says, by the classes of the two characters at a position. A component that is not listed here proves
nothing, and then no position is safe: counts are as exact, by encoding each slice.

A tokenizer that begins every text with a mark of its own (Llama 2) does so where a slice begins,
not at a safe position inside it: for what stands behind one, `inner` is the definition without that
mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import cast

import numpy as np
import numpy.typing as npt
import regex

from chunking.runtime.made_once import once
from chunking.tokens.split_patterns import takes_every, whites_after
from chunking.tokens.tokenizer_files import Json, character_image

BLANK, TAB, LINE, RETURN, PUNCTUATION, DIGIT, LETTER, HAN, OTHER, UNKNOWN = range(10)
"""BLANK is U+0020, TAB, LINE and RETURN are \\t, \\n, \\r; PUNCTUATION is ASCII's; DIGIT is 0 to 9;
HAN are ideographs that BERT puts blanks around; OTHER is what else is visible. UNKNOWN is all that
may join with its neighbours, is invisible, becomes white space, or is not the same in every version
of Unicode since 3.2."""
_CLASSES = 10
_VISIBLE = (PUNCTUATION, DIGIT, LETTER, HAN, OTHER)
_WHITE = (BLANK, TAB, LINE, RETURN)
_UNASKED = 255
_MARK = "\u2581"
"""What SentencePiece writes for a blank."""

Pairs = npt.NDArray[np.bool_]
"""By the class left of a position and the class right of it."""
Flags = npt.NDArray[np.bool_]


class _UnprovenError(Exception):
    """A component that nothing is proven of."""


@dataclass(frozen=True, slots=True)
class Splits:
    """What is proven of one tokenizer."""

    safe: Pairs
    inner: Json | None = None
    """The tokenizer as it encodes what stands behind a safe position, where that is another
    definition."""
    own_words: tuple[str, ...] = ()
    """Added tokens that are looked for in the raw text: a position inside one is not safe."""
    ends_badly: frozenset[str] = frozenset()
    """Characters after which no position is safe."""
    image: Callable[[str], str] | None = None
    """What the file's own table makes of a character; one that becomes white space or nothing makes
    nothing safe."""
    longest_word: int = 0
    """Letters and digits of a word from which on it is one unknown token; 0 where there is no such
    limit."""

    def flags(self, text: str) -> Flags:
        """For each position from 0 to len(text), whether it is safe. A text's ends are."""
        flags = np.ones(len(text) + 1, dtype=np.bool_)
        if len(text) < 2:
            return flags
        classes = classes_of(text)
        flags[1:-1] = self.safe[classes[:-1], classes[1:]]
        for character in self._bad_ends(text):
            at = text.find(character, 0, -1)
            while at >= 0:
                flags[at + 1] = False
                at = text.find(character, at + 1, -1)
        for word in self.own_words:
            at = text.find(word)
            while at >= 0:
                flags[at + 1 : at + len(word)] = False
                at = text.find(word, at + 1)
        flags[-1] = True
        return flags

    def is_safe(self, left: str, right: str) -> bool:
        """Whether the seam of two texts is safe; False where a word of the file's own could lie
        across it."""
        if self.own_words or any(left[-1] == character for character in self._bad_ends(left[-1])):
            return False
        safe: bool = self.safe.item(class_of(left[-1]), class_of(right[0]))
        return safe

    def is_one_unknown(self, text: str) -> bool:
        """Whether a text is one word that is too long for the tokenizer, which is one token."""
        if not self.longest_word or len(text) <= self.longest_word:
            return False
        classes = classes_of(text)
        return bool(((classes == LETTER) | (classes == DIGIT)).all())

    def _bad_ends(self, text: str) -> frozenset[str]:
        image = self.image
        if image is None:
            return self.ends_badly
        return self.ends_badly | {each for each in set(text) if class_of(each) in _VISIBLE and not _shows(image(each))}


def splits_of(definition: Json) -> Splits | None:
    """What is proven of a tokenizer.json; None when nothing is."""
    try:
        return _proven(definition)
    except (_UnprovenError, KeyError, TypeError, AttributeError):
        return None


@dataclass
class _Found:
    """What the components looked at so far leave."""

    holds: Pairs
    """Where no component's work on one side looks at the other."""
    cuts: Pairs = field(default_factory=lambda: np.zeros((_CLASSES, _CLASSES), dtype=np.bool_))
    """Where some component ends a word."""
    strips: bool = False
    """Whether white space at a text's ends is dropped."""
    marks_blanks: bool = False
    """Whether the normaliser has made the mark of every blank."""
    replaces: bool = False
    """Whether something visible becomes something else."""
    normalises: bool = False
    """Whether a character may become others, marks among them."""
    around_han: bool = False
    image: Callable[[str], str] | None = None
    ends_badly: frozenset[str] = frozenset()

    def only(self, pairs: Pairs) -> None:
        self.holds &= pairs


def _pairs(lefts: Sequence[int], rights: Sequence[int]) -> Pairs:
    pairs = np.zeros((_CLASSES, _CLASSES), dtype=np.bool_)
    pairs[np.ix_(lefts, rights)] = True
    return pairs


_KNOWN = _pairs(range(UNKNOWN), range(UNKNOWN))
_BEFORE_BLANKS = _pairs(_VISIBLE, [BLANK])
_BESIDE_WHITE = _pairs(range(UNKNOWN), _WHITE) | _pairs(_WHITE, range(UNKNOWN))
_SINGLE = (*_WHITE, PUNCTUATION, DIGIT, HAN)
"""What composes with nothing that is known, in any normal form."""
_NORMAL = _pairs(range(UNKNOWN), _SINGLE) | _pairs(_SINGLE, range(UNKNOWN))
_NORMAL[RETURN, LINE] = False


def _proven(definition: Json) -> Splits | None:
    normalizers, splitters = _steps(definition.get("normalizer")), _steps(definition.get("pre_tokenizer"))
    found = _Found(_KNOWN.copy())
    inner = None
    if normalizers and normalizers[0]["type"] == "Prepend":
        inner = {**definition, "normalizer": {"type": "Sequence", "normalizers": normalizers[1:]}}
        found.only(_BEFORE_BLANKS)
        normalizers = normalizers[1:]
    for step in normalizers:
        _normalizer(step, found)
    found.normalises = any(step["type"] != "Prepend" for step in normalizers)
    for step in splitters:
        _splitter(step, found, alone=len(splitters) == 1)
    model = cast(Json, definition["model"])
    if not (found.holds & found.cuts).any():
        _whole_texts(model, normalizers, found)
    own_words = _own_words(definition, found, normalised=bool(normalizers) or inner is not None)
    safe = found.holds & found.cuts
    if not safe.any():
        return None
    longest = 0
    plainly = {step["type"] for step in (*normalizers, *splitters)} <= {"BertNormalizer", "BertPreTokenizer"}
    if model["type"] == "WordPiece" and plainly and not own_words:
        longest = cast(int, model["max_input_chars_per_word"])
    return Splits(safe, inner, own_words, found.ends_badly, found.image, longest)


def _steps(component: object) -> list[Json]:
    """The steps of a normaliser or pre-tokenizer, sequences in sequences laid flat."""
    if component is None:
        return []
    step = cast(Mapping[str, object], component)
    if step["type"] != "Sequence":
        return [step]
    inside = cast(Sequence[object], step.get("normalizers", step.get("pretokenizers")))
    return [one for each in inside for one in _steps(each)]


def _normalizer(step: Json, found: _Found) -> None:
    match step["type"]:
        case "BertNormalizer":
            found.only(_NORMAL)
            found.around_han |= bool(step["handle_chinese_chars"])
        case "NFC" | "NFD" | "NFKC" | "NFKD" | "StripAccents" | "Lowercase":
            found.only(_NORMAL)
        case "Nmt":
            found.only(_BEFORE_BLANKS)
        case "Strip":
            found.only(_BEFORE_BLANKS)
            found.strips = True
        case "Precompiled":
            found.only(_BEFORE_BLANKS)
            found.image = character_image(cast(str, step["precompiled_charsmap"]))
            if found.image(" ") != " ":
                raise _UnprovenError
        case "Replace":
            _replace(cast(Mapping[str, str], step["pattern"]), cast(str, step["content"]), found)
        case _:
            raise _UnprovenError


def _replace(pattern: Mapping[str, str], content: str, found: _Found) -> None:
    """Runs of blanks become one, blanks become the mark, or something visible becomes something
    else visible."""
    found.only(_BEFORE_BLANKS)
    runs = pattern.get("Regex") in (" {2,}", " +", r"\s+", r"\s{2,}")
    if (runs or pattern.get("String") == " ") and content in (" ", _MARK):
        found.marks_blanks |= content == _MARK and pattern.get("Regex") != " {2,}"
        return
    if not (_shows(content) and _shows(pattern.get("String", "")) and _MARK not in pattern["String"] + content):
        raise _UnprovenError
    found.replaces = True


def _shows(text: str) -> bool:
    return bool(text) and not any(each.isspace() for each in text)


def _splitter(step: Json, found: _Found, *, alone: bool) -> None:
    match step["type"]:
        case "BertPreTokenizer" | "Whitespace" | "WhitespaceSplit" if found.marks_blanks:
            raise _UnprovenError  # a mark is no white space
        case "BertPreTokenizer":
            beside_punctuation = _pairs(range(UNKNOWN), [PUNCTUATION]) | _pairs([PUNCTUATION], range(UNKNOWN))
            found.cuts |= _BESIDE_WHITE | beside_punctuation
        case "Whitespace" | "WhitespaceSplit":
            found.cuts |= _BESIDE_WHITE
        case "Punctuation" | "Digits":
            if step.get("behavior", "Isolated") not in ("Isolated", "Contiguous", "Removed"):
                raise _UnprovenError
            found.only(_BESIDE_WHITE)
        case "Metaspace":
            _metaspace(step, found, alone=alone)
        case "ByteLevel":
            _byte_level(step, found)
        case "Split":
            _split(step, found)
        case _:
            raise _UnprovenError
    if found.around_han and step["type"] in ("BertPreTokenizer", "Whitespace", "WhitespaceSplit"):
        found.cuts |= _pairs(range(UNKNOWN), [HAN]) | _pairs([HAN], range(UNKNOWN))


def _metaspace(step: Json, found: _Found, *, alone: bool) -> None:
    scheme = step.get("prepend_scheme", "always")
    if (scheme == "first" and not alone) or (found.strips and scheme != "always"):
        raise _UnprovenError
    if found.marks_blanks and step["replacement"] != _MARK:
        raise _UnprovenError
    if not alone and not (found.cuts & _BEFORE_BLANKS).any():
        found.only(_BEFORE_BLANKS)
    if alone:
        found.only(_BEFORE_BLANKS)
    if step.get("split", True):
        found.cuts |= _BEFORE_BLANKS
    else:
        found.marks_blanks = True


def _byte_level(step: Json, found: _Found) -> None:
    if found.marks_blanks or found.strips:
        raise _UnprovenError
    if step["add_prefix_space"]:
        found.only(_BEFORE_BLANKS)
    if step["use_regex"]:
        found.only(_pairs(_VISIBLE, _WHITE))
        found.cuts |= _pairs(_VISIBLE, _WHITE)


def _split(step: Json, found: _Found) -> None:
    pattern = cast(Mapping[str, str], step["pattern"])
    if pattern.get("String") == " " and found.marks_blanks:
        return  # there is none left (Gemma)
    matched = (step["behavior"], step["invert"]) in (("Isolated", False), ("Removed", True))
    if "Regex" not in pattern or not matched or found.marks_blanks or found.strips:
        raise _UnprovenError
    ended = whites_after(pattern["Regex"], (*_samples(), _marks()), _WHITE_SAMPLES)
    if ended is None:
        raise _UnprovenError
    pairs = np.zeros((_CLASSES, _CLASSES), dtype=np.bool_)
    pairs[np.ix_(_VISIBLE, _WHITE)] = ended[:-1]
    if found.normalises:
        # A letter may have become one of another class, or a letter and a mark: what holds must
        # hold for all of them.
        found.only(_BEFORE_BLANKS if all(each[0] for each in ended) else np.zeros_like(pairs))
    found.only(pairs)
    if takes_every(pattern["Regex"], " \t\n\r"):
        found.cuts |= pairs


_WHITE_SAMPLES = (" ", "\t", "\n", "\r")


@once
def _marks() -> str:
    points = (chr(point) for point in range(0x300, 0x30000) if not 0xD800 <= point < 0xE000)
    return "".join(each for each in points if unicodedata.category(each)[0] == "M")


@once
def _samples() -> tuple[str, ...]:
    """All characters of each visible class, or more than these."""
    points = [chr(point) for point in range(0x21, 0x30000) if not 0xD800 <= point < 0xE000]
    known = [(each, unicodedata.ucd_3_2_0.category(each)[0]) for each in points]
    letters = "".join(each for each, kind in known if kind == "L")
    others = "".join(each for each, kind in known if kind in "NPS")
    ascii_marks = "".join(each for each in map(chr, range(0x21, 0x7F)) if not each.isalnum())
    return ascii_marks, "0123456789", letters, "".join(map(chr, range(0x3400, 0x9FA6))), others


def _whole_texts(model: Json, normalizers: Sequence[Json], found: _Found) -> None:
    """Without words a text is encoded as a whole: tokens end before a blank's mark where none goes
    on to it."""
    vocabulary = model.get("vocab")
    tokens = (
        list(vocabulary) if isinstance(vocabulary, Mapping) else [each[0] for each in cast(list[list[str]], vocabulary)]
    )
    plain = all(step["type"] == "Replace" for step in normalizers)
    if model["type"] not in ("BPE", "Unigram") or not plain or found.replaces or not found.marks_blanks:
        raise _UnprovenError
    if _MARK not in tokens:
        raise _UnprovenError
    if model.get("continuing_subword_prefix") or model.get("end_of_word_suffix"):
        raise _UnprovenError
    before = {match[1] for token in tokens for match in regex.finditer(f"([^{_MARK}])(?={_MARK})", token)}
    found.ends_badly = frozenset({_MARK} | before)
    found.cuts |= _BEFORE_BLANKS


def _own_words(definition: Json, found: _Found, *, normalised: bool) -> tuple[str, ...]:
    """The added tokens that a text is searched for; special ones hide them where both would
    match."""
    added = cast(Sequence[Mapping[str, object]], definition.get("added_tokens") or ())
    own = [each for each in added if not each["special"]]
    if not own:
        return ()
    if any(each["single_word"] or each["lstrip"] or each["rstrip"] for each in own):
        raise _UnprovenError
    contents = [cast(str, each["content"]) for each in added]
    if normalised and any(each["normalized"] for each in own):
        if any(not _shows(content) or _MARK in content for content in contents):
            raise _UnprovenError
        found.only(_BEFORE_BLANKS)
    return tuple(content for content in contents if content)


def classes_of(text: str) -> npt.NDArray[np.uint8]:
    """The class of each character of a text."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    table = _class_table()
    classes: npt.NDArray[np.uint8] = table[codes]
    if classes.max(initial=0) == _UNASKED:
        unasked = np.unique(codes[classes == _UNASKED])
        table[unasked] = np.array([_class(chr(code)) for code in unasked.tolist()], dtype=np.uint8)
        classes = table[codes]
    return classes


def class_of(character: str) -> int:
    """The class of one character."""
    return int(classes_of(character)[0])


@once
def _class_table() -> npt.NDArray[np.uint8]:
    """The class of each code point, each written once, with what it stays."""
    return np.full(0x110000, _UNASKED, dtype=np.uint8)


@lru_cache(maxsize=1 << 12)
def _class(character: str) -> int:
    if character in _WHITE_SAMPLES:
        return _WHITE_SAMPLES.index(character)
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
    if not alone or not _shows(unicodedata.normalize("NFKC", character)):
        return UNKNOWN
    return LETTER if now == "L" else OTHER
