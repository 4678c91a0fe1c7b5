"""What each hostile text of the shared folder demands (its `must`), held against a run of it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from contract import Variant, assert_limits
from invariants_bridge import checker, findings, pieces

from chunking.runs import Run
from chunking.tokens import counter

SHARED = Path(__file__).resolve().parents[2] / "shared"
Case = dict[str, Any]
"""One text of INDEX.json: `file`, `must`, `max_tokens`."""

BY_HEADING = ("every-heading",)
"""Strategies with a chunk for every heading: only they show every heading in some breadcrumb
(`head:`)."""
UNCLOSED_FENCE_AS_PARAGRAPH = {"block-packing": {"fence_info_weird", "fence_interleaved"}}
"""DECISIONS bp-6: what CommonMark takes for code to the end is read on as text."""
_LARGE = 40_000
"""Characters from which on the shared checker takes too long for a test."""


def adversarial(shared: Path = SHARED) -> list[Case]:
    """The texts that have to be read; none where the folder is missing."""
    index = shared / "adversarial" / "INDEX.json"
    if not index.is_file():
        return []
    texts = json.loads(index.read_text(encoding="utf-8"))["texts"]
    return [case for case in texts if readable(case, shared)]


def text_of(case: Case, shared: Path = SHARED) -> str:
    file: str = case["file"]
    return (shared / "adversarial" / file).read_bytes().decode("utf-8").removeprefix("\ufeff")


def readable(case: Case, shared: Path = SHARED) -> bool:
    """Whether it is UTF-8 and not one that loading has to reject."""
    if any(clause.startswith("reject") for clause in case["must"]):
        return False
    try:
        text_of(case, shared)
    except UnicodeDecodeError:
        return False
    return True


def found_wrong(result: Run, shared: Path = SHARED) -> list[str]:
    """What the shared checker finds in a run."""
    limits = result.config.strategy.limits_in(result.document)
    maximum = limits.maximum if limits.counts == "body" else None
    return findings(result, counter(result.config.counter), shared, maximum)


def demands_unmet(case: Case, result: Run, variant: Variant, shared: Path = SHARED) -> list[str]:
    """The clauses of `must` that a run does not meet, and what the shared checker finds in texts
    that are not large."""
    clauses = [clause for clause in case["must"] if clause_applies(clause, case, variant)]
    unmet: list[str] = []
    if of_headings := [clause for clause in clauses if "head:" in clause]:
        judged = pieces(result, counter(result.config.counter))
        unmet += checker(shared).expect({"must": of_headings}, judged, result.document.text)
    for clause in clauses:
        if counted := re.fullmatch(r"chunks(=|<=|>=)(\d+)", clause):
            sign, number = counted[1], int(counted[2])
            chunks = len(result.chunks)
            if not {"=": chunks == number, "<=": chunks <= number, ">=": chunks >= number}[sign]:
                unmet.append(f"{clause}, got {chunks}")
        if clause == "limit_hard" and any(chunk.flag("unsplittable") for chunk in result.chunks):
            unmet.append(clause)
    if len(result.document.text) < _LARGE:
        unmet += found_wrong(result, shared)
    assert_limits(result)
    return unmet


def clause_applies(clause: str, case: Case, variant: Variant) -> bool:
    if clause.startswith("head:"):
        return variant.name in BY_HEADING
    if clause.startswith("nohead:"):
        return case["id"] not in UNCLOSED_FENCE_AS_PARAGRAPH.get(variant.name, set())
    if clause.startswith("chunks"):
        return variant.maximum is None
    return True
