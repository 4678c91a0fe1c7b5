"""Whether a text seems to be English: the embedder that comes along was trained on English, and knows little else.

A rule of thumb that says "seems": it looks at the script of the letters, then at the small words that every English
sentence has. It keeps still about a text with too few words to tell, such as code or tables of names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

ENOUGH = 60
"""Words below which small words tell nothing."""
_MOST = 200_000
"""Characters of one document that are looked at."""
_OTHER_SCRIPTS = 0.25
"""Share of letters that are not Latin from which a text is not English, whatever the rest says."""
_MANY = 0.12
"""Share of small words that English text rarely falls below, lists of names and links apart."""
_FEW = 0.035
"""Share of small words that English text of some length never falls below."""
_SOME = 0.05
"""Share of small words of other languages that is no accident."""
_MARKED = 0.02
"""Share of letters with marks, as in é or ł, that hardly an English text has."""
_FULL = 0.1
"""Share of letters with marks that no English text has."""
_NAMED = 3
"""Documents that a line names."""
_LONG = 200
"""Words from which few small words are telling by themselves."""
_ASIDE = re.compile(r"^(`{3,}|~{3,})[\s\S]*?(^\1|\Z)|`[^`\n]*`|<[^<>\n]*>|https?://\S+|\]\([^()\n]*\)", re.MULTILINE)
"""Fences, code, tags and addresses: in every language they look like English.

Each ends where another one of its kind opens, so that a text full of openings is looked through once."""
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SMALL_WORDS = """
the of and to is that for it with as this be are on not or by from at which you can if when your will have has its an we
they there their but all would one use what how were been more then than these into only other should may must do does
no any some so such our each about after also between where while used using was had he she his don't doesn't isn't it's
you're
"""
_SMALL_WORDS_ELSEWHERE = """
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
"""German, Dutch, French, Spanish, Portuguese, Italian, Scandinavian, Polish and Czech, Turkish, Indonesian."""
_ENGLISH = frozenset(_SMALL_WORDS.split())
_ELSEWHERE = frozenset(_SMALL_WORDS_ELSEWHERE.split()) - _ENGLISH


class EnglishTally:
    """Texts of one document, looked at one after another; `seems_other` once they have all been seen."""

    def __init__(self) -> None:
        self._letters = self._foreign_letters = self._marked = 0
        self._words = self._english = self._elsewhere = 0
        self._seen = 0

    def add(self, text: str) -> None:
        """Look at one more text; nothing is kept of it."""
        text = text[: max(0, _MOST - self._seen)]
        self._seen += len(text)
        found = Counter(_WORD.findall(_ASIDE.sub(" ", text).lower()))
        for word, times in found.items():
            foreign = sum(not _is_latin(letter) for letter in word)
            self._letters += times * len(word)
            self._foreign_letters += times * foreign
            self._marked += times * sum(letter > "\x7f" and letter != "’" for letter in word if _is_latin(letter))
            self._words += times
        self._english += sum(times for word, times in found.items() if word in _ENGLISH)
        self._elsewhere += sum(times for word, times in found.items() if word in _ELSEWHERE)

    @property
    def seems_other(self) -> bool:
        """Whether the texts seem to be in another language than English."""
        if self._letters and self._foreign_letters / self._letters > _OTHER_SCRIPTS:
            return self._letters >= _FEWEST_LETTERS
        if self._words < ENOUGH:
            return False
        marked = self._marked / self._letters
        english, elsewhere = self._english / self._words, self._elsewhere / self._words
        if elsewhere > max(english, _SOME):
            return english < _MANY
        return (english < _FEW and self._words >= _LONG and marked > _MARKED) or (english < _MANY and marked > _FULL)


_FEWEST_LETTERS = 10
"""Letters below which another script is a name or a symbol in passing."""


def seems_other_than_english(texts: Iterable[str]) -> bool:
    """Whether these texts together seem to be in another language."""
    tally = EnglishTally()
    for text in texts:
        tally.add(text)
    return tally.seems_other


@lru_cache(maxsize=64)
def document_seems_other(text: str) -> bool:
    """The same of one document's whole text, remembered: a moved threshold asks again."""
    return seems_other_than_english([text])


def english_words(embedder: str, names: Sequence[str], of: int) -> str:
    """What to say of documents that seem to be in another language than this English embedder's; "" of none."""
    if not names:
        return ""
    which = ", ".join(names[:_NAMED]) + (f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else "")
    seem = f"{which} seems" if len(names) == 1 else f"{len(names):,} of {of:,} documents seem"
    listed = "" if len(names) == 1 else f" ({which})"
    return f"{seem} not to be English{listed}; {embedder} was trained on English, so its vectors say little there"


def _is_latin(letter: str) -> bool:
    """Latin, Latin with marks, and the marks; nothing else that is a letter lies there but for Greek beyond."""
    return letter < "\u0370" or "\u1e00" <= letter <= "\u1eff" or "\u2c60" <= letter <= "\u2c7f" or letter == "\u2019"
