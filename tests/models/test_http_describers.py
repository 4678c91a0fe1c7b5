"""Describers over HTTP, against servers on loopback that speak OpenAI's and Anthropic's
protocols."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sample_server import Reply, serving

from chunking.errors import ModelError
from chunking.models.http import Patience
from chunking.models.http_describers import CHAT, AnthropicDescriber, HttpDescriber, http_describer

HASTY = Patience(attempts=3, answer=5.0, connect=2.0, sleep=lambda _: None)
OVERFLOW = {"error": {"code": 400, "message": "request (3022 tokens) exceeds the available context size (512 tokens)"}}


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in CHAT.values():
        for variable in filter(None, (provider.key, provider.address)):
            monkeypatch.delenv(variable, raising=False)


def chat(text: object) -> Reply:
    return Reply(body={"choices": [{"index": 0, "message": {"role": "assistant", "content": text}}]})


def messages(*texts: str) -> Reply:
    blocks = [{"type": "thinking", "thinking": "hm"}, *({"type": "text", "text": text} for text in texts)]
    return Reply(body={"type": "message", "role": "assistant", "content": blocks})


def openai(base_url: str, key: str = "") -> HttpDescriber:
    return HttpDescriber("openai/m", f"{base_url}/chat/completions", "m", key, patience=HASTY)


def test_openai_is_asked_with_the_specs_system_prompt_and_no_temperature() -> None:
    with serving(lambda _asked, _before: chat(" A kettle. ")) as server:
        assert openai(server.base_url, "my-key")("What is it?") == " A kettle. "

    asked = server.requests[0]
    assert asked.path == "/chat/completions"
    assert asked.headers["authorization"] == "Bearer my-key"
    assert asked.body == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "You are a concise technical writer."},
            {"role": "user", "content": "What is it?"},
        ],
        "temperature": 0.0,
        "max_tokens": 300,
    }


def test_anthropic_is_asked_in_its_own_way(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(lambda _asked, _before: messages("A ", "kettle.")) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.base_url)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "my-key")
        describer = http_describer("anthropic", "claude-x")
        assert describer("What is it?") == "A kettle."

    asked = server.requests[0]
    assert asked.path == "/v1/messages"
    assert asked.headers["x-api-key"] == "my-key"
    assert asked.headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in asked.headers
    assert asked.body == {
        "model": "claude-x",
        "system": "You are a concise technical writer.",
        "messages": [{"role": "user", "content": "What is it?"}],
        "temperature": 0.0,
        "max_tokens": 300,
    }
    assert describer.name == f"anthropic/claude-x at {server.base_url}"
    assert "my-key" not in repr(describer)


@pytest.mark.parametrize("ending", ["", "/", "/v1", "/v1/"])
def test_ollama_is_found_with_and_without_v1(monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    with serving(lambda _asked, _before: chat("x")) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.base_url + ending)
        http_describer("ollama")("y")

    assert server.requests[0].path == "/v1/chat/completions"
    assert server.requests[0].body["model"] == "llama3.2"


def test_a_server_of_ones_own_gets_no_model_and_no_key_unless_they_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(lambda _asked, _before: chat("x")) as server:
        monkeypatch.setenv("CHUNKSCOPE_BASE_URL", f"{server.base_url}/v1")
        http_describer("compatible")("y")

    assert server.requests[0].path == "/v1/chat/completions"
    assert "model" not in server.requests[0].body
    assert "authorization" not in server.requests[0].headers


def test_openai_itself_gets_the_limit_under_the_name_its_newer_models_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    describer = http_describer("openai")

    assert (describer.url, describer.model) == ("https://api.openai.com/v1/chat/completions", "gpt-4o-mini")
    with serving(lambda _asked, _before: chat("x")) as server:
        replace(describer, url=server.base_url)("y")
    assert server.requests[0].body["max_completion_tokens"] == 300
    assert "max_tokens" not in server.requests[0].body


@pytest.mark.parametrize(
    ("provider", "variable"),
    [
        ("openai", "OPENAI_API_KEY"),
        ("anthropic", "ANTHROPIC_API_KEY"),
        ("gemini", "GEMINI_API_KEY"),
        ("cohere", "COHERE_API_KEY"),
        ("compatible", "CHUNKSCOPE_BASE_URL"),
    ],
)
def test_what_is_missing_in_the_environment_is_named(provider: str, variable: str) -> None:
    with pytest.raises(ModelError, match=f"^{provider}: the environment variable {variable} is not set"):
        http_describer(provider)


def test_a_wrong_key_is_asked_with_once_and_never_shown() -> None:
    secret = "kettle-secret-0123456789"
    refusal = Reply(401, {"error": {"message": f"Incorrect API key provided: {secret}"}})
    with serving(lambda _asked, _before: refusal) as server, pytest.raises(ModelError) as raised:
        openai(server.base_url, secret)("y")

    assert str(raised.value) == (
        "openai/m: answered 401 Unauthorized: Incorrect API key provided: [key]; check the key"
    )
    assert len(server.requests) == 1


def test_a_prompt_that_is_too_long_is_said_in_the_servers_words() -> None:
    with serving(lambda _asked, _before: Reply(400, OVERFLOW)) as server, pytest.raises(ModelError) as raised:
        openai(server.base_url)("y")

    assert "400 Bad Request: request (3022 tokens) exceeds the available context size (512 tokens)" in str(raised.value)
    assert len(server.requests) == 1


def test_a_busy_server_is_asked_again_after_as_long_as_it_asks_for() -> None:
    slept: list[float] = []
    busy = Reply(429, {"error": {"message": "slow down"}}, {"Retry-After": "7"})
    with serving(lambda _asked, before: busy if before < 2 else chat("at last")) as server:
        waiting = replace(openai(server.base_url), patience=Patience(attempts=3, sleep=slept.append))
        assert waiting("y") == "at last"

    assert slept == [7, 7]


def test_a_server_that_is_gone_is_an_error_after_a_few_attempts() -> None:
    with serving(lambda _asked, _before: chat("x")) as server:
        gone = openai(server.base_url)

    with pytest.raises(ModelError, match=r"openai/m: could not be reached: .* \(ConnectError\); gave up after 3"):
        gone("y")


@pytest.mark.parametrize(
    "body", [[], {}, {"choices": []}, {"choices": [None]}, {"choices": [{"message": {"content": None}}]}, "text", 3]
)
def test_an_answer_that_is_no_chat_is_an_error(body: object) -> None:
    with (
        serving(lambda _asked, _before: Reply(body=body)) as server,
        pytest.raises(ModelError, match="without choices"),
    ):
        openai(server.base_url)("y")


@pytest.mark.parametrize("body", [[], {}, {"content": "text"}, 3])
def test_an_answer_that_is_no_message_is_an_error(body: object) -> None:
    with serving(lambda _asked, _before: Reply(body=body)) as server:
        describer = AnthropicDescriber("anthropic/m", server.base_url, "m", patience=HASTY)
        with pytest.raises(ModelError, match="without a list named content"):
            describer("y")
