"""Whatever a model's server does: one line, in bounded time and memory, for every provider's
client.

The servers are real ones on loopback; time limits are small ones that the test sets.
"""

from __future__ import annotations

import gzip
import json
import shutil
import socket
import ssl
import subprocess
import tracemalloc
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from raw_server import Handler, RawServer, Write, forever, silent, whole, writing
from sample_server import Reply, embeddings, serving

from chunking.errors import ModelError
from chunking.models.answer_cache import AnswerCache
from chunking.models.describers import CachedDescriber
from chunking.models.embedders import CachedEmbedder
from chunking.models.http import ABSOLUTE, Patience
from chunking.models.http_describers import ANSWER_LIMIT, CHAT, http_describer
from chunking.models.http_embedders import PROVIDERS, answer_limit, http_embedder
from chunking.models.waiting import Waiting, while_waiting

KEY = "kettle-secret-0123456789"
PATIENT = Patience(attempts=3, answer=20.0, connect=5.0, total=30.0, sleep=lambda _: None)
HASTY = Patience(attempts=3, answer=0.15, connect=5.0, total=0.3, first_wait=0.01)
CLIENTS = [f"embed/{name}" for name in PROVIDERS] + [f"describe/{name}" for name in CHAT]
ONE_OF_EACH = ["embed/openai", "describe/openai"]
"""Where a test has to wait: all of a kind ask by the same call."""
HEAD = b"HTTP/1.1 200 OK\r\n"


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in (*PROVIDERS.values(), *CHAT.values()):
        if provider.key:
            monkeypatch.setenv(provider.key, KEY)
        if provider.address:
            monkeypatch.delenv(provider.address, raising=False)
    monkeypatch.setenv("CHUNKSCOPE_BASE_URL", "http://127.0.0.1:1/v1")


def asks(client: str, url: str, patience: Patience = PATIENT) -> object:
    """Ask one text or question of a provider's own client, whose server is at `url`."""
    doing, _, provider = client.partition("/")
    if doing == "embed":
        embedder = replace(http_embedder(provider, "m"), url=url, patience=patience)
        return CachedEmbedder(embedder, 64, AnswerCache(None))(["a text"]).tolist()
    describer = replace(http_describer(provider, "m"), url=url, patience=patience)
    return CachedDescriber(describer, AnswerCache(None))("a question")


def refused(client: str, url: str, patience: Patience = PATIENT) -> str:
    """The one line with which that ends; it names provider and model, and tells no key."""
    with pytest.raises(ModelError) as caught:
        asks(client, url, patience)
    line = str(caught.value)
    assert line.startswith(f"{client.partition('/')[2]}/m")
    assert line.isprintable()
    assert KEY not in line
    assert len(line) < 500
    return line


@dataclass(frozen=True)
class Case:
    """What a server does, and words of the line that says so."""

    handler: Handler
    said: str
    asked: int = 1
    """How often it is asked."""


def _reset(write: Write, _server: RawServer) -> None:
    write(HEAD + b'Content-Length: 1000\r\n\r\n{"data": [')


def _chunk(body: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(body), body)


