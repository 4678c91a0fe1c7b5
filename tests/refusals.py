"""The one line in which something is refused, for tests to compare with."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunking.config.config import read_yaml
from chunking.document.loading import load_bytes
from chunking.errors import ConfigError, DocumentError


def refused_upload(raw: bytes, name: str = "a.md") -> str:
    """The line for bytes that are no document."""
    with pytest.raises(DocumentError) as caught:
        load_bytes(raw, name)
    message = str(caught.value)
    assert message.isprintable()
    return message


def refused_yaml(text: str | bytes, folder: Path | None = None) -> str:
    """The line for a YAML that is no config."""
    with pytest.raises(ConfigError) as caught:
        read_yaml(text, folder)
    message = str(caught.value)
    assert "\n" not in message
    return message
