"""A run in a notebook whose thresholds move: sliders over the first chunks, cut again on each move.

`live(document, config)` at the end of a cell shows it. `.run` and `.config` are what it stands at.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TypedDict

import anywidget
import traitlets

from chunking.config.config import Config
from chunking.config.setting_spec import setting_specs
from chunking.document import Document
from chunking.errors import ChunkscopeError
from chunking.runs import Run, run


class Slider(TypedDict):
    """One number of the strategy, as notebook.js draws it."""

    name: str
    title: str
    label: str
    unit: str
    help: str
    value: float
    minimum: float
    maximum: float
    step: float


class LiveRun(anywidget.AnyWidget):  # type: ignore[misc]  # its types are not read
    """A document cut by a config that is changed by sliders."""

    _esm = Path(__file__).with_name("notebook.js")
    sliders = traitlets.List().tag(sync=True)
    view = traitlets.Unicode().tag(sync=True)
    """The first chunks as HTML, in which the document's text is only text."""
    problem = traitlets.Unicode().tag(sync=True)
    """Why values that were chosen cannot be used; what was shown before stays."""
    moved = traitlets.Dict().tag(sync=True)
    """Values by the settings' names, as the browser sends them, with the `sequence` of the move."""
    answered = traitlets.Int().tag(sync=True)
    """The `sequence` of the move that is shown."""

    def __init__(self, document: Document, config: Config) -> None:
        self.run: Run = run(document, config)
        super().__init__(sliders=sliders_of(config), view=self.run._repr_html_())
        self.observe(self._follow, "moved")

    @property
    def config(self) -> Config:
        """The config where the sliders stand."""
        return self.run.config

    def _follow(self, change: Mapping[str, Mapping[str, object]]) -> None:
        moved = dict(change["new"])
        sequence = moved.pop("sequence", 0)
        known = {each["name"] for each in self.sliders}
        values = {name: value for name, value in moved.items() if name in known and isinstance(value, int | float)}
        try:
            self.run = run(self.run.document, self.run.config.with_settings(values))
            self.problem = ""
        except ChunkscopeError as error:
            self.problem = str(error)
        self.view = self.run._repr_html_()
        self.answered = sequence if isinstance(sequence, int) else 0


def live(document: Document, config: Config) -> LiveRun:
    """A run with sliders for the strategy's numbers. Raises ChunkscopeError as `run` does."""
    return LiveRun(document, config)


def sliders_of(config: Config) -> list[Slider]:
    """The numbers of the config's strategy, where they stand and how far they go."""
    sliders = []
    for spec in setting_specs(type(config.strategy)):
        value = getattr(config.strategy, spec.name)
        if not spec.numeric or not isinstance(value, int | float):
            continue
        low, high = spec.slider or (spec.minimum or 0, spec.maximum or max(4 * value, 1))
        sliders.append(
            Slider(
                name=spec.name,
                title=spec.title,
                label=spec.label,
                unit=spec.unit_among(partial(getattr, config.strategy)),
                help=spec.help,
                value=value,
                minimum=min(low, value),
                maximum=max(high, value),
                step=spec.step,
            )
        )
    return sliders
