"""What the splitters have in common: a config from a YAML, and a text that is cut by it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from chunking.config.config import Config, read_yaml
from chunking.core.records import WrittenChunk
from chunking.document.parser import parse
from chunking.errors import ConfigError
from chunking.runs import run
from chunking.text.hashing import text_hash, uuid_of


def config_of(config: Config | str | Path) -> Config:
    """A config as it is, the text of a YAML, or a path of one (a `Path`, or a string of one line
    that ends in .yaml or .yml).

    Raises ConfigError, one line, and TypeError for anything else.
    """
    if isinstance(config, Config):
        return config
    if not isinstance(config, str | Path):
        raise TypeError(f"a config is a Config, the text of a YAML or its path, not {type(config).__name__}")
    if isinstance(config, Path) or ("\n" not in config and config.endswith((".yaml", ".yml"))):
        path = Path(config)
        try:
            text = path.read_bytes()
        except OSError as error:
            raise ConfigError(f"{path}: cannot be read ({error.strerror}); give the path of a YAML") from error
        return read_yaml(text, path.parent)[0]
    return Config.from_yaml(config)


class Cutter:
    """Cuts the texts of one call, each as `chunkscope run` cuts a file of that name.

    Loaders often make a document of every page, all with the file's name. So that no store takes
    two chunks for one, the id of a chunk that is there a second time is made from that id and its
    number.
    """

    def __init__(self, config: Config) -> None:
        self._config = config
        self._times: Counter[str] = Counter()

    def chunks_of(self, text: str, name: str) -> list[WrittenChunk]:
        """The chunks of a text."""
        chunks = run(parse(text, name), self._config).written()
        ids: dict[str | None, str | None] = {None: None}
        for chunk in chunks:
            times = self._times[chunk["id"]]
            ids[chunk["id"]] = text_hash(f"{chunk['id']}\0{times}") if times else chunk["id"]
            self._times[chunk["id"]] += 1
        for chunk in chunks:
            chunk["id"] = ids[chunk["id"]] or ""
            chunk["uuid"] = uuid_of(chunk["id"])
            chunk["previous_id"], chunk["next_id"] = ids[chunk["previous_id"]], ids[chunk["next_id"]]
        return chunks
