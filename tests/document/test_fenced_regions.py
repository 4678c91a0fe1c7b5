"""Fences and tables are found wherever the parser sees them, and what is repeated of them reads as
the same block."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from small_limits import contained

from chunking import Config, health, parse, run
from chunking.analysis.section_rules_checklist import checklist
from chunking.document import Document, Span
from chunking.document.fenced_regions import FencedRegion, fenced_regions
from chunking.runs import Run


def found(document: Document) -> list[FencedRegion]:
    return [each for block in document.blocks for each in fenced_regions(document, block.span, block.kind)]


def fences(document: Document) -> list[Span]:
    """What markdown-it says of the whole text."""
    ends = [*document.line_starts.tolist(), len(document.text)]
    tokens = MarkdownIt("commonmark").enable("table").parse(document.text)
    maps = [token.map for token in tokens if token.type == "fence" and token.map]
    return [Span(ends[start], ends[min(end, len(ends) - 1)]) for start, end in maps]


@pytest.mark.parametrize(
    ("text", "opening", "closing", "prefix"),
    [
        ("- a\n\n  ```py\n  x\n  ```\n", "  ```py\n", "  ```", "  "),
        ("- ```py\n  x\n  ```\n", "  ```py\n", "  ```", "  "),
        ("-\t```\n\tx\n\t```\n", "-   ```\n", " \t```", " \t"),
        ("10) a\n\n    ~~~~ info\n    x\n    ~~~~\n", "10) ~~~~ info\n", "    ~~~~", "    "),
        ("- a\n  - b\n\n    ```\n    x\n    ```\n", "- - ```\n", "    ```", "    "),
        ("> 1.\ta\n>\n>    \t```\n>    \tx\n>    \t```\n", "> 1.    ```\n", ">    \t```", ">    \t"),
        ("-\ta\n\n\t| a | b |\n\t|---|---|\n\t| 1 | 2 |\n", "-   | a | b |\n\t|---|---|\n", "", "\t"),
        ("> - ```\n>   x\n>   ```\n", ">   ```\n", ">   ```", ">   "),
        (">\t```\n>\tx\n>\t```\n", ">\t```\n", ">\t```", ">\t"),
        ("- > ```\n  > x\n  > ```\n", "  > ```\n", "  > ```", "  > "),
        ("[^1]: a\n\n    ```\n    x\n    ```\n", "    ```\n", "    ```", "    "),
        ("- | a | b |\n  |---|---|\n  | 1 | 2 |\n", "  | a | b |\n  |---|---|\n", "", "  "),
    ],
)
def test_a_fence_or_table_in_a_container_is_repeated_with_its_indentation_and_quote_marks(
    text: str, opening: str, closing: str, prefix: str
) -> None:
    (only,) = found(parse(text))

    assert (only.opening, only.closing, only.prefix) == (opening, closing, prefix)


def misread(seed: int) -> int:
    """How many fences and tables of a text read as something else behind their repeated opening."""
    document = parse("\n".join(contained(Random(seed))) + "\n")
    parser = MarkdownIt("commonmark").enable("table")
    wrong = 0
    for each in found(document):
        text = each.opening + document.text[each.opener_end : each.span.end]
        read = [token.type for token in parser.parse(text) if token.type in ("fence", "table_open", "code_block")]
        wrong += read != ["fence" if each.closing else "table_open"]
    return wrong


@settings(max_examples=100)
@given(st.integers(0, 10**9))
@example(71806)  # a list in lists that its own marker stands far behind
@example(159)  # a tab behind the marker of a list in quotes
@example(668)  # a table in such a list, which begins with a fence
@example(67012)  # a fence whose last line stands further right, behind a tab
def test_lines_of_a_fence_or_table_behind_its_repeated_opening_read_as_that_block(seed: int) -> None:
    """Also where its indentation, deep in lists, would make indented code of it."""
    assert misread(seed) == 0


@pytest.mark.parametrize("text", ["-     ```\n      x\n", "> <!--\n> ```\n> -->\n", "- a\n      ```\n"])
def test_what_only_looks_like_a_fence_is_none(text: str) -> None:
    assert found(parse(text)) == []


@settings(max_examples=60)
@given(st.integers(0, 10**9))
def test_the_fences_in_lists_and_quotes_are_those_that_markdown_it_sees(seed: int) -> None:
    document = parse("\n".join(contained(Random(seed))) + "\n")

    def said(spans: Iterable[Span]) -> list[tuple[int, str]]:
        return [(span.start, document[span].rstrip()) for span in spans]

    assert said(each.span for each in found(document) if each.closing) == said(fences(document))


def ruled(text: str, **sizes: int) -> Run:
    wanted = {"split_above": 40, "min_tokens": 0, "target_low": 0, "target_high": 20, "overlap_tokens": 0, **sizes}
    return run(parse(text, name="a/b.md"), Config.of("section-rules", wanted, "cl100k_base"))


CODE = "\n\n".join(f"    line_{n} = {n}" for n in range(20))
IN_A_LIST = f"## A\n\n- before it\n\n    ```py\n{CODE}\n    ```\n\n- after it\n"


@pytest.mark.parametrize(
    "text",
    [
        IN_A_LIST,
        IN_A_LIST.replace("    ", "\t").replace("- ", "-\t"),
        IN_A_LIST.replace("```", "~~~~").replace("\n", "\r\n"),
        "## A\n\n> before\n>\n> ```py\n" + "> x = 1\n>\n" * 20 + "> ```\n>\n> after\n",
        "## A\n\n- > - ```\n" + "  >   x = 1\n  >\n" * 20 + "  >   ```\n  > after\n",
        "## A\n\n1. one\n   - ```\n" + "     x = 1\n\n" * 20 + "     ```\n2. two " + "and more words " * 30 + "\n",
    ],
    ids=range(6),
)
def test_section_rules_never_cuts_a_fence_in_a_list_or_quote_and_flags_what_is_over(text: str) -> None:
    result = ruled(text)
    code = next(chunk for chunk in result.chunks if "```" in chunk.text or "~~~" in chunk.text)
    judged = {check.name: check.verdict for check in health(result)}

    assert len(result.chunks) > 1
    assert not {chunk.body.end for chunk in result.chunks} & {
        at for span in fences(result.document) for at in range(span.start + 1, span.end)
    }
    assert code.body_tokens > 40
    assert (flag := code.flag("unsplittable")) is not None
    assert "code is never cut" in flag.detail
    assert judged["fences"] == "ok"
    assert next(check.passed for check in checklist(result) if check.asks == "code blocks are intact")


def test_a_fence_in_a_list_over_the_target_and_within_the_limit_is_no_fault() -> None:
    result = ruled(
        "## A\n\n- one\n\n  ```\n" + "  x = 1\n" * 6 + "  ```\n\n- two " + "more words " * 20 + "\n", target_high=10
    )

    assert [chunk.flags for chunk in result.chunks if "```" in chunk.text] == [()]


@settings(max_examples=25)
@given(st.integers(0, 10**9), st.integers(1, 40))
def test_the_checklist_and_the_checks_of_health_say_the_same_of_code(seed: int, size: int) -> None:
    random = Random(seed)
    text = "## A\n\n" + "\n".join(line for _ in range(3) for line in [*contained(random), ""])
    result = ruled(text, split_above=size, target_high=random.randint(1, size))
    said = next(check.passed for check in checklist(result) if check.asks == "code blocks are intact")

    assert said == (next(check.verdict for check in health(result) if check.name == "fences") == "ok")
    assert said
