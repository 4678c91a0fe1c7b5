"""What a strategy is, what a run gives it, and what it returns: chunks with their boundaries, and
records of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.core.chunk import BLANK as BLANK
    from chunking.core.chunk import Part as Part
    from chunking.core.chunk_table import Columns as Columns
    from chunking.core.chunk_table import Numbers as Numbers
    from chunking.core.cut_blocks import TornBoundary as TornBoundary
    from chunking.core.cut_blocks import blocks_cut as blocks_cut
    from chunking.core.estimates import Estimate as Estimate
    from chunking.core.metrics import LEFT_OUT_BY_DESIGN as LEFT_OUT_BY_DESIGN
    from chunking.core.metrics import Metrics as Metrics
    from chunking.core.metrics import left_out as left_out
    from chunking.core.metrics import limited_sizes as limited_sizes
    from chunking.core.metrics import measure as measure
    from chunking.core.metrics import over_with_context as over_with_context
    from chunking.core.metrics import text_parts as text_parts
    from chunking.core.metrics import whole_sizes as whole_sizes
    from chunking.core.strategy import FAMILIES as FAMILIES
    from chunking.core.strategy import Limits as Limits
    from chunking.core.strategy import Ordered as Ordered
    from chunking.core.strategy import Strategy as Strategy
else:
    __getattr__, __all__ = front(
        __name__,
        chunk=("BLANK", "Part"),
        chunk_table=("Columns", "Numbers"),
        cut_blocks=("TornBoundary", "blocks_cut"),
        estimates=("Estimate",),
        metrics=(
            "LEFT_OUT_BY_DESIGN",
            "Metrics",
            "left_out",
            "limited_sizes",
            "measure",
            "over_with_context",
            "text_parts",
            "whole_sizes",
        ),
        strategy=("FAMILIES", "Limits", "Ordered", "Strategy"),
    )
