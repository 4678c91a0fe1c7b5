"""Processes that hold the documents of corpora, parsed and counted, and cut them again on every
move of a threshold.

Each has its share of a corpus by size. A corpus is known by its documents: who opens the same one
shares it. What is held counts in the memory for documents; the corpus that was used longest ago
goes first, and one that nobody has open any more goes at once.

A small corpus is held by a thread of the server: it is cut in less time than it takes to begin a
process.
"""

from __future__ import annotations

import math
import os
import sys
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from threading import Lock, Timer
from typing import Protocol, TypeVar

from chunking import ChunkscopeError, Config
from chunking.analysis import DocumentFigures, FailedCheck
from chunking.config import Override
from chunking.errors import ConfigError, RunLimitError, StrategyError
from chunking.runtime import VARIABLE, WorkerPool, memory
from chunking.text import counted
from pages.ui.background import held_corpus
from pages.ui.choices.corpus import sample_of
from pages.ui.choices.samples import Source

Result = TypeVar("Result")

_MOST = 4
"""Processes."""
_MB = 1_000_000
_BYTES_A_CHARACTER = 13
"""What a document, its token index and what is remembered of it take besides its text: 8 to 13
measured, by strategy."""
_LONG = 1 << 16
"""Characters from which on numbers of a document do not fit 16 bits."""
_BYTES_OF_A_LONG_ONE = 18
"""The same for a document of so many: 9 to 22 measured."""
_AT_ONCE = 1 << 40
"""Characters of a batch without end."""
_BATCH = 250_000
"""Characters that a process cuts between two looks at whether they are still wanted."""
_SMALL = 250_000
"""Characters of a corpus that the server cuts itself: 0.1 s of work at first, 0.03 s again."""
_CHECKED_AT_ONCE = 60_000
"""The same for checks, which take longer for each character."""
_GIVES_WAY = 1.0
"""Seconds after documents were cut for which checks wait: another move may come, or the page is
drawn."""
_AHEAD = 2
"""Batches that a process is given at a time: it goes on with the second while the server, which
may be drawing a page, has not yet taken what came of the first."""
_LINGERS = 60.0
"""Seconds for which the processes wait for another corpus."""
_POLL = 0.05


@dataclass(frozen=True)
class Corpus:
    """Documents in their order."""

    documents: tuple[Source, ...]

    @cached_property
    def key(self) -> str:
        """Of the names and texts."""
        names = "\n".join(f"{each.hash} {each.name}" for each in self.documents)
        return sha256(names.encode("utf-8", "surrogatepass")).hexdigest()

    @cached_property
    def characters(self) -> int:
        return sum(len(each.text) for each in self.documents)

    @property
    def small(self) -> bool:
        """Whether the server holds it itself."""
        return self.characters <= _SMALL

    @cached_property
    def size(self) -> int:
        """Bytes that the processes take for the documents: an estimate. A text takes 1, 2 or 4 a
        character, by its widest one."""
        return sum(
            sys.getsizeof(each.text[1:])  # of a copy: what was encoded once holds its bytes, too
            + (_BYTES_OF_A_LONG_ONE if len(each.text) >= _LONG else _BYTES_A_CHARACTER) * len(each.text)
            for each in self.documents
        )

    @cached_property
    def sample(self) -> tuple[int, ...]:
        """The numbers of the documents that follow a drag."""
        return sample_of(self.documents)


@dataclass(frozen=True)
class Cuts:
    """What each document of a corpus is cut with."""

    config: Config
    """Without overrides."""
    overrides: tuple[Override, ...]
    which: tuple[int, ...]
    """For each document the number of its override, -1 without one."""

    @cached_property
    def configs(self) -> list[Config | str]:
        """That of each override, and last the one without; a line in place of one that is not
        legal."""
        return [*(_legal(self.config, each) for each in self.overrides), self.config]


def _legal(config: Config, override: Override) -> Config | str:
    try:
        return config.with_override(override)
    except ConfigError as error:
        return f"{override.pattern}: {error}"


class _Pool(Protocol):
    def submit(self, function: Callable[..., Result], /, *arguments: object) -> Future[Result]: ...


@dataclass(eq=False)
class _Held:
    corpus: Corpus
    lent: int
    """Bytes of the memory for documents that are used in other processes."""
    shares: list[list[int]]
    """The numbers of the documents of each process."""
    pools: Sequence[_Pool] = ()
    """The processes, or the server's own thread."""
    users: set[str] = field(default_factory=set)
    at_work: int = 0
    """How often documents of it are gone through now."""


