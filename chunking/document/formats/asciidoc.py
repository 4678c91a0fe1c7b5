"""AsciiDoc to Markdown: headings, lists, tables, code, admonitions, quotes. Nothing is included,
no condition is decided, and no attribute is set but by the document itself.

Written here because no library reads AsciiDoc without running Ruby or giving HTML with the reader's
files in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from chunking.document.conversion import Conversion, Converted
from chunking.document.formats.asciidoc_inline import inline, with_attributes
from chunking.document.formats.asciidoc_table import FENCES as TABLES
from chunking.document.formats.asciidoc_table import table
from chunking.errors import DocumentError
from chunking.runtime.version import engine_version
from chunking.text.decoding import decode
from chunking.text.display import counted

_LINE_END = re.compile(r"\r\n|\n|\r")
_HEADING = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
_ATTRIBUTE = re.compile(r":(!?[\w-]{1,80}!?):(?:[ \t]+(.*))?")
_ADMONITION = re.compile(r"(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+(.*)")
_NAMED = re.compile(r"\[(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\b")
_ITEM = re.compile(r"[ \t]*(\*{1,5}|-|\.{1,5}|\d{1,4}\.|<(?:\d{1,3}|\.)>)[ \t]+(\S.*)")
_TERM = re.compile(r"[ \t]*(\S.{0,300}?)(:{2,4}|;;)(?:[ \t]+(.*))?")
_MACRO = re.compile(r"(image|video|audio|include|toc)::([^\[\s]*)\[([^\]]*)\][ \t]*")
_CONDITION = re.compile(r"(?:ifdef|ifndef|ifeval|endif)::[^\[\s]*\[([^\]]*)\][ \t]*")
_FENCE = re.compile(r"(-{4,}|={4,}|\.{4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|`{3,}[\w+#.-]*)[ \t]*")
_ID = re.compile(r"\[\[([^\],]{1,200})(?:,[^\]]*)?\]\]|\[#([\w:.-]{1,200})")
_LONGEST = 1000
"""Characters of an attribute's value."""
_DEEPEST = 20
"""Blocks in blocks; what is deeper is text."""


def to_markdown(raw: bytes) -> Converted:
    """The document's text. Raises DocumentError for what is not text."""
    try:
        lines = _LINE_END.split(decode(raw, ""))
    except DocumentError as error:
        raise DocumentError(str(error).removeprefix(": ")) from None
    reader = _Reader()
    blocks = reader.blocks(lines, 0)
    text = "\n\n".join("\n".join(block) for block in blocks if any(map(str.strip, block)))
    return Converted(f"{text}\n", Conversion(f"chunkscope's reader of AsciiDoc {engine_version()}", (), reader.notes()))


