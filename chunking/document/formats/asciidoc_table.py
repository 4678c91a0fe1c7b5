"""Tables of AsciiDoc to Markdown's: cells behind bars, or separated by commas, semicolons or
tabs. A cell over several columns stands in the first of them; a row that is too wide goes on in the
next one."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Sequence
from itertools import pairwise

FENCES = {"|===": "|", ",===": ",", ":===": ":", "!===": "!"}
"""What a table is between, and what stands before each of its cells."""
_MOST_COLUMNS = 500
_SPEC = re.compile(r"(?:(\d{1,3})(?:\.\d{1,3})?\+|\.\d{1,3}\+|(\d{1,3})\*)?[<^>]?(?:\.[<^>])?[adehlmsv]?")
"""What may stand before a cell's bar: columns and rows that it takes, repeats, alignment, style."""
_REPEATED = re.compile(r"(\d{1,3})\*")


def table(lines: Sequence[str], fence: str, attributes: str, written: Callable[[str], str]) -> list[str]:
    """The table's rows in Markdown; `attributes` are those in the brackets above it, `written`
    formats a cell."""
    separator, by_lines = FENCES[fence], fence in ("|===", "!===")
    named = re.search(r"format=\"?(csv|tsv|dsv)", attributes)
    if named or not by_lines:
        rows = _separated(
            lines, {"tsv": "\t", "dsv": ":"}.get(named[1] if named else "", separator if not by_lines else ",")
        )
        head = bool(rows)
    else:
        cells = _cells(lines, separator)
        columns = _columns(attributes) or max(1, _first_row(lines, separator))
        rows = [cells[at : at + columns] for at in range(0, len(cells), columns)]
        head = _has_head(lines, attributes)
    if not rows:
        return []
    rows = [row[at : at + _MOST_COLUMNS] for row in rows for at in range(0, len(row), _MOST_COLUMNS)]
    width = max(map(len, rows))
    full = [[*(_plain(cell, written) for cell in row), *[""] * (width - len(row))] for row in rows]
    if not head:
        full.insert(0, [""] * width)
    return [_row(full[0]), _row(["---"] * width), *map(_row, full[1:])]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _plain(cell: str, written: Callable[[str], str]) -> str:
    return re.sub(r"\s*\n\s*", " ", written(cell.strip())).replace("|", "\\|")


def _separated(lines: Sequence[str], separator: str) -> list[list[str]]:
    text = "\n".join(line for line in lines if line.strip())
    try:
        return [row for row in csv.reader(io.StringIO(text), delimiter=separator) if row]
    except csv.Error:
        return [[line] for line in lines if line.strip()]


def _cells(lines: Sequence[str], separator: str) -> list[str]:
    """All cells one after another, the places that a wide one takes empty."""
    cells: list[str] = []
    last: int | None = None
    text = "\n".join(lines).replace(f"\\{separator}", "\0")
    pieces = text.split(separator)
    for before, piece in pairwise(pieces):
        # What stands right before a bar, behind a blank, is about the cell behind it.
        spec = re.split(r"\s", before)[-1]
        found = _SPEC.fullmatch(spec) if spec else None
        if found and last is not None:
            cells[last] = cells[last][: len(cells[last]) - len(spec)]
        wide = int(found[1] or 1) if found else 1
        times = int(found[2] or 1) if found else 1
        last = len(cells)
        cells += [piece] * min(times, _MOST_COLUMNS) + [""] * (min(wide, _MOST_COLUMNS) - 1)
    return [each.replace("\0", separator).strip() for each in cells]


def _columns(attributes: str) -> int:
    """How many there are by `cols="1,2"`, `cols=3*`; 0 where that is not said."""
    found = re.search(r"cols=(?:\"([^\"]*)\"|([^,\]]*))", attributes)
    if not found:
        return 0
    said = found[1] if found[1] is not None else found[2]
    parts = [part for part in re.split(r"[,;]", said) if part.strip()]
    return min(_MOST_COLUMNS, sum(int(times[1]) if (times := _REPEATED.match(part.strip())) else 1 for part in parts))


def _first_row(lines: Sequence[str], separator: str) -> int:
    first = next((line for line in lines if line.strip()), "")
    return len(_cells([first], separator))


def _has_head(lines: Sequence[str], attributes: str) -> bool:
    """By an option, or by a first line that a blank one follows."""
    if re.search(r"%[\w%]*header|options?=\"?[\w,]*header", attributes):
        return True
    if "noheader" in attributes or not lines or not lines[0].strip():
        return False
    return len(lines) > 1 and not lines[1].strip()
