"""Passages ranked for a question: by vectors, by words, or by both."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Literal

import numpy as np

from chunking.document import Document
from chunking.document.language import document_seems_other
from chunking.errors import GoldError
from chunking.export.store_search import fused, terms
from chunking.export.stored_chunks import Vectors, unit, valid
from chunking.models.embedders import CachedEmbedder
from chunking.models.late_chunking import LateEmbedder
from chunking.retrieval.passages import Passage
from chunking.text.languages import function_words
from chunking.tokens.embedder_windows import LostEnds, LostEndsPlace, lost_ends, text_sizes, window_named

Search = Literal["cosine", "bm25", "hybrid", "none"]
Rerank = Callable[[str, Sequence[str]], Sequence[float]]
"""How well each text answers the question, in order; higher is better (models/rerankers.py)."""
CANDIDATES = 50
"""Passages that a reranker is asked about for each question."""
_TIMED = 20
"""Questions by which the time of a search is measured."""
AT_A_TIME = 32
"""Texts that the local model embeds between two progress reports; one takes about 50 ms."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A passage that was found, with the scores that put it there."""

    at: int
    """The passage's number."""
    score: float
    """What it is ranked by: the cosine, the BM25 score, the fused reciprocal ranks, or the
    reranker's score."""
    cosine: float | None
    bm25: float | None
    reranked: float | None = None
    """The reranker's score, where it was asked about the passage."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """How many texts the model embedded for this search (`asked`), and how many had a cached
    vector (`remembered`)."""

    asked: int = 0
    remembered: int = 0


class Searcher:
    """A search over passages, which are embedded and indexed by their words once, for all
    questions."""

    embedded: Embedded
    """What embedding the passages took, equal texts counted once; questions are not included."""

    def __init__(
        self,
        passages: Sequence[Passage],
        search: Search,
        embed: CachedEmbedder | None = None,
        progress: Callable[[int, int], None] | None = None,
        *,
        vectors: Vectors | None = None,
        rerank: Rerank | None = None,
        candidates: int = CANDIDATES,
    ) -> None:
        """`embed` is needed for all but `bm25`; `progress` is called with the texts embedded and
        their number. `vectors` are those of the passages, of length 1, where they are made
        otherwise than from their texts (`late_vectors`). `rerank` scores the first `candidates` of
        each ranking anew; the others stay behind them as they were. Raises ModelError."""
        if search == "none" or (search != "bm25" and embed is None):
            raise GoldError(f"search {search}: there is nothing to rank passages by")
        self.search: Search = search
        self._embed = embed if search != "bm25" else None
        self._rerank, self._candidates = rerank, candidates
        texts = [valid(passage.text) for passage in passages]
        self._texts = texts
        self.embedded, self._vectors = Embedded(), vectors
        if self._embed and vectors is None:
            self.embedded = embed_missing(texts, self._embed, progress)
            self._vectors = self._unit(texts)
        self._words = _WordScores([passage.text for passage in passages]) if search != "cosine" else None

    def ranking(self, question: str) -> list[int]:
        """The numbers of the passages, best first; equal ones in the passages' order. With `bm25`,
        only those that share a word with the question.

        Raises ModelError.
        """
        scored, cosines, _ = self._scored(question)
        return self._ordered(question, scored, words_only=cosines is None)[0]

    def ranked(self, question: str, top: int) -> tuple[Ranked, ...]:
        """The first of the ranking, with their scores. Raises ModelError."""
        scored, cosines, words = self._scored(question)
        order, anew = self._ordered(question, scored, words_only=cosines is None)
        return tuple(
            Ranked(
                at,
                anew.get(at, float(scored[at])),
                None if cosines is None else float(cosines[at]),
                None if words is None else float(words[at]),
                anew.get(at),
            )
            for at in order[:top]
        )

    def _ordered(self, question: str, scored: Vectors, *, words_only: bool) -> tuple[list[int], dict[int, float]]:
        """The ranking, and the reranker's scores of those that it was asked about."""
        order = _order(scored, words_only=words_only)
        anew = self._reranked(question, order[: self._candidates])
        return [*anew, *order[len(anew) :]], anew

    def _reranked(self, question: str, candidates: Sequence[int]) -> dict[int, float]:
        """The reranker's scores by passage, the best first; of equal ones those that came first
        before. Empty without a reranker."""
        if self._rerank is None or not candidates:
            return {}
        scores = self._rerank(valid(question), [self._texts[at] for at in candidates])
        return dict(sorted(zip(candidates, scores, strict=True), key=lambda each: -each[1]))

    def telling_terms(self, question: str) -> frozenset[str]:
        """The passages' words (`terms`) that are the question's, or plain forms of them (create,
        created), and tell passages apart: no single letters of ASCII, no function words, and of
        five passages or more none that over half have. Empty where it is not searched by words."""
        return self._words.telling(question) if self._words is not None else frozenset()

    def embed_questions(self, questions: Sequence[str]) -> None:
        """Embed all questions in one batch, so that each later ranking finds its vector cached."""
        if self._embed:
            self._embed([valid(question) for question in questions])

    def seconds(self, question: str) -> float:
        """How long one search takes on this machine: with embedding the question where the model
        runs here (`embeds_here`), else with the vector that is there. Raises ModelError."""
        if self._embed is not None and not self.embeds_here:
            self._embed([valid(question)])  # a server's answer is remembered: its time is the network's
        began = time.perf_counter()
        if self._embed is not None and self.embeds_here:
            self._embed.embedder([valid(question)])
        self.ranking(question)
        return time.perf_counter() - began

    @property
    def embeds_here(self) -> bool:
        """Whether a model on this machine embeds the questions."""
        return self._embed is not None and not self._embed.sends

    def _scored(self, question: str) -> tuple[Vectors, Vectors | None, Vectors | None]:
        """The score that ranks the passages, their cosines, and their BM25 scores."""
        cosines: Vectors | None = None
        if self._vectors is not None and not len(self._vectors):
            cosines = np.zeros(0, dtype=np.float32)  # nothing to compare: the question need not be embedded
        elif self._vectors is not None:
            cosines = np.asarray(self._vectors @ self._unit([question])[0], dtype=np.float32)
        words = self._words.scores(question) if self._words is not None else None
        if cosines is not None and words is not None:
            return fused(cosines, words), cosines, words
        one = cosines if cosines is not None else words
        return (np.zeros(0, dtype=np.float32) if one is None else one), cosines, words

    def _unit(self, texts: Sequence[str]) -> Vectors:
        if self._embed is None or not texts:
            return np.zeros((len(texts), 1), dtype=np.float32)
        return unit(self._embed([valid(text) for text in texts]))


