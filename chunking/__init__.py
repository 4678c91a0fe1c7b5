"""Chunkscope's library: where does this strategy cut this document, and why there?

    from chunking import Config, parse, run

Names are loaded when they are first used, so that `import chunking` stays light.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from chunking import strategies as strategies
    from chunking.analysis.comparison import compare as compare
    from chunking.analysis.health import health as health
    from chunking.config.config import Config as Config
    from chunking.core.chunk import Boundary as Boundary
    from chunking.core.chunk import Chunk as Chunk
    from chunking.core.chunk import Skip as Skip
    from chunking.document import Document as Document
    from chunking.document import Span as Span
    from chunking.document.loading import load as load
    from chunking.document.loading import load_all as load_all
    from chunking.document.parser import parse as parse
    from chunking.errors import ChunkscopeError as ChunkscopeError
    from chunking.explanation.explanation import explain as explain
    from chunking.gold.mark_store import AnnotationStore as AnnotationStore
    from chunking.gold.marks import Annotations as Annotations
    from chunking.gold.questions import Question as Question
    from chunking.models.access import Tools as Tools
    from chunking.runs import Run as Run
    from chunking.runs import cut_bytes as cut_bytes
    from chunking.runs import run as run
    from chunking.runtime.run_limits import RunLimits as RunLimits
    from chunking.tokens import counter as counter

_HOME = {
    "AnnotationStore": "gold.mark_store",
    "Annotations": "gold.marks",
    "Boundary": "core.chunk",
    "Chunk": "core.chunk",
    "ChunkscopeError": "errors",
    "Config": "config.config",
    "Document": "document",
    "Question": "gold.questions",
    "Run": "runs",
    "RunLimits": "runtime.run_limits",
    "Skip": "core.chunk",
    "Span": "document",
    "Tools": "models.access",
    "compare": "analysis.comparison",
    "counter": "tokens",
    "cut_bytes": "runs",
    "explain": "explanation.explanation",
    "health": "analysis.health",
    "load": "document.loading",
    "load_all": "document.loading",
    "parse": "document.parser",
    "run": "runs",
}

__all__ = [*_HOME, "strategies"]


def __getattr__(name: str) -> object:
    if name == "strategies":
        return import_module("chunking.strategies")
    if name == "__version__":
        return import_module("chunking.runtime.version").engine_version()
    if name not in _HOME:
        raise AttributeError(f"module 'chunking' has no attribute {name!r}")
    return getattr(import_module(f"chunking.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
