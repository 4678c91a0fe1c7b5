"""Blocks -> sections: which heading stands over what. Headings nest by level with a stack
(DECISIONS all-3)."""

from __future__ import annotations

from collections.abc import Sequence

from chunking.document.model import Block, Section
from chunking.text.spans import Span


class _Open:
    """A section whose end is not known yet."""

    __slots__ = ("blocks", "breadcrumb", "children", "heading", "level")

    def __init__(self, heading: Block | None, level: int, breadcrumb: tuple[str, ...]) -> None:
        self.heading = heading
        self.level = level
        self.breadcrumb = breadcrumb
        self.blocks: list[Block] = [heading] if heading else []
        self.children: list[Section] = []

    def close(self, end: int) -> Section:
        start = self.heading.span.start if self.heading else 0
        return Section(
            self.heading, self.level, tuple(self.blocks), tuple(self.children), Span(start, end), self.breadcrumb
        )


def outline(blocks: Sequence[Block], length: int, base_name: str) -> Section:
    """The root section over all blocks of a text of `length` characters. Linear; nests at most six
    deep.

    `# A`, `### X`, `## Y` puts X and Y both under A. A preamble belongs to the root.
    """
    stack = [_Open(None, 0, (base_name,))]
    for block in blocks:
        if block.kind != "heading":
            stack[-1].blocks.append(block)
            continue
        while stack[-1].level >= block.level:
            _close_last(stack, block.span.start)
        stack.append(_Open(block, block.level, (*stack[-1].breadcrumb, block.title)))
    while len(stack) > 1:
        _close_last(stack, length)
    return stack[0].close(length)


def _close_last(stack: list[_Open], end: int) -> None:
    section = stack.pop().close(end)
    stack[-1].children.append(section)
