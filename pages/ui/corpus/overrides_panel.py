"""The overrides of a corpus: how many documents each takes, and the way to add one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from chunking import Config, strategies
from chunking.config import override_from_text, setting_specs
from chunking.errors import ChunkscopeError, ConfigError
from chunking.text import counted
from pages.ui import state
from pages.ui.corpus.live import override_text
from pages.ui.layout import markup, page_frame, strategy_choice

_PATTERN, _STRATEGY, _SETTINGS = "override-pattern", "override-strategy", "override-settings"
_THE_SAME = ""
"""The strategy of the other documents."""
_SHOWN = 2
"""Settings that the empty field names."""


def overrides_panel(config: Config, which: Sequence[int]) -> None:
    """Draw them; `which` says for each document the number of its override, -1 without one."""
    choices = state.corpus_choices()
    taken = Counter(which)
    st.html(markup.heading("Overrides", beside=f"{len(choices.overrides):,}" if choices.overrides else ""))
    if choices.problem:
        page_frame.problem(f"in the link: {choices.problem}")
    for number, each in enumerate(choices.overrides):
        with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key=f"override-{number}"):
            st.html(markup.override(override_text(each), counted(taken[number], "document")), width="stretch")
            words, key = f"Remove the override {number + 1}", f"override-remove-{number}"
            st.button(words, key=key, icon=":material/close:", help=words, on_click=_remove, args=(number,))
        try:
            config.with_override(each)
        except ConfigError as error:
            page_frame.problem(f"{each.pattern}: {error}")
    if changed := state.override_change():
        page_frame.note(f"Changed in Inspect: {changed}")
    with st.popover("Add an override", icon=":material/add:", key="add-override", on_change="rerun"):
        st.text_input("Pattern of names", key=_PATTERN, placeholder="docs/api/**", help="As in a .gitignore")
        st.selectbox(
            "Strategy",
            [_THE_SAME, *strategy_choice.listed()],
            key=_STRATEGY,
            format_func=lambda name: (
                strategy_choice.title(name) if name else f"{config.strategy.title}, as for the rest"
            ),
        )
        st.text_area(
            "Settings",
            key=_SETTINGS,
            height=100,
            placeholder=_example(config),
            help="One a line, and only what differs; counter too",
        )
        st.button("Add the override", key="override-add", on_click=_add, args=(config,))
        if problem := state.override_problem():
            page_frame.problem(problem)
        page_frame.note("The first override that matches a document applies to it; the thresholds move all others.")


def _example(config: Config) -> str:
    """Settings as they are typed, with the defaults of the strategy that is chosen here."""
    chosen = str(state.moved(_STRATEGY) or _THE_SAME)
    strategy = strategies.get(chosen)() if chosen in strategies.names() else config.strategy
    thresholds = [spec for spec in setting_specs(type(strategy)) if spec.slider][:_SHOWN]
    return "\n".join(f"{spec.label}: {getattr(strategy, spec.name)}" for spec in thresholds) or "No settings"


def _add(config: Config) -> None:
    """A callback: add what the fields say, or say what is wrong with it."""
    choices = state.corpus_choices()
    pattern, settings = str(state.moved(_PATTERN) or "").strip(), str(state.moved(_SETTINGS) or "")
    if strategy := state.moved_name(_STRATEGY, strategies.get):
        settings = f"strategy: {strategy}\n{settings}"
    try:
        if not pattern:
            raise ConfigError("Pattern of names: is empty; write one, such as docs/api/**")
        override = override_from_text(pattern, settings)
        config.with_override(override)
    except ChunkscopeError as error:
        state.say_of_override(str(error))
        return
    others = tuple(each for each in choices.overrides if each.pattern != pattern)
    state.choose_for_corpus(replace(choices, overrides=(*others, override)))
    state.say_of_override("")
    for key in (_PATTERN, _STRATEGY, _SETTINGS):
        state.own(key, "")
    state.own("add-override", False)


def _remove(number: int) -> None:
    choices = state.corpus_choices()
    state.choose_for_corpus(
        replace(choices, overrides=tuple(each for at, each in enumerate(choices.overrides) if at != number))
    )
