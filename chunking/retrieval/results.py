"""The results file: what an evaluation measured, on which data, with which configs and models, so
that it can be cited, and repeated.

Two runs of one command give the same bytes: there is no clock in it, no path but those of the
command, and nothing that a cache could change. Format: docs/formats/results.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from chunking.config.config import Config
from chunking.config.proof import table_hash
from chunking.document import Document
from chunking.errors import GoldError
from chunking.gold.questions import Gold
from chunking.models.embedders import CachedEmbedder
from chunking.models.local_embedder import MODEL_SHA256
from chunking.retrieval.evaluation import TOKENS_BY, Evaluation
from chunking.retrieval.passages import Passage
from chunking.retrieval.standings import Leaderboard, assumed_maximum_of, compared, recommendation
from chunking.retrieval.statistics import CONFIDENCE, FLIPS, SEED, interval
from chunking.runtime.version import engine_version
from chunking.text.display import counted, shown_text

FORMAT = 1
_DECIMALS = 6
_MOST_NUMBERS = 5
"""Numbers that differ, named one by one."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DocumentRecord(_Part):
    """A document that was measured on."""

    name: str
    text_sha256: str
    """Of its text in UTF-8, as it was cut."""
    characters: int


class QuestionsRecord(_Part):
    """The questions that were asked."""

    sha256: str
    """Of each question's text, document and answers' offsets, in order."""
    measured: int
    unreviewed: int = 0
    rejected: int = 0
    problems: int = 0
    """Of the file, which were reported and left out."""


class ModelRecord(_Part):
    """The embedder that searched."""

    name: str
    model_sha256: str | None
    """Of the file of the local model's weights; None for a server's model."""


class CounterRecord(_Part):
    """What counts tokens."""

    name: str
    table_sha256: str
    """Of the tokenizer's table; empty for a rule."""


class StatisticsRecord(_Part):
    """What the intervals are made with."""

    confidence: float
    seed: int
    """Of the random signs and weights (chunking/retrieval/statistics.py)."""
    sign_flips: int


class NumberRecord(_Part):
    """A mean over the questions, with its interval; a number alone where it is no such mean."""

    mean: float
    low: float | None = None
    high: float | None = None
    std: float | None = None


class ConfigRecord(_Part):
    """One config, and what it measured."""

    config: str
    """As the command names it."""
    yaml: str | None
    """The config itself; None for what has no YAML."""
    counter: CounterRecord | None
    chunks: int
    chunks_sha256: str
    """Of each chunk's document, offsets and text, in order."""
    answers_cut: int | None = None
    retrieved_tokens: float | None = None
    tokens_to_embed: int | None = None
    metrics: dict[str, NumberRecord]
    values: dict[str, tuple[float, ...]] = {}
    """By metric, the value of each question, in order: what the intervals follow from."""


class DifferenceRecord(_Part):
    """How much higher the second of two configs is."""

    before: str
    after: str
    metric: str
    mean: float
    low: float
    high: float
    verdict: str
    questions_needed: int | None


class PublishedRecord(_Part):
    """One row of a published table beside ours; in its unit."""

    method: str
    published: dict[str, NumberRecord]
    measured: dict[str, NumberRecord]


class BenchmarkRecord(_Part):
    """The published table that was measured again."""

    name: str
    title: str
    source: str
    unit: Literal["percent", "share"]
    decimals: int
    """Of the published figures, as printed."""
    rows: tuple[PublishedRecord, ...]


