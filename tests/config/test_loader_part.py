"""The `loader:` part of a config: through YAML, links, the schema, overrides, runs and proofs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from jsonschema import Draft202012Validator

from chunking import strategies
from chunking.config.config import Config, read_yaml
from chunking.document.loader_settings import LoaderSettings
from chunking.document.parser import parse
from chunking.errors import ConfigError, SettingError
from chunking.explanation.explanation import explain
from chunking.explanation.keep_whole import fixes
from chunking.runs import Run, run
from chunking.text.spans import Span

YAML = """\
strategy: every-heading
loader:
  headingPatterns: [article, "Rule {number} {title}"]
  delimiters: ["* * *"]
overrides:
  "*.md": {loader: {}}
  "b*": {strategy: heading-window, loader: {headingPatterns: [capitals]}}
"""
TEXT = "Article 1 Scope\n\nThis is about tea.\n\nArticle 2 Terms\n\nTea is a drink.\n"


def cut(text: str, config: Config, name: str = "a.txt") -> Run:
    return run(parse(text, name=name), config)


def test_a_config_with_a_loader_is_written_and_read_back() -> None:
    config = Config.from_yaml(YAML)

    assert config.loader == LoaderSettings(("article", "Rule {number} {title}"), ("* * *",))
    assert read_yaml(config.to_yaml()) == (config, None)
    assert Config.from_query(config.to_query()) == replace(config, overrides=())
    assert config.to_query()["loader.headingPatterns"] == '["article","Rule {number} {title}"]'
    assert config.with_settings({}).loader == config.loader


def test_a_config_without_one_is_written_as_before() -> None:
    assert "loader" not in Config.of("fixed", {}).to_yaml()
    assert set(Config.of("fixed", {}).to_query()) == {"strategy"}


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("[a]", "loader: a list is not a mapping; write names and values, as in headingPatterns: [numbered]"),
        ("{headingPattern: [a]}", "loader.headingPattern: a loader has no such setting; did you mean headingPatterns?"),
        ("{x: [a]}", "loader.x: a loader has no such setting; it has headingPatterns, delimiters"),
        ("{headingPatterns: numbered}", "loader.headingPatterns: 'numbered' is not a list; write ['numbered']"),
        ("{headingPatterns: [3]}", "loader.headingPatterns[0]: 3 is not text; put it in quotes"),
        ("{headingPatterns: [], heading_patterns: []}", "loader.headingPatterns: is given twice; delete one"),
    ],
)
def test_a_loader_that_is_wrong_is_one_line(written: str, problem: str) -> None:
    with pytest.raises(ConfigError) as refused:
        Config.from_yaml(f"strategy: fixed\nloader: {written}\n")
    assert str(refused.value).startswith(problem)

    with pytest.raises(ConfigError) as refused:
        Config.from_yaml(f"strategy: fixed\noverrides: {{a.md: {{loader: {written}}}}}\n")
    assert str(refused.value).startswith(f"overrides.a.md: {problem}")


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("loader.headingPatterns", "[" * 5000, "loader.headingPatterns: "),
        ("loader.headingPatterns", '["{title}"]', "loader.headingPatterns[0]: '{title}' fits every line"),
        ("loader.delimiters", '"---"', "loader.delimiters: '---' is not a list"),
        ("loader.x", "[]", "loader.x: a loader has no such setting"),
    ],
)
def test_a_link_is_refused_by_the_name_of_its_parameter(name: str, text: str, problem: str) -> None:
    with pytest.raises(ConfigError) as refused:
        Config.from_query({"strategy": "fixed", name: text})
    assert str(refused.value).startswith(problem)


def test_the_schema_takes_what_is_read_and_refuses_what_is_not() -> None:
    validator = Draft202012Validator(Config.json_schema())
    good = {"headingPatterns": ["numbered", "# References", "Rule {number}"], "delimiters": ["---"]}

    assert validator.is_valid({"strategy": "fixed", "loader": good})
    assert validator.is_valid({"strategy": "fixed", "loader": None, "overrides": {"*.txt": {"loader": good}}})
    wrong: tuple[object, ...] = (
        *({"headingPatterns": ["articel"]}, {"headingPatterns": "numbered"}, {"x": []}, []),
        *({"delimiters": [" "]}, {"delimiters": ["x" * 101]}),
    )
    for bad in wrong:
        assert not validator.is_valid({"strategy": "fixed", "loader": bad})


def test_the_column_of_a_table_is_kept_by_yaml_and_url_and_reads_no_document_again() -> None:
    config = Config.from_yaml("strategy: fixed\nloader: {text_column: body}\n")
    document = parse(TEXT, name="a.txt")

    assert config.loader.text_column == "body"
    assert "loader:\n  textColumn: body\n" in config.to_yaml()
    assert Config.from_yaml(config.to_yaml()) == config == Config.from_query(config.to_query())
    assert config.read(document) is document
    assert cut(TEXT, config).fingerprint == cut(TEXT, Config.of("fixed", {})).fingerprint
    for wrong, said in (("[a]", "a list is not text"), ("3", "3 is not text"), (f"{'x' * 101}", "has 101 characters")):
        with pytest.raises(SettingError, match=f"loader.textColumn: {said}"):
            Config.from_yaml(f"strategy: fixed\nloader: {{textColumn: {wrong}}}\n")


@pytest.mark.parametrize("name", [each for each in strategies.names() if not strategies.get(each).describes])
def test_every_strategy_has_the_headings_in_its_breadcrumbs(name: str) -> None:
    if name == "semantic":
        pytest.importorskip("onnxruntime", reason="the extra models is not installed")
    config = replace(Config.of(name, {}), loader=LoaderSettings(("chapter", "article")))
    made = cut(f"Chapter I\n\n{TEXT.replace('tea.', 'tea. It is hot. ' * 200)}", config)

    assert [(each.level, each.title) for each in made.document.sections[1:]] == [
        (1, "Chapter I"),
        (2, "Article 1 Scope"),
        (2, "Article 2 Terms"),
    ]
    assert all(chunk.breadcrumb[:2] == ("a.txt", "Chapter I") for chunk in made.chunks)


def test_a_run_follows_the_loader_of_the_config_or_of_its_override() -> None:
    config = Config.from_yaml(YAML)

    assert [chunk.breadcrumb for chunk in cut(TEXT, config).chunks] == [
        ("a.txt", "Article 1 Scope"),
        ("a.txt", "Article 2 Terms"),
    ]
    assert len(cut(TEXT, config, "a.md").chunks) == 1
    assert cut("TEA\n\nWords.\n", config, "b.txt").document.headings[0].title == "TEA"
    assert config.read(parse(TEXT, name="a.md")).headings == ()


def test_a_document_that_was_read_by_another_loader_is_read_again() -> None:
    config = Config.from_yaml(YAML)
    found = config.read(parse(TEXT, name="a.txt"))

    assert run(found, Config.of("every-heading", {})) == cut(TEXT, Config.of("every-heading", {}))
    assert run(found, config) == cut(TEXT, config)


def test_the_settings_of_the_loader_are_part_of_the_fingerprint() -> None:
    text = "Words alone.\n"
    plain = Config.of("fixed", {})
    prints = {
        cut(text, replace(plain, loader=loader)).fingerprint
        for loader in (LoaderSettings(), LoaderSettings(("numbered",)), LoaderSettings((), ("numbered",)))
    }

    assert len(prints) == 3
    assert cut(text, plain).fingerprint == cut(text, replace(plain, loader=LoaderSettings())).fingerprint


def test_an_explanation_and_a_change_that_keeps_a_span_whole_keep_the_loader() -> None:
    config = replace(
        Config.of("heading-window", {"minTokens": 1, "minTokensDeeper": 1}), loader=LoaderSettings(("article",))
    )
    made = cut(TEXT, config)
    boundary = made.chunks[0].body.end

    assert explain(parse(TEXT, name="a.txt"), config, offset=boundary).chunk == made.chunks[0]
    found = fixes(made, Span(boundary - 5, boundary + 5)).found
    assert found
    assert all(each.config.loader == config.loader for each in found)
