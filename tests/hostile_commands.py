"""Gives hostile files to the command line: texts, configs, documents under hostile names, and
archives, once to a process of its own and then in every way and format to this one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile

from hostile_outcomes import (
    AS_IT_IS,
    BUDGET,
    SMALL,
    Case,
    Outcome,
    answers,
    answers_of_archive,
    config_of,
    config_ways,
    seconds_of,
    variants,
)

from chunking import cli
from chunking.export.formats import FORMATS

_STARTING = 3.0
"""Seconds of CPU time that a new Python may take until it has imported all, on a busy machine."""
_FOR_A_MODEL = 4_000
"""Characters up to which what needs vectors is given to the local model: more of them only measures
the model."""
_MOST_LINES = 22
"""An archive says up to 20 problems one by one, then how many more."""
_FORMATS = (*FORMATS, "html", "sqlite")


@dataclass(frozen=True)
class Ending:
    """How a command ended."""

    code: int
    errors: str
    """What it wrote to standard error."""
    seconds: float
    """CPU time."""


def texts_of_commands(case: Case, folder: Path, limits: str) -> Iterator[Outcome]:
    """A text, cut by `chunkscope run`: once by a process of its own, then in every way and format
    in this one."""
    path = folder / case["file"]
    given, allowed, large = [str(path)], answers(case["must"]), path.stat().st_size > _FOR_A_MODEL
    with TemporaryDirectory() as made:
        config = Path(made) / "config.yaml"
        yield _command(case, "process", Path(made), ["heading-window", *given], allowed, own_process=True)
        for variant in variants(limits, SMALL[-1]):
            if (variant.name == "semantic" and large) or variant.maximum == SMALL[0]:
                continue
            config.write_text(config_of(variant).to_yaml(), encoding="utf-8")
            yield _command(case, str(variant), Path(made), [str(config), *given], allowed)
        for form in _FORMATS:
            if form == "sqlite" and large:
                continue
            options = ["--format", form, "--skips"]
            yield _command(case, form, Path(made), ["heading-window", *given, *options], allowed, form=form)


def configs_of_commands(case: Case, folder: Path, _limits: str) -> Iterator[Outcome]:
    """A short text, cut by a hostile config."""
    allowed = answers(case["must"]) | {"refused"}
    case = {**case, "budget_s": seconds_of(case)}
    with TemporaryDirectory() as made:
        path, text = Path(made) / "config.yaml", Path(made) / "text.md"
        text.write_text("# A\n\nwords of a document\n", encoding="utf-8")
        for way, raw in config_ways(case, folder):
            path.write_bytes(raw)
            own = way == AS_IT_IS
            yield _command(case, way, Path(made), [str(path), str(text)], allowed, own_process=own)


def names_of_commands(case: Case, _folder: Path, _limits: str) -> Iterator[Outcome]:
    """A document under a hostile name, where the system has such names."""
    with TemporaryDirectory() as made:
        documents = Path(made) / "documents"
        documents.mkdir()
        path = documents / case["name"] if case["name"] else documents
        try:
            if path.resolve().parent != documents.resolve() or case["name"] in ("", ".", ".."):
                return
            path.write_bytes(b"# A\n\nwords\n")
        except (OSError, ValueError):
            return
        for way, given in (("by name", path), ("by folder", documents)):
            arguments = ["every-heading", str(given)]
            yield _command(case, way, Path(made), arguments, {"read", "refused"}, own_process=way == "by name")


def archives_of_commands(case: Case, folder: Path, _limits: str) -> Iterator[Outcome]:
    """What is in an archive, or its refusal."""
    path = str(folder / "archives" / case["file"])
    allowed = answers_of_archive(case)
    with TemporaryDirectory() as made:
        yield _command(
            case, "process", Path(made), ["every-heading", path], allowed, own_process=True, lines=_MOST_LINES
        )
        for form in _FORMATS:
            given = ["every-heading", path, "--format", form]
            yield _command(case, form, Path(made), given, allowed, form=form, lines=_MOST_LINES)


def _command(
    case: Case,
    way: str,
    folder: Path,
    arguments: list[str],
    allowed: set[str],
    *,
    form: str = "jsonl",
    own_process: bool = False,
    lines: int = 1,
) -> Outcome:
    outcome = Outcome(case["id"], "command", way, budget=case.get("budget_s", BUDGET))
    output = folder / "made" / "out"
    output.parent.mkdir(exist_ok=True)
    command = ["run", *arguments, "-o", str(output)]
    before = {each.name for each in folder.iterdir()}
    if own_process:
        ending = _process(command)
        outcome.budget += _STARTING / 2
    else:
        ending = _in_this_process(command, outcome)
    outcome.seconds = ending.seconds
    outcome.found += _ending_faults(ending, allowed, lines)
    if "Traceback" in ending.errors or ending.code not in (0, 1, 2):
        outcome.crash = outcome.crash or f"exit code {ending.code}: {ending.errors[-200:]}"
    left = {each.name for each in output.parent.iterdir()} - {"out"} | {each.name for each in folder.iterdir()} - before
    if left:
        outcome.found.append(f"left behind: {sorted(left)}")
    if output.exists():
        outcome.found += _file_faults(output, form)
        output.unlink()
    elif ending.code == 0:
        outcome.found.append("exit code 0, and nothing was written")
    return outcome


def _ending_faults(ending: Ending, allowed: set[str], most: int) -> Iterator[str]:
    lines = ending.errors.splitlines()
    if not any(ending.code == {"read": 0, "refused": 2}[each] for each in allowed):
        yield f"exit code {ending.code}, and must be {' or '.join(sorted(allowed))}: {ending.errors[:200]!r}"
    if ending.code == 2 and not 1 <= len(lines) <= most:
        yield f"{len(lines)} lines of refusal: {ending.errors[:300]!r}"
    if any(not line.startswith("chunkscope: ") for line in lines):
        yield f"a line that is not ours: {ending.errors[:200]!r}"
    if any(not line.isprintable() for line in ending.errors.split("\n")):
        yield f"raw control characters: {ending.errors[:200]!r}"


def _file_faults(path: Path, form: str) -> Iterator[str]:
    raw = path.read_bytes()
    if form in ("parquet", "sqlite"):
        if not raw:
            yield f"an empty {form}"
        return
    try:
        text = raw.decode("utf-8")
        if form == "jsonl":
            for line in text.split("\n")[:-1]:
                json.loads(line)
            if text and not text.endswith("\n"):
                yield "the last line is cut off"
    except ValueError as error:
        yield f"{form} is not whole: {error}"


def _process(arguments: Sequence[str]) -> Ending:
    with TemporaryFile() as out, TemporaryFile() as err:
        started = subprocess.Popen([sys.executable, "-m", "chunking", *arguments], stdout=out, stderr=err)
        _, status, used = os.wait4(started.pid, 0)
        started.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        return Ending(started.returncode, err.read().decode("utf-8", "replace"), used.ru_utime + used.ru_stime)


def _in_this_process(arguments: Sequence[str], outcome: Outcome) -> Ending:
    began, code = time.process_time(), 2
    with _captured() as errors:
        try:
            code = cli.main(arguments)
        except BaseException as error:
            if isinstance(error, KeyboardInterrupt):
                raise
            outcome.crash = f"{type(error).__name__}: {str(error)[:200]}"
    return Ending(code, errors[0], time.process_time() - began)


@contextmanager
def _captured() -> Iterator[list[str]]:
    """What is written to standard error meanwhile; standard output is thrown away."""
    errors: list[str] = []
    with TemporaryFile() as err, open(os.devnull, "wb") as nothing:
        before = [os.dup(1), os.dup(2)]
        try:
            os.dup2(nothing.fileno(), 1)
            os.dup2(err.fileno(), 2)
            yield errors
        finally:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            for descriptor, was in enumerate(before, start=1):
                os.dup2(was, descriptor)
                os.close(was)
            err.seek(0)
            errors.append(err.read().decode("utf-8", "replace"))
