"""One or two settings over ranges: what each combination makes of some documents, one cell after another.

    axes = (axis_of(config, "minTokens=100:500:50"), axis_of(config, "maxTokens=500:1000:100"))
    for cell in sweep(documents, config, axes): ...

Each text is parsed and tokenised once, whatever the number of cells. Whoever stops asking for cells cancels the rest.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import product

import numpy as np
import numpy.typing as npt

from chunking.config import Config
from chunking.config_url import value_of
from chunking.document import Document
from chunking.errors import ConfigError, SettingError
from chunking.gold import Question
from chunking.passages import passages_of
from chunking.retrieval import Corpus, in_characters, precision_omega
from chunking.runs import Run, run
from chunking.settings import declared
from chunking.showing import shown, shown_ascii, shown_text
from chunking.strategy import Strategy
from chunking.tokens import counter
from chunking.tools import Tools
from chunking.yaml_door import Value

MAX_AXES = 2
MAX_CELLS = 10_000

_NUMBER = r"-?\d{1,15}(?:\.\d{1,9})?"
_RANGE = re.compile(rf"({_NUMBER}):({_NUMBER}):({_NUMBER})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Axis:
    """A setting and the values it goes through."""

    setting: str
    """In camelCase, as in the YAML; of a wrapped strategy after a dot, as `base.minTokens`."""
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Cell:
    """One combination of values, and what the config with them makes of the documents measured so far."""

    at: tuple[int, ...]
    """Its place on each axis, from 0."""
    values: tuple[Value, ...]
    """One for each axis."""
    config: Config | None
    """None where the values are illegal together."""
    documents: int = 0
    """How many of the documents are in the numbers. With several, a cell comes again after each, better informed."""
    chunks: int = 0
    median_tokens: float = 0.0
    under_share: float | None = None
    """Share of chunks, 0 to 1, under the strategy's minimum; None where it has none, or there is no chunk."""
    over_share: float | None = None
    cuts_inside_blocks: int = 0
    atomic_split: int = 0
    """Code, tables, lists, quotes, html and math that are not whole in one chunk."""
    duplicate_share: float = 0.0
    """Share of the tokens to embed, 0 to 1, that say something again: context, overlap, closing, and whole chunks that
    repeat an earlier one."""
    tokens_to_embed: int = 0
    answers_cut: int | None = None
    """Answers, of the questions given, that no chunk says whole; None without questions about these documents."""
    precision_omega: float | None = None
    """Mean over those questions; see chunking/retrieval.py."""
    error: str = ""
    """Why there are no numbers: which value is illegal, and the way out."""


@dataclass
class _Tally:
    """What one config has made of the documents so far."""

    sizes: list[npt.NDArray[np.int64]] = field(default_factory=list)
    said_first: int = 0
    """Tokens of bodies that no earlier chunk has said word for word."""
    under: int = 0
    over: int = 0
    cuts_inside_blocks: int = 0
    atomic_split: int = 0
    answers_cut: int = 0
    omegas: list[float] = field(default_factory=list)

    def ask(self, made: Run, questions: Sequence[Question]) -> None:
        """Count what these chunks are worth to the questions about their document."""
        if not questions:
            return
        corpus = Corpus(passages_of(made), [made.document])
        for question in questions:
            touching = [corpus.passages[at] for at in corpus.touching(question.document, question.answers)]
            self.answers_cut += len(corpus.cut_answers(question))
            self.omegas.append(precision_omega(question, touching, in_characters))

    def add(self, made: Run) -> None:
        metrics = made.metrics
        self.sizes.append(np.array([chunk.tokens for chunk in made.chunks], dtype=np.int64))
        self.said_first += sum(chunk.body_tokens for chunk in made.chunks if not chunk.ordinal)
        self.under += metrics.under_minimum
        self.over += metrics.over_maximum
        self.cuts_inside_blocks += metrics.cuts_inside_blocks
        self.atomic_split += metrics.atomic_split

    def cell(self, at: tuple[int, ...], values: tuple[Value, ...], config: Config) -> Cell:
        sizes = np.concatenate(self.sizes)
        count, total = len(sizes), int(sizes.sum())
        limits = config.strategy.limits()
        return Cell(
            at,
            values,
            config,
            documents=len(self.sizes),
            chunks=count,
            median_tokens=round(float(np.median(sizes)), 2) if count else 0.0,
            under_share=self.under / count if count and limits.minimum is not None else None,
            over_share=self.over / count if count and limits.maximum is not None else None,
            cuts_inside_blocks=self.cuts_inside_blocks,
            atomic_split=self.atomic_split,
            # Counts do not add up across a join: body and context apart may be a token more than together.
            duplicate_share=max(0.0, 1 - self.said_first / total) if total else 0.0,
            tokens_to_embed=total,
            answers_cut=self.answers_cut if self.omegas else None,
            precision_omega=float(np.mean(self.omegas)) if self.omegas else None,
        )


