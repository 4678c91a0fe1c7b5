"""The glossary's names are those of the code."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[1] / "docs" / "GLOSSARY.md"
TERMS = re.findall(r"^\| ([^|]+) \| [^|]+ \| `([\w.]+):(\w+)` \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_every_row_of_the_glossary_says_where_its_term_is_and_none_is_there_twice() -> None:
    rows = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| ")][1:]

    assert len(rows) == len(TERMS) == len({term for term, _, _ in TERMS})


@pytest.mark.parametrize(("module", "name"), sorted({(module, name) for _, module, name in TERMS}))
def test_what_the_glossary_names_is_in_the_code(module: str, name: str) -> None:
    assert hasattr(import_module(module), name)
