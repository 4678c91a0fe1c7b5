"""What the Corpus page shows: overrides, and how its table is ordered and filtered. No
Streamlit."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from chunking import Config
from chunking.config import Override, overrides_from
from chunking.errors import ConfigError
from chunking.text import with_whole_characters
from pages.ui.choices.samples import Source

Order = Literal["document", "chunks", "median", "within", "torn", "over", "left_out", "checks", "override"]
Show = Literal["all", "torn", "over", "left_out", "repeats", "problem"]
Look = Literal["table", "map"]
LOOKS: dict[Look, str] = {"table": "Table", "map": "Map"}
"""How the documents are looked at, by its name in links: as rows, or as a map of their chunks."""
ORDERS: tuple[Order, ...] = get_args(Order)
SHOWS: tuple[Show, ...] = get_args(Show)
SAMPLE = 2_000_000
"""Characters that follow a drag; what a corpus has beyond them follows when it rests."""
_SAMPLED = 400
"""Documents that follow a drag at most."""
_LONGEST = 200
_LONGEST_OVERRIDES = 4000
CORPUS_LINKED = ("look", "order", "filter", "check", "path", "row", "overrides")
"""The parameters of the page's address that no strategy has."""


@dataclass(frozen=True, slots=True)
class CorpusChoices:
    """What was chosen on the page, besides the config."""

    overrides: tuple[Override, ...] = ()
    order: Order = "torn"
    descending: bool = True
    show: Show = "all"
    check: str = ""
    """The name of a health check: only documents that do not pass it are shown; "" for all."""
    path: str = ""
    """What the names of the documents shown have in them."""
    row: str = ""
    """The name of the document that was opened last."""
    problem: str = ""
    """What a link says wrongly."""
    look: Look = "table"

    def which(self, documents: Sequence[Source]) -> tuple[int, ...]:
        """For each document the number of its override, -1 without one."""
        return tuple(
            next((number for number, each in enumerate(self.overrides) if each.fits(document.name)), -1)
            for document in documents
        )


@dataclass(frozen=True, slots=True)
class Overridden:
    """A document that Inspect shows with an override's settings."""

    source: str
    """Its key."""
    corpus: Config
    """What the corpus is cut with, without overrides."""
    shown: Config
    pattern: str
    """That of the override."""

    def changed(self, overrides: Sequence[Override], now: Config) -> tuple[Override, ...]:
        """The overrides, this one with what documents are cut with now."""
        new = self.corpus.override_to(now, self.pattern)
        return tuple(new if each.pattern == self.pattern else each for each in overrides)


def with_overrides(config: Config, overrides: Sequence[Override]) -> tuple[Config, tuple[str, ...]]:
    """The config with these overrides, and why some do not hold for it, a line each: documents that
    one of them fits are then cut with the config itself."""
    holding, problems = list[Override](), list[str]()
    for each in overrides:
        try:
            config.with_override(each)
            holding.append(each)
        except ConfigError as error:
            holding.append(Override(each.pattern))
            problems.append(f"{each.pattern}: {error}")
    return replace(config, overrides=tuple(holding)), tuple(problems)


def write_corpus(choices: CorpusChoices) -> dict[str, str]:
    """The parameters of the page's address."""
    order = f"{'' if choices.descending else '-'}{choices.order}"
    query = {} if order == "torn" else {"order": order}
    query |= {
        name: text for name, text in (("check", choices.check), ("path", choices.path), ("row", choices.row)) if text
    }
    if choices.show != "all":
        query["filter"] = choices.show
    if choices.look != "table":
        query["look"] = choices.look
    return query | write_overrides(choices.overrides)


def write_overrides(overrides: Sequence[Override]) -> dict[str, str]:
    """The parameter of an address that says them; none without any."""
    said = {each.pattern: each.plain() for each in overrides}
    return {"overrides": json.dumps(said, separators=(",", ":"), ensure_ascii=False)} if said else {}


def read_corpus(query: Mapping[str, str]) -> CorpusChoices:
    """What the parameters say; what is not legal is left out, of overrides with a line on why."""
    order, show = query.get("order", "torn"), query.get("filter", "all")
    overrides, problem = _read_overrides(query.get("overrides", ""))
    return CorpusChoices(
        overrides,
        next((each for each in ORDERS if each == order.removeprefix("-")), "torn"),
        not order.startswith("-"),
        next((each for each in SHOWS if each == show), "all"),
        check_named(query.get("check", "")),
        query.get("path", "")[:_LONGEST],
        query.get("row", "")[:_LONGEST],
        problem,
        look_named(query.get("look")),
    )


def look_named(name: object) -> Look:
    """The look with this name; the table for any other."""
    return next((each for each in LOOKS if each == name), "table")


def check_named(name: object) -> str:
    """The name of a check as a link or the browser gives it; "" for what cannot be one."""
    return name if isinstance(name, str) and re.fullmatch(r"[a-z][a-z0-9-]{0,39}", name) else ""


def _read_overrides(text: str) -> tuple[tuple[Override, ...], str]:
    if not text:
        return (), ""
    try:
        if len(text) > _LONGEST_OVERRIDES:
            raise ConfigError(f"overrides: {len(text):,} characters; a link has at most {_LONGEST_OVERRIDES:,}")
        said = json.loads(text)
        if with_whole_characters(json.dumps(said, ensure_ascii=False))[1]:
            raise ConfigError("overrides: holds half a character, which no file can hold; delete it")
        return overrides_from(said), ""
    except ConfigError as error:
        return (), str(error)
    except (ValueError, RecursionError):
        return (), "overrides: is not valid JSON"


def sample_of(documents: Sequence[Source]) -> tuple[int, ...]:
    """The numbers of the documents that follow a drag: all where they are few, else some of every
    kind of structure and every size."""
    sizes = [len(each.text) for each in documents]
    if sum(sizes) <= SAMPLE and len(sizes) <= _SAMPLED:
        return tuple(range(len(sizes)))
    order = sorted(range(len(sizes)), key=lambda row: (_structure(documents[row].text), sizes[row]))
    step = max(sum(sizes) / SAMPLE, len(sizes) / _SAMPLED)
    chosen, characters = list[int](), 0
    for at in range(int(len(order) / step)):
        row = order[int((at + 0.5) * step)]
        if characters + sizes[row] <= SAMPLE:
            chosen.append(row)
            characters += sizes[row]
    return tuple(sorted(chosen))


_LOOKED_AT = 20_000


def _structure(text: str) -> tuple[bool, bool, bool]:
    """Whether a text begins with headings, tables and code."""
    beginning = "\n" + text[:_LOOKED_AT]
    return "\n#" in beginning, "\n|" in beginning, "\n```" in beginning
