"""Fences that are cut at the statements of their language, by strategies that cut them at lines
otherwise."""

from __future__ import annotations

import random

import pytest
from contract import assert_promises, chunked, tools_for
from effort import calls
from explain_claims import ClaimCounts, hold

from chunking import Config, Run, parse, run
from chunking.errors import GrammarError
from chunking.tokens import counter
from chunking.tuning.space import space_of

pytest.importorskip("tree_sitter_python", reason="the extra code is not installed")

CODE = """import time


class Kettle:
    def boil(self, target):
        while self.temperature < target:
            self.heat(1)

    def cool(self):
        self.wait(60)


def small():
    return Kettle()
"""
FENCED = f"# Kettles\n\nBefore.\n\n```python\n{CODE}```\n\nAfter.\n"
STRATEGIES = {
    "hierarchical": {"hardCap": 20, "target": 16, "embedBreadcrumb": False},
    "heading-window": {"maxTokens": 16, "minTokens": 0},
}


def config_of(strategy: str, counted: str = "words", **settings: object) -> Config:
    """A config with small limits, with these settings beside them."""
    made = Config.of(strategy, {**STRATEGIES[strategy], **settings})  # type: ignore[dict-item]
    return Config(made.strategy, counted)


def begins(result: Run) -> list[str]:
    """The first line of code in each chunk that begins inside the fence."""
    inside = [chunk for chunk in result.chunks if "```python\n" in chunk.context]
    return [chunk.document[chunk.kept[0]].lstrip("\n").partition("\n")[0] for chunk in inside]


def test_hierarchical_cuts_a_fence_at_lines_or_by_syntax_between_whole_statements() -> None:
    document = parse(FENCED, "a.md")

    assert begins(chunked(document, config_of("hierarchical"))) == ["        self.wait(60)"]
    assert begins(chunked(document, config_of("hierarchical", codeFences="syntax"))) == ["def small():"]


def test_heading_window_cuts_before_the_statement_that_would_exceed_the_maximum() -> None:
    document = parse(FENCED, "a.md")
    by_syntax = chunked(document, config_of("heading-window", codeFences="syntax"))

    assert begins(chunked(document, config_of("heading-window"))) == ["    def cool(self):"]
    assert begins(by_syntax) == ["class Kettle:", "def small():"]
    assert by_syntax.chunks[0].ended_by.detail == (
        "the chunk has 6 tokens, and with 12 more up to line 14 it would exceed maxTokens (16), so it ends before the "
        "statement on line 9"
    )


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_statement_that_does_not_fit_is_cut_at_lines(strategy: str) -> None:
    rows = "".join(f"    {row}, {row}, {row},\n" for row in range(20))
    fence = f"# T\n\n```python\nTABLE = [\n{rows}]\n```\n"

    result = chunked(parse(fence, "a.md"), config_of(strategy, codeFences="syntax"))

    assert len(result.chunks) > 3
    assert all(line.startswith("    ") for line in begins(result))


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("fence", ["```text\n", "```\n", "- item\n\n  ```python\n  "])
def test_a_fence_in_no_known_language_or_in_a_list_is_cut_as_before(strategy: str, fence: str) -> None:
    document = parse(f"# Kettles\n\n{fence}" + CODE.replace("\n", "\n  ").rstrip() + "\n  ```\n", "a.md")
    by_lines, by_syntax = (run(document, config_of(strategy, codeFences=each)) for each in ("lines", "syntax"))

    assert by_syntax.fingerprint == by_lines.fingerprint


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_without_the_grammar_by_syntax_is_refused_in_one_line_and_at_lines_goes_on(
    monkeypatch: pytest.MonkeyPatch, strategy: str
) -> None:
    module = "chunking.splitting.source_code.grammars.find_spec"
    monkeypatch.setattr(module, lambda name: None if name.endswith("python") else name)

    with pytest.raises(GrammarError) as error:
        run(parse(FENCED, "a.md"), config_of(strategy, codeFences="syntax"))

    assert str(error.value) == (
        "a.md, line 5: tree-sitter-python is not installed; pip install 'chunkscope[code]', or set codeFences to lines"
    )
    assert len(run(parse(FENCED, "a.md"), config_of(strategy)).chunks) > 1


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_a_yaml_says_how_fences_are_cut_and_settings_that_are_tried_leave_it_as_it_is(strategy: str) -> None:
    config = config_of(strategy, codeFences="syntax")

    assert "codeFences: syntax" in config.to_yaml()
    assert Config.from_yaml(config.to_yaml()) == config
    assert "codeFences" not in {axis.setting for options in space_of([strategy]).options for axis in options.axes}


HOSTILE = {
    "unclosed string": 'python\n"""' + CODE * 3,
    "errors": "python\n" + "def f(:\n  x = (\nclass A\n    def g(self)\n        return 1\n\n" * 20,
    "one line": "js\n" + "function f(a){var c=a+b;if(c>3){return g(c,{x:1,y:[1,2]})}else{h(c)}return c}" * 10 + "\n",
    "joiners": "js\n" + ";\u0301".join(["a"] * 100) + ";\u200d" * 30 + "\n",
    "emoji": "python\n" + CODE.replace("Kettle", "ü").replace("60", "'👩‍👩‍👧‍👦'"),
    "line ends": ("python\n" + CODE).replace("\n", "\r", 5).replace("\n", "\r\n", 5),
    "empty": "python\n\n\n",
}


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("maximum", [1, 7, 40])
def test_the_promises_hold_on_hostile_code(strategy: str, name: str, maximum: int) -> None:
    limits = {"hardCap": maximum, "target": maximum} if strategy == "hierarchical" else {"maxTokens": maximum}
    config = config_of(strategy, "cl100k_base", codeFences="syntax", **limits)
    document = parse(f"# T\n\ntext\n\n```{HOSTILE[name][: 400 * maximum]}```\n\nend\n", "a.md")

    assert_promises(run(document, config, tools_for(config)), counter("cl100k_base"))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_is_cached_of_one_way_is_not_taken_for_the_other(strategy: str) -> None:
    document, fresh = parse(FENCED, "a.md"), []
    for fences in ("lines", "syntax"):
        fresh.append(run(parse(FENCED + " ", "a.md"), config_of(strategy, codeFences=fences)).chunks[0].body)

    again = [run(document, config_of(strategy, codeFences=each)).chunks[0].body for each in ("lines", "syntax") * 2]

    assert again == [*fresh, *fresh]
    assert fresh[0] != fresh[1]


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_twice_the_code_is_about_twice_the_work(strategy: str) -> None:
    def work(times: int) -> int:
        document, config = parse(f"```python\n{CODE * times}```\n"), config_of(strategy, codeFences="syntax")
        return calls(lambda: run(document, config))

    work(2)
    assert work(80) < 3 * work(40) + 10_000


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_what_is_said_of_the_ranges_of_the_limits_is_true(strategy: str) -> None:
    document, config = parse(FENCED, "a.md"), config_of(strategy, codeFences="syntax")
    tally, rng = ClaimCounts(), random.Random(1)
    for chunk in run(document, config).chunks[:-1]:
        hold(document, config, chunk.body.end, rng, tally)

    assert tally.messages == []
    assert tally.claims > 10
