"""What changed between two states of a corpus and its config, with two causes told apart: other
texts under the former config, and another config on the same texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from chunking.analysis.comparison import diff_boundaries
from chunking.analysis.edits import EditStability, edit_stability
from chunking.analysis.health import Check, health
from chunking.config.config import Config
from chunking.document import Document
from chunking.runs import Run, run

TextChange = Literal["same", "edited", "renamed", "added"]
_BAD = ("fail", "warn")


@dataclass(frozen=True, slots=True)
class CheckChange:
    """A health check of one text that says something else by the later config."""

    document: str
    before: Check
    after: Check

    @property
    def failed(self) -> bool:
        """Whether one of the two fails; else it is a matter of warnings."""
        return "fail" in (self.before.verdict, self.after.verdict)

    @property
    def worse(self) -> bool:
        return _badness(self.after) > _badness(self.before)


@dataclass(frozen=True)
class DocumentChange:
    """One document of the later state, beside the former one."""

    name: str
    change: TextChange
    was: str
    """The name before, where it was renamed."""
    by_text: EditStability | None
    """The former text and this one, both by the former config; None where the text is the same."""
    by_config: EditStability | None
    """The former config and the later one, both on this text; None where the config is the same."""
    in_all: EditStability | None
    """From the former text and config to the later ones; None where nothing changed."""
    chunks: int
    """By the later config."""
    boundaries: tuple[int, int, int, int]
    """Kept, moved, added and removed by the later config on this text."""
    checks: tuple[CheckChange, ...]
    """Those that are worse or better by the later config on this text."""
    failing: tuple[Check, ...]
    """Health checks that fail because of the text: by both configs, and not of the former text."""

    @cached_property
    def came(self) -> bool:
        """Whether the text is new: added, or edited."""
        return self.change in ("added", "edited")


def document_change(former: Document | None, later: Document, old: Config, new: Config) -> DocumentChange:
    """Compare a document with its former version, which may have another name; None where there was
    none. Raises what a run raises."""
    change: TextChange = "added" if former is None else "same"
    if former is not None and former.text != later.text:
        change = "edited"
    elif former is not None and former.name != later.name:
        change = "renamed"
    same_config = old == new
    before = run(former, old) if former is not None and change != "same" else None
    now = run(later, old)
    after = now if same_config else run(later, new)
    now_found = health(now)
    found = now_found if same_config else health(after)
    passed_over = _failing(health(before)) if change == "edited" and before is not None else set()
    passed_over |= _failing(found) if change in ("same", "renamed") else set()
    return DocumentChange(
        name=later.name,
        change=change,
        was=former.name if former is not None and change == "renamed" else "",
        by_text=None if change == "same" else _from(before, now),
        by_config=None if same_config else edit_stability(now, after),
        in_all=None if change == "same" and same_config else _from(now if change == "same" else before, after),
        chunks=len(after.chunks),
        boundaries=_boundaries(now, after),
        checks=() if same_config else tuple(_changed_checks(later.name, now_found, found)),
        failing=tuple(check for check in found if check.name in _failing(now_found) & _failing(found) - passed_over),
    )


def _failing(checks: Sequence[Check]) -> set[str]:
    return {check.name for check in checks if check.verdict == "fail"}


def _from(before: Run | None, after: Run) -> EditStability:
    if before is not None:
        return edit_stability(before, after)
    return EditStability(0, len(after.chunks), 0, 0, len(after.chunks), sum(chunk.tokens for chunk in after.chunks))


def _boundaries(before: Run, after: Run) -> tuple[int, int, int, int]:
    found = [each.change for each in diff_boundaries(before, after)]
    return found.count("kept"), found.count("moved"), found.count("added"), found.count("removed")


def _changed_checks(name: str, before: Sequence[Check], after: Sequence[Check]) -> list[CheckChange]:
    of = {check.name: check for check in before}
    pairs = [CheckChange(name, of[check.name], check) for check in after if check.name in of]
    return [each for each in pairs if _badness(each.before) != _badness(each.after)]


def _badness(check: Check) -> tuple[int, int]:
    """The verdict first; of those that do not pass, in how many places."""
    bad = check.verdict in _BAD
    return ("ok", "warn", "fail").index(check.verdict), max(len(check.places), len(check.chunks)) if bad else 0
