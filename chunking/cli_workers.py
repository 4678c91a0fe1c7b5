"""Many documents cut one after another, here or in several processes; the results keep their order either way."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from chunking.asking import announced
from chunking.cli_inputs import places
from chunking.cli_terminal import Trouble, complain
from chunking.collecting import this_program_is_ours
from chunking.config import Config
from chunking.errors import DocumentError, StrategyError
from chunking.loading import Found, read
from chunking.records import Fingerprint, Record, records
from chunking.runs import stream
from chunking.tokens import counter
from chunking.tools import Progress, Tools

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Cut:
    """One document's records as they come."""

    name: str
    path: Path
    records: Iterable[Record]
    """Chunks and skips in order, proven to tile the document while they are taken."""
    warnings: list[str]
    """Complete once the records have been taken."""
    fingerprint: Fingerprint | None = None
    """As complete as the warnings; None unless a proof was wanted."""


def cut_all(
    paths: Sequence[Path],
    config: Config,
    workers: int,
    trouble: Trouble,
    *,
    proven: bool = False,
    progress: Progress | None = None,
) -> Iterator[Cut]:
    """Every document under the paths, cut. One that cannot be read is reported and left out; the others go on.

    `progress` is told how far models have come, where there is one process. What is sent to a server is said before.
    With more than one worker each document is read, parsed and cut in a process of its own, a few ahead of the reader.
    """
    found = places(paths, trouble)
    cut = partial(_cut, config=config, proven=proven)
    results = (
        map(partial(cut, progress=progress), found)
        if workers == 1
        else in_processes(found, partial(_cut_whole, config=config, proven=proven), workers)
    )
    for result in results:
        if isinstance(result, DocumentError):
            trouble.report(result)
        else:
            yield result


def _cut(found: Found, config: Config, *, proven: bool, progress: Progress | None = None) -> Cut | DocumentError:
    try:
        document = read(found)
    except DocumentError as error:
        return error
    tools = Tools(counter(config.counter), progress=progress)
    warnings = list(document.warnings)
    fingerprint = Fingerprint() if proven else None

    def told() -> Iterator[Record]:
        announced(config.strategy, document, tools, complain)
        parts = stream(document, config, tools)
        yield from records(fingerprint.through(parts, document) if fingerprint else parts, document)
        warnings.extend(tools.warnings)

    return Cut(found.name, found.path, told(), warnings, fingerprint)


def _cut_whole(found: Found, config: Config, *, proven: bool) -> Cut | DocumentError:
    """As `_cut`, with the records in a list, so that they can travel between processes."""
    cut = _cut(found, config, proven=proven)
    return cut if isinstance(cut, DocumentError) else replace(cut, records=list(cut.records))


def in_processes(things: Iterable[T], work: Callable[[T], R], workers: int) -> Iterator[R]:
    """What `work` makes of each thing, in order; at most two a worker under way, so that memory does not grow with
    the folder."""
    under_way: deque[Future[R]] = deque()
    pool = ProcessPoolExecutor(workers, initializer=_die_quietly)
    try:
        for thing in things:
            under_way.append(pool.submit(work, thing))
            if len(under_way) >= 2 * workers:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()
    except BrokenProcessPool as error:
        raise StrategyError(
            "a worker process was ended from outside; take fewer --workers to use less memory"
        ) from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _die_quietly() -> None:
    """Ctrl-C ends a worker at once; the one line about it is the parent's to say."""
    this_program_is_ours()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
