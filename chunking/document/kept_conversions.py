"""What files were converted to, kept in the cache's folder: a PDF that was read before is opened at
once.

One file for each: a line of JSON about the conversion and then the text, packed, behind their
sha256. It is named by a hash of the file's bytes and of what converts it: the libraries' versions,
ours, and our own code. The text of documents is in them, so they are their owner's alone. One that
is damaged, or cannot be written, is done without.
"""

from __future__ import annotations

import json
import os
import zlib
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from chunking.document.conversion import Conversion, Converted, refused_pages
from chunking.document.loaders import LIBRARIES, named_with_versions
from chunking.errors import ConfigError
from chunking.runtime.folders import CACHE_VARIABLE, user_folder
from chunking.runtime.version import engine_version
from chunking.runtime.whole_file import replacing
from chunking.text.display import shown

SIZE_VARIABLE = "CHUNKSCOPE_CONVERSIONS_MB"
"""Environment variable with the limit of all of them, in millions of bytes; 0 keeps none."""
_DEFAULT_MB = 200
_MB = 1_000_000
_OURS = "chunking.document.formats."
_ENDING = ".conversion"
_UNFINISHED = ".part"
"""Ends the name of one that is being written, or was when its process was killed."""
_DIGEST = 32
_LONGEST = 512 * 1024 * 1024
"""Bytes that one may be unpacked to."""
_KEPT_SHARE = 0.9
"""How far the folder is emptied once it is over its limit."""
_LOOKED_SHARE = 0.1
"""How much of the limit a process writes before it looks at the folder again."""
_unseen: dict[Path, int] = {}
"""Bytes that this process wrote to a folder since it looked there last."""


class Contents(NamedTuple):
    """What is kept."""

    documents: int
    bytes: int


def limit_in_bytes() -> int:
    """What all of them may take. Raises ConfigError for anything but a whole number."""
    text = os.environ.get(SIZE_VARIABLE, "").strip()
    if text and not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ConfigError(f"{SIZE_VARIABLE}: {shown(text)} is not a whole number; set it to one, or to 0 to keep none")
    return int(text or _DEFAULT_MB) * _MB


def conversions_folder() -> Path | None:
    """Where they are; None where there is no folder for what can be made again."""
    folder = user_folder("cache", CACHE_VARIABLE)
    return folder / "conversions" if folder else None


def known(raw: bytes, function: str) -> Converted | None:
    """What this loader of ours made of these bytes; None where that is not kept."""
    file = _file(raw, function)
    if file is None:
        return None
    try:
        found = _unpacked(file.read_bytes())
    except OSError:
        return None
    if found is not None:
        with suppress(OSError):
            os.utime(file)  # it was used now
    return found


def keep(raw: bytes, function: str, made: Converted) -> None:
    """Keep what a loader made, where it is one of ours. What was not used for the longest time goes
    where the limit is reached."""
    file = _file(raw, function)
    if file is None:
        return
    about, limit = made.conversion, limit_in_bytes()
    said = {"loader": about.loader, "page_starts": about.page_starts, "notes": about.notes}
    packed = zlib.compress(json.dumps(said).encode() + b"\n" + made.text.encode("utf-8", "surrogatepass"), 1)
    if len(packed) > limit // 4:
        return
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with replacing(file, private=True) as part:
            part.write(sha256(packed).digest() + packed)
        unseen = _unseen.get(file.parent, limit) + len(packed)
        if unseen > limit * _LOOKED_SHARE:
            pruned()
            unseen = 0
        _unseen[file.parent] = unseen


def contents() -> Contents:
    """How many are kept, and their bytes."""
    found = _all()
    whole = [file for _, _, file in found if file.name.endswith(_ENDING)]
    return Contents(len(whole), sum(size for _, size, _ in found))


def pruned(most: int | None = None) -> int:
    """Bring the folder within its limit, or within `most` bytes; how many went."""
    limit = limit_in_bytes() if most is None else most
    found = sorted(_all())
    total, gone = sum(size for _, size, _ in found), 0
    wanted = limit if total <= limit else limit * _KEPT_SHARE
    for _, size, file in found:
        if total <= wanted:
            break
        with suppress(OSError):
            file.unlink()
            gone += file.name.endswith(_ENDING)
        total -= size
    return gone


def _all() -> list[tuple[int, int, Path]]:
    """When each was used last, in ns, its bytes and its file; those being written come last."""
    folder, found = conversions_folder(), []
    try:
        entries = list(os.scandir(folder)) if folder else []
    except OSError:
        return []
    for entry in entries:
        with suppress(OSError):
            if entry.name.endswith((_ENDING, _UNFINISHED)) and entry.is_file(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                found.append((status.st_mtime_ns, status.st_size, Path(entry.path)))
    return found


def _file(raw: bytes, function: str) -> Path | None:
    folder = conversions_folder()
    if folder is None or not function.startswith(_OURS) or not limit_in_bytes():
        return None
    key = json.dumps([sha256(raw).hexdigest(), function, _converter()])
    return folder / f"{sha256(key.encode()).hexdigest()}{_ENDING}"


def _converter() -> list[str]:
    """What decides what our loaders make of a file."""
    return [engine_version(), _own_code(), *(named_with_versions(*each) for each in LIBRARIES)]


@cache
def _own_code() -> str:
    digest = sha256()
    for file in sorted((Path(__file__).parent / "formats").glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _unpacked(content: bytes) -> Converted | None:
    """What a file says; None where it is damaged."""
    packed = content[_DIGEST:]
    if sha256(packed).digest() != content[:_DIGEST]:
        return None
    try:
        about, _, text = zlib.decompressobj().decompress(packed, _LONGEST).partition(b"\n")
        said, decoded = json.loads(about), text.decode("utf-8", "surrogatepass")
        starts, notes = tuple(said["page_starts"]), tuple(said["notes"])
        damaged = bool(refused_pages(starts, decoded))
    except (ValueError, KeyError, TypeError, RecursionError, zlib.error):
        return None
    return None if damaged else Converted(decoded, Conversion(said["loader"], starts, notes))
