"""Configs in the address of a page: what is written, what is read, and in which words the rest is
refused."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_strategies import Ruler, Wrapper, registered

from chunking.config.config import Config
from chunking.errors import ConfigError


@pytest.fixture(autouse=True, scope="module")
def _samples() -> Iterator[None]:
    with registered():
        yield


def test_a_url_holds_what_differs_from_the_defaults() -> None:
    config = Config(Ruler(max_tokens=300, labels=("A", "é"), separator="; "), "chars-4")

    assert config.to_query() == {
        "strategy": "ruler",
        "maxTokens": "300",
        "separator": "; ",
        "labels": '["A","é"]',
        "counter": "chars-4",
    }


def test_a_url_names_the_settings_of_a_wrapped_strategy_after_a_dot() -> None:
    config = Config(Wrapper(base=Ruler(max_tokens=300)))

    assert config.to_query() == {"strategy": "wrapper", "base.strategy": "ruler", "base.maxTokens": "300"}
    assert Config.from_query(config.to_query()) == config


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({}, "the URL names no strategy; add strategy= and a name"),
        ({"strategy": "ruler", "maxTokens": "abc"}, "maxTokens: 'abc' is text; it takes a whole number"),
        ({"strategy": "ruler", "maxTokens": "9" * 400}, "maxTokens: a number of more than 60 digits is too large"),
        ({"strategy": "ruler", "maxTokens": "9" * 5000}, "maxTokens: '9999"),
        ({"strategy": "ruler", "maxTokens": "[" * 9000}, "maxTokens: '[["),
        ({"strategy": "ruler", "maxTokens": "1" * 20_000}, "maxTokens: has 20000 characters; at most 16384 are read"),
        ({"strategy": "ruler", "threshold": "NaN"}, "threshold: 'NaN' is text; it takes a number from 0 to 1"),
        (
            {"strategy": "ruler", "threshold": "1e999"},
            "threshold: inf is beyond every number; it takes a number from 0 to 1",
        ),
        ({"strategy": "ruler", "labels": '["a","\\ud83d"]'}, "labels[1]: '[U+D83D]' holds half a character"),
        ({"strategy": "ruler", "separator": "\ud83d"}, "separator: '[U+D83D]' holds half a character"),
        ({"strategy": "ruler", "maxTokens": "true"}, "maxTokens: true is true or false, not a number"),
        ({"strategy": "ruler", "max": "1"}, "max: ruler has no such setting"),
        ({"strategy": "ruler", "a.b.c": "1"}, "a: ruler wraps no strategy by that name"),
        ({"strategy": "wrapper", "base.maxTokens": "1"}, "base.strategy: is missing; name the strategy"),
        ({"strategy": "wrapper", "base": "1"}, "base: 1 is not a strategy"),
        ({"strategy": "ruler", **{str(n): "" for n in range(300)}}, "the URL has 301 parameters; at most 200 are read"),
    ],
)
def test_a_hostile_url_is_refused_in_one_line(query: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Config.from_query(query)
    assert str(caught.value).startswith(message)
    assert len(str(caught.value)) < 300


def test_a_page_keeps_its_own_parameters() -> None:
    query = {"strategy": "ruler", "max_tokens": "300", "document": "guide.md"}

    assert Config.from_query(query, ignore=("document",)) == Config(Ruler(max_tokens=300))


@given(
    st.dictionaries(
        st.sampled_from(
            ["maxTokens", "min_tokens", "threshold", "labels", "note", "tail", "base", "base.strategy", "base.x"]
        ),
        st.text()
        | st.sampled_from(["ruler", "wrapper", "[1]", "{}", '{"strategy":"ruler"}', "null", "1e5", "-0.0", "[[[["]),
        max_size=4,
    ),
    st.sampled_from(["ruler", "wrapper", "", "rul\u0435r"]),
)
def test_any_url_gives_a_config_that_survives_or_one_line(query: dict[str, str], strategy: str) -> None:
    try:
        config = Config.from_query({"strategy": strategy, **query})
    except ConfigError as error:
        line = str(error)
    else:
        line = ""
        assert Config.from_query(config.to_query()) == config
    assert "\n" not in line
    assert len(line) < 300
