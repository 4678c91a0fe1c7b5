"""Why a download that is made on request did not come, in words of ours.

Streamlit answers every fault there with "Failed to generate file for download" and keeps the reason
for its log. It has no setting for that answer, so its handler of these requests is wrapped here. A
reason that the person reads is not in the log.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from functools import wraps
from logging import LogRecord, getLogger

from streamlit.proto.BackMsg_pb2 import BackendOperationRequest
from streamlit.proto.ForwardMsg_pb2 import BackendOperationResponse
from streamlit.runtime.backend_operation_handler import DeferredFileHandler

from chunking.errors import ChunkscopeError

_said: ContextVar[list[str]] = ContextVar("said")
"""What the download that is being made in this context says of why it is not; Streamlit makes it in
another thread, which has the same list."""
_answer = DeferredFileHandler.handle


def telling(make: Callable[[], bytes]) -> Callable[[], bytes]:
    """The same content; what it raises of ours is shown beside the button, where
    `tell_why_none_came` was called."""

    @wraps(make, updated=())
    def made() -> bytes:
        try:
            return make()
        except ChunkscopeError as error:
            _said.get([]).append(str(error))
            raise

    return made


def tell_why_none_came() -> None:
    """Have the server say it, in the place of Streamlit's own words."""
    DeferredFileHandler.handle = _handle  # type: ignore[method-assign]
    getLogger(DeferredFileHandler.__module__).addFilter(_is_not_said)


def _is_not_said(_: LogRecord) -> bool:
    return not _said.get([])


async def _handle(
    self: DeferredFileHandler, request: BackendOperationRequest, session_id: str
) -> BackendOperationResponse:
    said: list[str] = []
    _said.set(said)
    answer = await _answer(self, request, session_id)
    if said and answer.error_msg:
        answer.error_msg = said[-1]
    return answer
