"""Every config comes back from YAML and URL as it went in, and fits the JSON schema."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from sample_strategies import Ruler, Wrapper, ruler

from chunking import strategies
from chunking.config import yaml_io
from chunking.config.config import Config
from chunking.config.values import Table, Value
from chunking.errors import ChunkscopeError

pytestmark = pytest.mark.usefixtures("samples")


def test_the_json_schema_takes_what_we_write_and_refuses_what_we_refuse() -> None:
    schema = Config.json_schema()
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    base = {"strategy": "ruler", "settings": {"maxTokens": 300}}

    assert validator.is_valid({"chunkscope": 1, "strategy": "ruler", "settings": {"max_tokens": 5, "minTokens": 5}})
    assert validator.is_valid({"strategy": "wrapper", "settings": {"base": base}})
    assert validator.is_valid({"strategy": "ruler", "settings": None})
    assert not validator.is_valid({"chunkscope": 2, "strategy": "ruler"})
    assert not validator.is_valid({"strategy": "rulr"})
    assert not validator.is_valid({"strategy": "ruler", "settings": {"maxTokens": 0}})
    assert not validator.is_valid({"strategy": "ruler", "settings": {"maxTokns": 5}})
    assert not validator.is_valid({"strategy": "wrapper", "settings": {"base": {**base, "settings": {"x": 1}}}})
    assert not validator.is_valid({"strategy": "every-heading", "settings": {"maxTokens": 300}})


@pytest.mark.parametrize("name", strategies.names())
def test_each_strategy_survives_yaml_and_url_and_fits_the_schema(name: str) -> None:
    config = Config(strategies.get(name)())

    assert Config.from_yaml(config.to_yaml()) == config
    assert Config.from_query(config.to_query()) == config
    Draft202012Validator(Config.json_schema()).validate(plain_yaml(config.to_yaml()))


@given(
    st.builds(
        Ruler,
        max_tokens=st.integers(100, 8192),
        min_tokens=st.integers(0, 100),
        threshold=st.floats(0, 1),
        lookahead=st.booleans(),
        tail=st.sampled_from(["skip", "keep", "merge"]),
        separator=st.text(),
        labels=st.lists(st.text(max_size=8), max_size=4).map(tuple),
        note=st.none()
        | st.text()
        | st.sampled_from(["null", "~", "", "no", "1", "0x1", "1:2", "- a", "# a", "a: b", "\ufeff"]),
    ),
    st.booleans(),
)
def test_any_config_survives_yaml_and_url(strategy: Ruler, wrapped: bool) -> None:
    config = Config(Wrapper(base=strategy) if wrapped else strategy, "words-1.3")

    written = config.to_yaml()
    assert Config.from_yaml(written) == config
    assert Config.from_yaml(written.encode()).to_yaml() == written
    assert Config.from_query(config.to_query()) == config


@given(st.text(alphabet=st.sampled_from("ab01 \n\t:-#?[]{},&*!|>'\"%@`\\~<=._xuU\r\ufeff\x85é"), max_size=60))
def test_any_text_gives_a_config_or_one_line(text: str) -> None:
    for given_text in (text, ruler(text), f'strategy: ruler\nsettings:\n  note: "{text}"'):
        line = refusal_or_none(given_text)
        assert line is None or ("\n" not in line and len(line) < 600)


@given(
    st.recursive(
        st.text(max_size=6) | st.integers(-9, 9) | st.booleans() | st.none(),
        lambda x: st.lists(x, max_size=3) | st.dictionaries(st.text(max_size=6), x, max_size=3),
        max_leaves=8,
    )
)
def test_yaml_reads_back_whatever_it_writes(value: Value) -> None:
    assert thawed(yaml_io.read(yaml_io.write(value))) == value


def test_equal_configs_are_written_equally() -> None:
    assert Config(Ruler(threshold=-0.0)).to_yaml() == Config(Ruler(threshold=0.0)).to_yaml()
    assert Config(Ruler(threshold=1)).to_yaml() == Config(Ruler(threshold=1.0)).to_yaml()


def refusal_or_none(text: str) -> str | None:
    try:
        Config.from_yaml(text)
    except ChunkscopeError as error:
        return str(error)
    return None


def plain_yaml(text: str) -> object:
    return thawed(yaml_io.read(text))


def thawed(value: object) -> object:
    """Tables as dicts."""
    if isinstance(value, Table):
        return {key: thawed(held) for key, held in value.items()}
    return [thawed(held) for held in value] if isinstance(value, list) else value
