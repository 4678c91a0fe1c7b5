"""The conformance cases of contextual, through the HTTP describer to a server on loopback."""

from __future__ import annotations

from typing import Any

import pytest
from sample_server import Asked, Reply, serving
from spec_cases import spec_cases

from chunking import Config, parse, run
from chunking.config.values import Value
from chunking.models.access import Tools
from chunking.models.http_describers import HttpDescriber

ALL: list[dict[str, Any]] = spec_cases("semantic-contextual")
CASES = [case for case in ALL if case["kind"] == "contextual"]
BASES: dict[str | None, Value] = {
    None: {"strategy": "recursive"},
    'TextSplitter(20,0,separator=" ")': {
        "strategy": "fixed",
        "settings": {"chunkSize": 20, "chunkOverlap": 0, "separator": " "},
    },
}


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_the_case_gives_the_texts_prompts_and_calls_it_expects(case: dict[str, Any]) -> None:
    given, params = case["input"], case["params"]
    prefix = {"contextPrefix": params["context_prefix"]} if "context_prefix" in params else {}
    config = Config.of("contextual", {"base": BASES[params.get("base")], "provider": "openai", **prefix})

    def answer(_asked: Asked, _before: int) -> Reply:
        return Reply(body={"choices": [{"message": {"role": "assistant", "content": given["reply"]}}]})

    with serving(answer) as server:
        describer = HttpDescriber("openai/gpt-4o-mini", f"{server.base_url}/chat/completions", "gpt-4o-mini")
        document = parse(given["text"], name=given["metadata"]["source"])
        result = run(document, config, Tools(describer=describer))

    expected = case["expected"]["recommended"]
    assert [chunk.text for chunk in result.chunks] == [chunk["text"] for chunk in expected["chunks"]]
    for chunk, wanted in zip(result.chunks, expected["chunks"], strict=True):
        # `source` is the case's own metadata of its document; ours is the document's name.
        assert wanted["metadata"].items() - {("source", "doc.txt")} <= dict(chunk.metadata).items()
        assert chunk.document.name == wanted["metadata"]["source"]
    assert [_prompt(asked) for asked in server.requests] == expected["prompts"]
    assert [_call(asked) for asked in server.requests] == expected["calls"]


def _prompt(asked: Asked) -> str:
    prompt: str = asked.body["messages"][1]["content"]
    return prompt


def _call(asked: Asked) -> dict[str, object]:
    system = asked.body["messages"][0]
    assert system["role"] == "system"
    return {
        "model": asked.body["model"],
        "system_prompt": system["content"],
        "temperature": asked.body["temperature"],
    }
