"""`chunkscope run`: its records, formats and inputs, and its errors in one line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import EXAMPLE, CommandResult, chunkscope, process

from chunking.config.config import Config
from chunking.core.records import json_line, records
from chunking.document.loading import load
from chunking.runs import run

pytestmark = pytest.mark.usefixtures("folder")
"""Every test stands in the folder that conftest.py makes; those that change it ask for its path."""


def test_run_writes_the_json_lines_that_the_library_makes(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "run", "c.yaml", "docs/guide.md", "--skips")
    document = load(folder / "docs" / "guide.md")
    parts = run(document, Config.from_yaml(EXAMPLE)).parts

    assert said == CommandResult(0, "".join(json_line(each) + "\n" for each in records(parts, document)), "")


def test_a_folder_names_its_documents_by_the_path_below_it(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "run", "c.yaml", "docs")

    assert [(line["document"], line["index"]) for line in said.lines] == [
        ("guide.md", 0),
        ("guide.md", 1),
        ("guide.md", 2),
        ("more/short.md", 0),
    ]


def test_what_was_left_out_is_written_with_skips_only(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "f.md").write_text("---\na: 1\n---\n\nText.\n")

    without = chunkscope(capfd, "run", "c.yaml", "f.md").lines
    with_skips = chunkscope(capfd, "run", "c.yaml", "f.md", "--skips").lines
    assert [line["type"] for line in without] == ["chunk"]
    assert [line["type"] for line in with_skips] == ["skip", "chunk"]


def test_code_reads_source_files_of_a_folder_as_well_and_other_strategies_do_not(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("tree_sitter_python", reason="the extra code is not installed")
    (folder / "docs" / "boil.py").write_text("# Heats.\ndef boil():\n    pass\n")
    (folder / "by-name.yaml").write_text("strategy: fixed\noverrides: {'*.py': {strategy: code}}\n")

    def documents(config: str) -> set[object]:
        return {line["document"] for line in chunkscope(capfd, "run", config, "docs").lines}

    assert documents("fixed") == {"guide.md", "more/short.md"}
    assert documents("code") == documents("by-name.yaml") == {"boil.py", "guide.md", "more/short.md"}
    (line,) = chunkscope(capfd, "run", "code", "docs/boil.py").lines
    assert (line["breadcrumb"], line["metadata"]) == (["boil.py", "boil"], {"chunk_index": 0, "language": "python"})


def test_a_strategys_name_stands_for_its_defaults(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "run", "every-heading", "docs/more/short.md")

    assert [line["tokens"] for line in said.lines] == [3]


def test_several_workers_give_the_same_lines_in_the_same_order(folder: Path) -> None:
    for number in range(7):
        (folder / "docs" / f"{number}.md").write_text(f"# {number}\n\n" + "word " * (500 // (number + 1)))

    one, three = (process("run", "c.yaml", "docs", "--workers", workers) for workers in ("1", "3"))
    assert one.code == three.code == 0
    assert one.out == three.out
    assert len(one.lines) == 11


def test_an_unreadable_document_is_reported_the_others_go_on_and_the_code_is_2(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "docs" / "bad.md").write_bytes(b"caf\xe9\n")
    said = chunkscope(capfd, "run", "c.yaml", "missing.md", "docs")

    assert said.code == 2
    assert [line["document"] for line in said.lines] == ["guide.md"] * 3 + ["more/short.md"]
    assert said.err.splitlines()[0] == "chunkscope: missing.md: there is no such file or folder"
    assert "docs/bad.md: byte 3 (0xE9) is not UTF-8" in said.err.splitlines()[1]


def test_the_ending_of_the_output_file_chooses_the_format(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out.csv") == CommandResult(0, "", "")
    assert chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out.txt", "--format", "markdown").code == 0

    assert (folder / "out.csv").read_text().startswith('"type","id","document"')
    assert (folder / "out.txt").read_text().startswith("# Chunks\n")


def test_an_output_file_is_not_there_when_the_run_fails(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "run", "c.yaml", "docs", "-o", "nowhere/out.jsonl")

    assert said.code == 2
    assert said.err == (
        "chunkscope: nowhere/out.jsonl: cannot be written (No such file or directory); choose another place with -o\n"
    )


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["--format", "xml"], "--format xml: no such format; there are: jsonl, csv, markdown, parquet, html, sqlite"),
        (["--format", "sqlite"], "--format sqlite: is binary and needs a file; add -o chunks.sqlite"),
        (["-o", "nowhere/kb.html"], "nowhere/kb.html: cannot be written (No such file or directory)"),
        (["--format", "parquet"], "--format parquet: is binary and needs a file; add -o chunks.parquet"),
        (["--engine", "spark"], "--engine spark: no such engine; there are: local, daft"),
        (["--engine", "daft", "--runner", "dask"], "--runner dask: no such runner; there are: native, ray"),
        (["--engine", "daft"], "--engine daft: writes a folder; give -o FOLDER/"),
        (["--engine", "daft", "-o", "out/", "--format", "csv"], "--engine daft: writes Parquet, not csv"),
        (["--engine", "daft", "-o", "out/", "--address", "ray://a:1"], "--address: is a Ray cluster's; add --runner"),
        (["--runner", "ray"], "--runner: is for a cluster; add --engine daft, or leave it out"),
        (["--lance", "kb.lance"], "--lance: is for a cluster; add --engine daft, or leave it out"),
        (["--vectors"], "--vectors: go into a Lance dataset; add --engine daft --lance PLACE"),
        (["--gpus", "1"], "--gpus: is for a cluster; add --engine daft, or leave it out"),
        (["--workers", "0"], "'--workers'"),
        (["--wrokers", "2"], "No such option: --wrokers"),
    ],
)
def test_a_wrong_option_is_one_line_and_the_code_is_2(
    arguments: list[str], problem: str, capfd: pytest.CaptureFixture[str]
) -> None:
    said = chunkscope(capfd, "run", "c.yaml", "docs", *arguments)

    assert (said.code, said.out) == (2, "")
    assert problem in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("config", "problem"),
    [
        ("strategy: every-headin\n", "w.yaml: no strategy named 'every-headin'; did you mean 'every-heading'?"),
        ("strategy: every-heading\nsetings: {}\n", "w.yaml: unknown key setings; did you mean settings?"),
        ("strategy: [\n", "w.yaml: line 2"),
        ("", "w.yaml: the YAML is empty"),
    ],
)
def test_a_wrong_config_is_one_line_with_the_file_and_the_way_out(
    config: str, problem: str, folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "w.yaml").write_text(config)
    said = chunkscope(capfd, "run", "w.yaml", "docs")

    assert (said.code, said.out) == (2, "")
    assert problem in said.err
    assert said.err.count("\n") == 1


def test_a_config_comes_from_standard_input_for_a_dash() -> None:
    said = process("run", "-", "docs/more/short.md", stdin=EXAMPLE)

    assert [line["text"] for line in said.lines] == ["Only this."]
    assert process("run", "-", "docs", stdin="strategy: x\n").err.startswith("chunkscope: standard input: ")


@pytest.mark.usefixtures("folder")
def test_a_config_on_standard_input_that_is_closed_is_one_line(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)

    said = chunkscope(capfd, "run", "-", "docs")

    assert said.code == 2
    assert said.err == "chunkscope: standard input: is closed; give the path of a YAML file\n"


@pytest.mark.usefixtures("folder")
def test_a_format_that_does_not_exist_is_refused_with_those_that_do(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "run", "fixed", "docs", "--format", "xml")

    assert said.code == 2
    assert "there are: jsonl, csv, markdown, parquet, html, sqlite" in said.err


def test_output_is_utf_8_whatever_the_locale() -> None:
    said = process("run", "c.yaml", "docs/guide.md", LC_ALL="C", PYTHONIOENCODING="ascii", PYTHONUTF8="0")

    assert said.code == 0
    assert "語" in said.out


def test_a_reader_that_stops_early_is_no_error() -> None:
    Path("docs/long.md").write_text("".join(f"# {number}\n\ntext\n\n" for number in range(3000)))
    command = [sys.executable, "-m", "chunking", "run", "c.yaml", "docs/long.md"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as started:
        assert started.stdout is not None
        assert started.stderr is not None
        first = started.stdout.readline()
        started.stdout.close()
        said = started.stderr.read()

    assert json.loads(first)["index"] == 0
    assert (said, started.returncode) == (b"", 141)


def test_files_that_are_named_one_by_one_keep_the_ids_of_the_whole_folder(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    whole = chunkscope(capfd, "run", "c.yaml", "docs", "--root", ".").lines
    some = chunkscope(capfd, "run", "c.yaml", "docs/more/short.md", str(folder / "docs" / "guide.md"), "--root", ".")

    assert {line["document"] for line in whole} == {"docs/guide.md", "docs/more/short.md"}
    assert {line["id"] for line in some.lines} == {line["id"] for line in whole}


def test_include_and_exclude_choose_and_what_is_passed_over_is_counted_at_the_end(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "docs" / "page.css").write_text("Tea\n")
    (folder / "docs" / "notes.log").write_text("Tea\n")

    said = chunkscope(
        capfd, "run", "c.yaml", "docs", "--include", "*.css", "--include", "more/**", "--exclude", "*.txt"
    )

    assert (said.code, {line["document"] for line in said.lines}) == (0, {"page.css", "more/short.md"})
    assert said.err == (
        "chunkscope: 1 passed over: 1 .log; a file that is named is read, and --include PATTERN brings a type\n"
    )


def test_an_override_holds_for_the_documents_whose_names_fit_in_every_command(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "o.yaml").write_text("strategy: every-heading\noverrides:\n  more/**: {strategy: fixed}\n")

    lines = chunkscope(capfd, "run", "o.yaml", "docs", "--proof", "p.yaml").lines
    alone = chunkscope(capfd, "run", "every-heading", "docs").lines
    report = chunkscope(capfd, "run", "o.yaml", "docs", "--format", "html").out

    assert [line["id"] for line in lines if line["document"] == "guide.md"] == [
        line["id"] for line in alone if line["document"] == "guide.md"
    ]
    assert {line["rule"] for line in lines if line["document"] == "more/short.md"} == {"end"}
    assert "more/short.md" in report
    assert chunkscope(capfd, "verify", "p.yaml", "docs").code == 0
    shown = chunkscope(capfd, "inspect", "o.yaml", "docs/more/short.md", "--root", "docs").out
    assert "by fixed" in shown
    assert "by the override more/**" in shown
    assert "by every-heading" in chunkscope(capfd, "inspect", "o.yaml", "docs/guide.md", "--root", "docs").out
    assert chunkscope(capfd, "compare", "every-heading", "o.yaml", "docs").code == 0


def test_strict_ends_with_the_first_document_that_cannot_be_cut_and_writes_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    for name, content in (("a.md", b"# A\n"), ("b.md", b"\xff\xfe\xfd"), ("c.md", b"\xff\xfe\xfd"), ("d.md", b"# D\n")):
        (mine / name).write_bytes(content)
    output = tmp_path / "chunks.jsonl"
    output.write_text("former")
    strict = chunkscope(capfd, "run", "every-heading", str(mine), "-o", str(output), "--strict")

    assert strict.code == 2
    assert output.read_text() == "former"
    assert strict.err.count("\n") == 1
    usual = chunkscope(capfd, "run", "every-heading", str(mine), "-o", str(output))
    assert usual.code == 2
    assert len(output.read_text().splitlines()) == 2
    assert usual.err.splitlines()[-1] == "chunkscope: 2 documents left out, for the reasons above"
