"""Document text and names as HTML that shows them and never obeys them, and the report's templates.

What is Markup is written as it is; any other text that a template is given is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files

from jinja2 import Environment, FunctionLoader, StrictUndefined, Template
from markupsafe import Markup, escape

_LINE_END = re.compile("\r\n?")
_REPLACED = "\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff"
_MARKED = "\xad\u061c\u180e\u200b\u200e\u200f\u2060-\u2064\ufeff\U000e0000-\U000e007f"
_HIDDEN = re.compile(f"([{_REPLACED}])|[{_MARKED}]")
"""As the app's source view has it: controls, direction marks and lone surrogates become a picture,
what has no width stays and gets a mark (joiners stay bare: emoji need them)."""
_INDENT = re.compile(r"\n\s*")


def template(name: str) -> Template:
    """A template of this package. Its line ends and indentation are for whoever reads it, and not
    part of what it makes."""
    return _environment().get_template(name)


def source_html(text: str) -> Markup:
    """Document text for a `pre`: every character is seen as itself or as a picture of it, line ends
    as line ends."""
    return Markup(_visible(text))


@lru_cache(maxsize=4_096)
def line_html(text: str) -> Markup:
    """A name, a title or a sentence on one line; its direction reaches no further than itself."""
    return Markup(f"<bdi>{_visible(' '.join(text.split()))}</bdi>")


def attribute(text: str) -> str:
    """Text for an attribute, on one line and without what cannot be seen."""
    return "".join(" " if _unseen(character) else character for character in text)


def crumb_html(breadcrumb: Sequence[str]) -> Markup:
    """A breadcrumb, part by part."""
    return Markup(" › ").join(line_html(part) for part in breadcrumb)


def grouped(number: int) -> str:
    """A whole number with its thousands apart."""
    return f"{number:,}"


@cache
def _environment() -> Environment:
    made = Environment(autoescape=True, undefined=StrictUndefined, loader=FunctionLoader(_template_text))
    for filtering in (source_html, line_html, attribute, crumb_html, grouped):
        made.filters[filtering.__name__.removesuffix("_html")] = filtering
    return made


def _template_text(name: str) -> str:
    return _INDENT.sub("", (files("chunking.report") / "templates" / name).read_text(encoding="utf-8"))


def _visible(text: str) -> str:
    """Text escaped, with pictures, which are markup, for what cannot be seen."""
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    return _HIDDEN.sub(lambda found: _pictured(found[0]), escape(text))


@cache
def _pictured(character: str) -> Markup:
    picture = _picture(ord(character)) if _HIDDEN.fullmatch(character)[1] else character  # type: ignore[index]
    kind = "ctl" if picture != character else "zw"
    return Markup('<span class="{}" title="U+{:04X}">{}</span>').format(kind, ord(character), picture)


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
