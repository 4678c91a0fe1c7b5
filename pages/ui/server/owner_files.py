"""Small things that an owner's sessions share: one JSON file for each, in the owner's folder."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from chunking.errors import ConfigError
from chunking.runtime import opened_file, replacing

Json = Mapping[str, "Json"] | Sequence["Json"] | str | int | float | bool | None
_LARGEST = 4_000_000
"""Bytes of a file that is read."""


class OwnerFiles:
    """Values by name, in files in `folder`; in memory if it is None."""

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        self._in_memory: dict[str, str] = {}

    def read(self, name: str) -> Json:
        """The value; None where there is none. Raises ConfigError, one line, for a damaged file."""
        if self.folder is None:
            return json.loads(self._in_memory.get(name, "null"))  # type: ignore[no-any-return]
        file = self._file(self.folder, name)
        try:
            with opened_file(file) as opened:
                raw = opened.read(_LARGEST + 1)
            if len(raw) > _LARGEST:
                raise ConfigError(f"{file}: has more than {_LARGEST:,} bytes; move it away")
            return json.loads(raw)  # type: ignore[no-any-return]
        except FileNotFoundError:
            return None
        except OSError as error:
            raise ConfigError(f"{file}: cannot be read ({error.strerror})") from error
        except (ValueError, RecursionError) as error:
            raise ConfigError(f"{file}: is damaged (it is not JSON); move it away") from error

    def write(self, name: str, value: Json) -> None:
        """Replace the value. Raises ConfigError where the file cannot be written."""
        if self.folder is None:
            self._in_memory[name] = json.dumps(value)
            return
        file = self._file(self.folder, name)
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with replacing(file, private=True) as part:
                part.write(json.dumps(value, indent=1).encode())
        except OSError as error:
            raise ConfigError(f"{file}: cannot be written ({error.strerror})") from error

    def _file(self, folder: Path, name: str) -> Path:
        return folder / f"{name}.json"
