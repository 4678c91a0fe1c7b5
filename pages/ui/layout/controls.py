"""Settings drawn from their declarations: switches, choices, numbers and texts, each with its
problem beside it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Final

import streamlit as st

from chunking import strategies
from chunking.config import SettingSpec, number_text, setting_specs
from pages.ui import state
from pages.ui.choices.plans import Plan, SettingValue, SettingValues
from pages.ui.layout import model_messages, page_frame
from pages.ui.layout.setting_names import control_label

Choose = Callable[[SettingValues], None]
FOUND_BY: Final = "contains"
"""How a choice from a long list is searched as one types: in its own order. Streamlit's default
sorts by likeness, and "semantic" then finds another package's splitter before our strategy."""
_SHORT = 24
"""Characters of all options together that still fit side by side."""


Beneath = Mapping[str, Callable[[], None]]


def draw(
    settings: Sequence[SettingSpec],
    plan: Plan,
    problems: Mapping[str, str],
    choose: Choose,
    prefix: str,
    beneath: Beneath = MappingProxyType({}),
) -> None:
    """Draw each setting with what it stands at, and what is to be drawn `beneath` it.

    `prefix` keeps the widgets of two plans apart.
    """
    for spec in settings:
        inside = {
            name.partition(".")[2]: problem for name, problem in problems.items() if name.startswith(f"{spec.name}.")
        }
        _control(spec, plan, inside, f"{prefix}.{plan.strategy}.{spec.name}", choose)
        if spec.name in problems:
            page_frame.problem(problems[spec.name])
        if spec.name in beneath:
            beneath[spec.name]()


def _control(spec: SettingSpec, plan: Plan, problems: Mapping[str, str], key: str, choose: Choose) -> None:
    """`problems` are those of the settings inside it, where it is a strategy."""
    value, title, words = plan.value(spec.name), control_label(spec), _help(spec)
    change, args = _changed, (key, spec, choose)
    if spec.kind == "switch":
        st.toggle(title, key=state.own(key, value), help=words, on_change=change, args=args)
    elif spec.kind == "choice" and len("".join(spec.options)) <= _SHORT:
        state.own(key, value)
        shown = partial(model_messages.option, spec.name)
        st.segmented_control(
            title, spec.options, format_func=shown, key=key, required=True, help=words, on_change=change, args=args
        )
    elif spec.kind == "choice":
        shown = partial(model_messages.option, spec.name)
        state.own(key, value)
        st.selectbox(title, spec.options, format_func=shown, key=key, help=words, on_change=change, args=args)
    elif spec.numeric:
        _number(spec, value, spec.unit_among(plan.value), key, choose)
    elif isinstance(value, Plan):
        _wrapped(spec, value, problems, key, choose)
    elif spec.kind == "texts":
        st.text_area(title, key=state.own(key, _lines(value)), height=90, help=words, on_change=change, args=args)
    elif _of_many_lines(spec):
        st.text_area(title, key=state.own(key, value), height=120, help=words, on_change=change, args=args)
    else:
        st.text_input(title, key=state.own(key, _escaped(str(value))), help=words, on_change=change, args=args)


def _wrapped(spec: SettingSpec, inner_plan: Plan, problems: Mapping[str, str], key: str, choose: Choose) -> None:
    """A setting that is itself a strategy: which one, and its settings."""
    names = [name for name in strategies.names() if not _wraps(name)]

    def another() -> None:
        choose({spec.name: Plan.begun(str(state.moved(key)))})

    def change(values: SettingValues) -> None:
        choose({spec.name: inner_plan.with_values(values)})

    st.selectbox(
        control_label(spec),
        names,
        key=state.own(key, inner_plan.strategy),
        format_func=lambda name: strategies.get(name).title,
        help=_help(spec),
        on_change=another,
    )
    settings = setting_specs(strategies.get(inner_plan.strategy))
    if settings:
        with st.expander(f"Settings of {strategies.get(inner_plan.strategy).title}", key=f"{key}.settings"):
            draw(settings, inner_plan, problems, change, key)


def _wraps(name: str) -> bool:
    return any(spec.kind == "strategy" for spec in setting_specs(strategies.get(name)))


def _number(spec: SettingSpec, value: SettingValue, unit: str, key: str, choose: Choose) -> None:
    kind = int if spec.kind == "whole" else float
    st.number_input(
        f"{control_label(spec)} ({unit})" if unit else control_label(spec),
        min_value=kind(spec.minimum) if spec.minimum is not None else None,
        max_value=kind(spec.maximum) if spec.maximum is not None else None,
        step=kind(spec.step),
        key=state.own(key, value),
        help=_help(spec, unit),
        on_change=_changed,
        args=(key, spec, choose),
    )


def _help(spec: SettingSpec, unit: str = "") -> str:
    legal = "" if spec.kind == "choice" else spec.range_text  # of a choice all values are to be seen
    legal += f" {unit}" if unit else ""
    lines = [spec.help, *([legal] if legal else [])]
    if isinstance(spec.default, int | float) and spec.numeric:
        lines.append(f"default {number_text(spec.default)}")
    return "  \n".join(lines)


def _changed(key: str, spec: SettingSpec, choose: Choose) -> None:
    """A callback: bring what the person did into the plan."""
    value = state.moved(key)
    if value is None:
        return
    if spec.kind == "texts":
        choose({spec.name: _read_lines(str(value))})
    elif spec.kind == "text" and not _of_many_lines(spec):
        choose({spec.name: _unescaped(str(value))})
    elif isinstance(value, bool | int | float | str):
        choose({spec.name: value})


def _of_many_lines(spec: SettingSpec) -> bool:
    return spec.kind == "text" and "\n" in str(spec.default).strip()


def _lines(value: SettingValue) -> str:
    """A list of texts, one a line, line breaks inside them written as `\\n`."""
    return "\n".join(_escaped(str(entry)) for entry in value) if isinstance(value, tuple | list) else str(value)


def _read_lines(text: str) -> tuple[str, ...]:
    return tuple(_unescaped(line) for line in text.split("\n") if line)


def _escaped(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)[1:-1].replace('\\"', '"')


def _unescaped(text: str) -> str:
    try:
        return str(json.loads('"' + text.replace('"', '\\"') + '"'))
    except ValueError:
        return text
