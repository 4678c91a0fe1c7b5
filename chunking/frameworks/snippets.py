"""How a config that was exported is used in a program: a few lines for each framework."""

from __future__ import annotations

_PYTHON = """\
from pathlib import Path
from chunking import Config, load, run

config = Config.from_yaml(Path({config}).read_text(encoding="utf-8"))
chunks = run(load({document}), config)
print(chunks.to_dataframe())
"""
_LANGCHAIN = """\
# pip install langchain-core langchain-text-splitters
from pathlib import Path
from langchain_core.documents import Document
from chunking.frameworks.langchain import ChunkscopeTextSplitter

splitter = ChunkscopeTextSplitter(Path({config}))
text = Path({document}).read_text(encoding="utf-8")
documents = splitter.split_documents([Document(text, metadata={{"source": {document}}})])
print(len(documents))
"""
_LLAMA_INDEX = """\
# pip install llama-index-core
from pathlib import Path
from llama_index.core import Document
from chunking.frameworks.llama_index import ChunkscopeNodeParser

parser = ChunkscopeNodeParser.of(Path({config}))
text = Path({document}).read_text(encoding="utf-8")
nodes = parser.get_nodes_from_documents([Document(text=text, metadata={{"file_name": {document}}})])
print(len(nodes))
"""
_HAYSTACK = """\
# pip install haystack-ai
from pathlib import Path
from haystack import Document
from chunking.frameworks.haystack import ChunkscopeSplitter

splitter = ChunkscopeSplitter(Path({config}))
text = Path({document}).read_text(encoding="utf-8")
documents = splitter.run([Document(content=text, meta={{"file_name": {document}}})])["documents"]
print(len(documents))
"""
_SNIPPETS = {"Python": _PYTHON, "LangChain": _LANGCHAIN, "LlamaIndex": _LLAMA_INDEX, "Haystack": _HAYSTACK}
FRAMEWORKS = (*_SNIPPETS,)


def snippet(framework: str, config: str, document: str) -> str:
    """A program that cuts a document with a YAML, both given by their file names."""
    return _SNIPPETS[framework].format(config=repr(config), document=repr(document))
