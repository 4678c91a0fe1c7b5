"""The engine daft: batches of documents in worker processes of this machine, or on a Ray cluster.

The one door to daft. Workers write the parts (shared_parts.py), in a folder that all of them see,
and send back what the manifest says of each document.
"""

from __future__ import annotations

import io
import logging
import os
import pickle
import signal
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from threading import current_thread, main_thread
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from chunking.cli.batches import size_of
from chunking.cli.daft_workers import Begun, by_this_command, native_workers
from chunking.cli.run_folder import Parts
from chunking.cli.shared_parts import Asked, Done, cut_batch
from chunking.errors import OutputError
from chunking.export.store_facts import Embedding
from chunking.export.store_filling import BATCH
from chunking.export.stored_chunks import unit
from chunking.models.embedders import embedder
from chunking.runtime.extras import missing
from chunking.runtime.gc_pause import this_program_is_ours
from chunking.runtime.run_limits import RunLimits
from chunking.text.display import shown_text

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer as Buffer

_READ_AHEAD = 1 << 20
"""Bytes of a table that are asked for at a time."""
_ROUND = 20_000
"""Documents of one query of daft: what is lost of it when a worker ends is done again."""
_ROUND_BYTES = 128 * 2**20
"""Bytes of documents that travel with a query: rows of tables, members of archives."""
_BATCH = 256
"""Documents of one part, at most."""
_BATCHES = 8
"""Batches of a query for each worker, at least: none waits long for the last one."""
_ATTEMPTS = 2
"""How often a dataset is written, where a worker ends meanwhile."""
_AT_ONCE = 16
"""Files that a worker fetches at a time."""


@dataclass(frozen=True, slots=True)
class Where:
    """Where the work is done."""

    runner: str = "native"
    address: str = ""
    """Of a Ray cluster; empty for one on this machine."""
    workers: int = 1
    gpus: float = 0
    """For each worker; less than 1 for one that several share."""


