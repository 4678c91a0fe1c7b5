"""Wordings of a question about a quote that was chosen before: by a model, or without one as
probes, which are labelled as what they are. Questions by rules are in rules.py."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from chunking.drafting.places import Places
from chunking.drafting.quotes import Quote, cells, header_of
from chunking.export.store_search import terms
from chunking.models.describers import CachedDescriber
from chunking.models.local_questions import LocalQuestions
from chunking.splitting.breadcrumbs import clip

_RARE_TERMS = 5
_CONTRACTION = re.compile(r"\b[^\W\d_]+(?:n['’]t|['’](?:re|ve|ll|d|m))\b|['’]s\b", re.IGNORECASE)
"""Words such as "aren't" and "we'll", which terms would cut in half and nobody searches for; of
"kettle's" the end alone."""
_LONGEST_QUESTION = 300
_AROUND = 1_500
"""Characters of the quote's block that a server's model reads with it."""
_PROMPT = (
    "Document: {document}\nSection: {section}\n<passage>\n{passage}\n</passage>\n<quote>\n{quote}\n</quote>\n\n"
    "Write one question that somebody who has not seen the passage would ask, and that the quote answers. Name what "
    'it is about; do not write "this", "the passage" or "the quote", and do not repeat the answer. Respond ONLY with '
    "the question."
)


@dataclass(frozen=True, slots=True)
class Wording:
    """A question about a quote, before it is checked."""

    text: str
    origin: str
    """As of Question."""


class Worder(Protocol):
    """What words a question about a quote."""

    is_model: bool
    """Whether each quote takes a model's time."""

    def wordings(self, quote: Quote) -> Sequence[Wording]:
        """What may be asked about it, in the order in which they are tried; equal ones of later
        checks are chosen by that. Raises ModelError."""


class Probes:
    """No model: a table's column and row, headings, or the quote's rarest words."""

    is_model = False

    def __init__(self, places: Places) -> None:
        self._places = places

    def wordings(self, quote: Quote) -> Sequence[Wording]:
        """As of Worder: the one that says most about the quote first."""
        found = [
            Wording(_table_cell(quote), "probe: table"),
            Wording(_headings(quote), "probe: heading"),
            Wording(self._rare_terms(quote), "probe: rare terms"),
        ]
        return [wording for wording in found if wording.text]

    def _rare_terms(self, quote: Quote) -> str:
        """The rarest words of the quote, in their order."""
        frequency = self._places.frequency
        text = _CONTRACTION.sub(" ", quote.text)
        words = [word for word in dict.fromkeys(terms(text)) if len(word) > 2 and self._places.rare(word)]
        rarest = sorted(words, key=lambda word: frequency[word])[:_RARE_TERMS]
        return " ".join(word for word in words if word in rarest) if len(rarest) > 1 else ""


def _table_cell(quote: Quote) -> str:
    """The column with the longest cell, asked for the row that the first cell names."""
    if quote.block != "table":
        return ""
    header, row = header_of(quote), cells(quote.text)
    if len(header) != len(row) or not row[0]:
        return ""
    at = max(range(1, len(row)), key=lambda number: len(row[number]))
    named = f"{header[0]} {row[0]}" if header[0] else row[0]
    asked = f"{named}: {header[at]}?" if header[at] else ""
    return asked.replace("`", "").replace("**", "")


def _headings(quote: Quote) -> str:
    """The last two headings, where the quote is in the first block below them."""
    section = quote.document.section_at(quote.span.start)
    below = [block for block in section.blocks if block.kind not in ("heading", "blank")]
    first = bool(below) and below[0].span.start == quote.within.start
    return ": ".join(quote.titles[-2:]) if quote.titles and first else ""


class ModelWorder:
    """A model behind HTTP, asked once about each quote."""

    is_model = True

    def __init__(self, model: CachedDescriber) -> None:
        self.model = model

    def wordings(self, quote: Quote) -> Sequence[Wording]:
        """As of Worder: at most one."""
        text = worded(self.model(prompt_of(quote)))
        return [Wording(text, f"model: {self.model.name}")] if text else []


class LocalWorder:
    """The small local model: given beginnings of questions, it finishes each with words of the
    quote."""

    is_model = True

    def __init__(self, model: LocalQuestions) -> None:
        self._model = model

    def wordings(self, quote: Quote) -> Sequence[Wording]:
        """As of Worder: one for each beginning; none for a table's row or code, of which the model
        makes no question that a person would ask."""
        if quote.block in ("table", "code"):
            return []
        title = quote.titles[-1] if quote.titles else ""
        found = self._model.questions(plain(quote), title)
        return [Wording(text, f"model: {self._model.name}") for text in map(worded, found) if text]


def prompt_of(quote: Quote) -> str:
    """What a server's model is asked about a quote: the quote and what stands around it."""
    start = max(quote.within.start, quote.span.start - _AROUND // 2)
    passage = quote.document.text[start : min(quote.within.end, start + _AROUND)]
    # What is between the tags must not close them.
    safe = {"passage": passage.replace("</", "&lt;/"), "quote": quote.text.replace("</", "&lt;/")}
    section = clip(" > ".join(quote.titles), 300) or "-"
    return _PROMPT.format(document=clip(quote.document.name, 200), section=section, **safe)


def plain(quote: Quote) -> str:
    """The quote as a small model reads it: a table's row with the names of its columns, no
    emphasis."""
    text = quote.text
    if quote.block == "table":
        named = zip(header_of(quote), cells(text), strict=False)
        text = "; ".join(f"{name}: {cell}" if name else cell for name, cell in named if cell)
    return " ".join(text.replace("`", "").replace("**", "").split())


def worded(answer: str) -> str:
    """The question in a model's answer: its first line, without a label and quotation marks; ""
    where that is not a question."""
    lines = [line.strip() for line in answer.splitlines() if line.strip()]
    if not lines:
        return ""
    text = re.sub(r"^(?:\*\*)?(?:question|q)(?:\*\*)?\s*[:.]\s*", "", lines[0], flags=re.IGNORECASE)
    text = " ".join(text.strip("\"'“”*` ").split())
    return text if text.endswith(("?", "？", "؟")) and len(text) <= _LONGEST_QUESTION else ""
