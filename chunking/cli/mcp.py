"""`chunkscope mcp`: what the commands print, as tools of an agent."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from chunking.cli.service.options import MaxMemory, MaxSeconds, Models, limits_of, patience_of, share_of
from chunking.errors import OutputError
from chunking.runtime.extras import missing


def mcp_command(
    folders: Annotated[list[Path], typer.Argument(metavar="FOLDER...", help="Folders whose documents may be read.")],
    max_seconds: MaxSeconds = 60,
    max_memory: MaxMemory = 2048,
    models: Models = False,
) -> None:
    """Answer an agent over standard input and output (Model Context Protocol): chunk, explain,
    compare, health, tune. Only documents of these folders are read, and nothing is written."""
    if absent := missing("mcp"):
        raise OutputError(f"mcp: {absent}")
    from chunking.cli.service.allowed_folders import AllowedFolders
    from chunking.cli.service.answers import get_ready
    from chunking.cli.service.mcp_server import answer_agents
    from chunking.cli.service.work import Terms
    from chunking.cli.service.workers import Workers

    allowed = AllowedFolders.of(folders)
    terms = Terms(limits_of(max_seconds, max_memory), models)
    workers = Workers(1, _WAITING, patience_of(max_seconds), get_ready, share_of(1))
    answer_agents(allowed, terms, workers)


_WAITING = 16
"""Questions that may wait for the one before."""