class DaftEngine:
    """Daft, set to its runner, which a process can do once. Raises OutputError, one line, where it
    is not installed or the cluster does not answer."""

    def __init__(self, where: Where) -> None:
        if absent := missing("cluster"):
            raise OutputError(f"--engine daft: {absent}, or take --engine local --workers N")
        # Nobody is told that it is used, and it prints nothing of its own.
        os.environ.update(
            DAFT_ANALYTICS_ENABLED="0", DAFT_PROGRESS_BAR="0", RAY_USAGE_STATS_ENABLED="0", LANCE_LOG="error"
        )
        # What their loggers have to say is raised too, or is nothing that helps.
        logging.getLogger().addHandler(logging.NullHandler())
        for name in ("daft", "ray"):
            logging.getLogger(name).setLevel(logging.ERROR)
        import daft

        self._daft = daft
        self._where = where
        try:
            if where.runner == "ray":
                _join_ray(where.address)
                daft.set_runner_ray(noop_if_initialized=True)
            else:
                daft.set_runner_native()
        except Exception as error:  # Ray has errors of its own
            raise OutputError(f"--runner {where.runner}: {_first_line(error)}") from error
        self._begun = by_this_command() if where.runner == "native" else None
        """What a worker is told that is a child of this process."""
        self._came = 0
        """How many documents came back."""

    def files(self, url: str) -> list[tuple[str, int | None]]:
        """The URL of each file at a URL, which may have wildcards, with its bytes where they are
        known. Raises OutputError where nobody can say."""
        try:
            return sorted((each["path"], each["size"]) for each in self._daft.from_glob_path(url).iter_rows())
        except Exception as error:
            raise OutputError(f"{shown_text(url, 200)}: cannot be listed ({_first_line(error)})") from error

    @contextmanager
    def opened(self, url: str) -> Iterator[IO[bytes]]:
        """A file at a URL, to be read in any order. Raises what daft raises."""
        with self._daft.File(url).open() as file:
            yield io.BufferedReader(_Remote(file), _READ_AHEAD)

    def cut(self, asked: Iterable[Asked], parts: Parts, limits: RunLimits) -> Iterator[Done]:
        """What became of each document, as it comes: each is cut once more where its worker was
        ended, and given up where that ends the worker of it alone."""
        for group in _rounds(asked):
            waiting: list[Sequence[Asked]] = [group]
            while waiting:
                yield from self._done(waiting.pop(), waiting, parts, limits)

    def write_lance(self, parts: Sequence[Path], place: str, embedding: Embedding | None) -> None:
        """Write the records of parts to a Lance dataset in the place of the one that is there; with
        an embedding only chunks, each with its vector, of length 1.

        The workers embed, each with the model loaded once, 256 texts at a time. Raises ModelError
        before anything is read where nobody can be asked, OutputError where it is not written.
        """
        daft = self._daft
        table = daft.read_parquet([str(each) for each in parts])
        if embedding:
            length = embedder(embedding.provider, embedding.model)(["length"]).shape[1]
            vectors = daft.DataType.fixed_size_list(daft.DataType.float32(), length)
            daft.method.batch(return_dtype=vectors, batch_size=BATCH)(_Embedder.vectors)
            embedders = self._on_workers(_Embedder)(embedding, self._begun)
            table = table.where(table["type"] == "chunk")
            table = table.with_column("vector", embedders.vectors(table["text"]))
        for attempt in range(_ATTEMPTS):
            try:
                with self._workers():
                    table.write_lance(place, mode="overwrite")
            except Exception as error:
                if attempt + 1 == _ATTEMPTS:
                    problem = f"{shown_text(place, 200)}: cannot be written ({_first_line(error)})"
                    raise OutputError(f"{problem}; the folder of -o is whole, so run again") from error
            else:
                return

    def _done(
        self, group: Sequence[Asked], waiting: list[Sequence[Asked]], parts: Parts, limits: RunLimits
    ) -> Iterator[Done]:
        """A group, by one query; what a worker that ended did not bring back is put before what is
        `waiting`, in halves."""
        left = {each.found.name: each for each in group}
        try:
            for done in self._query(group, parts, limits):
                del left[done.name]
                self._came += 1
                yield done
        except Exception as error:  # of daft, and of Ray: they have no class in common
            rest = [*left.values()]
            if len(rest) > 1:
                waiting += [rest[len(rest) // 2 :], rest[: len(rest) // 2]]
                return
            if not self._came:
                raise OutputError(f"--engine daft: no worker brings anything back ({_first_line(error)})") from error
            for each in rest:
                problem = "its worker process was ended from outside, perhaps for the memory it took; split the file"
                yield Done(each.found.name, problem=f"{shown_text(each.found.place, 200)}: {problem}")

    def _query(self, group: Sequence[Asked], parts: Parts, limits: RunLimits) -> Iterator[Done]:
        daft, where = self._daft, self._where
        daft.method.batch(return_dtype=daft.DataType.binary(), batch_size=1)(_Cutter.cut)
        cutter = self._on_workers(_Cutter)(parts, limits, self._begun)
        batches = [pickle.dumps(each) for each in _batches(group, where.workers)]
        table = daft.from_pydict({"asked": batches})
        if where.runner == "ray":
            table = table.into_partitions(max(1, min(len(batches), where.workers * 2)))
        with self._workers():
            for row in table.select(cutter.cut(table["asked"]).alias("done")).iter_rows():
                yield from pickle.loads(row["done"])

    def _on_workers(self, held: type) -> Any:
        """What makes a class an object of each worker."""
        where = self._where
        own_process = where.runner == "native"
        return self._daft.cls(held, max_concurrency=where.workers, use_process=own_process, gpus=where.gpus)

    def _workers(self) -> AbstractContextManager[None]:
        from daft.execution import udf

        return native_workers(udf) if self._begun else nullcontext()


def _join_ray(address: str) -> None:
    """Join a cluster, or begin one of this machine's cores; it says nothing but what goes wrong."""
    import ray

    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    on_sigterm = signal.getsignal(signal.SIGTERM)
    # As for a client of Ray: workers look for no module in the current folder of the command.
    job = ray.job_config.JobConfig(_client_job=True)
    if address.startswith("ray://"):
        ray.init(address=address, **quiet)
    elif address:
        ray.init(address=address, job_config=job, **quiet)
    else:
        ray.init(include_dashboard=False, job_config=job, **quiet)
    if current_thread() is main_thread():
        signal.signal(signal.SIGTERM, on_sigterm)  # Ray's would print addresses of functions


class _Remote(io.RawIOBase):
    """A file of daft's as one of Python's: `closed` is a function there, which pyarrow takes for
    yes."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def readinto(self, into: Buffer) -> int:
        view = memoryview(into).cast("B")
        read: bytes = self._file.read(len(view))
        view[: len(read)] = read
        return len(read)

    def seek(self, offset: int, whence: int = 0) -> int:
        return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())


class _Cutter:
    """What a worker holds, once for all its batches: the config, and with it the models."""

    def __init__(self, parts: Parts, limits: RunLimits, begun: Begun | None) -> None:
        this_program_is_ours()
        if begun:
            begun.in_worker()
        self._parts = parts
        self._limits = limits

    def cut(self, asked: Any) -> list[bytes]:
        """Batches, as daft's Series of pickled lists of `Asked`; for each the pickled list of
        `Done`."""
        return [pickle.dumps(self._cut(pickle.loads(each))) for each in asked.to_pylist()]

    def _cut(self, batch: list[Asked]) -> list[Done]:
        with ThreadPoolExecutor(_AT_ONCE) as waiting:
            brought = list(waiting.map(_brought, batch))
        here = [each for each in brought if isinstance(each, Asked)]
        absent = [each for each in brought if isinstance(each, Done)]
        return [*absent, *cut_batch(here, self._parts, self._limits)]


class _Embedder:
    """What a worker holds that embeds."""

    def __init__(self, embedding: Embedding, begun: Begun | None) -> None:
        if begun:
            begun.in_worker()
        self._embed = embedder(embedding.provider, embedding.model)

    def vectors(self, texts: Any) -> npt.NDArray[np.float32]:
        """The vectors of texts, as daft's Series."""
        return unit(np.asarray(self._embed([str(each) for each in texts.to_pylist()]), dtype=np.float32))


def _brought(asked: Asked) -> Asked | Done:
    """A document with what is in its file, where daft reads that."""
    found = asked.found
    if not found.url or found.content is not None:
        return asked
    import daft

    try:
        with daft.File(found.url).open() as file:
            return replace(asked, found=replace(found, content=file.read()))
    except Exception as error:
        return Done(found.name, problem=f"{shown_text(found.url, 200)}: cannot be read ({_first_line(error)})")


def _batches(group: Sequence[Asked], workers: int) -> Iterator[list[Asked]]:
    """A query's documents in batches of about the same bytes."""
    sizes = [max(1, size_of(each.found)) for each in group]
    full = sum(sizes) / (_BATCHES * workers)
    batch: list[Asked] = []
    held = 0
    for each, size in zip(group, sizes, strict=True):
        batch.append(each)
        held += size
        if held >= full or len(batch) >= _BATCH:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


def _rounds(asked: Iterable[Asked]) -> Iterator[list[Asked]]:
    group: list[Asked] = []
    size = 0
    for each in asked:
        group.append(each)
        size += len(each.found.content or b"")
        if len(group) >= _ROUND or size >= _ROUND_BYTES:
            yield group
            group, size = [], 0
    if group:
        yield group


def _first_line(error: Exception) -> str:
    return shown_text(str(error).strip().partition("\n")[0] or type(error).__name__, 300)