class Results(_Part):
    """Everything in a results file."""

    chunkscope_results: Literal[1] = 1
    command: str
    engine: str
    documents: tuple[DocumentRecord, ...]
    questions: QuestionsRecord | None
    protocol: dict[str, bool | str | int | float | None]
    counter: CounterRecord
    embedder: ModelRecord | None
    statistics: StatisticsRecord
    configs: tuple[ConfigRecord, ...]
    differences: tuple[DifferenceRecord, ...] = ()
    metric: str = ""
    """What ranks the configs; empty where they are not ranked."""
    recommended: str | None = None
    recommendation: str = ""
    benchmark: BenchmarkRecord | None = None

    def to_json(self) -> str:
        """The file's text, with a line end."""
        return json.dumps(self.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n"


def read_results(text: bytes, called: str) -> Results:
    """A results file. Raises GoldError, one line, for anything else."""
    try:
        return Results.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        said = f"{place}: {first['msg']}" if place else first["msg"]
        raise GoldError(
            f"{called}: is not a results file ({shown_text(said, 200)}); give one that --results wrote"
        ) from None


def documents_record(documents: Sequence[Document]) -> tuple[DocumentRecord, ...]:
    """The documents, by name."""
    return tuple(
        DocumentRecord(name=each.name, text_sha256=each.text_hash, characters=len(each.text))
        for each in sorted(documents, key=lambda document: document.name)
    )


def questions_record(gold: Gold) -> QuestionsRecord:
    """What was asked: its hash, and how much of it nobody has reviewed."""
    digest = sha256()
    for each in gold.questions:
        row = [each.text, each.document, [[span.start, span.end] for span in each.answers]]
        digest.update(json.dumps(row).encode() + b"\n")
    return QuestionsRecord(
        sha256=digest.hexdigest(),
        measured=len(gold.questions),
        unreviewed=sum(each.review == "draft" for each in gold.questions),
        rejected=gold.rejected,
        problems=len(gold.problems),
    )


def embedder_record(embed: CachedEmbedder | None) -> ModelRecord | None:
    """The model that searched, with the hash of its weights where it runs here."""
    if embed is None:
        return None
    return ModelRecord(name=embed.name, model_sha256=MODEL_SHA256 if embed.is_local else None)


def counter_record(name: str) -> CounterRecord:
    """A counter, with the hash of its table."""
    return CounterRecord(name=name, table_sha256=table_hash(name).removeprefix("sha256:"))


def statistics_record() -> StatisticsRecord:
    """What every interval is made with."""
    return StatisticsRecord(confidence=CONFIDENCE, seed=SEED, sign_flips=FLIPS)


def chunks_hash(passages: Sequence[Passage]) -> str:
    """The hash of some chunks: document, offsets and text of each, in order."""
    digest = sha256()
    for each in passages:
        row = [each.document, [[span.start, span.end] for span in each.given], each.text]
        digest.update(json.dumps(row).encode() + b"\n")
    return digest.hexdigest()


def config_record(
    name: str,
    config: Config | None,
    passages: Sequence[Passage],
    measured: Evaluation,
    every: Mapping[str, Evaluation],
) -> ConfigRecord:
    """One config's part. `every` are all that are compared, whose highest values the intervals of
    a metric may assume."""
    ours = config if config is not None and config.strategy.has_yaml else None
    return ConfigRecord(
        config=name,
        yaml=ours.to_yaml() if ours else None,
        counter=counter_record(ours.counter) if ours else None,
        chunks=measured.passages,
        chunks_sha256=chunks_hash(passages),
        answers_cut=measured.answers_cut,
        retrieved_tokens=round(measured.retrieved_tokens, 1),
        tokens_to_embed=measured.tokens,
        metrics={
            metric: number_record(values, assumed_maximum_of(every, metric))
            for metric, values in measured.values.items()
        },
        values={metric: tuple(map(rounded, values)) for metric, values in measured.values.items()},
    )


def number_record(values: Sequence[float], maximum: float = 1.0) -> NumberRecord:
    """The mean of the questions' values, with its interval."""
    of = interval(values, maximum)
    return NumberRecord(mean=rounded(of.mean), low=rounded(of.low), high=rounded(of.high), std=rounded(of.std))


def rounded(value: float) -> float:
    """A number as a results file has it."""
    return round(value, _DECIMALS) + 0.0  # no -0.0


def evaluation_results(
    found: Mapping[str, tuple[Config | None, Sequence[Passage], Evaluation]],
    board: Leaderboard,
    gold: Gold,
    documents: Sequence[Document],
    *,
    embed: CachedEmbedder | None,
    protocol: Mapping[str, bool | str | int | float | None],
    command: str,
) -> Results:
    """The results of `chunkscope evaluate`: configs by name, each with its chunks and what they
    measured."""
    every = {name: measured for name, (_, _, measured) in found.items()}
    metrics = dict.fromkeys(metric for each in every.values() for metric in each.values)
    return Results(
        command=command,
        engine=engine_version(),
        documents=documents_record(documents),
        questions=questions_record(gold),
        protocol=dict(protocol),
        counter=counter_record(TOKENS_BY),
        embedder=embedder_record(embed),
        statistics=statistics_record(),
        configs=tuple(config_record(name, *each, every) for name, each in found.items()),
        differences=tuple(
            DifferenceRecord(
                before=before,
                after=after,
                metric=metric,
                mean=rounded(lead.mean),
                low=rounded(lead.low),
                high=rounded(lead.high),
                verdict=lead.verdict,
                questions_needed=lead.questions_needed,
            )
            for metric in metrics
            for (before, after), lead in compared(every, metric).items()
        ),
        metric=board.metric,
        recommended=board.recommended.name if board.recommended else None,
        recommendation=recommendation(board),
    )


# ---- two files ----


def changes(before: Results, after: Results) -> list[str]:
    """What is another in the second of two results, one sentence each; nothing where everything
    that was measured is the same. The commands may differ: they name paths."""
    causes = [*_data_changes(before, after), *_method_changes(before, after)]
    return [*causes, *_number_changes(before, after)]


def _data_changes(before: Results, after: Results) -> Iterator[str]:
    old = {each.name: each for each in before.documents}
    new = {each.name: each for each in after.documents}
    for name in [*old, *(name for name in new if name not in old)]:
        shown = shown_text(name, 200)
        if name not in new:
            yield f"{shown}: is no longer among the documents"
        elif name not in old:
            yield f"{shown}: is new among the documents"
        elif old[name].text_sha256 != new[name].text_sha256:
            short = f"sha256 {old[name].text_sha256[:12]}, now {new[name].text_sha256[:12]}"
            yield f"{shown}: the document changed ({short}; {counted(new[name].characters, 'character')})"
    if before.questions != after.questions:
        was, now = (each.measured if each else 0 for each in (before.questions, after.questions))
        yield f"the questions are others: {was} were measured, {now} are now"


def _method_changes(before: Results, after: Results) -> Iterator[str]:
    for name in dict.fromkeys([*before.protocol, *after.protocol]):
        # An option that is not used is as one that its version did not have.
        was, now = before.protocol.get(name) or None, after.protocol.get(name) or None
        if was != now:
            yield f"{name.replace('_', ' ')} was {_said(was)}, and is {_said(now)} now"
    for what in ("counter", "embedder", "statistics", "metric"):
        if getattr(before, what) != getattr(after, what):
            yield f"the {what} is another one: {_said(getattr(before, what))}, now {_said(getattr(after, what))}"
    old, new = ({each.config: each for each in of.configs} for of in (before, after))
    for name in [*old, *(name for name in new if name not in old)]:
        shown = shown_text(name, 200)
        if name not in new or name not in old:
            yield f"{shown}: is {'no longer' if name in old else 'new'} among the configs"
        elif (old[name].yaml, old[name].counter) != (new[name].yaml, new[name].counter):
            yield f"{shown}: the config is another one"


def _said(value: object) -> str:
    plain = value.model_dump() if isinstance(value, BaseModel) else value
    return shown_text(json.dumps(plain, ensure_ascii=False), 300)


def _number_changes(before: Results, after: Results) -> Iterator[str]:
    """The numbers that differ, of the configs in both."""
    new = {each.config: each for each in after.configs}
    differing = []
    for was in before.configs:
        now = new.get(was.config)
        if now is None:
            continue
        shown = shown_text(was.config, 200)
        if was.chunks_sha256 != now.chunks_sha256:
            differing.append(f"{shown}: the chunks differ ({was.chunks:,}, now {now.chunks:,})")
        for metric in dict.fromkeys([*was.metrics, *now.metrics]):
            old, current = was.metrics.get(metric), now.metrics.get(metric)
            if old != current:
                values = " and ".join(f"{each.mean:.6f}" if each else "not measured" for each in (old, current))
                differing.append(f"{shown}: {metric} differs ({values})")
        if was.values != now.values and was.metrics == now.metrics:
            differing.append(f"{shown}: questions' values differ")
    yield from differing[:_MOST_NUMBERS]
    if len(differing) > _MOST_NUMBERS:
        yield f"and {len(differing) - _MOST_NUMBERS} more numbers differ"
    if differing and before.engine != after.engine:
        yield f"the first is of version {before.engine}, the second of {after.engine}"
    if before.benchmark != after.benchmark and not differing:
        yield "the rows beside the published table differ"
