"""Settings drawn from their declarations: switches, choices, numbers and texts, each with its problem beside it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType

import streamlit as st

from chunking import strategies
from pages.ui import state
from pages.ui.choices.declared import Declared, declared_settings, plain
from pages.ui.choices.plans import Plan, SettingValue, SettingValues
from pages.ui.layout import model_messages, page_frame

Choose = Callable[[SettingValues], None]
_SHORT = 24
"""Characters of all options together that still fit side by side."""


Beneath = Mapping[str, Callable[[], None]]


def draw(
    settings: Sequence[Declared],
    plan: Plan,
    problems: Mapping[str, str],
    choose: Choose,
    prefix: str,
    beneath: Beneath = MappingProxyType({}),
) -> None:
    """Draw each setting with what it stands at, and what is to be drawn `beneath` it.

    `prefix` keeps the widgets of two plans apart.
    """
    for declared in settings:
        inside = {
            name.partition(".")[2]: said for name, said in problems.items() if name.startswith(f"{declared.name}.")
        }
        _control(declared, plan.value(declared.name), inside, f"{prefix}.{plan.strategy}.{declared.name}", choose)
        if declared.name in problems:
            page_frame.problem(problems[declared.name])
        if declared.name in beneath:
            beneath[declared.name]()


def _control(declared: Declared, value: SettingValue, problems: Mapping[str, str], key: str, choose: Choose) -> None:
    """`problems` are those of the settings inside it, where it is a strategy."""
    title, words = declared.title, _help(declared)
    change, args = _changed, (key, declared, choose)
    if declared.kind == "switch":
        st.toggle(title, key=state.own(key, value), help=words, on_change=change, args=args)
    elif declared.kind == "choice" and len("".join(declared.options)) <= _SHORT:
        state.own(key, value)
        st.segmented_control(title, declared.options, key=key, required=True, help=words, on_change=change, args=args)
    elif declared.kind == "choice":
        shown = partial(model_messages.option, declared.name)
        state.own(key, value)
        st.selectbox(title, declared.options, format_func=shown, key=key, help=words, on_change=change, args=args)
    elif declared.numeric:
        _number(declared, value, key, choose)
    elif isinstance(value, Plan):
        _wrapped(declared, value, problems, key, choose)
    elif declared.kind == "texts":
        st.text_area(title, key=state.own(key, _lines(value)), height=90, help=words, on_change=change, args=args)
    elif _of_many_lines(declared):
        st.text_area(title, key=state.own(key, value), height=120, help=words, on_change=change, args=args)
    else:
        st.text_input(title, key=state.own(key, _escaped(str(value))), help=words, on_change=change, args=args)


def _wrapped(declared: Declared, held: Plan, problems: Mapping[str, str], key: str, choose: Choose) -> None:
    """A setting that is itself a strategy: which one, and its settings."""
    names = [name for name in strategies.names() if not _wraps(name)]

    def another() -> None:
        choose({declared.name: Plan(str(state.moved(key)))})

    def change(values: SettingValues) -> None:
        choose({declared.name: held.with_values(values)})

    st.selectbox(
        declared.title,
        names,
        key=state.own(key, held.strategy),
        format_func=lambda name: strategies.get(name).title,
        help=_help(declared),
        on_change=another,
    )
    settings = declared_settings(strategies.get(held.strategy))
    if settings:
        with st.expander(f"Settings of {strategies.get(held.strategy).title}", key=f"{key}.settings"):
            draw(settings, held, problems, change, key)


def _wraps(name: str) -> bool:
    return any(declared.kind == "strategy" for declared in declared_settings(strategies.get(name)))


def _number(declared: Declared, value: SettingValue, key: str, choose: Choose) -> None:
    kind = int if declared.kind == "whole" else float
    st.number_input(
        f"{declared.title} ({declared.unit})" if declared.unit else declared.title,
        min_value=kind(declared.minimum) if declared.minimum is not None else None,
        max_value=kind(declared.maximum) if declared.maximum is not None else None,
        step=kind(declared.step),
        key=state.own(key, value),
        help=_help(declared),
        on_change=_changed,
        args=(key, declared, choose),
    )


def _help(declared: Declared) -> str:
    legal = f"{declared.range_text}" + (f" {declared.unit}" if declared.unit and declared.numeric else "")
    lines = [declared.help, f"`{declared.label}`" + (f": {legal}" if legal else "")]
    if isinstance(declared.default, int | float) and declared.numeric:
        lines.append(f"default {plain(declared.default)}")
    return "  \n".join(lines)


def _changed(key: str, declared: Declared, choose: Choose) -> None:
    """A callback: bring what the person did into the plan."""
    value = state.moved(key)
    if value is None:
        return
    if declared.kind == "texts":
        choose({declared.name: _read_lines(str(value))})
    elif declared.kind == "text" and not _of_many_lines(declared):
        choose({declared.name: _unescaped(str(value))})
    elif isinstance(value, bool | int | float | str):
        choose({declared.name: value})


def _of_many_lines(declared: Declared) -> bool:
    return declared.kind == "text" and "\n" in str(declared.default).strip()


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
