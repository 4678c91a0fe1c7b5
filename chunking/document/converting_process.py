"""The process in which a file is converted, or a page of it drawn: its bytes on standard input; on
standard output a line of JSON, and behind it the text that came out, if any."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from chunking.document.conversion import Converted
from chunking.errors import DocumentError
from chunking.runtime.parent import end_with_parent

TEXT = "text"
"""Of what a function gives, that which may be long."""
_MOST = 64 * 1024 * 1024
"""Characters that may come out of one file."""


def main() -> None:
    """Convert what standard input has. Arguments: the function, our parent, the limits in seconds
    and megabytes, and what the function is given besides the file."""
    function, parent, seconds, megabytes, *more = sys.argv[1:]
    end_with_parent(int(parent))
    limit(int(seconds), int(megabytes))
    answer = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what a library prints is not part of the answer
    said = _converted(sys.stdin.buffer.read(), function, more)
    text = str(said.pop(TEXT, ""))
    answer.write(json.dumps(said).encode() + b"\n")
    answer.write(text.encode("utf-8", "surrogatepass"))
    answer.close()


def limit(seconds: int, megabytes: int) -> None:
    """Let this process take no more, where the system can: CPU time, memory, and no files."""
    try:
        import resource
    except ImportError:  # Windows has the time limit alone
        return
    for which, most in (
        (resource.RLIMIT_AS, megabytes << 20),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(which, (most, most))


def _converted(raw: bytes, function: str, more: Sequence[str]) -> dict[str, object]:
    module, _, name = function.partition(":")
    try:
        made = getattr(import_module(module), name)(raw, *more)
        if isinstance(made, dict):
            return made
        text, conversion = (made.text, made.conversion) if isinstance(made, Converted) else (made, None)
        if len(text) > _MOST:
            return {"problem": f"converts to {len(text):,} characters; at most {_MOST:,} are read, so split the file"}
    except DocumentError as error:
        return {"problem": str(error)}
    except MemoryError:
        return {"problem": "takes too much memory to convert; split the file"}
    except RecursionError:
        return {"problem": "is nested too deeply to be converted; it may be damaged"}
    except BaseException as error:  # also what a library in Rust panics with
        return {"failed": " ".join(f"{type(error).__name__}: {error}".split())}
    return {
        TEXT: text,
        "loader": conversion.loader if conversion else "",
        "page_starts": conversion.page_starts if conversion else (),
        "notes": conversion.notes if conversion else (),
    }
