"""What a config makes of some documents, in the numbers that configs are chosen by: for a sweep and
for auto-tune."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt

from chunking.config.config import Config
from chunking.document import Document
from chunking.gold.questions import Question, WholeMark
from chunking.retrieval.ir_metrics import Corpus, in_characters, precision_omega
from chunking.retrieval.passages import passages_of
from chunking.runs import Run

_PLURAL = re.compile(r"\b(chunk|block|table|character|answer|span)s\b")
Invariant = Literal[
    "within-limits",
    "code-whole",
    "tables-whole",
    "text-under-headings",
    "nothing-left-out",
    "answers-whole",
    "spans-whole",
]
INVARIANTS: dict[Invariant, str] = {
    "within-limits": "no chunk is over its hard limit",
    "code-whole": "no code is cut",
    "tables-whole": "no table is cut",
    "text-under-headings": "no chunk is only headings",
    "nothing-left-out": "nothing visible is left out (but front matter)",
    "answers-whole": "no answer to a question is cut",
    "spans-whole": "no span marked to stay whole is cut",
}
"""What may be asked of a config beside its numbers, each in words that are true where it holds."""


@dataclass(frozen=True, slots=True)
class Numbers:
    """What a config makes of the documents measured so far."""

    documents: int = 0
    """How many of the documents are in the numbers."""
    chunks: int = 0
    median_tokens: float = 0.0
    under_share: float | None = None
    """Share of chunks, 0 to 1, under the strategy's minimum; None where it has none, or there is no
    chunk."""
    over_share: float | None = None
    within_share: float | None = None
    """Share of chunks between both limits; None where there is neither."""
    over_limit: int = 0
    """Chunks over the strategy's hard limit, flagged `unsplittable` or not."""
    cuts_inside_blocks: int = 0
    atomic_split: int = 0
    """Code, tables, lists, quotes, html and math that are not whole in one chunk."""
    code_cut: int = 0
    tables_cut: int = 0
    heading_only: int = 0
    left_out: int = 0
    """Visible characters, but for front matter, that no chunk says, neither in its body nor in its
    context."""
    duplicate_share: float = 0.0
    """Share of the tokens to embed, 0 to 1, that say something again: context, overlap, closing,
    and whole chunks that repeat an earlier one."""
    tokens_to_embed: int = 0
    answers_cut: int | None = None
    """Answers, of the questions given, that no chunk says whole; None without questions about these
    documents."""
    spans_cut: int | None = None
    """Spans that were to stay whole and do not; None without any in these documents."""
    precision_omega: float | None = None
    """Mean over those questions; see retrieval/ir_metrics.py."""
    faults: tuple[str, ...] = ()
    """Why documents could not be cut by this config, one line each: they are in none of the
    numbers."""

    def against(self, invariant: Invariant) -> tuple[int, str]:
        """How often an invariant does not hold, and what of: `(3, "code blocks cut")`."""
        found: dict[Invariant, tuple[int, str]] = {
            "within-limits": (self.over_limit, "chunks over the hard limit"),
            "code-whole": (self.code_cut, "code blocks cut"),
            "tables-whole": (self.tables_cut, "tables cut"),
            "text-under-headings": (self.heading_only, "chunks of headings only"),
            "nothing-left-out": (self.left_out, "visible characters left out"),
            "answers-whole": (self.answers_cut or 0, "answers cut"),
            "spans-whole": (self.spans_cut or 0, "spans to keep whole cut"),
        }
        return found[invariant]

    def against_words(self, invariant: Invariant) -> str:
        """The same in words, `1 code block cut`; "" where it holds."""
        count, words = self.against(invariant)
        if count == 1:
            words = _PLURAL.sub(r"\1", words, count=1)
        return f"{count:,} {words}" if count else ""

    @property
    def broken(self) -> tuple[Invariant, ...]:
        """The invariants that do not hold, in their order."""
        return tuple(name for name in INVARIANTS if self.against(name)[0])


