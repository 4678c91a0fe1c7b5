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
from typing import cast

import numpy as np
import numpy.typing as npt
import regex

from chunking.runtime.made_once import once
from chunking.tokens.character_classes import (
    BLANK,
    CLASSES,
    DIGIT,
    HAN,
    LETTER,
    LINE,
    PUNCTUATION,
    RETURN,
    UNKNOWN,
    VISIBLE,
    WHITE,
    WHITE_CHARACTERS,
    Pairs,
    class_of,
    classes_of,
    is_visible,
    pairs_of,
)
from chunking.tokens.split_patterns import takes_every, whites_after
from chunking.tokens.tokenizer_files import Json, character_image

_MARK = "\u2581"
"""What SentencePiece writes for a blank."""

Flags = npt.NDArray[np.bool_]


class _UnprovenError(Exception):
    """A component that nothing is proven of."""


@dataclass(frozen=True, slots=True)
class Splits:
    """What is proven of one tokenizer."""

    safe: Pairs
    """Between which classes of characters a position is safe."""
    inner: Json | None = None
    """The tokenizer as it encodes what stands behind a safe position, where that is another
    definition."""
    added_tokens: tuple[str, ...] = ()
    """Added tokens that are looked for in the raw text: a position inside one is not safe."""
    unsafe_after: frozenset[str] = frozenset()
    """Characters after which no position is safe."""
    character_map: Callable[[str], str] | None = None
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
        for character in self._unsafe_ends(text):
            at = text.find(character, 0, -1)
            while at >= 0:
                flags[at + 1] = False
                at = text.find(character, at + 1, -1)
        for word in self.added_tokens:
            at = text.find(word)
            while at >= 0:
                flags[at + 1 : at + len(word)] = False
                at = text.find(word, at + 1)
        flags[-1] = True
        return flags

    def is_safe(self, left: str, right: str) -> bool:
        """Whether the seam of two texts is safe; False where a word of the file's own could lie
        across it."""
        if self.added_tokens or any(left[-1] == character for character in self._unsafe_ends(left[-1])):
            return False
        safe: bool = self.safe.item(class_of(left[-1]), class_of(right[0]))
        return safe

    def is_one_unknown(self, text: str) -> bool:
        """Whether a text is one word that is too long for the tokenizer, which is one token."""
        if not self.longest_word or len(text) <= self.longest_word:
            return False
        classes = classes_of(text)
        return bool(((classes == LETTER) | (classes == DIGIT)).all())

    def _unsafe_ends(self, text: str) -> frozenset[str]:
        character_map = self.character_map
        if character_map is None:
            return self.unsafe_after
        return self.unsafe_after | {
            each for each in set(text) if class_of(each) in VISIBLE and not is_visible(character_map(each))
        }


def splits_of(definition: Json) -> Splits | None:
    """What is proven of a tokenizer.json; None when nothing is."""
    try:
        return _proven(definition)
    except (_UnprovenError, KeyError, TypeError, AttributeError):
        return None


@dataclass
class _Proof:
    """What is proven of the components of a tokenizer that were looked at so far."""

    independent: Pairs
    """Where no component's work on one side looks at the other."""
    word_ends: Pairs = field(default_factory=lambda: np.zeros((CLASSES, CLASSES), dtype=np.bool_))
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
    character_map: Callable[[str], str] | None = None
    unsafe_after: frozenset[str] = frozenset()

    def narrow(self, pairs: Pairs) -> None:
        """Another component looks across a position, unless it is between one of these pairs."""
        self.independent &= pairs


# Pairs of classes between which components are known to keep to their side.
_KNOWN = pairs_of(range(UNKNOWN), range(UNKNOWN))
_BEFORE_BLANKS = pairs_of(VISIBLE, [BLANK])
_BESIDE_WHITE = pairs_of(range(UNKNOWN), WHITE) | pairs_of(WHITE, range(UNKNOWN))
_SINGLE = (*WHITE, PUNCTUATION, DIGIT, HAN)
"""What composes with nothing that is known, in any normal form."""
_NORMAL = pairs_of(range(UNKNOWN), _SINGLE) | pairs_of(_SINGLE, range(UNKNOWN))
_NORMAL[RETURN, LINE] = False