def sweep(
    documents: Sequence[Document],
    config: Config,
    axes: Sequence[Axis],
    *,
    gold: Sequence[Question] = (),
    tools: Tools | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[Cell]:
    """Cut every document with every combination of values; the last axis moves fastest.

    Each cell comes once for each document, with the numbers of all documents so far: draw it in place of the one
    before. A cell whose values are illegal together comes once, with its error. `gold` holds questions with known
    answers. `tools` lends its counter and models. `progress` hears how many of the cuts are done. Raises SettingError
    for axes that no cell could be made of.
    """
    checked_axes(config, axes)
    lent = tools or Tools(counter(config.counter))
    places = list(product(*(range(len(axis.values)) for axis in axes)))
    legal: list[tuple[tuple[int, ...], tuple[Value, ...], Config, _Tally]] = []
    for at in places:
        values = tuple(axis.values[place] for axis, place in zip(axes, at, strict=True))
        changed = _config_or_error(config, axes, values)
        if isinstance(changed, Config):
            legal.append((at, values, changed, _Tally()))
        else:
            yield Cell(at, values, None, error=str(changed))
    done, total = 0, len(legal) * len(documents)
    # Documents outside, cells inside: the index of a document is needed for all of its cells, and then never again.
    for document in documents:
        asked = [question for question in gold if question.document == document.name]
        for at, values, changed, tally in legal:
            # Fresh numbering of repeats for each run; the same vectors, and each warning once.
            made = run(document, changed, lent.beneath())
            tally.add(made)
            tally.ask(made, asked)
            done += 1
            if progress:
                progress(done, total)
            yield tally.cell(at, values, changed)


def axis_of(config: Config, text: str) -> Axis:
    """The axis in `minTokens=100:500:50` (both ends included), `shortTail=skip,keep`, `h1Rule=true,false` or
    `exclude=[["a"], ["b"]]`, a JSON list of values. Raises ConfigError, one line."""
    setting, equals, values = text.partition("=")
    if not equals:
        raise ConfigError(f"--set: {shown_text(text)!r} has no =; write it as minTokens=100:500:50")
    alias = _alias(config, setting.strip())
    found = _values(config, alias, values.strip())
    if not found:
        raise SettingError(alias, "has no values; write them as 100:500:50 or as 100,200,300")
    return Axis(alias, found)


def checked_axes(config: Config, axes: Sequence[Axis]) -> None:
    """Raises SettingError for axes that no sweep can be made of: unknown settings, one twice, too many cells."""
    for axis in axes:
        _alias(config, axis.setting)
    settings = [axis.setting for axis in axes]
    if not 1 <= len(axes) <= MAX_AXES:
        raise SettingError(", ".join(settings) or "--set", f"{len(axes)} settings; sweep one or {MAX_AXES} of them")
    if len(set(settings)) < len(settings):
        raise SettingError(settings[0], "is swept twice; give all its values at once")
    cells = int(np.prod([len(axis.values) for axis in axes]))
    if cells > MAX_CELLS:
        raise SettingError(", ".join(settings), f"{cells} cells; at most {MAX_CELLS} are swept, so take larger steps")


def _config_or_error(config: Config, axes: Sequence[Axis], values: Sequence[Value]) -> Config | ConfigError:
    try:
        return config.with_settings({axis.setting: value for axis, value in zip(axes, values, strict=True)})
    except ConfigError as error:
        return error


def _values(config: Config, setting: str, text: str) -> tuple[Value, ...]:
    if ranged := _RANGE.fullmatch(text):
        return tuple(json.loads(each) for each in _steps(setting, *ranged.groups()))
    if text.startswith("["):
        return tuple(_json_list(setting, text))
    parts = [part.strip() for part in text.split(",")] if text else []
    return tuple(value_of(type(config.strategy), setting, part, config.strategy) for part in parts)


def _steps(setting: str, first: str, last: str, step: str) -> list[str]:
    """The numbers of a range as they would be written; reckoned in decimals, so that .7 is .7."""
    start, end, by = Decimal(first), Decimal(last), Decimal(step)
    if by <= 0 or end < start:
        raise SettingError(setting, f"{first}:{last}:{step} goes nowhere; write lower:upper:step with a step above 0")
    count = int((end - start) / by) + 1
    if count > MAX_CELLS:
        raise SettingError(setting, f"{count} values; at most {MAX_CELLS} are swept, so take a larger step")
    return [f"{start + number * by:f}" for number in range(count)]


def _json_list(setting: str, text: str) -> list[Value]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, list):
        raise SettingError(setting, f"{shown(text)} is no JSON list; write it as [value, value]")
    return read


def _alias(config: Config, setting: str) -> str:
    """The setting's name in camelCase. Raises SettingError, with the likely name, where the strategy has none such."""
    strategy: object = config.strategy
    found: list[str] = []
    for part in setting.split("."):
        if not isinstance(strategy, Strategy):
            raise SettingError(shown_ascii(setting), f"{shown_ascii('.'.join(found))} wraps no strategy")
        names = {known: (name, alias) for name, alias, _ in declared(type(strategy)) for known in (name, alias)}
        if part not in names:
            config.with_settings({setting: None})  # refuses it by name
            raise SettingError(shown_ascii(setting), f"{config.strategy.name} has no such setting")
        name, alias = names[part]
        found.append(alias)
        strategy = getattr(strategy, name)
    return ".".join(found)
