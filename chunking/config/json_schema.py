"""The JSON Schema of the YAML, from the strategies' own declarations, so that an editor completes
and checks it."""

from __future__ import annotations

from pydantic.alias_generators import to_snake
from pydantic.json_schema import JsonSchemaValue

from chunking import strategies
from chunking.config.config import PROOF_FORMAT
from chunking.config.loader_part import loader_schema
from chunking.config.setting_spec import setting_specs
from chunking.core.strategy import Strategy
from chunking.imported.peers import PEERS

_HASH: JsonSchemaValue = {"type": "string", "pattern": "^sha256:[0-9a-f]{64}$"}
_COUNTER = (
    "what counts tokens: an encoding (cl100k_base), minilm (the bundled embedder's tokenizer), a rule (words), or "
    "tokenizer.json:PATH, as seen from this file, on the command line; left out: the strategy's default"
)
_REFERENCE = "#/$defs/{model}"


def schema() -> dict[str, object]:
    """The schema of a whole config (draft 2020-12); each strategy's settings stand under `$defs` by
    its name."""
    definitions: JsonSchemaValue = {"wrapped": _strategy_with_settings(())}
    for name in _names():
        definitions |= _settings(strategies.get(name))
    whole = _strategy_with_settings(
        (
            ("chunkscope", {"const": 1, "description": "format version"}),
            ("counter", {"type": "string", "description": _COUNTER}),
            ("loader", loader_schema()),
            ("overrides", _overrides()),
            ("proof", _proof()),
        )
    )
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Chunkscope config",
        **whole,
        "$defs": definitions,
    }


def _names() -> list[str]:
    """Our strategies, and behind them the splitters of other packages."""
    return [*strategies.names(), *(peer.name for peer in PEERS)]


def _strategy_with_settings(more: tuple[tuple[str, JsonSchemaValue], ...]) -> JsonSchemaValue:
    """A mapping of `strategy` and `settings`, the settings checked by the strategy's name."""
    names = _names()
    return {
        "type": "object",
        "required": ["strategy"],
        "additionalProperties": False,
        "properties": {"strategy": {"enum": names}, "settings": {"type": ["object", "null"]}, **dict(more)},
        "allOf": [
            {
                "if": {"properties": {"strategy": {"const": name}}},
                "then": {"properties": {"settings": {"anyOf": [{"$ref": f"#/$defs/{name}"}, {"type": "null"}]}}},
            }
            for name in names
        ],
    }


def _settings(strategy_type: type[Strategy]) -> JsonSchemaValue:
    """A strategy's settings under its name, and whatever definitions they refer to. Both spellings
    are read."""
    own = strategy_type.model_json_schema(by_alias=True, ref_template=_REFERENCE)
    definitions: JsonSchemaValue = own.pop("$defs", {})
    definitions.pop(Strategy.__name__, None)
    properties = own.setdefault("properties", {})
    for spec in setting_specs(strategy_type):
        if spec.kind == "strategy":
            properties[spec.label] = {"$ref": "#/$defs/wrapped", "description": spec.help}
    for alias in list(properties):
        if to_snake(alias) != alias:
            properties[to_snake(alias)] = {"$ref": f"#/$defs/{strategy_type.name}/properties/{alias}"}
    own.pop("required", None)  # either spelling will do; reading says which is missing
    return {
        **definitions,
        strategy_type.name: {**own, "title": strategy_type.title, "description": strategy_type.summary},
    }


def _overrides() -> JsonSchemaValue:
    return {
        "type": ["object", "null"],
        "description": "what is different for documents whose name fits a pattern, as docs/api/**; the first that fits",
        "additionalProperties": {
            "type": "object",
            "description": "settings; beside strategy, counter or loader, they may stand below settings",
            "properties": {
                "strategy": {"enum": _names()},
                "settings": {"type": ["object", "null"]},
                "counter": {"type": "string"},
                "loader": {"$ref": "#/properties/loader"},
            },
        },
    }


def _proof() -> JsonSchemaValue:
    document = {
        "type": "object",
        "required": ["source", "chunks"],
        "additionalProperties": False,
        "properties": {
            **dict.fromkeys(("source", "chunks", "descriptions", "text"), _HASH),
            "loader": {"type": "string", "maxLength": 200},
        },
    }
    return {
        "type": "object",
        "description": "written by the app and by run --proof, checked by verify",
        "required": ["engine", "documents"],
        "additionalProperties": False,
        "properties": {
            "engine": {"type": "string"},
            "format": {"type": "integer", "minimum": 1, "maximum": PROOF_FORMAT},
            "counter": _HASH,
            "documents": {"type": "object", "additionalProperties": document},
        },
    }
