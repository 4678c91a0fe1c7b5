"""What an agent writes to `chunkscope mcp`, message by message; what is none is answered, so that
nobody waits for it."""

from __future__ import annotations

import json
from asyncio import IncompleteReadError, LimitOverrunError, StreamReader
from collections.abc import AsyncIterator, Awaitable, Callable

from mcp import types
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

LONGEST = 16_000_000
"""Bytes of one message."""

Answer = Callable[[SessionMessage], Awaitable[None]]


class AgentMessages:
    """Lines of standard input, without the thread that the SDK would read them in: it holds up the
    end of the program until there is another line. The SDK passes over lines that are no message
    without a word: they are answered here."""

    def __init__(self, reader: StreamReader) -> None:
        """`reader` has LONGEST as its limit."""
        self._reader = reader
        self.answer: Answer | None = None
        """Sends a message to the agent, once there is a way."""

    async def __aiter__(self) -> AsyncIterator[str]:
        while (line := await self._line()) != b"":
            problem = _too_long() if line is None else _problem(line)
            if problem is not None and self.answer is not None:
                await self.answer(SessionMessage(problem))
            elif line is not None:
                yield line.decode("utf-8", "replace")

    async def _line(self) -> bytes | None:
        """The next line, b"" at the end, None for one that is too long: it is passed over."""
        whole = True
        while True:
            try:
                line = await self._reader.readuntil()
            except IncompleteReadError as error:
                line = error.partial
            except LimitOverrunError as error:
                await self._reader.readexactly(error.consumed)
                whole = False
                continue
            return line if whole else None


def _problem(line: bytes) -> types.JSONRPCError | None:
    """The answer to what is no message; None for a message, and for what asks nothing."""
    text = line.decode("utf-8", "replace")
    try:
        types.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValidationError:
        return _answer_to(text) if text.strip() else None
    return None


def _answer_to(text: str) -> types.JSONRPCError | None:
    try:
        said = json.loads(text)  # this reads half a character too, which no message may have
    except (ValueError, RecursionError):
        return _error(None, types.PARSE_ERROR, "this is not JSON, or nested too deeply")
    if not isinstance(said, dict):
        return _error(None, types.INVALID_REQUEST, "this is not a message of JSON-RPC 2.0: it must be an object")
    if "method" not in said and ("result" in said or "error" in said):
        return None
    number = said.get("id")
    known = number if type(number) is int or (isinstance(number, str) and number.isprintable()) else None
    return _error(known, types.INVALID_REQUEST, "this is not a request of JSON-RPC 2.0, or has half a character in it")


def _too_long() -> types.JSONRPCError:
    return _error(None, types.INVALID_REQUEST, f"a message of more than {LONGEST:,} bytes is not read")


def _error(number: str | int | None, code: int, message: str) -> types.JSONRPCError:
    return types.JSONRPCError(jsonrpc="2.0", id=number, error=types.ErrorData(code=code, message=message))
