"""The configs that Compare sets side by side, as a value: what was chosen, what it comes to, the
link that says it.

No Streamlit. The first row is what the others are compared with. All rows are counted with one
counter (DECISIONS all-5), whatever counter each of them cuts with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from chunking import Config, strategies
from chunking.document import NO_LOADER, LoaderSettings
from chunking.errors import UnknownCounterError
from chunking.retrieval import in_context
from chunking.tokens import counter as counter_named
from chunking.tokens import read_counter
from pages.ui.choices.links import read_config
from pages.ui.choices.plans import Plan, SettingValues, plan_of
from pages.ui.choices.resolve import Resolution, resolve

LETTERS = ("A", "B", "C", "D")
"""The names of the rows on screen; in the link they are in lower case with a dot."""
FEWEST = 2
_NONE = "none"
_ALL = "all"
_LONGEST_KEY = 200
DEFAULT_COUNTER = "cl100k_base"
HIGHEST_PRICE = 1_000_000.0
KINDS = ("moved", "added", "removed", "kept")
"""What can become of a boundary, in the order of how much it says."""


@dataclass(frozen=True, slots=True)
class ConfigRow:
    """One config as it is being chosen; it may be illegal, and then the last good one is shown."""

    plan: Plan
    counter: str = ""
    """What it cuts with; "" for the strategy's own."""
    good: Config | None = None
    loader: LoaderSettings = NO_LOADER

    def resolution(self) -> Resolution:
        return resolve(self.plan, self.counter, self.good, self.loader)

    def with_values(self, values: SettingValues) -> ConfigRow:
        return replace(self, plan=self.plan.with_values(values), good=self.resolution().config)

    def with_counter(self, counter: str) -> ConfigRow:
        own = strategies.get(self.plan.strategy).default_counter
        return replace(self, counter="" if counter == own else counter, good=self.resolution().config)


def row_of(config: Config) -> ConfigRow:
    """The row that shows this config."""
    own = config.strategy.default_counter
    return ConfigRow(plan_of(config.strategy), "" if config.counter == own else config.counter, config, config.loader)


@dataclass(frozen=True, slots=True)
class Comparing:
    """The choices of the Compare page: the rows, their counter, and the price of a million
    tokens."""

    rows: tuple[ConfigRow, ...]
    counter: str = DEFAULT_COUNTER
    price: float = 0.0
    kinds: tuple[str, ...] = KINDS
    """The boundaries that the table lists."""
    against: str = ""
    """The letter of the row whose boundaries it lists against the first one's; "" for the second
    row."""
    all_documents: bool = False
    """Whether the configs are compared on all documents of the corpus in place of one."""
    version: str = ""
    """The key of the text that is the document before an edit; "" without one."""
    problem: str = ""
    """One line on what the link got wrong; the rest of it is followed."""

    def configs(self) -> tuple[Config, ...]:
        return tuple(row.resolution().config for row in self.rows)

    def with_row(self, number: int, row: ConfigRow) -> Comparing:
        return replace(self, rows=(*self.rows[:number], row, *self.rows[number + 1 :]))

    def place_for(self, config: Config) -> int | None:
        """The number of the row that this config belongs in: the last one of its strategy; without
        one a new row where there is room, else the last. None where a row is this config."""
        configs = self.configs()
        if config in configs:
            return None
        same = [number for number, each in enumerate(configs) if each.strategy.name == config.strategy.name]
        return same[-1] if same else min(len(configs), len(LETTERS) - 1)

    def with_config(self, config: Config) -> Comparing:
        """With this config in the row that it belongs in."""
        place = self.place_for(config)
        return self if place is None else self.with_row(place, row_of(config))

    def without(self, number: int) -> Comparing:
        """Without this row, as long as two are left."""
        if len(self.rows) <= FEWEST:
            return self
        rows = (*self.rows[:number], *self.rows[number + 1 :])
        at = LETTERS.index(self.against or LETTERS[1])
        at = 1 if at == number else at - (number < at)
        return replace(self, rows=rows, against=LETTERS[at] if at > 1 else "")

    @property
    def in_context(self) -> bool:
        """Whether a row is another one with a description in front of each chunk."""
        return len(self._plain()) < len(self.rows)

    def with_contexts(self) -> Comparing:
        """Each row also with a description in front of each chunk, by no model; as many as there
        is room for."""
        wrapped = (in_context(config, "summary") for config in self.configs())
        return replace(self, rows=(*self.rows, *(row_of(each) for each in wrapped if each))[: len(LETTERS)])

    def without_contexts(self) -> Comparing:
        rows = self._plain()
        at = LETTERS.index(self.against or LETTERS[1])
        return replace(self, rows=rows, against=self.against if at < len(rows) else "")

    def _plain(self) -> tuple[ConfigRow, ...]:
        """The rows that are not another row in context."""
        configs = self.configs()
        contexts = {repr(wrapped) for config in configs if (wrapped := in_context(config, "summary"))}
        return tuple(row for row, config in zip(self.rows, configs, strict=True) if repr(config) not in contexts)

    def with_another(self) -> Comparing:
        """One row more: the first strategy that is not there yet, with the first row's headings."""
        if len(self.rows) >= len(LETTERS):
            return self
        there = {row.plan.strategy for row in self.rows}
        name = next((name for name in strategies.names() if name not in there), self.rows[-1].plan.strategy)
        return replace(self, rows=(*self.rows, ConfigRow(Plan.begun(name), loader=self.rows[0].loader)))