@dataclass
class Tally:
    """What one config has made of the documents so far. Add a run of each document, then ask for
    the numbers."""

    config: Config
    sizes: list[npt.NDArray[np.int64]] = field(default_factory=list)
    said_first: int = 0
    """Tokens of bodies that no earlier chunk has said word for word."""
    under: int = 0
    over: int = 0
    cuts_inside_blocks: int = 0
    atomic_split: int = 0
    code_cut: int = 0
    tables_cut: int = 0
    heading_only: int = 0
    left_out: int = 0
    answers_cut: int = 0
    spans: int = 0
    spans_cut: int = 0
    omegas: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def add(self, made: Run, questions: Sequence[Question] = (), whole: Sequence[WholeMark] = ()) -> None:
        """Count one document's chunks, and what they are worth to what is known about this
        document."""
        metrics, document = made.metrics, made.document
        self.sizes.append(np.array([chunk.tokens for chunk in made.chunks], dtype=np.int64))
        self.said_first += sum(chunk.body_tokens for chunk in made.chunks if not chunk.ordinal)
        self.under += metrics.under_minimum
        self.over += metrics.over_maximum
        self.cuts_inside_blocks += metrics.cuts_inside_blocks
        self.atomic_split += metrics.atomic_split
        ends = np.array([chunk.body.end for chunk in made.chunks], dtype=np.int64)
        self.code_cut += cut_of_kind(document, "code", ends)
        self.tables_cut += cut_of_kind(document, "table", ends)
        self.heading_only += metrics.heading_only
        skipped = metrics.skipped_characters.items()
        self.left_out += sum(count for rule, count in skipped if rule not in ("in-context", "front-matter"))
        self._ask(made, [each for each in questions if each.document == document.name])
        self._keep(made, [each for each in whole if each.document == document.name])

    def _ask(self, made: Run, questions: Sequence[Question]) -> None:
        if not questions:
            return
        corpus = Corpus(passages_of(made), [made.document])
        for question in questions:
            touching = [corpus.passages[at] for at in corpus.touching(question.document, question.answers)]
            self.answers_cut += len(corpus.cut_answers(question))
            self.omegas.append(precision_omega(question, touching, in_characters))

    def _keep(self, made: Run, whole: Sequence[WholeMark]) -> None:
        if not whole:
            return
        kept = Question("", made.document.name, tuple(each.span for each in whole))
        self.spans += len(whole)
        self.spans_cut += len(Corpus(passages_of(made), [made.document]).cut_answers(kept))

    def numbers(self) -> Numbers:
        """The numbers of all documents so far."""
        sizes = np.concatenate(self.sizes) if self.sizes else np.zeros(0, dtype=np.int64)
        count, total = len(sizes), int(sizes.sum())
        limits = self.config.strategy.limits()
        low, high = limits.minimum is not None, limits.maximum is not None
        return Numbers(
            documents=len(self.sizes),
            chunks=count,
            median_tokens=round(float(np.median(sizes)), 2) if count else 0.0,
            under_share=self.under / count if count and low else None,
            over_share=self.over / count if count and high else None,
            within_share=(count - self.under - self.over) / count if count and (low or high) else None,
            over_limit=self.over,
            cuts_inside_blocks=self.cuts_inside_blocks,
            atomic_split=self.atomic_split,
            code_cut=self.code_cut,
            tables_cut=self.tables_cut,
            heading_only=self.heading_only,
            left_out=self.left_out,
            # Counts do not add up across a join: body and context apart may be a token more than
            # together.
            duplicate_share=max(0.0, 1 - self.said_first / total) if total else 0.0,
            tokens_to_embed=total,
            answers_cut=self.answers_cut if self.omegas else None,
            spans_cut=self.spans_cut if self.spans else None,
            precision_omega=float(np.mean(self.omegas)) if self.omegas else None,
            faults=tuple(self.faults),
        )


def cut_of_kind(document: Document, kind: str, cuts: npt.NDArray[np.int64]) -> int:
    """Blocks of one kind with at least one of these cuts, which ascend, strictly inside their
    content."""
    starts, ends = _edges(document, kind)
    after_start = np.searchsorted(cuts, starts, side="right")
    before_end = np.searchsorted(cuts, ends, side="left")
    return int((before_end > after_start).sum())


@lru_cache(maxsize=32)
def _edges(document: Document, kind: str) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    chosen = [block for block in document.blocks if block.kind == kind]
    return (
        np.array([block.span.start for block in chosen], dtype=np.int64),
        np.array([block.content_end for block in chosen], dtype=np.int64),
    )
