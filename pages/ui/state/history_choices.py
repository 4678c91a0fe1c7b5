"""Undo and redo in this session, and the steps that the browser's tab had before a reload."""

from __future__ import annotations

from chunking import Config
from pages.ui.choices.history import MOST_STEPS, History, Setup
from pages.ui.choices.history_text import read as read_history
from pages.ui.choices.measured import Measured
from pages.ui.choices.offers import Replaced
from pages.ui.choices.resolve import resolve
from pages.ui.state.inspect_choices import (
    baseline_plan,
    choose_baseline,
    drag,
    forget_faults,
    pin,
    plan,
    resolution,
    take,
)
from pages.ui.state.session import NO_BASELINE, this_session


def history() -> History:
    """The setups of this session, this one noted: a drag becomes a step when it ends."""
    session = this_session()
    if not session.dragging:
        setup = Setup(plan(), session.counter, session.loader, baseline_plan(), session.baseline_counter)
        session.history = session.history.with_setup(setup)
    return session.history


def recall_history(text: str) -> None:
    """Take the steps that the browser's tab had before a reload, where this session has none of its
    own; settings of strategies that are not shown come back with them."""
    session, now = this_session(), history()
    if now.now is None or now.earlier or now.later:
        return
    session.history = read_history(text, now.now)
    for setup in (*session.history.earlier, *session.history.later):
        if setup.plan.strategy != session.strategy:
            session.plans[setup.plan.strategy] = setup.plan


def note_measured(measured: Measured) -> None:
    """Keep the numbers of what is shown, to say what a change makes of them."""
    session = this_session()
    others = (each for each in session.measured if not each.is_of(measured.document, measured.config))
    session.measured = (*others, measured)[-MOST_STEPS:]


def before_change(document: str) -> Measured | None:
    """What this document came to before the last step, or during a drag before that. None where it
    was not shown then."""
    known = history()
    setup = known.now if this_session().dragging else known.before
    if setup is None:
        return None
    there = resolve(setup.plan, setup.counter, loader=setup.loader)
    found = (each for each in this_session().measured if each.is_of(document, there.config))
    return None if there.problems else next(found, None)


def inspect(config: Config, before: Config) -> None:
    """Have Inspect show this config, with the one before it as its baseline; one step back undoes
    both, also where Inspect was not opened before."""
    history()
    was = resolution().config
    pin(before)
    replace_config(config, was)


def replace_config(config: Config, was: Config) -> None:
    """Have Inspect show this config in place of the one it shows, and say there what it did."""
    take(config)
    this_session().replaced = Replaced(config, was)


def undo() -> None:
    """One step back in strategy, settings, counter, headings and baseline; the place in the source
    stays."""
    drag(dragging=False)
    _go_to(history().undone())


def redo() -> None:
    drag(dragging=False)
    _go_to(history().redone())


def _go_to(there: History) -> None:
    session = this_session()
    session.history = there
    forget_faults()
    if there.now:
        now = there.now
        session.strategy, session.counter, session.loader = now.plan.strategy, now.counter, now.loader
        session.plans[session.strategy] = now.plan
        choose_baseline(now.baseline.strategy if now.baseline else NO_BASELINE)
        session.baseline_counter = now.baseline_counter
        if now.baseline:
            session.baseline_plans[session.baseline] = now.baseline
