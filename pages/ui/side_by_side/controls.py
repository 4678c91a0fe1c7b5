"""The configs side by side, chosen: what counts all of them, and each row's strategy and
settings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import streamlit as st

from chunking import Config, strategies
from chunking.config import setting_specs
from chunking.imported import MadeElsewhere
from pages.ui import state
from pages.ui.choices.comparing import FEWEST, LETTERS, ConfigRow, row_of
from pages.ui.choices.plans import Plan, SettingValues
from pages.ui.choices.resolve import Resolution, check_counter, counter_label, offered_counters
from pages.ui.layout import controls, model_messages, page_frame, snapshot_choice, strategy_choice
from pages.ui.layout.tables import value_text
from pages.ui.side_by_side import markup
from pages.ui.side_by_side.numbers import MeasuredRow


def counter_picker() -> None:
    """What all rows are counted with, whatever they cut with (DECISIONS all-5)."""
    now = state.comparing().counter
    st.selectbox(
        "Tokenizer for all numbers",
        offered_counters(now),
        key=state.own("compare-counter", now),
        format_func=counter_label,
        filter_mode=controls.FOUND_BY,
        help="One tokenizer for every number on this page, so that they compare. Each config still cuts with its own.",
        on_change=_take_counter,
    )


def _take_counter() -> None:
    name, now = state.moved_name("compare-counter", check_counter), state.comparing()
    if name:
        state.compare(replace(now, counter=name))


def add_button() -> None:
    """One row more, up to four."""
    full = len(state.comparing().rows) >= len(LETTERS)
    st.button(
        "Add a config",
        key="compare-add",
        icon=":material/add:",
        disabled=full,
        help="At most four side by side" if full else "Add another strategy to compare",
        on_click=_add,
    )


def _add() -> None:
    state.compare(state.comparing().with_another())


def row_chooser(number: int, resolution: Resolution, measured: MeasuredRow | None) -> None:
    """One row's strategy and, in a popover, its settings; the way to Inspect and out; what it comes
    to."""
    row, letter = state.comparing().rows[number], LETTERS[number]
    with st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key=f"compare-head-{letter}"):
        st.html(markup.heading(letter, resolution.config.strategy.title), width="content")
        key = f"compare-strategy-{letter}"
        standing = snapshot_choice.option_of(resolution.config, row.plan.strategy)
        st.selectbox(
            f"Strategy of {letter}",
            strategy_choice.with_current(
                [*_as_in_inspect(resolution.config), *snapshot_choice.options(strategy_choice.names())], standing
            ),
            key=state.own(key, standing),
            format_func=_option_title(),
            filter_mode=controls.FOUND_BY,
            label_visibility="collapsed",
            on_change=_take_strategy,
            args=(number, key),
        )
        with st.popover(
            f"Settings of {letter}",
            icon=":material/tune:",
            help=f"Settings of {letter}",
            key=f"compare-settings-{letter}",
        ):
            _settings(number, row, resolution)
        inspect = f"Open {letter} in Inspect"
        if st.button(inspect, key=f"compare-inspect-{letter}", icon=":material/search:", help=inspect):
            _inspect(number)
        if len(state.comparing().rows) > FEWEST:
            st.button(
                f"Remove {letter}",
                key=f"compare-remove-{letter}",
                icon=":material/close:",
                help=f"Remove {letter}",
                on_click=_remove,
                args=(number,),
            )
    st.html(markup.numbers(measured, changed_settings(row)))
    for problem in resolution.problems.values():
        page_frame.problem(problem)


_INSPECT = "inspect:"
"""The option that is Inspect's config."""


def _as_in_inspect(shown: Config) -> list[str]:
    """Inspect's config among the options, where the row is another one and a strategy's name does
    not say it: such as the best of Tune, applied there."""
    config = state.resolution().config
    named = changed_settings(row_of(config)) == _DEFAULT
    return [] if named or config == shown or not config.strategy.has_yaml else [_INSPECT]


def _option_title() -> Callable[[str], str]:
    """How the options of a row are shown."""
    titled = snapshot_choice.titled(strategy_choice.option)
    config = state.resolution().config

    def title(option: str) -> str:
        if option != _INSPECT:
            return titled(option)
        return strategy_choice.two_lines(
            "Inspect's config", f"{config.strategy.title}, {', '.join(changed_settings(row_of(config)))}"
        )

    return title


_DEFAULT = ["default settings"]


def changed_settings(row: ConfigRow) -> list[str]:
    """What a row was told, beyond its strategy: the settings that differ from their defaults, and a
    chosen counter."""
    strategy = row.resolution().config.strategy
    if isinstance(strategy, MadeElsewhere):
        return [strategy.called]
    titles = {each.name: each.title for each in setting_specs(strategies.get(row.plan.strategy))}
    changes = [
        f"{titles.get(name, name)}: {model_messages.option(name, value_text(value))}"
        for name, value in row.plan.settings.items()
    ]
    changes += [f"tokenizer {counter_label(row.counter)}"] if row.counter else []
    return changes or _DEFAULT


def _settings(number: int, row: ConfigRow, resolution: Resolution) -> None:
    letter, key = LETTERS[number], f"compare-cut-{LETTERS[number]}"
    made = strategies.get(row.plan.strategy)
    settings = [spec for spec in setting_specs(made) if not spec.pinned] if made.has_yaml else []
    controls.draw(settings, row.plan, resolution.problems, partial(_take_values, number), f"compare-{letter}")
    if not settings:
        page_frame.note(f"{strategies.get(row.plan.strategy).title} has no settings.")
    now, strategy = resolution.config.counter, resolution.config.strategy
    st.selectbox(
        "Tokenizer for its limits",
        offered_counters(now, strategy),
        key=state.own(key, now),
        format_func=lambda name: counter_label(name, strategy),
        help="Counts the tokens that this config's limits are compared with.",
        on_change=_take_row_counter,
        args=(number, key),
    )


def _take_strategy(number: int, key: str) -> None:
    now = state.comparing()
    moved = state.moved(key)
    if config := state.resolution().config if moved == _INSPECT else snapshot_choice.chosen_config(moved):
        state.compare(now.with_row(number, row_of(config)))
    elif name := state.moved_name(key, strategies.get):
        state.compare(now.with_row(number, ConfigRow(Plan.begun(name), loader=now.rows[number].loader)))


def _take_values(number: int, values: SettingValues) -> None:
    now = state.comparing()
    state.compare(now.with_row(number, now.rows[number].with_values(values)))


def _take_row_counter(number: int, key: str) -> None:
    name, now = state.moved_name(key, check_counter), state.comparing()
    if name:
        state.compare(now.with_row(number, now.rows[number].with_counter(name)))


def _remove(number: int) -> None:
    state.compare(state.comparing().without(number))


def _inspect(number: int) -> None:
    """Show a row in Inspect, the first one as its baseline (the second one, for the first)."""
    configs = state.comparing().configs()
    state.inspect(configs[number], configs[0] if number else configs[1])
    page_frame.open_inspect()
