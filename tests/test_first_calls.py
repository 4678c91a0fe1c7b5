"""What somebody meets who calls the package for the first time: short reprs, and a wrong argument
named in one line."""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import chunking
from chunking import Config, compare, counter, load, parse, run

TEXT = "# Tea\n\nBoil water.\n\n" * 500
CONFIG = Config.of("every-heading")


def test_a_run_of_many_chunks_is_shown_in_one_short_line() -> None:
    assert repr(run(parse(TEXT, "tea.md"), CONFIG)) == (
        "Run(document='tea.md', strategy='every-heading', chunks=500, skips=0, warnings=0)"
    )


def test_the_package_says_its_version() -> None:
    assert chunking.__version__ == version("chunkscope")


def _any(value: Any) -> Any:
    return value


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: run(_any("text"), CONFIG), "run takes a Document, which parse(text) or load(path) gives, not str"),
        (
            lambda: run(_any([parse("a")]), CONFIG),
            "run takes a Document, which parse(text) or load(path) gives, not list",
        ),
        (lambda: run(parse("a"), _any("fixed")), "run takes a Config, such as Config.of('fixed') or Config.from_yaml"),
        (lambda: parse(_any(b"text")), "parse takes a text, and load(path) a file, not bytes"),
        (lambda: parse(_any(Path("a.md"))), "parse takes a text, and load(path) a file, not PosixPath"),
        (lambda: parse("text", _any(3)), "a document's name is a text, not int"),
        (lambda: load(_any(None)), "load takes a path, and parse(text) a text, not NoneType"),
        (lambda: compare(_any("a"), _any("b")), "compare takes two runs, which run(document, config) gives, not str"),
        (lambda: counter(_any(None)), "a counter is asked for by its name, such as 'cl100k_base', not NoneType"),
        (lambda: Config(_any("fixed")), "Config takes a strategy's object; by its name Config.of('fixed') makes one"),
        (lambda: Config.from_yaml(_any(None)), "a YAML is a text or its bytes, not NoneType"),
    ],
)
def test_a_wrong_argument_is_named_with_what_is_taken(call: Callable[[], object], says: str) -> None:
    with pytest.raises(TypeError) as error:
        call()

    assert str(error.value).startswith(says)
