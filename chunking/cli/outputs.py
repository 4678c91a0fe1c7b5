"""Protection of inputs: before a command reads or writes, its outputs are compared with its inputs,
and none is ever replaced.

Two paths are the same file in any spelling, through symbolic links, and as hard links
(`os.path.samefile`). A file that is not there yet is compared by its real path.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from chunking.config.config import Config
from chunking.document.folders import Selection, find_files
from chunking.errors import DocumentError, OutputError
from chunking.text.display import shown_text
from chunking.tokens.token_counter import FILE

_Identity = tuple[int, int] | str
"""Device and inode of a file that is there; the real path of one that is not, and of a device."""


def keep_inputs(
    outputs: Mapping[str, Path | None],
    inputs: Mapping[str, str | Path | None],
    documents: Sequence[Path] = (),
    selection: Selection | None = None,
) -> None:
    """Refuse an output that is one of the inputs, or another of the outputs. Raises OutputError
    that names both.

    `outputs` are by option, with standard output added where it is a file. `inputs` are by what
    they are, as "the config": a path, or `-` for standard input; a strategy's name, which is no
    file, is passed over. `documents` are files and folders, of which every document counts that is
    wanted.
    """
    wanted = [(option, path) for option, path in outputs.items() if path is not None]
    written: dict[_Identity, tuple[str, Path | None]] = {}
    written.update((identity, (option, path)) for option, path in wanted for identity in _identities(path))
    for standard in _standard_output():
        written.setdefault(standard, ("standard output", None))
    if not written:
        return
    # A folder that is there is no document: a run that goes on in one need not look for all twice.
    some_file = any(path is None or not path.is_dir() for _, path in written.values())
    for what, given in _all_inputs(inputs, documents if some_file else (), selection):
        for identity in _identities(given):
            if found := written.get(identity):
                raise OutputError(f"{_called(*found)}: is {what}, which is read; write to another file")
    _refuse_twins(wanted)


def tokenizers(*configs: Config) -> dict[str, str]:
    """The tokenizer.json that each config counts with, where it names one, as `keep_inputs` takes
    inputs."""
    counters = (name for config in configs for name in (config.counter, *(each.counter for each in config.overrides)))
    named = map(tokenizer_path, counters)
    return {f"the tokenizer {shown_text(path, 200)}": path for path in named if path}


def tokenizer_path(counter: str) -> str:
    """The path of the tokenizer.json that a counter is named by, as seen from here; empty for other
    counters."""
    return counter.removeprefix(FILE) if counter.startswith(FILE) else ""


def _refuse_twins(wanted: Sequence[tuple[str, Path]]) -> None:
    taken: dict[_Identity, str] = {}
    for option, path in wanted:
        for identity in _identities(path):
            if (other := taken.setdefault(identity, option)) != option:
                raise OutputError(f"{_called(option, path)}: is the file of {other} too; give them two names")


def _all_inputs(
    inputs: Mapping[str, str | Path | None], documents: Sequence[Path], selection: Selection | None
) -> Iterator[tuple[str, str | Path]]:
    for what, given in inputs.items():
        # A path that does not exist is a strategy's name, or is refused when it is read.
        if given == "-" or (given and os.path.exists(given)):
            yield what, given
    for found in find_files(documents, selection):
        if not isinstance(found, DocumentError):
            yield f"the document {shown_text(str(found.path), 200)}", found.path


def _identities(given: str | Path) -> Iterator[_Identity]:
    """What identifies a file: nothing for standard input that is none, such as a terminal."""
    if given == "-":
        yield from _of_status(_status_of_stream(sys.stdin))
        return
    with suppress(OSError, ValueError):
        if stat.S_ISREG((status := os.stat(given)).st_mode):
            yield from _of_status(status)  # its real path says no more, and takes much longer
            return
    with suppress(OSError, ValueError):
        yield os.path.realpath(given)


def _of_status(status: os.stat_result | None) -> Iterator[_Identity]:
    if status is not None and stat.S_ISREG(status.st_mode):
        yield status.st_dev, status.st_ino


def _standard_output() -> Iterator[_Identity]:
    return _of_status(_status_of_stream(sys.stdout))


def _status_of_stream(stream: object) -> os.stat_result | None:
    try:
        return os.fstat(stream.fileno())  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):
        return None  # closed, or not of the operating system


def _called(option: str, path: Path | None) -> str:
    return option if path is None else f"{option} {shown_text(str(path), 200)}"