class _Reader:
    """One document while it is read: its attributes, and what is left out."""

    def __init__(self) -> None:
        self._attributes: dict[str, str] = {"empty": "", "sp": " ", "nbsp": "\u00a0", "zwsp": "\u200b"}
        self._left_out: Counter[str] = Counter()

    def notes(self) -> tuple[str, ...]:
        """What was lost or guessed."""
        said = {
            "include": "not included; its path stands in its place",
            "comment": "left out",
            "condition": "not decided: what is between is kept",
            "attribute": "set, and not shown",
        }
        return tuple(
            f"{counted(self._left_out[one], one)} {words}" for one, words in said.items() if self._left_out[one]
        )

    def blocks(self, lines: Sequence[str], depth: int) -> Iterator[list[str]]:
        """Each block, as its lines in Markdown."""
        at, about = 0, ""
        while at < len(lines):
            line = lines[at].rstrip()
            if not line:
                at += 1
                continue
            if line.startswith("[") and line.endswith("]") and not line.startswith("[["):
                about, at = about + line, at + 1  # said of the block below
                continue
            if line.startswith("[[") and line.endswith("]]") and _ID.fullmatch(line):
                about, at = about + line, at + 1
                continue
            if re.match(r"\.[^\s.]", line) and not _ITEM.match(line):
                yield [f"**{self._inline(line[1:])}**"]
                at += 1
                continue
            at, block = self._block(lines, at, about, depth)
            about = ""
            yield from block

    def _block(self, lines: Sequence[str], at: int, about: str, depth: int) -> tuple[int, list[list[str]]]:
        """The block that begins here, and where the next one may."""
        line = lines[at].rstrip()
        fence = _FENCE.fullmatch(line)
        if line in TABLES:
            end = _closing(lines, at, line)
            return end + 1, [table(lines[at + 1 : end], line, about, self._inline)]
        if fence and depth < _DEEPEST:
            closing = "```" if line.startswith("```") else line
            end = _closing(lines, at, closing)
            return end + 1, self._fenced(fence[1], lines[at + 1 : end], about, depth)
        if line.startswith("//"):
            self._left_out["comment"] += 1
            return at + 1, []
        if found := _CONDITION.fullmatch(line):
            self._left_out["condition"] += not line.startswith("endif")
            return at + 1, [[self._inline(found[1])]] if found[1] and line.startswith(
                "if"
            ) and "ifeval" not in line else []
        if found := _ATTRIBUTE.fullmatch(line):
            return self._attribute(lines, at, found[1], found[2] or ""), []
        if (found := _HEADING.fullmatch(line)) and "discrete" not in about:
            return at + 1, [[self._heading(found[1], found[2], about)]]
        if found := _HEADING.fullmatch(line):
            return at + 1, [[f"**{self._inline(found[2])}**"]]
        if found := _MACRO.fullmatch(line):
            return at + 1, [[self._macro(found[1], found[2], found[3])]]
        if line in ("'''", "---", "***", "- - -", "* * *"):
            return at + 1, [["---"]]
        if line == "<<<":
            return at + 1, []
        if _ITEM.fullmatch(line) or _is_term(line):
            return self._list(lines, at, depth)
        if line.startswith(">"):
            end = _paragraph_end(lines, at)
            return end, [[each.rstrip() for each in lines[at:end]]]
        end = _paragraph_end(lines, at)
        return end, [self._paragraph([each.rstrip() for each in lines[at:end]], about)]

    def _heading(self, marks: str, title: str, about: str) -> str:
        anchor = _ID.search(about)
        title = re.sub(r"\s+=+$", "", title)
        title = re.sub(r"\[\[[^\]]*\]\]", "", title).strip()
        return f"{'#' * len(marks)} {self._inline(title)}" + (f" {{#{anchor[1] or anchor[2]}}}" if anchor else "")

    def _attribute(self, lines: Sequence[str], at: int, name: str, value: str) -> int:
        """Set an attribute, whose value may go on with a backslash; where the next block may
        begin."""
        while value.endswith(" \\") and at + 1 < len(lines):
            at += 1
            value = f"{value[:-2]} {lines[at].strip()}"
        self._left_out["attribute"] += 1
        if "!" not in name:
            self._attributes[name.lower()] = with_attributes(value[:_LONGEST], self._attributes)[:_LONGEST]
        return at + 1

    def _macro(self, kind: str, target: str, label: str) -> str:
        if kind == "include":
            self._left_out["include"] += 1
            return f"`include::{target}[]`".replace("``", "`")
        if kind == "toc":
            return ""
        alt = label.split(",")[0].strip('"')
        return f"![{alt}]({target})" if kind == "image" else f"[{alt or target}]({target})"

    def _fenced(self, fence: str, inside: Sequence[str], about: str, depth: int) -> list[list[str]]:
        """A block between two fences: by the fence, unless the brackets above say otherwise."""
        kind = fence[0]
        if kind == "/":
            self._left_out["comment"] += 1
            return []
        if kind == "`":
            return [_code(inside, fence.lstrip("`"))]
        if kind == "." or (kind == "-" and len(fence) > 2) or "[source" in about or "[listing" in about:
            return [_code(inside, _language(about))]
        if kind == "+":
            stem = re.search(r"\[(stem|latexmath|asciimath)", about)
            return [["$$", *inside, "$$"]] if stem else [_code(inside, "html")]
        if kind == "_" and "[verse" in about:
            return [_quoted([f"{self._inline(line)}\\" if line.strip() else "" for line in inside], _by(about))]
        blocks = list(self.blocks(inside, depth + 1))
        if named := _NAMED.search(about):
            return [_quoted([f"**{named[1].capitalize()}:**", "", *_joined(blocks)], "")]
        if kind in "_*" or "[quote" in about:
            return [_quoted(_joined(blocks), _by(about) if kind == "_" or "[quote" in about else "")]
        return blocks

    def _paragraph(self, lines: Sequence[str], about: str) -> list[str]:
        if "[source" in about or "[listing" in about or "[literal" in about:
            return _code(lines, _language(about))
        if lines[0][:1] in " \t" and not about:
            indent = min(len(line) - len(line.lstrip()) for line in lines)
            return _code([line[indent:] for line in lines], "")
        said = _ADMONITION.fullmatch(lines[0])
        if said:
            text = self._inline("\n".join((said[2], *lines[1:])))
            return _quoted([f"**{said[1].capitalize()}:** {text}"], "")
        text = self._inline("\n".join(lines))
        if named := _NAMED.search(about):
            return _quoted([f"**{named[1].capitalize()}:** {text}"], "")
        if "[quote" in about or "[verse" in about:
            return _quoted(text.split("\n"), _by(about))
        return text.split("\n")

    def _list(self, lines: Sequence[str], at: int, depth: int) -> tuple[int, list[list[str]]]:
        """All items that follow each other, with what is attached to them."""
        made: list[str] = []
        marks: list[str] = []  # of the lists around, the outermost first
        while at < len(lines):
            line = lines[at].rstrip()
            item, term = _ITEM.fullmatch(line), _is_term(line)
            if not item and not term:
                following = _next_line(lines, at)
                found = lines[following].rstrip() if following < len(lines) else ""
                if line or not (_ITEM.fullmatch(found) or _is_term(found)):
                    break
                at = following
                continue
            mark = _mark(item[1]) if item else "::"
            if mark in marks:
                del marks[marks.index(mark) + 1 :]
            else:
                marks.append(mark)
            nested = "  " if len(marks) < 2 else "".join("   " if each[0] in ".1<" else "  " for each in marks[:-1])
            indent = nested if len(marks) > 1 else ""
            own = _bullet(mark)
            text = item[2] if item else ""
            if term:
                text = f"*{term[1]}*:: {term[3] or ''}".replace(":: ", ": ").rstrip(" ")
            text = re.sub(r"^\[(?:\*|x)\]", "[x]", text)
            at, more, attached = self._of_item(lines, at + 1, depth)
            words = self._inline("\n".join((text, *more))).split("\n")
            inner = indent + " " * len(own)
            made.append(f"{indent}{own}{words[0]}")
            made += [f"{inner}{each.strip()}" for each in words[1:]]
            for block in attached:
                made += ["", *(f"{inner}{each}" if each.strip() else "" for each in block)]
        return at, [_numbered(made)]

    def _of_item(self, lines: Sequence[str], at: int, depth: int) -> tuple[int, list[str], list[list[str]]]:
        """The further lines of an item's text, and the blocks that a `+` attaches to it."""
        more: list[str] = []
        while at < len(lines) and _goes_on(line := lines[at].rstrip()):
            more.append(line.strip())
            at += 1
        attached: list[list[str]] = []
        while at < len(lines) and lines[at].strip() == "+" and depth < _DEEPEST:
            at += 1
            about = ""
            while at < len(lines) and re.fullmatch(r"\[.*\]", lines[at].rstrip()):
                about, at = about + lines[at].rstrip(), at + 1
            if at >= len(lines) or not lines[at].strip():
                break
            end = self._attached_end(lines, at)
            if end == at:
                break
            _, blocks = self._block(lines[at:end], 0, about, depth + 1)
            attached += blocks
            at = end
        return at, more, attached

    def _attached_end(self, lines: Sequence[str], at: int) -> int:
        line = lines[at].rstrip()
        if _FENCE.fullmatch(line) or line in TABLES:
            return min(len(lines), _closing(lines, at, "```" if line.startswith("```") else line) + 1)
        while at < len(lines) and lines[at].strip() not in ("", "+") and not _ITEM.fullmatch(lines[at].rstrip()):
            at += 1
        return at

    def _inline(self, text: str) -> str:
        return inline(text, self._attributes)


