"""Prices of embedders, in US dollars for a million tokens, where they are known.

List prices as public price comparisons had them in 2026, batch discounts left out. They change:
whoever knows better gives the price.
"""

from __future__ import annotations

from chunking.models.library_embedders import DEFAULTS

_FREE = ("local", "ollama", *DEFAULTS)
"""Providers whose models run on a machine of one's own."""
_PRICES = {
    "openai/text-embedding-3-small": 0.02,
    "openai/text-embedding-3-large": 0.13,
    "openai/text-embedding-ada-002": 0.10,
    "gemini/gemini-embedding-001": 0.15,
    "cohere/embed-v4.0": 0.12,
    "voyage/voyage-3.5": 0.06,
}


def price_of(embedder_name: str) -> float | None:
    """US dollars for a million tokens with this embedder (`provider/model`): 0 for one that runs on
    a machine of one's own, None where the price is not known."""
    provider = embedder_name.partition("/")[0]
    return 0.0 if provider in _FREE else _PRICES.get(embedder_name)
