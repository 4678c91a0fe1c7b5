"""Answers of `chunkscope serve` that are one line: why there is no other."""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.responses import Response

from chunking.text.display import shown_text

JSON = "application/json"


class RequestError(Exception):
    """What is wrong, with the status of HTTP."""

    def __init__(self, status: int, words: str, **headers: str) -> None:
        """`headers` by their names, with _ for -."""
        super().__init__(words)
        self.status = status
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


def error_answer(problem: RequestError) -> Response:
    """The line, as JSON."""
    return json_answer({"error": shown_text(str(problem), 1000)}, problem.status, problem.headers)


def json_answer(value: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A value as one line of JSON."""
    return Response(json.dumps(value) + "\n", status, headers, JSON)


def too_slow(seconds: float) -> RequestError:
    """What is said to who sends too slowly, its head or its body."""
    return RequestError(408, f"the request was not whole after {seconds:g} s (--body-seconds)", connection="close")
