"""THIN VERSION, being replaced: a strategy with its settings, and the counter."""

from __future__ import annotations

from dataclasses import dataclass

from chunking import strategies
from chunking.strategy import Strategy


@dataclass(frozen=True)
class Config:
    strategy: Strategy
    counter: str = ""

    def __post_init__(self) -> None:
        if not self.counter:
            object.__setattr__(self, "counter", self.strategy.default_counter)

    @classmethod
    def from_yaml(cls, text: str) -> Config:
        from ruamel.yaml import YAML

        data = YAML(typ="safe").load(text)
        strategy = strategies.get(data["strategy"]).model_validate(data.get("settings") or {})
        return cls(strategy, data.get("counter") or strategy.default_counter)
