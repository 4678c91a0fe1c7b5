"""Documents of the same name, told apart by how each begins. No Streamlit."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

_MOST = 40
"""Characters of a beginning."""


def told_apart(titles: Iterable[str], beginnings: Iterable[str]) -> list[str]:
    """The titles, those that occur more than once each with its beginning."""
    listed = list(titles)
    often = Counter(listed)
    pairs = zip(listed, beginnings, strict=True)
    return [f"{title} · {beginning}" if often[title] > 1 and beginning else title for title, beginning in pairs]


def titles_told_apart(titles: Mapping[str, str], texts: Mapping[str, str]) -> dict[str, str]:
    """The same by keys: of a text that is not at hand, the beginning of its key."""
    beginnings = (beginning_of(texts[key]) if key in texts else key[:6] for key in titles)
    return dict(zip(titles, told_apart(titles.values(), beginnings), strict=True))


def beginning_of(text: str) -> str:
    """The first line with words, without marks of a heading; cut after 40 characters."""
    line = next(filter(None, (line.strip(" #*=-\t") for line in text[:4000].splitlines())), "")
    return line if len(line) <= _MOST else f"{line[:_MOST].rstrip()}…"


def same_names(names: Iterable[str]) -> list[str]:
    """Names that more than one document has, each once."""
    return [name for name, often in Counter(names).items() if often > 1]
