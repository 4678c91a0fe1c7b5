"""Front matter: the YAML or TOML head of a document, peeled off before Markdown is read (DECISIONS
all-2)."""

from __future__ import annotations

import re
from collections.abc import Sequence

_KEY = re.compile(r"""["']?([^\s:=#"'\[\]{}][^:=#"'\[\]{}]*?)["']?[ \t]*([:=])(?:[ \t]+|$)(.*)""")
_COMMENT = re.compile(r"[ \t]+#")


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
    """The front matter's plain `key: scalar` (or TOML `key = scalar`) lines, values as text.

    Not a full YAML reader: nested values, lists and strings over several lines are left out. The
    first of two equal keys counts. `lines` include both fences.
    """
    entries: dict[str, str] = {}
    separator = "=" if lines and lines[0].startswith("+") else ":"
    for line in lines[1:-1]:
        if separator == "=" and line.startswith("["):
            break
        match = _KEY.match(line)
        if match is None or match[2] != separator:
            continue
        value = _scalar(match[3])
        if value:
            entries.setdefault(match[1], value)
    return entries


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
    return _COMMENT.split(written, maxsplit=1)[0]
