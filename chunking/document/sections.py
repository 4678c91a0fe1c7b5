"""Blocks -> sections: which heading stands over what. Headings nest by level (DECISIONS all-3)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from chunking.document.model import Block, Section
from chunking.text.spans import Span

_NONE: tuple[Section, ...] = ()
_section = partial(tuple.__new__, Section)
"""`Section._make`, in half the time."""


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
        heading = blocks[first]
        level, children = heading.level, _NONE
        if following and following[-1].level > level:
            inside = [following.pop()]
            while following and following[-1].level > level:
                inside.append(following.pop())
            children = tuple(inside)
        span = Span(heading.span.start, following[-1].span.start if following else length)
        following.append(_section((heading, level, blocks[first:after], children, span, breadcrumb)))
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
