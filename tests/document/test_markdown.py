"""Text -> Document: kinds, titles, anchors, front matter, line ends, unclosed fences, hostile
texts."""

from __future__ import annotations

import gc
import json
from functools import partial
from pathlib import Path

import pytest
from effort import calls
from hypothesis import given
from hypothesis import strategies as st
from markdown_texts import markdown

from chunking.document import Block, Document
from chunking.document.headings import plain_title
from chunking.document.parser import parse, reference_parse, reparse_without_unclosed_fence

FIRST_OF_EACH_KIND = """---
title: x
---
# Heading

A paragraph
of two lines.

    indented code

```js
# no heading
```

- a list

* [ ] a task list

| a | b |
|---|---|

> a quote

<div>

![alt](picture.png)

$$
x
$$

[^1]: a footnote

***

[label]: https://example.org
"""


def kinds(text: str) -> list[str]:
    return [block.kind for block in parse(text).blocks]


def titles(text: str) -> list[str]:
    return [heading.title for heading in parse(text).headings]


def crumbs(document: Document) -> set[str]:
    return {title for section in document.sections for title in section.breadcrumb[1:]}


def test_every_kind_of_block_has_its_name() -> None:
    assert kinds(FIRST_OF_EACH_KIND) == [
        *["front-matter", "heading", "paragraph", "code", "code", "list", "task-list", "table", "quote", "html"],
        *["image", "math", "footnote", "rule", "paragraph"],
    ]


@given(markdown)
def test_blocks_tile_the_text(text: str) -> None:
    document = parse(text)

    assert "".join(document[block.span] for block in document.blocks) == text


@given(markdown)
def test_content_ends_where_the_last_visible_character_of_a_block_does(text: str) -> None:
    document = parse(text)

    for block in document.blocks:
        visible = document[block.span].rstrip()
        if block.kind == "blank":
            assert block.content_end == block.span.start
        else:
            assert block.content_end == block.span.start + len(visible) > block.span.start


@given(markdown)
def test_sections_own_every_block_once(text: str) -> None:
    document = parse(text)

    assert [block for section in document.sections for block in section.blocks] == list(document.blocks)


@given(markdown)
def test_a_crlf_twin_has_the_same_blocks(text: str) -> None:
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    twin = plain.replace("\n", "\r\n")

    assert [_seen(parse(plain), block) for block in parse(plain).blocks] == [
        _seen(parse(twin), block) for block in parse(twin).blocks
    ]


def _seen(document: Document, block: Block) -> tuple[str, str, str]:
    return block.kind, block.title, document[block.span].replace("\r\n", "\n")


def test_content_ends_before_blank_lines_and_line_ends() -> None:
    block = parse("text  \r\n\r\n\r\n").blocks[0]

    assert (block.span.start, block.content_end, block.span.end) == (0, 4, 12)


@pytest.mark.parametrize("text", [" ", "\n\n", " \t\n\u00a0\u2003\n\u3000", "\ufeff", "\ufeff\n"])
def test_white_space_only_is_one_blank_block(text: str) -> None:
    assert kinds(text) == ["blank"]


def test_an_empty_text_has_no_blocks() -> None:
    assert parse("").blocks == ()


def test_white_space_before_the_first_block_is_a_block_of_its_own() -> None:
    document = parse("\n \n# A\n")

    assert [(block.kind, document[block.span]) for block in document.blocks] == [
        ("blank", "\n \n"),
        ("heading", "# A\n"),
    ]


def test_headings_in_quotes_lists_code_and_comments_are_none() -> None:
    text = "> # a\n\n- # b\n\n```\n# c\n```\n\n    # d\n\n<!--\n# e\n-->\n\n# Real\n"

    assert titles(text) == ["Real"]


def test_lone_carriage_returns_end_lines_but_u2028_vertical_tab_and_form_feed_do_not() -> None:
    assert titles("a\r# B\r") == ["B"]
    assert titles("a\u2028# B\x0b# C\x0c# D\x85# E") == []


def test_a_byte_order_mark_stays_in_the_text_and_the_first_heading_is_one() -> None:
    document = parse("\ufeff# A\n\ntext\n")

    assert document.headings[0].title == "A"
    assert document[document.headings[0].span] == "\ufeff# A\n\n"
    assert document.headings[0].content_end == 4


