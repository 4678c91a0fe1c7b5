"""The conformance cases of the specs (tests/cases): what each strategy must make of a document."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "cases"


def spec_cases(name: str) -> list[dict[str, Any]]:
    """All cases of a file, such as `hierarchical`; each has `id`, `input`, `params` and
    `expected`."""
    found: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    return found
