"""Where each page begins in a text that was put together from all of them, without their running
heads and feet: found by what only that page says."""

from __future__ import annotations

from collections.abc import Sequence

_LENGTH = 24
"""Letters and digits in a row by which a page is found."""
_AROUND = 200
"""Characters before and behind a page's place in which its edges are looked for."""
_STEP = 7
_TRIES = 60


def page_starts(text: str, pages: Sequence[str]) -> tuple[tuple[int, ...], list[int]]:
    """The offset in `text` at which each page begins, and the pages, from 1, whose place is not
    certain: these begin where the next one does.

    Only letters and digits are compared, so marks, blanks and line breaks may differ.
    """
    if not pages:
        return (), []
    letters, offsets = _letters(text)
    of_pages = [_letters(page)[0] for page in pages]
    together = "\n".join(of_pages)
    found: list[int | None] = [0]
    reached = 0
    for page in of_pages[1:]:
        at = _place(page, together, letters, reached)
        reached = reached if at is None else at
        found.append(at)
    starts, following = [], len(letters)
    for at in reversed(found[1:]):
        following = following if at is None else at
        starts.append(_with_marks(text, offsets[following]) if following < len(letters) else len(text))
    guessed = [number for number, at in enumerate(found, 1) if at is None and of_pages[number - 1]]
    return (0, *reversed(starts)), guessed


def without_an_edge(text: str, starts: Sequence[int], pages: Sequence[str]) -> list[int]:
    """The pages, from 1, whose first or last line is not in the text about where the page is."""
    lacking = []
    for number, (page, start) in enumerate(zip(pages, starts, strict=True), 1):
        lines = [letters for line in page.splitlines() if (letters := "".join(filter(str.isalnum, line)))]
        end = starts[number] if number < len(starts) else len(text)
        here = "".join(filter(str.isalnum, text[max(0, start - _AROUND) : end + _AROUND]))
        if lines and not (lines[0] in here and lines[-1] in here):
            lacking.append(number)
    return lacking


def _letters(text: str) -> tuple[str, list[int]]:
    """The letters and digits of a text, and where each stands."""
    offsets = [at for at, character in enumerate(text) if character.isalnum()]
    return "".join(text[at] for at in offsets), offsets


def _place(page: str, together: str, letters: str, reached: int) -> int | None:
    """Where a page begins among all letters, not before `reached`; None where nothing that this
    page alone says stands there exactly once. A running head stands on many pages and once in the
    text."""
    for start in range(0, min(len(page), _STEP * _TRIES), _STEP):
        piece = page[start : start + _LENGTH]
        at = letters.find(piece, reached)
        if at < 0 or letters.find(piece, at + 1) >= 0 or together.find(piece, together.find(piece) + 1) >= 0:
            continue
        while start and at > reached and page[start - 1] == letters[at - 1]:
            start, at = start - 1, at - 1
        return at
    return None


def _with_marks(text: str, offset: int) -> int:
    """The start of the line where only marks stand before this on it, as those of a heading."""
    line = max(text.rfind(end, 0, offset) for end in "\r\n") + 1
    return offset if any(each.isalnum() for each in text[line:offset]) else line
