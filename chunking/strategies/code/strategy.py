"""Source code is cut at its functions, classes and statements, as their grammar says where they
are; in Markdown, code in fences is, and the rest at its blocks.

Neighbours share a chunk as far as they fit. What does not fit alone is cut at the statements in it,
a statement that does not fit at lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from chunking.core.chunk import BLANK, PASSED_OVER, Part, Skip, front_matter
from chunking.core.context import SplitContext
from chunking.core.strategy import Family, Limits, Strategy, setting
from chunking.document import Document
from chunking.document.source_files import SOURCE_EXTENSIONS, Language
from chunking.splitting.blank_edges import is_blank
from chunking.splitting.source_code.grammars import require_grammar
from chunking.strategies.code.cutting import WAY_OUT, Cutting


class Code(Strategy):
    """Definitions and statements packed up to a limit, under the signatures around them."""

    name: ClassVar[str] = "code"
    title: ClassVar[str] = "Code"
    summary: ClassVar[str] = "Cuts source code at functions, classes and statements: for repositories and API examples."
    family: ClassVar[Family] = "other"
    rules: ClassVar[dict[str, str]] = {
        "size-reached": "the next definition, statement or block would make the chunk exceed maxTokens",
        "level-end": "what follows is outside the definition or statement that was too large and was cut inside",
        "oversized": "one statement or block alone is over maxTokens and is cut at its lines or sentences",
    }

    file_types: ClassVar[tuple[str, ...]] = SOURCE_EXTENSIONS

    max_tokens: int = setting(
        512,
        title="Maximum",
        help="Higher packs more definitions into a chunk, and cuts fewer of them inside. Counts the whole text.",
        unit="tokens",
        ge=1,
        le=1_000_000,
        slider=(50, 2000),
        step=8,
    )
    include_signatures: bool = setting(
        True,
        title="Include signatures",
        help="On: a chunk from inside a definition begins with the first lines of the definitions around it.",
    )
    language: Literal["auto", Language] = setting(
        "auto",
        title="Language",
        help="auto: by the file name or the first line (#!), else Markdown. A language: every document is in that.",
        of_documents=True,
    )

    def limits(self) -> Limits:
        """maxTokens is hard for the whole text, signatures included."""
        return Limits(maximum=self.max_tokens, maximum_setting="max_tokens", counts="text")

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        """Yield the front matter and blank stretches as skips, the rest as chunks. Raises
        GrammarError."""
        start, index = (yield from front_matter(document)), 0
        language = document.language if self.language == "auto" else self.language
        if language:
            require_grammar(language, document.name, WAY_OUT)
        cutting = Cutting(document, tools, self.max_tokens, language, signatures=self.include_signatures)
        for cut in cutting.cuts(start):
            if isinstance(cut, Skip):
                yield cut
                continue
            if is_blank(document, cut.span):
                yield Skip(cut.span, BLANK)
                continue
            if tools.passes_over(cut.span):
                yield Skip(cut.span, PASSED_OVER)
                continue
            yield tools.seal(
                document,
                cut.span,
                cut.ended_by,
                breadcrumb=cutting.breadcrumb(cut),
                holes=cutting.holes(cut),
                context=cut.context,
                closing=cut.closing,
                flags=cut.flags,
                metadata={"chunk_index": index, "language": cut.language},
            )
            index += 1
