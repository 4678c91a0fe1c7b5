"""A strategy with its settings, and the counter: to and from YAML and URL. Equal configs give equal
runs.

What checks settings (pydantic), and what reads and writes YAML, is imported when it is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from chunking import core
from chunking.config.overrides import Override, overrides_from
from chunking.config.values import MAX_CHARACTERS, MAX_WITH_PROOF, Value
from chunking.document import Document
from chunking.document.loader_settings import NO_LOADER, LoaderSettings
from chunking.errors import ConfigError, DocumentError, UnknownStrategyError
from chunking.runtime.argument_types import require_type
from chunking.text.decoding import decode
from chunking.text.display import shown, shown_ascii
from chunking.text.suggest import closest_name
from chunking.tokens import counter as counter_named
from chunking.tokens.names import read_counter, written_counter

FORMAT = 1
"""The `chunkscope:` line of the YAML: raised only when an older program would misunderstand a newer
file."""

PROOF_FORMAT = 2
"""The `format:` line of a proof: raised when the hashes of chunks are made of something else."""

_KEYS = ("chunkscope", "strategy", "settings", "counter", "loader", "overrides", "proof")


@dataclass(frozen=True, slots=True)
class DocumentProof:
    """What a run made of one document: hashes as `sha256:` and 64 hexadecimal digits."""

    source: str
    """Of the file's bytes; of a pasted text, its UTF-8."""
    chunks: str
    """The fingerprint: of the document's JSON lines with skips, wording left out
    (docs/formats/json-lines.md)."""
    descriptions: str = ""
    """Of what a model wrote, hashed apart; empty when no model wrote anything."""
    loader: str = ""
    """What converted the file, with its version; empty where the text is the file's own."""
    text: str = ""
    """Of the text that came of converting; empty where the text is the file's own."""


@dataclass(frozen=True, slots=True)
class Proof:
    """What a replay has to come to: written into the YAML by the app and by `run --proof`, checked
    by `verify`."""

    engine: str
    """Chunkscope's version."""
    counter: str = ""
    """Hash of the tokenizer's table; empty for a counter that has none."""
    documents: Mapping[str, DocumentProof] = field(default_factory=dict)
    format: int = PROOF_FORMAT
    """What the hashes of chunks are made of; 1 had the wording of reasons in them, and no `format`
    in the YAML."""


