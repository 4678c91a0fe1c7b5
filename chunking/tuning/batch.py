"""Measuring many configs on the same documents, in this process or in several.

Each text is parsed and tokenized once in each process, whatever the number of configs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence

from chunking.config.config import Config
from chunking.document import Document
from chunking.document.parser import parse
from chunking.gold.questions import Question, WholeMark
from chunking.models.access import Tools
from chunking.models.requests import steps
from chunking.runs import run
from chunking.runtime.faults import document_fault
from chunking.runtime.processes import in_processes
from chunking.runtime.run_limits import NO_LIMITS, RunLimits
from chunking.tokens import counter
from chunking.tuning.summary import ConfigSummary, SummaryBuilder

Progress = Callable[[int, int], None]
_WORTH_A_PROCESS = 20_000_000
"""Characters to cut, over all documents and configs, from which several processes are faster: each
takes a second to start, and parses and tokenizes every text itself."""


def workers_for(documents: Sequence[Document], cells: int) -> int:
    """How many processes to use for this much work: 1 (this one only) or 2."""
    characters = sum(len(document.text) for document in documents)
    return min(2, os.cpu_count() or 1) if characters * cells >= _WORTH_A_PROCESS else 1


def measure_all(
    documents: Sequence[Document],
    configs: Sequence[Config],
    *,
    gold: Sequence[Question] = (),
    whole: Sequence[WholeMark] = (),
    tools: Tools | None = None,
    workers: int = 1,
    progress: Progress | None = None,
    stopped: Callable[[], bool] | None = None,
    goes_on: bool = False,
    limits: RunLimits = NO_LIMITS,
) -> Iterator[tuple[int, ConfigSummary]]:
    """Yields the index of a config in `configs` and its summary.

    In this process, each config is yielded once per document, with the numbers over all documents
    so far. With `workers` above 1, it is yielded once, when all documents are measured, in any
    order; closing the iterator ends the processes. If any config calls models or is of another
    package, all are measured in this process. `progress` is called with the cuts done and their
    total; measuring ends when `stopped` returns True. With `goes_on`, an error in a document is one
    of the numbers' faults; otherwise it is raised.
    """
    if workers > 1 and all(map(_travels, configs)) and len(configs) > 1:
        yield from _in_processes(
            documents, configs, gold, whole, min(workers, len(configs)), progress, stopped, goes_on, limits
        )
        return
    builders = [SummaryBuilder(config) for config in configs]
    done, total = 0, len(configs) * len(documents)
    lent: dict[str, Tools] = {}
    # Documents outside, configs inside: the index of a document is needed for all of them, and then
    # never again.
    for document in documents:
        for number, (config, builder) in enumerate(zip(configs, builders, strict=True)):
            if stopped and stopped():
                return
            shared = tools or lent.setdefault(config.counter, Tools(counter(config.counter)))
            # Fresh numbering of repeats for each run; the same vectors, and each warning once.
            add_run(builder, document, gold, whole, tools=shared.for_base(), goes_on=goes_on, limits=limits)
            done += 1
            if progress:
                progress(done, total)
            yield number, builder.summary()


def _travels(config: Config) -> bool:
    """Whether another process can measure a config: it can import the strategy, which calls no
    model."""
    return type(config.strategy).__module__.startswith("chunking.") and not steps(config.strategy)


def _in_processes(
    documents: Sequence[Document],
    configs: Sequence[Config],
    gold: Sequence[Question],
    whole: Sequence[WholeMark],
    workers: int,
    progress: Progress | None,
    stopped: Callable[[], bool] | None,
    goes_on: bool,
    limits: RunLimits,
) -> Iterator[tuple[int, ConfigSummary]]:
    """Each process measures every n-th config, so that all regions of a sweep fill in evenly."""
    texts = tuple((document.name, document.text) for document in documents)
    numbered = list(enumerate(configs))
    more = (tuple(gold), tuple(whole), goes_on, limits)
    shares = [(texts, numbered[worker::workers], *more) for worker in range(workers)]
    for done, result in enumerate(in_processes(measured_share, shares, stopped), start=1):
        if progress:
            progress(done * len(documents), len(configs) * len(documents))
        yield result


def measured_share(
    texts: Sequence[tuple[str, str]],
    configs: Sequence[tuple[int, Config]],
    gold: Sequence[Question],
    whole: Sequence[WholeMark],
    goes_on: bool = False,
    limits: RunLimits = NO_LIMITS,
) -> Iterator[tuple[int, ConfigSummary]]:
    """The work of one process: yields each config's index and summary; `texts` are pairs of name
    and text."""
    documents = [parse(text, name) for name, text in texts]
    for number, config in configs:
        builder = SummaryBuilder(config)
        for document in documents:
            add_run(builder, document, gold, whole, goes_on=goes_on, limits=limits)
        yield number, builder.summary()


def add_run(
    builder: SummaryBuilder,
    document: Document,
    gold: Sequence[Question],
    whole: Sequence[WholeMark],
    *,
    tools: Tools | None = None,
    goes_on: bool,
    limits: RunLimits = NO_LIMITS,
) -> None:
    """Cut one document and add the run; with `goes_on` an error is added as a fault instead."""
    try:
        made = run(document, builder.config, tools, limits=limits)
    except BaseException as error:
        if not goes_on:
            raise
        builder.faults.append(str(document_fault(error, document.name)))
    else:
        builder.add(made, gold, whole)
