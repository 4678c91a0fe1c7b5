"""What one run in the app may take, and what is shown past it."""

from __future__ import annotations

import pytest

from chunking import Config, parse
from chunking.errors import ConfigError, RunLimitError
from chunking.runtime.run_limits import RunLimits
from pages.ui.layout import caches
from pages.ui.layout.limits import MEGABYTES, SECONDS, run_limits


def test_a_run_takes_sixty_seconds_and_two_gigabytes_unless_the_environment_says_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in (SECONDS, MEGABYTES):
        monkeypatch.delenv(name, raising=False)
    assert run_limits() == RunLimits(60, 2048, SECONDS, MEGABYTES)

    monkeypatch.setenv(SECONDS, "5")
    monkeypatch.setenv(MEGABYTES, "0")
    assert run_limits() == RunLimits(5, None, SECONDS, MEGABYTES)

    monkeypatch.setenv(SECONDS, "soon")
    with pytest.raises(ConfigError, match=r"CHUNKSCOPE_RUN_SECONDS: 'soon' is not a whole number"):
        run_limits()


def test_a_run_past_the_limit_raises_and_the_next_one_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    large, small = parse("# A heading\n\nSome text below it.\n\n" * 40_000), parse("# Small\n\ntext\n")
    config = Config.of("every-heading", {})
    monkeypatch.setattr(caches, "run_limits", lambda: RunLimits(0.1, None, SECONDS, MEGABYTES))

    with pytest.raises(RunLimitError, match=r"stopped after 0\.1 s of work \(CHUNKSCOPE_RUN_SECONDS 0\.1\)"):
        caches.cut_live(large, config)
    assert caches.cut_live(small, config).chunks
