"""Markdown to HTML that is safe to show, with places in the source found again in it: the app's
door to markdown-it-py.

Raw HTML is text, no image is fetched, and only links to the web and to mail lead anywhere. Whoever
shows it lets nothing else through either (sanitize.js).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, MutableMapping, Sequence
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict
from markupsafe import Markup

from chunking.document import ready
from chunking.runtime import once

References = Mapping[str, Mapping[str, str]]
"""Link reference definitions, by their normalised labels."""

LONGEST = 40_000
MOST_MARKS = 4_000
"""A block with more characters or marks is shown as it is written: reading it takes more than
linear time."""

_MAX_NESTING = 40
_LEADS_OUT = re.compile(r"(?:https?|mailto):", re.IGNORECASE)
_MARKS = re.compile(r"[\\`*_~\[\]<>&!|]")
_DEFINITION = re.compile(r"^[ >]*\[[^\]\r\n]{1,999}\]:", re.MULTILINE)
_ID = re.compile(r"(?<![ \t])[ \t]*+\{#[^\s{}]++[^{}]*+\}$")
"""A heading's own id, which is not part of its title."""
_WORD = re.compile(r"\w")
_NONCHARACTERS = [chr(code) for code in range(0xFDD0, 0xFDF0)]
CUT = Markup('<i class="cut" data-at="{}"></i>')


def references(blocks: Sequence[str]) -> References:
    """What the blocks of a document define for `[label]` links."""
    env: dict[str, Any] = {}
    for text in blocks:
        if _DEFINITION.search(text) and _is_light(text):
            _reader().parse(text, env)
    found: References = env.get("references", {})
    return found


def rendered(text: str, known: References, cuts: Sequence[int] = ()) -> str | None:
    """The HTML of one block; None where it is better shown as it is written (`written`).

    `cuts` are offsets in `text`, ascending, whose places are kept: each has a CUT with its number
    in `cuts`. One that falls into markup moves on to the next word; one that has no place at all
    stands at the block's beginning.
    """
    if not _is_light(text):
        return None
    plain = _html(text, known)
    if not plain.strip():
        return None
    sign = next((sign for sign in _NONCHARACTERS if sign not in text), None)
    if sign is None or not cuts:
        return f"{''.join(CUT.format(number) for number in range(len(cuts)))}{plain}"
    places = _places(text, known, cuts, plain, sign)
    placed = [(number, place) for number, place in enumerate(places) if place is not None]
    marked = _html(_signed(text, [place for _, place in placed], sign), known) if placed else plain
    numbers = iter([number for number, _ in placed])
    html = re.sub(sign, lambda _: CUT.format(next(numbers)), marked)
    lost = [number for number, place in enumerate(places) if place is None]
    return f"{''.join(CUT.format(number) for number in lost)}{html}"


def written(text: str, cuts: Sequence[int] = ()) -> Markup:
    """A block as it is written, with its cuts exactly where they are."""
    edges = [0, *cuts, len(text)]
    first, *parts = [text[start:end] for start, end in pairwise(edges)]
    text_with_cuts = Markup("").join(CUT.format(number) + part for number, part in enumerate(parts))
    return Markup('<pre class="written">{}{}</pre>').format(first, text_with_cuts)


def _is_light(text: str) -> bool:
    return len(text) <= LONGEST and sum(1 for _ in _MARKS.finditer(text)) <= MOST_MARKS


def _places(text: str, known: References, cuts: Sequence[int], plain: str, sign: str) -> list[int | None]:
    """Where in the text each cut can be marked without changing what is shown: most often where it
    is."""
    moved = [_next_word(text, cut) for cut in cuts]
    for tried in (list(cuts), moved):
        if _unchanged(text, known, tried, plain, sign):
            return list(tried)
    found: list[int | None] = []
    for cut, word in zip(cuts, moved, strict=True):
        places = (cut, word, _next_word(text, _next_space(text, word)))
        found.append(next((place for place in places if _unchanged(text, known, [place], plain, sign)), None))
    placed = [place for place in found if place is not None]
    if placed != sorted(placed) or not _unchanged(text, known, placed, plain, sign):
        return [None] * len(cuts)
    return found


def _unchanged(text: str, known: References, places: Sequence[int], plain: str, sign: str) -> bool:
    html = _html(_signed(text, places, sign), known)
    return html.count(sign) == len(places) and html.replace(sign, "") == plain


def _signed(text: str, places: Sequence[int], sign: str) -> str:
    edges = [0, *places, len(text)]
    return sign.join(text[start:end] for start, end in pairwise(edges))


def _next_word(text: str, offset: int) -> int:
    word = _WORD.search(text, offset)
    return word.start() if word else offset


def _next_space(text: str, offset: int) -> int:
    space = re.compile(r"\s").search(text, offset)
    return space.start() if space else len(text)


# ---- what markdown-it is told: its renderer joins plain strings ----


def _html(text: str, known: References) -> str:
    md, env = _reader(), {"references": known}
    tokens = md.parse(text, env)
    for before, token in zip([None, *tokens], tokens, strict=False):
        _tame_links(token.children or [])
        if before is not None and before.type == "heading_open" and token.children:
            token.children[-1].content = _ID.sub("", token.children[-1].content)
    html: str = md.renderer.render(tokens, md.options, env)
    return html


def _tame_links(tokens: Sequence[Token]) -> None:
    """A link that leads to the web keeps its address; of any other, only the words remain, its
    target beside them."""
    opened: list[str] = []
    for token in tokens:
        if token.type == "link_open":
            address = str(token.attrGet("href") or "")
            out = _LEADS_OUT.match(address) is not None
            opened.append("a" if out else "span")
            token.tag = opened[-1]
            token.attrs = {"href": address} if out else {"class": "lead", "title": address}
        elif token.type == "link_close" and opened:
            token.tag = opened.pop()


@once
def _reader() -> MarkdownIt:
    md = MarkdownIt("commonmark", {"html": False, "maxNesting": _MAX_NESTING}).enable(["table", "strikethrough"])
    md.validateLink = lambda url: True  # type: ignore[method-assign]  # noqa: ARG005  # _tame_links judges them
    for name, rule in (("image", _image), ("fence", _code), ("code_block", _code)):
        md.add_render_rule(name, rule)
    return ready(md)


def _image(
    self: RendererHTML, tokens: Sequence[Token], index: int, options: OptionsDict, env: MutableMapping[str, Any]
) -> str:
    """In the place of a picture, what it shows and where it would come from: nothing is fetched."""
    words = self.renderInlineAsText(tokens[index].children, options, env)
    source = str(tokens[index].attrGet("src") or "")
    return str(Markup('<span class="picture" title="{}">{}</span>').format(source, words or "image"))


def _code(
    self: RendererHTML,  # noqa: ARG001
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,  # noqa: ARG001
    env: MutableMapping[str, Any],  # noqa: ARG001
) -> str:
    return str(Markup("<pre><code>{}</code></pre>\n").format(tokens[index].content))
