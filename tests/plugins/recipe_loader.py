"""A file format as another package brings it: this file and one entry point (CONTRIBUTING.md, "A
file format")."""

from __future__ import annotations


def markdown_table(raw: bytes) -> str:
    """A table of tab-separated values as Markdown: what is cut, shown and exported is this text."""
    head, *rows = [line.split("\t") for line in raw.decode("utf-8").splitlines()]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in (head, ["---"] * len(head), *rows))
