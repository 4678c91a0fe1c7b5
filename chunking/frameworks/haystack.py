"""A config as a splitter component of Haystack."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from haystack import Document, component, default_from_dict, default_to_dict

from chunking.config.config import Config
from chunking.core.framework_objects import haystack_documents
from chunking.frameworks.cutting import Cutter, config_of


@component
class ChunkscopeSplitter:
    """Cuts as the YAML says, with the exact chunks of `chunkscope run`.

    A document's name is its meta's `file_path` or `file_name`, else its id; overrides go by it.
    What it had as meta stays; the chunk's own keys stand beside it.
    """

    def __init__(self, config: Config | str | Path) -> None:
        """`config` is a Config, the text of a YAML, or its path. Raises ConfigError."""
        self.config = config_of(config)

    @component.output_types(documents=list[Document])  # type: ignore[untyped-decorator]
    def run(self, documents: list[Document]) -> dict[str, list[Document]]:
        """The chunks of each document, with its meta."""
        made, cutter = [], Cutter(self.config)
        for document in documents:
            name = str(document.meta.get("file_path") or document.meta.get("file_name") or document.id)
            for chunk in haystack_documents(cutter.chunks_of(document.content or "", name)):
                made.append(replace(chunk, meta={**chunk.meta, **document.meta, "source_id": document.id}))
        return {"documents": made}

    def to_dict(self) -> dict[str, Any]:
        """As a saved pipeline has it."""
        saved: dict[str, Any] = default_to_dict(self, config=self.config.to_yaml())
        return saved

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> ChunkscopeSplitter:
        """From a saved pipeline."""
        made: ChunkscopeSplitter = default_from_dict(cls, data)
        return made
