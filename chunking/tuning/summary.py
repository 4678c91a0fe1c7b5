"""The summary of one config on some documents: the numbers by which a sweep and auto-tune compare
configs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
import numpy.typing as npt

from chunking.config.config import Config
from chunking.core.cut_blocks import blocks_cut
from chunking.document import Document
from chunking.gold.questions import Question, WholeMark
from chunking.retrieval.ir_metrics import Corpus, in_characters, precision_omega
from chunking.retrieval.passages import passages_of
from chunking.runs import Run
from chunking.runtime.text_memory import memory

_PLURAL = re.compile(r"\b(chunk|block|table|list|character|answer|span)s\b")
Invariant = Literal[
    "within-limits",
    "code-whole",
    "tables-whole",
    "lists-whole",
    "text-under-headings",
    "nothing-left-out",
    "answers-whole",
    "spans-whole",
]
INVARIANTS: dict[Invariant, str] = {
    "within-limits": "no chunk is over its maximum",
    "code-whole": "no code is cut",
    "tables-whole": "no table is cut",
    "lists-whole": "no list is cut",
    "text-under-headings": "no chunk is only headings",
    "nothing-left-out": "nothing visible is left out (but front matter)",
    "answers-whole": "no answer to a question is cut",
    "spans-whole": "no span marked to stay whole is cut",
}
"""Conditions that a config may have to meet, each with a phrase that is true where it does."""


@dataclass(frozen=True, slots=True)
class ConfigSummary:
    """The numbers of one config over the documents measured so far."""

    documents: int = 0
    """How many documents are included."""
    chunks: int = 0
    median_tokens: float = 0.0
    max_tokens: int = 0
    """Of the largest chunk, context included."""
    under_share: float | None = None
    """Share of chunks, 0 to 1, under the strategy's minimum; None where it has none, or there is no
    chunk."""
    over_share: float | None = None
    within_share: float | None = None
    """Share of chunks between both limits; None where there is neither."""
    over_limit: int = 0
    """Chunks over the strategy's maximum, flagged `unsplittable` or not."""
    blocks_cut: int = 0
    """Boundaries inside a table, code or a list."""
    cuts_inside_blocks: int = 0
    """Boundaries inside a block of whatever kind."""
    atomic_split: int = 0
    """Code, tables, lists, quotes, html and math that are not whole in one chunk."""
    code_cut: int = 0
    """Also code in lists and quotes, as `tables_cut`."""
    tables_cut: int = 0
    lists_cut: int = 0
    heading_only: int = 0
    left_out: int = 0
    """As `Metrics.left_out`."""
    duplicate_share: float = 0.0
    """Share of the tokens to embed, 0 to 1, that repeat text: context, overlap, closing, and whole
    chunks that equal an earlier one."""
    tokens_to_embed: int = 0
    answers_cut: int | None = None
    """Answers to the given questions that no chunk contains whole; None without questions about
    these documents."""
    spans_cut: int | None = None
    """Spans marked to stay whole that are cut; None without any in these documents."""
    precision_omega: float | None = None
    """Mean over those questions; see `retrieval/ir_metrics.py`."""
    faults: tuple[str, ...] = ()
    """Errors of documents that this config could not cut, one line each; these are not in the
    numbers."""

    def violation(self, invariant: Invariant) -> tuple[int, str]:
        """How often an invariant is violated, and what the count is of: `(3, "code blocks
        cut")`."""
        found: dict[Invariant, tuple[int, str]] = {
            "within-limits": (self.over_limit, "chunks over the maximum"),
            "code-whole": (self.code_cut, "code blocks cut"),
            "tables-whole": (self.tables_cut, "tables cut"),
            "lists-whole": (self.lists_cut, "lists cut"),
            "text-under-headings": (self.heading_only, "chunks of headings only"),
            "nothing-left-out": (self.left_out, "visible characters left out"),
            "answers-whole": (self.answers_cut or 0, "answers cut or left out"),
            "spans-whole": (self.spans_cut or 0, "spans to keep whole cut"),
        }
        return found[invariant]

    def violation_words(self, invariant: Invariant) -> str:
        """The same in words, `1 code block cut`; "" where it holds."""
        count, words = self.violation(invariant)
        if count == 1:
            words = _PLURAL.sub(r"\1", words, count=1)
        return f"{count:,} {words}" if count else ""

    @property
    def under_minimum(self) -> int:
        """Chunks under the strategy's minimum."""
        return round((self.under_share or 0.0) * self.chunks)

    @property
    def broken(self) -> tuple[Invariant, ...]:
        """The violated invariants, in their order."""
        return tuple(name for name in INVARIANTS if self.violation(name)[0])


