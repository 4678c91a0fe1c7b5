"""The command line as a whole: its help, its version, its faults, and what a script sees of it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import version
from itertools import count
from pathlib import Path

import pytest
from command_line import CommandResult, chunkscope
from waiting import until

from chunking import strategies
from chunking.cli.program import COMMANDS, command_named
from chunking.config.config import Config

pytestmark = pytest.mark.usefixtures("folder")
"""Every test stands in the folder that conftest.py makes; those that change it ask for its path."""


def test_strategies_lists_every_strategy_and_every_rule(capfd: pytest.CaptureFixture[str]) -> None:
    listed = json.loads(chunkscope(capfd, "strategies", "--json").out)
    rules = chunkscope(capfd, "strategies", "--rules").out

    assert [each["name"] for each in listed["strategies"]] == list(strategies.names())
    for name in strategies.names():
        assert f"\n{name}: " in "\n" + chunkscope(capfd, "strategies").out
        assert all(f" {rule} " in rules for rule in strategies.get(name).rules)


def test_the_json_schema_is_the_configs(capfd: pytest.CaptureFixture[str]) -> None:
    assert json.loads(chunkscope(capfd, "strategies", "--json-schema").out) == Config.json_schema()


def test_help_is_shown_without_a_command_and_with_any(capfd: pytest.CaptureFixture[str]) -> None:
    assert "compare" in chunkscope(capfd).out
    for command in ("run", "inspect", "explain", "compare", "verify", "strategies", "app"):
        said = chunkscope(capfd, command, "--help")
        assert (said.code, said.err) == (0, "")
        assert f"chunkscope {command}" in said.out


def test_a_shell_is_told_the_commands_and_options_that_a_word_begins(tmp_path: Path) -> None:
    def completed(*words: str) -> list[str]:
        place = {"COMP_WORDS": " ".join(("chunkscope", *words)), "COMP_CWORD": str(len(words))}
        done = subprocess.run(
            [sys.executable, "-m", "chunking"],
            env=os.environ | place | {"_CHUNKSCOPE_COMPLETE": "complete_bash"},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        return done.stdout.split()

    assert completed("sw") == ["sweep"]
    assert completed("sweep", "--se") == ["--set"]


def test_a_fault_of_our_own_is_one_line_too(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("one\ntwo")

    monkeypatch.setattr("chunking.cli.run.read_config", broken)
    said = chunkscope(capfd, "run", "c.yaml", "docs")

    assert said.code == 2
    assert said.err.startswith("chunkscope: internal error; please report it: ZeroDivisionError: one")
    assert said.err.count("\n") == 1


def test_ctrl_c_is_quiet_and_the_code_is_130() -> None:
    os.mkfifo("pipe.yaml")
    command = [sys.executable, "-m", "chunking", "run", "pipe.yaml", "docs"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        end = _other_end_of("pipe.yaml")
        started.send_signal(signal.SIGINT)
        # The signal may come just before the command begins to read: without this it would read for
        # ever.
        os.close(end)
        out, err = started.communicate(timeout=30)

    assert (started.returncode, out, err) == (130, b"", b"")


def _other_end_of(pipe: str) -> int:
    """A pipe opened for writing as soon as somebody reads it: then the command has come to reading
    its config."""

    def opened() -> list[int]:
        with suppress(OSError):
            return [os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)]
        return []

    return until(opened, otherwise=lambda: "nobody reads the pipe,")[0]


def test_progress_is_for_a_person_at_a_terminal_whose_results_go_elsewhere(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr("chunking.cli.watched_line.WatchedLine.show", lambda _, words: shown.append(words))
    monkeypatch.setattr("chunking.cli.watched_line.WatchedLine.clear", lambda _: shown.append("cleared"))
    monkeypatch.setattr("chunking.cli.terminal.time.monotonic", count().__next__)
    monkeypatch.setattr("chunking.cli.terminal.sys.stderr.isatty", lambda: True)
    said = chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out.jsonl")

    assert said == CommandResult(0, "", "")
    assert shown[0] == "1 of 2 documents"
    assert re.fullmatch(r"2 of 2 documents, [\d,.]+ a second", shown[1])
    assert set(shown[2:]) == {"cleared"}


def test_the_version_is_said_and_the_package_itself_is_the_command(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "--version")
    module = subprocess.run([sys.executable, "-m", "chunking", "--version"], capture_output=True, text=True)

    assert (said.code, said.err) == (0, "")
    assert said.out == module.stdout == f"chunkscope {version('chunkscope')}\n"


def test_in_a_checkout_the_module_of_the_name_is_the_command_too() -> None:
    folder = Path(__file__).parents[2]
    module = subprocess.run([sys.executable, "-m", "chunkscope", "nothing"], capture_output=True, text=True, cwd=folder)

    assert module.returncode == 2
    assert "nothing" in module.stderr


def test_the_help_imports_no_command_and_lists_each(tmp_path: Path) -> None:
    program = (
        "import sys; from chunking.cli import main; main(['--help'])\n"
        "print(*(name for name in ('numpy', 'pydantic', 'markdown_it', 'tiktoken', 'rich') if name in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)

    assert done.stdout.splitlines()[-1] == ""
    assert all(f"  {name} " in done.stdout for name in COMMANDS)
    assert all(callable(command_named(name).callback) for name in COMMANDS)
