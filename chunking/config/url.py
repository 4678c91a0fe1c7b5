"""A strategy as the parameters of a URL: short, readable, and safe to read from anyone.

`strategy=heading-window&minTokens=300`; a wrapped strategy as
`base.strategy=semantic&base.similarityThreshold=0.8`. Text and choices stand as they are;
everything else is JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from chunking.config.setting_spec import setting_specs, spec_of
from chunking.config.validation import make_strategy, plain, plain_settings, strategy_class
from chunking.config.values import Value
from chunking.core.strategy import Strategy
from chunking.errors import ConfigError, SettingError
from chunking.text.display import shown, shown_ascii

MAX_PARAMETERS = 200
MAX_LENGTH = 16 * 1024
"""Characters of one parameter's value."""


def query_of(strategy: Strategy, where: str = "") -> dict[str, str]:
    """The strategy's name and every setting that differs from its default, wrapped strategies after
    a dot."""
    query = {f"{where}strategy": strategy.name}
    for spec in setting_specs(type(strategy)):
        value = getattr(strategy, spec.name)
        if spec.is_default(value):
            continue
        if isinstance(value, Strategy):
            query |= query_of(value, f"{where}{spec.label}.")
        else:
            query[where + spec.label] = value if spec.as_text else _json(plain(value))
    return query


def strategy_of(query: Mapping[str, str]) -> Strategy:
    """The strategy that a URL's parameters name; `counter` is passed over. Raises ConfigError, one
    line."""
    if len(query) > MAX_PARAMETERS:
        raise ConfigError(f"the URL has {len(query)} parameters; at most {MAX_PARAMETERS} are read")
    for key, text in query.items():
        if len(text) > MAX_LENGTH:
            raise SettingError(shown_ascii(key), f"has {len(text)} characters; at most {MAX_LENGTH} are read")
    if "strategy" not in query:
        raise ConfigError("the URL names no strategy; add strategy= and a name")
    name, settings = query["strategy"], {key: text for key, text in query.items() if key not in ("strategy", "counter")}
    return make_strategy(name, _typed(strategy_class(name), settings, ""))


def with_settings(strategy: Strategy, settings: Mapping[str, Value]) -> Strategy:
    """The strategy with some settings changed, those of a wrapped strategy named after a dot."""
    return make_strategy(strategy.name, _merged(strategy, settings))


def value_of(strategy_type: type[Strategy], setting: str, text: str, with_strategy: Strategy | None = None) -> Value:
    """The value that a text means for a setting: as it is for text and choices, else JSON."""
    first, dot, rest = setting.partition(".")
    spec = spec_of(strategy_type, first)
    if spec is None:
        return text  # make_strategy says so, with the likely name
    inner = getattr(with_strategy, spec.name, None)
    if dot and isinstance(inner, Strategy):
        return value_of(type(inner), rest, text, inner)
    return text if spec.as_text else _parsed(text)


def _typed(strategy_type: type[Strategy], settings: Mapping[str, str], where: str, depth: int = 0) -> dict[str, Value]:
    """Texts -> values by what each setting takes; `base.x` parameters gathered into base's own
    mapping."""
    values: dict[str, Value] = {}
    inner: dict[str, dict[str, str]] = {}
    for key, text in settings.items():
        first, dot, rest = key.partition(".")
        if dot:
            inner.setdefault(first, {})[rest] = text
        else:
            values[key] = value_of(strategy_type, key, text)
    for first, parameters in inner.items():
        values[first] = _typed_wrapped(strategy_type, first, parameters, f"{where}{first}.", depth)
    return values


def _typed_wrapped(
    strategy_type: type[Strategy], first: str, parameters: dict[str, str], where: str, depth: int
) -> Value:
    spec = spec_of(strategy_type, first)
    if spec is None or spec.kind != "strategy" or depth >= 16:
        raise SettingError(shown_ascii(where.rstrip(".")), f"{strategy_type.name} wraps no strategy by that name")
    if "strategy" not in parameters:
        raise SettingError(f"{where}strategy", "is missing; name the strategy that these settings are for")
    wrapped = strategy_class(parameters.pop("strategy"), f"{where}strategy")
    return {"strategy": wrapped.name, "settings": _typed(wrapped, parameters, where, depth + 1)}


def _merged(strategy: Strategy, settings: Mapping[str, Value]) -> dict[str, Value]:
    """All settings of a strategy with the changed ones put in; unknown ones too, so that they are
    refused by name."""
    values = plain_settings(strategy)
    of_wrapped: dict[str, dict[str, Value]] = {}
    for key, value in settings.items():
        first, dot, rest = key.partition(".")
        spec = spec_of(type(strategy), first)
        alias = spec.label if spec else first
        if dot:
            of_wrapped.setdefault(alias, {})[rest] = value
        else:
            values[alias] = value
    for alias, inner_settings in of_wrapped.items():
        spec = spec_of(type(strategy), alias)
        inner = getattr(strategy, spec.name, None) if spec else None
        if not isinstance(inner, Strategy):
            raise SettingError(shown_ascii(alias), f"{strategy.name} wraps no strategy by that name")
        values[alias] = {"strategy": inner.name, "settings": _merged(inner, inner_settings)}
    return values


def _json(value: Value) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _parsed(text: str) -> Value:
    """JSON, or the text itself when it is none: the setting then says what it takes."""
    try:
        parsed: Value = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return text
    return parsed


def _no_constant(name: str) -> float:
    raise ValueError(f"{shown(name)} is not a number")
