"""A config that names a tokenizer's file, from its folder, in every command that reads one."""

from __future__ import annotations

import json
import re
import sqlite3
from base64 import b64decode
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from sample_tokenizers import ONLY_LATIN, tokenizer_in, trained

from chunking import cli
from chunking.cli import app as cli_app
from chunking.tokens import counter
from chunking.tokens.offered_files import VARIABLE
from chunking.tokens.token_counter import FILE


@pytest.fixture(name="file")
def _file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tokenizer.json in a folder of its own, seen from the folder around it."""
    monkeypatch.chdir(tmp_path)
    return tokenizer_in(tmp_path)


class TestCommandLine:
    """A config that names a file, from its folder, in every command that reads one."""

    @pytest.fixture(name="yaml")
    def _yaml(self, file: Path) -> Path:
        (file.parent / "c.yaml").write_text("strategy: hierarchical\ncounter: tokenizer.json:tok.json\n")
        (file.parent.parent / "d.md").write_text("# Kettle\n\nThe kettle boils, naïve 漢字.\n" * 40)
        return file.parent / "c.yaml"

    def test_a_run_counts_with_it_and_its_proof_holds_from_another_folder(
        self, yaml: Path, file: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert cli.main(["run", str(yaml), "d.md", "--proof", "proof.yaml"]) == 0
        record = json.loads(capfd.readouterr().out.splitlines()[0])
        proof = Path("proof.yaml").read_text()

        assert record["tokens"] == counter(f"{FILE}{file}")(record["text"])
        assert 'counter: "tokenizer.json:bge/tok.json"' in proof
        assert f"counter: sha256:{sha256(file.read_bytes()).hexdigest()}" in proof.replace('"', "")
        assert cli.main(["verify", "proof.yaml", "d.md"]) == 0

    def test_the_yaml_in_a_report_and_in_a_store_works_beside_them(
        self, yaml: Path, file: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        Path("out/deep").mkdir(parents=True)
        for name in ("out/deep/report.html", "out/deep/kb.sqlite"):
            assert cli.main(["run", str(yaml), "d.md", "-o", name]) == 0, capfd.readouterr().err
        report = Path("out/deep/report.html").read_text(encoding="utf-8")
        saved = re.search(r"base64,([^\"]+)", report)
        assert saved
        with closing(sqlite3.connect("out/deep/kb.sqlite")) as store:
            (stored,) = store.execute("SELECT value FROM meta WHERE name = 'config'").fetchone()

        for written in (b64decode(saved[1]).decode(), stored):
            Path("out/deep/c.yaml").write_text(written, encoding="utf-8")
            assert 'counter: "tokenizer.json:../../bge/tok.json"' in written
            assert cli.main(["run", "out/deep/c.yaml", "d.md"]) == 0, capfd.readouterr().err
        assert "as seen from the folder of this report" in report
        assert cli.main(["search", "out/deep/kb.sqlite", "kettle"]) == 0
        assert "kettle" in capfd.readouterr().out
        assert file.exists()

    def test_a_path_leaves_a_linked_folder_as_the_system_does(
        self, yaml: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        Path("elsewhere/real").mkdir(parents=True)
        Path("link").symlink_to("elsewhere/real")
        assert cli.main(["run", str(yaml), "d.md", "--proof", "link/proof.yaml"]) == 0

        assert 'counter: "tokenizer.json:../../bge/tok.json"' in Path("link/proof.yaml").read_text()
        for spelled in ("link/proof.yaml", "elsewhere/real/proof.yaml"):
            assert cli.main(["verify", spelled, "d.md"]) == 0, capfd.readouterr().err

    def test_a_text_that_the_tokenizer_has_no_token_for_is_that_documents_line(
        self, yaml: Path, file: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        file.write_bytes(json.dumps(ONLY_LATIN).encode())
        yaml.write_text("strategy: fixed\ncounter: tokenizer.json:tok.json\n")
        Path("latin.md").write_text("# a\n\nb b\n")

        for more in ([], ["--workers", "2"], ["-o", "report.html"], ["-o", "kb.sqlite"]):
            assert cli.main(["run", str(yaml), "d.md", "latin.md", *more]) == 2
            said = capfd.readouterr().err
            assert "d.md: counter: tokenizer.json:bge/tok.json cannot count this text (" in said, more
            assert "latin.md: " not in said

    def test_verify_refuses_the_file_of_another_tokenizer(
        self, yaml: Path, file: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert cli.main(["run", str(yaml), "d.md", "--proof", "proof.yaml"]) == 0
        file.write_bytes(trained("gpt-2"))
        capfd.readouterr()

        assert cli.main(["verify", "proof.yaml", "d.md"]) == 2
        said = capfd.readouterr().err
        assert "tokenizer.json:bge/tok.json is another tokenizer than the proof's (sha256 " in said
        assert said.count("\n") == 1

    def test_every_command_that_reads_a_config_reads_it_from_its_folder(
        self, yaml: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        for command in (
            ["inspect", str(yaml), "d.md"],
            ["explain", str(yaml), "d.md", "--line", "20"],
            ["compare", str(yaml), str(yaml), "d.md"],
            ["sweep", str(yaml), "d.md", "--set", "hardCap=600,700"],
            ["run", str(yaml), "d.md", "--workers", "2"],
            ["run", str(yaml), "d.md", "-o", "report.html"],
        ):
            assert cli.main(command) == 0, (command, capfd.readouterr().err)
        assert capfd.readouterr().err.count("tokenizers") == 0

    def test_a_config_that_names_no_tokenizer_is_one_line(self, yaml: Path, capfd: pytest.CaptureFixture[str]) -> None:
        yaml.write_text("strategy: hierarchical\ncounter: tokenizer.json:../d.md\n")

        assert cli.main(["run", str(yaml), "d.md"]) == 2
        said = capfd.readouterr().err
        assert "d.md is not a tokenizer.json" in said
        assert said.count("\n") == 1

    def test_the_app_is_not_started_with_a_file_that_is_none(
        self, yaml: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        assert yaml.exists()
        assert cli.main(["app", "--tokenizer", "d.md"]) == 2
        assert capfd.readouterr().err.startswith("chunkscope: --tokenizer: d.md is not a tokenizer.json (")
        assert cli.main(["app", "--tokenizer", "no.json"]) == 2
        assert "--tokenizer: there is no file no.json" in capfd.readouterr().err

    def test_the_app_is_told_of_the_files_whatever_folder_it_runs_in(
        self, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        served: list[str] = []

        def serve(command: object, environment: dict[str, str]) -> int:  # noqa: ARG001
            served.append(environment[VARIABLE])
            return 0

        monkeypatch.setattr(cli_app, "_serve", serve)

        assert cli.main(["app", "--tokenizer", "bge/tok.json"]) == 0
        assert [json.loads(each) for each in served] == [[str(file)]]

    def test_the_counters_are_listed(self, capfd: pytest.CaptureFixture[str]) -> None:
        cli.main(["strategies"])

        assert "Tokenizers: cl100k_base, o200k_base, o200k_harmony, minilm, words" in capfd.readouterr().out
