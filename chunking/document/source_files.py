"""Which files are source code, and in which language: by a file's extension, by its first line
(`#!`), and by the word behind a Markdown fence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from chunking.document.parsed_block import ParsedBlock

Language = Literal[
    "bash", "c", "c-sharp", "cpp", "go", "java", "javascript", "php", "python", "ruby", "rust", "tsx", "typescript"
]

_EXTENSIONS: Mapping[Language, str] = {
    "bash": "sh bash",
    "c": "c h",
    "c-sharp": "cs",
    "cpp": "cpp cc cxx hpp hh hxx",
    "go": "go",
    "java": "java",
    "javascript": "js mjs cjs jsx",
    "php": "php",
    "python": "py pyi",
    "ruby": "rb",
    "rust": "rs",
    "tsx": "tsx",
    "typescript": "ts mts cts",
}
_FENCE_WORDS: Mapping[Language, str] = {
    "bash": "shell zsh",
    "c-sharp": "csharp c#",
    "cpp": "c++",
    "go": "golang",
    "javascript": "node",
    "python": "py3 python3",
}
"""Words behind a fence beside the languages' names and extensions."""

_BY_EXTENSION: Mapping[str, Language] = {
    f".{each}": language for language, extensions in _EXTENSIONS.items() for each in extensions.split()
}
_BY_WORD: Mapping[str, Language] = {
    **{extension[1:]: language for extension, language in _BY_EXTENSION.items()},
    **{each: language for language, words in _FENCE_WORDS.items() for each in words.split()},
    **{language: language for language in _EXTENSIONS},
}
_BY_INTERPRETER: Mapping[str, Language] = {
    "sh": "bash",
    "bash": "bash",
    "zsh": "bash",
    "dash": "bash",
    "ksh": "bash",
    "python": "python",
    "node": "javascript",
    "ruby": "ruby",
    "php": "php",
}
_INTERPRETER = re.compile(r"\ufeff?#![ \t]*(?:\S*/env[ \t]+(?:-\S+[ \t]+)*)?(?:[^\s/]*/)*([a-z]+)[\d.]*(?=\s|\Z)")
_INFO = re.compile(r"[ \t]*(?:`{3,}|~{3,})[ \t]*\{?[ \t]*\.?([A-Za-z][\w+#-]*)")
_LONGEST_LINE = 200
"""Characters of a first line, or of a fence's, that are looked at."""

SOURCE_EXTENSIONS: tuple[str, ...] = tuple(_BY_EXTENSION)
"""With their dots, in lower case."""


def source_language(name: str, text: str) -> Language | None:
    """The language of a source file: by its extension, or without one by the interpreter that its
    first line names. None for what is read as Markdown."""
    base = name.rpartition("/")[2]
    stem, dot, extension = base.rpartition(".")
    if stem and dot:
        return _BY_EXTENSION.get(f".{extension.lower()}")
    named = _INTERPRETER.match(text[:_LONGEST_LINE])
    return _BY_INTERPRETER.get(named[1]) if named else None


def fence_language(first_line: str) -> Language | None:
    """The language that a fence's first line names, as in "```python" or "~~~ {.js}"; None for
    another, or none."""
    named = _INFO.match(first_line[:_LONGEST_LINE])
    return _BY_WORD.get(named[1].lower()) if named else None


def source_blocks(lines: Sequence[str]) -> Iterator[ParsedBlock]:
    """The blocks of source code: lines without a blank one between them. No line of it is a
    heading."""
    begin: int | None = None
    for at, line in enumerate([*lines, ""]):
        if line.strip():
            begin = at if begin is None else begin
        elif begin is not None:
            yield ParsedBlock("code", begin, at)
            begin = None
