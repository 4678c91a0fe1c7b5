"""What Inspect offers for a boundary, as plain values: while a threshold is held they are drawn
again, without effect, so that nothing below them moves. No Streamlit."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from chunking import Config


@dataclass(frozen=True, slots=True)
class Offer:
    """One button, and what comes of it."""

    key: str
    label: str
    words: str
    config: Config
    drawback: str = ""
    """What speaks against it."""
    costs: bool = False
    """Whether that is a cost, and not only that the boundary is then elsewhere."""


@dataclass(frozen=True, slots=True)
class OfferList:
    """A heading, a line about what was found, "" for none, and the buttons."""

    key: str
    heading: str
    said: str
    offers: tuple[Offer, ...]
    keeps: bool = False
    """Whether these put text into a chunk which is left out, and are not about a boundary."""


@dataclass(frozen=True, slots=True)
class Fold:
    """What is opened when it is wanted."""

    name: str
    """The same for every boundary, whatever its title says: what is open stays open."""
    title: str
    sentences: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class WhatIf:
    """What would move a boundary, or keep text that is left out."""

    lists: tuple[OfferList, ...]
    folded: tuple[Fold, ...] = ()
    asks: str = ""
    """The question with which somebody has to ask for it; "" where nobody has to."""


@dataclass(frozen=True, slots=True)
class Taken:
    """An offer that was taken, or taken back: what it did is said while its config is shown and the
    same place is selected."""

    document: str
    """The hash of its text."""
    config: Config
    selected: int | None
    was: Config
    """The config before it."""
    was_selected: int | None
    boundary: int
    """The boundary that it was offered for, an offset; where the text begins that it `keeps`."""
    boundaries: frozenset[int]
    """Those before it, each an offset."""
    costs: str = ""
    """What the offer said it costs."""
    undone: bool = False
    """Whether all is as it was."""
    moved_to: int | None = None
    """Where the boundary was to go, an offset; None where it was to be removed."""
    keeps: bool = False
    """Whether it was offered for text that was left out."""


@dataclass(frozen=True, slots=True)
class Replaced:
    """A config that came in place of another as a whole, such as a recommended one: what it did is
    said while it is shown."""

    config: Config
    was: Config


NO_OFFERS = WhatIf(())
