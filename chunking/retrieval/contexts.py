"""A config against itself with a description in front of each chunk: contextual retrieval as one
switch.

Source: Anthropic (2024), Introducing Contextual Retrieval.
"""

from __future__ import annotations

from chunking.config.config import Config
from chunking.imported import Foreign


def in_context(config: Config, describer: str) -> Config | None:
    """The config with a description of each chunk in front of it, by the describer `PROVIDER` or
    `PROVIDER/MODEL`; None where it describes its chunks already. Raises ConfigError for a provider
    that there is none of."""
    if config.strategy.describes or isinstance(config.strategy, Foreign):
        return None
    provider, _, model = describer.partition("/")
    outer = Config.of("contextual", {"provider": provider, "model": model}).strategy
    values: dict[str, object] = {name: getattr(outer, name) for name in type(outer).model_fields}
    return config.with_strategy(type(outer).model_validate({**values, outer.describes: config.strategy}))
