"""The ranges that a sweep starts with: where these documents are cut differently, found in the
background and remembered. No Streamlit."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from chunking import Config, Document
from chunking.models import steps
from chunking.runtime import in_processes
from chunking.tuning import CUTS, Searched, changing_range, ranges_of_texts, workers_for
from pages.ui.background.jobs import Job, Jobs
from pages.ui.choices.tuning import Range, Sweepable, default_range, possible_together, range_between
from pages.ui.layout.limits import run_limits

Found = tuple[str, tuple[int | float, int | float] | None]
"""A setting, and the range in which the documents change; None where they do not."""
jobs: Jobs[Found] = Jobs()

_MOST_WORK = 100_000_000
"""Characters to cut for one setting; with more, a sweep starts with the range that is declared."""


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


def start_ranges(
    documents: Sequence[Document], config: Config, settings: Sequence[Sweepable], owner: str, patience: float
) -> StartRanges:
    """The ranges of these settings in which the documents change, as far as they are known; what is
    not known begins to be searched, and is waited for this many seconds. Of two settings, one ends
    where it is possible with the other's last value.

    None for a strategy that asks models, and for documents so long that it would take minutes.
    """
    characters = sum(len(each.text) for each in documents)
    if steps(config.strategy) or characters * CUTS > _MOST_WORK:
        return StartRanges({})
    ranges, unchanging, searching = dict[str, Range](), list[str](), False
    until = time.monotonic() + patience
    for setting, job in [(each, _job(documents, config, each, owner)) for each in settings if each.spec.numeric]:
        job.wait(max(0.0, until - time.monotonic()))
        searching = searching or job.running
        for label, ends in job.found:
            if ends:
                ranges[label] = range_between(setting, *ends)
            else:
                unchanging.append(label)
    together = possible_together(config, settings, ranges)
    shortened = tuple(label for label in ranges if together[label] != ranges[label])
    return StartRanges(together, tuple(unchanging), searching, shortened)


def _job(documents: Sequence[Document], config: Config, setting: Sweepable, owner: str) -> Job[Found]:
    texts = tuple((each.name, each.text_hash) for each in documents)
    key = (owner, texts, repr(config), setting.label)
    return jobs.about(key) or jobs.begin(key, 1, _search(documents, config, setting))


def _search(
    documents: Sequence[Document], config: Config, setting: Sweepable
) -> Callable[[Callable[[], bool]], Iterator[Found]]:
    """The search, in a process of its own where it takes long."""
    declared = default_range(setting)
    now = setting.now if isinstance(setting.now, int | float) else declared.low
    kind = int if setting.spec.kind == "whole" else float
    searched = Searched(setting.label, now, kind(declared.low), kind(declared.high), setting.spec.step_apart)

    def finds(stopped: Callable[[], bool]) -> Iterator[Found]:
        if workers_for(documents, CUTS) > 1:
            texts = tuple((each.name, each.text) for each in documents)
            yield from in_processes(ranges_of_texts, [(texts, config, [searched], run_limits())], stopped)
        else:
            yield setting.label, changing_range(documents, config, searched, limits=run_limits())

    return finds
