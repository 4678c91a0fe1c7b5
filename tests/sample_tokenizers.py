"""Small tokenizers of each family, trained here on a few lines: nothing is fetched."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

from tokenizers import AddedToken, Regex, Tokenizer, models, normalizers, pre_tokenizers, processors, trainers

_ROOT = Path(__file__).resolve().parents[1]
_FOREIGN = (
    "日本語の文章です。漢字かな交じり。 Привет, мир! Ünïcödé naïve café. "
    "ภาษาไทย한국어 안녕하세요 שלום عالم 🙂👩‍👩‍👧 don't I'll\n"
)
LLAMA3 = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
QWEN = LLAMA3.replace(r"\p{N}{1,3}", r"\p{N}")
O200K = (
    r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
    r"|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
ONLY_LATIN = {
    "model": {
        "type": "WordLevel",
        "vocab": {"#": 0, "a": 1, "b": 2},
        "unk_token": "missing",
    },
    "pre_tokenizer": {"type": "WhitespaceSplit"},
}
"""A tokenizer without a token for what it does not know."""


def _lines() -> list[str]:
    texts = [path.read_text(encoding="utf-8") for path in sorted((_ROOT / "sample_docs").glob("*.md"))]
    return [line for text in texts for line in text.splitlines(keepends=True)] + [_FOREIGN] * 20


@cache
def trained(family: str) -> bytes:
    """The tokenizer.json of a family: see FAMILIES."""
    tokenizer, trainer = FAMILIES[family]()
    tokenizer.train_from_iterator(_lines(), trainer)
    if family == "llama-2":
        return _with_prefix(tokenizer)
    if family == "wordpiece":
        tokenizer.post_processor = processors.TemplateProcessing(
            single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
        )
        tokenizer.enable_truncation(16)
        tokenizer.enable_padding(length=32)
    if family == "own words":
        tokenizer.add_tokens(["kettle", AddedToken("<tool>", normalized=False), "the lid"])
    return tokenizer.to_str().encode()


def _with_prefix(tokenizer: Tokenizer) -> bytes:
    """As converters write Llama 2: trained with Metaspace, used without a pre-tokenizer."""
    written = json.loads(tokenizer.to_str())
    written["pre_tokenizer"] = None
    written["normalizer"] = {
        "type": "Sequence",
        "normalizers": [
            {"type": "Prepend", "prepend": "▁"},
            {"type": "Replace", "pattern": {"String": " "}, "content": "▁"},
        ],
    }
    return json.dumps(written).encode()


def _wordpiece() -> tuple[Tokenizer, trainers.Trainer]:
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]", max_input_chars_per_word=40))
    tokenizer.normalizer = normalizers.BertNormalizer(strip_accents=False, lowercase=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    return tokenizer, trainers.WordPieceTrainer(vocab_size=900, special_tokens=["[UNK]", "[CLS]", "[SEP]"])


def _byte_level(pattern: str = "", *, prefix: bool = False) -> tuple[Tokenizer, trainers.Trainer]:
    tokenizer = Tokenizer(models.BPE())
    level = pre_tokenizers.ByteLevel(add_prefix_space=prefix, use_regex=not pattern)
    split = [pre_tokenizers.Split(Regex(pattern), "isolated")] if pattern else []
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence([*split, level]) if split else level
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=1000, initial_alphabet=alphabet, special_tokens=["<|endoftext|>"])
    return tokenizer, trainer


def _unigram(*, split_first: bool = False, collapse: bool = False) -> tuple[Tokenizer, trainers.Trainer]:
    tokenizer = Tokenizer(models.Unigram())
    steps: list[normalizers.Normalizer] = [normalizers.NFKC()]
    if collapse:
        steps.append(normalizers.Replace(Regex(" {2,}"), " "))
    tokenizer.normalizer = normalizers.Sequence(steps)
    space = pre_tokenizers.Metaspace()
    first = [pre_tokenizers.WhitespaceSplit(), space]
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(first) if split_first else space
    return tokenizer, trainers.UnigramTrainer(vocab_size=700, unk_token="<unk>", special_tokens=["<unk>"])


def character_map(images: dict[str, str]) -> bytes:
    """A `precompiled_charsmap` as SentencePiece compiles one: a double-array trie, and the images
    between NULs."""
    units, values, used = {0: 256 << 10}, b"", 2
    blocks = {b"": 256}
    for character, image in images.items():
        key = character.encode()
        for length in range(1, len(key) + 1):
            prefix = key[:length]
            if prefix not in blocks:
                blocks[prefix], used = used * 256, used + 1
                at = blocks[key[: length - 1]] ^ prefix[-1]
                units[at] = (at ^ blocks[prefix]) << 10 | prefix[-1]
        units[blocks[key[:-1]] ^ key[-1]] |= 1 << 8
        units[blocks[key]] = 1 << 31 | len(values)
        values += image.encode() + b"\0"
    trie = b"".join(units.get(at, 0).to_bytes(4, "little") for at in range(used * 256))
    return len(trie).to_bytes(4, "little") + trie + values


def _precompiled() -> tuple[Tokenizer, trainers.Trainer]:
    tokenizer = Tokenizer(models.Unigram())
    images = {"\t": " ", "\n": " ", "\r": " ", "ﬁ": "fi", "…": "...", "²": "2", "ﷺ": "a b", "№": "no ", "\u200b": ""}
    tokenizer.normalizer = normalizers.Sequence(
        [normalizers.Precompiled(character_map(images)), normalizers.Replace(Regex(" {2,}"), " ")]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    return tokenizer, trainers.UnigramTrainer(vocab_size=700, unk_token="<unk>", special_tokens=["<unk>"])


def _llama_2() -> tuple[Tokenizer, trainers.Trainer]:
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>", fuse_unk=True, byte_fallback=True))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    specials = ["<unk>", "<s>", *(f"<0x{byte:02X}>" for byte in range(256))]
    return tokenizer, trainers.BpeTrainer(vocab_size=1200, special_tokens=specials)


def _unproven() -> tuple[Tokenizer, trainers.Trainer]:
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.normalizer = normalizers.Replace(Regex(r"(?<=a) b"), "c")
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    return tokenizer, trainers.BpeTrainer(vocab_size=600, special_tokens=["<unk>"])


FAMILIES = {
    "wordpiece": _wordpiece,
    "gpt-2": _byte_level,
    "roberta": lambda: _byte_level(prefix=True),
    "llama-3": lambda: _byte_level(LLAMA3),
    "qwen": lambda: _byte_level(QWEN),
    "o200k": lambda: _byte_level(O200K),
    "unigram": _unigram,
    "xlm-r": lambda: _unigram(split_first=True),
    "t5": lambda: _unigram(collapse=True),
    "precompiled": _precompiled,
    "llama-2": _llama_2,
    "own words": _byte_level,
    "unproven": _unproven,
}
"""By the tokenizer that is put together in this way."""


def tokenizer_in(folder: Path) -> Path:
    """A tokenizer.json in a folder of its own below this one."""
    file = folder / "bge" / "tok.json"
    file.parent.mkdir()
    file.write_bytes(trained("wordpiece"))
    return file
