"""What a replay must come to: hashes of the engine's table, each source and its chunks, and what
differs from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from gzip import decompress
from hashlib import sha256
from importlib.resources import files

from chunking.config.config import PROOF_FORMAT, Config, DocumentProof, Proof
from chunking.document import Document
from chunking.errors import ConfigError
from chunking.runtime.version import engine_version
from chunking.text.display import shown_text
from chunking.tokens import counter as counter_named
from chunking.tokens.token_counter import FILE, MINILM, OFFERED


def table_hash(counter: str) -> str:
    """Hash of the tokenizer's table, or of its tokenizer.json; empty for a rule, or a table that is
    not ours."""
    if counter == MINILM or counter.startswith((FILE, OFFERED)):
        return counter_named(counter).table_hash  # not remembered: a file may be another one by now
    return _packaged_hash(counter)


@cache
def _packaged_hash(counter: str) -> str:
    table = files("chunking") / "data" / f"{counter}.tiktoken.gz"
    return f"sha256:{sha256(decompress(table.read_bytes())).hexdigest()}" if table.is_file() else ""


def source_hash(source: bytes) -> str:
    """The hash of a file's bytes, as a proof has it."""
    return f"sha256:{sha256(source).hexdigest()}"


def document_proof(
    source: bytes, fingerprint: str, descriptions: str = "", document: Document | None = None
) -> DocumentProof:
    """The proof of one document: its file's bytes, its run's fingerprint and hash of descriptions
    in hex, and the document, where its text may have been converted."""
    return proof_of_hashes(source_hash(source), fingerprint, descriptions, document)


def proof_of_hashes(
    source: str, fingerprint: str, descriptions: str = "", document: Document | None = None
) -> DocumentProof:
    """As `document_proof`, of the hash of the file as a proof has it."""
    made = document.conversion if document else None
    return DocumentProof(
        source=source,
        chunks=f"sha256:{fingerprint}",
        descriptions=f"sha256:{descriptions}" if descriptions else "",
        loader=made.loader if made else "",
        text=f"sha256:{document.text_hash}" if document and made else "",
    )


def proof_of(config: Config, documents: Mapping[str, DocumentProof]) -> Proof:
    """The proof that goes into a config's YAML."""
    return Proof(engine=engine_version(), counter=table_hash(config.counter), documents=dict(documents))


def names_in_proof(promised: Proof, documents: Sequence[tuple[str, str]]) -> list[str | None]:
    """Which of the proof's names each document, given by its own name and its source's hash, is
    checked under.

    A document is what its bytes are, whatever it is called here: the same hash and name first, then
    the same hash, then the same name, whose file has changed. None where the proof knows neither.
    Each name of the proof is taken once.
    """
    found: list[str | None] = [None] * len(documents)
    free = dict(promised.documents)

    def take(at: int, name: str) -> None:
        found[at] = name
        del free[name]

    for at, (name, source) in enumerate(documents):
        if name in free and free[name].source == source:
            take(at, name)
    by_source: dict[str, list[str]] = {}
    for name, each in free.items():
        by_source.setdefault(each.source, []).append(name)
    for at, (_, source) in enumerate(documents):
        if found[at] is None and by_source.get(source):
            take(at, by_source[source].pop(0))
    for at, (name, _) in enumerate(documents):
        if found[at] is None and name in free:
            take(at, name)
    return found


def differences(promised: Proof, found: Proof) -> Iterator[str]:
    """Where a replay differs from what was promised, one sentence each; nothing when it is the
    same.

    A different source explains different chunks, so then the chunks are not mentioned. Another
    version of the engine is no difference: the chunks are what counts, and they are compared.
    """
    if promised.counter != found.counter:
        yield f"counter: the tokenizer's table is another one ({_hashes(promised.counter, found.counter)})"
    made_by = "" if promised.engine == found.engine else f"; the proof is of version {promised.engine}"
    of_old_format = 0
    for name, expected in promised.documents.items():
        actual = found.documents.get(name)
        if actual is None:
            yield f"{name}: is in the proof and not among the documents; give its path too"
        elif actual.source != expected.source:
            yield f"{name}: the file changed ({_hashes(expected.source, actual.source)})"
        elif expected.text and expected.text != actual.text:
            yield f"{name}: {other_text(expected, actual)}"
        elif actual.chunks != expected.chunks and promised.format < PROOF_FORMAT:
            of_old_format += 1
        elif actual.chunks != expected.chunks:
            yield f"{name}: the chunks differ ({_hashes(expected.chunks, actual.chunks)}{made_by})"
        elif actual.descriptions != expected.descriptions:
            yield f"{name}: same cuts, other descriptions ({_hashes(expected.descriptions, actual.descriptions)})"
    if of_old_format:
        yield (
            f"the proof is of an earlier format, whose hashes held the wording of every reason too, and cannot be "
            f"compared for {of_old_format} of {len(promised.documents)} documents; write it anew with `run --proof`"
        )
    for name in found.documents:
        if name not in promised.documents:
            yield f"{name}: is not in the proof, so nothing is known of its chunks; prove it with `run --proof`"


def other_text(expected: DocumentProof, actual: DocumentProof) -> str:
    """That a file converts to another text than it did, and by what."""
    if expected.loader == actual.loader:
        return f"converts to another text than in the proof, by {_said(actual.loader)} in both; prove it anew"
    return (
        f"converts to another text than in the proof: by {_said(expected.loader)} there, by {_said(actual.loader)} "
        "here; install that one, or prove it anew"
    )


def notes(promised: Proof, found: Proof) -> Iterator[str]:
    """What differs and changes nothing, one sentence each: another converter that gives the same
    text."""
    for name, expected in promised.documents.items():
        actual = found.documents.get(name)
        if actual and expected.loader != actual.loader and expected.text == actual.text and expected.text:
            here, there = _said(actual.loader), _said(expected.loader)
            yield f"{name}: converted by {here}, in the proof by {there}: the same text"


def _said(loader: str) -> str:
    return shown_text(loader, 100) or "an unnamed converter"


_FEWEST_DIGITS = 12


def check_tokenizer(config: Config, promised: Proof) -> None:
    """Refuse to check a proof with another tokenizer's file. Raises ConfigError, one line."""
    found = table_hash(config.counter)
    if config.counter.startswith(FILE) and promised.counter and promised.counter != found:
        raise ConfigError(
            f"counter: {shown_text(config.counter, 200)} is another tokenizer than the proof's (sha256 "
            f"{_hashes(promised.counter, found)}); give the file that the proof was made with"
        )


def _hashes(promised: str, here: str) -> str:
    """Both hashes, with as many digits as it takes to tell them apart."""
    first, second = promised.removeprefix("sha256:"), here.removeprefix("sha256:")
    alike = next((at for at, (one, other) in enumerate(zip(first, second, strict=False)) if one != other), 0)
    digits = max(_FEWEST_DIGITS, alike + 1)
    return f"{first[:digits] or 'none'} in the proof, {second[:digits] or 'none'} here"
