"""Files as a person may give them to the app, as large as it takes them, each made so that one call
of C has much to do with it."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from random import Random

from benchmarks.texts import text_of
from chunking import Config, Document
from chunking.config.values import MAX_CHARACTERS
from chunking.document.loading import MAX_UPLOADED
from chunking.errors import ChunkscopeError
from chunking.imported import is_config, strangers_chunks
from chunking.text import text_hash
from pages.ui.choices import uploads
from pages.ui.choices.samples import Source
from pages.ui.choices.uploads import Upload, read_paste, read_uploads
from pages.ui.layout import caches
from pages.ui.layout.config_row import LARGEST_MB
from pages.ui.marks import actions

_MOST = uploads.LARGEST_MB * 1_000_000
_CONFIG = _CHUNKS = LARGEST_MB * 1_000_000
"""Bytes of a config with its proof, or of a file of chunks, that the app takes."""
_PASTED = 10_000_000
_DOCUMENT = 1_000_000
"""Characters of the document that chunks and questions are about."""


def work_with_uploads() -> Iterator[tuple[str, Callable[[], object]]]:
    """What each file is, and what the app does when it is given: refusals are as good as any
    answer."""
    about = caches.document(Source("about.md", "", text_of(_DOCUMENT, None)))
    for name, made in _configs().items():
        yield f"config, {name}", _tried(Config.from_yaml, made)
        yield f"config?, {name}", _tried(is_config, made)
    for name, made in _chunks().items():
        yield f"chunks, {name}", _tried(lambda raw: strangers_chunks(raw, "chunks.json"), made)
    for name, (ending, made) in _questions().items():
        yield (
            f"questions, {name}",
            _tried(partial(_questions_work, f"q{ending}", about), made),
        )
    for name, (ending, made) in _documents().items():
        yield (
            f"document, {name}",
            _tried(partial(_document_work, f"large{ending}"), made),
        )
    for name, text in _pasted().items():
        yield f"pasted, {name}", partial(_pasted_work, text)


def _tried(work: Callable[[bytes], object], made: Callable[[], bytes]) -> Callable[[], object]:
    raw = made()

    def tried() -> None:
        try:
            work(raw)
        except ChunkscopeError:
            return

    return tried


def _questions_work(name: str, about: Document, raw: bytes) -> object:
    return actions.read_upload(Upload(name, raw), about)


def _document_work(name: str, raw: bytes) -> object:
    return read_uploads([Upload(name, raw)])


def _pasted_work(text: str) -> None:
    read, _ = read_paste(text)
    for each in read:
        text_hash(each.text)


def _filled(head: str, piece: str, tail: str, size: int) -> bytes:
    return f"{head}{piece * ((size - len(head) - len(tail)) // len(piece))}{tail}".encode()


def _configs() -> Mapping[str, Callable[[], bytes]]:
    most = MAX_CHARACTERS
    proved = "".join(
        f'    "a/{number}.md":\n      source: sha256:{"0" * 64}\n      chunks: sha256:{"0" * 64}\n'
        for number in range(_CONFIG // 200)
    )
    return {
        "lists in a line": partial(_filled, "settings: [", "[],", "[]]", most),
        "keys": lambda: "\n".join(f"k{number}: {number}" for number in range(most // 12)).encode(),
        "a long word": partial(_filled, "strategy: ", "a", "", most),
        "escapes": partial(_filled, 'strategy: "', "\\u00e9", '"', most),
        "blank lines": partial(_filled, "strategy: x\n", "\n", "", most),
        "comments": partial(_filled, "strategy: x\n", "#\n", "", most),
        "a block": partial(_filled, "strategy: |\n", " a\n", "", most),
        "JSON": partial(_filled, '{"a": [', "[],", "[]]}", 500_000),
        "JSON of numbers": partial(_filled, '{"a": [', "1,", "1]}", 500_000),
        "a proof": lambda: f"strategy: fixed\nproof:\n  engine: '1'\n  documents:\n{proved}".encode(),
        "a proof of blanks": partial(_filled, "proof:\n", "  a: b\n", "  documents:\n", _CONFIG),
        "a proof of one name": partial(_filled, "proof:\n  documents:\n    ", "a", ":\n      a: b\n", _CONFIG),
        "a proof of fields": partial(_filled, "proof:\n  documents:\n    a:\n", "      a: b\n", "", _CONFIG),
    }


def _rows() -> Mapping[str, tuple[str, Callable[[int], bytes]]]:
    row = '{"text": "some words of a chunk"}'
    return {
        "lines": (".jsonl", partial(_filled, "", f"{row}\n", "")),
        "an array": (".json", partial(_filled, "[", f"{row},", f"{row}]")),
        "empty lists": (".json", partial(_filled, "[", "[],", "[]]")),
        "empty objects": (".json", partial(_filled, "[", "{},", "{}]")),
        "numbers": (".json", partial(_filled, "[", "1,", "1]")),
        "nested": (".json", partial(_filled, "", "[", "")),
        "one text": (".json", partial(_filled, '[{"text": "', "a", '"}]')),
        "one text of escapes": (".json", partial(_filled, '[{"text": "', "\\u4e00", '"}]')),
        "one text of CJK": (".json", lambda size: f'[{{"text": "{"一" * (size // 3)}"}}]'.encode()),
        "a list of offsets": (".json", partial(_filled, '[{"text": "a", "holes": [', "[1,2],", "[1,2]]}]")),
        "blank lines": (".jsonl", partial(_filled, f"{row}\n", "\n", "")),
        "a table": (".csv", partial(_filled, "text,start\n", "some words,1\n", "")),
        "a table of one cell": (".csv", partial(_filled, 'text\n"', "a ", '"\n')),
        "a table of one line": (".csv", partial(_filled, "text\n", "a,", "\n")),
        "a table of columns": (".csv", partial(_filled, "text", ",a", "\nb\n")),
        "a table of Python": (".csv", partial(_filled, 'text,metadata\na,"[', "[],", ']"\n')),
    }


def _chunks() -> Mapping[str, Callable[[], bytes]]:
    return {
        f"{name}, {size:,} bytes": partial(made, size)
        for name, (_, made) in _rows().items()
        for size in (500_000, 3_000_000, _CHUNKS)
    }


def _questions() -> Mapping[str, tuple[str, Callable[[], bytes]]]:
    row = '{"question": "what?", "references": ["some words"]}'
    asked = '{"question": "what?", "references": ['
    made: dict[str, tuple[str, Callable[[int], bytes]]] = {
        "lines": (".jsonl", partial(_filled, "", f"{row}\n", "")),
        "an array": (".json", partial(_filled, "[", f"{row},", f"{row}]")),
        "empty lists": (".json", partial(_filled, asked, "[],", "[]]}")),
        "numbers": (".json", partial(_filled, asked, "1,", "1]}")),
        "strings": (".json", partial(_filled, asked, '"",', '""]}')),
        "one quote": (".jsonl", partial(_filled, f'{asked}"', "a ", '"]}')),
        "one quote of escapes": (".jsonl", partial(_filled, f'{asked}"', "\\u4e00", '"]}')),
        "blank lines": (".jsonl", partial(_filled, f"{row}\n", "\n", "")),
        "braces in a text": (".jsonl", partial(_filled, f'{asked}"', "{[,", '"]}')),
        "a table": (".csv", partial(_filled, "question,references\n", "what?,some words\n", "")),
        "a table of one cell": (".csv", partial(_filled, 'question,references\na,"', "a ", '"\n')),
        "a table of Python": (".csv", partial(_filled, 'user_input,reference_contexts\na,"[', "'',", ']"\n')),
        "a table of one line": (".csv", partial(_filled, "question,references\n", "a,", "\n")),
        "SQuAD": (".json", partial(_filled, '{"data": [', '{"paragraphs": []},', '{"paragraphs": []}]}')),
    }
    return {
        f"{name}, {size:,} bytes": (ending, partial(each, size))
        for name, (ending, each) in made.items()
        for size in (500_000, 3_000_000, _MOST)
    }


def _documents() -> Mapping[str, tuple[str, Callable[[], bytes]]]:
    return {
        "letters": (".md", partial(_filled, "", "word ", "", _MOST)),
        "CJK": (".md", lambda: ("一二三\n" * (_MOST // 10)).encode()),
        "emoji": (".md", lambda: ("😀\n" * (_MOST // 5)).encode()),
        "unassigned": (".md", lambda: ("a\u0378" * (_MOST // 3)).encode()),
        "accents": (".md", lambda: ("é" * (_MOST // 2)).encode()),
        "UTF-16": (".md", lambda: ("ab" * (_MOST // 4 - 1)).encode("utf-16")),
        "no UTF-8": (".md", lambda: b"a" * (_MOST - 1) + b"\xff"),
        "controls": (".md", lambda: b"a\x01\x02\x03\x04\x05" * (_MOST // 6)),
        "NULs": (".md", lambda: b"a\0" * (_MOST // 2)),
        "empty": (".md", lambda: b" \n" * (_MOST // 2)),
        "HTML": (".html", partial(_filled, "<p>", "a<b>c</b>", "</p>", 1_000_000)),
        "a notebook": (".ipynb", partial(_filled, '{"cells": [', "{},", "{}]}", _MOST)),
        "zip": (".zip", partial(_zip, 1, _MOST - 1_000)),
        "zip of many": (".zip", partial(_zip, MAX_UPLOADED, 100)),
        "zip, stored": (".zip", partial(_zip, 1, _MOST - 1_000, zipfile.ZIP_STORED)),
        "zip of long names": (".zip", partial(_zip, MAX_UPLOADED, 1, zipfile.ZIP_STORED, 1_000)),
        "zip of marks": (".zip", lambda: _zip(1, 100) + b"PK\x01\x02" * (_MOST // 4 - 1_000)),
        "zip with a comment": (".zip", lambda: b"PK\x05\x06" * (_MOST // 4)),
        "tar": (".tar", partial(_tar, 1, _MOST - 20_000)),
        "tar of many": (".tar", partial(_tar, MAX_UPLOADED, 100)),
        "tar.gz": (".tar.gz", lambda: gzip.compress(_tar(1, _MOST // 2), 1)),
        "tar.bz2": (".tar.bz2", lambda: bz2.compress(_tar(1, _MOST // 4), 1)),
        "tar.xz": (".tar.xz", lambda: lzma.compress(_tar(1, _MOST // 2), preset=0)),
        "tar.gz of streams": (".tar.gz", lambda: gzip.compress(b"") * (_MOST // 100)),
        "tar.xz of streams": (".tar.xz", lambda: lzma.compress(b"") * (_MOST // 100)),
        "tar of zeros": (".tar", lambda: bytes(_MOST)),
    }


def _pasted() -> Mapping[str, str]:
    return {
        "lines": "a\n" * (_PASTED // 2),
        "blank lines": "\n" * (_PASTED - 1) + "a",
        "one line of hashes": "#" * _PASTED,
        "emoji": "😀" * (_PASTED // 4),
    }


def _words(size: int) -> bytes:
    """Text that packs to about the half."""
    return Random(1).randbytes(size // 2 + 1).hex(" ", 12).encode()


def _zip(number: int, size: int, packed: int = zipfile.ZIP_DEFLATED, name: int = 1) -> bytes:
    made = io.BytesIO()
    words = _words(size)
    with zipfile.ZipFile(made, "w", packed, compresslevel=1) as archive:
        for each in range(number):
            archive.writestr(f"{'n' * name}{each}.md", words[:size])
    return made.getvalue()


def _tar(number: int, size: int) -> bytes:
    made = io.BytesIO()
    words = _words(size)
    with tarfile.open(fileobj=made, mode="w") as archive:
        for each in range(number):
            header = tarfile.TarInfo(f"n{each}.md")
            header.size = size
            archive.addfile(header, io.BytesIO(words[:size]))
    return made.getvalue()