def test_a_nul_stays_what_it_is() -> None:
    heading = parse("# a\0b `c`\n").headings[0]

    assert (heading.title, heading.raw_title) == ("a\0b c", "a\0b `c`")


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("# *Very* **bold** `co*de`", "Very bold co*de"),
        ("# [link](http://x) and ![alt *text*](y.png)", "link and alt text"),
        ("# Tom &amp; Jerry \\*", "Tom & Jerry *"),
        ("# <b>x</b> <https://example.org>", "x https://example.org"),
        ("# snake_case_name", "snake_case_name"),
        ("# &#0;x", "x"),
        ("## Closed ##", "Closed"),
        ("# C\\#", "C#"),
        ("#", ""),
        ("# #", ""),
        ("# [1.2.0] - today\n\n[1.2.0]: http://x", "1.2.0 - today"),
        ("# [WIP] draft", "[WIP] draft"),
        ("One *two*\nthree\n===", "One two three"),
        ("#\ttab", "tab"),
        ("# <|endoftext|>", "<|endoftext|>"),
    ],
)
def test_a_title_is_plain_text(line: str, title: str) -> None:
    assert titles(line) == [title]


def test_a_raw_title_is_as_written_without_marks_and_id() -> None:
    assert parse("## The `x` *y* {#z} ##\n").headings[0].raw_title == "The `x` *y*"


@pytest.mark.parametrize(
    ("line", "title", "anchor"),
    [
        ("# Intro {#intro}", "Intro", "intro"),
        ("# Docs { #docs }", "Docs", "docs"),
        ('# Pub & Sub {#pub-sub .cls key="v"}', "Pub & Sub", "pub-sub"),
        ("# Kurs {#курс}", "Kurs", "курс"),
        ("# React {/*the-id*/}", "React", "the-id"),
        ("# HF[[anchor]]", "HF[[anchor]]", "hfanchor"),
        ("# Set {1, 2}", "Set {1, 2}", "set-1-2"),
        ("# What's *new*?", "What's new?", "whats-new"),
        ("#", "", "section"),
    ],
)
def test_an_anchor_is_the_given_id_or_a_slug(line: str, title: str, anchor: str) -> None:
    heading = parse(line).headings[0]

    assert (heading.title, heading.anchor) == (title, anchor)


def test_anchors_are_unique() -> None:
    assert [heading.anchor for heading in parse("# A\n# A\n# a-1\n# B {#a}\n").headings] == ["a", "a-1", "a-1-1", "a-2"]


@given(st.text(alphabet="ab _`*!&;<> []#\\1\u00a0é.", max_size=12))
def test_titles_read_the_short_way_are_what_the_inline_parser_says(raw: str) -> None:
    raw = raw.strip()
    quick = plain_title(raw, lambda _: "asked")
    by_parser = titles(f"# {raw} <!-- -->")

    if quick != "asked" and by_parser and not raw.endswith(("#", "\\", "`", "!", "_")):
        assert by_parser == [quick.strip()]


def test_the_title_of_a_huge_heading_is_read_cheaply() -> None:
    many = 100_000  # the square of as many would never end

    assert titles("# " + "[*a" * many + "\n")[0] == "[a" * many


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("---\na: 1\n---\n# H\n", "# H\n"),
        ("---\r\na: 1\r\n---\r\n\r\n# H\r\n", "# H\r\n"),
        ("---\na: 1\n...\n# H\n", "# H\n"),
        ("+++\na = 1\n+++\n\n\n# H\n", "# H\n"),
        ("---\n---\n# H\n", "# H\n"),
        ("\ufeff---\na: 1\n---\n# H\n", "# H\n"),
    ],
)
def test_front_matter_runs_to_the_next_block(text: str, body: str) -> None:
    document = parse(text)

    assert [block.kind for block in document.blocks] == ["front-matter", "heading"]
    assert document[document.blocks[1].span] == body


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("---\ntitle: T\n\n# Real\n", ["rule", "paragraph", "heading"]),
        ("\n---\ntitle: T\n---\n", ["blank", "rule", "heading"]),
        ("---\n\n***\n\ntext\n---\n", ["rule", "rule", "heading"]),
        ("text\n---\na: 1\n---\n", ["heading", "heading"]),
    ],
)
def test_front_matter_that_is_none_is_markdown(text: str, expected: list[str]) -> None:
    assert kinds(text) == expected


def test_plain_entries_of_front_matter_are_metadata() -> None:
    text = '---\ntitle: "A: b" # why\nnumber: 12:30\nlist: [a]\nnested:\n  key: v\nempty:\nflag: no # yes\n---\n'

    assert parse(text).metadata == {"title": "A: b", "number": "12:30", "flag": "no"}
    assert parse('+++\ntitle = "T"\n[table]\nkey = "v"\n+++\n').metadata == {"title": "T"}


def test_math_stays_inside_its_list_item() -> None:
    assert kinds("- $$ a\n\n# H $$\n") == ["list", "heading"]


