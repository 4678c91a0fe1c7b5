"""The config that a command finds where none is named: `chunkscope run docs/` takes the nearest
`chunkscope.yaml`, or `[tool.chunkscope]` of a `pyproject.toml`, in this folder or above."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from typer.core import TyperCommand

from chunking import strategies
from chunking.cli.terminal import print_error
from chunking.document.names import is_url
from chunking.errors import ConfigError
from chunking.export.run_folder import MANIFEST
from chunking.imported.table_files import ENDINGS
from chunking.text.display import shown_text

NAMES = ("chunkscope.yaml", "pyproject.toml")
"""In a folder the first that has a config holds."""
_CONFIGS = (".yaml", ".yml", ".toml", *ENDINGS)
_DOCUMENTS = ("path", "paths")
"""Arguments behind CONFIG that name documents."""
_LARGEST = 1_000_000
"""Maximum of bytes read of a pyproject.toml."""


class FindsConfig(TyperCommand):
    """A command whose first argument is CONFIG: where documents stand there, the config is
    found."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        given = self.make_parser(ctx).parse_args(args=list(args))[0]
        first = given.get("config")
        alone = not any(given.get(each.name) for each in self.params if each.name in _DOCUMENTS)
        if isinstance(first, str) and alone and _is_missing(first):
            raise ConfigError(f"{shown_text(first, 200)}: there is no such file or folder")
        if isinstance(first, str) and _is_documents(first):
            or_else = ", or a folder that run -o wrote" if ctx.info_name == "verify" else ""
            args = [found_config(first, or_else), *args]
        return super().parse_args(ctx, args)


def found_config(given: str, or_else: str = "") -> str:
    """The path of the nearest config, from here; said on standard error. Raises ConfigError
    where there is none, with `given`, what was named in its place, and `or_else`, what else may
    stand there."""
    if path := config_in(Path.cwd()):
        from_here = os.path.relpath(path)
        print_error(f"config: {shown_text(from_here, 200)}")
        return from_here
    raise ConfigError(
        f"{shown_text(given, 200)} is not a config, and there is no {NAMES[0]} and no pyproject.toml with "
        f"[tool.chunkscope] here or above; name a config, such as heading-window, before it{or_else}"
    )


def config_in(folder: Path, top: Path | None = None) -> Path | None:
    """The nearest config of a folder or one above it, up to `top`; None where there is none."""
    for path in _nearest(folder, top):
        if path.name != "pyproject.toml" or _table(path) is not None:
            return path
    return None


def pyproject_config(where: str) -> bytes:
    """What `[tool.chunkscope]` of a pyproject.toml says, as YAML. Raises ConfigError."""
    table = _table(Path(where))
    if table is None:
        raise ConfigError("has no table [tool.chunkscope]")
    try:
        return json.dumps(table, ensure_ascii=False).encode()
    except (TypeError, ValueError) as error:
        raise ConfigError("[tool.chunkscope]: a date or a time is not a setting") from error


def _is_missing(first: str) -> bool:
    """Whether it is the path of something that is not there, and neither a name nor an address."""
    is_path = ":" not in first and ("." in first or os.sep in first)
    return is_path and not os.path.lexists(first)


def _is_documents(first: str) -> bool:
    if is_url(first):
        return True
    path = Path(first)
    if path.is_dir():
        return not strategies.is_name(first) and not (path / MANIFEST).exists()
    return path.is_file() and not path.name.lower().endswith(_CONFIGS)


def _nearest(folder: Path, top: Path | None) -> Iterator[Path]:
    here = folder.resolve()
    for above in (here, *here.parents):
        yield from (path for name in NAMES if (path := above / name).is_file())
        if top is not None and above == top.resolve():
            return


def _table(path: Path) -> Mapping[str, object] | None:
    try:
        with path.open("rb") as file:
            text = file.read(_LARGEST + 1)
        if len(text) > _LARGEST:
            raise ConfigError(f"{path.name}: has more than {_LARGEST:,} bytes; put the config into {NAMES[0]}")
        tools = tomllib.loads(text.decode()).get("tool", {})
    except OSError as error:
        raise ConfigError(f"{path.name}: cannot be read ({error.strerror})") from error
    except ValueError as error:
        raise ConfigError(f"{path.name}: is not valid TOML ({error})") from error
    table = tools.get("chunkscope") if isinstance(tools, dict) else None
    return table if isinstance(table, dict) else None
