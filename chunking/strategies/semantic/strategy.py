"""Groups of sentences that speak of the same: a new chunk where neighbouring sentences are less
alike than a threshold.

Source: semantic-contextual.md, SemanticChunker; DECISIONS sc-2, sc-3, sc-5, sc-6. The spec's tuning
table and both its troubleshooting tips are upside down: a higher threshold cuts more often.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from chunking.core.chunk import END, Boundary, Part, front_matter
from chunking.core.context import SplitContext
from chunking.core.estimates import Estimate
from chunking.core.strategy import Family, ModelRequest, Ordered, Strategy, announced_by, setting
from chunking.document import Document, Span
from chunking.document.language import document_seems_other
from chunking.document.sentences import sentences_in
from chunking.splitting.blank_edges import blank, blank_edges, is_blank
from chunking.splitting.document_cache import once_per_document
from chunking.strategies.semantic.similarity import neighbour_similarities, quantile
from chunking.tokens import counter

Provider = Literal["local", "openai", "gemini", "cohere", "voyage", "ollama", "compatible"]


@dataclass(frozen=True, slots=True)
class Curve:
    """How alike neighbouring sentences are along a document, to be drawn with the threshold on
    it."""

    sentences: tuple[Span, ...]
    """In order; together they tile the document without its front matter."""
    similarities: tuple[float, ...]
    """Number i compares what ends with sentence i with what begins with sentence i + 1: one fewer
    than sentences."""
    threshold: float
    """The similarity below which a cut is allowed. With `percentile`, what the percentile comes to
    in this document."""


class Semantic(Strategy):
    """Neighbouring sentences stay together while they are alike, within a minimum and a maximum of
    sentences."""

    name: ClassVar[str] = "semantic"
    title: ClassVar[str] = "Semantic similarity"
    summary: ClassVar[str] = (
        "Cuts where neighbouring sentences are less alike than a threshold, by their embeddings: "
        "for prose that changes its topic without headings."
    )
    family: ClassVar[Family] = "meaning"
    rules: ClassVar[dict[str, str]] = {
        "similarity": "the next sentence is less alike than the threshold",
        "max-sentences": "the chunk has the most sentences it may have",
    }
    ordered: ClassVar[tuple[Ordered, ...]] = (Ordered("min_chunk_sentences", "max_chunk_sentences"),)

    similarity_threshold: float = setting(
        0.75,
        title="Similarity threshold",
        help="Higher cuts more often. Neighbouring sentences must be more alike to stay together. "
        "What a value means depends on the model, so look at the curve.",
        ge=0,
        le=1,
        slider=(0, 1),
        step=0.01,
    )
    threshold_kind: Literal["absolute", "percentile"] = setting(
        "absolute",
        title="Threshold is",
        help="absolute: a similarity, which means something else for each model. percentile: the share of places "
        "between sentences, the least alike first, at which a cut is allowed (0.1 is the least alike tenth).",
    )
    window: int = setting(
        1,
        title="Window",
        help="Higher compares the average of more sentences on each side, so that one odd sentence cuts less.",
        unit="sentences",
        ge=1,
        le=50,
        slider=(1, 10),
    )
    min_chunk_sentences: int = setting(
        1,
        title="Minimum sentences",
        help="Higher lets fewer chunks stay small. Below it, a chunk is not ended however unlike the next sentence is.",
        unit="sentences",
        ge=1,
        slider=(1, 20),
    )
    max_chunk_sentences: int = setting(
        50,
        title="Maximum sentences",
        help="Higher lets chunks grow longer. A chunk with this many sentences ends, however alike the next one is.",
        unit="sentences",
        ge=1,
        slider=(1, 200),
    )
    embedder: Provider = setting(
        "local",
        title="Embedder",
        help="Whose model compares the sentences. local runs here and sends nothing; for the others the document is "
        "sent to a server, with a key from the environment.",
    )
    model: str = setting(
        "",
        title="Model",
        help="The embedder's model; left empty, its default. Thresholds do not carry over from one model to another.",
    )

    def model_requests(self) -> tuple[ModelRequest, ...]:
        """Vectors of all sentences."""
        sends = "Each sentence of the document is sent once and compared"
        return (ModelRequest("embed", self.embedder, self.model, "embedder", sends),)

    def expected(self, request: ModelRequest, document: Document, tools: SplitContext) -> Estimate:  # noqa: ARG002
        """Each sentence that was not embedded before."""
        return estimate(document, self, tools)

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        """Yield the front matter as a skip, then one chunk for each group of sentences, in source
        order."""
        start = yield from front_matter(document)
        rest = Span(start, len(document.text))
        if is_blank(document, rest):
            yield from blank(rest.start, rest.end)
            return
        curve = similarities(document, self, tools)
        with tools.untraced():
            total = sum(1 for _ in self._groups(curve))
        for index, (first, last) in enumerate(self._groups(curve)):
            body = Span(curve.sentences[first].start, curve.sentences[last].end)
            holes = blank_edges(document, body)
            leading = holes[0].body.end if holes and holes[0].body.start == body.start else body.start
            section = document.section_at(leading)
            yield tools.seal(
                document,
                body,
                self._boundary(curve, first, last),
                breadcrumb=section.breadcrumb,
                holes=holes,
                metadata={
                    "chunker": self.name,
                    "chunk": index,
                    "total_chunks": total,
                    "similarity": curve.similarities[last] if last < len(curve.similarities) else None,
                    "anchor": section.anchor,
                },
            )

    def _groups(self, curve: Curve) -> Iterator[tuple[int, int]]:
        """The first and last sentence of each chunk.

        A chunk ends at the maximum, or below the threshold once it holds the minimum (DECISIONS
        sc-2).
        """
        first = 0
        for last, similarity in enumerate(curve.similarities):
            count = last + 1 - first
            full, enough = count >= self.max_chunk_sentences, count >= self.min_chunk_sentences
            unlike = similarity < curve.threshold  # equality keeps
            if full or (unlike and enough):
                yield first, last
                first = last + 1
        yield first, len(curve.sentences) - 1

    def _boundary(self, curve: Curve, first: int, last: int) -> Boundary:
        if last == len(curve.similarities):
            return END
        count = last + 1 - first
        return self._full(count) if count >= self.max_chunk_sentences else self._unlike(curve, last)

    def _full(self, count: int) -> Boundary:
        return Boundary(
            "max-sentences",
            f"the chunk has {count} sentences, as many as maxChunkSentences ({self.max_chunk_sentences}) allows",
            held=count,
            limit=self.max_chunk_sentences,
            settings=("max_chunk_sentences",),
        )

    def _unlike(self, curve: Curve, last: int) -> Boundary:
        similarity, threshold = curve.similarities[last], curve.threshold
        wanted = f"similarityThreshold ({self.similarity_threshold:g})"
        if self.threshold_kind == "percentile":
            wanted = f"{threshold:g}, which {wanted} as a percentile comes to in this document"
        return Boundary(
            "similarity",
            f"the next sentence is too different: its similarity is {similarity:g}, below {wanted}",
            held=similarity,
            limit=threshold,
            settings=("similarity_threshold",),
        )


NOT_ENGLISH = (
    "this text seems not to be English; the local embedder was trained on English, so its similarities are less "
    "reliable here: take another embedder, or another strategy"
)


def semantic_of(strategy: Strategy) -> Semantic | None:
    """The strategy that compares sentences, be it wrapped by another; None where none does."""
    return next((asking for asking, _ in announced_by(strategy) if isinstance(asking, Semantic)), None)


def similarities(document: Document, strategy: Semantic, tools: SplitContext) -> Curve:
    """The similarity curve of a document, with the strategy's threshold. One sentence makes no call
    of the embedder.

    What the embedder answered is remembered by content, so that this costs nothing after a run.
    Raises ModelError.
    """
    sentences = _sentences(document)
    alike: list[float] = []
    if strategy.embedder == "local" and document_seems_other(document.text):
        tools.warn(NOT_ENGLISH)
    if texts := _compared(document):
        alike = neighbour_similarities(tools.embed(texts, strategy.embedder, strategy.model), strategy.window)
    threshold = strategy.similarity_threshold
    if strategy.threshold_kind == "percentile" and alike:
        threshold = quantile(alike, threshold)
    return Curve(sentences, tuple(alike), threshold)


def estimate(document: Document, strategy: Semantic, tools: SplitContext) -> Estimate:
    """How many sentences would have to be embedded now, and their tokens. Nothing is asked.

    Raises ModelError when the embedder lacks a key or an address.
    """
    texts = dict.fromkeys(_compared(document))
    missing = tools.not_embedded(list(texts), strategy.embedder, strategy.model)
    count = counter("cl100k_base")
    return Estimate(len(missing), len(texts) - len(missing), sum(count(text) for text in missing), 0)


def _compared(document: Document) -> list[str]:
    """What the embedder is asked about; nothing where there is only one sentence."""
    sentences = _sentences(document)
    return [document[sentence].strip() for sentence in sentences] if len(sentences) > 1 else []


def _sentences(document: Document) -> tuple[Span, ...]:
    """The document's sentences without its front matter. Remembered: a threshold that moves finds
    them again."""
    return once_per_document(document, _found_sentences)


def _found_sentences(document: Document) -> tuple[Span, ...]:
    return tuple(sentences_in(document, Span(document.content_start, len(document.text))))
