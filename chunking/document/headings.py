"""What a heading is called: its text as written, its plain text, and its anchor (DECISIONS all-4).

Nothing here knows a Markdown library; `parser.py` passes in what reads inline Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

MAX_INLINE_CHARACTERS = 2_000
MAX_INLINE_MARKS = 100
"""A title with more characters or more marks is read cheaply: inline parsing is superlinear on
hostile text."""

_MARK = re.compile(r"[\\`*_\[\]<>&!]")
_SIMPLE = re.compile(r"(?:[^\\`*_\[\]<&!]++|`(?!`)[^`]*`(?!`)|!(?!\[)|&(?![#a-zA-Z])|(?<=[^\W_])_(?=[^\W_]))*+\Z")
"""A title whose only markup, if any, is code between single backticks."""
_UNMARKED = re.compile(r"[^\x00- !&*<\[-\]_`\x7f-\U0010ffff]++(?: [^\x00- !&*<\[-\]_`\x7f-\U0010ffff]++)*+(?<![#}])\Z")
_CODE = re.compile(r"`([^`]*)`")
_ESCAPE = re.compile(r"\\(?=[!-/:-@\[-`{-~])")
_ATTRIBUTES = re.compile(r"\{(?:[ \t]*#([^\s{}]+)(?:[ \t]+[^{}]*)?|/\*[ \t]*([^\s{}*]+)[ \t]*\*/)\}")
_WHITE = re.compile(r"[ \t\n]+")
_NOT_IN_SLUG = re.compile(r"[^\w\- ]+")
_ASCII_SLUG = {ord(each): _NOT_IN_SLUG.sub("", each.lower()).replace(" ", "-") or None for each in map(chr, range(128))}
"""The same for `str.translate`, which is twice as fast, and the next step too."""
_DEFINITION = re.compile(r"[ \t>]*\[((?:[^\[\]\\]|\\.){1,999})\]:")

_PIECE = 65_536
"""Characters."""

InlineText = Callable[[str], str]
"""The plain text of one line of inline Markdown."""


def raw_title(lines: list[str], *, setext: bool) -> str:
    """A heading's text as written, on one line: without `#` marks, closing marks or underline.

    `lines` are all the heading's lines, the underline of a setext heading included.
    """
    if setext:
        return " ".join(line.strip() for line in lines[:-1]).strip()
    text = lines[0].strip(" \t").lstrip("#")
    unclosed = text.rstrip("#")
    if unclosed != text and unclosed and unclosed[-1] in " \t":
        text = unclosed
    return text.strip()


def unmarked_title(line: str) -> str:
    """The text of a heading of one line, which begins with `#`, where it is ASCII between single
    blanks and nothing in it is a mark: then title and text as written are the same, and are found
    in a third of the time. Empty for any other line."""
    text = line.strip(" \t").lstrip("#").strip()
    return text if _UNMARKED.match(text) else ""


def split_id(raw: str) -> tuple[str, str]:
    """A title without its trailing `{#id}`, and the id ("" without one).

    `{#id .class key="v"}` goes as a whole, and so does `{/*id*/}`, which is how MDX says it.
    """
    if not raw.endswith("}"):
        return raw, ""
    start = raw.rfind("{")
    attributes = _ATTRIBUTES.fullmatch(raw, start) if start >= 0 else None
    if attributes is None or raw[:start].endswith("\\"):
        return raw, ""
    return raw[:start].rstrip(), attributes[1] or attributes[2]


def plain_title(raw: str, inline_text: InlineText) -> str:
    """A title's plain text: inline markup removed, white space collapsed.

    Above MAX_INLINE_CHARACTERS or MAX_INLINE_MARKS only `*`, backticks and escapes are removed.
    """
    if _SIMPLE.match(raw):
        if "`" in raw:
            raw = _CODE.sub(_code_text, raw)
        return _on_one_line(raw)
    marks = len(_MARK.findall(raw[: MAX_INLINE_CHARACTERS + 1]))
    if len(raw) > MAX_INLINE_CHARACTERS or marks > MAX_INLINE_MARKS:
        return _on_one_line(_unescaped(raw).replace("*", "").replace("`", ""))
    return _on_one_line(inline_text(raw))


def _unescaped(text: str) -> str:
    """Without the backslashes of escapes; in pieces, since a title may have a megabyte of them and
    one call for all would hold the interpreter's lock."""
    if "\\" not in text:
        return text
    # Each piece with the character after it, which decides on a last backslash and stays itself.
    after = (text[at : at + _PIECE + 1] for at in range(0, len(text) - 1, _PIECE))
    return "".join(_ESCAPE.sub("", piece)[:-1] for piece in after) + text[-1]


def _on_one_line(text: str) -> str:
    """White space collapsed: most titles have single blanks only, which are sooner found than
    replaced."""
    is_collapsed = "  " not in text and "\t" not in text and "\n" not in text
    return (text if is_collapsed else _WHITE.sub(" ", text)).strip()


def _code_text(code: re.Match[str]) -> str:
    """What stands between the backticks, less one space on each side when there are both."""
    text: str = code[1]
    return text[1:-1] if text[:1] == " " == text[-1:] and text.strip(" ") else text


def defined_labels(lines: Sequence[str]) -> list[str]:
    """Labels of everything that looks like a link reference definition, for `[label]` in titles.

    Takes some that are none (in a fence, say): a title then loses two brackets, no more.
    """
    return [match[1] for line in lines if "]:" in line and (match := _DEFINITION.match(line))]


def _slug(title: str) -> str:
    return title.translate(_ASCII_SLUG) if title.isascii() else _NOT_IN_SLUG.sub("", title.lower()).replace(" ", "-")


class Anchors:
    """Hands out a document's anchors: the given id, else a GitHub-style slug, made unique with -1,
    -2."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def take(self, given: str, title: str) -> str:
        """The next heading's anchor."""
        wanted = given or _slug(title) or "section"
        if wanted not in self._taken:
            self._taken[wanted] = 0
            return wanted
        anchor = wanted
        while anchor in self._taken:
            self._taken[wanted] += 1
            anchor = f"{wanted}-{self._taken[wanted]}"
        self._taken[anchor] = 0
        return anchor
