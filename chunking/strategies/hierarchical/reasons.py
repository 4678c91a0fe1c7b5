"""Why a chunk of hierarchical packing ends where it does, in sentences with the numbers.

A reason is without hardCap, which another cut may have another value of; `boundary` adds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from chunking.core.chunk import Boundary
from chunking.document import Document
from chunking.splitting.breadcrumbs import clip
from chunking.strategies.hierarchical.units import TITLE, Path, SectionUnit
from chunking.tokens import TokenIndex

LONE = Boundary("undersized", "a heading with nothing under it ends the document, and the chunk before it is full")
"""The flag of headings that end the document and stay alone."""


@dataclass(frozen=True, slots=True)
class OversizeSection:
    """A section, or the document, that is over hardCap as a whole: the reason why nothing is packed
    across its end."""

    tokens: int
    unit: SectionUnit | None = None
    """The section; None for the document."""

    def name(self, document: Document) -> str:
        """What to call it in a sentence."""
        return self.unit.name(document) if self.unit else "the document"


class NextOver(NamedTuple):
    """With the next unit the chunk would be over hardCap."""

    rule: str
    tokens: int
    over: int
    """With that unit."""
    following: SectionUnit

    def boundary(self, hard_cap: int, document: Document, index: TokenIndex) -> Boundary:
        """The reason as people read it."""
        coming = index.count(self.following.lead, self.following.tail)
        detail = (
            f"the chunk has {self.tokens} tokens, and with {self.following.name(document)} ({coming} tokens) it "
            f"would have {self.over} tokens, more than hardCap ({hard_cap})"
        )
        settings = ("target", "hard_cap") if self.rule == "leaf-split" else ("hard_cap",)
        return Boundary(self.rule, detail, held=self.tokens, next=coming, limit=hard_cap, settings=settings)


class SectionOver(NamedTuple):
    """The chunk is the last one of a section, or of the text before the first one."""

    tokens: int
    stands: Path
    over: OversizeSection
    rule: str = "section-end"

    def boundary(self, hard_cap: int, document: Document, index: TokenIndex) -> Boundary:  # noqa: ARG002
        """The reason as people read it."""
        ends = (
            f"'{clip(self.stands[-1].title, TITLE)}'" if len(self.stands) > 1 else "the text before the first heading"
        )
        detail = (
            f"{ends} ends here with {self.tokens} tokens; {self.over.name(document)} has {self.over.tokens}, more than "
            f"hardCap ({hard_cap}), so what follows does not join it"
        )
        return Boundary(self.rule, detail, held=self.tokens, limit=hard_cap, settings=("hard_cap",))


Reason = Boundary | NextOver | SectionOver


def next_over(last: SectionUnit, following: SectionUnit, tokens: int, over: int) -> NextOver:
    """Of a chunk that ends with one unit and would have so many tokens with the next."""
    within = following.piece and last.block is following.block
    return NextOver("leaf-split" if within else "hard-cap", tokens, over, following)
