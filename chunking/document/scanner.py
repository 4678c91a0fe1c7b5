"""Lines -> the outermost blocks, fast: what is common and certain is read here, the rest by
markdown-it's rules, which the caller passes in.

A document is a sequence of outermost blocks, and where one ends the next begins afresh. So at the
first line of a block the scanner may recognise it, or give up and let `BlockRules` (markdown-it's
own) read exactly that one block with the whole document before it: there is nothing to prove about
where a stretch may be cut. Every shortcut below is taken only where CommonMark leaves no choice;
`tests/document/test_scanner.py` compares it with markdown-it reading everything.

Lines carry no line ends, and blank means spaces and tabs only, as in CommonMark.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Protocol

from chunking.document.line_patterns import (
    CODE,
    DEFINITION,
    FENCE,
    FENCE_END,
    HEADING,
    INTERRUPTS,
    MARKER,
    MAX_TABLE_CELLS,
    NOT_REFERENCE,
    QUOTED_CODE,
    RULE,
    SETEXT,
    SPECIAL,
    SPECIAL_OR_NONE,
    TRIMMED,
    count_columns,
    indent_width,
    is_table_head,
)
from chunking.document.list_scanner import scan_list
from chunking.document.parsed_block import ParsedBlock, PieceKind, parsed_block

HtmlRule = tuple[re.Pattern[str], re.Pattern[str], bool]
"""What an HTML block begins with, the line it ends with (`^$`: before a blank line), whether it may
end a paragraph."""


class BlockRules(Protocol):
    """Reads a block where the scanner is not certain what a line is."""

    @property
    def html(self) -> Sequence[HtmlRule]:
        """The kinds of HTML block, in the order in which they are tried."""
        ...

    def block_at(self, line: int) -> tuple[list[ParsedBlock], int]:
        """The block that begins on this line, and the line to go on with."""
        ...


def scan(
    lines: list[str], first: int, rules: BlockRules, *, open_fences: bool = True
) -> tuple[list[ParsedBlock], list[int]]:
    """The outermost blocks from line `first` on, in order, and the opening lines of fences read as
    paragraphs.

    With `open_fences` an unclosed fence runs to the end of the document, as in CommonMark, and
    there are none of the latter.
    """
    scanner = _Scanner(lines, rules, open_fences=open_fences)
    scanner.run(first)
    return scanner.pieces, scanner.unclosed


class _Scanner:
    """One pass over a document's lines."""

    def __init__(self, lines: list[str], rules: BlockRules, *, open_fences: bool) -> None:
        self.lines = lines
        self.rules = rules
        self.open_fences = open_fences
        self.pieces: list[ParsedBlock] = []
        self.unclosed: list[int] = []
        self._closing: dict[str, tuple[list[int], list[int]]] = {}

    def run(self, line: int) -> None:
        lines, count = self.lines, len(self.lines)
        # Not kept: a scanner that holds its own methods is garbage that only the collector frees.
        readers: dict[str, Callable[[int], int]] = {
            "#": self._heading,
            "`": self._fence,
            "~": self._fence,
            ">": self._quote,
            "<": self._html,
            "$": self._math,
            "[": self._bracket,
            "_": self._rule,
            **dict.fromkeys("-*", self._rule_or_list),
            **dict.fromkeys("+0123456789", self._list_or_text),
        }
        pieces, heading = self.pieces, HEADING.match
        while line < count:
            text = lines[line]
            if not text or not (content := text.lstrip(" \t")):
                line += 1
                continue
            if text[0] == "#" and "|" not in text and (marks := heading(text)):
                line += 1
                pieces.append(parsed_block(("heading", line - 1, line, marks.end(1), False, "")))
                continue
            if "|" in text and line + 1 < count and is_table_head(text, lines[line + 1]):
                line = self._table(line)
            elif content is not text and CODE.match(text):
                line = self._code(line)
            else:
                line = readers.get(content[0], self._paragraph)(line)

    def _add(self, kind: PieceKind, start: int, end: int) -> int:
        self.pieces.append(parsed_block((kind, start, end, 0, False, "")))
        return end

    def _by_rules(self, line: int) -> int:
        """The block on this line, by the rules."""
        pieces, end = self.rules.block_at(line)
        self.pieces += pieces
        return end

    def _paragraph(self, line: int, *, may_be_heading: bool = True) -> int:
        """A paragraph, or the setext heading it turns out to be."""
        lines, count = self.lines, len(self.lines)
        end = line + 1
        while end < count:
            text = lines[end]
            if not text:
                break
            if text[0] in SPECIAL:
                content = text.lstrip(" \t")
                if not content:
                    break
                if content is text or not CODE.match(text):
                    if content[0] in "-|:" and end - 1 > line and is_table_head(lines[end - 1], text):
                        end -= 1
                        break
                    if may_be_heading and content[0] in "-=" and (underline := SETEXT.match(text)):
                        self.pieces.append(ParsedBlock("heading", line, end + 1, 1 if underline[1] else 2, True))
                        return end + 1
                    if INTERRUPTS.match(content) or (content[0] == "<" and self._html_rule(content, interrupting=True)):
                        break
            end += 1
        return self._add("paragraph", line, end)

    def _heading(self, line: int) -> int:
        marks = HEADING.match(self.lines[line])
        if marks is None:
            return self._paragraph(line)
        self.pieces.append(ParsedBlock("heading", line, line + 1, len(marks[1])))
        return line + 1

    def _rule(self, line: int) -> int:
        return self._add("rule", line, line + 1) if RULE.match(self.lines[line]) else self._paragraph(line)

    def _rule_or_list(self, line: int) -> int:
        return self._add("rule", line, line + 1) if RULE.match(self.lines[line]) else self._list_or_text(line)

    def _math(self, line: int) -> int:
        return self._by_rules(line) if self.lines[line].lstrip(" ").startswith("$$") else self._paragraph(line)

    def _bracket(self, line: int) -> int:
        """A footnote, a link reference definition, or a paragraph that begins with a link."""
        text = self.lines[line]
        if NOT_REFERENCE.match(text):
            return self._paragraph(line)
        if definition := DEFINITION.match(text):
            # Without a title here, the next line may be one.
            following = self.lines[line + 1].lstrip(" \t") if line + 1 < len(self.lines) else ""
            if definition[1] or not following.startswith(('"', "'", "(")):
                return self._add("definition", line, line + 1)
        return self._by_rules(line)

    def _html_rule(self, content: str, *, interrupting: bool) -> HtmlRule | None:
        """The kind of HTML block that a line begins, given without its indentation."""
        for rule in self.rules.html:
            if rule[0].search(content):
                return rule if rule[2] or not interrupting else None
        return None

    def _html(self, line: int) -> int:
        lines, count = self.lines, len(self.lines)
        content = lines[line].lstrip(" ")
        rule = self._html_rule(content, interrupting=False)
        if rule is None:
            return self._paragraph(line)
        ending = rule[1]
        end = line + 1
        if ending.search(""):
            while end < count and lines[end].strip(" \t"):
                end += 1
        elif not ending.search(content):
            while end < count and not ending.search(lines[end]):
                end += 1
            end = min(end + 1, count)
        return self._add("html", line, end)

    def _code(self, line: int) -> int:
        """Indented code: up to the last line that is indented by four, blank lines between
        included."""
        lines = self.lines
        end = at = line + 1
        while at < len(lines):
            if CODE.match(lines[at]):
                at += 1
                if lines[at - 1].strip(" \t"):
                    end = at
            elif lines[at].strip(" "):
                break
            else:
                at += 1
        return self._add("code", line, end)

    def _fence(self, line: int) -> int:
        opening = FENCE.match(self.lines[line])
        if opening is None:
            return self._paragraph(line)
        marks: str = opening[1] or opening[2]
        if not self.open_fences and not self._closes_after(line, marks):
            # DECISIONS bp-6: the opening line is text, and reading resumes on the next line.
            self.unclosed.append(line)
            return self._paragraph(line, may_be_heading=False)
        for at in range(line + 1, len(self.lines)):
            text = self.lines[at]
            if marks in text and (closing := FENCE_END.match(text)) and closing[1].startswith(marks):
                return self._add("code", line, at + 1)
        return self._add("code", line, len(self.lines))

    def _closes_after(self, line: int, marks: str) -> bool:
        """Whether some later line can close a fence of these marks. Linear over all questions."""
        if not self._closing:
            self._closing = {"`": ([], []), "~": ([], [])}
            for at in range(len(self.lines) - 1, -1, -1):
                if closing := FENCE_END.match(self.lines[at]):
                    places, longest = self._closing[closing[1][0]]
                    places.append(-at)
                    longest.append(max(len(closing[1]), longest[-1] if longest else 0))
        places, longest = self._closing[marks[0]]
        later = bisect_right(places, -line - 1)
        return later > 0 and longest[later - 1] >= len(marks)

    def _quote(self, line: int) -> int:
        """Lines that begin with `>`, and lazy text below them where a paragraph is certainly
        open."""
        lines, count = self.lines, len(self.lines)
        if not lines[line].startswith(">"):
            return self._by_rules(line)
        only_text = True
        end = line
        while end < count:
            text = lines[end]
            if text.startswith(">"):
                content = text[1:].lstrip(" \t")
                code = indent_width(text[: len(text) - len(content)]) >= QUOTED_CODE
                only_text = only_text and content[:1] not in SPECIAL_OR_NONE and not code
            elif not text.strip(" \t") or HEADING.match(text) or FENCE.match(text):
                break
            elif not only_text or text[0] in SPECIAL or "|" in text:
                return self._by_rules(line)
            end += 1
        return self._add("quote", line, end)

    def _table(self, line: int) -> int:
        """Rows up to a blank line or a line that begins another block; odd rows are left to the
        rules."""
        lines, count = self.lines, len(self.lines)
        end = line + 2
        while end < count:
            text = lines[end]
            if not text.strip(TRIMMED):
                break
            if text[0] in SPECIAL and text[0] != "|" and not (text[0] == "`" and text[:3] != "```"):
                if HEADING.match(text):
                    break
                return self._by_rules(line)
            end += 1
        columns = count_columns(lines[line])
        if columns * (end - line) > MAX_TABLE_CELLS:
            missing = 0
            for row in range(line + 2, end):
                missing += columns - count_columns(lines[row])
                if missing > MAX_TABLE_CELLS:
                    end = row
                    break
        return self._add("table", line, end)

    def _list_or_text(self, line: int) -> int:
        if not MARKER.match(self.lines[line]):
            return self._paragraph(line)
        found = scan_list(self.lines, line)
        if found is None:
            return self._by_rules(line)
        self.pieces.append(found)
        return found.end
