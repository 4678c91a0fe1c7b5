"""The ranges that a sweep starts with: where these documents are cut differently, found in the
background and remembered. No Streamlit."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chunking import Config, Document
from chunking.config import Value
from chunking.models import steps
from chunking.runtime import in_processes
from chunking.tuning import CUTS, ChangingRange, Searched, changing_ranges, ranges_of_texts, workers_for
from pages.ui.background.jobs import Job, Jobs
from pages.ui.choices.tuning import Range, Sweepable, default_range, possible_together, range_between
from pages.ui.layout.limits import run_limits

Found = tuple[str, ChangingRange | None]
"""A setting, and the range in which the documents change; None where they do not."""
jobs: Jobs[Found] = Jobs()

_MOST_WORK = 200_000_000
"""Characters to cut; with more, a sweep starts with the range that is declared."""
_FAR = 100
"""Times the usual end of a range: so far it is searched for a setting that has no maximum."""


@dataclass(frozen=True, slots=True)
class StartRanges:
    """What is known of the ranges to start with."""

    ranges: Mapping[str, Range]
    """By setting."""
    unchanging: tuple[str, ...] = ()
    """The settings no value of which changes a chunk."""
    searching: bool = False
    shortened: tuple[str, ...] = ()
    """The settings whose range ends where it is possible with the other's, not where the documents
    no longer change."""
    below: tuple[str, ...] = ()
    """The settings of which smaller values than those of the range change chunks as well."""
    above: tuple[str, ...] = ()
    """Those of which larger values do."""


def start_ranges(
    documents: Sequence[Document],
    config: Config,
    settings: Sequence[Sweepable],
    chosen: Collection[str],
    owner: str,
    patience: float,
) -> StartRanges:
    """The ranges of these settings in which the documents change, as far as they are known; what is
    not known begins to be searched, and is waited for this many seconds. Of two settings, one ends
    where it is possible with the other's last value. Those whose range was `chosen` have none.

    None for a strategy that asks models, and for documents so long that it would take minutes.
    """
    characters = sum(len(each.text) for each in documents)
    free = {each.label: each for each in settings if each.spec.numeric and each.label not in chosen}
    if not free or steps(config.strategy) or characters * CUTS > _MOST_WORK:
        return StartRanges({})
    job = _job(documents, config, settings, owner)
    job.wait(patience)
    found = {label: over for label, over in job.found if label in free}
    ranges = {label: range_between(free[label], over.low, over.high) for label, over in found.items() if over}
    together = possible_together(config, settings, ranges)
    return StartRanges(
        together,
        tuple(label for label, over in found.items() if over is None),
        job.running,
        tuple(label for label in ranges if together[label] != ranges[label]),
        tuple(label for label, over in found.items() if over and over.below),
        tuple(label for label, over in found.items() if over and over.above),
    )


def _job(documents: Sequence[Document], config: Config, settings: Sequence[Sweepable], owner: str) -> Job[Found]:
    texts = tuple((each.name, each.text_hash) for each in documents)
    key = (owner, texts, repr(config), *(each.label for each in settings))
    return jobs.about(key) or jobs.begin(key, len(settings), _search(documents, config, settings))


def _search(
    documents: Sequence[Document], config: Config, settings: Sequence[Sweepable]
) -> Callable[[Callable[[], bool]], Iterator[Found]]:
    """The search, in a process of its own where it takes long."""
    searched = [_searched(each) for each in settings]

    def finds(stopped: Callable[[], bool]) -> Iterator[Found]:
        if workers_for(documents, CUTS) > 1:
            texts = tuple((each.name, each.text) for each in documents)
            yield from in_processes(ranges_of_texts, [(texts, config, searched, run_limits())], stopped)
        else:
            yield from changing_ranges(documents, config, searched, limits=run_limits()).items()

    return finds


def _searched(of: Sweepable) -> Searched:
    if not of.spec.numeric:
        choices: tuple[Value, ...] = (False, True) if of.spec.kind == "switch" else of.spec.options
        return Searched(of.label, of.now, choices=choices)
    kind, usual = int if of.spec.kind == "whole" else float, default_range(of)
    low, high = kind(usual.low), kind(usual.high)
    now = of.now if isinstance(of.now, int | float) else low
    most = high * _FAR if of.spec.maximum is None else kind(of.spec.maximum)
    return Searched(of.label, now, low, high, of.spec.step_apart, of.spec.minimum, most)
