"""The run to show: where cutting fails, the error and the last good run."""

from __future__ import annotations

from dataclasses import dataclass, replace

from chunking import ChunkscopeError, Config, Document, Run
from chunking.errors import ModelError
from pages.ui import state
from pages.ui.layout import caches


@dataclass(frozen=True, slots=True)
class Shown:
    """The run on screen, and why it is not the one that was asked for."""

    run: Run
    problem: str = ""
    """Why the config could not be run. Empty where only a model's answers are missing: that is said
    beside the setting that names the model."""
    waits: bool = False
    """Whether a model has to answer first; the run is then an older one, or one chunk for each
    heading."""


def shown(document: Document, config: Config) -> Shown:
    """The document cut as the config says; where that fails, its last good run, or one chunk per
    heading."""
    try:
        run = caches.run(document, config)
    except ChunkscopeError as error:
        last = state.last_good(document, config.strategy) or caches.run(document, _each_heading(config))
        waits = isinstance(error, ModelError)
        other = last.config.strategy.name != config.strategy.name
        problem = f"{error}; what is shown is cut by {last.config.strategy.title}" if other else str(error)
        return Shown(last, "" if waits else problem, waits)
    state.remember(run)
    return Shown(run)


def _each_heading(config: Config) -> Config:
    return replace(Config.of("every-heading", {}), loader=config.loader)