@dataclass(frozen=True)
class Config:
    """How to cut: a strategy, whose fields are the settings, what counts tokens, and which lines
    are read as headings."""

    strategy: core.Strategy
    counter: str = ""
    """A counter's name; the strategy's default when left out."""
    overrides: tuple[Override, ...] = ()
    """What is different for documents of some names; the first that fits holds."""
    loader: LoaderSettings = NO_LOADER
    """Which lines are headings, besides those of Markdown."""

    def __post_init__(self) -> None:
        if isinstance(self.strategy, str | type):
            raise TypeError("Config takes a strategy's object; by its name Config.of('fixed') makes one")
        if not self.counter:
            object.__setattr__(self, "counter", self.strategy.default_counter)

    @classmethod
    def from_yaml(cls, text: str | bytes) -> Config:
        """Read a config; a proof in it is passed over (`read_yaml` gives both). Raises ConfigError,
        one line.

        Opens no file: `counter: tokenizer.json:PATH` is refused here, see `read_yaml`.
        """
        require_type(text, (str, bytes), "a YAML is a text or its bytes")
        return read_yaml(text)[0]

    def to_yaml(self, proof: Proof | None = None, folder: Path | None = None) -> str:
        """The config with every setting spelled out. Equal configs and proofs give equal text.

        `folder` is where the YAML will lie, where that is not the current one: a tokenizer.json is
        named from there. Raises ConfigError where no YAML can say it: chunks that were made
        elsewhere.
        """
        if not self.strategy.has_yaml:
            raise ConfigError(f"{self.strategy.title.lower()} have no YAML; give their file or splitter again")
        from chunking.config import yaml_io  # ruamel, which a config made in a program does without
        from chunking.config.validation import plain_settings

        content: dict[str, Value] = {
            "chunkscope": FORMAT,
            "strategy": self.strategy.name,
            "settings": plain_settings(self.strategy),
            "counter": written_counter(self.counter, folder),
        }
        if self.loader:
            content["loader"] = self.loader.plain()
        if self.overrides:
            content["overrides"] = {
                each.pattern: replace(each, counter=written_counter(each.counter, folder)).plain()
                for each in self.overrides
            }
        text = yaml_io.write(content)
        if len(text) > MAX_CHARACTERS:
            raise ConfigError(f"the YAML would have {len(text)} characters and at most {MAX_CHARACTERS} are read")
        if proof is None:
            return text
        from chunking.config.proof_yaml import written_proof

        return text + written_proof(proof)

    @classmethod
    def of(
        cls, strategy: str, settings: Mapping[str, Value] | None = None, counter: str = "", folder: Path | None = None
    ) -> Config:
        """A config from plain values, as widgets and the command line have them, left out for the
        defaults; checked like a YAML in `folder`."""
        from chunking.config.validation import make_strategy

        return _checked(make_strategy(strategy, settings or {}), read_counter(counter, folder))

    @classmethod
    def from_function(cls, function: Callable[[str], Iterable[object]], counter: str = "") -> Config:
        """A config that cuts with a function of a text, or an object that splits one (LangChain,
        LlamaIndex, chonkie, semantic-text-splitter).

        It gives texts, (start, end) pairs in code points, or such a library's objects; where they
        are in the document is found, and `inspect` and `compare` take it. It has no YAML. Raises
        ConfigError for what splits no text.
        """
        from chunking.imported.functions import FunctionChunks, splitter_of
        from chunking.imported.strategy import MadeElsewhere

        called = getattr(function, "__qualname__", type(function).__name__)
        return _checked(MadeElsewhere.of(FunctionChunks(called, splitter_of(function, called))), counter)

    def with_settings(self, settings: Mapping[str, Value]) -> Config:
        """This config with some settings changed, by camelCase or snake_case name; the rest and the
        counter stay.

        A default counter stays the default of the strategy. A wrapped strategy's setting is named
        `base.minTokens`.
        """
        from chunking.config.url import with_settings

        strategy = with_settings(self.strategy, settings)
        counter = "" if self.counter == self.strategy.default_counter else self.counter
        return replace(self, strategy=strategy, counter=counter)

    def with_strategy(self, strategy: core.Strategy) -> Config:
        """This config with another strategy, for one document: without overrides."""
        return Config(strategy, self.counter, loader=self.loader)

    def read(self, document: Document) -> Document:
        """The document with the headings that this config, or what overrides it for its name, finds
        in it: what a run cuts."""
        return document.read_by(self.for_document(document.name).loader)

    def override_for(self, name: str) -> Override | None:
        """The override that holds for a document of this name; None without one."""
        return next((each for each in self.overrides if each.fits(name)), None)

    def for_document(self, name: str) -> Config:
        """What a document of this name is cut with: the config without overrides, and with the one
        that holds for it."""
        if not self.overrides:
            return self
        override = self.override_for(name)
        return self.with_strategy(self.strategy) if override is None else self.with_override(override)

    def with_override(self, override: Override) -> Config:
        """What the documents for which this override holds are cut with. Raises ConfigError."""
        counter = override.counter or self.counter
        loader = self.loader if override.loader is None else override.loader
        if override.strategy:
            return replace(Config.of(override.strategy, override.settings, counter), loader=loader)
        return Config(Config(self.strategy).with_settings(override.settings).strategy, counter, loader=loader)

    def override_to(self, other: Config, pattern: str) -> Override:
        """The override with which documents of this pattern are cut as by `other`."""
        from chunking.config.validation import plain_settings

        same = type(other.strategy) is type(self.strategy)
        without = plain_settings(self.strategy if same else type(other.strategy)())
        said = {name: value for name, value in plain_settings(other.strategy).items() if value != without[name]}
        return Override(
            pattern,
            said,
            strategy="" if same else other.strategy.name,
            counter="" if other.counter == self.counter else other.counter,
            loader=None if other.loader == self.loader else other.loader,
        )

    def to_query(self) -> dict[str, str]:
        """The parameters of a URL: the strategy, and what differs from its defaults."""
        from chunking.config.loader_part import loader_query
        from chunking.config.url import query_of

        query = query_of(self.strategy)
        if self.counter != self.strategy.default_counter:
            query["counter"] = self.counter
        if self.loader:
            query |= loader_query(self.loader)
        return query

    @classmethod
    def from_query(cls, query: Mapping[str, str], *, ignore: Collection[str] = ()) -> Config:
        """Read a URL's parameters, passing over those in `ignore` (a page's own). Raises
        ConfigError, one line."""
        from chunking.config.loader_part import PREFIX, loader_from_query
        from chunking.config.url import strategy_of

        ours = {key: text for key, text in query.items() if key not in ignore}
        strategy = strategy_of({key: text for key, text in ours.items() if not key.startswith(PREFIX)})
        config = _checked(strategy, read_counter(ours.get("counter", "")))
        return replace(config, loader=loader_from_query(ours))

    @staticmethod
    def json_schema() -> dict[str, object]:
        """The JSON Schema (draft 2020-12) of the whole YAML, every strategy's settings included,
        for editors."""
        from chunking.config.json_schema import schema

        return schema()


