"""The strategies as a choice shows them: family by family, each with what it does, and one to start
with."""

from __future__ import annotations

from collections.abc import Sequence

from chunking import strategies
from chunking.core import FAMILIES
from chunking.imported import PEERS, Peer
from pages.ui import state

_BEYOND_THE_ROOM = "\t"
"""Wider than any choice (tab-size in streamlit_dom.css)."""


def names() -> tuple[str, ...]:
    """What there is to choose: `listed`, and behind it the splitters of other packages."""
    return with_peers(listed())


def opened() -> str:
    """The strategy that the session has chosen, where it has a page; else the one to start with."""
    chosen = state.plan().strategy
    return chosen if chosen in strategies.names() else state.first_strategy()


def listed() -> list[str]:
    """The strategies' names by family, in each by title; the one to start with first of all."""
    families, start = list(FAMILIES), state.first_strategy()

    def place(name: str) -> tuple[bool, int, str]:
        made = strategies.get(name)
        return name != start, families.index(made.family), made.title

    return sorted(strategies.names(), key=place)


def with_peers(listed: Sequence[str]) -> tuple[str, ...]:
    """The options, and behind them the splitters of other packages."""
    return (*listed, *(peer.name for peer in PEERS))


def installed(name: str) -> bool:
    """Whether the strategy can be used here."""
    return not _missing(name)


def title(name: str) -> str:
    """A strategy's title, with a word where its package is not here."""
    made = strategies.get(name)
    return f"{made.title} (not installed)" if _missing(name) else made.title


def with_current(listed: Sequence[str], current: str) -> list[str]:
    """The options, and what stands although it is none of them: chunks that were made elsewhere."""
    return [*listed, *([current] if current and current not in listed else [])]


def option(name: str) -> str:
    """A strategy's title, and on a line of its own its family and what it does."""
    made = strategies.get(name)
    beginning = ", start here" if name == state.first_strategy() else ""
    family = "Other package" if issubclass(made, Peer) else FAMILIES[made.family]
    return two_lines(made.title, f"{family}{beginning}. {does(name)}")


def does(name: str) -> str:
    """What a strategy does, or what to install for it."""
    return _missing(name) or strategies.get(name).summary


def two_lines(title: str, said: str) -> str:
    """An option with a line of its own for what is said of it: the tab between them fills the rest
    of the first one, and of the closed choice. No line break: the browser's field would leave it
    out, and Streamlit not know what stands in it as the choice."""
    return f"{title}{_BEYOND_THE_ROOM}{said}"


def _missing(name: str) -> str:
    """What to install for another package's splitter that is not here; else empty."""
    made = strategies.get(name)
    return made.missing() if issubclass(made, Peer) else ""