def rows_of(configs: Sequence[Config]) -> tuple[ConfigRow, ...]:
    return tuple(row_of(config) for config in configs)


def write_rows(comparing: Comparing) -> dict[str, str]:
    """The comparison as query parameters: `a.strategy=...&b.strategy=...`."""
    query: dict[str, str] = {}
    for letter, config in zip(LETTERS, comparing.configs(), strict=False):
        query |= {f"{letter.lower()}.{name}": text for name, text in config.to_query().items()}
    if comparing.counter != DEFAULT_COUNTER:
        query["counted"] = comparing.counter
    if comparing.price:
        query["price"] = f"{comparing.price:g}"
    if comparing.kinds != KINDS:
        query["show"] = ",".join(comparing.kinds) or _NONE
    if comparing.all_documents:
        query["on"] = _ALL
    if comparing.version:
        query["version"] = comparing.version
    if comparing.against:
        query["pair"] = f"a{comparing.against.lower()}"
    return query


def read_rows(query: Mapping[str, str]) -> Comparing | None:
    """What a link to Compare says; None when it names fewer than two configs that can be read and
    nothing is wrong."""
    problems: list[str] = []
    configs: list[Config] = []
    for letter in LETTERS:
        prefix = f"{letter.lower()}."
        own = {name.removeprefix(prefix): text for name, text in query.items() if name.startswith(prefix)}
        config = read_config(own, prefix, problems)
        configs += [config] if config else []
    if not configs and not problems:
        return None
    for name in strategies.names():
        if len(configs) < FEWEST:
            configs.append(Config(strategies.get(name)()))
    return Comparing(
        rows=rows_of(configs),
        counter=_counter(query.get("counted", DEFAULT_COUNTER), problems),
        price=_price(query.get("price", "0"), problems),
        kinds=_kinds(query.get("show", ""), problems),
        against=_against(query.get("pair", ""), len(configs), problems),
        all_documents=query.get("on") == _ALL,
        version=query.get("version", "")[:_LONGEST_KEY],
        problem="; ".join(problems),
    )


def _counter(name: str, problems: list[str]) -> str:
    try:
        known = read_counter(name)  # a link opens no path
        counter_named(known)
    except UnknownCounterError as unknown:
        problems.append(f"counted: {unknown}")
        return DEFAULT_COUNTER
    return known


def _kinds(text: str, problems: list[str]) -> tuple[str, ...]:
    if not text:
        return KINDS
    named = [] if text == _NONE else text.split(",")
    if wrong := [name for name in named if name not in KINDS]:
        problems.append(f"show: {wrong[0][:20]!r} is not a kind of boundary; there are {', '.join(KINDS)} and {_NONE}")
    return tuple(kind for kind in KINDS if kind in named) or (() if text == _NONE else KINDS)


def _against(text: str, rows: int, problems: list[str]) -> str:
    pairs = {f"a{letter.lower()}": letter for letter in LETTERS[1:rows]}
    if text and text not in pairs:
        problems.append(f"pair: {text[:20]!r} is not a pair of these rows; there are {', '.join(pairs)}")
    letter = pairs.get(text, "")
    return "" if letter == LETTERS[1] else letter


def _price(text: str, problems: list[str]) -> float:
    try:
        price = float(text)
    except ValueError:
        price = -1.0
    if 0 <= price <= HIGHEST_PRICE:
        return price
    problems.append(f"price: {text[:20]!r} is not a price; write a number from 0 to {HIGHEST_PRICE:,.0f}")
    return 0.0
