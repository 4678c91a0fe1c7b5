"""What is too large is refused before the server has read it; what the server sends may be a whole
document."""

from __future__ import annotations

import http.client
from collections.abc import Iterator

import pytest
from streamlit.runtime.runtime_util import get_max_message_size_bytes
from websockets.exceptions import ConnectionClosed

from benchmarks.protocol import Session, serving
from pages.ui.choices.uploads import LARGEST_MB
from pages.ui.server import message_sizes

MB = 1_000_000


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving("--server.enableXsrfProtection=false") as (_, port):
        yield port


@pytest.mark.parametrize("megabytes", [17, 60])
def test_a_frame_over_16_mb_ends_its_socket_and_no_other(port: int, megabytes: int) -> None:
    with Session(port) as session, pytest.raises((ConnectionClosed, OSError)):
        session.answered(bytes(megabytes * MB))

    with Session(port, "strategy=every-heading") as another:
        assert another.run().messages


@pytest.mark.parametrize("told", [True, False])
def test_a_file_over_the_limit_is_refused_whether_its_size_is_told_or_not(port: int, told: bool) -> None:
    with Session(port, "strategy=every-heading") as session:
        session.run()

        assert put(session, 1, told=told) == 204
        assert put(session, LARGEST_MB + 10, told=told) in (413, None)


def put(session: Session, megabytes: int, *, told: bool) -> int | None:
    """The status of an upload; None where the server ended it before it was sent."""
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.md"\r\n\r\n'
    body = [head, *[b"a" * MB] * megabytes, b"\r\n--b--\r\n"]
    client = http.client.HTTPConnection("127.0.0.1", session.port, timeout=60)
    headers = {"Content-Type": "multipart/form-data; boundary=b"}
    if told:
        headers["Content-Length"] = str(sum(map(len, body)))
    try:
        client.request("PUT", f"/_stcore/upload_file/{session.id}/a", iter(body), headers, encode_chunked=not told)
        return client.getresponse().status
    except OSError:
        return None
    finally:
        client.close()


def test_what_is_sent_may_be_as_large_as_a_document_with_its_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("streamlit.runtime.runtime_util._max_message_size_bytes", 16 * MB)
    message_sizes.send_whole_documents()

    assert get_max_message_size_bytes() > 4 * LARGEST_MB * MB
