"""Embedders over HTTP, against a real server on loopback."""

from __future__ import annotations

import pytest
from sample_server import Asked, Reply, embeddings, serving

from chunking.errors import ModelError
from chunking.models.answer_cache import AnswerCache
from chunking.models.embedders import CachedEmbedder, embedder
from chunking.models.http import Patience
from chunking.models.http_embedders import PROVIDERS, HttpEmbedder, http_embedder

HASTY = Patience(attempts=2, answer=5.0, connect=2.0, sleep=lambda _: None)


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for provider in PROVIDERS.values():
        for variable in filter(None, (provider.key, provider.address)):
            monkeypatch.delenv(variable, raising=False)


def http(base_url: str, *, batch: int = 64, key: str = "") -> HttpEmbedder:
    return HttpEmbedder("test/m", f"{base_url}/embeddings", "m", batch, key, patience=HASTY)


def test_vectors_come_back_in_the_order_of_the_texts_whatever_order_they_are_sent_in() -> None:
    with serving(embeddings) as server:
        assert http(server.base_url)(["a", "bbb", "cc"]) == [[1, 1], [3, 1], [2, 1]]

    assert server.requests[0].path == "/embeddings"
    assert server.requests[0].body == {"input": ["a", "bbb", "cc"], "model": "m", "encoding_format": "float"}


def test_texts_are_asked_for_in_batches() -> None:
    with serving(embeddings) as server:
        http(server.base_url, batch=2)(["a", "b", "c", "d", "e"])

    assert [asked.body["input"] for asked in server.requests] == [["a", "b"], ["c", "d"], ["e"]]


def test_the_compatible_server_is_found_by_the_environment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(embeddings) as server:
        monkeypatch.setenv("CHUNKSCOPE_BASE_URL", f"{server.base_url}/v1/")
        monkeypatch.setenv("CHUNKSCOPE_API_KEY", "my-key")
        asked = http_embedder("compatible", "some-model")
        assert asked(["a"]) == [[1, 1]]

    assert server.requests[0].path == "/v1/embeddings"
    assert server.requests[0].headers["authorization"] == "Bearer my-key"
    assert asked.name == f"compatible/some-model at {server.base_url}/v1"
    assert "my-key" not in repr(asked)


