"""The splitters of other packages that are offered as presets, with their main settings and their
own defaults."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from chunking.core.strategy import Ordered, setting
from chunking.imported.functions import Splitter
from chunking.imported.peer import Count, Peer, version_of

Unit = Literal["characters", "tokens"]
_MOST = 1_000_000


def _unit(default: Unit) -> Any:
    return setting(default, title="Unit", help="tokens are those of the tokenizer that the config counts with.")


def _size(default: int, slider: tuple[int, int], *, step: int = 10, unit: str = "") -> Any:
    return setting(
        default,
        title="Chunk size",
        help="Higher makes larger chunks. How strictly it is kept is the package's affair.",
        unit=unit,
        unit_from="" if unit else "unit",
        ge=1,
        le=_MOST,
        slider=slider,
        step=step,
    )


def _overlap(default: int, highest: int, *, unit: str = "") -> Any:
    return setting(
        default,
        title="Overlap",
        help="Higher repeats more of the end of the chunk before.",
        unit=unit,
        unit_from="" if unit else "unit",
        ge=0,
        le=_MOST,
        slider=(0, highest),
        step=5,
    )


class LangChainRecursive(Peer):
    """RecursiveCharacterTextSplitter: at paragraphs, lines, words, as far as needed."""

    name: ClassVar[str] = "peer:langchain-recursive"
    title: ClassVar[str] = "LangChain recursive"
    summary: ClassVar[str] = "RecursiveCharacterTextSplitter of LangChain: at paragraphs, else lines, else words."
    package: ClassVar[str] = "langchain-text-splitters"
    module: ClassVar[str] = "langchain_text_splitters"
    ordered: ClassVar[tuple[Ordered, ...]] = (Ordered("chunk_overlap", "chunk_size"),)
    splitter_name: ClassVar[str] = "RecursiveCharacterTextSplitter"

    chunk_size: int = _size(4000, (100, 8000), step=50)
    chunk_overlap: int = _overlap(200, 1000)
    unit: Unit = _unit("characters")
    version: str = version_of("langchain-text-splitters")

    def splitter(self, module: Any, count: Count) -> Splitter:
        """With the start of each chunk as LangChain finds it."""
        made = getattr(module, self.splitter_name)(
            chunk_size=self.chunk_size,
            chunk_overlap=self.chunk_overlap,
            length_function=count if self.unit == "tokens" else len,
            add_start_index=True,
        )
        return lambda text: made.create_documents([text])


class LangChainMarkdown(LangChainRecursive):
    """MarkdownTextSplitter: at headings, fences and rules first."""

    name: ClassVar[str] = "peer:langchain-markdown"
    title: ClassVar[str] = "LangChain Markdown"
    summary: ClassVar[str] = (
        "MarkdownTextSplitter of LangChain: at headings, fences and rules, else as the recursive one."
    )
    splitter_name: ClassVar[str] = "MarkdownTextSplitter"


class LlamaIndexSentence(Peer):
    """SentenceSplitter: whole sentences up to a size."""

    name: ClassVar[str] = "peer:llama-index-sentence"
    title: ClassVar[str] = "LlamaIndex sentence"
    summary: ClassVar[str] = "SentenceSplitter of LlamaIndex: whole sentences up to a size in tokens."
    package: ClassVar[str] = "llama-index-core"
    module: ClassVar[str] = "llama_index.core"
    ordered: ClassVar[tuple[Ordered, ...]] = (Ordered("chunk_overlap", "chunk_size"),)

    chunk_size: int = _size(1024, (50, 2000), unit="tokens")
    chunk_overlap: int = _overlap(200, 500, unit="tokens")
    version: str = version_of("llama-index-core")

    def splitter(self, module: Any, count: Count) -> Splitter:
        """With the offsets that LlamaIndex gives its nodes."""
        made = module.node_parser.SentenceSplitter(
            chunk_size=self.chunk_size,
            chunk_overlap=self.chunk_overlap,
            tokenizer=lambda text: range(count(text)),
        )
        return lambda text: made.get_nodes_from_documents([module.Document(text=text)])


class LlamaIndexMarkdown(Peer):
    """MarkdownNodeParser: a chunk for each heading."""

    name: ClassVar[str] = "peer:llama-index-markdown"
    title: ClassVar[str] = "LlamaIndex Markdown"
    summary: ClassVar[str] = "MarkdownNodeParser of LlamaIndex: a chunk for each heading, however large."
    package: ClassVar[str] = "llama-index-core"
    module: ClassVar[str] = "llama_index.core"

    version: str = version_of("llama-index-core")

    def splitter(self, module: Any, count: Count) -> Splitter:  # noqa: ARG002
        """It has no size."""
        made = module.node_parser.MarkdownNodeParser()
        return lambda text: made.get_nodes_from_documents([module.Document(text=text)])


class ChonkieRecursive(Peer):
    """RecursiveChunker: at paragraphs, sentences, punctuation, words."""

    name: ClassVar[str] = "peer:chonkie-recursive"
    title: ClassVar[str] = "chonkie recursive"
    summary: ClassVar[str] = "RecursiveChunker of chonkie: at paragraphs, else sentences, punctuation, words."
    package: ClassVar[str] = "chonkie"
    module: ClassVar[str] = "chonkie"

    chunk_size: int = _size(2048, (50, 4000))
    min_characters: int = setting(
        24,
        title="Minimum characters",
        help="Higher joins more small pieces with what stands beside them.",
        unit="characters",
        ge=1,
        le=_MOST,
        slider=(1, 200),
    )
    unit: Unit = _unit("tokens")
    version: str = version_of("chonkie")

    def splitter(self, module: Any, count: Count) -> Splitter:
        """Its chunks have offsets."""
        made = module.RecursiveChunker(
            tokenizer=_counted_for_chonkie(module, count) if self.unit == "tokens" else "character",
            chunk_size=self.chunk_size,
            min_characters_per_chunk=self.min_characters,
        )
        return made.chunk  # type: ignore[no-any-return]


def _counted_for_chonkie(module: Any, count: Count) -> object:
    """A tokenizer as chonkie has them that only counts: a text without any separator, which chonkie
    would cut at tokens, is cut at as many characters."""
    parts = {"encode": lambda _, text: text, "decode_batch": lambda _, texts: list(texts)}
    return type("Counted", (module.tokenizer.CallableAutoTokenizer,), parts)(count)


class SemanticTextSplitter(Peer):
    """MarkdownSplitter or TextSplitter: the largest units of meaning that fit."""

    name: ClassVar[str] = "peer:semantic-text-splitter"
    title: ClassVar[str] = "semantic-text-splitter"
    summary: ClassVar[str] = (
        "The largest units of Markdown, or of plain text, that fit into a size (a library in Rust)."
    )
    package: ClassVar[str] = "semantic-text-splitter"
    module: ClassVar[str] = "semantic_text_splitter"
    ordered: ClassVar[tuple[Ordered, ...]] = (Ordered("chunk_overlap", "chunk_size", strictly=True),)

    chunk_size: int = _size(1000, (50, 4000))
    chunk_overlap: int = _overlap(0, 500)
    unit: Unit = _unit("characters")
    markdown: bool = setting(True, title="Markdown", help="On: reads Markdown. Off: sentences, words and lines only.")
    version: str = version_of("semantic-text-splitter")

    def splitter(self, module: Any, count: Count) -> Splitter:
        """With the offset of each chunk."""
        kind = module.MarkdownSplitter if self.markdown else module.TextSplitter
        if self.unit == "tokens":
            made = kind.from_callback(count, self.chunk_size, self.chunk_overlap)
        else:
            made = kind(self.chunk_size, self.chunk_overlap)
        return made.chunk_indices  # type: ignore[no-any-return]


class Semchunk(Peer):
    """chunkerify: at the most meaningful separator that is there."""

    name: ClassVar[str] = "peer:semchunk"
    title: ClassVar[str] = "semchunk"
    summary: ClassVar[str] = "semchunk: at the longest run of line breaks, tabs or spaces, else at punctuation."
    package: ClassVar[str] = "semchunk"
    module: ClassVar[str] = "semchunk"
    ordered: ClassVar[tuple[Ordered, ...]] = (Ordered("chunk_overlap", "chunk_size", strictly=True),)

    chunk_size: int = _size(512, (50, 2000))
    chunk_overlap: int = _overlap(0, 500)
    unit: Unit = _unit("tokens")
    version: str = version_of("semchunk")

    def splitter(self, module: Any, count: Count) -> Splitter:
        """Texts and their offsets in two lists; nothing of them is kept."""
        made = module.chunkerify(count if self.unit == "tokens" else len, self.chunk_size, memoize=False)
        return lambda text: made(text, offsets=True, overlap=self.chunk_overlap or None)


PEERS: tuple[type[Peer], ...] = (
    *(LangChainRecursive, LangChainMarkdown, LlamaIndexSentence, LlamaIndexMarkdown),
    *(ChonkieRecursive, SemanticTextSplitter, Semchunk),
)
"""All of them, as choices list them."""