class CorpusWorkers:
    """The processes of a server, begun with its first corpus."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._pools: list[WorkerPool] = []
        self._here = ThreadPoolExecutor(1, "small corpora")
        self._held: OrderedDict[str, _Held] = OrderedDict()
        self._lock = Lock()
        self._cutting = 0
        """How many are having documents cut now."""
        self._cut_at = -_GIVES_WAY
        """When somebody had documents cut last."""
        # A child ends with the thread that started it (runtime/parent.py): one thread starts all.
        self._starter = ThreadPoolExecutor(1, "corpus workers")

    def hold(self, corpus: Corpus, user: str) -> None:
        """Have the documents ready for this user. Raises RunLimitError for a corpus that the memory
        for documents has no room for."""
        with self._lock:
            held = self._held.get(corpus.key)
            if held is None:
                if not corpus.small:
                    self._make_room(corpus, user)
                shares = _shares(corpus, 1 if corpus.small else self._most)
                held = self._held[corpus.key] = _Held(corpus, 0 if corpus.small else corpus.size, shares)
                memory.lent += held.lent
                self._send(held)
            held.users.add(user)
            self._held.move_to_end(corpus.key)
            self._let_go([each for each in self._held.values() if each is not held and each.users == {user}])

    def drop(self, user: str) -> None:
        """Forget what only this user has open."""
        with self._lock:
            alone = [each for each in self._held.values() if each.users <= {user}]
            for each in self._held.values():
                each.users.discard(user)
            self._let_go(alone)

    def cut(
        self,
        corpus: Corpus,
        cuts: Cuts,
        rows: Sequence[int],
        *,
        texts: bool = False,
        batch: int = _BATCH,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Iterator[dict[int, DocumentFigures]]:
        """The figures of the documents with these numbers, as they come, until `stopped`. Raises
        StrategyError where a process was lost: the corpus is to be held again."""
        self._cutting += 1
        try:
            found = self._each(corpus, rows, batch, stopped, held_corpus.figures_of, _for(cuts, texts), ahead=_AHEAD)
            for part, figures in found:
                yield dict(zip(part, figures.unpacked(), strict=True))
        finally:
            self._cutting -= 1
            self._cut_at = time.monotonic()

    def cut_live(self, corpus: Corpus, cuts: Cuts, rows: Sequence[int]) -> dict[int, DocumentFigures]:
        """The figures while a threshold is dragged; checks wait for it. Raises as `cut`."""
        found: dict[int, DocumentFigures] = {}
        for part in self.cut(corpus, cuts, rows, batch=_AT_ONCE):
            found |= part
        return found

    def check(
        self, corpus: Corpus, cuts: Cuts, stopped: Callable[[], bool] = lambda: False
    ) -> Iterator[dict[int, tuple[FailedCheck, ...]]]:
        """The health checks that each document does not pass, none of one that cannot be cut, as
        they come, until `stopped`. Raises as `cut`."""
        rows = range(len(corpus.documents))
        for part, checks in self._each(
            corpus, rows, _CHECKED_AT_ONCE, stopped, held_corpus.checks_of, _for(cuts), waits=self._gives_way
        ):
            yield dict(zip(part, checks, strict=True))

    def each(
        self,
        corpus: Corpus,
        function: Callable[..., Sequence[Result]],
        *arguments: object,
        stopped: Callable[[], bool] = lambda: False,
    ) -> Iterator[dict[int, Result]]:
        """What a function of a module without Streamlit gives for each document, as it comes, until
        `stopped`. It is called in a process, with `key`, `rows` and these arguments; `cut_there`
        cuts a document there. Raises as `cut`."""
        rows = range(len(corpus.documents))
        for part, found in self._each(
            corpus, rows, _CHECKED_AT_ONCE, stopped, function, lambda _: arguments, waits=self._gives_way
        ):
            yield dict(zip(part, found, strict=True))

    def _gives_way(self) -> bool:
        return self._cutting > 0 or time.monotonic() - self._cut_at < _GIVES_WAY

    def fingerprints(self, corpus: Corpus, cuts: Cuts) -> dict[int, str]:
        """The fingerprint of each document's chunks; "" for one that cannot be cut. Raises as
        `cut`."""
        found: dict[int, str] = {}
        rows = range(len(corpus.documents))
        for part, proofs in self._each(corpus, rows, _BATCH, lambda: False, held_corpus.fingerprints_of, _for(cuts)):
            found |= zip(part, proofs, strict=True)
        return found

    def _each(
        self,
        corpus: Corpus,
        rows: Sequence[int],
        batch: int,
        stopped: Callable[[], bool],
        function: Callable[..., Result],
        arguments: Callable[[Sequence[int]], tuple[object, ...]],
        *,
        waits: Callable[[], bool] = lambda: False,
        ahead: int = 1,
    ) -> Iterator[tuple[list[int], Result]]:
        """What a function gives for these documents, by batches, as it comes; `arguments` are its
        further ones for those of a batch, and each process has `ahead` of these at a time. No other
        batch is begun while it `waits`."""
        held = self._held.get(corpus.key)
        if held is None:
            raise StrategyError("the corpus is not held any more; open it again")
        wanted = set(rows)
        waiting = [list(_batches(corpus, [row for row in share if row in wanted], batch)) for share in held.shares]
        running: dict[Future[Result], tuple[int, list[int]]] = {}
        held.at_work += 1
        try:
            while True:
                for process, batches in enumerate([] if waits() and not held.corpus.small else waiting):
                    while batches and sum(process == at for at, _ in running.values()) < ahead:
                        part = batches.pop(0)
                        asked = self._submit(held.pools[process], function, corpus.key, part, *arguments(part))
                        running[asked] = process, part
                if stopped() or not (running or any(waiting)):
                    return
                if not running:
                    time.sleep(_POLL)
                for done in wait(running, _POLL, FIRST_COMPLETED).done:
                    _, part = running.pop(done)
                    yield part, done.result()
        except ChunkscopeError:
            raise
        except Exception as error:
            if self._held.get(corpus.key) is not held:
                raise StrategyError("the corpus is not held any more; open it again") from error
            self.end()
            words = "a process that held the corpus was ended; it begins again with the next change"
            raise StrategyError(words) from error
        finally:
            held.at_work -= 1

    def end(self) -> None:
        """End the processes, and forget all corpora."""
        with self._lock:
            self._let_go(list(self._held.values()), tell=False)
            pools, self._pools = self._pools, []
        for pool in pools:
            pool.end()

    def _make_room(self, corpus: Corpus, user: str) -> None:
        """A corpus that somebody else's figures are of at this moment stays."""
        limit = memory.limit
        if limit and corpus.size > limit:
            needs = math.ceil(corpus.size / _MB)
            raise RunLimitError(
                f"{counted(len(corpus.documents), 'document')} of {counted(corpus.characters, 'character')} take about "
                f"{needs:,} MB of memory; {VARIABLE} is {limit // _MB:,}: set it to {needs} or more, "
                "or open fewer documents"
            )
        while limit and memory.lent + corpus.size > limit:
            oldest = next((each for each in self._held.values() if not each.at_work or each.users <= {user}), None)
            if oldest is None:
                if self._held:
                    needs = math.ceil((memory.lent + corpus.size) / _MB)
                    raise RunLimitError(
                        f"other documents are being cut, and there is no room for these beside them; {VARIABLE} is "
                        f"{limit // _MB:,}: reload the page in a minute, or set it to {needs:,} or more"
                    )
                return
            self._let_go([oldest])

    def _let_go(self, gone: Sequence[_Held], *, tell: bool = True) -> None:
        for each in gone:
            del self._held[each.corpus.key]
            memory.lent -= each.lent
            for pool in each.pools if tell or each.corpus.small else ():
                self._submit(pool, held_corpus.drop, each.corpus.key)
        if gone and not self._held:
            timer = Timer(_LINGERS, self._end_if_idle)
            timer.daemon = True
            timer.start()

    def _end_if_idle(self) -> None:
        if not self._held:
            self.end()

    def _send(self, held: _Held) -> None:
        while len(self._pools) < self._most and not held.corpus.small:
            self._pools.append(WorkerPool(1))
            self._submit(self._pools[-1], held_corpus.begin)
        held.pools = [self._here] if held.corpus.small else list(self._pools)
        for pool, share in zip(held.pools, held.shares, strict=True):
            documents = [(row, held.corpus.documents[row]) for row in share]
            self._submit(
                pool, held_corpus.take, held.corpus.key, [(row, each.name, each.text) for row, each in documents]
            )

    def _submit(self, pool: _Pool, function: Callable[..., Result], *arguments: object) -> Future[Result]:
        return self._starter.submit(pool.submit, function, *arguments).result()


def _for(cuts: Cuts, *further: object) -> Callable[[Sequence[int]], tuple[object, ...]]:
    """The arguments for a batch of documents: the configs, and which of them each is cut with."""
    return lambda part: (cuts.configs, [cuts.which[row] for row in part], *further)


def _shares(corpus: Corpus, processes: int) -> list[list[int]]:
    """The documents dealt out to processes, so that each has about as many characters."""
    shares: list[list[int]] = [[] for _ in range(processes)]
    loads = [0] * processes
    for row in sorted(range(len(corpus.documents)), key=lambda row: -len(corpus.documents[row].text)):
        process = loads.index(min(loads))
        shares[process].append(row)
        loads[process] += len(corpus.documents[row].text) + 1
    return [sorted(share) for share in shares]


def _batches(corpus: Corpus, rows: Sequence[int], most: int) -> Iterator[list[int]]:
    batch: list[int] = []
    characters = 0
    for row in rows:
        length = len(corpus.documents[row].text)
        if batch and characters + length > most:
            yield batch
            batch, characters = [], 0
        batch.append(row)
        characters += length
    if batch:
        yield batch


workers = CorpusWorkers(min(_MOST, os.cpu_count() or 1))
"""The server's own."""
