"""The choices of the Retrieve page: the question, how it is searched, how much is retrieved, what
is measured. No Streamlit.

The configs are those of Compare. Everything is in the link but the documents' text and the
questions that are marked.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, get_args

from chunking.models import PROVIDERS, RERANKERS
from chunking.retrieval import METRICS, MODES, MOST_NEIGHBOURS, Mode

Way = Literal["hybrid", "cosine", "bm25"]
WAYS: Mapping[Way, str] = {"hybrid": "Vectors + keywords", "cosine": "Vectors", "bm25": "Keywords"}
"""How passages are ranked, as the switch says it."""
Equal = Literal["chunks", "tokens"]
EQUALS: Mapping[Equal, str] = {"chunks": "same number of chunks", "tokens": "same token budget"}
"""What is the same for all configs that are compared."""
LOCAL = "local"
EMBEDDERS = (LOCAL, *PROVIDERS)
MOST_CHUNKS, MOST_TOKENS = 50, 100_000
LONGEST_QUESTION = 2_000
"""Characters."""


@dataclass(frozen=True, slots=True)
class Retrieving:
    """The choices of the Retrieve page."""

    question: str = ""
    way: Way = "hybrid"
    equal: Equal = "chunks"
    chunks: int = 5
    tokens: int = 1_000
    mode: Mode = "strict"
    metric: str = "recall"
    all_documents: bool = False
    neighbours: int = 0
    """How many chunks before and behind it a hit gives back too."""
    embedder: str = LOCAL
    model: str = ""
    merge: int = 0
    """Per cent of a section's chunks that must be hit so that the section is given back; 0 for
    never."""
    late: bool = False
    """Whether a chunk's vector is made of its tokens', read with the text around."""
    reranker: str = ""
    """Whose reranker ranks the first chunks anew; "" for none."""
    rerank_model: str = ""
    problem: str = ""
    """One line on what the link got wrong; the rest of it is followed."""

    @property
    def max_tokens(self) -> int | None:
        """What retrieval is held to; None where it is a number of chunks."""
        return self.tokens if self.equal == "tokens" else None

    @property
    def embeds(self) -> bool:
        return self.way != "bm25"

    @property
    def reads_late(self) -> bool:
        """Whether late chunking is wanted and there are vectors to make so."""
        return self.late and self.embeds

    @property
    def ranks_by(self) -> str:
        """All that changes a ranking of the same passages, as a key."""
        parts = (self.way, self.embedder, self.model, self.reads_late, self.reranker, self.rerank_model)
        return "/".join(map(str, parts))

    @property
    def gives_back(self) -> str:
        """All that changes what hits give back, as a key."""
        return f"{self.mode}/{self.neighbours}/{self.merge}"

    def asking(self, question: str) -> Retrieving:
        return replace(self, question=" ".join(question.split())[:LONGEST_QUESTION])


_USUAL = Retrieving()


def write_retrieving(retrieving: Retrieving) -> dict[str, str]:
    """What differs from a new session, as query parameters."""
    query = {
        "q": (retrieving.question, _USUAL.question),
        "search": (retrieving.way, _USUAL.way),
        "equal": (retrieving.equal, _USUAL.equal),
        "top": (str(retrieving.chunks), str(_USUAL.chunks)),
        "tokens": (str(retrieving.tokens), str(_USUAL.tokens)),
        "neighbours": (str(retrieving.neighbours), str(_USUAL.neighbours)),
        "mode": (retrieving.mode, _USUAL.mode),
        "metric": (retrieving.metric, _USUAL.metric),
        "over": ("all" if retrieving.all_documents else "", ""),
        "embedder": (retrieving.embedder, _USUAL.embedder),
        "model": (retrieving.model, _USUAL.model),
        "merge": (str(retrieving.merge), str(_USUAL.merge)),
        "late": ("on" if retrieving.late else "", ""),
        "reranker": (retrieving.reranker, _USUAL.reranker),
        "rerank-model": (retrieving.rerank_model, _USUAL.rerank_model),
    }
    return {name: value for name, (value, usual) in query.items() if value != usual}


def read_retrieving(query: Mapping[str, str]) -> Retrieving:
    """What a link to the page says; what cannot be read is left at its default and said."""
    problems: list[str] = []

    def choice(name: str, options: tuple[str, ...], usual: str) -> str:
        text = query.get(name, usual)
        if text in options:
            return text
        problems.append(f"{name}: {text[:40]!r} is not one of the choices; there are: {', '.join(options)}")
        return usual

    def number(name: str, most: int, usual: int, least: int = 1) -> int:
        text = query.get(name, str(usual))
        if text.isdecimal() and text.isascii() and len(text) < 9 and least <= int(text) <= most:
            return int(text)
        problems.append(f"{name}: {text[:20]!r} is not a number from {least} to {most:,}")
        return usual

    retrieving = Retrieving(
        way=_way(choice("search", tuple(WAYS), _USUAL.way)),
        equal="tokens" if choice("equal", get_args(Equal), _USUAL.equal) == "tokens" else "chunks",
        chunks=number("top", MOST_CHUNKS, _USUAL.chunks),
        tokens=number("tokens", MOST_TOKENS, _USUAL.tokens),
        neighbours=number("neighbours", MOST_NEIGHBOURS, _USUAL.neighbours, least=0),
        mode="published" if choice("mode", MODES, _USUAL.mode) == "published" else "strict",
        metric=choice("metric", tuple(METRICS), _USUAL.metric),
        all_documents=query.get("over") == "all",
        embedder=choice("embedder", EMBEDDERS, LOCAL),
        model=query.get("model", "")[:200],
        merge=number("merge", 100, _USUAL.merge, least=0),
        late=query.get("late") == "on",
        reranker=choice("reranker", ("", *RERANKERS), ""),
        rerank_model=query.get("rerank-model", "")[:200],
    ).asking(query.get("q", ""))
    return replace(retrieving, problem="; ".join(problems))


def _way(text: str) -> Way:
    return next(way for way in WAYS if way == text)
