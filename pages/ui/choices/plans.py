"""A strategy and the values its settings were given, legal or not: what the controls change. No
Streamlit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Union

from chunking import strategies
from chunking.config import Value, plain, spec_of
from chunking.core import Strategy
from chunking.imported import PEERS, MadeElsewhere

_UNLISTED: tuple[type[Strategy], ...] = (MadeElsewhere, *PEERS)
for _made in _UNLISTED:  # a plan may be that of chunks that were opened here, or of another package's splitter
    strategies.offer(_made)
SettingValue = Union[bool, int, float, str, tuple[str, ...], "Plan"]
"""A wrapped strategy is a plan of its own."""
SettingValues = Mapping[str, SettingValue]
"""Values by the setting's name in snake_case."""
LEAST_ALIKE_SHARE = 0.1
LEAST_ALIKE: SettingValues = {"threshold_kind": "percentile", "similarity_threshold": LEAST_ALIKE_SHARE}
"""Settings of `semantic` that mean the same with every model: a cut at the tenth of the places that
are the least alike in this document. The default is the spec's similarity (DECISIONS sc-2)."""
_BEGUN_WITH: Mapping[str, SettingValues] = {"semantic": LEAST_ALIKE}


@dataclass(frozen=True, slots=True)
class Plan:
    """A strategy's name and its settings' values. Settings left out have their defaults."""

    strategy: str
    settings: SettingValues = field(default_factory=dict)

    @classmethod
    def begun(cls, strategy: str) -> Plan:
        """What somebody begins with who chooses a strategy by hand: its defaults, unless these mean
        little without a look at the document. A link and a YAML mean the defaults."""
        return cls(strategy, _BEGUN_WITH.get(strategy, {}))

    def value(self, name: str) -> SettingValue:
        """What a setting stands at."""
        return self.settings[name] if name in self.settings else default_value(strategies.get(self.strategy), name)

    def with_values(self, values: SettingValues) -> Plan:
        """The plan with these settings changed; what stands at its default is left out."""
        made = strategies.get(self.strategy)
        changed = {**self.settings, **values}
        return replace(self, settings={name: at for name, at in changed.items() if at != default_value(made, name)})

    def plain_settings(self) -> dict[str, Value]:
        """The values as a YAML would hold them."""
        return {name: _plain(value) for name, value in self.settings.items()}


def plan_of(strategy: Strategy) -> Plan:
    """The plan that makes this strategy."""
    values = {name: _setting_value(getattr(strategy, name)) for name in type(strategy).model_fields}
    return Plan(strategy.name).with_values(values)


def default_value(made: type[Strategy], name: str) -> SettingValue:
    """A setting's default."""
    spec = spec_of(made, name)
    return _setting_value(spec.default if spec else None)


def _setting_value(value: object) -> SettingValue:
    if isinstance(value, Strategy):
        return plan_of(value)
    if isinstance(value, list | tuple):
        return tuple(str(entry) for entry in value)
    return value if isinstance(value, bool | int | float | str) else str(value)


def _plain(value: SettingValue) -> Value:
    if isinstance(value, Plan):
        return {"strategy": value.strategy, "settings": value.plain_settings()}
    return plain(value)