def test_without_a_model_or_a_key_the_compatible_server_gets_neither(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(embeddings) as server:
        monkeypatch.setenv("CHUNKSCOPE_BASE_URL", server.base_url)
        http_embedder("compatible")(["a"])

    assert server.requests[0].body == {"input": ["a"], "encoding_format": "float"}
    assert "authorization" not in server.requests[0].headers


def test_ollama_is_asked_where_ollama_host_says(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(embeddings) as server:
        monkeypatch.setenv("OLLAMA_HOST", server.base_url.removeprefix("http://").replace("127.0.0.1", "0.0.0.0"))
        http_embedder("ollama")(["a"])

    assert server.requests[0].path == "/v1/embeddings"
    assert server.requests[0].body["model"] == "nomic-embed-text"
    monkeypatch.setenv("OLLAMA_HOST", "gpu-box")
    assert http_embedder("ollama").url == "http://gpu-box:11434/v1/embeddings"
    monkeypatch.delenv("OLLAMA_HOST")
    assert http_embedder("ollama").url == "http://127.0.0.1:11434/v1/embeddings"


def test_voyage_is_asked_without_an_encoding_format(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VOYAGE_API_KEY", "pa-123")
    voyage = http_embedder("voyage")
    assert voyage.url == "https://api.voyageai.com/v1/embeddings"

    with serving(embeddings) as server:
        here = HttpEmbedder(
            voyage.name, server.base_url, voyage.model, voyage.batch, voyage.key, voyage.encoding_format
        )
        assert here(["ab"]) == [[2, 1]]

    assert server.requests[0].body == {"input": ["ab"], "model": "voyage-3.5"}
    assert server.requests[0].headers["authorization"] == "Bearer pa-123"


@pytest.mark.parametrize(
    ("provider", "variable"),
    [
        ("openai", "OPENAI_API_KEY"),
        ("gemini", "GEMINI_API_KEY"),
        ("cohere", "COHERE_API_KEY"),
        ("voyage", "VOYAGE_API_KEY"),
    ],
)
def test_a_missing_key_is_one_line_that_names_its_variable(provider: str, variable: str) -> None:
    with pytest.raises(ModelError) as caught:
        embedder(provider)

    assert str(caught.value) == f"{provider}: the environment variable {variable} is not set; set it to your key"


def test_a_missing_address_is_one_line_that_names_its_variable() -> None:
    with pytest.raises(ModelError, match="CHUNKSCOPE_BASE_URL is not set; set it to the server's address"):
        embedder("compatible")


def test_public_providers_cannot_be_sent_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    monkeypatch.setenv("CHUNKSCOPE_BASE_URL", "http://evil.example")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://evil.example")

    assert http_embedder("openai").url == "https://api.openai.com/v1/embeddings"


def test_an_unknown_embedder_names_those_there_are() -> None:
    with pytest.raises(ModelError, match="there are: local, openai, gemini, cohere, voyage, ollama, compatible"):
        embedder("opanai")


@pytest.mark.parametrize("model", ["a\nb", "x" * 201, "bell\a"])
def test_a_model_name_that_would_break_a_line_is_refused(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    with pytest.raises(ModelError, match="name is over 200 characters or not printable"):
        embedder("openai", model)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"data": [{"index": 0, "embedding": [1, 2]}]}, "answered 1 vector for 2 texts"),
        ({"data": []}, "answered 0 vectors for 2 texts"),
        ({"object": "list"}, "without a list named data"),
        ([1], "without a list named data"),
        ({"data": [{"index": 0, "embedding": [1]}, {"index": 0, "embedding": [1]}]}, "indexes are not 0 to 1"),
        ({"data": [{"index": 0, "embedding": "AAAA"}, {"index": 1, "embedding": [1]}]}, "is not a list of numbers"),
        ({"data": [{"index": 0, "embedding": [1, 2]}, {"index": 1, "embedding": [1]}]}, "different lengths"),
        ({"data": [{"index": 0, "embedding": ["x"]}, {"index": 1, "embedding": [1]}]}, "not numbers"),
        ({"data": [{"index": 0, "embedding": [float("nan")]}, {"index": 1, "embedding": [1]}]}, "not finite"),
        ({"data": [{"index": 0, "embedding": []}, {"index": 1, "embedding": []}]}, "one vector for each text"),
    ],
)
def test_an_answer_that_is_not_one_vector_a_text_is_an_error(body: object, said: str) -> None:
    with serving(lambda *_: Reply(body=body)) as server, pytest.raises(ModelError) as caught:
        CachedEmbedder(http(server.base_url), 64, AnswerCache(None))(["a", "b"])

    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_server_gone_in_mid_run_keeps_what_was_answered_and_the_next_run_goes_on_there() -> None:
    memory = AnswerCache(None)
    texts = ["a", "bb", "ccc", "dddd", "eeeee"]

    def gone_after_one(asked: Asked, before: int) -> Reply:
        return embeddings(asked) if before == 0 else Reply(hang_up=True)

    with serving(gone_after_one) as server, pytest.raises(ModelError, match="broke the connection"):
        CachedEmbedder(http(server.base_url, batch=2), 2, memory)(texts)
    with serving(embeddings) as server:
        vectors = CachedEmbedder(http(server.base_url, batch=2), 2, memory)(texts)

    assert [asked.body["input"] for asked in server.requests] == [["ccc", "dddd"], ["eeeee"]]
    assert vectors[:, 0].tolist() == [1, 2, 3, 4, 5]
