"""What the tutorial and the how-to pages show is run as it stands there, and prints what they say.

A block of `sh` or `python` is run, in one folder for a page; a block with a title is a file; a
block of `text` is in what was printed before it. `console` is not run.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from command_line import chunkscope

import chunking
from chunking.cli.program import COMMANDS, command_named
from chunking.cli.reference import print_reference

DOCS = Path(__file__).parents[1] / "docs"
PAGES = ("tutorial.md", "how-to/choose.md", "reference/python.md")
FIRST = "tutorial.md"
"""The page whose files the others speak of."""
_BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    title: str
    text: str


def blocks(page: str) -> list[Block]:
    return [Block(*found) for found in _BLOCK.findall((DOCS / page).read_text("utf-8"))]


@pytest.mark.parametrize("shown", PAGES)
def test_every_command_and_program_of_a_page_does_what_the_page_says(
    shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    before = [each for each in blocks(FIRST) if each.title] if shown != FIRST else []
    printed, ran = "", 0

    for block in [*before, *blocks(shown)]:
        if block.title:
            Path(block.title).parent.mkdir(parents=True, exist_ok=True)
            Path(block.title).write_text(block.text, encoding="utf-8")
        elif block.language == "text":
            assert block.text in printed
        elif block.language in ("sh", "python"):
            printed = "".join(_run(block, capfd))
            ran += 1

    assert ran


def _run(block: Block, capfd: pytest.CaptureFixture[str]) -> Iterator[str]:
    """What the lines of a block print. Commands of ours run in this process."""
    if block.language == "python":
        exec(compile(block.text, "recipe", "exec"), {})
        yield capfd.readouterr().out
        return
    for line in block.text.splitlines():
        program, *arguments = shlex.split(line)
        if program == "chunkscope":
            done = chunkscope(capfd, *arguments)
            assert done.code == 0, f"{line}: {done.err}"
            yield done.out
        else:
            yield subprocess.run([program, *arguments], capture_output=True, text=True, check=True).stdout


def test_the_reference_has_every_command_and_each_of_its_options(capfd: pytest.CaptureFixture[str]) -> None:
    print_reference()
    page = capfd.readouterr().out

    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    options = {
        (name, option)
        for name in COMMANDS
        for parameter in command_named(name).params
        if parameter.param_type_name == "option" and not parameter.hidden
        for option in parameter.opts
    }
    assert list(sections) == list(COMMANDS)
    assert [(name, option) for name, option in sorted(options) if option not in sections[name]] == []
    assert len(options) > 60


def test_the_python_reference_has_public_names_only() -> None:
    named = re.findall(r"^::: chunking\.(\w+)$", (DOCS / "reference/python.md").read_text("utf-8"), re.MULTILINE)

    assert len(named) > 20
    assert sorted(set(named) - set(chunking.__all__)) == []


def test_every_page_of_the_sites_navigation_is_there() -> None:
    site = tomllib.loads((DOCS.parent / "zensical.toml").read_text("utf-8"))
    made = {"reference/commands.md", "changelog.md"}

    listed = set(_pages(site["project"]["nav"])) - made
    assert len(listed) > 30
    assert [page for page in sorted(listed) if not (DOCS / page).is_file()] == []


def _pages(nav: object) -> Iterator[str]:
    if isinstance(nav, str):
        yield nav
    for each in nav.values() if isinstance(nav, dict) else nav if isinstance(nav, list) else ():
        yield from _pages(each)
