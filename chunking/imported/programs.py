"""The chunks that a program makes: it reads a document on standard input and writes them as JSON
lines (`--chunker-command`).

Only who runs the command line names one. It is started without a shell, once for each document,
and ended when it takes too long or writes too much.
"""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from tempfile import TemporaryFile
from threading import Timer
from typing import IO

from chunking.document import Document
from chunking.errors import ConfigError, GoldError
from chunking.imported.rows import Row, read_rows
from chunking.imported.sources import ChunkSource
from chunking.text.display import shown_text

SECONDS = 120.0
"""For one document."""
LARGEST = 200_000_000
"""Bytes of JSON lines for one document."""
_LAST_WORDS = 20_000
"""Bytes of standard error, from its end, of which the last line is shown."""


@dataclass(frozen=True)
class ProgramChunks(ChunkSource):
    """What a program writes for each document."""

    arguments: tuple[str, ...]
    seconds: float = SECONDS
    largest: int = LARGEST

    def rows_of(self, document: Document) -> Sequence[Row]:
        """The program is run once. Raises GoldError, one line, when it fails, takes too long or
        writes too much."""
        raw = self._written(document)
        return tuple(replace(row, document="") for row in read_rows(raw, self.called))

    def _written(self, document: Document) -> bytes:
        with TemporaryFile() as source, TemporaryFile() as errors:
            source.write(document.text.encode("utf-8", "surrogatepass"))
            source.seek(0)
            try:
                process = subprocess.Popen(
                    self.arguments, stdin=source, stdout=subprocess.PIPE, stderr=errors, start_new_session=True
                )
            except (OSError, ValueError) as error:
                reason = getattr(error, "strerror", None) or error
                raise GoldError(
                    f"{self.called}: cannot be started ({reason}); give a program and its options"
                ) from None
            return self._output(process, errors, document.name)

    def _output(self, process: subprocess.Popen[bytes], errors: IO[bytes], name: str) -> bytes:
        late: list[bool] = []

        def stop() -> None:
            late.append(True)
            _kill(process)

        timer = Timer(self.seconds, stop)
        timer.start()
        try:
            with process:
                assert process.stdout is not None
                try:
                    raw = process.stdout.read(self.largest + 1)
                except BaseException:
                    _kill(process)
                    raise
                if len(raw) > self.largest:
                    _kill(process)
        finally:
            timer.cancel()
        if len(raw) > self.largest:
            raise GoldError(f"{self.called}: wrote more than {self.largest} bytes for {name}")
        if late:
            raise GoldError(f"{self.called}: took more than {self.seconds:g} s for {name} and was ended")
        if process.returncode:
            raise GoldError(f"{self.called}: ended with exit code {process.returncode} for {name}{_last_line(errors)}")
        return raw


def program_chunks(command: str) -> ProgramChunks:
    """The chunks of a program by its command line, as a shell splits it. Raises ConfigError for one
    that cannot be split."""
    called = f"--chunker-command {shown_text(command, 200)}"
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise ConfigError(f"{called}: {error}; quote it as for a shell") from None
    if not arguments:
        raise ConfigError(f"{called}: is empty; give a program and its options")
    return ProgramChunks(called, tuple(arguments))


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the program and what it has started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


def _last_line(errors: IO[bytes]) -> str:
    """The last line that it wrote on standard error, after a colon; empty where it wrote none."""
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - _LAST_WORDS))
    lines = [line.strip() for line in errors.read().decode("utf-8", "replace").splitlines() if line.strip()]
    return f": {shown_text(lines[-1], 300)}" if lines else ""
