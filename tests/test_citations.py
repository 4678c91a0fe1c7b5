"""What code, tests and documents refer to is there: decisions by their number, documents by their
path."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = sorted(
    path
    for folder in ("chunking", "pages", "benchmarks", "tests")
    for path in (ROOT / folder).rglob("*.py")
    if path != Path(__file__)
)
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
DECIDED = set(re.findall(r"^- ([a-z]{2,3}-\d+) ", (ROOT / "docs/decisions/README.md").read_text("utf-8"), re.MULTILINE))
_CITED = re.compile(r"DECISIONS ((?:[a-z]{2,3}-\d+(?:, | and )?)+)")
_LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)")
_FILE = re.compile(r"(?<![\w/.*-])((?:[\w.-]+/)*\w[\w.-]*\.(?:py|js|css|toml))\b")
FILES = {
    "/".join(path.relative_to(ROOT).parts[first:])
    for folder in ("chunking", "pages", "benchmarks", "tests", "docs", ".streamlit", ".")
    for path in (ROOT.glob("*.*") if folder == "." else (ROOT / folder).rglob("*.*"))
    for first in range(len(path.relative_to(ROOT).parts))
}
"""Every file's path, and each end of it that a sentence may use: chunk.py, core/chunk.py."""
EXAMPLES = {"chunking/strategies/your_name.py", "chunking/strategies/each_block.py", "pages/words.py", "secrets.toml"}
"""Files that a reader is shown how to write."""


def test_every_decision_that_the_code_cites_is_written_down() -> None:
    cited = {
        (decision, path.relative_to(ROOT).as_posix())
        for path in [ROOT / "app.py", *SOURCES]
        for group in _CITED.findall(path.read_text("utf-8"))
        for decision in re.findall(r"[a-z]{2,3}-\d+", group)
    }

    assert len(cited) > 50
    assert [(decision, where) for decision, where in sorted(cited) if decision not in DECIDED] == []


def test_every_document_that_the_code_cites_is_there() -> None:
    cited = {
        (name, path.relative_to(ROOT).as_posix())
        for path in SOURCES
        for name in re.findall(r"\bdocs/(?:formats|decisions|strategies|[A-Z])[\w/-]*\.md\b", path.read_text("utf-8"))
    }

    assert cited
    assert [(name, where) for name, where in sorted(cited) if not (ROOT / name).is_file()] == []


def test_every_file_that_a_docstring_or_a_comment_names_is_there() -> None:
    named = [
        (name, path.relative_to(ROOT).as_posix())
        for path in [ROOT / "app.py", *SOURCES]
        for words in _comments_and_docstrings(path.read_text("utf-8"))
        for name in _FILE.findall(words)
    ]

    assert len(named) > 50
    assert [(name, where) for name, where in named if name not in FILES] == []


def test_every_file_that_a_document_names_is_there() -> None:
    named = [
        (name, path.relative_to(ROOT).as_posix())
        for path in DOCUMENTS
        for name in _FILE.findall(path.read_text("utf-8"))
    ]

    assert len(named) > 50
    assert [(name, where) for name, where in named if name not in FILES | EXAMPLES] == []


def _comments_and_docstrings(source: str) -> Iterator[str]:
    """Also the strings that describe a constant or a field; comments only where a line may have
    one that names a file."""
    if any(_FILE.search(line.partition("#")[2]) for line in source.splitlines()):
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value.value


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_of_a_document_leads_somewhere(path: Path) -> None:
    links = _LINK.findall(path.read_text("utf-8"))

    assert [link for link in links if not (path.parent / link).exists()] == []


def test_the_citation_has_the_version_and_the_license_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    cited = dict(re.findall(r'^(\w[\w-]*): "?([^"\n]+)"?$', (ROOT / "CITATION.cff").read_text("utf-8"), re.MULTILINE))

    assert (cited["version"], cited["license"], cited["title"]) == (
        project["version"],
        project["license"],
        "Chunkscope",
    )
    assert (cited["cff-version"], cited["type"]) == ("1.2.0", "software")