def search_time(searcher: Searcher, questions: Sequence[str]) -> float:
    """The median seconds of a search, over the first few questions; 0 without any. Raises
    ModelError."""
    return median([searcher.seconds(question) for question in questions[:_TIMED]] or [0.0])


def embed_missing(texts: Sequence[str], embed: CachedEmbedder, progress: Callable[[int, int], None] | None) -> Embedded:
    """Embed the texts that have no cached vector yet, in batches; `progress` is called for each.

    Raises ModelError; what was embedded until then stays cached.
    """
    different = list(dict.fromkeys(texts))
    missing = embed.unknown(different)
    known = len(different) - len(missing)
    # A server gets full batches: each request costs a round trip.
    step = min(embed.batch, AT_A_TIME) if not embed.sends else embed.batch
    for at in range(0, len(missing), step):
        if progress:
            progress(known + at, len(different))
        embed(missing[at : at + step])
    if progress and missing:
        progress(len(different), len(different))
    return Embedded(len(missing), known)


def late_vectors(
    passages: Sequence[Passage],
    documents: Sequence[Document],
    late: LateEmbedder,
    progress: Callable[[int, int], None] | None = None,
) -> Vectors:
    """The vectors of the passages by late chunking, of their places in the documents: context in
    front of a chunk's text is not in them. `progress` is called with the documents done and their
    number. Raises ModelError."""
    numbers: dict[str, list[int]] = {document.name: [] for document in documents}
    for number, passage in enumerate(passages):
        numbers[passage.document].append(number)
    rows: dict[int, Vectors] = {}
    for done, document in enumerate(documents, start=1):
        of_document = numbers[document.name]
        made, _ = late(valid(document.text), [passages[at].spans for at in of_document])
        rows.update(zip(of_document, made, strict=True))
        if progress:
            progress(done, len(documents))
    return np.stack([rows[number] for number in range(len(passages))])


