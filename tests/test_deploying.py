"""The Dockerfile and the compose file hold together with the program: no container engine is needed
to see that. `.ci/dockerfile` runs the steps."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from chunking.cli.program import COMMANDS, command_named

ROOT = Path(__file__).parents[1]
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
COMPOSE: dict[str, Any] = YAML(typ="safe").load((ROOT / "compose.yaml").read_text("utf-8"))
OURS = {name: of for name, of in COMPOSE["services"].items() if of.get("build")}


def test_the_image_is_slim_has_a_user_and_says_whether_it_is_healthy() -> None:
    last = DOCKERFILE[DOCKERFILE.rindex("FROM ") :]

    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["python:3.11-slim"] * 2
    assert re.findall(r"^USER (.*)$", last, re.MULTILINE) == ["10001:10001"]
    assert "/_stcore/health" in last[last.index("HEALTHCHECK ") :]


def test_every_variable_of_the_image_and_of_compose_is_one_that_the_program_reads() -> None:
    read = {
        name
        for folder in ("chunking", "pages")
        for path in (ROOT / folder).rglob("*.py")
        for name in re.findall(r"CHUNKSCOPE_[A-Z_]+", path.read_text("utf-8"))
    }
    ours = re.findall(r"^(?:ENV| {4,})\s*(CHUNKSCOPE_[A-Z_]+)", DOCKERFILE, re.MULTILINE)
    ours += [name for of in OURS.values() for name in of["environment"] if name.startswith("CHUNKSCOPE")]

    assert len(ours) > 8
    assert sorted(set(ours) - read) == []


@pytest.mark.parametrize("service", OURS)
def test_each_command_of_compose_is_one_of_ours_with_options_that_it_takes(service: str) -> None:
    name, *arguments = OURS[service]["command"]
    options = {each for parameter in command_named(name).params for each in parameter.opts}
    given = [each for each in arguments if each.startswith("-") and not each.startswith("--server.")]

    assert name in COMMANDS
    assert given
    assert [each for each in given if each not in options] == []


def test_containers_write_nowhere_else_and_have_limits_and_no_rights() -> None:
    for of in OURS.values():
        assert (of["read_only"], of["tmpfs"], of["cap_drop"]) == (True, ["/tmp"], ["ALL"])
        assert of["mem_limit"]
        assert of["cpus"]
        assert all(port.startswith("127.0.0.1:") for port in of.get("ports", ()))


def test_what_the_build_needs_is_not_left_out_of_it() -> None:
    seen = {line[1:] for line in (ROOT / ".dockerignore").read_text("utf-8").splitlines() if line.startswith("!")}
    packed = re.findall(r'^"([\w./-]+)" = "chunking/_app', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)

    assert packed
    assert {*packed, "chunking", "pyproject.toml", "README.md", "hatch_build.py", "constraints.txt"} - seen == set()
    assert [name for name in sorted(seen) if not (ROOT / name).exists()] == []
