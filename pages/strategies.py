"""Strategies: what each is for, how it decides, a worked picture, its settings and reasons, where
it fails."""

from __future__ import annotations

from chunking import strategies
from pages.ui import state
from pages.ui.layout import page_frame, strategy_choice, within_limits
from pages.ui.strategies import links, page


@within_limits.page
def main() -> None:
    """What the address chose, and its page."""
    page_frame.open_page("Strategies", of_document=False)
    requested = state.strategy_in_address()
    name = requested if requested in strategies.names() else strategy_choice.opened()
    links.strategy_links(name)
    if requested and requested != name:
        page_frame.problem(f"no strategy named {requested[:60]!r}; there are: {', '.join(strategies.names())}")

    page.show(strategies.get(name))


main()
