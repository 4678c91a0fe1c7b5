"""What the links to Compare and Retrieve say of Inspect: its config and its baseline, so that a
reload has them too. No Streamlit.

`now.strategy=...` is the config, `now=b` says that it is that of row B; `was.strategy=...` and
`was=a` are the baseline. What a new session begins with is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from chunking import Config
from pages.ui.choices.comparing import LETTERS
from pages.ui.choices.links import BASELINE, Link, read_config

_NOW, _WAS = "now", BASELINE.removesuffix(".")
_NONE = {f"{BASELINE}strategy": "none"}


def write_inspected(now: Config, was: Config | None, rows: Sequence[Config], usual: Link) -> dict[str, str]:
    """Inspect's config and baseline as query parameters; `usual` is what a new session begins
    with."""
    query = {} if now == usual.config or not now.strategy.has_yaml else _written(_NOW, now, rows)
    if was is None:
        return query | _NONE
    as_usual = usual.baseline is not None and was == replace(usual.baseline, loader=now.loader)
    return query if as_usual or not was.strategy.has_yaml else query | _written(_WAS, was, rows)


def with_inspected(link: Link, query: Mapping[str, str]) -> Link:
    """A link to one of these pages with what it says of Inspect."""
    problems, faults, of_baseline = list[str](), dict[str, str](), list[str]()
    config = read_config(_part(query, _NOW), "", problems, faults)
    if config is not None or problems:
        said = "; ".join([*filter(None, [link.problem]), *problems])
        link = replace(link, config=config or link.config, faults={**link.faults, **faults}, problem=said)
    if _WAS in query:
        link = replace(link, baseline=read_config(_part(query, _WAS), BASELINE, of_baseline))
    return link


def _written(name: str, config: Config, rows: Sequence[Config]) -> dict[str, str]:
    if config in rows:
        return {name: LETTERS[rows.index(config)].lower()}
    return {f"{name}.{setting}": text for setting, text in config.to_query().items()}


def _part(query: Mapping[str, str], name: str) -> dict[str, str]:
    """The parameters of a config: its own, or those of the row that it is."""
    row = query.get(name, "")
    prefix = f"{row}." if row.upper() in LETTERS else f"{name}."
    return {each.removeprefix(prefix): text for each, text in query.items() if each.startswith(prefix)}
