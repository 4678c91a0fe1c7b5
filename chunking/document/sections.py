"""Blocks -> sections: which heading stands over what. Headings nest by level (DECISIONS all-3)."""

from __future__ import annotations

from collections.abc import Sequence

from chunking.document.model import Block, Section
from chunking.text.spans import Span


def outline(blocks: tuple[Block, ...], length: int, base_name: str) -> Section:
    """The root section over all blocks of a text of `length` characters. Linear; nests at most six
    deep.

    `# A`, `### X`, `## Y` puts X and Y both under A. A preamble belongs to the root.
    """
    firsts = [at for at, block in enumerate(blocks) if block.kind == "heading"]
    breadcrumbs = breadcrumbs_of([blocks[first] for first in firsts], base_name)
    following: list[Section] = []
    """Those behind that are under no section yet, the next one last."""
    after = len(blocks)
    for first, breadcrumb in zip(reversed(firsts), reversed(breadcrumbs), strict=True):
        heading, children = blocks[first], list[Section]()
        while following and following[-1].level > heading.level:
            children.append(following.pop())
        span = Span(heading.span.start, following[-1].span.start if following else length)
        own = blocks[first:after]
        following.append(Section(heading, heading.level, own, tuple(children), span, breadcrumb))
        after = first
    return Section(None, 0, blocks[:after], tuple(reversed(following)), Span(0, length), (base_name,))


def breadcrumbs_of(headings: Sequence[Block], base_name: str) -> list[tuple[str, ...]]:
    """The base name and the titles down to each heading."""
    found: list[tuple[str, ...]] = []
    around: list[tuple[int, tuple[str, ...]]] = [(0, (base_name,))]
    """The levels and breadcrumbs of the sections that are open, the root first."""
    for heading in headings:
        while around[-1][0] >= heading.level:
            around.pop()
        found.append((*around[-1][1], heading.title))
        around.append((heading.level, found[-1]))
    return found
