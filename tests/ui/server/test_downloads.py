"""What is answered in the place of a download that could not be made."""

from __future__ import annotations

from collections.abc import Callable
from logging import getLogger

import pytest
from own_loop import in_a_loop
from streamlit.proto.BackMsg_pb2 import BackendOperationRequest
from streamlit.runtime.backend_operation_handler import DeferredFileHandler

from chunking.errors import OutputError
from pages.ui.server import downloads


class Files:
    """Streamlit's files, with one download."""

    def __init__(self, make: Callable[[], bytes]) -> None:
        self._make = make

    def execute_deferred(self, _: str) -> str:
        self._make()
        return "/media/made"


def answered(make: Callable[[], bytes], monkeypatch: pytest.MonkeyPatch) -> str:
    """What whoever asked for this download reads; empty where it came."""
    monkeypatch.setattr(DeferredFileHandler, "handle", DeferredFileHandler.handle)
    downloads.tell_why_none_came()
    handler = DeferredFileHandler(lambda: Files(downloads.telling(make)))  # type: ignore[arg-type, return-value]
    answer = in_a_loop(handler.handle(BackendOperationRequest(request_id="1"), "a session"))
    return answer.error_msg


def raising(error: Exception) -> bytes:
    raise error


def test_a_download_that_cannot_be_made_is_answered_with_our_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answered(lambda: raising(OutputError("too wide; narrow it")), monkeypatch) == "too wide; narrow it"


def test_a_fault_that_is_not_ours_is_answered_without_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answered(lambda: raising(KeyError("inside")), monkeypatch) == "Failed to generate file for download"


def test_a_download_that_is_made_is_answered_with_its_address(monkeypatch: pytest.MonkeyPatch) -> None:
    assert answered(lambda: b"made", monkeypatch) == ""


def test_what_the_person_reads_is_not_in_the_log_and_a_fault_that_is_not_ours_is(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(getLogger(DeferredFileHandler.__module__), "handlers", [caplog.handler])

    answered(lambda: raising(OutputError("too wide; narrow it")), monkeypatch)
    assert not caplog.records

    answered(lambda: raising(KeyError("inside")), monkeypatch)
    assert [record.exc_info is not None for record in caplog.records] == [True]
