"""Chunks as the objects of LangChain, LlamaIndex and Haystack.

Each has the chunk's exact text, its id, and all other keys of docs/formats/json-lines.md as
metadata. Where the framework has a name of its own for a key, that name stands there too.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from typing import TYPE_CHECKING

from chunking.core.records import WrittenChunk
from chunking.errors import OutputError

if TYPE_CHECKING:
    from haystack import Document as HaystackDocument
    from langchain_core.documents import Document as LangChainDocument
    from llama_index.core.schema import TextNode


def langchain_documents(chunks: Iterable[WrittenChunk]) -> list[LangChainDocument]:
    """LangChain's documents; `source` is the document's name, `start_index` where the chunk begins,
    in characters.

    Raises OutputError where langchain-core is not installed.
    """
    require("langchain_core", "langchain-core")
    from langchain_core.documents import Document

    return [
        Document(
            id=chunk["id"],
            page_content=chunk["text"],
            metadata={"source": chunk["document"], "start_index": chunk["start"], **_others(chunk)},
        )
        for chunk in chunks
    ]


def llama_index_nodes(chunks: Iterable[WrittenChunk]) -> list[TextNode]:
    """LlamaIndex's nodes, linked with those before and after and with the document.

    A node's id is the chunk's `uuid`, which every vector store takes; its offsets are those of the
    chunk's body, in characters. No metadata is put before the text that is embedded or given to a
    model: that is the chunk's text, as it was counted.

    Raises OutputError where llama-index-core is not installed.
    """
    require("llama_index.core", "llama-index-core")
    from llama_index.core.schema import NodeRelationship, RelatedNodeInfo, TextNode

    kept = list(chunks)
    uuids = {chunk["id"]: chunk["uuid"] for chunk in kept}
    nodes = []
    for chunk in kept:
        metadata = {"file_name": chunk["document"], **_others(chunk)}
        related = {
            NodeRelationship.SOURCE: chunk["document"],
            NodeRelationship.PREVIOUS: uuids.get(chunk["previous_id"] or ""),
            NodeRelationship.NEXT: uuids.get(chunk["next_id"] or ""),
        }
        node = TextNode(
            id_=chunk["uuid"],
            text=chunk["text"],
            start_char_idx=chunk["start"],
            end_char_idx=chunk["end"],
            metadata=metadata,
            excluded_embed_metadata_keys=list(metadata),
            excluded_llm_metadata_keys=list(metadata),
            relationships={kind: RelatedNodeInfo(node_id=node_id) for kind, node_id in related.items() if node_id},
        )
        nodes.append(node)
    return nodes


def haystack_documents(chunks: Iterable[WrittenChunk]) -> list[HaystackDocument]:
    """Haystack's documents; `source_id` is the document's name, `split_id` the chunk's number in
    it, from 0, `split_idx_start` where it begins, in characters.

    Raises OutputError where haystack-ai is not installed.
    """
    require("haystack", "haystack-ai")
    from haystack import Document

    return [
        Document(
            id=chunk["id"],
            content=chunk["text"],
            meta={
                "source_id": chunk["document"],
                "split_id": chunk["index"],
                "split_idx_start": chunk["start"],
                **_others(chunk),
            },
        )
        for chunk in chunks
    ]


def _others(chunk: WrittenChunk) -> dict[str, object]:
    """All keys of a chunk but its text, which is elsewhere."""
    return {key: value for key, value in chunk.items() if key not in ("type", "text")}


def require(module: str, package: str) -> None:
    """Raises OutputError, with the command that installs it, where a package is not installed."""
    if find_spec(module.partition(".")[0]) is None:
        raise OutputError(f"{package} is not installed; run pip install {package}")