@dataclass
class SummaryBuilder:
    """Builds a `ConfigSummary`: add a run of each document, then call `summary`. Mutable."""

    config: Config
    sizes: list[npt.NDArray[np.int64]] = field(default_factory=list)
    first_tokens: int = 0
    """Tokens of bodies that do not equal an earlier one."""
    under: int = 0
    over: int = 0
    blocks_cut: int = 0
    cuts_inside_blocks: int = 0
    atomic_split: int = 0
    code_cut: int = 0
    tables_cut: int = 0
    lists_cut: int = 0
    heading_only: int = 0
    left_out: int = 0
    answers_cut: int = 0
    spans: int = 0
    spans_cut: int = 0
    omegas: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def add(self, made: Run, questions: Sequence[Question] = (), whole: Sequence[WholeMark] = ()) -> None:
        """Add one document's run, with those of the questions and marks that are about it."""
        metrics, document, columns = made.metrics, made.document, made.columns
        self.sizes.append(columns.tokens)
        self.first_tokens += int(columns.body_tokens[columns.ordinal == 0].sum())
        self.under += metrics.under_minimum
        self.over += metrics.over_maximum
        self.blocks_cut += metrics.blocks_cut
        self.cuts_inside_blocks += metrics.cuts_inside_blocks
        self.atomic_split += metrics.atomic_split
        cut = Counter(kind for kind, _ in blocks_cut(made.torn_boundaries))
        self.code_cut += cut["code"]
        self.tables_cut += cut["table"]
        self.lists_cut += _lists_cut(document, columns.end)
        self.heading_only += metrics.heading_only
        self.left_out += metrics.left_out
        self._add_questions(made, [each for each in questions if each.document == document.name])
        self._add_whole_marks(made, [each for each in whole if each.document == document.name])

    def _add_questions(self, made: Run, questions: Sequence[Question]) -> None:
        if not questions:
            return
        corpus = Corpus(passages_of(made), [made.document])
        for question in questions:
            touching = [corpus.passages[at] for at in corpus.touching(question.document, question.answers)]
            self.answers_cut += len(corpus.cut_answers(question))
            self.omegas.append(precision_omega(question, touching, in_characters))

    def _add_whole_marks(self, made: Run, whole: Sequence[WholeMark]) -> None:
        if not whole:
            return
        stays_whole = Question("", made.document.name, tuple(each.span for each in whole))
        self.spans += len(whole)
        self.spans_cut += len(Corpus(passages_of(made), [made.document]).cut_answers(stays_whole))

    def summary(self) -> ConfigSummary:
        """The summary of all documents so far."""
        sizes = np.concatenate(self.sizes) if self.sizes else np.zeros(0, dtype=np.int64)
        count, total = len(sizes), int(sizes.sum())
        limits = self.config.strategy.limits()
        low, high = limits.minimum is not None, limits.maximum is not None
        return ConfigSummary(
            documents=len(self.sizes),
            chunks=count,
            median_tokens=float(np.median(sizes)) if count else 0.0,
            max_tokens=int(sizes.max()) if count else 0,
            under_share=self.under / count if count and low else None,
            over_share=self.over / count if count and high else None,
            within_share=(count - self.under - self.over) / count if count and (low or high) else None,
            over_limit=self.over,
            blocks_cut=self.blocks_cut,
            cuts_inside_blocks=self.cuts_inside_blocks,
            atomic_split=self.atomic_split,
            code_cut=self.code_cut,
            tables_cut=self.tables_cut,
            lists_cut=self.lists_cut,
            heading_only=self.heading_only,
            left_out=self.left_out,
            # Counts do not add up across a join: body and context apart may be a token more than
            # together.
            duplicate_share=max(0.0, 1 - self.first_tokens / total) if total else 0.0,
            tokens_to_embed=total,
            answers_cut=self.answers_cut if self.omegas else None,
            spans_cut=self.spans_cut if self.spans else None,
            precision_omega=float(np.mean(self.omegas)) if self.omegas else None,
            faults=tuple(self.faults),
        )


def _lists_cut(document: Document, cuts: npt.NDArray[np.int64]) -> int:
    """The number of lists with a cut strictly inside their content, also within code or a table in
    them; `cuts` ascend."""
    starts, ends = _edges_of_lists(document)
    after_start = np.searchsorted(cuts, starts, side="right")
    before_end = np.searchsorted(cuts, ends, side="left")
    return int((before_end > after_start).sum())


@memory.remembered(most=16, of=lambda document: (document.text,), key=lambda document: document)
def _edges_of_lists(document: Document) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    lists = [block for block in document.blocks if block.kind in ("list", "task-list")]
    return (
        np.array([block.span.start for block in lists], dtype=np.int64),
        np.array([block.content_end for block in lists], dtype=np.int64),
    )
