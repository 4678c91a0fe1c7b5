"""Rerankers over HTTP, against a real server on loopback, in each form that servers answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from sample_server import Asked, ModelServer, Reply, serving

from chunking.errors import ModelError
from chunking.models.answer_cache import AnswerCache
from chunking.models.http import Patience
from chunking.models.rerankers import RERANKERS, CachedReranker, HttpReranker, reranker

HASTY = Patience(attempts=2, answer=5.0, connect=2.0, sleep=lambda _: None)


def by_length(asked: Asked, _: int) -> Reply:
    """The longer a text, the higher its score; answered best first, as servers do."""
    texts = asked.body["texts"] if "texts" in asked.body else asked.body["documents"]
    rows = sorted(enumerate(texts), key=lambda each: -len(each[1]))
    if "texts" in asked.body:
        return Reply(body=[{"index": at, "score": len(text) / 10} for at, text in rows])
    return Reply(body={"results": [{"index": at, "relevance_score": len(text) / 10} for at, text in rows]})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    with serving(by_length) as found:
        monkeypatch.setenv("CHUNKSCOPE_BASE_URL", f"{found.base_url}/v1")
        monkeypatch.setenv("CHUNKSCOPE_TEI_URL", found.base_url)
        monkeypatch.setenv("CHUNKSCOPE_API_KEY", "my-key")
        yield found


def http(base_url: str, batch: int = 100) -> HttpReranker:
    return HttpReranker("test/m", f"{base_url}/rerank", "m", batch, patience=HASTY)


def test_scores_come_back_in_the_order_of_the_texts(server: ModelServer) -> None:
    assert http(server.base_url)("which", ["a", "bbb", "cc"]) == [0.1, 0.3, 0.2]
    assert server.requests[0].body == {"query": "which", "documents": ["a", "bbb", "cc"], "model": "m"}


def test_a_server_is_asked_in_batches(server: ModelServer) -> None:
    assert http(server.base_url, batch=2)("which", ["a", "bbb", "cc"]) == [0.1, 0.3, 0.2]
    assert [asked.body["documents"] for asked in server.requests] == [["a", "bbb"], ["cc"]]


@pytest.mark.parametrize(("provider", "path"), [("compatible", "/v1/rerank"), ("tei", "/rerank")])
def test_a_server_of_ones_own_is_found_by_the_environment_and_asked_once(
    provider: str, path: str, server: ModelServer, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path))
    asked = reranker(provider, "some-model")
    assert asked("which", ["a", "bbb"]) == asked("which", ["a", "bbb"]) == [0.1, 0.3]
    assert [(each.path, each.headers["authorization"]) for each in server.requests] == [(path, "Bearer my-key")]


def test_what_was_answered_is_remembered_for_each_question_and_text() -> None:
    calls: list[tuple[str, tuple[str, ...]]] = []

    class Counting:
        name = "test/counting"

        def __call__(self, question: str, texts: Sequence[str]) -> list[float]:
            calls.append((question, tuple(texts)))
            return [float(len(text)) for text in texts]

    cached = CachedReranker(Counting(), AnswerCache(None))
    assert cached("q", ["a", "bb"]) == [1, 2]
    assert cached("q", ["bb", "ccc"]) == [2, 3]
    assert cached("r", ["a"]) == [1]
    assert calls == [("q", ("a", "bb")), ("q", ("ccc",)), ("r", ("a",))]


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"data": [{"index": 0}]}, "without a number as the score of text 0"),
        ({"results": [{"index": 1, "relevance_score": 1}]}, "with an index that no text has"),
        ({"results": []}, "answered 0 scores for 1 text"),
        ({"message": "hello"}, "without a list of results"),
        (b'[{"index": 0, "score": NaN}]', "not finite"),
    ],
)
def test_an_answer_of_another_form_is_one_line(body: object, says: str) -> None:
    with serving(lambda *_: Reply(body=body)) as server, pytest.raises(ModelError, match=says):
        http(server.base_url)("which", ["a"])


def test_a_reranker_that_there_is_none_of_or_without_its_key_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match=f"there are: {', '.join(RERANKERS)}"):
        reranker("nobody")
    monkeypatch.delenv("JINA_API_KEY", raising=False)
    with pytest.raises(ModelError, match="JINA_API_KEY is not set"):
        reranker("jina")
