"""Rendering untrusted values and names in messages: one line, short, printable, no look-alikes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from unicodedata import category

MAX_SHOWN = 60
"""Characters of a value that a message repeats."""

_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_MOVES_A_TERMINAL = re.compile(
    f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff{''.join(sorted(_BIDI))}]|\r(?!\n)"
)
_UNSAFE = frozenset({"Cc", "Cs", "Zl", "Zp"})


CODE_POINT = "[U+"
"""What stands in place of a character that is not shown begins with this."""


def shown(value: object) -> str:
    """A setting's value in the notation of YAML: text in quotes, at most 60 characters, with
    characters that cannot be printed as code points. A mapping or list is only named as one."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**MAX_SHOWN else "a number of more than 60 digits"
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return f"'{shown_ascii(value)}'" if _like_a_word(value) else f"'{shown_text(value)}'"
    return "a mapping" if hasattr(value, "keys") else "a list"


def shown_text(text: str, limit: int = MAX_SHOWN) -> str:
    """Text on one line: unprintable characters and direction marks as `[U+000A]`, others
    unchanged."""
    if len(text) <= limit and text.isprintable():
        return text
    return _cut(text, limit, lambda c: not c.isprintable())


_PASSWORD = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*:/{1,2}[^/@:\s]*:)[^@\s]+@")
"""What stands before a password in an address; a path has one slash where that had two."""
_SECRET_OPTION = re.compile(r"([?&][^=&\s]*(?:pass|key|token|secret)[^=&\s]*=)[^&\s:;,]+", re.IGNORECASE)


def without_passwords(text: str) -> str:
    """The text with `***` in the place of each password that an address in it has."""
    return _SECRET_OPTION.sub(r"\1***", _PASSWORD.sub(r"\1***@", text) if "@" in text else text)


def shown_ascii(text: str, limit: int = MAX_SHOWN) -> str:
    """An attempt at a name that is ASCII, as a person typed it: every other character as
    `[U+0430]`."""
    return _cut(text, limit, lambda c: not " " <= c <= "~")


def safe_name(name: str) -> str:
    """A document's name, safe for a terminal, a table or a chunk: whole, without control
    characters.

    Joiners stay, because emoji need them; nothing is normalised, so names that differ stay
    different.
    """
    if name.isascii() and name.isprintable():
        return name
    return "".join(_code_point(c) if category(c) in _UNSAFE or c in _BIDI else c for c in name)


def for_terminal(text: str) -> str:
    """Text of several lines, safe for a terminal: control characters and direction marks as
    `[U+001B]`, so that they can move nothing. Line ends and tabs stay."""
    return _MOVES_A_TERMINAL.sub(lambda found: _code_point(found[0]), text)


def counted(count: int, one: str, many: str = "") -> str:
    """A number with its noun in the singular or plural: "1 config", "1,200 configs".

    `many` is the plural of a noun that does not form it with an s.
    """
    return f"{count:,} {one}" if count == 1 else f"{count:,} {many or f'{one}s'}"


def listed(words: Sequence[str]) -> str:
    """`a, b and c`; of one word itself."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def page_range(pages: tuple[int, int]) -> str:
    """First and last page: "3", "3 to 4"."""
    first, last = pages
    return f"{first:,}" if first == last else f"{first:,} to {last:,}"


def be(count: int, *, past: bool = False) -> str:
    """The form of "to be" that agrees with a count."""
    return ("was" if past else "is") if count == 1 else ("were" if past else "are")


def _cut(text: str, limit: int, odd: Callable[[str], bool]) -> str:
    head = "".join(_code_point(c) if odd(c) else c for c in text[: limit + 1])
    return head if len(head) <= limit else head[: limit - 1] + "…"


def _code_point(character: str) -> str:
    return f"{CODE_POINT}{ord(character):04X}]"


def _like_a_word(text: str) -> bool:
    """Whether a look-alike character could be mistaken for ASCII in this text.

    True if most of the text is ASCII, or if it consists of digits of any script.
    """
    plain = sum(c.isascii() for c in text[:MAX_SHOWN])
    return 2 * plain >= min(len(text), MAX_SHOWN) or text[:MAX_SHOWN].isnumeric()
