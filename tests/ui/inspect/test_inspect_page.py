"""The Inspect page run without a browser: what it remembers, what it refuses, what it never
interprets."""

from __future__ import annotations

from pathlib import Path

import pytest
from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

from chunking import Config, parse, run, strategies
from chunking.config.setting_spec import setting_specs
from pages.ui.choices.samples import samples
from pages.ui.layout import markup

ROOT = Path(__file__).resolve().parents[3]
HOSTILE_NAME = ":red[x] $y$ <img src=x onerror=alert(1)>.md"
HOSTILE = (
    "# :red[warning] $x$ <script>alert(1)</script>\n\n:material/home: text\n\n## [a](javascript:alert(1))\n\nmore\n"
)


def page(**query: str) -> AppTest:
    """The page, opened at an address of its own."""
    return open_page(**query)


def test_a_new_session_shows_a_sample_cut() -> None:
    app = page()

    assert not app.exception
    assert app.selectbox(key="document").value == "sample:11-a-changelog.md"
    assert '<dl class="cs-strip">' in html(app)


def test_a_link_opens_the_view_it_was_copied_from() -> None:
    sample = samples()[1]
    app = page(document=sample.key, strategy="hierarchical", target="200", hardCap="300")
    document = parse(sample.text, name=sample.name)
    expected = run(document, Config.of("hierarchical", {"target": 200, "hardCap": 300}))

    assert app.selectbox(key="document").value == sample.key
    assert f"<dt>Chunks</dt><dd><b>{len(expected.chunks):,}</b>" in html(app)
    assert address(app)["hardCap"] == "300"


def test_the_address_follows_what_is_chosen() -> None:
    app = page(strategy="hierarchical")
    app.selectbox(key="strategy").set_value("every-heading").run()

    assert address(app)["strategy"] == "every-heading"


def test_settings_are_remembered_per_strategy() -> None:
    app = page(strategy="hierarchical", hardCap="700")
    app.selectbox(key="strategy").set_value("every-heading").run()
    app.selectbox(key="strategy").set_value("hierarchical").run()

    assert address(app)["hardCap"] == "700"


def test_a_broken_link_is_said_beside_the_strategy_and_the_page_still_shows_chunks() -> None:
    app = page(strategy="heirarchical")

    assert not app.exception
    assert "did you mean &#39;hierarchical&#39;?" in html(app)
    assert '<dl class="cs-strip">' in html(app)


def test_the_ends_of_what_a_hit_gives_back_are_shown_and_the_chunk_stays_selected() -> None:
    sample = next(each for each in samples() if each.name.startswith("07"))
    app = page(document=sample.key, strategy="small-to-big")
    session = app.session_state["chunkscope"]
    chosen = session.selected
    chunk = next(each for each in session.ran["small-to-big"].chunks if each.body.contains(chosen or 0))
    assert chunk.returned

    app.button(key="returned-end").click().run()
    assert (session.shown_place, session.selected) == (chunk.returned.end - 1, chosen)
    app.button(key="returned-start").click().run()
    assert (session.shown_place, session.selected) == (chunk.returned.start, chosen)
    app.button(key="chunk+1").click().run()
    assert not app.exception


def test_what_a_link_gets_wrong_is_said_at_its_field_until_that_is_changed() -> None:
    app = page(strategy="heading-window", shortTail="often", counter="none-such")

    strategy, counted, tail = (
        html(app).find(words) for words in ("in the link:", "no counter named", "&#39;often&#39;")
    )
    assert strategy == -1
    assert 0 <= counted < tail
    assert "Showing skip." in html(app)
    app.button_group(key="setting.heading-window.short_tail").set_value("keep").run()
    assert "&#39;often&#39;" not in html(app)
    assert "no counter named" in html(app)


def test_a_link_to_a_text_that_is_not_here_says_which_one() -> None:
    app = page(document="4b2c" * 16)

    assert not app.exception
    assert "sha256 begins with 4b2c4b2c4b2c" in html(app)


def test_pasted_text_is_shown_and_only_its_hash_is_in_the_address() -> None:
    app = page(strategy="every-heading")
    app.text_area(key="pasted").set_value("# One\n\nsecret words\n\n# Two\n\nmore\n")
    app.button(key="use-paste").click().run()

    assert "<dt>Chunks</dt><dd><b>2</b>" in html(app)
    assert len(address(app)["document"]) == 64
    assert "secret" not in str(address(app))


def test_an_empty_paste_is_refused_and_the_view_stays() -> None:
    app = page(strategy="every-heading")
    before = html(app).count("cs-strip")
    app.button(key="use-paste").click().run()

    assert "pasted text: nothing there; paste some Markdown first" in html(app)
    assert html(app).count("cs-strip") == before
    assert app.selectbox(key="document").value == "sample:11-a-changelog.md"


def test_several_uploads_can_be_picked_among() -> None:
    app = page(strategy="every-heading")
    app.file_uploader(key="uploads").set_value(
        [("a.md", b"# B\n\ny\n\n# C\n\nz\n", "text/markdown"), ("b.md", b"# A\n\nx\n", "text/markdown")]
    ).run()

    assert "<dt>Chunks</dt><dd><b>2</b>" in html(app)
    names = app.selectbox(key="document").options
    assert names[:2] == ["a.md", "b.md"]


