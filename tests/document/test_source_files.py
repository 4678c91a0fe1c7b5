"""Source code is told from Markdown by the name or the first line, and read as code."""

from __future__ import annotations

import pytest

from chunking import parse
from chunking.document.loading import load_bytes
from chunking.document.source_files import fence_language, source_language


@pytest.mark.parametrize(
    ("name", "text", "language"),
    [
        ("src/a.py", "", "python"),
        ("A.TSX", "", "tsx"),
        ("a.h", "", "c"),
        ("a.md", "#!/bin/sh\n", None),
        ("a.b.md", "", None),
        ("notes.txt", "import x\n", None),
        ("build", "#!/usr/bin/env python3.12\nimport x\n", "python"),
        ("build", "#!/usr/bin/env -S node --harmony\n", "javascript"),
        ("build", "\ufeff#! /usr/local/bin/bash -e\r\n", "bash"),
        ("build", "#!/bin/sh", "bash"),
        ("build", "#!/usr/bin/perl\n", None),
        ("build", "#!/usr/bin/pythonic\n", None),
        (".py", "x = 1\n", None),
        ("README", "# A heading\n", None),
    ],
)
def test_the_language_is_that_of_the_extension_or_else_of_the_interpreter(
    name: str, text: str, language: str | None
) -> None:
    assert source_language(name, text) == language
    assert parse(text, name).language == language


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("```python\n", "python"),
        ("~~~ JS title=x\n", "javascript"),
        ("  ```c++\n", "cpp"),
        ("```C#\n", "c-sharp"),
        ("```{.rust .ignore}\n", "rust"),
        ("```rust,ignore\n", "rust"),
        ("```\n", None),
        ("```text\n", None),
        ("```" + "x" * 100_000, None),
    ],
)
def test_a_fence_names_its_language_by_name_or_extension(line: str, language: str | None) -> None:
    assert fence_language(line) == language


def test_a_source_file_is_code_between_blank_lines_and_no_line_of_it_is_a_heading() -> None:
    document = parse("---\n# not a heading\nx = 1\n\n\n- y\n", "a.py")

    assert [(block.kind, document[block.span]) for block in document.blocks] == [
        ("code", "---\n# not a heading\nx = 1\n\n\n"),
        ("code", "- y\n"),
    ]
    assert document.content_start == 0
    assert document.headings == ()


@pytest.mark.parametrize("text", ["", "\n \n", "\ufeff", "\x00", "x", "\r\rx\r\r\ry"])
def test_the_blocks_of_any_source_text_tile_it(text: str) -> None:
    document = parse(text, "a.py")

    assert "".join(document[block.span] for block in document.blocks) == text


def test_a_source_file_may_be_uploaded() -> None:
    assert load_bytes(b"# x\n", "C:\\src\\Kettle.PY").language == "python"
