"""What one line of Markdown may begin, end or go on with, as CommonMark says it.

Patterns are matched at the start of a line without its line end. White space is spaces and tabs, as
in CommonMark; those that begin with ` {0,3}` take the line as it is, the others say what they take.
"""

from __future__ import annotations

import re

HEADING = re.compile(r" {0,3}(#{1,6})(?![^ \t])")
FENCE = re.compile(r" {0,3}(?:(`{3,})[^`]*|(~{3,}).*)\Z", re.DOTALL)
FENCE_END = re.compile(r" {0,3}(`{3,}|~{3,})[ \t]*\Z")
_RULE = r"(?:(?:-[ \t]*+){3}[- \t]*+|(?:\*[ \t]*+){3}[* \t]*+|(?:_[ \t]*+){3}[_ \t]*+)\Z"
"""Nothing in it gives back what it took: a line of a megabyte would hold the interpreter's lock."""
RULE = re.compile(rf" {{0,3}}{_RULE}")
SETEXT = re.compile(r" {0,3}(?:-+|(=+))[ \t]*\Z")
CODE = re.compile(r" {4}| {0,3}\t")
QUOTED_CODE = 6
"""Columns that `>`, the one after it, and the indentation of code take; a tab goes to the next
multiple of four."""
MARKER = re.compile(r" {0,3}(?:[-+*]|[0-9]{1,9}[.)])(?![^ \t])")
ITEM = re.compile(r" {0,3}(?:([-+*])|[0-9]{1,9}([.)]))(?: {1,4}|\t)(?=[^ \t])")
TASK = re.compile(r"[ \t]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]{1,4}\[[ xX]\][ \t]+[^ \t]")
TABLE_RULE = re.compile(r" {0,3}(?:-[-:|]|[:|][-:| \t])[-:| \t]*\Z")
COLUMN_RULE = re.compile(r":?-+:?")
NOT_REFERENCE = re.compile(r" {0,3}\[(?!\^)[^\[\]\\]*(?:\[|\](?!:))")
DEFINITION = re.compile(
    r"\[[^\[\]\\\s^][^\[\]\\]{0,900}\]:[ \t]+(?:https?://|[A-Za-z0-9_-]*[./#])[^\s()<>\\\"'`\x00-\x20]*"
    r"(?:[ \t]+(\"[^\"\\]*\"|'[^'\\]*'))?[ \t]*\Z"
)
INTERRUPTS = re.compile(
    r"#{1,6}(?![^ \t])|`{3,}[^`]*\Z|~{3}|>|[-+*][ \t]+[^ \t]|0{0,8}1[.)][ \t]+[^ \t]|\[\^[^\] ]+\]:"
    rf"|{_RULE}"
)
"""What ends a paragraph, HTML, tables and underlines aside; on a line without its indentation of at
most 3."""

SPECIAL = frozenset(" \t#`~>*-_+0123456789<=|:[$")
"""A line that begins with any other character is text: it begins a paragraph, or goes on with the
open one."""

TRIMMED = " \t\n\x0b\x0c\r\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""White space around a table's cells; `str.strip` would take U+0085 and some control characters
too."""

SPECIAL_OR_NONE = SPECIAL | {""}

MAX_TABLE_CELLS = 65_536
"""markdown-it ends a table when it would have to fill in more cells than this."""


def is_task(line: str) -> bool:
    """Whether the first line of a list item makes it a task."""
    return TASK.match(line) is not None


def is_table_head(header: str, rule: str) -> bool:
    """Whether these two lines begin a table: as many columns above as in the rule below."""
    if "|" not in header or not TABLE_RULE.match(rule) or CODE.match(header):
        return False
    below = [column.strip(" \t") for column in rule.split("|")]
    edges = (not below[0]) + (len(below) > 1 and not below[-1])
    columns = [column for column in below if column]
    if len(columns) != len(below) - edges or not all(COLUMN_RULE.fullmatch(column) for column in columns):
        return False
    return count_columns(header) == len(columns) > 0


def count_columns(row: str) -> int:
    """How many cells a table row has; `\\|` does not part them."""
    row = row.strip(TRIMMED)
    bars = row.count("|") - (row.count("\\|") if "\\" in row else 0)
    return bars + 1 - row.startswith("|") - (row.endswith("|") and not row.endswith("\\|"))


def indent_width(indent: str) -> int:
    """How far spaces, tabs and a marker reach; tabs go to the next multiple of four."""
    return len(indent.expandtabs(4)) if "\t" in indent else len(indent)
