"""What code, tests and documents refer to is there: decisions by their number, documents by their
path."""

from __future__ import annotations

import re
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


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_of_a_document_leads_somewhere(path: Path) -> None:
    links = _LINK.findall(path.read_text("utf-8"))

    assert [link for link in links if not (path.parent / link).exists()] == []