def _closing(lines: Sequence[str], at: int, fence: str) -> int:
    """Where the block that this fence opens is closed; the end where it is not."""
    return next((number for number in range(at + 1, len(lines)) if lines[number].rstrip() == fence), len(lines))


def _paragraph_end(lines: Sequence[str], at: int) -> int:
    end = at + 1
    while end < len(lines) and _goes_on(lines[end].rstrip()):
        end += 1
    return end


def _goes_on(line: str) -> bool:
    """Whether a line belongs to the text before it: it begins nothing of its own."""
    if not line.strip() or line.strip() == "+" or line.startswith("//"):
        return False
    if _ATTRIBUTE.fullmatch(line):
        return False
    if _FENCE.fullmatch(line) or line in TABLES or _ITEM.fullmatch(line) or _is_term(line):
        return False
    return not (re.fullmatch(r"\[\S.*\]", line) or _CONDITION.fullmatch(line) or _MACRO.fullmatch(line))


def _is_term(line: str) -> re.Match[str] | None:
    found = _TERM.fullmatch(line)
    return None if found is None or _CONDITION.match(line) or _MACRO.match(line) else found


def _next_line(lines: Sequence[str], at: int) -> int:
    """The next line with something on it."""
    return next((number for number in range(at, len(lines)) if lines[number].strip()), len(lines))


