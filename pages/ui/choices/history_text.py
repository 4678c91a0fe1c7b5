"""A history as text, which a browser's tab keeps over a reload, and back. No Streamlit."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from chunking import Config
from chunking.config import loader_from
from chunking.errors import ConfigError
from pages.ui.choices.history import History, Setup
from pages.ui.choices.plans import Plan, plan_of

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
        **_plain_plan(setup.plan),
        "counter": setup.counter,
        "loader": setup.loader.plain(),
        "was": _plain_plan(setup.baseline) if setup.baseline else None,
        "was_counter": setup.baseline_counter,
    }


def _plain_plan(plan: Plan) -> dict[str, object]:
    return {"strategy": plan.strategy, "settings": plan.plain_settings()}


def _setups(kept: object) -> tuple[Setup, ...]:
    """Those that can be read: a step that was not legal is passed over."""
    found = [_setup(each) for each in kept[-_MOST_STEPS:]] if isinstance(kept, Sequence) else []
    return tuple(each for each in found if each is not None)


def _setup(kept: object) -> Setup | None:
    if not isinstance(kept, Mapping):
        return None
    counter, was, was_counter = kept.get("counter"), kept.get("was"), kept.get("was_counter", "")
    try:
        config, loader = _config(kept, counter), loader_from(kept.get("loader"))
        baseline = None if was is None else _config(was, was_counter)
    except ConfigError:
        return None
    return Setup(
        plan_of(config.strategy),
        config.counter if counter else "",
        loader,
        plan_of(baseline.strategy) if baseline else None,
        baseline.counter if baseline and was_counter else "",
    )


def _config(kept: object, counter: object) -> Config:
    strategy, settings = (kept.get("strategy"), kept.get("settings")) if isinstance(kept, Mapping) else (None, None)
    if not isinstance(strategy, str) or not isinstance(settings, Mapping) or not isinstance(counter, str):
        raise ConfigError("a step without a strategy, its settings or a tokenizer")
    return Config.of(strategy, settings, counter)
