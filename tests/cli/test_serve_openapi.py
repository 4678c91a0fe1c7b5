"""The OpenAPI document of `chunkscope serve`, held against what is really answered."""

from __future__ import annotations

import json

import jsonschema
import pytest
from command_line import GUIDE

pytest.importorskip("uvicorn", reason="needs the extra serve")

from chunking.cli.service.answers import ROUTES, Refusal, answer
from chunking.cli.service.openapi import openapi
from chunking.cli.service.work import Terms

DESCRIBED = json.loads(json.dumps(openapi("0")))
EMPTY_FRONT = "---\ntitle: Kettle\n---\n"


def form(name: str) -> dict[str, object]:
    return {"$ref": f"#/components/schemas/{name}", "components": DESCRIBED["components"]}


def test_every_line_of_an_answer_is_as_the_document_says() -> None:
    asked = {
        "config": "section-rules",
        "skips": True,
        "documents": [{"name": "guide.md", "text": EMPTY_FRONT + GUIDE}, {"name": "torn.pdf", "text": "no PDF"}],
    }
    said = DESCRIBED["paths"]["/v1/run"]["post"]["responses"]["200"]["content"]["application/x-ndjson"]["schema"]
    each_line = {**said, "components": DESCRIBED["components"]}

    pieces = [piece for piece in answer("run", json.dumps(asked).encode(), Terms()) if not isinstance(piece, Refusal)]
    lines = [json.loads(line) for line in b"".join(pieces).splitlines()]

    assert {line["type"] for line in lines} == {"chunk", "skip", "error"}
    for line in lines:
        jsonschema.validate(line, each_line)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**line, "document": 1}, each_line)


def test_what_is_shown_as_an_example_is_answered() -> None:
    schemas = DESCRIBED["components"]["schemas"]
    configs = schemas["RunBody"]["properties"]["config"]["examples"]
    (name,) = schemas["SentDocument"]["properties"]["name"]["examples"]

    for config in configs:
        asked = {"config": config, "documents": [{"name": name, "text": GUIDE}]}
        jsonschema.validate(asked, form("RunBody"))
        assert not any(isinstance(piece, Refusal) for piece in answer("run", json.dumps(asked).encode(), Terms()))
    assert len(configs) == 2


def test_every_route_says_what_it_may_refuse() -> None:
    for name, route in ROUTES.items():
        (operation,) = DESCRIBED["paths"][f"/v1/{name}"].values()
        of_a_body = {"400", "408", "413", "415", "422"}

        assert set(operation["responses"]) == {"200", "401", "403", "500", "503"} | (of_a_body if route.body else set())