def _proven(definition: Json) -> Splits | None:
    """What its components prove, one after another: where they are independent, and where words
    end. Raises _UnprovenError at the first that proves nothing."""
    normalizers, splitters = _steps(definition.get("normalizer")), _steps(definition.get("pre_tokenizer"))
    proof = _Proof(_KNOWN.copy())
    inner = None
    if normalizers and normalizers[0]["type"] == "Prepend":
        inner = {**definition, "normalizer": {"type": "Sequence", "normalizers": normalizers[1:]}}
        proof.narrow(_BEFORE_BLANKS)
        normalizers = normalizers[1:]
    for step in normalizers:
        _add_normalizer(step, proof)
    proof.normalises = any(step["type"] != "Prepend" for step in normalizers)
    for step in splitters:
        _add_pre_tokenizer(step, proof, alone=len(splitters) == 1)
    model = cast(Json, definition["model"])
    if not (proof.independent & proof.word_ends).any():
        _prove_of_whole_texts(model, normalizers, proof)
    added_tokens = _added_tokens(definition, proof, normalised=bool(normalizers) or inner is not None)
    safe = proof.independent & proof.word_ends
    if not safe.any():
        return None
    longest_word = 0
    plainly = {step["type"] for step in (*normalizers, *splitters)} <= {"BertNormalizer", "BertPreTokenizer"}
    if model["type"] == "WordPiece" and plainly and not added_tokens:
        longest_word = cast(int, model["max_input_chars_per_word"])
    return Splits(safe, inner, added_tokens, proof.unsafe_after, proof.character_map, longest_word)


def _steps(component: object) -> list[Json]:
    """The steps of a normaliser or pre-tokenizer, sequences in sequences laid flat."""
    if component is None:
        return []
    step = cast(Mapping[str, object], component)
    if step["type"] != "Sequence":
        return [step]
    inside = cast(Sequence[object], step.get("normalizers", step.get("pretokenizers")))
    return [one for each in inside for one in _steps(each)]


def _add_normalizer(step: Json, proof: _Proof) -> None:
    match step["type"]:
        case "BertNormalizer":
            proof.narrow(_NORMAL)
            proof.around_han |= bool(step["handle_chinese_chars"])
        case "NFC" | "NFD" | "NFKC" | "NFKD" | "StripAccents" | "Lowercase":
            proof.narrow(_NORMAL)
        case "Nmt":
            proof.narrow(_BEFORE_BLANKS)
        case "Strip":
            proof.narrow(_BEFORE_BLANKS)
            proof.strips = True
        case "Precompiled":
            proof.narrow(_BEFORE_BLANKS)
            proof.character_map = character_image(cast(str, step["precompiled_charsmap"]))
            if proof.character_map(" ") != " ":
                raise _UnprovenError
        case "Replace":
            _add_replacement(cast(Mapping[str, str], step["pattern"]), cast(str, step["content"]), proof)
        case _:
            raise _UnprovenError


def _add_replacement(pattern: Mapping[str, str], content: str, proof: _Proof) -> None:
    """Runs of blanks become one, blanks become the mark, or something visible becomes something
    else visible."""
    proof.narrow(_BEFORE_BLANKS)
    runs = pattern.get("Regex") in (" {2,}", " +", r"\s+", r"\s{2,}")
    if (runs or pattern.get("String") == " ") and content in (" ", _MARK):
        proof.marks_blanks |= content == _MARK and pattern.get("Regex") != " {2,}"
        return
    if not (is_visible(content) and is_visible(pattern.get("String", "")) and _MARK not in pattern["String"] + content):
        raise _UnprovenError
    proof.replaces = True


def _add_pre_tokenizer(step: Json, proof: _Proof, *, alone: bool) -> None:
    match step["type"]:
        case "BertPreTokenizer" | "Whitespace" | "WhitespaceSplit" if proof.marks_blanks:
            raise _UnprovenError  # a mark is no white space
        case "BertPreTokenizer":
            beside_punctuation = pairs_of(range(UNKNOWN), [PUNCTUATION]) | pairs_of([PUNCTUATION], range(UNKNOWN))
            proof.word_ends |= _BESIDE_WHITE | beside_punctuation
        case "Whitespace" | "WhitespaceSplit":
            proof.word_ends |= _BESIDE_WHITE
        case "Punctuation" | "Digits":
            if step.get("behavior", "Isolated") not in ("Isolated", "Contiguous", "Removed"):
                raise _UnprovenError
            proof.narrow(_BESIDE_WHITE)
        case "Metaspace":
            _add_metaspace(step, proof, alone=alone)
        case "ByteLevel":
            _add_byte_level(step, proof)
        case "Split":
            _add_split(step, proof)
        case _:
            raise _UnprovenError
    if proof.around_han and step["type"] in ("BertPreTokenizer", "Whitespace", "WhitespaceSplit"):
        proof.word_ends |= pairs_of(range(UNKNOWN), [HAN]) | pairs_of([HAN], range(UNKNOWN))


