"""Processor time and memory of other processes, as Linux tells them; 0 where the system does
not."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Memory:
    """Bytes in RAM."""

    resident: int
    """Shared libraries included, though other processes use the same."""
    own: int
    """What no other process uses."""


def cpu_seconds_of(process: int) -> float:
    """Seconds of processor time, user and system, all threads together."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory_of(process: int) -> Memory:
    """The memory of a process."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return Memory(0, 0)
    kilobytes = {name: int(words.split()[0]) for name, _, words in (line.partition(":") for line in lines[1:])}
    return Memory(1024 * kilobytes["Rss"], 1024 * (kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]))
