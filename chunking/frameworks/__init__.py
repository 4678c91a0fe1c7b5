"""A config of ours as the splitter of another framework: LangChain, LlamaIndex, Haystack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.frameworks.snippets import FRAMEWORKS as FRAMEWORKS
    from chunking.frameworks.snippets import snippet as snippet
else:
    __getattr__, __all__ = front(__name__, snippets=("FRAMEWORKS", "snippet"))
