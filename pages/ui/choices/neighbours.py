"""What a setting may not go above or below because another one stands there, in words;
and where it is hardly meant to stand. No Streamlit.

Read from the strategies' `ordered` and `usual`. In the words, `{}` is where the other setting
stands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from chunking.config import SettingSpec, setting_specs
from chunking.core import Ordered, Strategy


@dataclass(frozen=True, slots=True)
class Neighbour:
    """Another setting, beyond which this one may not go."""

    setting: str
    """In snake_case."""
    apart: float
    """How far from it this one has to stay: 0 where both may be equal."""
    must: str
    """Said of a value that was typed beyond it: "Maximum must be at least {} (Minimum)."."""
    stop: str
    """Said of one that was dragged up to it, in few words, for beside its title: "Stops at Minimum,
    {}."."""


def above(made: type[Strategy], setting: str) -> tuple[Neighbour, ...]:
    """What this setting may not go above."""
    return tuple(_upper(made, pair) for pair in made.ordered if pair.lower == setting)


def below(made: type[Strategy], setting: str) -> tuple[Neighbour, ...]:
    """What this setting may not go below."""
    return tuple(_lower(made, pair) for pair in made.ordered if pair.upper == setting)


def remark(made: type[Strategy], setting: str, value_of: Callable[[str], object]) -> str:
    """That this setting is below another one, where it is allowed and hardly meant: "below
    Minimum"; "" where it is not."""
    for pair in made.usual:
        low, high = value_of(pair.lower), value_of(pair.upper)
        if pair.upper == setting and isinstance(low, int | float) and isinstance(high, int | float):
            return "" if pair.holds(low, high) else f"below {_spec(made, pair.lower).title}"
    return ""


def _upper(made: type[Strategy], pair: Ordered) -> Neighbour:
    this, other = _spec(made, pair.lower), _spec(made, pair.upper)
    if pair.strictly:
        must = f"{this.title} must be less than {{}} ({other.title})."
        return Neighbour(other.name, this.step_apart, must, f"Stops below {other.title}, {{}}.")
    must = f"{this.title} must be at most {{}} ({other.title})."
    return Neighbour(other.name, 0, must, f"Stops at {other.title}, {{}}.")


def _lower(made: type[Strategy], pair: Ordered) -> Neighbour:
    this, other = _spec(made, pair.upper), _spec(made, pair.lower)
    if pair.strictly:
        must = f"{this.title} must be more than {{}} ({other.title})."
        return Neighbour(other.name, this.step_apart, must, f"Stops above {other.title}, {{}}.")
    must = f"{this.title} must be at least {{}} ({other.title})."
    return Neighbour(other.name, 0, must, f"Stops at {other.title}, {{}}.")


def _spec(made: type[Strategy], name: str) -> SettingSpec:
    return next(spec for spec in setting_specs(made) if spec.name == name)
