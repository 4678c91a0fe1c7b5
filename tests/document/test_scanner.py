"""The fast scanner reads what markdown-it reads, everywhere."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from markdown_texts import markdown

from chunking.document.line_patterns import RULE, count_columns, is_table_head
from chunking.document.parser import parse, reference_parse


def texts(folder: Path) -> Iterator[tuple[str, str]]:
    """Every UTF-8 text below a folder, its line endings kept."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".md", ".mdx", ".rst", ".txt"):
            try:
                yield str(path), path.read_bytes().decode("utf-8")
            except UnicodeDecodeError:
                continue


@settings(max_examples=150)
@given(markdown)
def test_the_scanner_reads_random_lines_as_markdown_it_does(text: str) -> None:
    assert parse(text).blocks == reference_parse(text).blocks


def test_the_scanner_reads_the_corpus_as_markdown_it_does(shared: Path) -> None:
    for path, text in texts(shared / "corpus"):
        assert parse(text).blocks == reference_parse(text).blocks, path


def test_the_scanner_reads_hostile_texts_as_markdown_it_does(shared: Path) -> None:
    for path, text in texts(shared / "adversarial" / "texts"):
        assert parse(text).blocks == reference_parse(text).blocks, path


def test_the_scanner_reads_the_examples_of_markdown_it_as_markdown_it_does(shared: Path) -> None:
    fixtures = sorted((shared / "corpus" / "markdown-it-py").rglob("*.md"))
    examples = [example for path in fixtures for example in path.read_text("utf-8").split("\n.\n")]

    assert len(examples) > 500
    for example in examples:
        assert parse(example).blocks == reference_parse(example).blocks, example


@pytest.mark.parametrize(
    "text",
    [
        "|\n---",
        "/url\n$$ a|\n---",
        "- a\nfoo | bar\n    -|-",
        "1. x\n      >- a\n\t\t<b\n</script> \n",
        "10. a\n  - b\n\n  c\n",
        "- a\n\n b\n",
        "> a\nb\n> ---\nc",
        "-\n\n  a",
        "- [a]: /b\n'c'\nd",
        "* a\n- - -\n* b",
        "a\n1. b\n2. c",
        "a\n2. b",
        "    code\n\n\tmore\n  text",
        "|a|b|\n|-|-|\n" * 30_000,
        "- <!-- a\n\n\n-->\n- b",
        ">\t  x\ny",
        "[x]: a.md\n[y]: b.md 'title'\n(text",
    ],
)
def test_lines_that_were_once_read_differently(text: str) -> None:
    assert parse(text).blocks == reference_parse(text).blocks


@pytest.mark.parametrize(
    ("row", "columns"), [("|", 0), ("||", 1), ("|a|b|", 2), ("a|b", 2), (r"a \| b", 1), (r"|a\|", 1), (" a | b ", 2)]
)
def test_columns_are_counted_between_unescaped_bars(row: str, columns: int) -> None:
    assert count_columns(row) == columns


@pytest.mark.parametrize(
    ("header", "rule", "begins"),
    [
        ("a | b", "--- | ---", True),
        ("| a |", "|:-:|", True),
        ("a | b", "---", False),
        ("a", "---", False),
        ("a | b", "- | -", False),
        ("    a | b", "--- | ---", False),
        ("a | b", "|--|--|--|", False),
        ("a | b", "|-- x|--|", False),
    ],
)
def test_a_table_begins_with_as_many_columns_as_its_rule(header: str, rule: str, begins: bool) -> None:
    assert is_table_head(header, rule) is begins


def test_three_marks_of_one_kind_and_blanks_are_a_rule() -> None:
    def is_rule(line: str) -> bool:
        marks = set(line) - set(" \t")
        mark = next(iter(marks), "")
        return len(marks) == 1 and mark in "-*_" and line.count(mark) > 2 and line[:4].lstrip(" ")[:1] == mark

    lines = map("".join, itertools.product("-* \tx", repeat=7))
    assert [line for line in lines if bool(RULE.match(line)) != is_rule(line)] == []
