"""The numbers of the strip, was beside now, from Metrics. No Streamlit, and no pandas: it is on screen first."""

from __future__ import annotations

from typing import Literal

from chunking.analysis.metric_table import share_text as share_text
from chunking.analysis.metric_table import within_text
from chunking.core.metrics import Metrics
from pages.ui.layout.markup import Figure


def before_after(now: Metrics, was: Metrics | None) -> tuple[Figure, ...]:
    """The six numbers of the strip. Fewer cuts inside a block and more chunks within limits are better."""
    return (
        Figure("Chunks", f"{now.chunk_count:,}", f"{was.chunk_count:,}" if was else "", hint="chunks of this document"),
        Figure("Median tokens", _round(now.median_tokens), _round(was.median_tokens) if was else ""),
        Figure("95th percentile", _round(now.p95_tokens), _round(was.p95_tokens) if was else "", hint="tokens"),
        Figure(
            "Within limits",
            within_text(now),
            within_text(was) if was else "",
            _verdict(now.within_limits, was.within_limits if was else None),
            "chunks between the strategy's own minimum and maximum, by what they count and by the strategy's own "
            "counter; – where it has neither. Over with context: their whole text is over the maximum",
        ),
        Figure(
            "Cuts inside a block",
            f"{now.cuts_inside_blocks:,}",
            f"{was.cuts_inside_blocks:,}" if was else "",
            _verdict(-now.cuts_inside_blocks, -was.cuts_inside_blocks if was else None),
            "boundaries inside a paragraph, table, list or fence",
        ),
        Figure(
            "Tokens to embed",
            f"{now.tokens_to_embed:,}",
            f"{was.tokens_to_embed:,}" if was else "",
            hint="context and overlap included",
        ),
    )


def _round(value: float) -> str:
    return f"{value:,.0f}"


def _verdict(now: float | None, was: float | None) -> Literal["", "better", "worse"]:
    if now is None or was is None or now == was:
        return ""
    return "better" if now > was else "worse"
