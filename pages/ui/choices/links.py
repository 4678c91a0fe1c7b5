"""A link that reproduces the view: the choices as query parameters, and back. No Streamlit.

The text of an upload or a paste is never among them: only its name, and the hash by which this
session's or its owner's text can be found. Where somebody asks for it, text_in_link.py has it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from chunking import Config
from chunking.errors import ConfigError, SettingError
from pages.ui.choices.corpus import CORPUS_LINKED
from pages.ui.choices.reading import Only, View, only_named, view_named
from pages.ui.choices.resolve import faults_in_link
from pages.ui.choices.tuning import LINKED

BASELINE = "was."
"""Prefix of the baseline's parameters."""
_PAGE = ("document", "name", "at", "view", "only", *LINKED, *CORPUS_LINKED)
_LONGEST_NAME = 200
"""Parameters of pages, which no strategy has."""
_MOST_PROBLEMS = 8


@dataclass(frozen=True, slots=True)
class Link:
    """What a link says. What it leaves out is as in a new session."""

    source: str = ""
    config: Config | None = None
    baseline: Config | None = None
    no_baseline: bool = False
    selected: int | None = None
    view: View = "source"
    only: Only = "all"
    name: str = ""
    """Of a document that is no sample, for whoever has to find it."""
    problem: str = ""
    """One line on what could not be read and is of no setting; the rest of the link is followed."""
    faults: Mapping[str, str] = field(default_factory=dict)
    """By the setting's name in Python, or "counter": what could not be taken, and what is shown
    instead."""
    baseline_problem: str = ""
    """One line on what could not be read of the baseline."""


def write_link(link: Link) -> dict[str, str]:
    """The link's query parameters."""
    query: dict[str, str] = {"document": link.source} if link.source else {}
    if link.name:
        query["name"] = link.name
    if link.config:
        query |= link.config.to_query()
    if link.baseline:
        query |= {f"{BASELINE}{name}": text for name, text in link.baseline.to_query().items()}
    if link.no_baseline:
        query[f"{BASELINE}strategy"] = "none"
    if link.selected is not None:
        query["at"] = str(link.selected)
    if link.view != "source":
        query["view"] = link.view
    if link.only != "all":
        query["only"] = link.only
    return query


def read_link(query: Mapping[str, str]) -> Link:
    """What the query parameters say. What is not ours or not legal is left out and said in
    `problem`."""
    problems, of_baseline, faults = list[str](), list[str](), dict[str, str]()
    now = {name: text for name, text in query.items() if name not in _PAGE and not name.startswith(BASELINE)}
    was = {name.removeprefix(BASELINE): text for name, text in query.items() if name.startswith(BASELINE)}
    no_baseline = was.get("strategy") == "none"
    at = query.get("at", "")
    return Link(
        source=query.get("document", ""),
        name=query.get("name", "")[:_LONGEST_NAME],
        config=read_config(now, "", problems, faults),
        baseline=None if no_baseline else read_config(was, BASELINE, of_baseline),
        no_baseline=no_baseline,
        selected=int(at) if at.isdecimal() and at.isascii() and len(at) < 12 else None,
        view=view_named(query.get("view")),
        only=only_named(query.get("only")),
        problem="; ".join(problems),
        faults=faults,
        baseline_problem="; ".join(of_baseline),
    )


def read_config(
    query: Mapping[str, str], prefix: str, problems: list[str], faults: dict[str, str] | None = None
) -> Config | None:
    """The config, without the parameters that it cannot take; None without a strategy or with an
    unknown one.

    What is wrong is added to `problems`; with `faults`, what is of one setting is said there
    instead.
    """
    wrongs: list[ConfigError] = []
    config = _read(dict(query), wrongs)
    for wrong in wrongs:
        at_fields = faults_in_link(config, query, wrong) if config is not None and faults is not None else {}
        if faults is not None and at_fields:
            faults |= at_fields
            continue
        of_baseline = "baseline: " if prefix else ""
        problem = f"{prefix}{wrong}" if isinstance(wrong, SettingError) else f"{of_baseline}{wrong}"
        if problem not in problems:
            problems.append(problem)
    return config


def _read(left: dict[str, str], wrongs: list[ConfigError]) -> Config | None:
    """The config of what is legal; the rest is taken out of `left`, and why is added to
    `wrongs`."""
    if "strategy" not in left:
        return None
    for _ in range(_MOST_PROBLEMS):
        try:
            return Config.from_query(left)
        except SettingError as wrong:
            wrongs.append(wrong)
            # Two that contradict each other go together: "900 is more than maxTokens (100)".
            named = {wrong.setting.partition("[")[0], *re.findall(r"than (\w+) \(", wrong.problem)}
            settings = [name for name in left if name not in ("strategy", "counter")]
            dropped = [name for name in settings if named & {name, _camel(name)}]
            if not dropped:
                return _without_settings(left)
            for name in dropped:
                del left[name]
        except ConfigError as wrong:
            wrongs.append(wrong)
            if "counter" not in left:
                return None
            del left["counter"]
    return _without_settings(left)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def _without_settings(query: Mapping[str, str]) -> Config | None:
    try:
        return Config.from_query({"strategy": query["strategy"]})
    except ConfigError:
        return None
