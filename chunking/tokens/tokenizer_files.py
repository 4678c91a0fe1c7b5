"""Loads Hugging Face's tokenizer.json files: the only module that imports `tokenizers`.

Reading a file runs no code, fetches nothing, and reads no more than MAX_BYTES. The tokenizer of the
bundled embedder is in chunking/data (see NOTICE). Truncation and padding of a file are
switched off, special tokens are left out of every count, and their text is ordinary text (DECISIONS
all-12).
"""

from __future__ import annotations

import gzip
import json
import os
from base64 import b64decode
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import regex

from chunking.errors import UnknownCounterError
from chunking.text.display import shown_text

if TYPE_CHECKING:
    from tokenizers import Tokenizer

MINILM_SHA256 = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
"""sha256 of the tokenizer.json of all-MiniLM-L6-v2 as published."""
MAX_BYTES = 64 * 2**20
"""Maximum size of a tokenizer.json; the largest in use have 35 million bytes."""
MAX_GROWTH = 256
"""Maximum characters that a normalizer may replace one character by; known ones use three."""

Json = Mapping[str, object]
Result = TypeVar("Result")


class LoadedTokenizer:
    """A tokenizer read from a tokenizer.json. It counts tokens of texts, without special tokens.

    The text of a special token within a text is ordinary text.
    """

    def __init__(self, raw: bytes) -> None:
        """Raises ValueError of one line for bytes that are not a tokenizer.json."""
        from tokenizers import Tokenizer

        self.table_hash = f"sha256:{sha256(raw).hexdigest()}"
        """`sha256:` and the hash of the file's bytes."""
        _check_character_map(raw)
        self._tokenizer: Tokenizer = _guarded(lambda: Tokenizer.from_buffer(raw))
        _check_growth(self._tokenizer)
        _plain(self._tokenizer)
        self.special_tokens: int = self._tokenizer.num_special_tokens_to_add(is_pair=False)
        """How many special tokens an embedder adds around one text."""

    def definition(self) -> Json:
        """The content of the file as the library parsed it."""
        definition: Json = json.loads(self._tokenizer.to_str())
        return definition

    def with_definition(self, definition: Json) -> LoadedTokenizer:
        """The tokenizer of a changed definition."""
        return LoadedTokenizer(json.dumps(definition, ensure_ascii=False).encode())

    def spans(self, text: str) -> tuple[list[tuple[int, int]], frozenset[int]]:
        """The characters that each token of a text without lone surrogates is of, and the numbers
        of those that stand for what it has no token for. Raises ValueError as `count` does."""
        # A batch of one: only for batches does the library release the interpreter's lock.
        encoding = _guarded(lambda: self._tokenizer.encode_batch([text], add_special_tokens=False))[0]
        unknown = self._tokenizer.token_to_id(getattr(self._tokenizer.model, "unk_token", None) or "<unk>")
        numbers = [] if unknown is None else [at for at, one in enumerate(encoding.ids) if one == unknown]
        return encoding.offsets, frozenset(numbers)

    def special_around(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The special tokens that an embedder adds before a text and after it."""
        encoding = _guarded(lambda: self._tokenizer.encode("a", add_special_tokens=True))
        special = encoding.special_tokens_mask
        text = special.index(0) if 0 in special else len(special)
        after = [token for token, mark in zip(encoding.tokens[text:], special[text:], strict=True) if mark]
        return tuple(encoding.tokens[:text]), tuple(after)

    def special_texts(self) -> tuple[str, ...]:
        """The texts of its special tokens."""
        added = self._tokenizer.get_added_tokens_decoder()
        return tuple(token.content for token in added.values() if token.special)

    def count(self, text: str) -> int:
        """Tokens of a text without lone surrogates. Raises ValueError if it has no token for part
        of it."""
        return self.counts([text])[0]

    def counts(self, texts: Sequence[str]) -> list[int]:
        """`count` of many texts, on all cores."""
        encode = self._tokenizer.encode_batch_fast
        return list(map(len, _guarded(lambda: encode(list(texts), add_special_tokens=False))))


def packaged_minilm() -> bytes:
    """The bundled embedder's tokenizer.json. Raises UnknownCounterError if it is damaged."""
    raw = gzip.decompress((files("chunking") / "data" / "minilm.tokenizer.json.gz").read_bytes())
    if (actual := sha256(raw).hexdigest()) != MINILM_SHA256:
        raise UnknownCounterError(
            f"the packaged tokenizer of minilm has sha256 {actual[:12]}…, not {MINILM_SHA256[:12]}…; "
            "install chunkscope again"
        )
    return raw


def bytes_of(path: Path, shown: str) -> bytes:
    """The bytes of a tokenizer.json. Raises UnknownCounterError if it cannot be read or is too
    large.

    `shown` is the path in error messages.
    """
    try:
        if path.exists() and not path.is_file() and not path.is_dir():
            raise UnknownCounterError(f"counter: {shown} is a device or a pipe; give the path of a tokenizer.json")
        with path.open("rb") as file:
            raw = file.read(MAX_BYTES + 1)
    except FileNotFoundError as error:
        raise UnknownCounterError(f"counter: there is no file {shown}; give the path of a tokenizer.json") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UnknownCounterError(
            f"counter: {shown} cannot be read ({reason}); give the path of a tokenizer.json"
        ) from error
    if len(raw) > MAX_BYTES:
        raise UnknownCounterError(f"counter: {shown} has more than {MAX_BYTES >> 20} MB; no tokenizer.json is so large")
    return raw


def load_tokenizer(raw: bytes, shown: str) -> LoadedTokenizer:
    """The tokenizer of a file's bytes. Raises UnknownCounterError if they are not a
    tokenizer.json."""
    try:
        return LoadedTokenizer(raw)
    except ImportError as error:
        raise UnknownCounterError(f"counter: tokenizers cannot be loaded ({error}); reinstall chunkscope") from error
    except ValueError as error:
        raise UnknownCounterError(
            f"counter: {shown} is not a tokenizer.json ({shown_text(str(error), 120)}); "
            "give the one of a Hugging Face tokenizer"
        ) from error


def character_image(map_in_base64: str) -> Callable[[str], str]:
    """A cached function: what a `precompiled_charsmap` replaces a character by."""
    from tokenizers import normalizers

    normalizer = normalizers.Precompiled(b64decode(map_in_base64))
    return lru_cache(maxsize=1 << 14)(normalizer.normalize_str)


def whole_minilm() -> Tokenizer:
    """The packaged tokenizer itself, for the embedder: it neither shortens nor pads, and marks stay
    marks."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_buffer(packaged_minilm())
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def _before_a_fork() -> None:
    """A forked process has none of the library's threads: it works with one, and says nothing about
    it."""
    _before_fork.append(os.environ.get(_PARALLEL))
    os.environ[_PARALLEL] = "false"


def _after_a_fork() -> None:
    value = _before_fork.pop()
    if value is None:
        del os.environ[_PARALLEL]
    else:
        os.environ[_PARALLEL] = value


_PARALLEL = "TOKENIZERS_PARALLELISM"
_before_fork: list[str | None] = []
"""What the variable said before a fork."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_before_a_fork, after_in_parent=_after_a_fork)


def _plain(tokenizer: Tokenizer) -> None:
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True
    if getattr(tokenizer.model, "dropout", None):
        tokenizer.model.dropout = None  # for training: the same text would have another count each time


def _check_growth(tokenizer: Tokenizer) -> None:
    """Refuse replacements that together make a page of a letter: a short text could then fill the
    memory."""
    if tokenizer.normalizer is None:
        return
    growth, waiting = 1, [json.loads(tokenizer.normalizer.__getstate__())]
    while waiting:
        step = waiting.pop()
        waiting += step.get("normalizers", [])
        growth *= 1 + len(step.get("prepend", ""))
        if step.get("type") == "Replace":
            growth *= _replaced(step["pattern"], len(step["content"]))
        if growth > MAX_GROWTH:
            raise ValueError(f"its normalizer can make {growth:,} characters of one; at most {MAX_GROWTH} are taken")


def _replaced(pattern: Mapping[str, str], characters: int) -> int:
    """The most that a replacement by so many characters makes of one."""
    if literal := pattern.get("String"):
        return max(1, -(-characters // len(literal)))
    try:
        matches_nothing = regex.search(pattern.get("Regex", ""), "") is not None
    except regex.error:
        matches_nothing = True  # written in another dialect
    return max(1, characters) + (characters if matches_nothing else 0)


def _guarded(work: Callable[[], Result]) -> Result:
    """What the library makes; whatever it raises as a ValueError. Its panics are not even
    Exceptions."""
    try:
        return work()
    except Exception as error:
        raise ValueError(str(error).removeprefix("Cannot instantiate Tokenizer from buffer: ")) from None
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise ValueError(str(error)) from None


def _check_character_map(raw: bytes) -> None:
    """Refuse a `precompiled_charsmap` that the library would panic on, with a page of text on
    standard error."""
    if b"precompiled_charsmap" not in raw:
        return
    try:
        waiting: list[object] = [json.loads(raw)]
    except RecursionError:
        raise ValueError("nested too deep") from None
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            if "precompiled_charsmap" in value and not _is_character_map(value["precompiled_charsmap"]):
                raise ValueError("its precompiled_charsmap is damaged")
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(each for each in value if isinstance(each, dict | list))


def _is_character_map(written: object) -> bool:
    """Base64 of: the size of a trie in bytes (4 of them, little-endian), the trie, and UTF-8
    between NULs."""
    try:
        read = b64decode(str(written), validate=True)
        read[4 + int.from_bytes(read[:4], "little") :].decode()
    except ValueError:
        return False
    size = int.from_bytes(read[:4], "little")
    return len(read) >= 8 and size % 4 == 0 and 0 < size <= len(read) - 4
