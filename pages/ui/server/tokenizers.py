"""Tokenizers that are loaded before the server answers.

Loading one keeps the interpreter's lock for one or two tenths of a second, in a single call of
tiktoken: whoever chose it later would keep all others waiting.
"""

from __future__ import annotations

from chunking.tokens import counter
from pages.ui.server.visitors import beyond_loopback

_DEFAULT = "cl100k_base"
_OF_OTHERS = ("o200k_base",)
"""70 MB of memory: for one person at this machine it is loaded when it is chosen."""


def load_tokenizers() -> None:
    """Load the tokenizer of the default counter; where other people can reach the server, also the
    others that are in the package."""
    for name in (_DEFAULT, *(_OF_OTHERS if beyond_loopback() else ())):
        counter(name)("load")
