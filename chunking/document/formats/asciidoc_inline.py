"""AsciiDoc within a line to Markdown: emphasis, code, links, cross references, pictures, macros and
attributes. What is between backticks or plus signs stays as it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

_KEPT = re.compile(
    r"(?<!\\)(?:`\+(?P<both>[^\n`]{1,1000}?)\+`|`(?P<code>[^`\n]{1,2000})`|\+\+\+(?P<raw>[^\n+]{1,2000})\+\+\+"
    r"|pass:[a-z,]{0,20}\[(?P<pass>[^\]\n]{0,2000})\])"
)
"""What nothing else is looked for in."""
_ATTRIBUTE = re.compile(r"(?<!\\)\{([\w-]{1,80})\}")
_TARGET = r"[^\s\[\]<>\"]{1,2000}"
_LABEL = r"\[([^\]\n]{0,1000})\]"
_PATTERNS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], str]], ...] = (
    (re.compile(rf"image:(?!:)({_TARGET}){_LABEL}"), lambda found: f"![{_first(found[2])}]({found[1]})"),
    (re.compile(rf"(?:link:|mailto:)({_TARGET}){_LABEL}"), lambda found: _link(found[1], found[2])),
    (re.compile(rf"\b(https?://{_TARGET}){_LABEL}"), lambda found: _link(found[1], found[2])),
    (re.compile(rf"xref:({_TARGET}){_LABEL}"), lambda found: _reference(found[1], found[2])),
    (re.compile(r"<<([^<>,\n]{1,300})(?:,\s*([^<>\n]{1,300}))?>>"), lambda found: _reference(found[1], found[2] or "")),
    (re.compile(rf"footnote(?:ref)?:[\w-]{{0,100}}{_LABEL}"), lambda found: f" ({found[1]})" if found[1] else ""),
    (re.compile(rf"(?:kbd|btn):{_LABEL}"), lambda found: f"`{found[1]}`"),
    (re.compile(rf"menu:([^\s\[\]]{{1,100}}){_LABEL}"), lambda found: f"`{found[1]} > {found[2]}`"),
    (re.compile(rf"(?:stem|latexmath|asciimath):{_LABEL}"), lambda found: f"${found[1]}$"),
    (re.compile(r"\[\[[^\[\]\n]{1,200}\]\]|\(\(\([^()\n]{1,300}\)\)\)"), lambda _: ""),
    (re.compile(r"\b(?:anchor|icon):[\w-]{1,100}\[[^\]\n]{0,200}\]"), lambda _: ""),
    (re.compile(r"\(\(([^()\n]{1,300})\)\)"), lambda found: found[1]),
    (re.compile(r"(?:\[[^\[\]\n]{0,100}\])?##([^#\n]{1,1000})##"), lambda found: found[1]),
    (re.compile(r"(?<![\w#])(?:\[[^\[\]\n]{0,99}\])?#([^#\s][^#\n]{0,999})(?<!\s)#(?![\w#])"), lambda found: found[1]),
    (re.compile(r"\*\*([^*\n]{1,2000})\*\*"), lambda found: f"\0{found[1]}\0"),
    (re.compile(r"(?<![\w*\\])\*([^\s*][^*\n]{0,2000})(?<!\s)\*(?![\w*])"), lambda found: f"\0{found[1]}\0"),
    (re.compile(r"__([^_\n]{1,2000})__"), lambda found: f"*{found[1]}*"),
    (re.compile(r"(?<![\w_\\/])_([^\s_][^_\n]{0,2000})(?<!\s)_(?![\w_])"), lambda found: f"*{found[1]}*"),
    (re.compile(r"\0"), lambda _: "**"),
    (re.compile(r" \+$", re.M), lambda _: "\\"),
    (re.compile(r"\\(?=[{<*_#\[])"), lambda _: ""),
)  # fmt: skip
"""In this order: what stands in a target or label is not looked at again as a link."""


def inline(text: str, attributes: Mapping[str, str]) -> str:
    """A stretch of running text, of one or several lines, as Markdown."""
    pieces, at = [], 0
    for kept in _KEPT.finditer(text):
        pieces.append(_formatted(text[at : kept.start()], attributes))
        code = kept["both"] or kept["code"]
        pieces.append(f"`{code}`" if code else kept["raw"] or kept["pass"] or "")
        at = kept.end()
    return "".join((*pieces, _formatted(text[at:], attributes)))


def with_attributes(text: str, attributes: Mapping[str, str]) -> str:
    """A text with the values of attributes that are set."""
    return _ATTRIBUTE.sub(lambda found: attributes.get(found[1].lower(), found[0]), text)


def _formatted(text: str, attributes: Mapping[str, str]) -> str:
    text = with_attributes(text.replace("\0", ""), attributes)
    for pattern, written in _PATTERNS:
        text = pattern.sub(written, text)
    return text


def _link(target: str, label: str) -> str:
    return f"[{_first(label) or target}]({target})"


def _reference(target: str, label: str) -> str:
    file, _, anchor = target.partition("#")
    place = target if "#" in target else f"#{file}"
    return f"[{label or anchor or file}]({place.replace(' ', '%20')})"


def _first(label: str) -> str:
    """A label without the attributes behind it: `text,window=_blank`."""
    return re.split(r",\s*\w+=", label.removesuffix("^"))[0].strip('"')
