"""Why a chunk of hierarchical packing ends where it does, in sentences with the numbers."""

from __future__ import annotations

from dataclasses import dataclass

from chunking.core.chunk import Boundary
from chunking.splitting.breadcrumbs import clip
from chunking.strategies.hierarchical.fitting import Fit
from chunking.strategies.hierarchical.rendering import Renderer
from chunking.strategies.hierarchical.units import TITLE, Path, SectionUnit

LONE = Boundary("undersized", "a heading with nothing under it ends the document, and the chunk before it is full")
"""The flag of headings that end the document and stay alone."""


@dataclass(frozen=True, slots=True)
class OversizeSection:
    """A section, or the document, that is over hardCap as a whole: the reason why nothing is packed
    across its end."""

    name: str
    tokens: int


def next_over(renderer: Renderer, last: SectionUnit, following: SectionUnit, fit: Fit) -> Boundary:
    """Of a chunk with which the next unit is over hardCap."""
    within = following.piece and last.block is following.block
    coming = renderer.count_after("", following.lead, following.tail)
    detail = (
        f"{fit.tokens} tokens so far + {coming} of {following.name(renderer.document)} would be {fit.over}, "
        f"over hardCap {renderer.hard_cap}"
    )
    settings = ("target", "hard_cap") if within else ("hard_cap",)
    rule = "leaf-split" if within else "hard-cap"
    return Boundary(rule, detail, held=fit.tokens, next=coming, limit=renderer.hard_cap, settings=settings)


def section_over(hard_cap: int, stands: Path, fit: Fit, over: OversizeSection) -> Boundary:
    """Of the last chunk of a section, or of the text before the first one."""
    ends = f"'{clip(stands[-1].title, TITLE)}'" if len(stands) > 1 else "the text before the first heading"
    detail = (
        f"{ends} ends here with {fit.tokens} tokens; {over.name} has {over.tokens}, over hardCap {hard_cap}, "
        "so what follows is not packed with it"
    )
    return Boundary("section-end", detail, held=fit.tokens, limit=hard_cap, settings=("hard_cap",))
