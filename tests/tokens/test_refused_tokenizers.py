"""What is no tokenizer.json, or none that can be counted with, is refused in one line."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from refusals import refused_yaml
from sample_tokenizers import ONLY_LATIN, trained

from chunking.errors import ChunkscopeError, UnknownCounterError
from chunking.tokens import counter, tokenizer_files
from chunking.tokens.token_counter import FILE


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
    told = refused_yaml("strategy: fixed\ncounter: tokenizer.json:tok.json\n", tmp_path)

    assert told.startswith("counter: ")
    assert said in told
    assert told.isprintable()
    assert len(told) < 500
    assert capfd.readouterr().err == ""  # type: ignore[attr-defined]  # the library panics aloud


def test_a_pattern_that_is_no_regex_is_one_line(tmp_path: Path) -> None:
    broken = json.loads(trained("llama-3"))
    broken["pre_tokenizer"]["pretokenizers"][0]["pattern"]["Regex"] = "(("
    (tmp_path / "tok.json").write_text(json.dumps(broken))

    assert "Oniguruma error: end pattern with unmatched parenthesis" in refused_yaml(
        "strategy: fixed\ncounter: tokenizer.json:tok.json\n", tmp_path
    )


def test_a_missing_file_a_folder_and_a_huge_file_are_one_line_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokenizer_files, "MAX_BYTES", 2**20)
    (tmp_path / "big.json").write_bytes(b" " * (2**20 + 1))
    yaml = "strategy: fixed\ncounter: tokenizer.json:"

    assert refused_yaml(yaml + "no.json\n", tmp_path).startswith("counter: there is no file ")
    assert "cannot be read (Is a directory)" in refused_yaml(yaml + ".\n", tmp_path)
    assert refused_yaml(yaml + "big.json\n", tmp_path).endswith("has more than 1 MB; no tokenizer.json is so large")
    assert (
        refused_yaml('strategy: fixed\ncounter: "tokenizer.json:"\n', tmp_path)
        == "counter: tokenizer.json: is followed by the path of a tokenizer.json"
    )
    assert "followed by the path" in refused_yaml('strategy: fixed\ncounter: "tokenizer.json:a\\0b"\n', tmp_path)


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


def _replacing(steps: list[dict[str, object]]) -> bytes:
    written = [{"type": "Replace", **step} for step in steps]
    return json.dumps({**ONLY_LATIN, "normalizer": {"type": "Sequence", "normalizers": written}}).encode()


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

    told = refused_yaml("strategy: fixed\ncounter: tokenizer.json:tok.json\n", tmp_path)
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
