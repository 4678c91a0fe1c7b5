"""A setting's declaration, read once: its words, its kind, what is legal, and the range worth
dragging over.

The YAML's checks, the JSON Schema, the links, the command line, the docs, the pages, explaining and
tuning all read it here; a strategy declares it with `core.strategy.setting`.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Literal, Union, get_args, get_origin

from annotated_types import Ge, Gt, Le, Lt
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from chunking.config.values import Value
from chunking.core.strategy import Strategy

Number = int | float
SettingKind = Literal["whole", "decimal", "switch", "choice", "text", "texts", "list", "strategy", "other"]

_SIMPLE: dict[object, SettingKind] = {bool: "switch", int: "whole", float: "decimal", str: "text"}


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of what is legal."""

    value: Number
    legal: bool = True
    """Whether the value itself is: `ge` and `le`, not `gt` and `lt`."""


@dataclass(frozen=True, slots=True)
class SettingSpec:
    """One setting of a strategy, as it is declared."""

    name: str
    """In snake_case, as in Python."""
    label: str
    """In camelCase, as in the YAML and on screen."""
    title: str
    help: str
    """The effect of raising it."""
    unit: str
    kind: SettingKind
    """Of the value that it takes beside None."""
    default: object
    """None where it is required."""
    required: bool = False
    optional: bool = False
    """Whether None is legal."""
    choices: tuple[Value, ...] = ()
    """The values of a Literal, wherever in the annotation it stands."""
    lowest: Bound | None = None
    highest: Bound | None = None
    frozen: bool = False
    """Whether a list of values is held as a tuple."""
    only_bounds: bool = True
    """Whether nothing but these bounds and the kind is checked of a value alone."""
    slider: tuple[Number, Number] | None = None
    step: Number = 1
    short: str = ""
    """The title where there is little room; empty where it is short enough."""
    of_documents: bool = False
    """Whether it says what the documents are: no other value is worth trying."""
    unit_from: str = ""
    """The setting that chooses the unit, by its name; empty where `unit` is always it."""
    pinned: bool = False
    """Whether it names what cuts, such as a package's version: no control changes it."""

    @property
    def numeric(self) -> bool:
        """Whether it takes numbers, which a switch does not."""
        return self.kind in ("whole", "decimal")

    @property
    def options(self) -> tuple[str, ...]:
        """The values of a choice as texts."""
        return tuple(str(choice) for choice in self.choices) if self.kind == "choice" else ()

    @property
    def minimum(self) -> Number | None:
        """Where what is legal begins, whether that value is legal itself or not."""
        return self.lowest.value if self.lowest else None

    @property
    def maximum(self) -> Number | None:
        """Where what is legal ends, whether that value is legal itself or not."""
        return self.highest.value if self.highest else None

    @property
    def step_apart(self) -> Number:
        """The least by which two values differ that are not equal."""
        return 1 if self.kind == "whole" else self.step

    @property
    def as_text(self) -> bool:
        """Whether a link says its value as it is, without JSON's quotes."""
        return self.kind in ("text", "choice") and not self.optional

    @property
    def takes(self) -> str:
        """What is legal, in words: "a whole number from 0 to 100"."""
        if self.kind == "choice":
            return _either(self.options)
        if self.numeric:
            return ("a whole number" if self.kind == "whole" else "a number") + self._between()
        words = {"switch": "true or false", "text": "text", "texts": "a list of texts", "list": "a list"}
        return words.get(self.kind, "a strategy" if self.kind == "strategy" else "another kind of value")

    @property
    def range_text(self) -> str:
        """What is legal, in the few words of a screen: "0 or more", "0 to 1", "skip, keep or
        merge"."""
        if self.kind == "choice":
            return _either(self.options) if len(self.options) > 1 else ""
        low, high = number_text(self.minimum), number_text(self.maximum)
        if low and high:
            return f"{low} to {high}"
        return f"{low} or more" if low else f"up to {high}" if high else ""

    def is_default(self, value: object) -> bool:
        """Whether a value is what the setting stands at when it is left out."""
        return not self.required and value == self.default

    def last_legal(self, direction: int) -> Number | None:
        """The lowest (direction -1) or highest (direction 1) legal value; None where no bound is
        itself legal."""
        bound = self.lowest if direction < 0 else self.highest
        return bound.value if bound and bound.legal else None

    def other_values(self, value: object) -> list[object]:
        """The other values of a switch, an enum or a Literal; none for numbers, free text, lists
        and what documents are."""
        if self.of_documents:
            return []
        if isinstance(value, bool):
            return [not value]
        if isinstance(value, Enum):
            return [other for other in type(value) if other is not value]
        return [choice for choice in self.choices if choice != value] if value in self.choices else []

    def unit_among(self, value_of: Callable[[str], object]) -> str:
        """What its number counts, where the other settings have these values."""
        return str(value_of(self.unit_from)) if self.unit_from else self.unit

    def _between(self) -> str:
        low, high = self.lowest, self.highest
        above = f" {'from' if low.legal else 'above'} {low.value}" if low else ""
        below = f" {'to' if high.legal else 'below'} {high.value}" if high else ""
        return above + (below or (" up" if low and low.legal else ""))


