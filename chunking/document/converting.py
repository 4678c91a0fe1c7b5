"""A loader's work, in a process of its own with limits: a file of a stranger may be made to take
all memory, never to end, or to break the library that reads it.

The process has none of our environment's keys, and ends with us.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import entry_points
from threading import BoundedSemaphore

from chunking.document.conversion import Conversion, Converted, refused_pages
from chunking.errors import DocumentError
from chunking.text.display import shown_text

SECONDS = 120
"""How long converting one file may take."""
MEGABYTES = 2048
"""How much memory it may take."""
_AT_ONCE = BoundedSemaphore(2)
"""How many files one of our processes has converted at a time: each may take all that memory."""
_KEPT = ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP", "LANG", "LC_ALL")
"""What a library may need of the environment."""
_COMMAND = "from chunking.document.converting_process import main; main()"


def convert(raw: bytes, extension: str, function: str, called: str) -> Converted:
    """What a loader makes of a file. `function` as an entry point names it; `called` opens the
    message.

    Raises DocumentError, one line: what the loader says, or that it went past a limit.
    """
    environment = {name: os.environ[name] for name in _KEPT if name in os.environ}
    environment["PYTHONPATH"] = os.pathsep.join(each or os.getcwd() for each in sys.path)
    command = [sys.executable, "-P", "-c", _COMMAND, function, str(os.getpid()), str(SECONDS), str(MEGABYTES)]
    try:
        with _AT_ONCE:
            done = subprocess.run(
                command,
                input=raw,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                timeout=SECONDS,
                check=False,
            )
    except subprocess.TimeoutExpired:
        raise DocumentError(
            f"{called}: converting took more than {SECONDS} s and was stopped; split the file"
        ) from None
    return _read(done.stdout, done.returncode, extension, called)


def _read(answer: bytes, code: int, extension: str, called: str) -> Converted:
    try:
        said = json.loads(answer)
    except ValueError:
        raise DocumentError(
            f"{called}: the loader of {extension} ended without an answer (exit code {code}): it crashed, "
            f"or took more than {MEGABYTES} MB; the file may be damaged"
        ) from None
    if problem := said.get("problem"):
        raise DocumentError(f"{called}: {shown_text(problem, 500)}")
    if failed := said.get("failed"):
        raise DocumentError(f"{called}: the loader of {extension} failed: {shown_text(failed, 500)}")
    starts = tuple(said["page_starts"])
    if wrong := refused_pages(starts, said["text"]):
        raise DocumentError(f"{called}: the loader of {extension} failed: {wrong}")
    return Converted(said["text"], Conversion(said["loader"] or _package(extension), starts, tuple(said["notes"])))


def _package(extension: str) -> str:
    """The package that brings the loader of an extension, with its version."""
    found = (each.dist for each in entry_points(group="chunkscope.loaders") if f".{each.name.lower()}" == extension)
    return next((f"{dist.name} {dist.version}" for dist in found if dist), f"the loader of {extension}")
