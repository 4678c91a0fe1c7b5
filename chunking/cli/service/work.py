"""What is done for a request with a config and documents, within the owner's limits: the JSON that
the command of the same name prints."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal, TypedDict, TypeVar

from chunking.analysis.comparison import compare
from chunking.analysis.health import health
from chunking.cli.compare import compared
from chunking.cli.folder_health import all_checked, checked
from chunking.cli.inspect import inspected
from chunking.cli.service.bodies import SearchBody
from chunking.cli.tune import CUTS, tuned
from chunking.config.config import Config, read_yaml
from chunking.core.records import records
from chunking.document import Document
from chunking.document.folders import FoundFile
from chunking.document.loading import read
from chunking.errors import ConfigError, DocumentError, GoldError
from chunking.explanation.explanation import explain
from chunking.export.formats import TEXT_FORMATS, to_bytes
from chunking.gold.questions import Gold, elsewhere_words, read_gold
from chunking.imported.peer import PREFIX
from chunking.models.requests import steps
from chunking.runs import run
from chunking.runtime.faults import document_fault
from chunking.runtime.run_limits import NO_LIMITS, RunLimits, within
from chunking.text.display import shown_text
from chunking.tokens.names import read_counter
from chunking.tuning.goal import Goal, Point, Tuning
from chunking.tuning.space import space_of
from chunking.tuning.summary import INVARIANTS
from chunking.tuning.tune import points

Result = TypeVar("Result")

_PIECE = 1024 * 1024
"""Characters that are sent at a time."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What the server's owner allows a request."""

    limits: RunLimits = NO_LIMITS
    """Of each document."""
    models: bool = False
    """Whether a config may ask servers of models, with this machine's keys."""

    def of(self, found: FoundFile, work: Callable[[Document], Result]) -> Result:
        """What work makes of a document. Raises DocumentError, also past a limit."""
        try:
            return within(self.limits, lambda: work(read(found)))
        except BaseException as error:
            raise document_fault(error, found.place) from None

    def of_each(
        self, found: Iterable[FoundFile], work: Callable[[Document], Result], left_out: list[str] | None
    ) -> Iterator[Result]:
        """The same for several. Raises DocumentError; where `left_out` is given, it takes what goes
        wrong."""
        for each in found:
            try:
                yield self.of(each, work)
            except DocumentError as error:
                if left_out is None:
                    raise
                left_out.append(str(error))


def config_of(given: str | Mapping[str, object], terms: Terms) -> Config:
    """The config that a request names or holds. Opens no file.

    Raises ConfigError, also for one that asks a server of models where the terms do not allow it.
    """
    try:
        config = _config(given)
    except ConfigError as error:
        raise ConfigError(f"config: {error}") from None
    _refuse_servers(config, terms)
    if config.loader.text_column:
        raise ConfigError("config: loader.textColumn: tables are not read here; send each row as a document")
    return config


def _refuse_servers(config: Config, terms: Terms) -> None:
    if terms.models:
        return
    for strategy in (config.strategy, *(config.with_override(each).strategy for each in config.overrides)):
        for step in steps(strategy):
            if not step.here:
                raise ConfigError(
                    f"config: {strategy.name} sends texts to {shown_text(step.provider)}, which is not allowed here; "
                    "the owner can, with --models"
                )


def _config(given: str | Mapping[str, object]) -> Config:
    if not isinstance(given, str):
        return read_yaml(json.dumps(given, ensure_ascii=False))[0]
    is_name = given.startswith(PREFIX) or ":" not in given
    return Config.of(given, {}) if is_name and "\n" not in given else read_yaml(given)[0]


def chunk_lines(config: Config, found: Sequence[FoundFile], terms: Terms, *, skips: bool) -> Iterator[bytes]:
    """The JSON lines of `run`, document by document; in the place of one that cannot be cut, why.
    Raises DocumentError where that is the only one."""
    for each in found:
        try:
            lines, missing = terms.of(each, partial(_lines, config, skips=skips))
        except DocumentError as error:
            if len(found) == 1:
                raise
            yield error_line(str(error), each.name)
            continue
        for start in range(0, len(lines), _PIECE):
            yield to_bytes(lines[start : start + _PIECE])
        if missing:
            yield error_line(missing, each.name)