DEFINED = {
    "cut in the middle of its answer": Case(_reset, "broke the connection", 3),
    "closed without a word": Case(lambda _write, _server: None, "broke the connection", 3),
    "not HTTP": Case(lambda write, _server: write(b"220 mail.example ESMTP\r\n"), "did not speak HTTP", 3),
    "endless headers": Case(forever(HEAD, b"X-More: " + b"x" * 8_000 + b"\r\n"), "broke the connection", 3),
    "truncated JSON": Case(whole(b'{"data": [{"embedding": [0.1, 0.'), "did not answer with JSON"),
    "another shape": Case(whole(b'{"ok": true}'), "answered without"),
    "not UTF-8": Case(whole(b'{"data": "\xff\xfe\xfa"}'), "did not answer with JSON"),
    "deeply nested": Case(whole(b"[" * 8_000), "did not answer with JSON"),
    "a number of 100,000 digits": Case(whole(b"1" * 100_000), "did not answer with JSON"),
    "announces four gigabytes": Case(
        lambda write, _server: write(HEAD + b"Content-Length: 4294967296\r\n\r\n"), "answered with more than"
    ),
    "endless chunks": Case(
        forever(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", _chunk(b" " * 65_536)), "answered with more than"
    ),
    "endless without a length": Case(forever(HEAD + b"\r\n", b" " * 65_536), "answered with more than"),
    "gzip": Case(whole(gzip.compress(b" " * 10**6), headers="Content-Encoding: gzip\r\n"), "compressed body"),
    "a redirect": Case(
        whole(b"", status="307 Temporary Redirect", headers="Location: http://127.0.0.1:9/\r\n"),
        "redirects are not followed",
    ),
    "400 with escape codes": Case(
        whole(b"\x1b]0;owned\x07\x1b[2Jno such model\r\n", status="400 Bad\x1b[31m"), "answered 400 Bad Request"
    ),
    "401 that repeats the key": Case(
        whole(json.dumps({"error": {"message": "x" * 190 + KEY}}).encode(), status="401 Unauthorized"), "check the key"
    ),
    "404 without an end": Case(
        forever(b"HTTP/1.1 404 Not Found\r\n\r\n", b"<p>no</p>" * 10_000), "answered 404 Not Found: <p>no</p>"
    ),
    "500 of ten megabytes": Case(
        whole(b"sorry " * 1_700_000, status="500 Oh"), "answered 500 Internal Server Error: sorry", 3
    ),
    "503 in gzip": Case(
        whole(gzip.compress(b"x"), status="503 Busy", headers="Content-Encoding: gzip\r\n"),
        "answered 503 Service Unavailable; gave up after 3 attempts",
        3,
    ),
}

NEVER_ENDING = {
    "silent": silent,
    "a byte of a header at a time": forever(HEAD, b"X", 0.02),
    "a byte of the answer at a time": forever(HEAD + b"Content-Length: 100000\r\n\r\n", b" ", 0.02),
    "a chunk of one byte at a time": forever(HEAD + b"Transfer-Encoding: chunked\r\n\r\n", _chunk(b" "), 0.02),
    "endless 100 Continue": forever(b"", b"HTTP/1.1 100 Continue\r\n\r\n", 0.02),
}


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("case", DEFINED)
def test_every_fault_of_a_server_is_one_line(case: str, client: str) -> None:
    defined = DEFINED[case]
    with writing(defined.handler) as server:
        line = refused(client, server.base_url)

    assert defined.said in line
    assert len(server.requests) == defined.asked


@pytest.mark.parametrize("client", ONE_OF_EACH)
@pytest.mark.parametrize("case", NEVER_ENDING)
def test_an_answer_that_never_ends_is_given_up_at_the_limit_of_all_attempts(case: str, client: str) -> None:
    with writing(NEVER_ENDING[case]) as server:
        line = refused(client, server.base_url, HASTY)

    assert "gave no whole answer within 0." in line
    assert "at its limit of 0.3 s in all, try later" in line or "gave up after 3 attempts" in line
    assert len(server.requests) <= 3


@pytest.mark.parametrize("client", ONE_OF_EACH)
def test_an_error_whose_text_never_ends_is_known_by_its_status(client: str) -> None:
    with writing(forever(b"HTTP/1.1 401 No\r\nContent-Length: 100000\r\n\r\n", b"n", 0.02)) as server:
        line = refused(client, server.base_url, replace(HASTY, answer=1.0, total=10.0))

    assert line.endswith("answered 401 Unauthorized; check the key")
    assert len(server.requests) == 1


@pytest.mark.parametrize("client", CLIENTS)
def test_an_answer_is_asked_for_as_it_is_and_never_compressed(client: str) -> None:
    with writing(whole(b"{}")) as server:
        refused(client, server.base_url)

    (request,) = server.requests
    assert b"\r\naccept-encoding: identity\r\n" in request.lower()


@pytest.mark.parametrize("client", CLIENTS)
def test_a_name_that_nobody_knows_is_one_line(client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)

    assert "its name is not known (DNS); check its address" in refused(client, "http://nowhere.invalid/v1")


@pytest.mark.parametrize("client", CLIENTS)
def test_a_server_that_is_not_there_is_one_line(client: str) -> None:
    with writing(silent) as server:
        pass

    line = refused(client, server.base_url)
    assert "nothing answers at that address (ConnectError); gave up after 3 attempts, try later" in line


@pytest.fixture(scope="module")
def self_signed(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, Path]:
    """A certificate for 127.0.0.1 that nobody vouches for, and its file."""
    if not shutil.which("openssl"):
        pytest.skip("needs the openssl program")
    folder = tmp_path_factory.mktemp("certificate")
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject]
    subprocess.run([*made, "-keyout", str(key), "-out", str(certificate)], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    return context, certificate


@pytest.mark.parametrize("client", CLIENTS)
def test_a_certificate_that_is_not_trusted_is_refused_before_anything_is_sent(
    client: str, self_signed: tuple[ssl.SSLContext, Path]
) -> None:
    with writing(silent, self_signed[0]) as server:
        line = refused(client, f"https://127.0.0.1:{server.port}/v1")

    assert "its certificate is not trusted" in line
    assert "SSL_CERT_FILE" in line
    assert server.requests == []


def test_the_certificate_of_ones_own_authority_is_named_in_the_environment(
    self_signed: tuple[ssl.SSLContext, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(self_signed[1]))
    answer = json.dumps({"data": [{"index": 0, "embedding": [1, 2]}]}).encode()
    with writing(whole(answer), self_signed[0]) as server:
        assert asks("embed/openai", f"https://127.0.0.1:{server.port}/v1") == [[1, 2]]


@pytest.mark.parametrize("client", CLIENTS)
def test_https_to_a_server_without_it_is_one_line(client: str) -> None:
    with serving(embeddings) as server:
        line = refused(client, server.base_url.replace("http:", "https:"))

    assert "so nothing was sent; check whether the address begins with http:// or https://" in line
    assert server.requests == []


def test_a_server_on_this_machine_is_never_asked_through_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(lambda *_: Reply(502)) as proxy, serving(embeddings) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.base_url)
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        assert asks("embed/compatible", server.base_url) == [[6, 1]]

    assert proxy.requests == []


def test_a_proxy_of_an_unknown_kind_is_one_line_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "gopher://me:hunter2@proxy.example:1")

    line = refused("embed/openai", "https://127.0.0.1:9/v1")
    assert "correct HTTPS_PROXY" in line
    assert "hunter2" not in line


