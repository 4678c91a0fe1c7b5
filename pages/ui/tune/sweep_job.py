"""The sweeps of the Tune page: what one is about, begun in the background, and what it has found so
far.

No Streamlit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from chunking import Config, Document, Tools
from chunking.config import Value
from chunking.gold import Question, WholeMark
from chunking.models import steps
from chunking.tokens import counter as counter_named
from chunking.tuning import Axis, Cell, grid, sweep, with_summary, workers_for
from pages.ui.background.jobs import Job, Jobs, known
from pages.ui.layout.limits import run_limits

jobs: Jobs[Cell] = Jobs()

_QUICK = 3_000_000
"""Characters to cut, over all documents and combinations, up to which a sweep takes under a
second."""


@dataclass(frozen=True)
class SweepRequest:
    """A sweep: these documents, this config with these axes, and what is known of the documents."""

    documents: tuple[Document, ...]
    config: Config
    axes: tuple[Axis, ...]
    questions: tuple[Question, ...] = ()
    whole: tuple[WholeMark, ...] = ()
    answers: int = 0
    """How often models had answered when it was asked: what is cut with more of them may be cut
    otherwise."""
    owner: str = ""
    """Who asked: nobody else sees it."""

    @cached_property
    def on(self) -> tuple[str, ...]:
        """Whose the numbers are, and what they depend on besides the config: hashes of the texts
        and of the marks."""
        marks = sha256(repr((self.questions, self.whole, self.answers)).encode()).hexdigest()
        return (self.owner, *(f"{each.name}:{each.text_hash}" for each in self.documents), marks)

    @cached_property
    def key(self) -> tuple[str, ...]:
        return (*self.on, repr(self.config), repr(self.axes))

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Every combination, before anything is measured. Raises SettingError for axes without
        cells."""
        return tuple(grid(self.config, self.axes))


@dataclass(frozen=True, slots=True)
class SweepProgress:
    """What is known of a sweep now."""

    cells: tuple[Cell, ...]
    """One for each combination, in the axes' order; those not measured yet have no documents."""
    measured: int
    """How many of them are done with, the illegal ones included."""
    job: Job[Cell] | None

    @property
    def complete(self) -> bool:
        return self.measured == len(self.cells)

    @property
    def begun(self) -> bool:
        """Whether anything is measured yet."""
        return any(cell.documents for cell in self.cells)

    @property
    def running(self) -> bool:
        return self.job is not None and self.job.running

    def cell(self, values: Sequence[Value] | None) -> Cell | None:
        """The measured cell with these values."""
        found = next((each for each in self.cells if each.values == values), None)
        return found if found and found.documents else None


def progress_of(request: SweepRequest) -> SweepProgress:
    """What was found so far, in this session of the owner or another; of several documents, by
    those that are measured."""
    job = jobs.about(request.key)
    running = {cell.at: cell for cell in job.found} if job else {}
    cells, measured = [], 0
    for cell in request.cells:
        numbers = known.of(request.on, cell.config) if cell.config else None
        filled = with_summary(cell, numbers) if numbers else running.get(cell.at, cell)
        measured += bool(filled.error or filled.documents == len(request.documents))
        cells.append(filled)
    return SweepProgress(tuple(cells), measured, job)


def is_quick(request: SweepRequest) -> bool:
    """Whether it is measured in under a second, asks no model, and was not begun yet."""
    characters = sum(len(each.text) for each in request.documents)
    if steps(request.config.strategy) or characters * len(request.cells) > _QUICK:
        return False
    return jobs.about(request.key) is None and not progress_of(request).complete


def begin(request: SweepRequest) -> Job[Cell]:
    """Measure what is not known yet, in the background."""
    there = {
        cell.at: numbers for cell in request.cells if cell.config and (numbers := known.of(request.on, cell.config))
    }

    def finds(stopped: Callable[[], bool]) -> Iterator[Cell]:
        for cell in sweep(
            request.documents,
            request.config,
            request.axes,
            gold=request.questions,
            whole=request.whole,
            tools=Tools(counter_named(request.config.counter), asks_models=False),
            workers=workers_for(request.documents, len(request.cells) - len(there)),
            stopped=stopped,
            known=there,
            limits=run_limits(),
        ):
            if cell.config and cell.documents == len(request.documents):
                known.keep(request.on, cell.config, cell)
            yield cell

    return jobs.begin(request.key, len(request.cells), finds)
