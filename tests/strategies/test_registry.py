"""A strategy is found by being there: a file in the folder, or an entry point of another package.
Nothing else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import pytest

from chunking import Config, parse, run, strategies
from chunking.errors import SettingError, UnknownStrategyError

LINES = '''
"""Every line is a chunk: a strategy that a test drops into the folder."""

from chunking.core.chunk import Boundary
from chunking.document import Span
from chunking.core.strategy import Strategy, setting


class Lines(Strategy):
    name = "test-lines"
    title = "Lines"
    summary = "Every so many lines."
    rules = {"line": "the line ends"}

    every_lines: int = setting(1, title="Every", help="Higher makes fewer chunks.", ge=1)

    def split(self, document, tools):
        ends = [*document.line_starts.tolist()[self.every_lines :: self.every_lines], len(document.text)]
        start = 0
        for end in ends:
            rule = "end" if end == len(document.text) else "line"
            yield tools.seal(document, Span(start, end), Boundary(rule, rule), breadcrumb=(document.base_name,))
            start = end
'''


@pytest.fixture
def fresh_registry() -> Iterator[None]:
    """Look for strategies anew, before and after the test."""
    remembered = (strategies._registry, strategies._modules, strategies._in_module)
    for each in remembered:
        each.cache_clear()
    yield
    for each in remembered:
        each.cache_clear()


@pytest.fixture
def dropped_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fresh_registry: None) -> Iterator[None]:  # noqa: ARG001
    """A file `lines.py` in a folder that is searched like our own."""
    (tmp_path / "lines.py").write_text(LINES, encoding="utf-8")
    monkeypatch.setattr(strategies, "__path__", [*strategies.__path__, str(tmp_path)])
    yield
    sys.modules.pop("chunking.strategies.lines", None)


@pytest.mark.usefixtures("dropped_file")
def test_a_file_in_the_folder_is_a_strategy_that_runs_and_validates_without_an_edit_elsewhere() -> None:
    assert "test-lines" in strategies.names()
    config = Config.from_yaml("chunkscope: 1\nstrategy: test-lines\nsettings: {everyLines: 2}\ncounter: words-1.3\n")

    result = run(parse("a\nb\nc\n", name="x.md"), config)

    assert [c.text for c in result.chunks] == ["a\nb\n", "c\n"]
    assert Config.from_yaml(config.to_yaml()) == config
    with pytest.raises(SettingError):
        Config.from_yaml("chunkscope: 1\nstrategy: test-lines\nsettings: {everyLines: 0}\n")


@pytest.mark.usefixtures("fresh_registry")
def test_an_entry_point_of_another_package_is_a_strategy(monkeypatch: pytest.MonkeyPatch) -> None:
    ours = strategies.get("every-heading")
    elsewhere = type("Elsewhere", (ours,), {"name": "test-elsewhere"})

    class EntryPoint:
        name = "test-elsewhere"

        def load(self) -> type:
            return elsewhere

    strategies._registry.cache_clear()
    monkeypatch.setattr(metadata, "entry_points", lambda *, group: [EntryPoint()] if group else [])

    assert strategies.get("test-elsewhere") is elsewhere


def test_every_strategy_says_what_it_is_and_explains_its_settings() -> None:
    for name in strategies.names():
        strategy = strategies.get(name)
        assert strategy.name == name
        assert strategy.title
        assert strategy.summary.endswith(".")
        for setting in strategy.model_fields.values():
            assert setting.title, name
            assert setting.description, name


def test_an_unknown_name_gets_the_likely_one() -> None:
    with pytest.raises(UnknownStrategyError, match="did you mean 'hierarchical'"):
        strategies.get("heirarchical")


@pytest.mark.parametrize("name", ["heading-window", "block-packing", "hierarchical", "section-rules", "contextual"])
def test_every_strategy_counts_exactly_unless_told_otherwise(name: str) -> None:
    assert Config(strategies.get(name)()).counter == "cl100k_base"
    assert Config.from_yaml(f"strategy: {name}").counter == "cl100k_base"
    assert Config.from_query({"strategy": name}).counter == "cl100k_base"
