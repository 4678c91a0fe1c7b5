"""Document text and names as HTML that shows them and never obeys them: for the report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

_LINE_END = re.compile("\r\n?")
_REPLACED = "\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff"
_MARKED = "\xad\u061c\u180e\u200b\u200e\u200f\u2060-\u2064\ufeff\U000e0000-\U000e007f"
_HIDDEN = re.compile(f"([{_REPLACED}])|[{_MARKED}]")
"""As the app's source view has it: controls, direction marks and lone surrogates become a picture,
what has no width stays and gets a mark (joiners stay bare: emoji need them)."""


def source_html(text: str) -> str:
    """Document text for a `pre`: every character is seen as itself or as a picture of it, line ends
    as line ends."""
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    return _HIDDEN.sub(_pictured, escape(text, quote=False))


def line_html(text: str) -> str:
    """A name, a title or a sentence on one line; its direction reaches no further than itself."""
    return f"<bdi>{source_html(' '.join(text.split()))}</bdi>"


def attribute(text: str) -> str:
    """Text between the quotes of an attribute, on one line."""
    return escape("".join(" " if _unseen(character) else character for character in text))


def crumb_html(breadcrumb: Sequence[str]) -> str:
    """A breadcrumb, part by part."""
    return " › ".join(line_html(part) for part in breadcrumb)


def table_html(label: str, head: Sequence[tuple[str, str]], rows: Sequence[str]) -> str:
    """A table that scrolls by itself where it is too wide, with its columns' names and classes."""
    named = "".join(f'<th scope="col"{_class(kind)}>{name}</th>' for name, kind in head)
    return (
        f'<div class="wide" tabindex="0" role="region" aria-label="{attribute(label)}"><table><thead><tr>{named}</tr>'
        f"</thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def row_html(cells: Sequence[tuple[str, str]], *, kind: str = "") -> str:
    """A row of cells, each with its markup and its class; the first one names the row."""
    (first, first_kind), *rest = cells
    others = "".join(f"<td{_class(each)}>{markup}</td>" for markup, each in rest)
    return f'<tr{_class(kind)}><th scope="row"{_class(first_kind)}>{first}</th>{others}</tr>'


def _class(kind: str) -> str:
    return f' class="{kind}"' if kind else ""


def _pictured(found: re.Match[str]) -> str:
    title = f"U+{ord(found[0]):04X}"
    if found[1]:
        return f'<span class="ctl" title="{title}">{_picture(ord(found[0]))}</span>'
    return f'<span class="zw" title="{title}">{found[0]}</span>'


def _picture(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if code in (0x2028, 0x2029):
        return "↵"
    return "⇄" if 0x202A <= code <= 0x2069 else "␦"


def _unseen(character: str) -> bool:
    return character in "\n\t" or _HIDDEN.match(character) is not None
