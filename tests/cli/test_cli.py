"""The command line as a script sees it: exit codes, one-line errors, and output that other programs
read."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import pytest
from waiting import until

from chunking import cli, strategies
from chunking.cli.compare import share
from chunking.cli.inspect import histogram
from chunking.cli.program import COMMANDS, command_named
from chunking.config.config import Config, read_yaml
from chunking.core.records import json_line, records
from chunking.document.loading import load_file
from chunking.errors import ConfigError
from chunking.runs import run

GUIDE = "# Guide\n\nHello there.\n\n## Install\n\nRun \x1b[31mit\x1b[0m.\n\n## Use\n\nUse it, 語.\n"
pytestmark = pytest.mark.usefixtures("folder")
"""Every test stands in the folder made below; those that change it ask for its path."""

EXAMPLE = "chunkscope: 1\nstrategy: every-heading\ncounter: words\n"


@dataclass(frozen=True)
class Said:
    code: int
    out: str
    err: str

    @property
    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.out.splitlines()]


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a config and two documents, one of them in a folder."""
    (tmp_path / "docs" / "more").mkdir(parents=True)
    (tmp_path / "docs" / "guide.md").write_text(GUIDE, encoding="utf-8")
    (tmp_path / "docs" / "more" / "short.md").write_text("Only this.\n", encoding="utf-8")
    (tmp_path / "c.yaml").write_text(EXAMPLE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def chunkscope(capfd: pytest.CaptureFixture[str], *arguments: str) -> Said:
    code = cli.main(arguments)
    captured = capfd.readouterr()
    return Said(code, captured.out, captured.err)


def process(*arguments: str, stdin: str = "", **variables: str) -> Said:
    """A process of its own: for standard input, locales, pipes and signals."""
    done = subprocess.run(
        [sys.executable, "-m", "chunking", *arguments],
        input=stdin.encode(),
        capture_output=True,
        env={**os.environ, **variables},
        check=False,
    )
    return Said(done.returncode, done.stdout.decode(), done.stderr.decode())


# ---- run ----


def test_run_writes_the_json_lines_that_the_library_makes(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "run", "c.yaml", "docs/guide.md", "--skips")
    document = load_file(folder / "docs" / "guide.md")
    parts = run(document, Config.from_yaml(EXAMPLE)).parts

    assert said == Said(0, "".join(json_line(each) + "\n" for each in records(parts, document)), "")


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
    assert chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out.csv") == Said(0, "", "")
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
        (["--engine", "ray"], "--engine ray: needs the extra chunkscope[ray]"),
        (["--engine", "spark"], "--engine spark: no such engine; there are: local, daft, ray"),
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


# ---- proof and verify ----


def test_a_proof_is_verified_and_a_changed_document_breaks_it(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert chunkscope(capfd, "run", "c.yaml", "docs", "--proof", "proven.yaml").code == 0
    config, proof = read_yaml((folder / "proven.yaml").read_text())
    assert config == Config.from_yaml(EXAMPLE)
    assert proof is not None
    assert list(proof.documents) == ["guide.md", "more/short.md"]
    assert chunkscope(capfd, "verify", "proven.yaml", "docs") == Said(
        0, "2 documents hold every promise and the proof\n", ""
    )

    (folder / "docs" / "guide.md").write_text("# Guide\n")
    said = chunkscope(capfd, "verify", "proven.yaml", "docs")
    assert said.code == 1
    assert said.out.startswith("guide.md: the file changed (")


def test_the_proof_is_the_runs_fingerprint_with_or_without_skips_and_workers(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    fingerprint = run(load_file(folder / "docs" / "guide.md"), Config.from_yaml(EXAMPLE)).fingerprint
    for more in ([], ["--skips"], ["--workers", "2"]):
        assert chunkscope(capfd, "run", "c.yaml", "docs", "--proof", "p.yaml", "-o", "o.jsonl", *more).code == 0
        _, proof = read_yaml((folder / "p.yaml").read_text())
        assert proof is not None
        assert proof.documents["guide.md"].chunks == f"sha256:{fingerprint}"


def test_a_proof_never_takes_the_place_of_the_records(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "run", "fixed", "docs", "-o", "out.yaml", "--proof", "./out.yaml")

    assert (said.code, said.err) == (2, "chunkscope: --proof out.yaml: is the file of -o too; give them two names\n")
    assert not (folder / "out.yaml").exists()


def test_verify_finds_a_renamed_document_by_its_bytes_and_checks_it_under_the_proofs_name(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "--proof", "proven.yaml")
    (folder / "docs" / "guide.md").rename(folder / "docs" / "manual.md")
    (folder / "docs" / "more" / "short.md").rename(folder / "elsewhere.txt")

    said = chunkscope(capfd, "verify", "proven.yaml", "elsewhere.txt", "docs")

    assert said == Said(0, "2 documents hold every promise and the proof\n", "")


def test_verify_says_what_is_in_the_proof_alone_and_what_is_not_in_it(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "--proof", "proven.yaml")
    (folder / "docs" / "new.md").write_text("# New\n")
    more = chunkscope(capfd, "verify", "proven.yaml", "docs")
    fewer = chunkscope(capfd, "verify", "proven.yaml", "docs/guide.md")

    assert (more.code, fewer.code) == (1, 1)
    assert more.out.startswith("new.md: is not in the proof")
    assert fewer.out.startswith("more/short.md: is in the proof and not among the documents")


def test_verify_says_that_another_file_has_taken_a_proven_name(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "--proof", "proven.yaml")
    (folder / "docs" / "guide.md").rename(folder / "docs" / "old.md")
    (folder / "docs" / "guide.md").write_text("# Another\n")

    said = chunkscope(capfd, "verify", "proven.yaml", "docs")

    assert said.code == 1
    assert said.out.splitlines() == [
        "docs/guide.md: is not in the proof, so nothing is known of its chunks; prove it with `run --proof`"
    ]


def test_a_proof_written_before_the_wording_was_left_out_is_said_to_be_one(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "--proof", "proven.yaml")
    text = (folder / "proven.yaml").read_text()
    old = re.sub(r"chunks: sha256:\w{64}", f"chunks: sha256:{'0' * 64}", text.replace("  format: 2\n", ""))
    (folder / "proven.yaml").write_text(old)

    said = chunkscope(capfd, "verify", "proven.yaml", "docs")

    assert (said.code, said.out.count("\n")) == (1, 1)
    assert said.out.startswith("the proof is of an earlier format")
    assert "2 of 2 documents; write it anew with `run --proof`" in said.out

    (folder / "proven.yaml").write_text(text.replace("format: 2", "format: 3"))
    later = chunkscope(capfd, "verify", "proven.yaml", "docs")
    assert later.err.count("\n") == 1
    assert "proof.format: 3 is a later format than 2" in later.err


def test_an_unreadable_document_outweighs_a_failed_check(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    chunkscope(capfd, "run", "c.yaml", "docs", "--proof", "proven.yaml")
    (folder / "docs" / "guide.md").write_bytes(b"\xff\xfe\xfd")

    assert chunkscope(capfd, "verify", "proven.yaml", "docs").code == 2


def test_verify_speaks_json(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "verify", "c.yaml", "docs", "--json")

    assert json.loads(said.out) == {"documents": 2, "proof": False, "failures": []}


# ---- inspect and explain ----


def test_inspect_shows_each_chunk_on_a_line_with_its_reason(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "inspect", "c.yaml", "docs/guide.md")

    assert [line.split()[:4] for line in said.out.splitlines()[1:4]] == [
        ["0", "1-3", "4", "heading"],
        ["1", "5-7", "4", "heading"],
        ["2", "9-11", "5", "end"],
    ]
    assert "guide.md: 3 chunks by every-heading, about 13 tokens (words), median 4" in said.out


def test_inspect_speaks_json_with_the_fingerprint_and_the_records(capfd: pytest.CaptureFixture[str]) -> None:
    said = json.loads(chunkscope(capfd, "inspect", "c.yaml", "docs/guide.md", "--json").out)

    assert said["fingerprint"] == run(load_file("docs/guide.md"), Config.from_yaml(EXAMPLE)).fingerprint
    assert [each["index"] for each in said["records"]] == [0, 1, 2]
    assert said["metrics"]["chunk_count"] == 3


def test_a_document_cannot_send_commands_to_the_terminal(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "evil.md").write_text("# A \x1b]0;owned\x07 [red]B[/red]\n\nx\n\n## C\n\ny\n")
    shown = chunkscope(capfd, "inspect", "c.yaml", "evil.md").out
    explained = chunkscope(capfd, "explain", "c.yaml", "evil.md", "--line", "5").out

    assert "[U+001B]]0;owned[U+0007] [red]B[/red]" in shown
    assert not any(character < " " and character != "\n" for character in shown + explained)


def test_inspect_takes_one_document(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "inspect", "c.yaml", "docs")

    assert said == Said(2, "", "chunkscope: docs: holds 2 documents and one is wanted; give the path of a file in it\n")


def test_explain_names_the_boundary_nearest_the_line(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "explain", "c.yaml", "docs/guide.md", "--line", "6")

    assert said.out == "guide.md, before line 5: heading\n  the next heading begins on line 5\n"
    as_json = json.loads(chunkscope(capfd, "explain", "c.yaml", "docs/guide.md", "--line", "6", "--json").out)
    assert (as_json["offset"], as_json["line"], as_json["ranges"]) == (23, 5, [])


def test_explain_refuses_a_line_that_is_not_there(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "explain", "c.yaml", "docs/guide.md", "--line", "99")

    assert said == Said(2, "", "chunkscope: guide.md: has no line 99; its lines are 1 to 11\n")


def test_the_histogram_has_equal_classes_from_0_to_the_largest_size() -> None:
    assert histogram([5, 5, 95]) == [
        "0 to 9    ████████████████████████████████████████ 2",
        *(f"{at} to {at + 9}   0" for at in range(10, 90, 10)),
        "90 to 99  ████████████████████ 1",
    ]
    assert histogram([]) == []


# ---- compare ----


def test_two_equal_configs_have_nothing_to_embed_again(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "compare", "c.yaml", "c.yaml", "docs", "--json", "--max-changed", "0%")
    compared = json.loads(said.out)

    assert said.code == 0
    assert compared["total"] == {
        "chunks": {"before": 4, "after": 4},
        "to_embed_again": {"chunks": 0, "tokens": 0},
        "changed_share": 0.0,
    }
    assert [each["document"] for each in compared["documents"]] == ["guide.md", "more/short.md"]


@pytest.mark.parametrize("form", [[], ["--markdown"]])
def test_a_comparison_names_what_counted_its_tokens(capfd: pytest.CaptureFixture[str], form: list[str]) -> None:
    same = chunkscope(capfd, "compare", "fixed", "recursive", "docs", *form)
    Path("words.yaml").write_text("strategy: fixed\ncounter: words-1.3\n", encoding="utf-8")
    other = chunkscope(capfd, "compare", "words.yaml", "recursive", "docs", *form)
    estimated = chunkscope(capfd, "compare", "recursive", "words.yaml", "docs", *form)
    as_json = json.loads(chunkscope(capfd, "compare", "words.yaml", "recursive", "docs", "--json").out)

    last = [said.out.splitlines()[-1].replace("\\", "") for said in (same, other, estimated)]
    assert last[0] == "tokens counted by cl100k_base"
    assert last[1] == "tokens counted by cl100k_base; A cuts by words-1.3"
    assert last[2].startswith("tokens counted by words-1.3, an estimate; A cuts by cl100k_base. words-1.3 counts ")
    assert "tokens; cl100k_base counts " in last[2]
    assert as_json["counter"] == "cl100k_base"
    assert as_json["cut_by"] == {"before": "words-1.3", "after": "cl100k_base"}


def test_a_rule_that_was_asked_to_fail_fails_with_the_places(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "compare", "c.yaml", "c.yaml", "docs", "--fail-on", "heading")

    assert said.code == 1
    assert said.out.splitlines()[-2:] == [
        "failed: guide.md, lines 1 to 3: heading",
        "failed: guide.md, lines 5 to 7: heading",
    ]


def test_for_a_pull_request_what_failed_is_a_list_after_the_table(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "compare", "c.yaml", "c.yaml", "docs", "--fail-on", "heading", "--markdown")

    assert said.code == 1
    assert said.out.splitlines()[-3:] == [
        "",
        "- failed: guide.md, lines 1 to 3: heading",
        "- failed: guide.md, lines 5 to 7: heading",
    ]
    assert said.out.splitlines()[2].startswith("| guide.md | 3 to 3 | 4 to 4 | 2 | 0 | 0 | 0 | 0 | 0 | 0% |")


def test_a_rule_that_does_not_exist_is_refused_with_the_likely_one(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "compare", "c.yaml", "c.yaml", "docs", "--fail-on", "unsplitable")

    assert said == Said(
        2, "", "chunkscope: --fail-on: every-heading has no rule 'unsplitable'; did you mean 'unsplittable'?\n"
    )


@pytest.mark.parametrize(("text", "expected"), [("20%", 0.2), ("0.2", 0.2), ("0%", 0.0), ("100%", 1.0), ("1", 1.0)])
def test_a_share_is_written_as_a_percentage_or_a_fraction(text: str, expected: float) -> None:
    assert share(text) == expected


@pytest.mark.parametrize("text", ["20", "101%", "-1%", "nan", "1e9", "٢%", ""])
def test_any_other_share_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="--max-changed"):
        share(text)


# ---- strategies, help, faults ----


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
    monkeypatch.setattr("chunking.cli.terminal.sys.stderr.isatty", lambda: True)
    said = chunkscope(capfd, "run", "c.yaml", "docs", "-o", "out.jsonl")

    assert said == Said(0, "", "\r\x1b[K1 document\r\x1b[K")


def test_verify_reports_the_checklist_and_the_chunks_of_each_module(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "book" / "module-1").mkdir(parents=True)
    (tmp_path / "book" / "module-1" / "a.md").write_text("# A\n\n" + "word " * 150 + "\n", encoding="utf-8")
    (tmp_path / "c.yaml").write_text("strategy: section-rules\n", encoding="utf-8")
    arguments = ["verify", str(tmp_path / "c.yaml"), str(tmp_path / "book"), "--checklist"]

    passed = chunkscope(capfd, *arguments, "--expect", "module-1=1-2")
    failed = chunkscope(capfd, *arguments, "--expect", "module-1=2-3")

    assert passed.code == 0
    assert "  pass  all chunks have 100 to 1000 tokens of content\n" in passed.out
    assert "  warn  chunks have 300 to 600 tokens, the target: chunk 0\n" in passed.out
    assert "module module-1: 1 chunk in 1 chapter, expected 1 to 2\n" in passed.out
    assert failed.code == 1


def test_the_version_is_said_and_the_package_itself_is_the_command(capfd: pytest.CaptureFixture[str]) -> None:
    said = chunkscope(capfd, "--version")
    module = subprocess.run([sys.executable, "-m", "chunking", "--version"], capture_output=True, text=True)

    assert (said.code, said.err) == (0, "")
    assert said.out == module.stdout == f"chunkscope {version('chunkscope')}\n"


def test_the_help_imports_no_command_and_lists_each(tmp_path: Path) -> None:
    program = (
        "import sys; from chunking.cli import main; main(['--help'])\n"
        "print(*(name for name in ('numpy', 'pydantic', 'markdown_it', 'tiktoken', 'rich') if name in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)

    assert done.stdout.splitlines()[-1] == ""
    assert all(f"  {name} " in done.stdout for name in COMMANDS)
    assert all(callable(command_named(name).callback) for name in COMMANDS)
