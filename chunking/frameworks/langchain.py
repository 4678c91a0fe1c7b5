"""A config as a text splitter of LangChain."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from langchain_core.documents import Document
from langchain_text_splitters import TextSplitter

from chunking.config.config import Config
from chunking.core.framework_objects import langchain_documents
from chunking.frameworks.cutting import Cutter, config_of


class ChunkscopeTextSplitter(TextSplitter):  # type: ignore[misc]  # its types are not read
    """Cuts as the YAML says, with the exact chunks of `chunkscope run`.

    A document's name is its metadata's `source`, which overrides go by. What it had as metadata
    stays; the chunk's own keys stand beside it.
    """

    def __init__(self, config: Config | str | Path) -> None:
        """`config` is a Config, the text of a YAML, or its path. Raises ConfigError."""
        super().__init__()
        self.config = config_of(config)

    def split_text(self, text: str) -> list[str]:
        """The texts of the chunks."""
        return [chunk["text"] for chunk in Cutter(self.config).chunks_of(text, "text")]

    def create_documents(self, texts: list[str], metadatas: list[dict[Any, Any]] | None = None) -> list[Document]:
        """The chunks of each text, with the metadata of the text."""
        made, cutter = [], Cutter(self.config)
        for number, text in enumerate(texts):
            given = metadatas[number] if metadatas else {}
            name = str(given.get("source") or f"text-{number + 1}")
            for document in langchain_documents(cutter.chunks_of(text, name)):
                document.metadata = {**document.metadata, **given}
                made.append(document)
        return made

    def split_documents(self, documents: Iterable[Document]) -> list[Document]:
        """The chunks of each document, with its metadata."""
        given = list(documents)
        return self.create_documents([each.page_content for each in given], [each.metadata for each in given])
