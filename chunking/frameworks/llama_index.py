"""A config as a node parser of LlamaIndex."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from llama_index.core.node_parser import NodeParser
from llama_index.core.schema import BaseNode, MetadataMode, NodeRelationship

from chunking.config.config import Config
from chunking.core.framework_objects import llama_index_nodes
from chunking.frameworks.cutting import Cutter, config_of


class ChunkscopeNodeParser(NodeParser):  # type: ignore[misc]  # its types are not read
    """Cuts as the YAML says, with the exact chunks of `chunkscope run`.

    A document's name is its metadata's `file_path` or `file_name`, else its id; overrides go by
    it. What it had as metadata stays; the chunk's own keys stand beside it, and none of them is put
    before the text.
    """

    config_yaml: str
    """The text of a YAML."""

    @classmethod
    def of(cls, config: Config | str | Path, **others: Any) -> ChunkscopeNodeParser:
        """`config` is a Config, the text of a YAML, or its path. Raises ConfigError."""
        return cls(config_yaml=config_of(config).to_yaml(), **others)

    @classmethod
    def class_name(cls) -> str:
        """What LlamaIndex names it in a saved pipeline."""
        return "ChunkscopeNodeParser"

    def _parse_nodes(self, nodes: Sequence[BaseNode], *_: Any, **__: Any) -> list[BaseNode]:
        cutter = Cutter(Config.from_yaml(self.config_yaml))
        made: list[BaseNode] = []
        for parent in nodes:
            given = parent.metadata
            name = str(given.get("file_path") or given.get("file_name") or parent.node_id)
            for node in llama_index_nodes(cutter.chunks_of(parent.get_content(MetadataMode.NONE), name)):
                node.metadata = {**node.metadata, **(given if self.include_metadata else {})}
                if not self.include_prev_next_rel:
                    node.relationships = {}
                node.relationships[NodeRelationship.SOURCE] = parent.source_node or parent.as_related_node_info()
                made.append(node)
        return made

    def _postprocess_parsed_nodes(self, nodes: list[BaseNode], _: dict[str, BaseNode]) -> list[BaseNode]:
        """Everything is there already: offsets are not searched for again."""
        return nodes
