"""What a wheel carries and an editable install does not: hatchling would copy it there once, and it
would grow old."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class OnlyInAWheel(BuildHookInterface[Any]):
    """Puts pyproject.toml beside the app: by [tool.streamlit.component] in it Streamlit finds the
    components there.

    In a checkout it reads the file that is there, by way of chunkscope.py.
    """

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """`version` is "standard" or "editable"."""
        if version == "standard":
            build_data["force_include"]["pyproject.toml"] = "chunking/_app/pyproject.toml"
