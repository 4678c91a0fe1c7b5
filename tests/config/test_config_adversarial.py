"""The hostile configs of ../shared/adversarial, each refused in one line, fast, with nothing
run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sample_strategies import Ruler, registered
from shared_material import shared_dir

from chunking.config.config import Config
from chunking.errors import ConfigError

# Encodings that a correct file may have; and 1 is a maximum like any other.
_READ_AS_SETTINGS = {"bom", "crlf", "one", "utf16", "empty"}
NAMES = [
    "bad_encoding_name",
    "bom",
    "bomb_laughs",
    "bomb_merge",
    "bool_for_int",
    "crlf",
    "custom_tag",
    "deep_flow_map",
    "duplicate_keys",
    "empty",
    "float_int",
    "future_version",
    "hex_oct",
    "huge_int",
    "huge_int_digits",
    "inf_nan",
    "latin1",
    "list_for_int",
    "local_tag",
    "long_name",
    "negative",
    "nonstring_keys",
    "norway",
    "null",
    "numeric_string",
    "one",
    "overlap_negative",
    "path_field",
    "py_object_apply",
    "py_object_new",
    "recursive_alias",
    "regex_redos",
    "sexagesimal",
    "tabs",
    "timestamp_value",
    "top_list",
    "underscore",
    "unicode_digits",
    "unicode_lookalike",
    "unknown_encoding",
    "unknown_section",
    "utf16",
    "wrong_type_str",
    "xss_name",
]


@pytest.fixture(autouse=True, scope="module")
def _samples() -> Iterator[None]:
    with registered():
        yield


def hostile(name: str) -> bytes:
    return (shared_dir() / "adversarial" / "configs" / f"{name}.yaml").read_bytes()


def as_settings(strategy: str, lines: bytes) -> bytes:
    """The lines indented under a strategy's settings, in UTF-8 or whatever they are."""
    indented = b"".join(b"  " + line for line in lines.splitlines(keepends=True))
    return b"chunkscope: 1\nstrategy: " + strategy.encode() + b"\nsettings:\n" + indented


def refusal(raw: bytes) -> str:
    with pytest.raises(ConfigError) as caught:
        Config.from_yaml(raw)
    message = str(caught.value)
    assert "\n" not in message
    assert message.isprintable()
    return message


def test_every_hostile_config_of_the_index_is_tested_here(shared: Path) -> None:
    index = json.loads((shared / "adversarial" / "INDEX.json").read_text())

    assert sorted(each["id"] for each in index["configs"]) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_a_flat_config_is_refused(name: str) -> None:
    assert len(refusal(hostile(name))) < 200


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"empty"}))
def test_its_lines_are_refused_as_settings_of_fixed(name: str) -> None:
    assert len(refusal(as_settings("fixed", hostile(name)))) < 400


@pytest.mark.parametrize("name", sorted(set(NAMES) - _READ_AS_SETTINGS))
def test_its_lines_are_refused_as_settings_of_a_strategy_that_has_those_settings(name: str) -> None:
    """`ruler` has max_tokens and min_tokens, so it is the value that is refused here, not the
    key."""
    assert len(refusal(as_settings("ruler", hostile(name)))) < 400


def test_a_maximum_of_one_is_read() -> None:
    raw = as_settings("ruler", hostile("one") + b"min_tokens: 0\n")

    assert Config.from_yaml(raw) == Config(Ruler(max_tokens=1, min_tokens=0))


@pytest.mark.parametrize("name", ["bom", "crlf", "utf16"])
def test_the_encoding_of_a_good_config_does_not_matter(name: str) -> None:
    raw = hostile(name)
    text = Config(Ruler(max_tokens=512)).to_yaml()
    if name == "crlf":
        text = text.replace("\n", "\r\n")
    written = text.encode({"bom": "utf-8-sig", "crlf": "utf-8", "utf16": "utf-16"}[name])

    assert written[:2] == raw[:2] or name == "crlf"
    assert Config.from_yaml(written) == Config(Ruler(max_tokens=512))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("duplicate_keys", "max_tokens is given twice, on lines 4 and 6; delete one"),
        ("unicode_lookalike", "m[U+0430]x_tokens: ruler has no such setting; did you mean maxTokens?"),
        ("tabs", "line 5, column 3: not YAML: found character '\\t' that cannot start any token; indent with spaces"),
        ("bool_for_int", "maxTokens: true is true or false, not a number; it takes a whole number from 1 to 8192"),
        ("sexagesimal", "maxTokens: '8:32' is text; write plain decimal digits without quotes"),
        ("bomb_merge", "line 4: anchors (&) are not read; write the value out where it is needed"),
        ("custom_tag", "line 4: tags (!include) are not read; delete the tag"),
    ],
)
def test_the_refusal_says_what_and_where(name: str, message: str) -> None:
    assert refusal(as_settings("ruler", hostile(name))).startswith(message)


@pytest.mark.parametrize("name", ["bad_encoding_name", "unknown_encoding"])
def test_a_counter_is_one_of_a_list_and_never_a_path(name: str) -> None:
    encoding = hostile(name).decode().split("encoding: ")[1]

    assert refusal(f"strategy: ruler\ncounter: {encoding}".encode())


def test_the_words_of_norway_are_text_and_are_written_in_quotes() -> None:
    text = Config(Ruler(note="no", labels=("off", "yes", "1.10"))).to_yaml()

    assert 'note: "no"' in text
    assert '- "off"\n  - "yes"\n  - "1.10"' in text
    assert Config.from_yaml("strategy: ruler\nsettings: {note: no, labels: [off, yes]}") == Config(
        Ruler(note="no", labels=("off", "yes"))
    )
