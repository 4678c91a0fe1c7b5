"""Published benchmarks of chunking, measured again: their figures beside ours, on data that the
user brings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.retrieval.published.benchmarks import BENCHMARKS as BENCHMARKS
    from chunking.retrieval.published.benchmarks import Benchmarked as Benchmarked
    from chunking.retrieval.published.benchmarks import BenchmarkRow as BenchmarkRow
    from chunking.retrieval.published.benchmarks import run_benchmark as run_benchmark
else:
    __getattr__, __all__ = front(
        __name__,
        benchmarks=("BENCHMARKS", "BenchmarkRow", "Benchmarked", "run_benchmark"),
    )
