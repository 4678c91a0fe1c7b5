"""The server of `chunkscope mcp`: the official SDK's, over standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import stat
import sys
from collections.abc import Coroutine
from typing import cast

import anyio
from mcp import types
from mcp.server import Server, ServerRequestContext
from mcp.server.stdio import stdio_server

from chunking.cli.service.agent_messages import LONGEST, AgentMessages
from chunking.cli.service.allowed_folders import AllowedFolders
from chunking.cli.service.answers import Refusal
from chunking.cli.service.tools import TOOLS, tool_answer
from chunking.cli.service.work import Terms
from chunking.cli.service.workers import Workers
from chunking.errors import ChunkscopeError, ReaderGoneError
from chunking.runtime.version import engine_version
from chunking.text.display import shown_text


def answer_agents(folders: AllowedFolders, terms: Terms, workers: Workers) -> None:
    """Answer until standard input ends, or a signal comes."""
    if number := asyncio.run(_until_told(_answer_agents(folders, terms, workers))):
        signal.raise_signal(number)  # all is in order: now it is the command's, as it is of others


async def _until_told(work: Coroutine[object, object, None]) -> int:
    """Do this work; give it up when a signal comes, and return its number, else 0. An exception
    that a signal raises somewhere in the loop would leave parts of it behind."""
    came: list[int] = []
    loop, working = asyncio.get_running_loop(), asyncio.ensure_future(work)

    def tell(number: int) -> None:
        came.append(number)
        working.cancel()

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    for number in before:
        loop.add_signal_handler(number, tell, number)
    try:
        await working
    except asyncio.CancelledError:
        if not came:
            raise
    finally:
        for number, handler in before.items():
            loop.remove_signal_handler(number)
            signal.signal(number, handler)
    return came[0] if came else 0


async def _answer_agents(folders: AllowedFolders, terms: Terms, workers: Workers) -> None:
    server = _server(folders, terms, workers)
    workers.begin()
    try:
        messages = await _messages()
        async with stdio_server(stdin=cast("anyio.AsyncFile[str] | None", messages)) as (read, write):
            if messages is not None:
                messages.answer = write.send
            await server.run(read, write, server.create_initialization_options())
    except BaseExceptionGroup as group:
        gone, others = group.split(BrokenPipeError)
        if gone is None or others is not None:
            raise
        raise ReaderGoneError("standard output: nobody reads it any more") from None
    finally:
        await workers.end()


def _server(folders: AllowedFolders, terms: Terms, workers: Workers) -> Server[dict[str, object]]:
    async def listed(
        _: ServerRequestContext[dict[str, object]], __: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(name) for name in TOOLS])

    async def called(
        _: ServerRequestContext[dict[str, object]], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        if params.name not in TOOLS:
            return _said(f"no tool is named {shown_text(params.name)}; there are: {', '.join(TOOLS)}", wrong=True)
        content, problem = json.dumps(params.arguments or {}).encode(), ""
        said: list[str] = []
        try:
            async with workers.work(tool_answer, params.name, content, folders, terms) as work:
                async for each in work.results():
                    if isinstance(each, Refusal):
                        problem = each.problem
                    else:
                        said.append(each)
        except ChunkscopeError as error:
            problem = str(error)
        return _said(shown_text(problem, 1000), wrong=True) if problem else _said(*said)

    allowed = ", ".join(shown_text(each, 200) for each in folders.folders)
    return Server(
        "chunkscope",
        version=engine_version(),
        instructions=f"See where a chunking strategy cuts a document, and why there. Paths are in: {allowed}.",
        on_list_tools=listed,
        on_call_tool=called,
    )


def _described(name: str) -> types.Tool:
    form = TOOLS[name].form
    return types.Tool(
        name=name,
        description=form.__doc__,
        input_schema=form.model_json_schema(),
        annotations=types.ToolAnnotations(read_only_hint=True, open_world_hint=False),
    )


def _said(*texts: str, wrong: bool = False) -> types.CallToolResult:
    return types.CallToolResult(content=[types.TextContent(type="text", text=each) for each in texts], is_error=wrong)


async def _messages() -> AgentMessages | None:
    """What the SDK reads; None, for what it takes by itself, where standard input is a file or a
    device: no loop waits for these."""
    mode = os.fstat(sys.stdin.fileno()).st_mode
    if not (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or sys.stdin.isatty()):
        return None
    reader = asyncio.StreamReader(LONGEST)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    return AgentMessages(reader)
