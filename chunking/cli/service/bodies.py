"""What a request to `chunkscope serve` may hold: each field is declared here, for the check and for
the OpenAPI document."""

from __future__ import annotations

import re
from itertools import islice
from typing import Annotated, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from chunking.errors import ChunkscopeError
from chunking.text.display import shown_ascii
from chunking.text.suggest import did_you_mean
from chunking.tuning.goal import Objective
from chunking.tuning.space import COUNTER

MOST_DOCUMENTS = 1000
"""Documents of one request."""
LONGEST_NAME = 1000
"""Characters of a document's name."""

MOST_KEYS = 20_000
"""Keys in one request: its documents have three each. A million unknown ones would take a minute
and gigabytes to be refused one by one."""
_KEY = re.compile(rb'(?<!\\)(?:\\\\)*"\s*:')
"""The end of a key: a quote that is not escaped, and a colon."""

ConfigField = Annotated[
    str | dict[str, JsonValue],
    Field(
        description="A config: its YAML as text, the same as an object, or a strategy's name for its defaults.",
        examples=["heading-window", {"strategy": "fixed", "settings": {"chunkSize": 400}}],
    ),
]


class Body(BaseModel):
    """A JSON object without other keys than these."""

    model_config = ConfigDict(extra="forbid", strict=True)


class SentDocument(Body):
    """A document in a request: `text`, or the bytes of a file as `base64`."""

    name: str = Field(
        description="What ids begin with: a path with `/`, as below the root of a folder. No file is opened by it.",
        min_length=1,
        max_length=LONGEST_NAME,
        examples=["docs/guide.md"],
    )
    text: str | None = Field(None, description="The text of a Markdown or plain text file.")
    base64: str | None = Field(None, description="The bytes of any file that a folder may hold, such as a PDF.")


DocumentsField = Annotated[list[SentDocument], Field(min_length=1, max_length=MOST_DOCUMENTS)]


class RunBody(Body):
    """Documents to chunk."""

    config: ConfigField
    documents: DocumentsField
    skips: bool = Field(False, description="Also what was left out, in its place.")


class InspectBody(Body):
    """A document to look at."""

    config: ConfigField
    document: SentDocument
    health: bool = Field(False, description="Also whether its chunks are fit to embed.")


class HealthBody(Body):
    """Documents to check."""

    config: ConfigField
    documents: DocumentsField


class ExplainBody(Body):
    """A boundary to explain."""

    config: ConfigField
    document: SentDocument
    line: int = Field(ge=1, description="The boundary nearest this line, from 1, is explained.")


class CompareBody(Body):
    """Two configs to compare on the same documents."""

    before: ConfigField
    after: ConfigField
    documents: DocumentsField


class BodyError(ChunkscopeError):
    """A request's body that is not JSON, or not of its route's form."""

    def __init__(self, status: int, problem: str) -> None:
        """`status` is that of the answer: 400 for what is not valid JSON, else 422."""
        super().__init__(problem)
        self.status = status


class SearchBody(Body):
    """What a search for a goal is told, wherever its documents are."""

    goal: Objective = Field(
        "whole-blocks", description="What to make best; recall, iou and precision-omega need questions."
    )
    strategies: list[str] = Field([], description="Only these; left out, all that need no model.")
    max_chunks: int = Field(0, ge=0, description="At most so many chunks; 0 for no limit.")
    max_tokens: int = Field(0, ge=0, description="At most so many tokens to embed; 0 for no limit.")
    never_cut: list[Literal["code", "table", "list"]] = Field([], description="No such block may be cut.")
    counter: str = Field(COUNTER, description="Counts for every config, so that they compare.")
    trials: int = Field(20, ge=1, le=200, description="At most so many configs are measured.")


class TuneBody(SearchBody):
    """Documents to search a config for."""

    documents: DocumentsField
    questions: str = Field(
        "", description="Questions with known answers: the text of a file of CSV or JSON lines, as `tune` takes it."
    )


Of = TypeVar("Of", bound=Body)


def body_of(form: type[Of], content: bytes) -> Of:
    """A request's body. Raises BodyError, one line with the field."""
    if next(islice(_KEY.finditer(content), MOST_KEYS, None), None):
        raise BodyError(422, f"the body has more than {MOST_KEYS:,} keys; a document has name and text, or base64")
    try:
        return form.model_validate_json(content)
    except ValidationError as error:
        raise _in_words(form, error) from None


def _in_words(form: type[Body], error: ValidationError) -> BodyError:
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return BodyError(400, f"the body is not JSON: {shown_ascii(first['msg'].removeprefix('Invalid JSON: '), 200)}")
    fields = [str(part) for part in first["loc"] if part not in ("str", "dict[str,any]")]
    where = shown_ascii(".".join(fields), 200) or "the body"
    if first["type"] == "missing":
        return BodyError(422, f"{where}: is missing")
    if first["type"] == "extra_forbidden":
        return BodyError(422, f"{where}: is not known; {did_you_mean(fields[-1], _fields_at(form, fields))}")
    if first["loc"] and first["loc"][0] in ("config", "before", "after"):
        return BodyError(422, f"{where}: must be a YAML as text, the same as an object, or a strategy's name")
    return BodyError(
        422, f"{where}: {shown_ascii(first['msg'], 200).replace('Input should be', 'must be').rstrip('.')}"
    )


def _fields_at(form: type[Body], path: list[str]) -> list[str]:
    """The fields that are known where the last part of a path is not."""
    return list((form if len(path) == 1 else SentDocument).model_fields)
