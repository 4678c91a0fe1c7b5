"""How long one thread keeps all others from running: `python -m benchmarks.lock_holding`.

Each text of shapes.py is parsed, indexed and cut in a thread; meanwhile another one wakes every
5 ms. The CPU time that the process had between two of its wakes is what one call of C, or the
garbage collector, took without letting go of the interpreter's lock; where the other thread was
then is said beside what took too long. The thread that wakes goes before others on the machine
where that is allowed (as root). Other programs can delay a wake all the same, but hardly each time
at the same place: of several rounds, the one counts whose longest time is the shortest. More than
100 ms ends it with exit code 1. The collector is set as in the app. With `--app`, what the app does
with a document of 10 MB instead; with `--uploads`, what it does with the files of uploads.py.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Event, Thread, get_native_id
from typing import NamedTuple

from benchmarks.growth import LIMITS, configs, measured_names
from benchmarks.shapes import SHAPES
from benchmarks.texts import text_of
from benchmarks.uploads import work_with_uploads
from chunking import Config, RunLimits
from chunking.errors import RunLimitError
from chunking.report import html_report
from chunking.runtime import memory, within
from chunking.tokens import counter, token_index
from pages.ui.choices.samples import Source
from pages.ui.layout import caches

TOO_LONG = 0.1
"""Seconds."""
COUNTERS = ("cl100k_base", "minilm", "words")
_SIZE = 1_000_000
_WAKES_EVERY = 0.005
_ROUNDS = 3
_STEPS = 3
"""Lines of a thread that are said."""
_NICE = -10
_AT_MOST = RunLimits(seconds=20)
"""How much of one cut is measured: a longer one goes on in the same way."""
_OF_APP = Config.of("hierarchical", {})


class Wait(NamedTuple):
    """How long others had to wait for a piece of work."""

    seconds: float
    """The longest time."""
    work: float
    """CPU seconds of all of it."""
    place: str
    """Where the longest ended: file and line, with those that called."""


class Held(NamedTuple):
    """One shape, what was done with it, and for how long others had to wait at most."""

    shape: str
    what: str
    counter: str
    limit: int
    wait: Wait


def held_by(
    shapes: Sequence[str], names: Sequence[str], counters: Sequence[str], limits: Sequence[int], size: int
) -> Iterator[Held]:
    """Each shape: parsed, indexed by each counter, cut by each strategy with each counter and
    limit."""
    for shape in shapes:
        text = partial(_text, shape, size)
        yield Held(shape, "parse", "", 0, _least(partial(_to_parse, text)))
        for by in counters:
            yield Held(shape, "index", by, 0, _least(partial(_to_index, text, by)))
            for config, name, limit in configs(names, by, limits):
                yield Held(shape, name, by, limit, _least(partial(_to_cut, text, config)))


def held_in_app(size: int) -> Iterator[Held]:
    """What a page does with a document that was uploaded: as in a session, with one document after
    another until nothing took too long."""
    counter(_OF_APP.counter)("loaded before")
    least: dict[str, Wait] = {}
    for number in range(_ROUNDS):
        for what, work in _parts_of_app(f"{text_of(size, None)}\n\n{number}\n"):
            found = longest_wait(work)
            least[what] = min(least.get(what, found), found)
        if max(least.values())[0] <= TOO_LONG:
            break
    for what, found in least.items():
        yield Held(f"{size:,} characters", what, _OF_APP.counter, 0, found)


def held_by_uploads(names: Sequence[str]) -> Iterator[Held]:
    """What the app does with each file that a person may give it, up to its limit; all, or those
    whose name has one of these words in it."""
    for name, work in work_with_uploads():
        if not names or any(each in name for each in names):
            bounded = partial(_bounded, work)
            yield Held(name, "upload", "", 0, _least(lambda bounded=bounded: bounded))  # type: ignore[misc]


def _bounded(work: Callable[[], object]) -> None:
    with suppress(RunLimitError):
        within(_AT_MOST, work)


def _parts_of_app(text: str) -> Iterator[tuple[str, Callable[[], object]]]:
    source = Source("large.md", "", text)
    yield "open", lambda: caches.document(source, _OF_APP.counter)
    document = caches.document(source)
    yield "run", partial(caches.run, document, _OF_APP)
    cut = caches.run(document, _OF_APP)
    yield "health", partial(caches.health_of, cut)
    yield "explanation", partial(caches.explanation, cut, len(text) // 2)
    yield "report", partial(html_report, cut)
    yield "garbage", gc.collect
    held: list[object] = [document, cut]
    del document, cut
    yield "forget", partial(_forget, held)


def _forget(held: list[object]) -> None:
    """Forget all documents, these too, and wait until they are freed."""
    held.clear()
    memory.clear()
    while any(each.name == "freeing" for each in threading.enumerate()):
        time.sleep(_WAKES_EVERY)


def _to_parse(text: Callable[[], str]) -> Callable[[], object]:
    return partial(caches.document, Source("large.md", "", text()))


def _to_index(text: Callable[[], str], by: str) -> Callable[[], object]:
    count = counter(by)
    count("loaded before")
    return partial(token_index, text(), count)


def _to_cut(text: Callable[[], str], config: Config) -> Callable[[], object]:
    _forget([])  # so that nothing of before goes meanwhile
    document = caches.document(Source("large.md", "", text()), config.counter)

    return partial(_bounded, partial(caches.run, document, config))


def _text(shape: str, size: int) -> str:
    """A text of its own each time: what is remembered of another is no help."""
    return f"{SHAPES[shape](size)}\n\n{time.monotonic_ns()}\n"


def _least(prepared: Callable[[], Callable[[], object]]) -> Wait:
    """The shortest, over rounds, of the longest waits. One round is enough where it is short."""
    found: list[Wait] = []
    while len(found) < _ROUNDS and min(found, default=(TOO_LONG,))[0] >= TOO_LONG:
        found.append(longest_wait(prepared()))
    return min(found)


def longest_wait(work: Callable[[], object]) -> Wait:
    """The most CPU seconds between two wakes of this thread while `work` is done in another."""
    begins, done = Event(), Event()

    def working() -> None:
        _be_nice(0)
        begins.wait()
        try:
            work()
        finally:
            done.set()

    worker = Thread(target=working)
    worker.start()
    began = last = time.process_time()
    longest, place, going = 0.0, "", True
    begins.set()
    while going:
        going = not done.wait(_WAKES_EVERY)
        now = time.process_time()
        if now - last > longest:
            longest, place = now - last, _place_of(worker)
        last = now
    worker.join()
    return Wait(longest, last - began, place)


def _place_of(worker: Thread) -> str:
    """Where a thread is, and the two lines that called that."""
    frame = sys._current_frames().get(worker.ident or 0)
    steps: list[str] = []
    while frame is not None and len(steps) < _STEPS:
        steps.append(f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}")
        frame = frame.f_back
    return " < ".join(steps)


def _be_nice(nice: int) -> None:
    """How nice this thread is to others, below 0 for one that runs as soon as it wakes; as it was
    where the system does not allow it. A new thread is as nice as the one that starts it."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, get_native_id(), nice)


