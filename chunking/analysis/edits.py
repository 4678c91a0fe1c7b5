"""What an edit of a document does to its chunks: how many keep their id, and what has to be
embedded again."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass

from chunking.runs import Run
from chunking.text import text_hash


@dataclass(frozen=True, slots=True)
class EditStability:
    """The chunks of two versions of one document, cut by one config."""

    chunks_before: int
    chunks_after: int
    kept: int
    """Chunks of the later version whose id the former has too: nothing is to be done for them."""
    moved: int
    """Chunks with another id and a text that the former version has: their vectors are there."""
    to_embed: int
    tokens_to_embed: int

    @property
    def kept_share(self) -> float:
        """Share of the later version's chunks, 0 to 1, that keep their id; 1 where it has none."""
        return self.kept / self.chunks_after if self.chunks_after else 1.0

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON."""
        return asdict(self) | {"kept_share": round(self.kept_share, 4)}


def edit_stability(before: Run, after: Run) -> EditStability:
    """Compare the chunks of two versions of a document, which have one name, by id and by text."""
    ids = {chunk.id for chunk in before.chunks}
    left = Counter(text_hash(chunk.text) for chunk in before.chunks)
    kept, others = 0, []
    for chunk in after.chunks:
        if chunk.id in ids:
            kept += 1
            left[text_hash(chunk.text)] -= 1
        else:
            others.append(chunk)
    moved = tokens = 0
    for chunk in others:
        if left[text_hash(chunk.text)] > 0:
            left[text_hash(chunk.text)] -= 1
            moved += 1
        else:
            tokens += chunk.tokens
    return EditStability(len(before.chunks), len(after.chunks), kept, moved, len(others) - moved, tokens)
