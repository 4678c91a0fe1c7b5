"""What the splitters have in common: a config from a YAML, and a text that is cut by it."""

from __future__ import annotations

from pathlib import Path

from chunking.config.config import Config, read_yaml
from chunking.core.records import WrittenChunk
from chunking.document.parser import parse
from chunking.errors import ConfigError
from chunking.runs import run


def config_of(config: Config | str | Path) -> Config:
    """A config as it is, the text of a YAML, or a path of one (a `Path`, or a string of one line
    that ends in .yaml or .yml).

    Raises ConfigError, one line.
    """
    if isinstance(config, Config):
        return config
    if isinstance(config, Path) or ("\n" not in config and config.endswith((".yaml", ".yml"))):
        path = Path(config)
        try:
            text = path.read_bytes()
        except OSError as error:
            raise ConfigError(f"{path}: cannot be read ({error.strerror}); give the path of a YAML") from error
        return read_yaml(text, path.parent)[0]
    return Config.from_yaml(config)


def chunks_of(text: str, name: str, config: Config) -> list[WrittenChunk]:
    """The chunks of a text, as `chunkscope run` writes those of a file of this name."""
    return run(parse(text, name), config).written()
