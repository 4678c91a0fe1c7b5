"""The OpenAPI document of `chunkscope serve`, made of its routes and what their bodies declare."""

from __future__ import annotations

from typing import get_args, get_origin, get_type_hints, is_typeddict

from pydantic import TypeAdapter
from pydantic.json_schema import models_json_schema

from chunking.cli.service.answers import ROUTES, Route
from chunking.cli.service.work import ErrorLine
from chunking.core.records import SkipRecord, WrittenChunk

_PROBLEMS = {
    "400": "The body is not JSON.",
    "401": "The token is missing or wrong.",
    "403": "The server is not known by that name, or a page of another site asks.",
    "408": "The request was not whole in time.",
    "413": "The request is too large.",
    "415": "The body is not application/json.",
    "422": "A config, a name or a document is wrong, or past a limit.",
    "500": "A fault of the server's; one of ours is in its log.",
    "503": "Too much is asked at once.",
}
_OF_A_BODY = ("400", "408", "413", "415", "422")
_LINES = {"Chunk": WrittenChunk, "Skip": SkipRecord, "Error": ErrorLine}
"""What each line of JSON lines is one of."""


def openapi(version: str) -> dict[str, object]:
    """The document, for OpenAPI 3.1."""
    bodies = [route.body for route in ROUTES.values() if route.body]
    _, schemas = models_json_schema(
        [(body, "validation") for body in bodies], ref_template="#/components/schemas/{model}"
    )
    problem = {
        "type": "object",
        "properties": {"error": {"type": "string", "description": "One line, with the value and the way out."}},
        "required": ["error"],
    }
    return {
        "openapi": "3.1.0",
        "info": {"title": "Chunkscope", "version": version, "summary": "What the commands print, over HTTP."},
        "paths": {
            "/health": {"get": _health()},
            **{f"/v1/{name}": _operation(route) for name, route in ROUTES.items()},
        },
        "components": {
            "schemas": {
                **schemas["$defs"],
                "Problem": problem,
                **{name: _schema_of(each) for name, each in _LINES.items()},
            },
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _operation(route: Route) -> dict[str, object]:
    problems = {
        status: _answer(words, _named("Problem"))
        for status, words in _PROBLEMS.items()
        if route.body or status not in _OF_A_BODY
    }
    good = _answer(route.summary, {})
    if route.lines:
        each: dict[str, object] = {"oneOf": [_named(name) for name in _LINES]}
        good = _answer("Lines; the schema is that of each.", each, "application/x-ndjson")
    operation = {"summary": route.summary, "responses": {"200": good, **problems}}
    if route.body is None:
        return {"get": operation}
    content = {"application/json": {"schema": _named(route.body.__name__)}}
    return {"post": {**operation, "requestBody": {"required": True, "content": content}}}


def _health() -> dict[str, object]:
    fields = {"status": {"const": "ok"}, "version": {"type": "string"}}
    schema: dict[str, object] = {"type": "object", "properties": fields, "required": list(fields)}
    return {"summary": "Whether the server answers.", "responses": {"200": _answer("It does.", schema)}}


def _answer(words: str, schema: dict[str, object], kind: str = "application/json") -> dict[str, object]:
    return {"description": words, "content": {kind: {"schema": schema}}}


def _named(schema: str) -> dict[str, object]:
    return {"$ref": f"#/components/schemas/{schema}"}


def _schema_of(kind: object) -> dict[str, object]:
    """The JSON Schema of a type. A TypedDict of `typing` pydantic takes only from Python 3.12."""
    if is_typeddict(kind):
        fields = {name: _schema_of(each) for name, each in get_type_hints(kind).items()}
        return {"type": "object", "properties": fields, "required": list(fields)}
    if get_origin(kind) is list and is_typeddict(get_args(kind)[0]):
        return {"type": "array", "items": _schema_of(get_args(kind)[0])}
    adapter: TypeAdapter[object] = TypeAdapter(kind)  # type: ignore[arg-type]  # a type, whichever
    return adapter.json_schema()
