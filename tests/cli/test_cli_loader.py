"""Headings without #, by a config's loader and by the options that take its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import chunkscope

pytestmark = pytest.mark.usefixtures("folder")

TERMS = "Article 1 Scope\n\nThis is about tea.\n\nArticle 2 Terms\n\nTea is a drink.\n* * *\nThe end.\n"
CONFIG = "strategy: every-heading\nloader: {headingPatterns: [article]}\n"


@pytest.fixture
def terms(folder: Path) -> Path:
    (folder / "loader.yaml").write_text(CONFIG)
    (folder / "terms.txt").write_text(TERMS)
    return folder


def breadcrumbs(capfd: pytest.CaptureFixture[str], *arguments: str) -> list[object]:
    return [line["breadcrumb"] for line in chunkscope(capfd, "run", *arguments).lines]


@pytest.mark.usefixtures("terms")
def test_run_cuts_at_the_headings_that_the_yaml_names(capfd: pytest.CaptureFixture[str]) -> None:
    found = breadcrumbs(capfd, "loader.yaml", "terms.txt")

    assert found == [["terms.txt", "Article 1 Scope"], ["terms.txt", "Article 2 Terms"]]


@pytest.mark.usefixtures("terms")
def test_options_take_the_place_of_the_yaml(capfd: pytest.CaptureFixture[str]) -> None:
    options = ("--heading", "numbered", "--heading", "article", "--delimiter", "* * *")

    assert breadcrumbs(capfd, "every-heading", "terms.txt", *options)[-1] == ["terms.txt", "* * *"]
    assert breadcrumbs(capfd, "loader.yaml", "terms.txt", "--heading", "numbered") == [["terms.txt"]]
    compared = chunkscope(capfd, "compare", "fixed", "every-heading", "terms.txt", *options, "--markdown").out
    assert "1 to 3" in compared
    assert "line 5" in chunkscope(capfd, "explain", "every-heading", "terms.txt", "--line", "4", *options).out


@pytest.mark.usefixtures("terms")
def test_a_heading_that_is_no_pattern_is_one_line_and_nothing_is_written(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "run", "fixed", "terms.txt", "--heading", "articel", "-o", "out.jsonl")

    assert (said.code, said.out, Path("out.jsonl").exists()) == (2, "", False)
    assert said.err.startswith("chunkscope: loader.headingPatterns[0]: 'articel' is not a kind of heading")
    assert said.err.endswith("did you mean article?\n")


def test_a_proof_holds_for_the_loader_that_it_was_made_with(terms: Path, capfd: pytest.CaptureFixture[str]) -> None:
    chunkscope(capfd, "run", "loader.yaml", "terms.txt", "--proof", "proof.yaml")
    assert chunkscope(capfd, "verify", "proof.yaml", "terms.txt").code == 0

    written = (terms / "proof.yaml").read_text()
    (terms / "proof.yaml").write_text(written.replace("- article", "- numbered"))
    said = chunkscope(capfd, "verify", "proof.yaml", "terms.txt")
    assert (said.code, "the chunks differ" in said.out) == (1, True)


def test_another_loader_cuts_a_folder_again(terms: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def parts(*options: str) -> list[bytes]:
        assert chunkscope(capfd, "run", "loader.yaml", "terms.txt", "-o", "out/", *options).code == 0
        return [each.read_bytes() for each in sorted((terms / "out").rglob("*.jsonl"))]

    first = parts()
    assert parts() == first
    assert parts("--heading", "capitals") != first