def main() -> int:
    """Print what was held, the longest last; 1 when it is too long."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.lock_holding", description=__doc__)
    parser.add_argument("--size", type=int, default=_SIZE, help="characters")
    parser.add_argument("--strategy", choices=measured_names(), action="append")
    parser.add_argument("--shape", choices=[*SHAPES], action="append")
    parser.add_argument("--counter", action="append", help=f"left out: {', '.join(COUNTERS)}")
    parser.add_argument("--limit", type=int, action="append", help=f"left out: {', '.join(map(str, LIMITS[:2]))}")
    parser.add_argument("--app", action="store_true", help="what the app does with one document")
    parser.add_argument("--uploads", nargs="*", metavar="WORD", help="what it does with files; those with such a word")
    chosen = parser.parse_args()
    _be_nice(_NICE)
    caches.collect_rarely()
    idle = longest_wait(lambda: time.sleep(1.0)).seconds
    print(f"while nothing is done: {idle * 1000:.0f} ms")
    worst = None
    limits = chosen.limit if chosen.limit is not None else LIMITS[:2]
    measured = (
        held_in_app(10 * chosen.size)
        if chosen.app
        else held_by_uploads(chosen.uploads)
        if chosen.uploads is not None
        else held_by(
            chosen.shape or [*SHAPES],
            chosen.strategy or measured_names(),
            chosen.counter or COUNTERS,
            limits,
            chosen.size,
        )
    )
    for held in measured:
        print(_line(held), flush=True)
        worst = held if worst is None or held.wait.seconds > worst.wait.seconds else worst
    if worst is None:
        return 0
    print(f"longest: {_line(worst)}")
    return int(worst.wait.seconds > TOO_LONG)


def _line(held: Held) -> str:
    where = f"{held.shape:40} {held.what:16} {held.counter:12} {held.limit or '':>3}"
    wait = held.wait
    mark = f"  too long, until {wait.place}" if wait.seconds > TOO_LONG else ""
    return f"{where} {wait.seconds * 1000:6.0f} ms of {wait.work:6.2f} s{mark}"


if __name__ == "__main__":
    sys.exit(main())
