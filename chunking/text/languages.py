"""A heuristic for whether a text is in English, because the bundled embedder was trained on
English.

It looks at the script of the letters, then at the share of function words (the, of, and ...). A
text with too few words to judge, such as code or a table of names, counts as English.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

ENOUGH = 60
"""Minimum number of words for judging by function words."""
_MAX_CHARACTERS = 200_000
"""Maximum number of characters of one document that are examined."""
_OTHER_SCRIPTS = 0.25
"""Share of non-Latin letters above which a text is not English, whatever its words are."""
_USUAL_SHARE = 0.12
"""Share of English function words below which English text rarely falls, except for lists of
names."""
_MINIMUM_SHARE = 0.035
"""Share of English function words below which a longer English text never falls."""
_OTHER_SHARE = 0.05
"""Share of function words of other languages that is more than a coincidence."""
_SOME_DIACRITICS = 0.02
"""Share of letters with diacritics (é, ł) that English text rarely exceeds."""
_MANY_DIACRITICS = 0.1
"""Share of letters with diacritics that English text never exceeds."""
_MAX_NAMED = 3
"""Maximum number of documents that a message names."""
_LONGER_TEXT = 200
"""Number of words from which a low share of function words is evidence by itself."""
_NOT_PROSE = re.compile(
    r"^(`{3,}|~{3,})[\s\S]*?(^\1|\Z)|`[^`\n]*`|<[^<>\n]*>|https?://\S+|\]\([^()\n]*\)", re.MULTILINE
)
"""Fences, inline code, tags and URLs, which look like English in every language: not examined.

Each alternative stops where another of its kind opens, so that a text full of openings takes linear
time."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_FUNCTION_WORDS = """
the of and to is that for it with as this be are on not or by from at which you can if when your will have has its an we
they there their but all would one use what how were been more then than these into only other should may must do does
no any some so such our each about after also between where while used using was had he she his don't doesn't isn't it's
you're
"""
_OTHER_FUNCTION_WORDS = """
der und den von zu das mit sich des dem ein eine nicht auf für ist im sie auch wird werden einer als oder bei nach
het een van dat niet zijn voor met aan ook wordt deze kan naar door
le la les des une du que pour dans qui est sur pas par au avec ce sont cette plus ou vous nous
el los las del se por con para una como su al lo es más pero
os da em um uma não na mais dos ao das seu sua você
il che di della per non sono è gli nel questo si ha
och att det som på av för den till en ikke til
w na z że jest nie się jak przez je v s pro nebo ve
bir bu için ile olarak
yang dan untuk dengan dari ini itu tidak dalam adalah
"""
"""German, Dutch, French, Spanish, Portuguese, Italian, Scandinavian, Polish and Czech, Turkish,
Indonesian."""
_ENGLISH = frozenset(_FUNCTION_WORDS.split())
_OTHER = frozenset(_OTHER_FUNCTION_WORDS.split()) - _ENGLISH


def function_words(words: Iterable[str]) -> frozenset[str]:
    """Those of a sentence's words, in lower case, that any text of its language has. It is taken to
    be English unless several of them, and more, are another language's: "pour" is a word of two."""
    said = frozenset(words)
    english, other = said & _ENGLISH, said & _OTHER
    return other if len(other) > max(1, len(english)) else english


class EnglishTally:
    """Counts of letters and words over the texts of one document, and the verdict `seems_other`."""

    __slots__ = ("_elsewhere", "_english", "_foreign_letters", "_letters", "_marked", "_seen", "_words")

    def __init__(self) -> None:
        self._letters = self._foreign_letters = self._marked = 0
        self._words = self._english = self._elsewhere = 0
        self._seen = 0

    def add(self, text: str) -> None:
        """Count one more text. The text itself is not kept."""
        text = text[: max(0, _MAX_CHARACTERS - self._seen)]
        self._seen += len(text)
        words = Counter(_WORD.findall(_NOT_PROSE.sub(" ", text).lower()))
        for word, times in words.items():
            foreign = sum(not _is_latin(letter) for letter in word)
            self._letters += times * len(word)
            self._foreign_letters += times * foreign
            self._marked += times * sum(letter > "\x7f" and letter != "’" for letter in word if _is_latin(letter))
            self._words += times
        self._english += sum(times for word, times in words.items() if word in _ENGLISH)
        self._elsewhere += sum(times for word, times in words.items() if word in _OTHER)

    @property
    def seems_other(self) -> bool:
        """Whether the texts seem to be in a language other than English."""
        if self._letters and self._foreign_letters / self._letters > _OTHER_SCRIPTS:
            return self._letters >= _MIN_LETTERS
        if self._words < ENOUGH:
            return False
        marked = self._marked / self._letters
        english, elsewhere = self._english / self._words, self._elsewhere / self._words
        if elsewhere > max(english, _OTHER_SHARE):
            return english < _USUAL_SHARE
        return (english < _MINIMUM_SHARE and self._words >= _LONGER_TEXT and marked > _SOME_DIACRITICS) or (
            english < _USUAL_SHARE and marked > _MANY_DIACRITICS
        )


_MIN_LETTERS = 10
"""Minimum number of letters for judging by script: fewer may be a name or a symbol."""


def seems_other_than_english(texts: Iterable[str]) -> bool:
    """Whether these texts, taken together, seem to be in a language other than English."""
    tally = EnglishTally()
    for text in texts:
        tally.add(text)
    return tally.seems_other


def english_warning(embedder: str, names: Sequence[str], of: int) -> str:
    """A warning about the documents `names` that do not seem to be in English; "" if there are
    none.

    `of` is how many documents there are in all.
    """
    if not names:
        return ""
    which = ", ".join(names[:_MAX_NAMED]) + (
        f" and {len(names) - _MAX_NAMED:,} more" if len(names) > _MAX_NAMED else ""
    )
    seem = f"{which} seems" if len(names) == 1 else f"{len(names):,} of {of:,} documents seem"
    listed = "" if len(names) == 1 else f" ({which})"
    return (
        f"{seem} not to be English{listed}; {embedder} was trained on English, so its vectors are less reliable there"
    )


def _is_latin(letter: str) -> bool:
    """Whether a character is a Latin letter, with or without diacritics, or a combining mark."""
    return letter < "\u0370" or "\u1e00" <= letter <= "\u1eff" or "\u2c60" <= letter <= "\u2c7f" or letter == "\u2019"