def test_the_limit_of_an_answer_follows_from_what_was_asked() -> None:
    assert answer_limit(1).size == 262_656
    assert answer_limit(64).size == 12_681_216
    assert answer_limit(10_000).size > ABSOLUTE.size
    largest = '{"data":[' + ",".join('{"index":255,"embedding":[' + "-0.0123456789012345," * 3071 + "1]}" for _ in "xx")
    assert 128 * len(largest) < min(ABSOLUTE.size, answer_limit(256).size)
    assert ANSWER_LIMIT.size < ABSOLUTE.size


def test_an_answer_of_countless_empty_values_is_refused_before_it_is_parsed() -> None:
    body = b'{"data":[' + b"{}," * 60_000 + b"{}]}"
    with writing(whole(body)) as server:
        line = refused("embed/openai", server.base_url)

    assert "answered with more than 9,224 values, the most that what was asked can need" in line


def test_an_answer_of_any_size_takes_no_more_memory_than_its_limit() -> None:
    tracemalloc.start()
    try:
        with writing(forever(HEAD + b"\r\n", b" " * 65_536)) as server:
            refused("describe/openai", server.base_url)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()

    assert peak < 12 * ANSWER_LIMIT.size


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e400"])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_numbers_that_are_not_finite_are_refused(provider: str, number: str) -> None:
    body = f'{{"data": [{{"index": 0, "embedding": [1, {number}]}}]}}'.encode()
    with writing(whole(body)) as server:
        assert "numbers that are not finite" in refused(f"embed/{provider}", server.base_url)


