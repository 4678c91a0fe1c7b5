"""THIN VERSION, being replaced: text -> Document."""

from __future__ import annotations

from chunking.document import Block, Document, Section, Span


def parse(text: str, name: str = "document.md") -> Document:
    from markdown_it import MarkdownIt

    md = MarkdownIt("commonmark").enable("table")
    md.core.ruler.disable("inline")
    from chunking.linebreaks import line_starts

    starts = [*line_starts(text).tolist(), len(text)]
    heads: list[tuple[int, BlockInfo]] = []
    tokens = md.parse(text)
    kinds = {"heading_open": "heading", "paragraph_open": "paragraph", "fence": "code", "code_block": "code",
             "bullet_list_open": "list", "ordered_list_open": "list", "table_open": "table", "blockquote_open": "quote",
             "html_block": "html", "hr": "rule"}
    for i, t in enumerate(tokens):
        if t.level == 0 and t.type in kinds and t.map:
            title = tokens[i + 1].content if t.type == "heading_open" else ""
            heads.append((starts[t.map[0]], (kinds[t.type], int(t.tag[1]) if title or t.type == "heading_open" else 0, title)))
    blocks: list[Block] = []
    if text and (not heads or heads[0][0] > 0):
        first = heads[0][0] if heads else len(text)
        blocks.append(Block("blank", Span(0, first), 0))
    for (at, (kind, level, title)), end in zip(heads, [h[0] for h in heads[1:]] + [len(text)]):
        blocks.append(Block(kind, Span(at, end), at + len(text[at:end].rstrip()), level, title, title, title.lower().replace(" ", "-")))  # type: ignore[arg-type]
    return Document(name, text, tuple(blocks), outline(blocks, Span(0, len(text)), name.rpartition("/")[2]))


BlockInfo = tuple[str, int, str]


def outline(blocks: list[Block], span: Span, base: str) -> Section:
    def build(start: int, end: int, level: int, crumb: tuple[str, ...], heading: Block | None, span_end: int) -> Section:
        own = [heading] if heading else []
        i = start
        while i < end and blocks[i].kind != "heading":
            own.append(blocks[i])
            i += 1
        kids = []
        while i < end:
            j = i + 1
            while j < end and not (blocks[j].kind == "heading" and blocks[j].level <= blocks[i].level):
                j += 1
            kid_end = blocks[j].span.start if j < end else span_end
            kids.append(build(i + 1, j, blocks[i].level, (*crumb, blocks[i].title), blocks[i], kid_end))
            i = j
        at = heading.span.start if heading else span.start
        return Section(heading, level, tuple(own), tuple(kids), Span(at, span_end), crumb)

    return build(0, len(blocks), 0, (base,), None, span.end)


def reparse_without_unclosed_fence(document: Document) -> Document | None:
    return None
