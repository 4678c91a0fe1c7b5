"""Auto-merging: where enough of a section's chunks are hit, the section is given back instead.

A chunk belongs to the innermost section that has at least half of it, and to all sections around
that. Sections are merged from the innermost outwards, and what a merged section gives back counts
as hit. The whole document is never given back.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from chunking.document import Document, Span
from chunking.document.model import Section
from chunking.errors import GoldError
from chunking.retrieval.passages import Passage
from chunking.text.spans import union


class AutoMerge:
    """What hits on some passages give back (`GiveBack`)."""

    def __init__(self, passages: Sequence[Passage], documents: Sequence[Document], share: float) -> None:
        """`share` is the part of a section's chunks, above 0 and up to 1, that must be hit. Raises
        GoldError for another one."""
        if not 0 < share <= 1:
            raise GoldError(f"merge {share:g}: is not a share of a section's chunks; give one above 0 and up to 1")
        self._passages = passages
        self._share = share
        self._sections: list[Span] = []
        """Inner ones before those around them."""
        self._members: list[frozenset[int]] = []
        """For each section, the numbers of its passages, those of its subsections too."""
        of_document: dict[str, list[int]] = {document.name: [] for document in documents}
        for number, passage in enumerate(passages):
            if passage.spans:
                of_document[passage.document].append(number)
        for document in documents:
            self._add(document.outline, of_document[document.name])
        self._around: dict[int, list[int]] = {}
        """For each passage, the numbers of its sections."""
        for at, members in enumerate(self._members):
            for number in members:
                self._around.setdefault(number, []).append(at)

    def __call__(self, hits: Sequence[int]) -> list[Passage]:
        """The passages that were hit, in their order, each with what is given back in its place."""
        hit, merged = set(hits), dict[int, list[Span]]()
        for at in sorted({section for number in hits for section in self._around.get(number, ())}):
            members = self._members[at]
            if len(members) > 1 and len(members & hit) >= self._share * len(members) - 1e-9:
                for number in members:
                    merged.setdefault(number, []).append(self._sections[at])
                hit |= members
        return [self._given(number, merged.get(number, ())) for number in hits]

    def _given(self, number: int, sections: Sequence[Span]) -> Passage:
        passage = self._passages[number]
        return replace(passage, returned=tuple(union([*passage.given, *sections]))) if sections else passage

    def _add(self, section: Section, numbers: Sequence[int]) -> None:
        """Add the sections below this one, then itself unless it is the whole document."""
        starts = [child.span.start for child in section.children]
        inside: dict[int, list[int]] = {}
        for number in numbers:
            spans = self._passages[number].spans
            middle = (spans[0].start + spans[-1].end) // 2
            child = bisect_right(starts, middle) - 1
            if child >= 0 and _has_half(section.children[child].span, spans):
                inside.setdefault(child, []).append(number)
        for child, of_child in inside.items():
            self._add(section.children[child], of_child)
        if section.level:
            self._sections.append(section.span)
            self._members.append(frozenset(numbers))


def _has_half(around: Span, spans: Sequence[Span]) -> bool:
    inside = sum(max(0, min(span.end, around.end) - max(span.start, around.start)) for span in spans)
    return 2 * inside >= sum(map(len, spans))
