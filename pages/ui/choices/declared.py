"""A strategy's settings as the screen needs them: read from the declarations, never typed twice. No Streamlit."""

from __future__ import annotations

import types
from dataclasses import dataclass
from typing import Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic.fields import FieldInfo

from chunking.core.strategy import Strategy
from pages.ui.choices.plans import SettingValue, default_value

SettingKind = Literal["whole", "decimal", "switch", "choice", "text", "texts", "strategy", "other"]


@dataclass(frozen=True, slots=True)
class Declared:
    """One setting: its words, its kind, its bounds, and the range worth dragging over."""

    name: str
    label: str
    """In camelCase, as in the YAML and on screen."""
    title: str
    help: str
    unit: str
    kind: SettingKind
    default: SettingValue
    options: tuple[str, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    slider: tuple[float, float] | None = None
    step: float = 1

    @property
    def numeric(self) -> bool:
        return self.kind in ("whole", "decimal")

    @property
    def step_apart(self) -> float:
        """The least by which two values differ that are not equal."""
        return 1 if self.kind == "whole" else self.step

    @property
    def range_text(self) -> str:
        """What is legal, in words: "0 or more", "0 to 1", "skip, keep or merge"."""
        if self.kind == "choice":
            return " or ".join((", ".join(self.options[:-1]), self.options[-1])) if len(self.options) > 1 else ""
        if self.kind == "switch":
            return "on or off"
        low, high = plain(self.minimum), plain(self.maximum)
        if low and high:
            return f"{low} to {high}"
        return f"{low} or more" if low else f"up to {high}" if high else ""


def plain(number: float | None) -> str:
    """A number as people write it: no `.0`, nothing for None."""
    return "" if number is None else f"{number:g}" if isinstance(number, float) else str(number)


def declared_settings(strategy: type[Strategy]) -> tuple[Declared, ...]:
    """The strategy's settings in the order of their declaration."""
    return tuple(_declared(strategy, name, field) for name, field in strategy.model_fields.items())


def _declared(strategy: type[Strategy], name: str, field: FieldInfo) -> Declared:
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    kind, options = _kind(field.annotation)
    low, high = _bounds(field)
    slider, step = extra.get("slider"), extra.get("step")
    return Declared(
        name=name,
        label=field.alias or name,
        title=field.title or name,
        help=field.description or "",
        unit=str(extra.get("unit") or ""),
        kind=kind,
        default=default_value(strategy, name),
        options=options,
        minimum=low,
        maximum=high,
        slider=(_number(slider[0]), _number(slider[1])) if isinstance(slider, list) else None,
        step=_number(step) if step else (1 if kind == "whole" else 0.01),
    )


def _number(value: object) -> float:
    return value if isinstance(value, int | float) else float(str(value))


def _kind(annotation: object) -> tuple[SettingKind, tuple[str, ...]]:
    origin = get_origin(annotation)
    if origin is Literal:
        return "choice", tuple(str(option) for option in get_args(annotation))
    if origin in (Union, types.UnionType):
        kinds = [_kind(option) for option in get_args(annotation) if option is not type(None)]
        return kinds[0] if len(kinds) == 1 else ("other", ())
    simple: dict[object, SettingKind] = {bool: "switch", int: "whole", float: "decimal", str: "text"}
    if annotation in simple:
        return simple[annotation], ()
    if origin in (tuple, list) and get_args(annotation)[:1] == (str,):
        return "texts", ()
    if isinstance(annotation, type) and issubclass(annotation, Strategy):
        return "strategy", ()
    return "other", ()


def _bounds(field: FieldInfo) -> tuple[float | None, float | None]:
    low: float | None = None
    high: float | None = None
    for constraint in field.metadata:
        if isinstance(constraint, Ge | Gt):
            low = _number(constraint.ge if isinstance(constraint, Ge) else constraint.gt)
        if isinstance(constraint, Le | Lt):
            high = _number(constraint.le if isinstance(constraint, Le) else constraint.lt)
    return low, high
