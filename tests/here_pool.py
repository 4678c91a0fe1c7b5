"""What embeds the chunks of a map in tests: at once, in this process, and without a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future

import numpy as np
import pytest

from pages.ui.background import map_jobs
from pages.ui.background.map_jobs import Vectors

asked: list[int] = []
"""How many texts were to be embedded, each time."""


class HerePool:
    """Does at once, and here, what a worker would do."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def submit(self, function: Callable[..., object], *arguments: object) -> Future[object]:
        done: Future[object] = Future()
        try:
            done.set_result(function(*arguments))
        except Exception as error:
            done.set_exception(error)
        return done

    def end(self) -> None:
        pass


def by_length(texts: Sequence[str]) -> Vectors:
    asked.append(len(texts))
    return np.array([[len(text), 1, text.count("a")] for text in texts], dtype=np.float32)


def embeds_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have maps made so."""
    asked.clear()
    monkeypatch.setattr(map_jobs, "WorkerPool", HerePool)
    monkeypatch.setattr(map_jobs, "embedded", by_length)