def test_vectors_of_another_length_end_the_run_at_once_and_are_asked_for_anew() -> None:
    memory = AnswerCache(None)
    lengths = iter([2, 3, 3, 3, 3])

    def changing(_asked: object, _before: int) -> Reply:
        return Reply(body={"data": [{"index": 0, "embedding": [1] * next(lengths)}]})

    with serving(changing) as server:
        http = replace(http_embedder("openai", "m"), url=server.base_url, batch=1, patience=PATIENT)
        with pytest.raises(ModelError, match=r"different lengths, 2 numbers and then 3; .*run again"):
            CachedEmbedder(http, 1, memory)(["a", "b", "c"])
        assert len(server.requests) == 2
        assert CachedEmbedder(http, 1, memory)(["a", "b", "c"]).shape == (3, 3)


class CancelledError(Exception):
    """Somebody pressed the button."""


class Cancels:
    """A listener that cancels once a server has been asked so often."""

    def __init__(self, server: RawServer, asked: int) -> None:
        self.heard: list[Waiting | None] = []
        self.server, self.asked = server, asked

    def __call__(self, waiting: Waiting | None) -> None:
        self.heard.append(waiting)
        if waiting and len(self.server.requests) >= self.asked:
            raise CancelledError


@pytest.mark.parametrize("client", CLIENTS)
def test_a_wait_is_told_and_can_be_cancelled_and_the_connection_ends_with_it(client: str) -> None:
    with writing(forever(HEAD, b"X", 0.01)) as server:
        listener = Cancels(server, 1)
        with while_waiting(listener), pytest.raises(CancelledError):
            asks(client, server.base_url)
        assert server.gone.wait(20)

    first, last = listener.heard[0], listener.heard[-1]
    assert first is not None
    assert first.who.startswith(client.partition("/")[2])
    assert first.words.endswith(" s, at most 30 s")
    assert last is None
    assert len(server.requests) == 1


def test_a_pause_between_two_attempts_can_be_cancelled_and_says_why_it_waits() -> None:
    told: list[str] = []

    def listener(waiting: Waiting | None) -> None:
        if waiting and waiting.problem:
            told.append(waiting.words)
            raise CancelledError

    patience = replace(PATIENT, sleep=None)
    busy = whole(b"", status="429 Slow", headers="Retry-After: 15\r\n")
    with writing(busy) as server, while_waiting(listener), pytest.raises(CancelledError):
        asks("embed/openai", server.base_url, patience)

    assert told[0].startswith("answered 429 Too Many Requests, attempt 1 of 3; waited ")


def test_what_was_answered_before_a_cancel_is_kept() -> None:
    memory = AnswerCache(None)

    def one_then_silence(write: Write, server: RawServer) -> None:
        if len(server.requests) > 1:
            silent(write, server)
        whole(b'{"data": [{"index": 0, "embedding": [1, 2]}]}')(write, server)

    with writing(one_then_silence) as server:
        http = replace(http_embedder("openai", "m"), url=server.base_url, batch=1, patience=PATIENT)
        embedder = CachedEmbedder(http, 1, memory)
        with while_waiting(Cancels(server, 2)), pytest.raises(CancelledError):
            embedder(["a", "b"])
        assert embedder.unknown(["a", "b"]) == ["b"]
