"""What `chunkscope serve` and `chunkscope mcp` are both told about the work they do."""

from __future__ import annotations

from typing import Annotated

import typer

from chunking.runtime.run_limits import RunLimits
from chunking.runtime.text_memory import memory

_MB = 1_000_000

MaxSeconds = Annotated[
    float,
    typer.Option(
        min=0, envvar="CHUNKSCOPE_RUN_SECONDS", help="Stop a document that takes more CPU time; 0 for no limit."
    ),
]
MaxMemory = Annotated[
    int,
    typer.Option(
        min=0,
        metavar="MB",
        envvar="CHUNKSCOPE_RUN_MEMORY_MB",
        help="Stop a document that takes more memory; 0 for no limit.",
    ),
]
Models = Annotated[bool, typer.Option("--models", help="Let configs ask servers of models, with this machine's keys.")]


def limits_of(seconds: float, megabytes: int) -> RunLimits:
    """The limits of each document."""
    return RunLimits(seconds or None, megabytes or None, "--max-seconds", "--max-memory")


def patience_of(seconds: float) -> float | None:
    """Seconds that a worker may take for a result. It counts CPU time itself; this ends one that
    does not come back to Python."""
    return 4 * seconds + 30 if seconds else None


def share_of(workers: int) -> int:
    """Megabytes that each of so many workers may remember of documents; 0 for no limit."""
    return max(1, memory.limit // workers // _MB) if memory.limit else 0