@lru_cache(maxsize=256)
def setting_specs(strategy_type: type[Strategy]) -> tuple[SettingSpec, ...]:
    """Every setting of a strategy, in the order they are declared."""
    return tuple(_spec(name, field) for name, field in strategy_type.model_fields.items())


def spec_of(strategy_type: type[Strategy], setting: str) -> SettingSpec | None:
    """One setting by its name in either spelling; None where the strategy has no such setting."""
    return next((spec for spec in setting_specs(strategy_type) if setting in (spec.name, spec.label)), None)


def number_text(number: Number | None) -> str:
    """A number as people write it: no `.0`, nothing for None."""
    return "" if number is None else f"{number:g}" if isinstance(number, float) else str(number)


def _spec(name: str, field: FieldInfo) -> SettingSpec:
    extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
    plain = _without_none(field.annotation)
    kind = _kind(plain)
    low, high = _bounds(field)
    slider, step = extra.get("slider"), extra.get("step")
    required = field.is_required()
    return SettingSpec(
        name=name,
        label=field.alias or to_camel(name),
        title=field.title or name,
        help=field.description or "",
        unit=str(extra.get("unit") or ""),
        kind=kind,
        default=None if required else field.get_default(call_default_factory=True),
        required=required,
        optional=plain is not field.annotation,
        choices=tuple(_literals(field.annotation)),
        lowest=low,
        highest=high,
        frozen=get_origin(plain) is tuple,
        only_bounds=all(isinstance(each, Ge | Gt | Le | Lt) for each in field.metadata),
        slider=(_number(slider[0]), _number(slider[1])) if isinstance(slider, list) and len(slider) == 2 else None,
        step=_number(step) if step else (1 if kind == "whole" else 0.01),
        short=str(extra.get("short") or ""),
        unit_from=str(extra.get("unit_from") or ""),
        of_documents=bool(extra.get("of_documents")),
        pinned=bool(extra.get("pinned")),
    )


def _kind(annotation: object) -> SettingKind:
    """`annotation` is without None."""
    if annotation in _SIMPLE:
        return _SIMPLE[annotation]
    origin = get_origin(annotation)
    if origin is Literal:
        return "choice"
    if origin in (tuple, list, frozenset, Sequence):
        return "texts" if get_args(annotation)[:1] == (str,) else "list"
    return "strategy" if isinstance(annotation, type) and issubclass(annotation, Strategy) else "other"


def _without_none(annotation: object) -> object:
    if get_origin(annotation) in (Union, types.UnionType):
        others = [each for each in get_args(annotation) if each is not type(None)]
        return others[0] if len(others) == 1 else annotation
    return annotation


def _literals(annotation: object) -> list[Value]:
    if get_origin(annotation) is Literal:
        return list(get_args(annotation))
    return [choice for part in get_args(annotation) for choice in _literals(part)]


def _bounds(field: FieldInfo) -> tuple[Bound | None, Bound | None]:
    """The lower and the upper one; of several on one side the last."""
    low: Bound | None = None
    high: Bound | None = None
    for each in field.metadata:
        if isinstance(each, Ge) and isinstance(each.ge, int | float):
            low = Bound(each.ge)
        elif isinstance(each, Gt) and isinstance(each.gt, int | float):
            low = Bound(each.gt, legal=False)
        elif isinstance(each, Le) and isinstance(each.le, int | float):
            high = Bound(each.le)
        elif isinstance(each, Lt) and isinstance(each.lt, int | float):
            high = Bound(each.lt, legal=False)
    return low, high


def _number(value: object) -> Number:
    return value if isinstance(value, int | float) else float(str(value))


def _either(options: Sequence[str]) -> str:
    return " or ".join((", ".join(options[:-1]), options[-1])) if len(options) > 1 else options[0]