def test_a_bad_upload_is_one_line_and_the_view_stays() -> None:
    app = page(strategy="every-heading")
    app.file_uploader(key="uploads").set_value([("bad.md", b"\xff\xfe\xff", "text/markdown")]).run()

    assert not app.exception
    assert app.selectbox(key="document").value == "sample:11-a-changelog.md"
    assert html(app).count('class="cs-problem"') >= 1
    assert "bad.md" in html(app)


def test_names_and_headings_of_a_document_are_never_interpreted() -> None:
    app = page(strategy="every-heading")
    app.file_uploader(key="uploads").set_value([(HOSTILE_NAME, HOSTILE.encode(), "text/markdown")]).run()

    assert not app.exception
    assert "<script" not in html(app)
    assert "<img" not in html(app)
    interpreted = [*app.markdown, *app.caption, *app.title, *app.header]
    assert not [element for element in interpreted if "warning" in element.value or "onerror" in element.value]
    labels = [widget.label for widget in [*app.button, *app.toggle, *app.selectbox, *app.text_area]]
    assert not [label for label in labels if "red[" in label or "$" in label]


@pytest.mark.parametrize("strategy", strategies.names())
def test_every_strategy_can_be_chosen_and_each_of_its_settings_has_a_control(strategy: str) -> None:
    app = page(strategy=strategy)

    assert not app.exception
    assert address(app)["strategy"] == strategy
    assert "cs-problem" not in html(app)
    drawn = {widget.key for widget in [*app.toggle, *app.selectbox, *app.text_input, *app.text_area, *app.button_group]}
    for setting in setting_specs(strategies.get(strategy)):
        if not setting.numeric:  # those are on the rail
            assert f"setting.{strategy}.{setting.name}" in drawn


@pytest.mark.parametrize("baseline", ["none", "every-heading"])
def test_the_baseline_is_part_of_the_address(baseline: str) -> None:
    app = page(**{"was.strategy": baseline, "strategy": "hierarchical"})

    assert address(app)["was.strategy"] == baseline
    assert ('<span class="cs-was">baseline' in html(app)) == (baseline != "none")


def test_pinning_makes_the_shown_config_the_baseline() -> None:
    app = page(strategy="hierarchical", hardCap="700")
    app.button(key="pin").click().run()

    assert address(app)["was.strategy"] == "hierarchical"
    assert address(app)["was.hardCap"] == "700"


def test_swapping_exchanges_now_and_before() -> None:
    app = page(strategy="hierarchical", hardCap="700")
    app.button(key="swap").click().run()

    assert address(app)["strategy"] == "every-heading"
    assert address(app)["was.strategy"] == "hierarchical"


def test_a_chosen_place_shows_its_chunk_and_why_it_ends() -> None:
    sample = samples()[0]
    document = parse(sample.text, name=sample.name)
    second = run(document, Config.of("every-heading", {})).chunks[1]
    app = page(document=sample.key, strategy="every-heading", at=str(second.body.start))

    assert "Chunk 2" in html(app)
    assert second.ended_by.rule in html(app)
    assert markup.exact(second.text) in html(app)


def test_approximate_counters_are_labelled() -> None:
    sample = samples()[0]
    app = page(document=sample.key, strategy="every-heading", counter="chars-4", at="10")

    assert "≈" in html(app)
    assert "chars-4 (approximate)" in app.selectbox(key="counter").options


def test_two_sessions_do_not_see_each_others_documents() -> None:
    one, other = page(strategy="every-heading"), page(strategy="every-heading")
    one.file_uploader(key="uploads").set_value([("mine.md", b"# A\n\nx\n", "text/markdown")]).run()
    other.run()

    assert "mine.md" in one.selectbox(key="document").options
    assert "mine.md" not in other.selectbox(key="document").options


def test_a_counter_that_estimates_says_what_it_misses_and_switches_to_the_exact_one() -> None:
    app = page(document="sample:09-not-english.md", strategy="heading-window", counter="words-1.3")

    assert "Tokenizer <b>words-1.3</b>" in html(app)
    assert "Limits are not what your embedder sees." in html(app)
    assert " by words-1.3" in html(app).partition("Within limits")[2][:400]
    app.button(key="counted-switch").click().run()

    assert not app.exception
    assert app.selectbox(key="counter").value == "cl100k_base"
    assert "Tokenizer <b>cl100k_base</b>" in html(app)
    assert "Limits are not what your embedder sees." not in html(app)


def test_what_was_just_chosen_wins_over_an_address_that_the_browser_had_before() -> None:
    """A slow browser sends the old address with the next click: that is no step back."""
    app = page(strategy="heading-window", minTokens="251")
    old = address(app)
    app.selectbox(key="baseline").set_value("fixed").run()
    app.query_params.clear()
    app.query_params.update(old)
    app.selectbox(key="counter").set_value("o200k_base").run()

    assert not app.exception
    assert address(app) == {**old, "was.strategy": "fixed", "counter": "o200k_base"}