def _lines(config: Config, document: Document, *, skips: bool) -> tuple[str, str]:
    """A document's lines; and that descriptions are missing, where they are."""
    made = run(document, config)
    piece = TEXT_FORMATS["jsonl"].piece
    lines = "".join(piece(each) for each in records(made.parts, made.document) if skips or each["type"] == "chunk")
    missing = f"{made.undescribed:,} of {len(made.chunks):,} chunks have no description; ask again"
    return lines, missing if made.undescribed else ""


class ErrorLine(TypedDict):
    """What a line says that is no part of a document."""

    type: Literal["error"]
    document: str | None
    """Null where all that would follow is missing."""
    error: str


def error_line(problem: str, document: str | None = None) -> bytes:
    """What stands in a stream of JSON lines in the place of a document, or of the rest."""
    line: ErrorLine = {"type": "error", "document": document, "error": shown_text(problem, 1000)}
    return to_bytes(json.dumps(line, ensure_ascii=False) + "\n")


def inspection(config: Config, found: FoundFile, terms: Terms, *, with_health: bool) -> object:
    """As `inspect --json`. Raises DocumentError."""

    def made(document: Document) -> object:
        result = run(document, config)
        return inspected(result, config, health(result) if with_health else None)

    return terms.of(found, made)


def explanation(config: Config, found: FoundFile, terms: Terms, *, line: int) -> object:
    """As `explain --json`. Raises DocumentError."""
    return terms.of(found, lambda document: explain(document, config, line=line).to_dict())


def health_of(config: Config, found: Iterable[FoundFile], terms: Terms, left_out: list[str] | None = None) -> object:
    """As `inspect --health --json` of several documents. Raises DocumentError; where `left_out` is
    given, it takes the reasons, and the other documents go on."""
    return all_checked(list(terms.of_each(found, lambda each: checked(run(each, config), config), left_out)))


def comparison(
    before: Config, after: Config, found: Iterable[FoundFile], terms: Terms, left_out: list[str] | None = None
) -> object:
    """As `compare --json`; `left_out` as above. Raises DocumentError."""
    made = terms.of_each(found, lambda each: compare(run(each, before), run(each, after)), left_out)
    return compared(list(made), before, after)


def tuning(
    asked: SearchBody, found: Iterable[FoundFile], questions: str, terms: Terms, left_out: list[str] | None = None
) -> object:
    """As `tune --json`; `questions` is the text of a file. The limits are of each document that is
    read, and of each config that is tried; once they have taken as long together, no other is
    tried. `left_out` as above, also of questions. Raises ChunkscopeError."""
    counter = read_counter(asked.counter)
    space = space_of(asked.strategies, counter)
    for options in space.options:
        _refuse_servers(options.config, terms)
    documents = list(terms.of_each(found, lambda each: each, left_out))
    if not documents:
        raise DocumentError("no document that can be read")
    space = space if asked.strategies else space.suited_to(documents)
    gold = _gold(questions, documents, left_out)
    must = {"nothing-left-out", *(CUTS[each] for each in asked.never_cut), *(("spans-whole",) if gold.whole else ())}
    goal = Goal(
        asked.goal,
        asked.max_chunks or None,
        asked.max_tokens or None,
        tuple(name for name in INVARIANTS if name in must),
    )
    made, began, stopped = list[Point](), time.thread_time(), ""
    for point in points(
        *(documents, goal, space),
        questions=gold.questions,
        whole=gold.whole,
        trials=asked.trials,
        limits=terms.limits,
        before=partial(_refuse_servers, terms=terms),
    ):
        made.append(point)
        if terms.limits.seconds and time.thread_time() - began > terms.limits.seconds:
            stopped = f"no other config was tried after {terms.limits.seconds:g} s ({terms.limits.seconds_setting})"
            break
    exhaustive = len(made) == space.possible if stopped else space.possible <= asked.trials
    said = tuned(Tuning(goal, tuple(made), space.possible, exhaustive), counter)
    return {**said, "stopped": stopped} if stopped and not exhaustive else said


def _gold(questions: str, documents: Sequence[Document], left_out: list[str] | None) -> Gold:
    """The questions and marks of a text. Raises GoldError; where `left_out` is given, it takes what
    cannot be placed."""
    if not questions:
        return Gold((), ())
    gold = read_gold(questions, documents, json_lines=questions.lstrip().startswith("{"), as_marks=True)
    problems = [*gold.problems, *([f"questions: {elsewhere_words(gold.elsewhere)}"] if gold.elsewhere else ())]
    if problems and left_out is None:
        raise GoldError(problems[0])
    if left_out is not None:
        left_out += problems
    return gold