def _add_metaspace(step: Json, proof: _Proof, *, alone: bool) -> None:
    scheme = step.get("prepend_scheme", "always")
    if (scheme == "first" and not alone) or (proof.strips and scheme != "always"):
        raise _UnprovenError
    if proof.marks_blanks and step["replacement"] != _MARK:
        raise _UnprovenError
    if not alone and not (proof.word_ends & _BEFORE_BLANKS).any():
        proof.narrow(_BEFORE_BLANKS)
    if alone:
        proof.narrow(_BEFORE_BLANKS)
    if step.get("split", True):
        proof.word_ends |= _BEFORE_BLANKS
    else:
        proof.marks_blanks = True


def _add_byte_level(step: Json, proof: _Proof) -> None:
    if proof.marks_blanks or proof.strips:
        raise _UnprovenError
    if step["add_prefix_space"]:
        proof.narrow(_BEFORE_BLANKS)
    if step["use_regex"]:
        proof.narrow(pairs_of(VISIBLE, WHITE))
        proof.word_ends |= pairs_of(VISIBLE, WHITE)


def _add_split(step: Json, proof: _Proof) -> None:
    pattern = cast(Mapping[str, str], step["pattern"])
    if pattern.get("String") == " " and proof.marks_blanks:
        return  # there is none left (Gemma)
    matched = (step["behavior"], step["invert"]) in (("Isolated", False), ("Removed", True))
    if "Regex" not in pattern or not matched or proof.marks_blanks or proof.strips:
        raise _UnprovenError
    ended = whites_after(pattern["Regex"], (*_characters_by_class(), _combining_marks()), WHITE_CHARACTERS)
    if ended is None:
        raise _UnprovenError
    pairs = np.zeros((CLASSES, CLASSES), dtype=np.bool_)
    pairs[np.ix_(VISIBLE, WHITE)] = ended[:-1]
    if proof.normalises:
        # A letter may have become one of another class, or a letter and a mark: what holds must
        # hold for all of them.
        proof.narrow(_BEFORE_BLANKS if all(each[0] for each in ended) else np.zeros_like(pairs))
    proof.narrow(pairs)
    if takes_every(pattern["Regex"], " \t\n\r"):
        proof.word_ends |= pairs


@once
def _combining_marks() -> str:
    points = (chr(point) for point in range(0x300, 0x30000) if not 0xD800 <= point < 0xE000)
    return "".join(each for each in points if unicodedata.category(each)[0] == "M")


@once
def _characters_by_class() -> tuple[str, ...]:
    """All characters of each visible class, or more than these."""
    points = [chr(point) for point in range(0x21, 0x30000) if not 0xD800 <= point < 0xE000]
    known = [(each, unicodedata.ucd_3_2_0.category(each)[0]) for each in points]
    letters = "".join(each for each, kind in known if kind == "L")
    others = "".join(each for each, kind in known if kind in "NPS")
    ascii_marks = "".join(each for each in map(chr, range(0x21, 0x7F)) if not each.isalnum())
    return ascii_marks, "0123456789", letters, "".join(map(chr, range(0x3400, 0x9FA6))), others


def _prove_of_whole_texts(model: Json, normalizers: Sequence[Json], proof: _Proof) -> None:
    """Without words a text is encoded as a whole: tokens end before a blank's mark where none goes
    on to it."""
    vocabulary = model.get("vocab")
    tokens = (
        list(vocabulary) if isinstance(vocabulary, Mapping) else [each[0] for each in cast(list[list[str]], vocabulary)]
    )
    plain = all(step["type"] == "Replace" for step in normalizers)
    if model["type"] not in ("BPE", "Unigram") or not plain or proof.replaces or not proof.marks_blanks:
        raise _UnprovenError
    if _MARK not in tokens:
        raise _UnprovenError
    if model.get("continuing_subword_prefix") or model.get("end_of_word_suffix"):
        raise _UnprovenError
    before = {match[1] for token in tokens for match in regex.finditer(f"([^{_MARK}])(?={_MARK})", token)}
    proof.unsafe_after = frozenset({_MARK} | before)
    proof.word_ends |= _BEFORE_BLANKS


def _added_tokens(definition: Json, proof: _Proof, *, normalised: bool) -> tuple[str, ...]:
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
        if any(not is_visible(content) or _MARK in content for content in contents):
            raise _UnprovenError
        proof.narrow(_BEFORE_BLANKS)
    return tuple(content for content in contents if content)
