"""What a config says of documents of some names only."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator

from chunking.config.config import Config, read_yaml
from chunking.config.overrides import MOST
from chunking.document.parser import parse
from chunking.errors import ConfigError
from chunking.explanation.explanation import explain
from chunking.runs import run

YAML = """\
strategy: heading-window
settings: {minTokens: 100, maxTokens: 500}
overrides:
  docs/api/**: {maxTokens: 400}
  docs/**: {settings: {minTokens: 50}, counter: words}
  "*.txt": {strategy: recursive, settings: {chunkSize: 300}}
"""


def settings_of(config: Config, *names: str) -> list[object]:
    return [getattr(config.strategy, name) for name in names]


def test_the_first_override_that_fits_a_documents_name_holds_for_it() -> None:
    config = Config.from_yaml(YAML)

    assert settings_of(config.for_document("docs/api/quotes.md"), "min_tokens", "max_tokens") == [100, 400]
    assert settings_of(config.for_document("docs/guide.md"), "min_tokens", "max_tokens") == [50, 500]
    assert config.for_document("docs/guide.md").counter == "words"
    assert config.for_document("notes/tea.txt") == Config.of("recursive", {"chunkSize": 300}, "cl100k_base")
    assert config.for_document("README.md") == Config.of("heading-window", {"minTokens": 100, "maxTokens": 500})


def test_what_is_found_for_a_document_has_no_overrides_of_its_own() -> None:
    config = Config.from_yaml(YAML)
    found = config.for_document("docs/guide.md")

    assert found.for_document("docs/api/quotes.md") == found
    override = config.override_for("docs/guide.md")
    assert override is not None
    assert override.pattern == "docs/**"
    assert config.override_for("README.md") is None


def test_a_setting_that_is_changed_for_all_changes_where_no_override_has_it() -> None:
    config = Config.from_yaml(YAML).with_settings({"maxTokens": 600, "minTokens": 20})

    assert settings_of(config.for_document("docs/api/quotes.md"), "min_tokens", "max_tokens") == [20, 400]
    assert settings_of(config.for_document("docs/guide.md"), "min_tokens", "max_tokens") == [50, 600]


def test_overrides_are_written_and_read_back() -> None:
    config = Config.from_yaml(YAML)

    assert read_yaml(config.to_yaml()) == (config, None)
    assert '"docs/api/**":\n    maxTokens: 400\n' in config.to_yaml()


def test_a_run_and_an_explanation_follow_the_override() -> None:
    config = Config.from_yaml("strategy: every-heading\noverrides:\n  '*.txt': {strategy: fixed}\n")
    text = "# A\n\none\n\n# B\n\ntwo\n"

    assert [len(run(parse(text, name=name), config).chunks) for name in ("a.md", "a.txt")] == [2, 1]
    assert run(parse(text, name="a.txt"), config).config.strategy.name == "fixed"
    assert explain(parse(text, name="a.txt"), config, line=1).chunk.body.end == len(text)


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("[a]", "overrides: a list is not a mapping; write a pattern and settings, as in docs/api/**"),
        ("{a.md: 3}", "overrides.a.md: 3 is not a mapping"),
        ("{'!a.md': {minTokens: 3}}", "overrides.!a.md: an override holds for names that fit; leave ! out"),
        ("{'a*b*c*d*e': {}}", "overrides: a*b*c*d*e: a pattern with more than 3 stars in a part"),
        ("{a.md: {minToken: 3}}", "overrides.a.md: minToken: heading-window has no such setting"),
        ("{a.md: {maxTokens: 5}}", "overrides.a.md: minTokens: 250"),
        ("{a.md: {strategy: fixd}}", "overrides.a.md: no strategy named 'fixd'; did you mean 'fixed'?"),
        ("{a.md: {counter: wrods}}", "overrides.a.md: no counter named 'wrods'; did you mean 'words'?"),
        ("{a.md: {counter: 3}}", "overrides.a.md.counter: 3 is not a name"),
        ("{a.md: {settings: 3}}", "overrides.a.md.settings: 3 is not a mapping"),
        ("{a.md: {minTokens: 3, settings: {minTokens: 4}}}", "overrides.a.md: minTokens is given twice; delete one"),
        (str({f"a{number}": {} for number in range(MOST + 1)}), "overrides: 201 patterns; at most 200 are read"),
    ],
)
def test_what_is_wrong_in_an_override_is_one_line_that_names_its_pattern(written: str, problem: str) -> None:
    with pytest.raises(ConfigError) as raised:
        Config.from_yaml(f"strategy: heading-window\noverrides: {written}\n")

    assert str(raised.value).startswith(problem)
    assert "\n" not in str(raised.value)


def test_the_schema_takes_overrides() -> None:
    validator = Draft202012Validator(Config.json_schema())

    def takes(**overrides: object) -> bool:
        return bool(validator.is_valid({"strategy": "fixed", "overrides": overrides}))

    assert takes(**{"docs/**": {"chunkSize": 3}, "*.txt": {"strategy": "recursive"}})
    assert not takes(**{"docs/**": 3})
    assert not takes(**{"docs/**": {"strategy": "none"}})


@pytest.mark.parametrize(
    "other",
    [
        Config.of("heading-window", {"maxTokens": 600}),
        Config.of("heading-window", {"minTokens": 20}, "words"),
        Config.of("fixed", {"chunkSize": 300}, "words"),
        Config.of("contextual", {"base": {"strategy": "fixed", "settings": {"chunkSize": 300}}}),
    ],
)
def test_an_override_is_made_of_the_config_that_it_should_give(other: Config) -> None:
    config = Config.of("heading-window", {"minTokens": 100})

    override = config.override_to(other, "docs/**")

    assert override.pattern == "docs/**"
    assert config.with_override(override) == other