def to_embed(passages: Sequence[Passage], embed: CachedEmbedder) -> tuple[str, ...]:
    """The different texts of these passages that have no cached vector yet."""
    return tuple(embed.unknown(list(dict.fromkeys(valid(passage.text) for passage in passages))))


def lost_in(passages: Sequence[Passage], documents: Sequence[Document], embedder_name: str) -> LostEnds | None:
    """The passages that are longer than this embedder reads; None where its limit is not known."""
    window = window_named(embedder_name)
    if window is None:
        return None
    known = {document.name: document for document in documents}
    places = [_place(passage, known.get(passage.document)) for passage in passages]
    return lost_ends(text_sizes([passage.text for passage in passages], window), window, places)


def _place(passage: Passage, document: Document | None) -> LostEndsPlace:
    """Where a passage stands; line 0 where it could not be placed."""
    if document is None or not passage.spans:
        return LostEndsPlace(passage.document, 0, 0)
    first, last = passage.spans[0].start, passage.spans[-1].end - 1
    return LostEndsPlace(passage.document, document.line_of(first), document.line_of(last))


def not_english(documents: Sequence[Document]) -> tuple[str, ...]:
    """The names of the documents that seem not to be English, which an English embedder serves
    badly."""
    return tuple(document.name for document in documents if document_seems_other(document.text))


def _order(scored: Vectors, *, words_only: bool) -> list[int]:
    order = np.argsort(-scored, kind="stable")
    ranked = order[scored[order] > 0] if words_only else order
    return [int(at) for at in ranked]


_ENOUGH = 5
"""Passages, from which on a word that most of them have tells nothing apart."""
_STEM = 4
"""Letters that a word has at least that others are forms of."""
_ENDING = re.compile(r"(?P<y>ie[sd])$|(?P<e>es|ed|ing)$|(?<!s)s$")


def _forms(word: str) -> set[str]:
    """A word and its plain English inflections (create: creates, created, creating), also where it
    is one of them itself."""
    roots = {word}
    if ending := _ENDING.search(word):
        root = word[: ending.start()]
        roots |= {f"{root}y", f"{root}ie"} if ending["y"] else {root, f"{root}e"} if ending["e"] else {root}
    return {word}.union(*(_inflected(root) for root in roots if len(root) >= _STEM))


def _inflected(root: str) -> set[str]:
    if root.endswith("y"):
        also = {f"{root[:-1]}ies", f"{root[:-1]}ied"}
    elif root.endswith(("s", "x", "z", "ch", "sh", "o")):
        also = {f"{root}es"}
    else:
        also = set()
    stem = root.removesuffix("e")
    plural = set() if root.endswith("s") else {f"{root}s"}
    return {root, f"{stem}ed", f"{stem}ing"} | plural | also


class _WordScores:
    """Lucene's BM25 (k1 1.5, b 0.75) over some texts."""

    def __init__(self, texts: Sequence[str]) -> None:
        import bm25s

        corpus = [terms(text) for text in texts]
        self._known = Counter(term for words in corpus for term in set(words))
        self._count = len(corpus)
        self._index = bm25s.BM25()
        if self._known:
            self._index.index(corpus, show_progress=False)

    def telling(self, question: str) -> frozenset[str]:
        most = self._count // 2 if self._count >= _ENOUGH else self._count
        asked = frozenset(terms(question))
        # A single letter, as of "How do I", is a variable in code.
        words = (term for term in asked - function_words(asked) if len(term) > 1 or not term.isascii())
        alike = [self._alike(word) for word in words]
        return frozenset(term for each in alike if all(self._known[term] <= most for term in each) for term in each)

    def _alike(self, word: str) -> list[str]:
        """The known words that are this one or plainly a form of it."""
        return [term for term in _forms(word) if term in self._known]

    def scores(self, question: str) -> Vectors:
        query = [term for term in terms(question) if term in self._known]
        if not query:
            return np.zeros(self._count, dtype=np.float32)
        found: Vectors = np.asarray(self._index.get_scores(query), dtype=np.float32)
        return found
