"""Processor time and memory of other processes, as Linux tells them; 0 where the system does not."""

from __future__ import annotations

import os
from pathlib import Path


def cpu_seconds_of(process: int) -> float:
    """Seconds of processor time, user and system, all threads together."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_bytes(process: int) -> int:
    """Memory that is in RAM, shared libraries included."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text(encoding="utf-8").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
