"""Texts of any size, each of one shape that can make a parser or a splitter slow: what has to take
about twice the time when there is twice as much of it."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

Shape = Callable[[int], str]
"""A text of about that many characters."""


def _repeated(unit: str, before: str = "", after: str = "") -> Shape:
    return lambda size: before + unit * (size // len(unit)) + after


def _growing(unit: Callable[[int], str]) -> Shape:
    """Numbered pieces, one after the other, until there are enough characters."""

    def text(size: int) -> str:
        pieces: list[str] = []
        held = 0
        for number in count(1):
            pieces.append(unit(number))
            held += len(pieces[-1])
            if held >= size:
                return "".join(pieces)
        raise AssertionError("count does not end")

    return text


def _nested(unit: str) -> Shape:
    """Lines, each a level deeper than the one before, up to 100 levels, over and over."""
    return _growing(lambda number: unit * (number % 100 + 1) + "text\n")


def _nested_list(size: int) -> str:
    return _growing(lambda number: "  " * (number % 60) + "- item\n")(size)


def _wide_row(size: int) -> str:
    return f"|a|b|\n|---|---|\n|{'cell |' * (size // 6)}\n"


def _wide_table(size: int) -> str:
    columns = size // 12
    return f"|{'a|' * columns}\n|{'---|' * columns}\n|{'cell|' * columns}\n"


SHAPES: dict[str, Shape] = {
    "backticks": _repeated("`"),
    "backtick-runs": _growing(lambda number: "`" * number + " "),
    "backtick-run-lines": _growing(lambda number: "a " + "`" * (number % 400 + 1) + "\n"),
    "pipes": _repeated("|"),
    "pipe-cells": _repeated("a|"),
    "wide-row": _wide_row,
    "wide-table": _wide_table,
    "long-table": _repeated("| one two | three |\n", "| a | b |\n|---|---|\n"),
    "table-heads": _repeated("| a | b |\n|---|---|\n\n"),
    "blanks": _repeated(" ", "# T\n\na", "b\n"),
    "tabs": _repeated("\t", "a", "b\n"),
    "blank-lines": _repeated("\n", "a", "b\n"),
    "carriage-returns": _repeated("\r\n", "a", "b\r\n"),
    "crlf-lines": _repeated("one line of text here\r\n"),
    "crlf-paragraphs": _repeated("One line of text.\r\n\r\n"),
    "letter": _repeated("a"),
    "letter-a-line": _repeated("a\n"),
    "words": _repeated("word "),
    "sentences": _repeated("One short sentence. "),
    "stops": _repeated("."),
    "stops-and-blanks": _repeated(". "),
    "questions": _repeated("?!"),
    "abbreviations": _repeated("Dr. "),
    "quotes-of-speech": _repeated('"'),
    "digits": _repeated("1234567890"),
    "hyphens": _repeated("-"),
    "cjk": _repeated("\u4e2d\u6587\u5b57\u7b26"),
    "cjk-stops": _repeated("\u4e2d\u6587\u3002"),
    "thai": _repeated("\u0e01\u0e32\u0e23"),
    "emoji": _repeated("\U0001f600"),
    "families": _repeated("\U0001f468\u200d"),
    "flags": _repeated("\U0001f1e9"),
    "combining": _repeated(" \u0301"),
    "combining-on-one": _repeated("\u0301", "e"),
    "zero-width": _repeated("\u200b"),
    "no-break": _repeated("\xa0", "a", "b"),
    "bullets": _repeated("- item\n"),
    "bullets-empty": _repeated("-\n"),
    "numbers": _growing(lambda number: f"{number}. item\n"),
    "loose-list": _repeated("- item\n\n"),
    "nested-list": _nested_list,
    "nested-list-one-line": _repeated("- "),
    "nested-quotes": _nested("> "),
    "nested-quotes-one-line": _repeated("> "),
    "quote": _repeated("> a line of a quote\n"),
    "quote-items": _repeated("> - a\n"),
    "brackets": _repeated("["),
    "bracket-pairs": _repeated("[]"),
    "brackets-closing": _repeated("a]"),
    "images": _repeated("!["),
    "links": _repeated("[a](b) "),
    "links-open": _repeated("[a]("),
    "links-half": _repeated("[a](<b"),
    "definitions": _growing(lambda number: f"[label{number}]: https://example.org/{number}\n"),
    "definitions-open": _repeated("[a]: b\n"),
    "definition-title": _repeated("line\n", "[a]: b 'title\n"),
    "definition-titles": _repeated("[a]: b 'title\n"),
    "definition-label": _repeated("a", "[", "]: b\n"),
    "footnotes": _growing(lambda number: f"[^{number}]: A note.\n\n"),
    "footnote-lines": _growing(lambda number: f"[^{number}]: A note.\n"),
    "footnote-nested": _repeated("[^a]: "),
    "tags": _repeated("<b>"),
    "tag-lines": _repeated("<div>\n"),
    "tag-open": _repeated("<a "),
    "comments": _repeated("<!-- note -->\n"),
    "comments-open": _repeated("<!-- "),
    "comment-lines-open": _repeated("<!--\n\n"),
    "cdata-open": _repeated("<![CDATA[\n"),
    "processing-open": _repeated("<?\n"),
    "angle": _repeated("<"),
    "headings": _growing(lambda number: f"## Heading {number}\n"),
    "headings-and-text": _growing(lambda number: f"## Heading {number}\n\nSome text here.\n\n"),
    "headings-levels": _growing(lambda number: f"{'#' * (number % 6 + 1)} H\n\ntext\n\n"),
    "heading-long": _repeated("word ", "# ", "\n\ntext\n"),
    "heading-letter": _repeated("a", "# ", "\n\ntext\n"),
    "heading-emphasis": _repeated("*a ", "# ", "\n\ntext\n"),
    "heading-backticks": _growing(lambda number: ("# " if number == 1 else "") + "`" * number + " "),
    "heading-brackets": _repeated("[", "# ", "\n\ntext\n"),
    "setext": _repeated("Title\n===\n\n"),
    "setext-long": _repeated("a line\n", "", "===\n"),
    "fences": _repeated("```\ncode\n```\n\n"),
    "fence-open": _repeated("code = 1\n", "```py\n"),
    "fences-unclosed": _repeated("~~~\n\n```\n\n"),
    "fence-lines": _repeated("```a\n"),
    "fences-growing": _growing(lambda number: "`" * (number % 400 + 3) + "\na\n"),
    "indented-code": _repeated("    code = 1\n"),
    "code-one-line": _repeated("x", "```\n", "\n```\n"),
    "dollars": _repeated("$$\n"),
    "dollars-and-text": _repeated("$$\na\n\n"),
    "dollars-one-line": _repeated("$$"),
    "dollars-labels": _repeated("$$ (", "", "\n"),
    "front-matter": _growing(lambda number: f"key{number}: value\n"),
    "front-matter-closed": lambda size: "---\n" + SHAPES["front-matter"](size) + "---\n\n# A\n\ntext\n",
    "front-matter-blanks": lambda size: f"---\nkey{' ' * size}value\n---\n\n# A\n",
    "front-matter-open": lambda size: "---\n" + SHAPES["front-matter"](size),
    "rules": _repeated("---\n"),
    "rules-and-text": _repeated("a\n---\n"),
    "tiny-paragraphs": _repeated("a\n\n"),
    "emphasis": _repeated("*a "),
    "emphasis-both": _repeated("*a_ "),
    "stars": _repeated("*"),
    "underscores": _repeated("_"),
    "tildes": _repeated("~"),
    "hashes": _repeated("#"),
    "autolinks": _repeated("<https://example.org/a> "),
    "addresses": _repeated("https://example.org/a "),
    "address-long": _repeated("a/", "https://"),
    "entities": _repeated("&amp;"),
    "entities-open": _repeated("&a"),
    "escapes": _repeated("\\*"),
    "backslashes": _repeated("\\"),
    "nulls": _repeated("\x00"),
    "equals": _repeated("="),
    "colons": _repeated(":"),
    "parentheses": _repeated("("),
    "newline-words": _repeated("word\n"),
    "random-words": _growing(lambda number: f"{number * 2654435761 % 99991:x} "),
    "prose": _growing(lambda number: f"The {number}th sentence is here, and it ends. " + "\n\n" * (number % 5 == 0)),
}
