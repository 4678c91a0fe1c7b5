"""The GitHub Action and the hooks for pre-commit: their own steps and entries, run in a real git
repository."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import chunkscope
from git_repository import commit, git
from ruamel.yaml import YAML

ROOT = Path(__file__).parents[1]
ACTION: dict[str, Any] = YAML(typ="safe").load((ROOT / "action.yml").read_text("utf-8"))
HOOKS: list[dict[str, Any]] = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
TABLE = "# Prices\n\n| tea | price |\n|---|---|\n" + "".join(f"| blend {n} | {n} pence |\n" for n in range(12))
GUIDE = "# Guide\n\nBoil the water first.\n\n## Steep\n\nWait four minutes, then take the leaves out.\n"
LARGE = "strategy: recursive\nsettings: {chunkSize: 400, chunkOverlap: 0, unit: tokens}\n"
SMALL = LARGE.replace("400", "40")


@pytest.fixture(name="checkout")
def _checkout(tmp_path: Path) -> Path:
    """A shallow clone, as actions/checkout makes one, whose base is not in it."""
    commit(tmp_path / "origin", {"chunkscope.yaml": LARGE, "docs/prices.md": TABLE, "docs/guide.md": GUIDE})
    commit(tmp_path / "origin", {"docs/::error::new.md": "# New\n\nA text that came.\n"})
    git(tmp_path, "clone", "--quiet", "--depth=1", f"file://{tmp_path}/origin", "checkout")
    return tmp_path / "checkout"


def run_action(checkout: Path, programs: Path = Path(sys.executable).parent, **inputs: str) -> tuple[int, str, str]:
    """The exit code, the log and the summary of the Action's steps, run one after the other as a
    runner does."""
    given = {name: str(of.get("default", "")) for name, of in ACTION["inputs"].items()}
    given |= {name.replace("_", "-"): value for name, value in inputs.items()}
    temp = checkout.parent / "temp"
    temp.mkdir()
    files = {name: temp / name for name in ("GITHUB_ENV", "GITHUB_PATH", "GITHUB_STEP_SUMMARY")}
    for path in files.values():
        path.touch()
    variables = {**os.environ, **{name: str(path) for name, path in files.items()}, "RUNNER_TEMP": str(temp)}
    variables["PATH"] = f"{programs}{os.pathsep}{os.environ['PATH']}"
    log, code = "", 0
    for step in ACTION["runs"]["steps"]:
        if step.get("if") == "inputs.install == 'true'" and given["install"] != "true":
            continue
        own = {
            name: re.sub(r"\$\{\{ inputs\.([\w-]+) \}\}", lambda m: given[m[1]], value)
            for name, value in step["env"].items()
        }
        script = temp / "step.sh"
        script.write_text(step["run"], encoding="utf-8")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=checkout,
            env={**variables, **own},
            capture_output=True,
            text=True,
            check=False,
        )
        log, code = log + done.stdout + done.stderr, done.returncode
        if code:
            break
        variables |= dict(line.split("=", 1) for line in files["GITHUB_ENV"].read_text("utf-8").splitlines())
    return code, log, files["GITHUB_STEP_SUMMARY"].read_text("utf-8")


def test_the_action_passes_a_corpus_that_turned_over_and_says_so(checkout: Path) -> None:
    base = git(checkout.parent / "origin", "rev-parse", "HEAD~1")

    code, log, summary = run_action(checkout, install="false", base=base, paths="docs")

    assert code == 0, log
    assert "### Chunkscope: the config is the same; the corpus turned over by 33%" in summary
    assert "| docs/::error::new.md | added | 1 of 1 |" in summary
    assert "## What every run promises\n\n    3 documents verified: all checks pass\n" in summary
    assert "3 documents, 3 chunks: 0 failed" in summary
    assert "::error title=" not in log


def test_the_action_fails_where_quality_fell_and_still_says_all(checkout: Path) -> None:
    base = git(checkout.parent / "origin", "rev-parse", "HEAD")
    commit(checkout, {"chunkscope.yaml": SMALL})

    code, log, summary = run_action(checkout, install="false", base=base, paths="docs")

    assert code == 1
    assert "### Chunkscope: quality fell on the same texts; the corpus is the same" in summary
    assert [line for line in log.splitlines() if line.startswith("::error")] == [
        "::error title=Chunkscope::What changed: exit code 1",
        "::error title=Chunkscope::Health: exit code 1",
    ]
    assert [line for line in summary.splitlines() if line.startswith("## ")] == [
        "## What changed",
        "## What every run promises",
        "## Health",
    ]


@pytest.mark.long
def test_a_base_that_cannot_be_had_is_said_and_the_other_checks_are_made_all_the_same(checkout: Path) -> None:
    code, log, summary = run_action(checkout, install="false", base="1" * 40, paths="docs")

    assert code == 2, log
    assert [line for line in log.splitlines() if line.startswith("::error")] == [
        "::error title=Chunkscope::What changed: exit code 2"
    ]
    said = summary.partition("## What every run promises")[0]
    assert "1" * 40 in said
    assert "3 documents verified: all checks pass" in summary


def test_a_first_push_has_nothing_to_compare_with_and_inputs_become_arguments(checkout: Path) -> None:
    said = checkout.parent / "chunkscope"
    said.write_text('#!/bin/sh\nprintf "<%s>" "$@"\n')
    said.chmod(0o755)
    inputs = {"install": "false", "paths": "docs more", "config": "my config.yaml"}

    code, log, summary = run_action(checkout, said.parent, base="0" * 40, **inputs)

    assert code == 0, log
    assert "::notice title=Chunkscope::there is no base to compare with" in log
    assert re.findall(r"<.*>", summary) == [
        "<verify><my config.yaml><docs><more>",
        "<inspect><--health><--markdown><my config.yaml><docs><more>",
    ]


def test_the_action_puts_no_input_into_a_script_and_needs_no_other_action() -> None:
    steps = ACTION["runs"]["steps"]

    assert [step["name"] for step in steps if "${{" in step["run"]] == []
    assert [step for step in steps if "uses" in step] == []


@pytest.mark.parametrize(
    ("hook", "config", "code", "said"),
    [
        ("chunkscope-health", LARGE, 0, "2 documents, 2 chunks: 0 failed"),
        ("chunkscope-health", SMALL, 1, "1 failed"),
        ("chunkscope-verify", SMALL, 0, "all checks pass"),
        ("chunkscope-gate", LARGE, 0, "the config is the same"),
        ("chunkscope-gate", SMALL, 1, "quality fell on the same texts"),
    ],
)
def test_each_hook_does_what_pre_commit_calls_it_for(
    hook: str,
    config: str,
    code: int,
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    commit(tmp_path, {"chunkscope.yaml": LARGE, "docs/prices.md": TABLE, "docs/guide.md": GUIDE})
    (tmp_path / "chunkscope.yaml").write_text(config)
    monkeypatch.chdir(tmp_path)
    (named,) = (each for each in HOOKS if each["id"] == hook)
    program, *entry = shlex.split(named["entry"])
    files = ["docs/prices.md", "docs/guide.md"] if named.get("pass_filenames", True) else []

    done = chunkscope(capfd, *entry, *named.get("args", []), *files)

    assert program == "chunkscope"
    assert (done.code, said in done.out) == (code, True), done.out + done.err
