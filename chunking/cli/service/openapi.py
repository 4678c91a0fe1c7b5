"""The OpenAPI document of `chunkscope serve`, made of its routes and what their bodies declare."""

from __future__ import annotations

from pydantic.json_schema import models_json_schema

from chunking.cli.service.answers import ROUTES, Route

_PROBLEMS = {
    "400": "The body is not JSON.",
    "401": "The token is missing or wrong.",
    "403": "The server is not known by that name, or a page of another site asks.",
    "408": "The request was not whole in time.",
    "413": "The request is too large.",
    "415": "The body is not application/json.",
    "422": "A config, a name or a document is wrong, or past a limit.",
    "503": "Too much is asked at once.",
}


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
            "/health": {"get": {"summary": "Whether the server answers.", "responses": {"200": _answer("It does.")}}},
            **{f"/v1/{name}": _operation(route) for name, route in ROUTES.items()},
        },
        "components": {
            "schemas": {**schemas["$defs"], "Problem": problem},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
        "security": [{}, {"token": []}],
    }


def _operation(route: Route) -> dict[str, object]:
    kind = "application/x-ndjson" if route.lines else "application/json"
    problems = {status: _answer(words, "#/components/schemas/Problem") for status, words in _PROBLEMS.items()}
    operation = {"summary": route.summary, "responses": {"200": _answer("The answer.", kind=kind), **problems}}
    if route.body is None:
        return {"get": operation}
    schema = {"$ref": f"#/components/schemas/{route.body.__name__}"}
    return {
        "post": {**operation, "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}
    }


def _answer(words: str, schema: str = "", kind: str = "application/json") -> dict[str, object]:
    return {"description": words, "content": {kind: {"schema": {"$ref": schema} if schema else {}}}}
