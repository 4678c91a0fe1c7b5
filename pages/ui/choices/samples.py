"""The documents that come with the app, each written to show one thing going wrong. No
Streamlit."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache, cached_property
from hashlib import sha256
from pathlib import Path

from chunking.document import Conversion
from chunking.text import text_hash
from pages.ui.choices.text_in_link import packed

FOLDER = Path(__file__).resolve().parents[3] / "sample_docs"

FIRST = "11-a-changelog.md"
_TORN = "02-a-huge-table.md"
"""Its table is cut in two by the settings that a new session begins with."""

_LOOK_FOR = re.compile(r"<!--\s*Look for:\s*(.*?)\s*-->", re.DOTALL)


@dataclass(frozen=True)
class Source:
    """A text somebody can choose: a sample, an upload or a paste. Known by its name and the hash of
    its text."""

    name: str
    title: str
    """What the picker shows."""
    text: str
    sample: bool = False
    uploaded: bool = False
    """Whether whoever chose it has the file already."""
    look_for: str = ""
    """What a sample is there to show."""

    file_hash: str = ""
    """sha256, in hex, of the file's bytes; of the text as UTF-8 where there was no file."""
    conversion: Conversion | None = None
    """How the text was made of a file in another format."""
    original: bytes = field(default=b"", repr=False, compare=False)
    """The file, where its pages can be drawn: a PDF that this session read."""

    @property
    def key(self) -> str:
        """`sample:<file>`, which a link can open anywhere, or the text's sha256, which it
        cannot."""
        return f"sample:{self.name}" if self.sample else self.hash

    @cached_property
    def hash(self) -> str:
        """sha256 of the text, in hex."""
        return text_hash(self.text)

    @cached_property
    def in_link(self) -> str:
        """The text as a link would hold it; "" for a sample, which needs none, and where it is too
        large."""
        return "" if self.sample else packed(self.text)


@cache
def samples(folder: Path = FOLDER) -> tuple[Source, ...]:
    """The sample documents in the order of their file names; none when the folder is missing."""
    return tuple(_sample(path) for path in sorted(folder.glob("*.md")) if path.name != "README.md")


def first_sample() -> Source | None:
    """What a new session opens: one with a boundary on its first screen, which the first threshold
    moves at once; None without samples."""
    return next((sample for sample in samples() if sample.name == FIRST), next(iter(samples()), None))


def torn_sample() -> Source | None:
    """The sample that shows what a torn block looks like; None without it."""
    return next((sample for sample in samples() if sample.name == _TORN), None)


def _sample(path: Path) -> Source:
    raw = path.read_bytes()
    text = raw.decode("utf-8-sig")
    words = path.stem.lstrip("0123456789-_ ").replace("-", " ").replace("_", " ")
    words = words.replace(" api ", " API ").replace(" english", " English")
    match = _LOOK_FOR.search(text, 0, 4000)
    return Source(
        name=path.name,
        title=words[:1].upper() + words[1:],
        text=text,
        sample=True,
        look_for=" ".join(match[1].replace("`", "").split()) if match else "",
        file_hash=sha256(raw).hexdigest(),
    )
