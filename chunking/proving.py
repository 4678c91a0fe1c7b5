"""What a replay must come to: hashes of the engine's table, each source and its chunks, and what differs from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from gzip import decompress
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files

from chunking.config import Config, DocumentProof, Proof


@cache
def engine_version() -> str:
    """Chunkscope's version; `unknown` when it runs from a folder that was never installed."""
    try:
        return version("chunkscope")
    except PackageNotFoundError:
        return "unknown"


@cache
def table_hash(counter: str) -> str:
    """Hash of the tokenizer's table that we carry; empty for a counter that has none, or whose table is not ours."""
    table = files("chunking") / "data" / f"{counter}.tiktoken.gz"
    return f"sha256:{sha256(decompress(table.read_bytes())).hexdigest()}" if table.is_file() else ""


def document_proof(source: bytes, fingerprint: str, descriptions: str = "") -> DocumentProof:
    """The proof of one document: its file's bytes, and its run's fingerprint and hash of descriptions in hex."""
    return DocumentProof(
        source=f"sha256:{sha256(source).hexdigest()}",
        chunks=f"sha256:{fingerprint}",
        descriptions=f"sha256:{descriptions}" if descriptions else "",
    )


def proof_of(config: Config, documents: Mapping[str, DocumentProof]) -> Proof:
    """The proof that goes into a config's YAML."""
    return Proof(engine=engine_version(), counter=table_hash(config.counter), documents=dict(documents))


def differences(promised: Proof, found: Proof) -> Iterator[str]:
    """Where a replay differs from what was promised, one sentence each; nothing when it is the same.

    A different source explains different chunks, so then the chunks are not mentioned. Another version of the engine is
    no difference: the chunks are what counts, and they are compared.
    """
    if promised.counter != found.counter:
        tables = f"{_short(promised.counter)} in the proof, {_short(found.counter)} here"
        yield f"counter: the tokenizer's table is another one ({tables})"
    made_by = "" if promised.engine == found.engine else f"; the proof is of version {promised.engine}"
    for name, expected in promised.documents.items():
        actual = found.documents.get(name)
        if actual is None:
            yield f"{name}: is in the proof and not among the documents; give its path too"
        elif actual.source != expected.source:
            yield f"{name}: the file changed ({_short(expected.source)} in the proof, {_short(actual.source)} here)"
        elif actual.chunks != expected.chunks:
            hashes = f"{_short(expected.chunks)} in the proof, {_short(actual.chunks)} here"
            yield f"{name}: the chunks differ ({hashes}{made_by})"
        elif actual.descriptions != expected.descriptions:
            hashes = f"{_short(expected.descriptions)} in the proof, {_short(actual.descriptions)} here"
            yield f"{name}: same cuts, other descriptions ({hashes})"


def _short(hashed: str) -> str:
    return hashed.removeprefix("sha256:")[:12] or "none"
