"""The choice of a strategy: by family, each with what it does."""

from __future__ import annotations

from app_pages import address, html, open_page
from streamlit.proto.SelectWidgetFilterMode_pb2 import FILTER_MODE_CONTAINS

from chunking import strategies
from chunking.core import FAMILIES
from chunking.imported import PEERS
from pages.ui.layout import strategy_choice


def test_strategies_are_chosen_by_family_with_the_one_to_start_with_first() -> None:
    names = [name for name in strategy_choice.names() if not name.startswith("peer:")]
    families = [strategies.get(name).family for name in names]

    assert names[0] == "heading-window"
    assert sorted(names) == list(strategies.names())
    assert families == sorted(families, key=list(FAMILIES).index)


def test_an_option_says_its_family_and_what_the_strategy_does() -> None:
    title, _, said = strategy_choice.option("fixed").partition("\t")
    assert title == "Fixed size"
    assert said == "Size. Windows of one size with an overlap, blind to headings: fast, predictable, a baseline."
    assert "\tHeadings, start here. " in strategy_choice.option("heading-window")


def test_a_closed_choice_shows_the_title_alone() -> None:
    between = [
        strategy_choice.option(name).removeprefix(strategies.get(name).title) for name in strategy_choice.names()
    ]

    assert all(rest.startswith("\t") for rest in between)  # a tab that is wider than any choice
    assert not any("\n" in rest for rest in between)  # the browser's field would leave it out


def test_other_packages_stand_behind_ours_and_say_what_installs_them() -> None:
    names = strategy_choice.names()
    peers = [peer.name for peer in PEERS]

    assert list(names[-len(peers) :]) == peers
    for peer in PEERS:
        title, _, said = strategy_choice.option(peer.name).partition("\t")
        assert title == peer.title
        assert said == f"Other package. {peer.missing() or peer.summary}"
        assert strategy_choice.title(peer.name) == peer.title + (" (not installed)" if peer.missing() else "")


def test_every_page_offers_what_the_choice_says() -> None:
    said = [strategy_choice.option(name) for name in strategy_choice.names()]
    app, compared = open_page(strategy="recursive"), open_page("pages/compare.py", a__strategy="recursive")

    assert app.selectbox(key="strategy").options == said
    assert app.selectbox(key="strategy").value == "recursive"
    assert compared.selectbox(key="compare-strategy-A").options == said
    assert compared.selectbox(key="compare-strategy-A").value == "recursive"


def test_what_is_typed_finds_options_in_their_own_order() -> None:
    app, compared = open_page(strategy="recursive"), open_page("pages/compare.py", a__strategy="recursive")
    long = [app.selectbox(key=key) for key in ("document", "strategy", "counter", "baseline")]

    modes = {box.proto.filter_mode for box in [*long, compared.selectbox(key="compare-strategy-A")]}

    assert modes == {FILTER_MODE_CONTAINS}


def test_a_row_takes_inspects_config_where_another_is_compared() -> None:
    app = open_page(strategy="fixed", chunkSize="321").switch_page("pages/compare.py").run()
    app.selectbox(key="compare-strategy-A").set_value("recursive").run()
    choice = app.selectbox(key="compare-strategy-A")
    assert choice.options[0] == "Inspect's config\tFixed size, Chunk size: 321"

    choice.set_value("inspect:").run()

    assert (address(app)["a.strategy"], address(app)["a.chunkSize"]) == ("fixed", "321")
    taken = app.selectbox(key="compare-strategy-A")
    assert (taken.value, taken.options[0]) == ("fixed", strategy_choice.option("heading-window"))


def test_inspect_says_below_the_closed_choice_what_the_strategy_does() -> None:
    app = open_page(strategy="every-heading")
    assert "One chunk for each heading, however small or large: the baseline to compare with.</p>" in html(app)

    app.selectbox(key="strategy").set_value("fixed").run()
    assert "Windows of one size with an overlap, blind to headings: fast, predictable, a baseline.</p>" in html(app)