def test_math_of_many_lines_in_a_long_document_ends_at_its_marks() -> None:
    long = "text\n\n" * 1_000
    formula = "$$\n" + "x\n" * 100

    assert kinds(f"{formula}$$\n{long}")[:2] == ["math", "paragraph"]
    assert kinds(f"{formula}\n$$\n{long}")[:2] == ["paragraph", "paragraph"]


def test_what_is_nested_too_deep_does_not_swallow_the_headings_below() -> None:
    staircase = "".join("  " * depth + "- item\n" for depth in range(80))

    assert titles(staircase + "\n# After\n") == ["After"]


def test_an_unclosed_fence_can_be_read_as_a_paragraph() -> None:
    document = parse("# T\n\nIntro.\n\n```js\nvar a;\n\n## Next\n\nBody text here.")
    again = document.without_unclosed_fence

    assert kinds(document.text) == ["heading", "paragraph", "code"]
    assert again is not None
    assert [again.text[block.span.start : block.content_end] for block in again.blocks] == [
        *["# T", "Intro.", "```js\nvar a;", "## Next", "Body text here."]
    ]
    assert [block.kind for block in again.blocks] == ["heading", "paragraph", "paragraph", "heading", "paragraph"]
    assert again.warnings == ("unclosed fence on line 5",)


@pytest.mark.parametrize(
    "text", ["", "text\n", "```\na\n```\n", "~~~~\n```\n~~~~~  \n\n", "> ```\n> a\n", "    ```\n", "\ufeff```\n```"]
)
def test_a_document_whose_fences_are_closed_has_no_other_reading(text: str) -> None:
    assert reparse_without_unclosed_fence(parse(text)) is None


def test_every_unclosed_fence_leaves_a_warning_and_closed_ones_stay_code() -> None:
    again = parse("````\n```\na\n```\n~~~x\n---\n").without_unclosed_fence

    assert again is not None
    assert [block.kind for block in again.blocks] == ["paragraph", "code", "paragraph", "rule"]
    assert again.warnings == ("unclosed fence on line 1", "unclosed fence on line 5")


def test_many_unclosed_fences_take_linear_time() -> None:
    def blocks(fences: int) -> int:
        again = parse("```x\n" * fences).without_unclosed_fence
        assert again is not None
        return len(again.blocks)

    once, twice = (calls(partial(blocks, fences)) for fences in (5_000, 10_000))

    assert blocks(10_000) == 10_000
    assert twice < 3 * once


@pytest.mark.parametrize("text", ["# a \ud83d `b` [c](d)\n", "[a]: http://x/\ud83d\n\n- \udfff\n b\n", "\ud83d\r\n# x"])
def test_lone_surrogates_are_characters_like_others(text: str) -> None:
    assert parse(text).blocks == reference_parse(text).blocks


def test_the_garbage_collector_is_left_as_it_was() -> None:
    parse("# A\n")
    assert gc.isenabled()
    gc.disable()
    try:
        parse("# A\n")
        assert not gc.isenabled()
    finally:
        gc.enable()


def hostile(shared: Path) -> list[tuple[str, str, list[str]]]:
    """Name, text and clauses of every hostile text that is UTF-8."""
    folder = shared / "adversarial"
    cases = []
    for case in json.loads((folder / "INDEX.json").read_text("utf-8"))["texts"]:
        if case["level"] == "file":
            try:
                text = (folder / case["file"]).read_bytes().decode("utf-8")
            except UnicodeDecodeError:
                continue
            cases.append((case["id"], text, case["must"]))
    return cases


def test_hostile_texts_have_the_headings_they_should(shared: Path) -> None:
    for name, text, clauses in hostile(shared):
        found = crumbs(parse(text))
        for clause in clauses:
            verb, _, wanted = clause.partition(":")
            if verb == "head":
                assert found & set(wanted.split("||")), (name, clause)
            if verb == "nohead":
                assert wanted not in found, (name, clause)
        assert "None" not in found, name


def test_twice_a_hostile_text_is_about_twice_the_work(shared: Path) -> None:
    for name, text, clauses in hostile(shared):
        if "linear" in clauses:
            once, twice = (calls(partial(parse, text * times)) for times in (1, 2))
            assert twice < 3 * once, name


@pytest.mark.parametrize("unit", ["$$\n", "$$ a\n# b\n", "$$ a\n"])
def test_many_dollars_closed_or_not_take_linear_work(unit: str) -> None:
    assert calls(lambda: parse(unit * 800)) < 3 * calls(lambda: parse(unit * 400))
