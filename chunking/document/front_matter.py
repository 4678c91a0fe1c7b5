"""Front matter: the YAML or TOML head of a document, peeled off before Markdown is read (DECISIONS
all-2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

# Linear: a key's last character is neither a blank nor a tab, so blanks are looked through once.
_KEY = re.compile(r"""["']?([^\s:=#"'\[\]{}](?:[^:=#"'\[\]{}]*[^ \t:=#"'\[\]{}])?)["']?[ \t]*([:=])(?:[ \t]+|$)(.*)""")
_ITEM = re.compile(r"[ \t]*-[ \t]+([^ \t].*)")
_FLOW_ITEM = re.compile(r"""(?:[ \t]*("[^"]*"|'[^']*')[ \t]*|([^"'\[\]{},][^\[\]{},]*|))([,\]])""")
_BLOCK = re.compile(r"([|>])[+-]?(?:[ \t]+#.*)?$")
_COMMENT = re.compile(r"[ \t]#")


def front_matter_lines(lines: Sequence[str]) -> int:
    """How many lines the front matter takes, both fences included; 0 without front matter.

    It opens on line 1 with `---` (closed by `---` or `...`) or `+++` (closed by `+++`). Unclosed,
    it is none. When a blank line follows the opening, what comes next must look like `key:`, else
    the `---` is a thematic break.
    """
    if not lines or lines[0].rstrip() not in ("---", "+++"):
        return 0
    closers = ("---", "...") if lines[0].startswith("-") else ("+++",)
    first_entry = next((at for at in range(1, len(lines)) if lines[at].strip()), 0)
    if first_entry > 1 and not (lines[first_entry].startswith("#") or _KEY.match(lines[first_entry])):
        return 0
    for at in range(1, len(lines)):
        if lines[at][:3] in closers and lines[at].rstrip() in closers:
            return at + 1
    return 0


def scalar_entries(lines: Sequence[str]) -> dict[str, str]:
    """The front matter's plain `key: scalar` (or TOML `key = scalar`) entries, values as text.

    Not a full YAML reader: nested values and lists are left out. The first of two equal keys
    counts. `lines` include both fences.
    """
    found: dict[str, str] = {}
    for key, written, _ in _written(lines):
        if value := _scalar(written):
            found.setdefault(key, value)
    return found


MOST_ENTRIES, MOST_ITEMS, LONGEST = 64, 100, 1000
"""What `entries` takes: entries, items of a list, and characters of a key or a value. It stands in
each record."""


def entries(lines: Sequence[str]) -> dict[str, str | list[str]]:
    """As `scalar_entries`, with lists of scalars too: `[a, b]`, or a line `- a` for each; and with
    YAML's blocks (`|` and `>`), without the line endings at their end. What is beyond the limits
    above is left out."""
    found: dict[str, str | list[str]] = {}
    for key, written, below in _written(lines):
        value = _value(written, _from(lines, below))
        if isinstance(value, list):
            value = [each for each in value if each and len(each) <= LONGEST][:MOST_ITEMS]
        if value and key not in found and max(len(key), len(value)) <= LONGEST and len(found) < MOST_ENTRIES:
            found[key] = value
    return found


def _value(written: str, below: Iterator[str]) -> str | list[str]:
    if written.startswith("["):
        return _flow_list(written)
    if block := _BLOCK.match(written):
        return _block(below, folded=block[1] == ">")
    return _scalar(written) if written else [_scalar(each) for each in _items(below)]


def _written(lines: Sequence[str]) -> Iterator[tuple[str, str, int]]:
    """Each key of the outermost level, what is written behind it, and the index of the line below.

    What YAML goes on with in indented lines is one line here, with a line ending for each blank
    line in it.
    """
    separator = "=" if lines and lines[0].startswith("+") else ":"
    for at in range(1, len(lines) - 1):
        if separator == "=" and lines[at].startswith("["):
            return
        match = _KEY.match(lines[at])
        if match is None or match[2] != separator:
            continue
        written = match[3].strip()
        if separator == ":" and written and not _BLOCK.match(written):
            written = _joined(written, _from(lines, at + 1))
        yield match[1], written, at + 1


def _joined(written: str, below: Iterator[str]) -> str:
    """Empty where it goes on and is longer than what is taken."""
    blank = 0
    for line in below:
        text = line.strip()
        if text and line[0] not in " \t":
            break
        if text and not text.startswith("#"):
            written += ("\n" * blank or " ") + text
            if len(written) > LONGEST:
                return ""
        blank = 0 if text else blank + 1
    return written


def _from(lines: Sequence[str], start: int) -> Iterator[str]:
    """The lines from this one on, without a copy of them for each key."""
    return (lines[at] for at in range(start, len(lines)))


def _items(lines: Iterator[str]) -> Iterator[str]:
    """What stands behind the dashes of the lines that follow a key."""
    for line in lines:
        match = _ITEM.match(line)
        if match is None:
            return
        yield match[1]


def _block(lines: Iterator[str], *, folded: bool) -> str:
    """The text of the indented lines that follow a key; "" where it is longer than what is taken.
    Folded, lines are joined by a space but at blank lines and around lines that are indented more.
    """
    indent, length = "", 0
    taken: list[str] = []
    for line in lines:
        if line.strip():
            indent = indent or line[: len(line) - len(line.lstrip(" "))]
            if not indent or not line.startswith(indent):
                break
        taken.append(line.removeprefix(indent).rstrip("\r\n") if line.strip() else "")
        length += len(taken[-1])
        if length > LONGEST:
            return ""
    while taken and not taken[-1]:
        taken.pop()
    return _folded(taken) if folded else "\n".join(taken)


def _folded(lines: Sequence[str]) -> str:
    text, before = "", ""
    for at, line in enumerate(lines):
        more = line[:1] in (" ", "\t") or before[:1] in (" ", "\t")
        if not line:
            text += "\n"
        elif at and not (lines[at - 1] or more):
            text += line  # behind blank lines, each of which is a line ending
        else:
            text += ("\n" if more else " ") * bool(at) + line
        before = line or before
    return text


def _flow_list(written: str) -> list[str]:
    """The scalars in `[a, "b, c"]`; none where it does not end or holds another list or a map."""
    items, at = [], 1
    while match := _FLOW_ITEM.match(written, at):
        items.append(_scalar(match[1] or match[2] or ""))
        at = match.end()
        if match[3] == "]":
            rest = written[at:].strip()
            return items if not rest or rest.startswith("#") else []
    return []


def _scalar(written: str) -> str:
    """The scalar's text, or "" when it is none (a list, a map, a block, a reference, an open
    quote)."""
    written = written.strip()
    if written[:1] in ('"', "'"):
        end = written.find(written[0], 1)
        rest = written[end + 1 :].strip()
        return written[1:end] if end > 0 and (not rest or rest.startswith("#")) else ""
    if written[:1] in ("[", "{", "|", ">", "&", "*", "!", "#", "%", "@", "`"):
        return ""
    return _COMMENT.split(written, maxsplit=1)[0].rstrip(" \t")
