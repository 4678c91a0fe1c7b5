"""Hostile files: what their index says of each, the ways in which they are given, and what came of
one (for hostile_library.py, hostile_commands.py, hostile_visits.py)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contract import Variant, scaled

from chunking import Config, strategies
from chunking.errors import RunLimitError

SMALL = (16, 48)
MOST_SECONDS = 60.0
"""CPU time that nothing may take, whatever its own budget."""
BUDGET = 5.0
"""Seconds for what has no budget of its own."""
AS_IT_IS = "as it is"
"""The way of a config whose lines are not put under a strategy's name."""

Case = dict[str, Any]
"""One file as its index describes it, with an `id`."""


@dataclass
class Outcome:
    """One hostile file, given to one place in one way."""

    file: str
    place: str
    way: str
    seconds: float = 0.0
    """CPU time."""
    budget: float = BUDGET
    crash: str = ""
    found: list[str] = field(default_factory=list)

    def faults(self) -> Iterator[str]:
        """Each fault under the name that the summary counts it by."""
        if self.crash:
            yield f"crash: {self.crash}"
        if self.seconds > MOST_SECONDS:
            yield f"over {MOST_SECONDS:.0f} s of CPU: {self.seconds:.1f} s"
        if self.seconds > 2 * self.budget:
            yield f"over budget by more than twice: {self.seconds:.1f} s of {self.budget:g} s"
        yield from (f"finding: {each}" for each in self.found)


def answers(must: Iterable[str]) -> set[str]:
    """Whether a file may be "read", "refused", or either."""
    allowed = set()
    for clause in must:
        words = clause.split("|")
        if "reject" in words:
            allowed.add("refused")
        if {"no_exception", "read", "coerce_documented", "default_documented"} & set(words):
            allowed.add("read")
    return allowed or {"read"}


def variants(limits: str, own: int) -> Iterator[Variant]:
    """Every strategy with its defaults, and with small limits where it has a hard one."""
    for name in strategies.names():
        if limits != "small":
            yield Variant(name)
        if limits != "default" and strategies.get(name)().limits().maximum is not None:
            yield from (Variant(name, maximum) for maximum in sorted({*SMALL, own}))


def config_of(variant: Variant) -> Config:
    declared = strategies.get(variant.name)
    return Config(declared() if variant.maximum is None else scaled(declared, variant.maximum), "cl100k_base")


def watched(outcome: Outcome, work: Callable[[], Any]) -> Any:
    """What the work gives, its CPU time noted; None where it fails, which is noted as a crash."""
    began = time.process_time()
    try:
        return work()
    except RunLimitError:
        return None  # the time says it
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        outcome.crash = f"{type(error).__name__}: {str(error)[:200]}"
        return None
    finally:
        outcome.seconds = time.process_time() - began


def refusal_faults(message: str, name: str, allowed: set[str]) -> Iterator[str]:
    """What is wrong with a refusal: of a file that must be read, in more than a line, without its
    name."""
    if "refused" not in allowed:
        yield f"was refused, and must be read: {message[:200]}"
    if "\n" in message or not message.isprintable():
        yield f"the refusal is not one clean line: {message[:200]!r}"
    if name and name not in message:
        yield f"the refusal does not name it: {message[:200]}"


def config_ways(case: Case, folder: Path) -> Iterator[tuple[str, bytes]]:
    """A config as it is, and its lines as settings of every strategy."""
    flat = (folder / case["file"]).read_bytes()
    yield AS_IT_IS, flat
    for name in strategies.names():
        yield name, b"chunkscope: 1\nstrategy: " + name.encode() + b"\nsettings:\n" + _indented(flat)


def _indented(lines: bytes) -> bytes:
    return b"".join(b"  " + line for line in lines.splitlines(keepends=True))


def seconds_of(case: Case) -> float:
    """The budget of a config."""
    return next((float(each[6:-1]) for each in case["must"] if each.startswith("time<=")), 2.0)


def answers_of_archive(case: Case) -> set[str]:
    """All have something that must be refused, but the one that only has the name."""
    return {"read"} if case["file"] == "html_named.md" else {"refused"}
