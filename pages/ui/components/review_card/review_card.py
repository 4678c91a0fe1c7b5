"""The card's Streamlit half: a draft goes to review_card.js, what a person decides comes back with
the draft's name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from chunking import Document
from pages.ui.choices.reviewing import Draft, about
from pages.ui.components.shared.package_component import package_component, told
from pages.ui.server.stylesheets import stylesheet

if TYPE_CHECKING:
    from streamlit.components.v2.types import ComponentRenderer

_STYLE = stylesheet(Path(__file__).parent / "review_card.css")
Action = Literal["accept", "keep", "reject", "next", "undo"]
ACTIONS: tuple[Action, ...] = ("accept", "keep", "reject", "next", "undo")
_AROUND = 700
"""Characters of the document that are shown before and behind a quote."""
_LONGEST_QUOTE = 6_000


@dataclass(frozen=True, slots=True)
class Card:
    """What of a draft is drawn."""

    name: str
    question: str
    about: str
    """Who worded it, and where its answer is."""
    before: str
    quote: str
    after: str
    fates: tuple[tuple[str, bool, str], ...] = ()
    """For each config its letter, whether it keeps the quote whole, and that in words."""


def card_of(draft: Draft, document: Document, fates: Sequence[tuple[str, bool, str]] = ()) -> Card:
    """The draft with the text around its first answer, from whole lines where these are short."""
    span, text = draft.question.answers[0], document.text
    start, end = max(0, span.start - _AROUND), min(len(text), span.end + _AROUND)
    line = text.find("\n", start, span.start) + 1
    start = line if start and line else start
    stop = text.rfind("\n", span.end, end)
    end = stop if stop >= 0 and end < len(text) else end
    before = ("…\n" if start else "") + text[start : span.start]
    after = text[span.end : end] + ("\n…" if end < len(text) else "")
    quote = text[span.start : span.end]
    shown = quote if len(quote) <= _LONGEST_QUOTE else f"{quote[:_LONGEST_QUOTE]}…"
    return Card(draft.name, draft.question.text, about(draft, document), before, shown, after, tuple(fates))


@cache
def _component() -> ComponentRenderer:
    return package_component("review_card", js="review_card/review_card.js", css=_STYLE)


def review_card(
    card: Card | None,
    *,
    key: str,
    reviewed: tuple[int, int],
    words: str,
    tally: str,
    undo: str,
    begun: str,
    on_act: Callable[[Action, str, str], None],
) -> None:
    """Draw one draft; None where all are reviewed. `reviewed` of how many in numbers, and in
    `words`; `undo` says what can be undone, "" for nothing. The first draft of what was `begun`
    takes the focus where nothing else has it.

    `on_act` is called with what was decided, the draft's name, and the question as it was edited.
    """

    def acted() -> None:
        event = told(key, "acted")
        if isinstance(event, Mapping):
            known = next((each for each in ACTIONS if each == event.get("action")), None)
            if known is not None:
                on_act(known, str(event.get("draft") or ""), str(event.get("text") or ""))

    _component()(
        key=key,
        data={
            "card": asdict(card) if card else None,
            "reviewed": reviewed[0],
            "total": reviewed[1],
            "words": words,
            "tally": tally,
            "undo": undo,
            "begun": begun,
        },
        on_acted_change=acted,
    )
