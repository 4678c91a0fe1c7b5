"""The search space of auto-tune: strategies, and the values that each of their settings may
take."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from chunking import strategies
from chunking.config.config import Config
from chunking.config.setting_spec import SettingSpec, setting_specs
from chunking.config.validation import plain_settings
from chunking.config.values import Value
from chunking.document import Document
from chunking.document.loader_settings import NO_LOADER, LoaderSettings
from chunking.document.source_files import fence_language
from chunking.errors import ConfigError, SettingError
from chunking.models.requests import steps
from chunking.tuning.sweeps import Axis

COUNTER = "cl100k_base"
"""Counts for every config that is tried: tokens of one kind, so that limits and costs compare."""
_STEPS = (0.0, 0.02, 0.05, 0.1, 0.15, 0.25, 0.4, 0.6, 0.8, 1.0)
"""Positions on a slider's range, 0 to 1, at which a number is tried: closer together at the low
end."""


@dataclass(frozen=True)
class Options:
    """One strategy's part of the space."""

    config: Config
    """The config of the settings that are not varied."""
    axes: tuple[Axis, ...]

    @property
    def possible(self) -> int:
        """How many combinations there are."""
        return prod(len(axis.values) for axis in self.axes)

    def __contains__(self, config: Config) -> bool:
        """Whether it is one of these combinations."""
        if config.strategy.name != self.config.strategy.name:
            return False
        settings = plain_settings(config.strategy)
        varied = {axis.setting: settings[axis.setting] for axis in self.axes}
        inside = all(varied[axis.setting] in axis.values for axis in self.axes)
        return inside and self.config.with_settings(varied) == config

    def at(self, places: Sequence[int]) -> Config | None:
        """The config at these places of the axes; None where the values are illegal together."""
        values = {axis.setting: axis.values[place] for axis, place in zip(self.axes, places, strict=True)}
        try:
            return self.config.with_settings(values)
        except ConfigError:
            return None


@dataclass(frozen=True)
class Space:
    """All configs that may be tried."""

    options: tuple[Options, ...]

    @property
    def possible(self) -> int:
        """How many configs there are, those included that are illegal."""
        return sum(each.possible for each in self.options)

    def suited_to(self, documents: Sequence[Document]) -> Space:
        """Without the strategies that are made for source code (`file_types`), where more than half
        of the documents' text is something else."""
        if sum(map(_source_length, documents)) * 2 > sum(len(each.text) for each in documents):
            return self
        return Space(tuple(each for each in self.options if not each.config.strategy.file_types))

    def all(self) -> Iterator[Config]:
        """Every legal config, strategy by strategy."""
        for options in self.options:
            for places in product(*(range(len(axis.values)) for axis in options.axes)):
                config = options.at(places)
                if config:
                    yield config


def space_of(names: Sequence[str] = (), counter: str = COUNTER, loader: LoaderSettings = NO_LOADER) -> Space:
    """The space of these strategies' own settings; without names, of all that need no model and
    wrap no other. Every config has this counter, and this loader.

    Raises UnknownStrategyError.
    """
    chosen = [strategies.get(name) for name in names or strategies.names()]
    if not names:
        chosen = [made for made in chosen if not made.describes and not steps(made())]
    return Space(tuple(options_of(Config(made(), counter, loader=loader)) for made in chosen))


def options_of(config: Config) -> Options:
    """A config's numbers, switches and choices, each over the values worth trying and its present
    one. Whose model is asked is for a person to choose: that stays as it is."""
    axes = []
    for spec in setting_specs(type(config.strategy)):
        if spec.slider and spec.numeric:
            low, high = spec.slider
            present = getattr(config.strategy, spec.name)
            axes.append(Axis(spec.label, _numbers(float(low), float(high), present, whole=spec.kind == "whole")))
        elif spec.kind == "switch":
            axes.append(Axis(spec.label, (False, True)))
        elif spec.kind == "choice" and not spec.of_documents and not _says_who_is_asked(config, spec):
            axes.append(Axis(spec.label, spec.choices))
    return Options(config, tuple(axes))


def _source_length(document: Document) -> int:
    """Characters of source code: a whole source file, or fences that name a language."""
    if document.language:
        return len(document.text)
    fences = (block.span for block in document.blocks if block.kind == "code")
    return sum(span.end - span.start for span in fences if fence_language(document[span]))


def _says_who_is_asked(config: Config, spec: SettingSpec) -> bool:
    """Whether a model is asked at some value of this choice, because of it."""
    made = (Options(config, (Axis(spec.label, spec.choices),)).at([at]) for at in range(len(spec.choices)))
    return any(asked.setting == spec.name for each in made if each for asked in each.strategy.model_requests())


def explicit(config: Config, axes: Sequence[Axis]) -> Space:
    """A space of exactly these values. Raises SettingError for one setting twice."""
    named = [axis.setting for axis in axes]
    if len(set(named)) < len(named):
        raise SettingError(named[0], "is given twice; give all its values at once")
    return Space((Options(config, tuple(axes)),))


def _numbers(low: float, high: float, present: Value, *, whole: bool) -> tuple[Value, ...]:
    spread = [low + (high - low) * step for step in _STEPS]
    values = {two_digits(value) if whole else round(value, 4) for value in spread}
    return tuple(sorted({*values, *([present] if isinstance(present, int | float) else [])}))


def two_digits(value: float) -> int:
    """Rounded as a person would choose: 326.4 is 330."""
    return int(round(value, min(0, 2 - len(str(round(abs(value)))))))
