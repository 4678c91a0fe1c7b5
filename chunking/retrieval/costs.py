"""What a config costs beside what it finds: money to embed its chunks, time to search them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chunking.retrieval.evaluation import Evaluation
from chunking.retrieval.ranking import Searcher, search_time


@dataclass(frozen=True, slots=True)
class Costs:
    """What one config costs beside what it finds."""

    tokens: int
    """To embed, of all chunks."""
    price: float | None
    """US dollars for a million tokens that are embedded; None where it is not known."""
    search_ms: float
    """The median time of a search over all chunks, in milliseconds, on this machine."""
    asks: bool
    """Whether that time has the embedding of the question in it: where the model runs here."""

    @property
    def money(self) -> float | None:
        """US dollars to embed all chunks once."""
        return None if self.price is None else self.tokens * self.price / 1e6


def costs_of(of: Evaluation, searcher: Searcher, questions: Sequence[str], price: float | None) -> Costs:
    """The costs of an evaluated config; the time is measured now, over the first few questions.
    Raises ModelError."""
    return Costs(of.tokens, price, 1000 * search_time(searcher, questions), searcher.embeds_here)
