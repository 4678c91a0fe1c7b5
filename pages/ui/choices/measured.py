"""What a session has seen of a document under each config: what the last change did is read from
it. No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass

from chunking import Config
from chunking.core import Metrics


@dataclass(frozen=True, slots=True)
class Measured:
    """The numbers of a document that was cut."""

    document: str
    """SourceText.hash."""
    config: Config
    metrics: Metrics

    def is_of(self, document: str, config: Config) -> bool:
        return self.document == document and self.config == config
