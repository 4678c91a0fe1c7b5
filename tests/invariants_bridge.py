"""Adapts a Run for the shared checker of invariants, as the README of the adversarial texts says.

The checker knows nothing of holes, skips and flags: it gets each chunk cut at its interior holes,
starting at the first kept character, with holes and skips as exclusions.
"""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

from chunking.runs import Run
from chunking.tokens import TokenCounter

BY_DECISION = {"hierarchical": {"CRUMB"}, "block-packing": {"FENCEH", "CRUMB"}}
"""Findings that follow from our decisions, if `by_decision` confirms it for the one in question."""


@dataclass(frozen=True)
class CheckedPiece:
    """A part of a chunk without interior holes: what the checker calls a chunk."""

    text: str
    start: int
    end: int
    tokens: int
    breadcrumb: tuple[str, ...]
    oversize: bool


@cache
def checker(shared: Path) -> ModuleType:
    """The checker, loaded from the shared folder, which is not a package."""
    spec = importlib.util.spec_from_file_location("shared_invariants", shared / "checks" / "invariants.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def pieces(run: Run, counter: TokenCounter) -> list[CheckedPiece]:
    """Each chunk's kept spans, with the tokens of the kept text alone."""
    found = []
    for chunk in run.chunks:
        for span in chunk.kept:
            text = run.document[span]
            if text.strip():
                found.append(
                    CheckedPiece(
                        text,
                        span.start,
                        span.end,
                        counter(text),
                        chunk.breadcrumb,
                        chunk.flag("unsplittable") is not None,
                    )
                )
    return found


def exclusions(run: Run) -> list[tuple[int, int, str]]:
    """Skips and holes: what is left out on purpose."""
    skips = [(skip.body, skip.because.rule) for skip in run.skips]
    holes = [(hole.body, hole.because.rule) for chunk in run.chunks for hole in chunk.holes]
    return [(span.start, span.end, rule) for span, rule in [*skips, *holes]]


def findings(run: Run, counter: TokenCounter, shared: Path, max_tokens: int | None) -> list[str]:
    """The checker's findings for a run, without those that follow from our decisions. `max_tokens`
    limits the kept text."""
    module = checker(shared)
    spec = module.Spec(
        body=None,
        oversize="oversize",
        max_tokens=max_tokens,
        token_fn=counter,
        limit_on="body",
        exclusions=exclusions(run),
        crumb_ignore=1,
    )
    given = pieces(run, counter)
    report = module.check(run.document.text, given, spec)
    return [
        str(found)
        for found in report.errors
        if not (found.code in BY_DECISION.get(run.config.strategy.name, set()) and by_decision(run, given[found.index]))
    ]


def by_decision(run: Run, piece: CheckedPiece) -> bool:
    """Whether headings without text were carried into what follows, whose breadcrumb the chunk has
    (hi-3, hi-4), or a fence that is never closed was read on as text (bp-6)."""
    if run.config.strategy.name == "block-packing":
        return run.document.without_unclosed_fence is not None
    following = [block for block in run.document.blocks if block.span.end > piece.start and block.kind != "blank"]
    text = next((block for block in following if block.kind != "heading"), None)
    if following[0].kind != "heading" or text is None:
        return False
    below = run.document.section_at(text.span.start).breadcrumb
    return below[: len(piece.breadcrumb)] == piece.breadcrumb
