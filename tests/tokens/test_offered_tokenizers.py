"""The tokenizers that the app was given at its start."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from sample_tokenizers import tokenizer_in, trained

from chunking import parse, run
from chunking.analysis.health import health
from chunking.config.config import Config, read_yaml
from chunking.errors import UnknownCounterError
from chunking.report.report import html_report
from chunking.tokens import counter
from chunking.tokens.offered_files import VARIABLE, counter_title, offered, variable_of


@pytest.fixture(name="file")
def _file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tokenizer.json in a folder of its own, seen from the folder around it."""
    monkeypatch.chdir(tmp_path)
    return tokenizer_in(tmp_path)


class TestOffered:
    """What the app was given at its start."""

    @pytest.fixture(name="name")
    def _name(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> str:
        monkeypatch.setenv(VARIABLE, variable_of([file]))
        return f"tokenizer:{sha256(file.read_bytes()).hexdigest()[:16]}"

    def test_it_is_chosen_by_its_sha256(self, name: str) -> None:
        assert [(one.name, one.title) for one in offered()] == [(name, "tok.json")]
        assert counter(name).name == name
        assert Config.from_query({"strategy": "fixed", "counter": name}).counter == name
        assert Config.of("fixed", {}, name).to_query()["counter"] == name

    def test_more_digits_are_the_same_and_fewer_are_none(self, name: str, file: Path) -> None:
        whole = f"tokenizer:{sha256(file.read_bytes()).hexdigest()}"

        assert Config.of("fixed", {}, whole).counter == name
        with pytest.raises(UnknownCounterError, match=r"no tokenizer of sha256 '.{15}' is offered here; start the app"):
            Config.of("fixed", {}, name[:-1])

    def test_one_that_is_not_offered_is_refused_in_one_line(self, name: str) -> None:
        with pytest.raises(UnknownCounterError, match="sha256 '0000000000000000' is offered here"):
            Config.from_query({"strategy": "fixed", "counter": "tokenizer:" + "0" * 16})
        assert name

    def test_its_yaml_works_on_the_command_line_beside_the_file_and_in_the_app(self, name: str, file: Path) -> None:
        yaml = Config.of("fixed", {}, name).to_yaml()

        assert "counter: tokenizer.json:tok.json\n" in yaml
        assert counter(read_yaml(yaml, file.parent)[0].counter).table_hash == counter(name).table_hash
        assert Config.from_yaml(yaml).counter == name

    def test_it_is_called_by_its_file_in_every_message(self, name: str) -> None:
        made = run(parse("# Kettle\n\nThe kettle boils.\n"), Config.of("fixed", {}, name))
        said = [check.said for check in health(made)]

        assert counter_title(name) == "tok.json"
        assert any("by the tokenizer tok.json, plus 2 tokens that the model adds" in found for found in said)
        assert not any(name in found for found in said)
        assert name not in html_report(made)
        assert counter_title("tokenizer:0123456789abcdef") == "a tokenizer that is not offered here (0123456789abcdef)"
        assert [counter_title(other) for other in ("minilm", "words")] == ["minilm", "words"]

    def test_two_files_of_one_name_are_told_apart(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (file.parent.parent / "tok.json").write_bytes(trained("gpt-2"))
        monkeypatch.setenv(VARIABLE, variable_of([file, file.parent.parent / "tok.json"]))
        first, second = offered()

        assert (first.title, second.title) == ("tok.json", f"tok.json ({second.name.removeprefix('tokenizer:')})")

    def test_a_damaged_variable_is_one_line(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv(VARIABLE, "not json")

        with pytest.raises(UnknownCounterError, match="is not a JSON list of paths"):
            offered()
