"""A proof in a YAML, written and read.

A proof of thousands of documents is longer than any YAML that is read. Its documents are therefore
read line by line, in the form in which they are written here, and only the rest as YAML.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, fields

from chunking.config import yaml_io
from chunking.config.config import PROOF_FORMAT, DocumentProof, Proof
from chunking.config.values import MAX_CHARACTERS, MAX_WITH_PROOF, Value
from chunking.errors import ConfigError
from chunking.text.display import shown, shown_ascii

_LONGEST_LOADER = 200
"""Characters of a converter's name."""
_LONGEST_BEFORE = MAX_CHARACTERS
"""What stands before the documents is read as YAML."""
_HASH = re.compile(r"sha256:[0-9a-f]{64}")
_DOCUMENTS = re.compile(r"^proof:\r?\n(?:  (?!documents:)\S.*\n)*  documents:\r?\n", re.MULTILINE)
_ENTRY = re.compile(
    r"    (?:(?P<name>\S.{0,99999}):\r?\n      |\? (?P<long>\S.{0,99999}?)\r?\n    : )"
    r"(?P<fields>[a-z]+: .{1,9999}(?:\n|\Z)(?:      [a-z]+: .{1,9999}(?:\n|\Z)){0,9})"
)
"""A document; the name of one that is long or odd stands behind a question mark. With bounds, as
one match lets nobody else go on."""
_FIELD = re.compile(r"^ *([a-z]+): (.+?)\r?$", re.MULTILINE)
_USUAL_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\.[A-Za-z0-9_.-]+|\"([A-Za-z0-9_./ -]+)\"")
"""A name that needs no reader of YAML: most of them."""


def written_proof(proof: Proof) -> str:
    """The proof as the end of a YAML. Raises ConfigError where it would be too long to be read."""
    about: dict[str, Value] = {"engine": proof.engine}
    if proof.format > 1:
        about["format"] = proof.format
    if proof.counter:
        about["counter"] = proof.counter
    about["documents"] = {
        name: {key: value for key, value in asdict(each).items() if value or key in ("source", "chunks")}
        for name, each in proof.documents.items()
    }
    text = yaml_io.write({"proof": about})
    if len(text) > MAX_WITH_PROOF - MAX_CHARACTERS:
        raise ConfigError(
            f"the proof would have {len(text)} characters and at most {MAX_WITH_PROOF - MAX_CHARACTERS} are read; "
            "prove fewer documents at once"
        )
    return text


def without_documents(text: str) -> tuple[str, dict[str, DocumentProof]]:
    """A long YAML without its proof's documents, and these; a YAML that is short enough as it is.

    Raises ConfigError, one line, for what is in their place and not as it is written.
    """
    begins = _DOCUMENTS.search(text, 0, _LONGEST_BEFORE) if MAX_CHARACTERS < len(text) <= MAX_WITH_PROOF else None
    if begins is None:
        return text, {}
    documents: dict[str, DocumentProof] = {}
    end = begins.end()
    line = text.count("\n", 0, end) + 1
    while entry := _ENTRY.match(text, end):
        name, said = _read_entry(entry, line)
        if name in documents:
            raise ConfigError(f"line {line}: {shown_ascii(name)} is given twice; delete one")
        documents[name] = _document_proof(said, name)
        line += entry[0].count("\n")
        end = entry.end()
    if text[end:].lstrip("\r\n")[:1].isspace():
        raise _not_as_written(line)
    return f"{text[: begins.end() - 1].rstrip()} {{}}\n{text[end:]}", documents


def _read_entry(entry: re.Match[str], line: int) -> tuple[str, dict[str, Value]]:
    fields_of, written = _FIELD.findall(entry["fields"]), entry["name"] or entry["long"]
    usual = _USUAL_NAME.fullmatch(written)
    try:
        said = {key: value if _HASH.fullmatch(value) else yaml_io.read(value) for key, value in fields_of}
        named = [usual[1] or usual[0]] if usual else list(_mapping(yaml_io.read(f"? {written}\n: 0"), "a name"))
    except ConfigError:
        raise _not_as_written(line) from None
    if len(named) != 1 or len(said) != len(fields_of):
        raise _not_as_written(line)
    return named[0], said


def _not_as_written(line: int) -> ConfigError:
    return ConfigError(
        f"line {line}: not as `run --proof` writes a proof, and it is read in no other form where the YAML has over "
        f"{MAX_CHARACTERS} characters; export the proof again"
    )


def proof_from(value: Value, documents: Mapping[str, DocumentProof]) -> Proof:
    """The proof of a YAML's `proof:`, with what `without_documents` has read of it. Raises
    ConfigError, one line."""
    proof = _mapping(value, "proof", ("engine", "counter", "documents", "format"))
    engine = proof.get("engine")
    if not isinstance(engine, str):
        raise ConfigError(f"proof.engine: {shown(engine)} is not a version in quotes")
    version = proof.get("format", 1)
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise ConfigError(f"proof.format: {shown(version)} is not a format version; export the proof again")
    if version > PROOF_FORMAT:
        raise ConfigError(
            f"proof.format: {version} is a later format than {PROOF_FORMAT}, the last known here; update Chunkscope"
        )
    others = _mapping(proof.get("documents") if not documents else {}, "proof.documents")
    return Proof(
        engine=engine,
        counter=_hash(proof["counter"], "proof.counter") if "counter" in proof else "",
        documents={**documents, **{name: _document_proof(each, name) for name, each in others.items()}},
        format=version,
    )


def _document_proof(value: Value, name: str) -> DocumentProof:
    place = f"proof.documents.{shown_ascii(name)}"
    said = _mapping(value, place, tuple(each.name for each in fields(DocumentProof)))
    loader = said.get("loader", "")
    if not isinstance(loader, str) or len(loader) > _LONGEST_LOADER:
        raise ConfigError(f"{place}.loader: {shown(loader)} is not a converter's name; export the proof again")
    return DocumentProof(
        source=_hash(said.get("source"), f"{place}.source"),
        chunks=_hash(said.get("chunks"), f"{place}.chunks"),
        descriptions=_hash(said["descriptions"], f"{place}.descriptions") if "descriptions" in said else "",
        loader=loader,
        text=_hash(said["text"], f"{place}.text") if "text" in said else "",
    )


def _mapping(value: Value, place: str, keys: tuple[str, ...] = ()) -> Mapping[str, Value]:
    if not isinstance(value, Mapping):
        raise ConfigError(f"{place}: {shown(value)} is not a mapping; export the proof again")
    for key in value:
        if keys and key not in keys:
            raise ConfigError(f"{place}: unknown key {shown_ascii(key)}; a proof has {', '.join(keys)}")
    return value


def _hash(value: Value, place: str) -> str:
    if not isinstance(value, str) or not _HASH.fullmatch(value):
        raise ConfigError(f"{place}: {shown(value)} is not sha256: and 64 hexadecimal digits; export the proof again")
    return value
