"""Posting JSON to a model's server: what is retried, what is final, and that no key gets out."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from threading import Event

import pytest
from sample_server import Asked, Reply, serving

from chunking.errors import ModelError
from chunking.models.http import Patience, checked_key, post_json, redacted
from chunking.models.http_exchange import checked_base_url

KEY = "sk-very-secret-1234567890"


class Waits:
    """A Patience that waits no time and remembers how long it would have."""

    def __init__(self, attempts: int = 4, answer: float = 5.0) -> None:
        self.seconds: list[float] = []
        self.patience = Patience(attempts=attempts, answer=answer, connect=2.0, sleep=self.seconds.append)


def post(url: str, waits: Waits) -> object:
    headers = {"Authorization": f"Bearer {KEY}"}
    return post_json(url, {"a": "é"}, headers, who="test", secrets=[KEY], patience=waits.patience)


def test_what_is_posted_arrives_as_json_and_the_answer_comes_back() -> None:
    with serving(lambda asked, _: Reply(body={"got": asked.body})) as server:
        answer = post(f"{server.base_url}/v1/x", Waits())

    assert answer == {"got": {"a": "é"}}
    assert server.requests[0].path == "/v1/x"
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert server.requests[0].headers["content-type"] == "application/json"


def test_a_server_of_this_machine_is_asked_without_reading_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/no/such/file")
    monkeypatch.setattr("chunking.models.http_exchange._client", None)

    with serving(lambda *_: Reply(body={"got": 1})) as server:
        assert post(server.base_url, Waits()) == {"got": 1}


def test_a_wrong_key_is_refused_once_and_never_repeated_to_anyone() -> None:
    def refuse(asked: Asked, _: int) -> Reply:
        message = f"Incorrect API key provided: {asked.headers['authorization'].split()[1]}. Also seen: sk-ab***7890"
        return Reply(401, {"error": {"message": message}})

    waits = Waits()
    with serving(refuse) as server, pytest.raises(ModelError) as caught:
        post(server.base_url, waits)

    assert str(caught.value) == (
        "test: answered 401 Unauthorized: Incorrect API key provided: [key]. Also seen: [key]; check the key"
    )
    assert caught.value.__cause__ is None
    assert len(server.requests) == 1
    assert waits.seconds == []


def test_too_many_requests_waits_the_seconds_the_server_asks_for() -> None:
    def busy_twice(_: Asked, before: int) -> Reply:
        return Reply(429, {}, {"Retry-After": "7"}) if before < 2 else Reply(body=["done"])

    waits = Waits()
    with serving(busy_twice) as server:
        assert post(server.base_url, waits) == ["done"]

    assert waits.seconds == [7.0, 7.0]


def test_a_date_in_retry_after_is_waited_for() -> None:
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    waits = Waits()
    with serving(lambda _, before: Reply(503, {}, {"Retry-After": later}) if not before else Reply(body=1)) as server:
        assert post(server.base_url, waits) == 1

    assert 25 < waits.seconds[0] <= 30


def test_a_server_that_asks_to_wait_for_an_hour_is_not_waited_for() -> None:
    waits = Waits()
    with (
        serving(lambda *_: Reply(429, {"error": "quota"}, {"Retry-After": "3600"})) as server,
        pytest.raises(ModelError) as caught,
    ):
        post(server.base_url, waits)

    assert str(caught.value) == ("test: answered 429 Too Many Requests: quota; it asks to wait 3600 s, more than 60 s")
    assert waits.seconds == []


def test_without_retry_after_each_wait_is_twice_the_last_and_then_it_gives_up() -> None:
    waits = Waits(attempts=4)
    with serving(lambda *_: Reply(500, b"boom\nat line 3")) as server, pytest.raises(ModelError) as caught:
        post(server.base_url, waits)

    assert waits.seconds == [0.5, 1.0, 2.0]
    assert len(server.requests) == 4
    assert str(caught.value) == (
        "test: answered 500 Internal Server Error: boom at line 3; gave up after 4 attempts, try later"
    )


@pytest.mark.parametrize(("retry_after", "waited"), [("", 0.5), ("soon", 0.5), ("-5", 0.0), ("Wed, 99 Foo 2099", 0.5)])
def test_a_retry_after_that_says_nothing_useful_breaks_nothing(retry_after: str, waited: float) -> None:
    waits = Waits()
    with serving(lambda _, n: Reply(body=1) if n else Reply(429, {}, {"Retry-After": retry_after})) as server:
        assert post(server.base_url, waits) == 1

    assert waits.seconds == [waited]


def test_a_retry_after_of_five_hundred_digits_is_too_long() -> None:
    forever = serving(lambda *_: Reply(429, {}, {"Retry-After": "9" * 500}))
    with forever as server, pytest.raises(ModelError, match="it asks to wait 1000000000 s"):
        post(server.base_url, Waits())


def test_a_broken_connection_is_tried_again() -> None:
    with serving(lambda _, before: Reply(hang_up=True) if before < 2 else Reply(body="there")) as server:
        assert post(server.base_url, Waits()) == "there"


def test_a_server_that_is_gone_is_one_line() -> None:
    with serving(lambda *_: Reply()) as server:
        pass

    with pytest.raises(ModelError) as caught:
        post(server.base_url, Waits(attempts=2))

    assert str(caught.value) == (
        "test: could not be reached: nothing answers at that address (ConnectError); "
        "gave up after 2 attempts, try later"
    )


def test_no_answer_in_time_is_one_line() -> None:
    given_up = Event()

    def silent(*_: object) -> Reply:
        given_up.wait()
        return Reply(hang_up=True)

    with serving(silent) as server:
        with pytest.raises(ModelError) as caught:
            post(server.base_url, Waits(attempts=2, answer=0.1))
        given_up.set()

    assert str(caught.value) == "test: gave no whole answer within 0.1 s; gave up after 2 attempts, try later"


def test_a_redirect_is_not_followed_so_the_key_stays_where_it_was_sent() -> None:
    elsewhere = serving(lambda *_: Reply(body="elsewhere"))
    with elsewhere as other, serving(lambda *_: Reply(307, {}, {"Location": other.base_url})) as server:
        with pytest.raises(ModelError, match=r"307 Temporary Redirect.*check the address"):
            post(server.base_url, Waits())
        assert other.requests == []


@pytest.mark.parametrize("body", [b"<html>", b"", b"\xff\xfe\x00", b"[" * 100_000])
def test_an_answer_that_is_no_json_is_one_line(body: bytes) -> None:
    with serving(lambda *_: Reply(body=body)) as server, pytest.raises(ModelError) as caught:
        post(server.base_url, Waits())

    assert "did not answer with JSON" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_the_key_is_in_no_message_even_when_no_header_can_carry_it() -> None:
    for key in ("two words", "lïne", "a\nb", "tab\tkey"):
        with pytest.raises(ModelError) as caught:
            checked_key("OPENAI_API_KEY", key)
        assert key not in str(caught.value)
        assert "OPENAI_API_KEY" in str(caught.value)

    assert checked_key("OPENAI_API_KEY", " sk-fine \n") == "sk-fine"


def test_redaction_takes_the_secret_and_whatever_looks_like_one() -> None:
    assert redacted("no hunter2 here", ["hunter2"]) == "no [key] here"
    assert redacted("Bearer abcdefghijkl\nnext", []) == "[key] next"
    assert redacted("a risky-business skill", []) == "a risky-business skill"
    assert redacted("plain", ["", " "]) == "plain"


@pytest.mark.parametrize(
    "url", ["", "127.0.0.1:80", "file:///etc/passwd", "http://", "http://u:p@host/v1", "http://h/?k=1"]
)
def test_an_address_that_is_no_plain_http_address_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ModelError) as caught:
        checked_base_url("CHUNKSCOPE_BASE_URL", url)

    assert str(caught.value).startswith("CHUNKSCOPE_BASE_URL: ")
    assert "u:p" not in str(caught.value)


def test_an_address_loses_its_last_slash() -> None:
    assert checked_base_url("X", " https://host:8080/v1/ ") == "https://host:8080/v1"


def test_a_half_character_is_sent_as_json_all_the_same() -> None:
    with serving(lambda asked, _: Reply(body=len(json.dumps(asked.body)))) as server:
        assert post_json(server.base_url, {"a": "\ud800"}, {}, who="t", patience=Waits().patience) == 15
