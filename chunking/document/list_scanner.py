"""A fast scan for the end of a list, for lists whose lines are unambiguous."""

from __future__ import annotations

from chunking.document.line_patterns import FENCE, HEADING, ITEM, MARKER, RULE, SPECIAL, indent_width, is_task
from chunking.document.parsed_block import ParsedBlock


def scan_list(lines: list[str], line: int) -> ParsedBlock | None:
    """The list that begins on this line, or None when in doubt.

    What is indented at least as far as an item's text belongs to the item, whatever it is. What is
    indented less is another item, or ends the list after a blank line, or is lazy text when a
    paragraph is certainly open.
    """
    count = len(lines)
    item = ITEM.match(lines[line])
    if item is None:
        return None
    mark = item[1] or item[2]
    width, task = indent_width(item[0]), is_task(lines[line])
    text_open = _opens_text(lines[line], item.end())
    blank = False
    end = line + 1
    while end < count:
        text = lines[end]
        if not text or not (content := text.lstrip(" \t")):
            blank, text_open = True, False
            end += 1
            continue
        indent = 0 if content is text else indent_width(text[: len(text) - len(content)])
        if indent >= width:
            text_open = text_open and content[0] not in SPECIAL
        elif indent < 4 and (item := ITEM.match(text)) and not (content[0] in "-*" and RULE.match(text)):
            if (item[1] or item[2]) != mark:
                break
            width, task = indent_width(item[0]), task or ("[" in text and is_task(text))
            text_open = _opens_text(text, item.end())
        elif _ends_list(text, content[0], indent, blank=blank):
            break
        elif not text_open or content[0] in SPECIAL or "|" in text:
            return None
        blank = False
        end += 1
    return ParsedBlock("task-list" if task else "list", line, end)


def _opens_text(item: str, start: int) -> bool:
    """Whether an item's first line, whose content starts there, certainly begins a paragraph."""
    return item[start] not in SPECIAL or is_task(item)


def _ends_list(text: str, first: str, indent: int, *, blank: bool) -> bool:
    """Whether a line that is not clearly a list item certainly begins another block outside the
    list."""
    if indent >= 4:
        return False
    if RULE.match(text):
        return True
    if MARKER.match(text):
        return False
    return blank or first == ">" or bool(HEADING.match(text) or FENCE.match(text))
