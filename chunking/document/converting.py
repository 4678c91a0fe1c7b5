"""A loader's work, in a process of its own with limits: a file of a stranger may be made to take
all memory, never to end, or to break the library that reads it.

The process has none of our environment's keys, and ends with us.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from codecs import getincrementaldecoder
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from io import BytesIO
from threading import BoundedSemaphore
from typing import cast

from chunking.document import kept_conversions
from chunking.document.conversion import Conversion, Converted, refused_pages
from chunking.errors import DocumentError
from chunking.text.display import shown_text

SECONDS = 120
"""How long converting one file may take."""
MEGABYTES = 2048
"""How much memory it may take."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a process may take."""

    seconds: int
    megabytes: int


class Answer(dict[str, object]):
    """What a function gave for a file."""

    body: bytes = b""
    """The text that it gave, behind the line of the rest."""

    def text(self) -> str:
        """The text, decoded in pieces: others go on in between."""
        decoder = getincrementaldecoder("utf-8")("surrogatepass")
        at = self.body.find(b"\n") + 1
        pieces = [self.body[each : each + _PIECE] for each in range(at, len(self.body), _PIECE)]
        return "".join([decoder.decode(each) for each in pieces])

    def lines(self) -> Iterator[bytes]:
        """Its lines, one at a time."""
        lines = BytesIO(self.body)
        next(lines)
        yield from lines


_PIECE = 1 << 20
_AT_ONCE = BoundedSemaphore(2)
"""How many files one of our processes has converted at a time: each may take all that memory."""
_KEPT = ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "LANG", "LC_ALL")
"""What a library may need of the environment."""
_COMMAND = "from chunking.document.converting_process import main; main()"


def convert(raw: bytes, extension: str, function: str, called: str, *, keep: bool = True) -> Converted:
    """What a loader makes of a file. `function` as an entry point names it; `called` opens the
    message; `keep` leaves what comes out in the cache's folder.

    Raises DocumentError, one line: what the loader says, or that it went past a limit.
    """
    if (kept := kept_conversions.known(raw, function)) is not None:
        return kept
    loader = f"the loader of {extension}"
    with _AT_ONCE:
        said = apart(raw, function, called, loader, limits=Limits(SECONDS, MEGABYTES))
    text, starts = said.text(), tuple(cast("list[int]", said["page_starts"]))
    if wrong := refused_pages(starts, text):
        raise DocumentError(f"{called}: {loader} failed: {wrong}")
    notes = tuple(cast("list[str]", said["notes"]))
    made = Converted(text, Conversion(cast(str, said["loader"]) or _package(extension), starts, notes))
    if keep:
        kept_conversions.keep(raw, function, made)
    return made


def apart(raw: bytes, function: str, called: str, what: str, *more: str, limits: Limits) -> Answer:
    """What a function gives for a file, in a process of its own. `what` names the work in messages.

    Raises DocumentError, one line: what the function says, or that it went past a limit.
    """
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(each or os.getcwd() for each in sys.path)
    held_to = (str(os.getpid()), str(limits.seconds), str(limits.megabytes))
    command = [sys.executable, "-P", "-c", _COMMAND, function, *held_to, *more]
    try:
        done = subprocess.run(
            command,
            input=raw,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            timeout=limits.seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        verb = "converting" if limits.seconds == SECONDS else what
        raise DocumentError(
            f"{called}: {verb} took more than {limits.seconds} s and was stopped; split the file"
        ) from None
    try:
        said = Answer(json.loads(done.stdout[: done.stdout.index(b"\n")]))
    except ValueError:
        raise DocumentError(
            f"{called}: {what} ended without an answer (exit code {done.returncode}): it crashed, "
            f"or took more than {limits.megabytes} MB; the file may be damaged"
        ) from None
    if problem := said.get("problem"):
        raise DocumentError(f"{called}: {shown_text(str(problem), 500)}")
    if failed := said.get("failed"):
        raise DocumentError(f"{called}: {what} failed: {shown_text(str(failed), 500)}")
    said.body = done.stdout
    return said


def _package(extension: str) -> str:
    """The package that brings the loader of an extension, with its version."""
    found = (each.dist for each in entry_points(group="chunkscope.loaders") if f".{each.name.lower()}" == extension)
    return next((f"{dist.name} {dist.version}" for dist in found if dist), f"the loader of {extension}")
