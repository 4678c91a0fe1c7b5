"""A history as text, which a browser's tab keeps over a reload, and back. No Streamlit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from chunking import Config
from chunking.config import loader_from
from chunking.errors import ConfigError
from pages.ui.choices.history import History, Setup
from pages.ui.choices.plans import plan_of

_MOST_STEPS = 40
"""Steps in each direction that are kept."""
_LONGEST = 200_000
"""Characters that are read."""


def written(history: History) -> str:
    """The last steps in both directions as JSON, with the setup that they lead from as `now`."""
    return json.dumps(
        {
            "now": _plain(history.now) if history.now else None,
            "earlier": [_plain(each) for each in history.earlier[-_MOST_STEPS:]],
            "later": [_plain(each) for each in history.later[-_MOST_STEPS:]],
        }
    )


def read(text: str, now: Setup) -> History:
    """The history that leads to this setup; one without steps where the text is of another setup,
    or is damaged."""
    try:
        kept = json.loads(text[:_LONGEST])
    except (ValueError, RecursionError):
        kept = None
    if not isinstance(kept, Mapping) or _setup(kept.get("now")) != now:
        return History(now)
    return History(now, _setups(kept.get("earlier")), _setups(kept.get("later")))


def _plain(setup: Setup) -> dict[str, object]:
    return {
        "strategy": setup.plan.strategy,
        "settings": setup.plan.plain_settings(),
        "counter": setup.counter,
        "loader": setup.loader.plain(),
    }


def _setups(kept: object) -> tuple[Setup, ...]:
    """Those that can be read: a step that was not legal is passed over."""
    found = [_setup(each) for each in kept[-_MOST_STEPS:]] if isinstance(kept, Sequence) else []
    return tuple(each for each in found if each is not None)


def _setup(kept: object) -> Setup | None:
    if not isinstance(kept, Mapping):
        return None
    strategy, settings, counter = kept.get("strategy"), kept.get("settings"), kept.get("counter")
    if not isinstance(strategy, str) or not isinstance(settings, Mapping) or not isinstance(counter, str):
        return None
    try:
        config, loader = Config.of(strategy, settings, counter), loader_from(kept.get("loader"))
    except ConfigError:
        return None
    return Setup(plan_of(config.strategy), config.counter if counter else "", loader)
