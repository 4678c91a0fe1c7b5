"""The labelled lines in front of each chunk of section-rules: module, chapter and section.

Source: section-rules.md, "Context Prefix"; DECISIONS sr-4.
"""

from __future__ import annotations

from collections.abc import Sequence

from chunking.core.chunk import Boundary
from chunking.core.context import SplitContext
from chunking.document import Block, Document
from chunking.splitting.breadcrumbs import shorten


class SectionPrefix:
    """The labelled lines in front of a document's chunks, by heading."""

    def __init__(self, document: Document, tools: SplitContext, labels: Sequence[str], split_above: int) -> None:
        self._document = document
        self._tools = tools
        self._labels = labels
        self._split_above = split_above
        self._known: dict[str, tuple[str, tuple[Boundary, ...]]] = {}
        folder, _, file_name = document.name.rpartition("/")
        self.module_id = folder.rpartition("/")[2]
        self.chapter_id = file_name.rpartition(".")[0] or file_name

    def under(self, heading: Block | None) -> tuple[str, tuple[Boundary, ...]]:
        """The lines and a blank line, in at most half of splitAbove; with a flag when they were
        shortened."""
        section = heading.title if heading else "Introduction"
        if section not in self._known:
            half = self._split_above // 2
            text, cut = shorten([section], lambda parts: self._lines(parts[0]), half, self._tools.count)
            detail = f"the prefix is over half of splitAbove {self._split_above}, and was shortened"
            flag = Boundary("context-shortened", detail, None, None, half, ("split_above",))
            self._known[section] = (text, (flag,) if cut else ())
        return self._known[section]

    def _lines(self, section: str) -> str:
        """`[Module: ...]`, `[Chapter: ...]`, `[Section: ...]`, a line each; a module that nobody
        names is left out."""
        metadata = self._document.metadata
        values = {
            "Module": metadata.get("module", self.module_id),
            "Chapter": metadata.get("title", self.chapter_id),
            "Section": section,
        }
        labels = [(label, " ".join(values[label].split())) for label in self._labels]
        ending = self._document.line_ending
        lines = "".join(f"[{label}: {value}]{ending}" for label, value in labels if value)
        return lines + ending if lines else ""