def _mark(written: str) -> str:
    if written[0].isdigit():
        return "1."
    return "<1>" if written[0] == "<" else written


def _bullet(mark: str) -> str:
    return "1. " if mark[0] in ".1<" else "- "


def _numbered(lines: Sequence[str]) -> list[str]:
    """The lines with the numbers of ordered items counted, at each indentation anew."""
    numbers: dict[int, int] = {}
    made = []
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if line.strip() and (line.lstrip().startswith(("1. ", "- "))):
            for deeper in [each for each in numbers if each > indent]:
                del numbers[deeper]
        if line.lstrip().startswith("1. "):
            numbers[indent] = numbers.get(indent, 0) + 1
            line = f"{line[:indent]}{numbers[indent]}{line[indent + 1 :]}"
        made.append(line)
    return made


def _code(lines: Sequence[str], language: str) -> list[str]:
    longest = max((len(run) for line in lines for run in re.findall(r"`{3,}", line)), default=2)
    fence = "`" * (longest + 1)
    return [f"{fence}{language}", *(line.rstrip() for line in lines), fence]


def _language(about: str) -> str:
    found = re.search(r"\[source\s*(?:%\w+)?\s*,\s*(?:language=)?\"?([\w+#.-]{1,30})", about)
    return found[1] if found else ""


def _by(about: str) -> str:
    """Whom a quote is of."""
    found = re.search(r"\[(?:quote|verse)\s*,\s*([^\]]{1,300})\]", about)
    return found[1].strip().strip('"') if found else ""


def _quoted(lines: Iterable[str], by: str) -> list[str]:
    whole = "\n".join(lines).split("\n")
    whole += ["", f"— {by}"] if by else []
    return [f"> {line}".rstrip() for line in whole]


def _joined(blocks: Sequence[Sequence[str]]) -> list[str]:
    made: list[str] = []
    for block in blocks:
        made += ["", *block] if made else block
    return made
