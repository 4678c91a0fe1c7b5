"""What of real files survives as Markdown: the table of docs/formats/documents.md.

    python tests/what_survives.py

writes it. Every file is the same guide to a kettle, by another writer; what a file does not have
is not counted.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))

from chunking import Document, parse  # noqa: E402
from chunking.document.conversion import Converted  # noqa: E402
from chunking.document.loaders import loaders  # noqa: E402

FILES = ROOT / "tests" / "document" / "files"
PAGE = ROOT / "docs" / "formats" / "documents.md"
BEGIN, END = "<!-- what survives: python tests/what_survives.py -->\n", "<!-- end -->\n"
HEADINGS = ("Kettle guide", "Fill the kettle", "Boil it", "From a program", "Safety")
BULLETS = ("cold water", "no sugar", "a clean filter")
STEPS = ("Close the lid.", "Press the switch.", "Wait for the click.")
ROWS = (("Size", "Minutes", "Watts"), ("small", "2", "1200"), ("large", "4", "2000"))
CODE = ("def boil(kettle):", "    kettle.switch.press()", "    return kettle.wait()")
LACKS: Mapping[str, tuple[str, ...]] = {
    "by-hand.rtf": ("sublist", "numbers", "code", "quote"),
    "openpyxl.xlsx": ("headings", "list", "sublist", "numbers", "code", "quote"),
    "xlsxwriter.xlsx": ("headings", "list", "sublist", "numbers", "code", "quote"),
    "python-docx.docx": ("code",),
    "python-pptx.pptx": ("numbers", "code", "quote"),
}
"""What a file does not have."""
ABSENT = {
    "by-hand.rtf": ("From a program",),
    "python-docx.docx": ("From a program", "a clean filter", "Wait for the click."),
    "python-pptx.pptx": ("From a program", "Safety"),
}
"""Single headings and items that a file does not have."""


def _lines(document: Document, pattern: str) -> set[str]:
    return {found[1].strip() for found in re.finditer(pattern, document.text, re.M)}


def _of_kind(document: Document, kind: str) -> str:
    return "\n".join(document[block.span] for block in document.blocks if block.kind == kind)


def _headings(document: Document) -> set[str]:
    return {heading.title for heading in document.headings}


def _cells(document: Document) -> set[tuple[str, ...]]:
    lines = _of_kind(document, "table").splitlines()
    return {tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in lines}


FEATURES: Mapping[str, Callable[[Document], tuple[tuple[object, ...], set[object]]]] = {
    "headings": lambda document: (HEADINGS, {*_headings(document)}),
    "list": lambda document: (BULLETS, {*_lines(document, r"^[-*+] +(.+)$")}),
    "sublist": lambda document: (("brown sugar neither",), {*_lines(document, r"^ +[-*+] +(.+)$")}),
    "numbers": lambda document: (STEPS, {*_lines(document, r"^\d+[.)] +(.+)$")}),
    "table": lambda document: (ROWS, {*_cells(document)}),
    "code": lambda document: (CODE, {*_of_kind(document, "code").splitlines()}),
    "quote": lambda document: (("A watched kettle never boils.",), {*_of_kind(document, "quote")[2:].splitlines()}),
}
"""Feature -> what of it a file has, and what is found in the document."""


def converted(path: Path) -> Converted:
    """What its loader makes of a file, in this process."""
    module, _, name = loaders()[path.suffix].partition(":")
    made: Converted = getattr(import_module(module), name)(path.read_bytes())
    return made


def rows() -> Iterator[tuple[str, ...]]:
    """A row for each file: its name, the loader, and for each feature how much of it survived."""
    for path in sorted(FILES.iterdir(), key=lambda path: (path.suffix, path.name)):
        made = converted(path)
        document = parse(made.text, path.name)
        loader = re.sub(r" \d[\d.]*", "", made.conversion.loader)
        yield path.name, loader, *(_survived(path.name, feature, document) for feature in FEATURES)


def _survived(name: str, feature: str, document: Document) -> str:
    if feature in LACKS.get(name, ()):
        return "–"
    wanted, found = FEATURES[feature](document)
    wanted = tuple(each for each in wanted if each not in ABSENT.get(name, ()))
    kept = sum(each in found for each in wanted)
    return "all" if kept == len(wanted) else f"{kept} of {len(wanted)}" if kept else "lost"


def table() -> str:
    """The table as Markdown."""
    head = ("file", "loader", *FEATURES)
    lines = [head, ("---",) * len(head), *rows()]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main() -> None:
    """Write the table into the page."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{table()}\n{END}{rest.partition(END)[2]}", "utf-8")


if __name__ == "__main__":
    main()