def read_yaml(text: str | bytes, folder: Path | None = None) -> tuple[Config, Proof | None]:
    """A YAML's config, and its proof when it has one. Bytes are UTF-8, or UTF-16 with its byte
    order mark.

    `folder` is that of the YAML, given where the YAML may name files: then `counter:
    tokenizer.json:PATH` is read from there. Left out, no file is opened; one that was offered
    (offered_files.py) is known by its hash or its file's name. Raises ConfigError,
    UnknownStrategyError, UnknownCounterError or SettingError, always one line.
    """
    if isinstance(text, bytes):
        text = _decoded(text)
    from chunking.config import yaml_io
    from chunking.config.loader_part import loader_from
    from chunking.config.proof_yaml import proof_from, without_documents
    from chunking.config.validation import make_strategy

    shorter, documents = without_documents(text)
    content = yaml_io.read(shorter)
    if not isinstance(content, Mapping):
        found = "is empty" if content is None else f"is {shown(content)}"
        raise ConfigError(f"the YAML {found}; write strategy: and a name, as in 'strategy: {_a_strategy()}'")
    _known_keys(content)
    _format(content)
    strategy, settings = content.get("strategy"), content.get("settings")
    if strategy is None:
        raise ConfigError(f"strategy is missing; write strategy: and a name, as in 'strategy: {_a_strategy()}'")
    if settings is not None and not isinstance(settings, Mapping):
        raise ConfigError(f"settings: {shown(settings)} is not a mapping; write name: value lines, indented")
    made = make_strategy(strategy, settings or {})
    if not made.has_yaml:  # known only where the app has offered it
        raise UnknownStrategyError(f"strategy: {made.name} is not read from a YAML; open the file of its chunks")
    proof = proof_from(content["proof"], documents) if "proof" in content else None
    counter = content.get("counter", "")
    if isinstance(counter, str):
        counter = read_counter(counter, folder, proof.counter if proof else "")
    config = replace(_checked(made, counter), loader=loader_from(content.get("loader")))
    return replace(config, overrides=tuple(_overrides(content.get("overrides"), config, folder))), proof


def _overrides(content: Value, config: Config, folder: Path | None) -> Iterator[Override]:
    for each in overrides_from(content):
        try:
            found = replace(each, counter=read_counter(each.counter, folder))
            counter_named(config.with_override(found).counter)
        except ConfigError as error:
            raise ConfigError(f"overrides.{shown_ascii(each.pattern)}: {error}") from error
        yield found


def _checked(strategy: core.Strategy, counter: Value) -> Config:
    """The config, once its counter is known to exist."""
    if not isinstance(counter, str):
        raise ConfigError(f"counter: {shown(counter)} is not a name; leave the line out for {strategy.default_counter}")
    config = Config(strategy, counter)
    counter_named(config.counter)
    return config


def _decoded(raw: bytes) -> str:
    if len(raw) > 4 * MAX_WITH_PROOF:
        raise ConfigError(f"the YAML has {len(raw)} bytes; at most {MAX_WITH_PROOF} characters are read")
    try:
        return decode(raw, "the YAML")
    except DocumentError as error:
        raise ConfigError(str(error)) from None


def _known_keys(content: Mapping[str, Value]) -> None:
    for key in content:
        if key in _KEYS:
            continue
        meant = closest_name(key, _KEYS)
        way_out = f"did you mean {meant}?" if meant else f"a config has {', '.join(_KEYS)}"
        if _is_setting(key):
            way_out = "settings are indented below settings:"
        raise ConfigError(f"unknown key {shown_ascii(key)}; {way_out}")


def _format(content: Mapping[str, Value]) -> None:
    """Refuse a later format. A file without the line is of the first."""
    version = content.get("chunkscope", FORMAT)
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise ConfigError(f"chunkscope: {shown(version)} is not a format version; write chunkscope: {FORMAT}")
    if version > FORMAT:
        raise ConfigError(
            f"chunkscope: {version} is a later format than {FORMAT}, the last known here; update Chunkscope"
        )


def _is_setting(key: str) -> bool:
    from chunking import strategies
    from chunking.config.setting_spec import setting_specs

    return any(key == each.label for name in strategies.names() for each in setting_specs(strategies.get(name)))


def _a_strategy() -> str:
    from chunking import strategies

    return strategies.names()[0]
