"""Asking models for the screen: those that run here at once and with progress, servers only when a
button was pressed.

A run on screen uses what is remembered and asks nothing (caches.run); what is missing is asked for
here, before it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from chunking import Config, Document, Tools
from chunking.errors import ModelError
from chunking.models import Doing, Step, Waiting, ask, steps, while_waiting
from chunking.strategies.contextual import Contextual
from chunking.tokens import counter as counter_named
from pages.ui import state
from pages.ui.layout import caches, limits, markup, model_messages, page_frame

_CANCELLED = "cancelled; what was answered until then is remembered"
_NOT_KEPT = "answered, but not all of its answers could be kept"
_EVERY = 0.1
"""Seconds between two steps of the progress bar."""


def answer(document: Document, config: Config, place: DeltaGenerator, doing: Doing) -> bool:
    """Ask for what is missing and may be asked for now, telling in `place` how far it is; whether
    anything was asked.

    What went wrong is kept beside the setting that names the model, and is not tried again until
    somebody says so.
    """
    any_asked = False
    for step in steps(config.strategy):
        key = _key(document, step)
        try:
            expected = caches.estimate(document, config.counter, step)
            if step.doing == doing and expected.calls and _may_ask(key, step):
                any_asked = True
                _ask(document, config, step, place)
                expected = caches.estimate(document, config.counter, step)
                if expected.calls and not state.model_problem(key):
                    state.note_model_problem(key, _NOT_KEPT)
        except ModelError as error:
            state.note_model_problem(key, str(error))
            return any_asked
        if expected.calls and step.doing == "embed":
            return any_asked  # what follows depends on it
    return any_asked


def _may_ask(key: str, step: Step) -> bool:
    return state.take_wanted(key) or (step.here and not state.model_problem(key))


def _ask(document: Document, config: Config, step: Step, place: DeltaGenerator) -> None:
    key = _key(document, step)
    with place.container(key="asking", horizontal=True, vertical_alignment="center", gap="small"):
        bar = st.progress(0.0, text="Loading the model" if step.here else "Asking the server")
        st.button("Cancel", key=f"cancel-{step.doing}", on_click=state.note_model_problem, args=(key, _CANCELLED))
    shown_at, share, message = 0.0, 0.0, ""

    def tell(doing: str, done: int, total: int) -> None:
        nonlocal shown_at, share, message
        share, message = min(done / max(total, 1), 1.0), model_messages.progress_words(doing, done, total)
        if time.monotonic() - shown_at >= _EVERY or done == total:
            shown_at = time.monotonic()
            bar.progress(share, text=message)

    def wait(waiting: Waiting | None) -> None:
        # Where the bar is drawn, Streamlit ends a script that somebody cancelled.
        bar.progress(share, text=model_messages.waiting_words(waiting, message) if waiting else message)

    # Somebody who chooses something else meanwhile ends this script where it tells how far it is:
    # what was answered until then is remembered and must be looked for.
    try:
        with while_waiting(wait):
            tools = Tools(counter_named(config.counter), progress=tell)
            problems = limits.cancellable(partial(ask, step, document, tools))
    finally:
        caches.note_answers()
    state.note_model_problem(key, problems[0] if problems else "")
    place.empty()


def panels(document: Document, config: Config) -> Mapping[str, Callable[[], None]]:
    """What to draw under which setting, by its name: where the text goes, what it costs, what went
    wrong."""
    drawn: dict[str, Callable[[], None]] = {}
    strategy = config.strategy
    if isinstance(strategy, Contextual) and strategy.provider == "summary":
        drawn["provider"] = partial(page_frame.note, model_messages.NO_MODEL)
    for step in steps(strategy):
        own = step.strategy is strategy
        beneath = step.setting if own else strategy.describes
        before, panel = drawn.get(beneath), partial(_panel, document, config, step)
        drawn[beneath] = partial(_both, before, panel) if before else panel
    return drawn


def _both(first: Callable[[], None], second: Callable[[], None]) -> None:
    first()
    second()


def _panel(document: Document, config: Config, step: Step) -> None:
    key = _key(document, step)
    problem = state.model_problem(key)
    with st.container(key=f"model-{step.doing}", gap="xsmall"):
        page_frame.note(model_messages.where_text_goes(step))
        try:
            expected = caches.estimate(document, config.counter, step)
        except ModelError as error:
            page_frame.problem(str(error))
            return
        if problem and expected.calls:
            page_frame.problem(problem)
        if not expected.calls:
            page_frame.note(model_messages.done_words(step, expected))
        elif not step.here:
            st.html(markup.facts(model_messages.estimate_facts(step, expected)))
            prices = _prices(step)
            page_frame.note(model_messages.cost_words(expected, prices))
        if expected.calls and (problem or not step.here):
            label = "Try again" if step.here else model_messages.ask_label(step, expected)
            st.button(label, key=f"ask-{step.doing}", on_click=state.want, args=(key,), type="primary")


def _prices(step: Step) -> tuple[float, float]:
    """Two fields, for a million tokens in and out; remembered for each model in this session."""
    of = f"{step.provider}/{step.model}"
    ways = ("in",) if step.doing == "embed" else ("in", "out")
    with st.container(horizontal=True, gap="small", key=f"prices-{step.doing}"):
        for way in ways:
            key = f"price-{step.doing}-{way}"
            st.number_input(
                f"Price per million tokens {way}",
                min_value=0.0,
                step=0.01,
                key=state.own(key, state.price(of, way)),
                on_change=_take_price,
                args=(of, way, key),
            )
    return state.price(of, "in"), state.price(of, "out")


def _take_price(of: str, way: str, key: str) -> None:
    value = state.moved(key)
    if isinstance(value, int | float):
        state.set_price(of, way, float(value))


def _key(document: Document, step: Step) -> str:
    """What a problem and a wish are about: a wrong key is wrong for every threshold, and for one
    text at a time."""
    return f"{document.text_hash}/{step.doing}/{step.provider}/{step.model}"
