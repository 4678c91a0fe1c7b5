"""`chunkscope run docs/`: the config that is found where none is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import EXAMPLE, chunkscope

pytestmark = pytest.mark.usefixtures("folder")
TABLE = """[tool.chunkscope]
strategy = "fixed"
settings = {chunkSize = 20, chunkOverlap = 0, unit = "tokens"}
"""


def test_the_nearest_chunkscope_yaml_holds_and_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "chunkscope.yaml").write_text(EXAMPLE)
    by_name = chunkscope(capfd, "run", "c.yaml", "docs/guide.md", "--root", ".")
    monkeypatch.chdir(folder / "docs")

    found = chunkscope(capfd, "run", "guide.md", "--root", "..")

    assert found.err == "chunkscope: config: ../chunkscope.yaml\n"
    assert found.out == by_name.out
    assert [line["document"] for line in found.lines] == ["docs/guide.md"] * 3


def test_a_folder_is_documents_and_options_may_stand_anywhere(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "chunkscope.yaml").write_text(EXAMPLE)

    assert (
        chunkscope(capfd, "run", "--skips", "docs/").lines
        == chunkscope(capfd, "run", "c.yaml", "docs/", "--skips").lines
    )
    assert chunkscope(capfd, "inspect", "docs/guide.md", "--json").code == 0
    assert chunkscope(capfd, "verify", "docs/").code == 0


def test_a_table_of_pyproject_toml_is_a_config(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "pyproject.toml").write_text(TABLE)
    (folder / "same.yaml").write_text("strategy: fixed\nsettings: {chunkSize: 20, chunkOverlap: 0, unit: tokens}\n")

    by_yaml = chunkscope(capfd, "run", "same.yaml", "docs").out
    assert chunkscope(capfd, "run", "docs").out == by_yaml
    assert chunkscope(capfd, "run", "pyproject.toml", "docs").out == by_yaml


def test_a_pyproject_toml_without_the_table_is_passed_by(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "chunkscope.yaml").write_text(EXAMPLE)
    (folder / "docs" / "pyproject.toml").write_text("[project]\nname = 'another'\n")

    assert chunkscope(capfd, "run", "docs/guide.md").code == 0


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("pyproject.toml", "[tool.chunkscope", "pyproject.toml: is not valid TOML ("),
        ("pyproject.toml", '[tool.chunkscope]\nstrategy = "fix"\n', "pyproject.toml: no strategy named"),
        (
            "pyproject.toml",
            '[tool.chunkscope]\nstrategy = "fixed"\nsettings.chunkSize = 2026-11-23\n',
            "a date or a time",
        ),
        ("other.yaml", "", "docs is not a config, and there is no chunkscope.yaml and no pyproject.toml with "),
    ],
)
def test_what_is_wrong_with_a_found_config_is_one_line(
    name: str, text: str, said: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / name).write_text(text)

    answer = chunkscope(capfd, "run", "docs")

    assert answer.code == 2
    assert said in answer.err.splitlines()[-1]
    assert "Traceback" not in answer.err


@pytest.mark.parametrize("command", ["run", "inspect", "explain"])
@pytest.mark.parametrize("missing", ["nothere.md", "nothere.yaml", "docs/nothere"])
def test_a_missing_file_that_stands_alone_is_named(
    command: str, missing: str, capfd: pytest.CaptureFixture[str]
) -> None:
    answer = chunkscope(capfd, command, missing)

    assert answer.code == 2
    assert answer.err == f"chunkscope: {missing}: there is no such file or folder\n"


def test_a_strategys_name_and_a_config_that_is_missing_are_not_documents(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "chunkscope.yaml").write_text(EXAMPLE)

    assert "Missing argument" in chunkscope(capfd, "run", "fixed").err
    assert "no such file" in chunkscope(capfd, "run", "fixde", "docs").err
    assert "Missing argument" in chunkscope(capfd, "run", "c.yaml").err
