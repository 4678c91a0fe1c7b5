"""The kinds of headings that plain text and converted files have, each recognised line by line.

A line is given without the white space around it. Wherever a guess is needed, a line is rather left
as text: a heading has no full stop, a title that begins with a capital, and no dots that lead to a
page number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from chunking.document.heading_templates import number_depth

LONGEST_LINE = 160
"""Characters of a line that may be a heading."""

_NUMBER = r"\d{1,3}(?:\.\d{1,3}){0,8}"
_NUMBER_WORDS = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
)
_NUMERAL = rf"(?:({_NUMBER})[a-z]?|[IVXLCDM]{{1,9}}|[A-Z]|(?i:{_NUMBER_WORDS.replace(' ', '|')}))(?!\w)"
_CJK_NUMERAL = "第[ ]?[0-9０-９〇零一二三四五六七八九十百千]{1,8}[ ]?"
_CHAPTERS = (
    "part|book|chapter|volume|act|title|appendix|annex|schedule|teil|buch|kapitel|anhang|anlage|partie|livre|chapitre|"
    "titre|annexe|parte|libro|capítulo|capitulo|título|anexo|capitolo|titolo|allegato|livro|deel|hoofdstuk|bijlage|"
    "część|rozdział|załącznik|часть|глава|раздел|приложение"
)
_ARTICLES = (
    "article|art|section|sec|clause|paragraph|rule|regulation|artikel|abschnitt|paragraf|artículo|articulo|sección|"
    "articolo|sezione|artigo|secção|seção|artykuł|статья|пункт|параграф"
)

_NUMBERED = re.compile(rf"({_NUMBER})([.)]?)[ \t\xa0\u3000]+(\S.*)")
_ONE_LEVEL = re.compile(r"\d{1,9}([.)]?)[ \t\xa0\u3000]")
_LEADERS = re.compile(r"\.[ .]*\.[ .]*\.|[ \t]{3,}\d+\Z")
_NO_TITLE_ENDS = frozenset(".,;:。，；：、")
_OPENS_TITLE = frozenset("\"'“‘«„(¿¡「『《【")
_MARKUP = frozenset("#>|`~<[+-*=")


def _named(words: str, sign: str, in_cjk: str) -> re.Pattern[str]:
    """Lines such as `Article 1`, with a title behind it or without."""
    return re.compile(
        rf"(?:(?:(?i:{words})\.?[ \t\xa0]+{sign}){_NUMERAL}([.:)]|[ \t]*[–—-](?=[ \t]|\Z))?"
        rf"|{_CJK_NUMERAL}[{in_cjk}])(?:[ \t\xa0\u3000]+(\S.*))?"
    )


_CHAPTER = _named(_CHAPTERS, "", "章编編部篇卷")
_ARTICLE = _named(_ARTICLES, r"|§{1,2}[ \t\xa0]*", "条條节節")


def _numbered(text: str) -> int:
    found = _NUMBERED.fullmatch(text) if text[0].isdecimal() else None
    return number_depth(found[1]) if found and _is_title(found[3]) else 0


def _chapter(text: str) -> int:
    return _with_word(_CHAPTER, text)


def _article(text: str) -> int:
    return _with_word(_ARTICLE, text)


def _with_word(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.fullmatch(text)
    if found is None:
        return 0
    number, separator, title = found[1], found[2], found[3]
    if title and not (_is_title(title) or (separator and _is_title(title.capitalize()))):
        return 0
    return number_depth(number or "")


def _capitals(text: str) -> int:
    if not text.isupper() or text[0] in _MARKUP or text[-1] in _NO_TITLE_ENDS or "|" in text or _LEADERS.search(text):
        return 0
    letters = sum(map(str.isalpha, text))
    return 1 if letters >= 3 and letters * 2 >= sum(not each.isspace() for each in text) else 0


def _page_title(text: str) -> int:
    return 1 if text[0] not in _MARKUP and any(map(str.isalpha, text)) and _is_title(text, digits=True) else 0


def _is_title(text: str, *, digits: bool = False) -> bool:
    """Whether it reads as a heading's title, and not as a sentence or a line of contents."""
    first = text[0]
    begins = (first.isalpha() and not first.islower()) or first in _OPENS_TITLE or (digits and first.isdecimal())
    return begins and text[-1] not in _NO_TITLE_ENDS and "|" not in text and not _LEADERS.search(text)


def is_numbered_item(text: str) -> bool:
    """Whether Markdown may take the line for an item of a list, as `1. Title`."""
    found = _ONE_LEVEL.match(text)
    return bool(found and found[1])


def item_width(line: str) -> int:
    """The column from which on a line below belongs to the item of a list that this line may be."""
    return len(line) - len(line.lstrip(" \t0123456789.)"))


def has_one_number(text: str) -> bool:
    """Whether it begins with a number without dots inside, as `3 Results`."""
    return _ONE_LEVEL.match(text) is not None


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of heading."""

    title: str
    """As on screen."""
    example: str
    depth: Callable[[str], int]
    """1 for a heading, more where its number has dots; 0 for a line that is none."""


HEADING_KINDS: Mapping[str, Kind] = {
    "chapter": Kind("Chapters and parts", "Chapter I, PART TWO, Appendix B: Tables", _chapter),
    "article": Kind("Articles and sections", "Article 1, § 12 Scope, Section 3.1", _article),
    "numbered": Kind("Numbered headings", "1 Title, 1.2 Title", _numbered),
    "capitals": Kind("Lines in capitals", "GENERAL TERMS", _capitals),
    "page-title": Kind("Page titles", "the first line of a page", _page_title),
}
"""By the name in a YAML, in the order in which they are offered: the outermost first."""

PAGE_TITLE = "page-title"
CAPITALS = "capitals"
NUMBERED = "numbered"
