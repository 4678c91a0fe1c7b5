"""The labelled lines in front of each chunk of section-rules: module, chapter and section.

Source: section-rules.md, "Context Prefix"; DECISIONS sr-4.
"""

from __future__ import annotations

from typing import NamedTuple

from chunking.core.chunk import Boundary
from chunking.core.context import SplitContext
from chunking.document import Block, Document
from chunking.splitting.breadcrumbs import shorten
from chunking.splitting.document_cache import Memo, once_per_counter

_SECTION = "Section"


class _FullPrefixes(Memo[tuple[tuple[str, ...], str], tuple[str, int]]):
    """By labels and section: the lines in full, and their tokens."""


class Prefix(NamedTuple):
    """What stands in front of a chunk."""

    text: str
    tokens: int
    """Of the lines in full."""
    flags: tuple[Boundary, ...] = ()
    """That they were shortened."""


class SectionPrefix:
    """The labelled lines in front of a document's chunks, by heading."""

    def __init__(self, document: Document, tools: SplitContext, labels: tuple[str, ...], split_above: int) -> None:
        self._tools = tools
        self._labels = labels
        self._full = once_per_counter(document, tools.counter, _FullPrefixes)
        self._split_above = split_above
        self._known: dict[str, Prefix] = {}
        folder, _, file_name = document.name.rpartition("/")
        self.module_id = folder.rpartition("/")[2]
        self.chapter_id = file_name.rpartition(".")[0] or file_name
        named = document.metadata
        written = {"Module": named.get("module", self.module_id), "Chapter": named.get("title", self.chapter_id)}
        values = {label: " ".join(value.split()) for label, value in written.items()}
        self._ending = document.line_ending
        self._written = [
            "" if label == _SECTION else f"[{label}: {values[label]}]{self._ending}"
            for label in labels
            if label == _SECTION or values[label]
        ]
        """The line of each label; empty where the section's goes."""

    def under(self, heading: Block | None) -> Prefix:
        """The lines and a blank line, in at most half of splitAbove; with a flag when they were
        shortened."""
        section = heading.title if heading else "Introduction"
        known = self._known.get(section)
        if known is None:
            known = self._known[section] = self._under(section)
        return known

    def _under(self, section: str) -> Prefix:
        half = self._split_above // 2
        text, tokens = self._full.get((self._labels, section)) or self._in_full(section)
        if tokens <= half:
            return Prefix(text, tokens)
        shorter, _ = shorten([section], lambda parts: self._lines(parts[0]), half, self._tools.count)
        detail = f"the prefix has more than half of splitAbove ({self._split_above}), so it was shortened"
        return Prefix(shorter, tokens, (Boundary("context-shortened", detail, None, None, half, ("split_above",)),))

    def _in_full(self, section: str) -> tuple[str, int]:
        text = self._lines(section)
        return self._full.keep((self._labels, section), (text, self._tools.count(text)))

    def _lines(self, section: str) -> str:
        """`[Module: ...]`, `[Chapter: ...]`, `[Section: ...]`, a line each; a module that nobody
        names is left out."""
        title = " ".join(section.split())
        named = f"[{_SECTION}: {title}]{self._ending}" if title else ""
        lines = "".join([line or named for line in self._written])
        return lines + self._ending if lines else ""
