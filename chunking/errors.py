"""Every error we raise, as a tree on one page.

Each message is one line that names the thing, the value, the limit and the way out
(docs/formats/command-line.md). The command line prints it and exits with 2; the app shows it beside
the control it belongs to.
"""


class ChunkscopeError(Exception):
    """Anything that is wrong with what we were given. Never raised for a fault of our own."""


class ConfigError(ChunkscopeError):
    """A YAML, a URL or a settings object that is not a config of ours."""


class UnknownStrategyError(ConfigError):
    """A strategy name that no file and no entry point declares."""


class UnknownCounterError(ConfigError):
    """A counter name that is neither ours nor an encoding of tiktoken."""


class SettingError(ConfigError):
    """One setting of one strategy that is unknown, of the wrong type, out of range or against
    another."""

    def __init__(self, setting: str, problem: str) -> None:
        """`setting` in camelCase as on screen; `problem` says the value, the limit and the way
        out."""
        super().__init__(f"{setting}: {problem}")
        self.setting = setting
        self.problem = problem


class DocumentError(ChunkscopeError):
    """A document that cannot be read: missing, binary, wrongly encoded, too large."""


class GrammarError(ChunkscopeError):
    """A document in a programming language whose grammar is not installed."""


class StrategyError(ChunkscopeError):
    """A strategy broke a promise (its parts do not tile the document): a fault in that strategy's
    file."""


class ModelError(ChunkscopeError):
    """An embedder or describer that failed: missing, unreachable, refused, or answered nonsense."""


class ModelUnsetError(ModelError):
    """A model that nobody can ask here: its key or its address is not set, or it is not installed.
    Each document would say so."""


class RunLimitError(ChunkscopeError):
    """A run that was stopped: it went past the time or the memory that it was given."""


class OutputError(ChunkscopeError):
    """A file, a format or a stream that what was asked for cannot be written to."""


class StoreError(ChunkscopeError):
    """A store of embedded chunks that is missing, is not ours, or cannot be asked."""


class GoldError(ChunkscopeError):
    """Questions with their answers, or chunks of another tool, that cannot be read or measured."""


class ReaderGoneError(Exception):
    """Whoever read what we write has stopped, as `head` does. Not an error of anyone's."""
