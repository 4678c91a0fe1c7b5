"""Undo and redo of what was chosen: strategy, settings, counter and baseline, step by step. No
Streamlit.

A drag is one step: it is noted when it ends, and so is everything else that changes a choice, Back
and Forward too.
"""

from __future__ import annotations

from dataclasses import dataclass

from chunking import strategies
from chunking.config import setting_specs
from chunking.document import NO_LOADER, LoaderSettings
from chunking.tokens import counter_title
from pages.ui.choices.plans import Plan

MOST_STEPS = 200


@dataclass(frozen=True, slots=True)
class Setup:
    """The choices that undo and redo restore."""

    plan: Plan
    counter: str = ""
    """The chosen counter, "" for the strategy's own."""
    loader: LoaderSettings = NO_LOADER
    baseline: Plan | None = None
    """None where nothing is compared."""
    baseline_counter: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """The setups of a session, with the current one."""

    now: Setup | None = None
    """None before the first one."""
    earlier: tuple[Setup, ...] = ()
    """Oldest first."""
    later: tuple[Setup, ...] = ()
    """The undone ones, the next to redo last."""
    went_back: bool = False
    """Whether the last step was one back."""

    def with_setup(self, setup: Setup) -> History:
        """With this setup as the current one and the undone ones dropped; unchanged if it is the
        current one."""
        if self.now is None:
            return History(setup)
        if setup == self.now:
            return self
        return History(setup, (*self.earlier, self.now)[-MOST_STEPS:])

    def undone(self) -> History:
        """One step back; itself at the beginning."""
        if not self.earlier or self.now is None:
            return self
        return History(self.earlier[-1], self.earlier[:-1], (*self.later, self.now), went_back=True)

    def redone(self) -> History:
        """One step forward; itself at the end."""
        if not self.later or self.now is None:
            return self
        return History(self.later[-1], (*self.earlier, self.now), self.later[:-1])

    @property
    def before(self) -> Setup | None:
        """What was shown before the last step, whichever way that went; None where there was
        none."""
        before = self.later if self.went_back else self.earlier
        return before[-1] if before else None

    @property
    def undo_words(self) -> str:
        """What going back would change; "" where there is nothing to undo."""
        return difference(self.now, self.earlier[-1]) if self.now and self.earlier else ""

    @property
    def redo_words(self) -> str:
        return difference(self.now, self.later[-1]) if self.now and self.later else ""


def difference(one: Setup, other: Setup) -> str:
    """What changes from one setup to the other, in a few words: `minTokens 263 → 250`."""
    baseline = _baseline(one, other)
    if one.plan.strategy != other.plan.strategy:
        return ", ".join((f"{_title(one.plan)} → {_title(other.plan)}", *baseline))
    changes = _settings(one.plan, other.plan)
    if one.counter != other.counter:
        changes.append(f"tokenizer {_counter(one)} → {_counter(other)}")
    if one.loader != other.loader:
        lines = one.loader.of_lines != other.loader.of_lines
        changes.append("headings without #" if lines else "column of texts")
    changes += baseline
    return ", ".join(changes[:3]) + (f" and {len(changes) - 3} more" if len(changes) > 3 else "")


def _baseline(one: Setup, other: Setup) -> list[str]:
    was, then = one.baseline, other.baseline
    titles = [_title(plan) if plan else "nothing" for plan in (was, then)]
    if titles[0] != titles[1]:
        return [f"baseline {titles[0]} → {titles[1]}"]
    return ["settings of the baseline"] if (was, one.baseline_counter) != (then, other.baseline_counter) else []


def _counter(setup: Setup) -> str:
    return counter_title(setup.counter) if setup.counter else "of the strategy"


def _title(plan: Plan) -> str:
    return strategies.get(plan.strategy).title


def _settings(one: Plan, other: Plan) -> list[str]:
    changes = []
    for spec in setting_specs(strategies.get(one.strategy)):
        was, then = one.value(spec.name), other.value(spec.name)
        if was == then:
            continue
        if isinstance(was, bool | int | float) and isinstance(then, bool | int | float):
            changes.append(f"{spec.label} {_shown(was)} → {_shown(then)}")
        elif isinstance(was, Plan) and isinstance(then, Plan):
            inner = _settings(was, then) if was.strategy == then.strategy else [f"{_title(was)} → {_title(then)}"]
            changes += [f"{spec.label}.{each}" for each in inner]
        elif spec.kind == "choice":
            changes.append(f"{spec.label} {was} → {then}")
        else:
            changes.append(spec.label)
    return changes


def _shown(value: bool | float) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)
