"""Plain values -> a strategy, and back. Every fault becomes a SettingError: setting, value, limit
and way out.

Values come from a YAML, a URL, a command line or a widget. Names are read in camelCase and
snake_case and written in camelCase (DECISIONS all-11). A strategy wraps another by a field
annotated with `Strategy`, given as `{strategy: fixed, settings: {...}}`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite

from pydantic import ValidationError
from pydantic.alias_generators import to_camel, to_snake
from pydantic_core import ErrorDetails

from chunking import strategies
from chunking.config.setting_spec import SettingSpec, setting_specs, spec_of
from chunking.config.values import MAX_DIGITS, Table, Value, has_lone_surrogate
from chunking.core.strategy import Strategy
from chunking.errors import ConfigError, SettingError, UnknownStrategyError
from chunking.text.display import shown, shown_ascii
from chunking.text.suggest import closest_name


def _peers() -> tuple[type[Strategy], ...]:
    from chunking.imported.peers import PEERS  # a tenth of all that a config of ours would load

    return PEERS


strategies.offer_when_asked(_peers)  # in no list, and known by their names wherever configs are made

MAX_WRAPPED = 6
"""How many strategies may wrap one another."""


def strategy_class(name: Value, where: str = "strategy") -> type[Strategy]:
    """The class of that name. Raises UnknownStrategyError, with the likely name, or a look-alike's
    code point."""
    if not isinstance(name, str):
        raise ConfigError(f"{where}: {shown(name)} is not a name; there are: {', '.join(strategies.names())}")
    if not strategies.is_name(name) and not (name.isascii() and name.isprintable()):
        there_are = ", ".join(strategies.names())
        raise UnknownStrategyError(f"{where}: no strategy is named '{shown_ascii(name)}'; there are: {there_are}")
    return strategies.get(name)


def make_strategy(name: Value, settings: Mapping[str, Value], where: str = "", depth: int = 0) -> Strategy:
    """The strategy of that name with these settings; what is left out has its default.

    `where` is the dotted path of a wrapped strategy, for messages. Raises UnknownStrategyError and
    SettingError.
    """
    if depth > MAX_WRAPPED:
        raise SettingError(where.rstrip("."), f"more than {MAX_WRAPPED} strategies wrap one another; take some away")
    made = strategy_class(name, f"{where}strategy")
    values: dict[str, object] = {}
    for key, value in _by_alias(made, settings, where).items():
        spec = spec_of(made, key)
        wrapped = spec is not None and spec.kind == "strategy"
        values[key] = _wrapped(value, f"{where}{key}", depth) if wrapped else _portable(value, f"{where}{key}")
    try:
        return made.model_validate({key: _as_declared(made, key, value) for key, value in values.items()})
    except ValidationError as error:
        raise _setting_error(made, error.errors(include_url=False)[0], where) from None
    except SettingError as error:
        raise SettingError(f"{where}{error.setting}", error.problem) from None


def plain_settings(strategy: Strategy) -> dict[str, Value]:
    """Every setting of a strategy by its camelCase name, in the order they are declared; wrapped
    strategies nested."""
    return {spec.label: plain(getattr(strategy, spec.name)) for spec in setting_specs(type(strategy))}


def plain(value: object) -> Value:
    """A setting's value as plain values."""
    if isinstance(value, Strategy):
        return {"strategy": value.name, "settings": plain_settings(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(entry) for key, entry in value.items()}
    if isinstance(value, bool | int | float | str) or value is None:
        return value
    if isinstance(value, Sequence):
        return [plain(entry) for entry in value]
    raise TypeError(f"a setting holds a {type(value).__name__}, which has no plain form")


def _by_alias(made: type[Strategy], settings: Mapping[str, Value], where: str) -> dict[str, Value]:
    """The settings under their camelCase names. Refuses unknown names, and both spellings of
    one."""
    aliases = {spec.name: spec.label for spec in setting_specs(made)}
    known = {**aliases, **{alias: alias for alias in aliases.values()}}
    found: dict[str, Value] = {}
    spelled: dict[str, str] = {}
    for key, value in settings.items():
        if key not in known:
            raise SettingError(f"{where}{shown_ascii(key)}", _unknown(made, key, list(aliases.values())))
        alias = known[key]
        if alias in found:
            lines = (
                f" (lines {settings.lines[spelled[alias]]} and {settings.lines[key]})"
                if isinstance(settings, Table)
                else ""
            )
            raise SettingError(
                f"{where}{alias}", f"is given twice, as {spelled[alias]} and as {key}{lines}; delete one"
            )
        found[alias], spelled[alias] = value, key
    return found


def _unknown(made: type[Strategy], key: str, known: Sequence[str]) -> str:
    meant = closest_name(to_camel(to_snake(key[:60])), known)
    if meant:
        return f"{made.name} has no such setting; did you mean {meant}?"
    return f"{made.name} has no such setting; " + (f"it has {', '.join(known)}" if known else "it has none at all")


def _wrapped(value: Value, path: str, depth: int) -> Strategy:
    """The strategy inside a wrapping one."""
    if not isinstance(value, Mapping):
        raise SettingError(path, f"{shown(value)} is not a strategy; write strategy: and settings: below it")
    for key in value:
        if key not in ("strategy", "settings"):
            raise SettingError(f"{path}.{shown_ascii(key)}", "only strategy: and settings: belong here")
    if "strategy" not in value:
        raise SettingError(f"{path}.strategy", f"is missing; there are: {', '.join(strategies.names())}")
    settings = value.get("settings")
    if settings is not None and not isinstance(settings, Mapping):
        raise SettingError(
            f"{path}.settings", f"{shown(settings)} is not a mapping of settings; write name: value lines"
        )
    return make_strategy(value["strategy"], settings or {}, f"{path}.", depth + 1)


def _portable(value: Value, path: str) -> Value:
    """The value, unless JSON, JavaScript or UTF-8 could not carry it."""
    if isinstance(value, str) and not value.isascii() and has_lone_surrogate(value):
        raise SettingError(path, f"{shown(value)} holds half a character, which no file can hold; delete it")
    if isinstance(value, list):
        return [_portable(entry, f"{path}[{index}]") for index, entry in enumerate(value)]
    if isinstance(value, int) and abs(value) >= 10**MAX_DIGITS:
        raise SettingError(path, f"{shown(value)} is too large; at most {MAX_DIGITS} digits are read")
    return value


def _as_declared(made: type[Strategy], alias: str, value: object) -> object:
    """A list as the tuple that a frozen strategy holds; anything else as it is."""
    spec = spec_of(made, alias)
    return tuple(value) if isinstance(value, list) and spec and spec.frozen else value


def _setting_error(made: type[Strategy], fault: ErrorDetails, where: str) -> SettingError:
    """Pydantic's finding in our words."""
    alias = str(fault["loc"][0]) if fault["loc"] else ""
    if not alias:
        return SettingError(f"{where.rstrip('.') or made.name}", _one_line(fault["msg"]))
    spec = spec_of(made, alias)
    if spec is None:
        return SettingError(where + alias, _one_line(fault["msg"]))
    alias = spec.label
    place = where + alias + "".join(f"[{each}]" for each in fault["loc"][1:] if isinstance(each, int))
    value, takes = fault["input"], f"it takes {spec.takes}"
    limits = fault.get("ctx", {})
    if fault["type"] == "missing":
        return SettingError(place, f"is missing and has no default; {takes}")
    for bound, word in (("ge", "below"), ("gt", "not above"), ("le", "above"), ("lt", "not below")):
        if bound in limits:
            return SettingError(place, f"{shown(value)} is {word} {_number(limits[bound])}; {takes}")
    if fault["type"] in ("value_error", "assertion_error"):
        return SettingError(place, f"{shown(value)}: {_one_line(fault['msg'])}")
    return SettingError(place, f"{shown(value)} {_kind_of(value, spec)}; {takes}")


def _kind_of(value: object, spec: SettingSpec) -> str:
    """What is wrong with the kind of a value, said so that the way out is plain."""
    number = spec.numeric
    if value is None:
        return "is not a value (leave the line out for the default)"
    if isinstance(value, bool):
        return "is true or false, not a number" if number else "is true or false"
    if isinstance(value, str):
        if number and any(c.isnumeric() for c in value):
            return "is text; write plain decimal digits without quotes"
        return "is not one of its choices" if spec.kind == "choice" else "is text"
    if isinstance(value, float) and not isfinite(value):
        return "is beyond every number"
    if isinstance(value, int | float):
        if spec.kind == "text":
            return "is a number; put it in quotes to make it text"
        return "has a decimal point" if isinstance(value, float) and number else "is a number"
    return "stands where one value belongs"


def _number(limit: object) -> object:
    return int(limit) if isinstance(limit, float) and limit.is_integer() else limit


def _one_line(message: str) -> str:
    return " ".join(message.removeprefix("Value error, ").split())[:200]
