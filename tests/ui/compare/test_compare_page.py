"""The Compare page run without a browser: the link, the rows, one counter for all, and text that is
only text."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from app_pages import address, html, open_page
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from chunking import Config, parse, run
from chunking.analysis import edit_stability
from pages.ui.choices.comparing import Comparing, rows_of
from pages.ui.choices.samples import samples
from pages.ui.compare.presets import Preset, presets

ROOT = Path(__file__).resolve().parents[3]
TABLE = next(sample for sample in samples() if "table" in sample.name)
HOSTILE = (
    "# :red[warning] $x$ <script>alert(1)</script>\n\n:material/home: text\n\n## [a](javascript:alert(1))\n\nmore\n"
)


def page(**query: str) -> AppTest:
    """The page, opened at an address of its own."""
    return open_page("pages/compare.py", **query)


def ribbon(app: AppTest) -> dict[str, list[dict[str, object]]]:
    """What the ribbon was given to draw."""
    drawn = [element.proto for element in app.get("bidi_component")]
    given = next(each for each in drawn if each.component_name == "chunkscope.ribbon")
    parsed: dict[str, list[dict[str, object]]] = json.loads(given.json)
    return parsed


def test_a_new_session_compares_what_inspect_would_show() -> None:
    app = page()

    assert not app.exception
    assert app.selectbox(key="compare-strategy-A").value == "every-heading"
    assert app.selectbox(key="compare-strategy-B").value == "heading-window"
    assert '<table class="cs-table cs-metrics">' in html(app)


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("compare-counter", "tokenizer.json:/etc/passwd"),
        ("compare-counter", "no such counter"),
        ("compare-strategy-A", "no such strategy"),
    ],
)
def test_what_a_browser_sends_and_no_list_offers_is_not_taken(
    key: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = page()
    box = app.selectbox(key=key)
    standing = box.value
    monkeypatch.setattr(type(box), "_widget_state", WidgetState(id=box.id, string_value=name))

    box.run()

    assert not app.exception
    monkeypatch.undo()
    assert app.selectbox(key=key).value == standing


def test_a_link_opens_the_comparison_it_was_copied_from() -> None:
    query = {
        "document": TABLE.key,
        "at": "120",
        "counted": "words",
        "price": "0.5",
        "a.strategy": "every-heading",
        "b.strategy": "hierarchical",
        "b.target": "200",
        "b.hardCap": "300",
        "c.strategy": "fixed",
    }
    app = page(**{name.replace(".", "__"): value for name, value in query.items()})

    assert not app.exception
    assert app.selectbox(key="document").value == TABLE.key
    assert "Target: 200, Hard cap: 300" in html(app)
    assert address(app) == query


def test_every_number_is_counted_with_one_counter() -> None:
    app = page(document=TABLE.key, counted="words", a__strategy="every-heading", b__strategy="hierarchical")
    document = parse(TABLE.text, name=TABLE.name)
    words = [
        sum(len(chunk.text.split()) for chunk in run(document, Config.of(name, {})).chunks)
        for name in ("every-heading", "hierarchical")
    ]

    for total in words:
        assert f"<span><b>{total:,}</b> to embed</span>" in html(app)


def test_the_ribbon_has_a_tick_for_every_boundary_of_the_first_row() -> None:
    app = page(document=TABLE.key, a__strategy="every-heading", b__strategy="fixed")
    document = parse(TABLE.text, name=TABLE.name)
    chunks = run(document, Config.of("every-heading", {})).chunks
    first, second = ribbon(app)["rows"]

    assert [tick[1] for tick in first["ticks"]] == [chunk.body.end for chunk in chunks[:-1]]  # type: ignore[attr-defined]
    assert "kept" in str(second["counts"])


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.title)
def test_every_pair_of_the_specs_opens(preset: object) -> None:
    title = getattr(preset, "title", "")
    app = page(document=TABLE.key)
    app.selectbox(key="compare-pair").set_value(title).run()

    assert not app.exception
    assert app.selectbox(key="compare-pair").value == title
    assert "cs-problem" not in html(app)
    assert '<table class="cs-table cs-metrics">' in html(app)


def test_rows_can_be_added_up_to_four_and_taken_away() -> None:
    app = page(a__strategy="every-heading", b__strategy="hierarchical")
    app.button(key="compare-add").click().run()
    app.button(key="compare-add").click().run()

    assert not app.exception
    assert app.button(key="compare-add").disabled
    assert {"a.strategy", "b.strategy", "c.strategy", "d.strategy"} <= set(address(app))
    app.button(key="compare-remove-A").click().run()
    assert app.selectbox(key="compare-strategy-A").value == "hierarchical"
    assert "d.strategy" not in address(app)


def test_a_setting_of_one_row_leaves_the_other_row_as_it_is() -> None:
    app = page(a__strategy="hierarchical", b__strategy="hierarchical")
    app.number_input(key="compare-B.hierarchical.hard_cap").set_value(600).run()

    assert address(app)["b.hardCap"] == "600"
    assert "a.hardCap" not in address(app)


def test_a_setting_that_is_not_legal_is_said_and_the_last_good_row_stays() -> None:
    app = page(a__strategy="every-heading", b__strategy="hierarchical", b__hardCap="600")
    app.number_input(key="compare-B.hierarchical.target").set_value(900).run()

    assert not app.exception
    assert "cs-problem" in html(app)
    assert address(app)["b.hardCap"] == "600"


def test_a_row_opens_in_inspect_with_the_first_row_as_its_baseline() -> None:
    app = page(document=TABLE.key, a__strategy="fixed", b__strategy="hierarchical", b__hardCap="600")
    app.button(key="compare-inspect-B").click().run()

    assert not app.exception
    assert address(app) == {
        "document": TABLE.key,
        "strategy": "hierarchical",
        "hardCap": "600",
        "was.strategy": "fixed",
    }


def test_a_price_gives_what_embedding_again_costs() -> None:
    app = page(a__strategy="every-heading", b__strategy="hierarchical")

    assert "Cost" not in html(app)
    app.number_input(key="compare-price").set_value(1000.0).run()
    assert '<th scope="col">Cost</th>' in html(app)
    assert address(app)["price"] == "1000"


EDITED = "# Guide\n\n" + "".join(f"## Part {part}\n\n{'Some words. ' * 30}{part}\n\n" for part in range(6))


def add(app: AppTest, text: str) -> str:
    """The key of a text that is added and shown."""
    app.text_area(key="pasted").set_value(text)
    app.button(key="use-paste").click().run()
    return address(app)["document"]


def test_an_earlier_version_says_how_many_chunks_keep_their_id_as_the_library_does() -> None:
    app = page(a__strategy="every-heading", b__strategy="fixed", b__chunkSize="100", b__chunkOverlap="0", price="1000")
    earlier = add(app, EDITED)
    add(app, edited := EDITED.replace("words. 3", "words, edited. 3"))
    app.selectbox(key="compare-version").set_value(earlier).run()
    shown = html(app).partition('aria-label="Edit stability"')[2]
    assert not app.exception
    assert address(app)["version"] == earlier

    for letter, config in (
        ("A", Config.of("every-heading", {})),
        ("B", Config.of("fixed", {"chunkSize": 100, "chunkOverlap": 0})),
    ):
        name = "pasted.md"
        found = edit_stability(*(run(parse(text, name=name), config) for text in (EDITED, edited)))
        row = shown.partition(f'<th scope="row">{letter}</th>')[2].partition("</tr>")[0]
        assert found.kept > 0
        assert row.startswith(f"<td><b>{found.kept}</b> of {found.chunks_after}</td>")
        assert f"<td>{found.to_embed}</td><td><b>{found.tokens_to_embed:,}</b></td>" in row
        assert f"<td><b>{found.tokens_to_embed * 1000 / 1e6:,.2g}</b></td>" in row


def test_a_version_that_is_not_here_is_said() -> None:
    app = page(document=TABLE.key, a__strategy="every-heading", b__strategy="fixed", version="4b2c" * 16)

    assert "The version that the link names is not open here." in html(app)


def compared(app: AppTest) -> AppTest:
    """The page once all documents are compared."""
    for _ in range(60):
        if app.dataframe and len(app.dataframe[0].value) == len(samples()) and "compare-cancel" not in keys(app):
            return app
        app.run()
    raise AssertionError("the documents are never compared")


def keys(app: AppTest) -> set[str | None]:
    return {each.key for each in app.button}


def test_all_documents_are_compared_with_totals_and_a_row_for_each() -> None:
    app = page(a__strategy="every-heading", b__strategy="fixed", c__strategy="recursive")
    app.button_group(key="compare-scope").set_value("all").run()
    app = compared(app)
    table = app.dataframe[0].value

    assert not app.exception
    assert address(app)["on"] == "all"
    assert sorted(table["Document"]) == sorted(each.name for each in samples())
    assert list(table["Shared"]) == sorted(table["Shared"])
    assert f"<b>{table['Chunks A'].sum():,.0f}</b>" in html(app)
    assert f"<b>{table['Tokens to re-embed'].sum():,.0f}</b>" in html(app)
    app.button_group(key="compare-which-pair").set_value("C").run()
    assert "Chunks C" in compared(app).dataframe[0].value


def test_all_documents_are_compared_with_the_overrides_of_the_corpus_which_the_link_has_too() -> None:
    first = samples()[0]
    app = page(
        a__strategy="every-heading",
        b__strategy="fixed",
        on="all",
        overrides=json.dumps({first.name: {"chunkSize": 300}}),
    )
    app = compared(app)
    table = app.dataframe[0].value.set_index("Document")
    chunks = {
        name: len(run(parse(first.text, name=first.name), Config.of(name, settings)).chunks)
        for name, settings in (("every-heading", {}), ("fixed", {"chunkSize": 300}))
    }

    assert not app.exception
    assert list(table.loc[first.name, ["Chunks A", "Chunks B"]]) == list(chunks.values())
    assert "With the 1 override of Corpus in every config." in html(app)
    assert f"does not apply to A: {first.name}: " in html(app)
    assert json.loads(address(app)["overrides"]) == {first.name: {"chunkSize": 300}}
    app.button_group(key="compare-scope").set_value("one").run()
    assert "overrides" not in address(app)


def test_a_broken_link_is_said_and_the_rest_of_it_is_shown() -> None:
    app = page(a__strategy="heirarchical", b__strategy="fixed", counted="<b>", price="free")
    shown = html(app)

    assert not app.exception
    assert "did you mean &#39;hierarchical&#39;?" in shown
    assert "price: &#39;free&#39; is not a price" in shown
    assert "counted: " in shown
    assert "<b>&" not in shown
    assert '<table class="cs-table cs-metrics">' in shown


def test_a_link_to_a_text_that_is_not_here_says_which_one() -> None:
    app = page(document="4b2c" * 16, a__strategy="fixed", b__strategy="recursive")

    assert not app.exception
    assert "sha256 begins with 4b2c4b2c4b2c" in html(app)


def test_document_text_is_never_interpreted() -> None:
    app = page(a__strategy="every-heading", b__strategy="fixed")
    app.text_area(key="pasted").set_value(HOSTILE)
    app.button(key="use-paste").click().run()

    assert not app.exception
    assert "<script" not in html(app)
    assert not any("red[" in element.value for element in app.markdown)
    assert address(app)["document"] not in ("", TABLE.key)


def test_a_document_of_one_chunk_has_no_boundary_to_compare() -> None:
    app = page(a__strategy="every-heading", b__strategy="hierarchical")
    app.text_area(key="pasted").set_value("one line\n")
    app.button(key="use-paste").click().run()

    assert not app.exception
    assert "No boundary of these kinds." in html(app)
    assert "<b>0</b> of 1" in html(app) or "<b>1</b> of 1" in html(app)


def boundary_kinds(app: AppTest) -> set[str]:
    return {str(value) for value in app.dataframe[0].value["Boundary"]}


def test_what_the_table_lists_is_in_the_link_and_a_link_lists_the_same() -> None:
    rows = {"a__strategy": "every-heading", "b__strategy": "hierarchical", "c__strategy": "fixed"}
    app = page(document=TABLE.key, **rows)
    assert "show" not in address(app)
    assert "pair" not in address(app)
    app.button_group(key="compare-which-pair").set_value("C").run()
    app.button_group(key="compare-kinds").set_value(["added"]).run()

    assert not app.exception
    assert (address(app)["show"], address(app)["pair"]) == ("added", "ac")
    assert boundary_kinds(app) == {"+ added"}
    again = page(**{name.replace(".", "__"): value for name, value in address(app).items()})
    assert list(again.dataframe[0].value["Line"]) == list(app.dataframe[0].value["Line"])
    assert address(again) == address(app)


def test_no_kind_at_all_is_a_choice_too() -> None:
    app = page(document=TABLE.key, a__strategy="every-heading", b__strategy="hierarchical")
    app.button_group(key="compare-kinds").set_value([]).run()

    assert address(app)["show"] == "none"
    assert "No boundary of these kinds." in html(app)


def test_a_wrong_kind_or_pair_in_a_link_is_said() -> None:
    app = page(document=TABLE.key, a__strategy="every-heading", b__strategy="fixed", show="moved,lost", pair="ad")

    assert boundary_kinds(app) <= {"→ moved"}
    assert "show: &#39;lost&#39; is not a kind of boundary" in html(app)
    assert "pair: &#39;ad&#39; is not a pair of these rows; there are ab" in html(app)


def test_a_pair_whose_row_was_taken_away_is_no_more() -> None:
    app = page(document=TABLE.key, a__strategy="every-heading", b__strategy="fixed", c__strategy="recursive", pair="ac")
    app.button(key="compare-remove-C").click().run()

    assert not app.exception
    assert "pair" not in address(app)


def test_the_pair_stays_with_its_row_when_one_before_it_is_taken_away() -> None:
    rows = rows_of([Config.of(name, {}) for name in ("every-heading", "fixed", "recursive", "hierarchical")])
    shown = Comparing(rows, against="D")

    assert shown.without(1).against == "C"
    assert shown.without(1).without(1).against == ""
    assert shown.without(3).against == ""
    assert replace(shown, against="C").without(3).against == "C"


def test_a_row_of_the_table_opens_in_inspect_at_its_place() -> None:
    app = page(document=TABLE.key, a__strategy="every-heading", b__strategy="hierarchical", at="700")
    button = app.button(key="compare-open-row")
    line = parse(TABLE.text, name=TABLE.name).line_of(700)

    assert button.label == f"Open line {line} in Inspect"
    button.click().run()
    assert not app.exception
    assert address(app)["strategy"] == "hierarchical"
    assert (address(app)["was.strategy"], address(app)["at"]) == ("every-heading", "700")


def test_a_row_has_to_be_chosen_before_it_opens() -> None:
    app = page(document=TABLE.key, a__strategy="every-heading", b__strategy="hierarchical")

    assert app.button(key="compare-open-row").disabled


@pytest.mark.parametrize("preset", presets(), ids=lambda preset: preset.title)
def test_every_pair_of_the_specs_cuts_its_own_sample_differently(preset: Preset) -> None:
    sample = next(each for each in samples() if each.name == preset.sample)
    document = parse(sample.text, name=sample.name)
    first, *others = ([chunk.body.end for chunk in run(document, config).chunks] for config in preset.configs)

    assert all(ends != first for ends in others)


def test_a_pair_leads_to_the_sample_that_shows_it() -> None:
    app = page(document=TABLE.key)
    app.selectbox(key="compare-pair").set_value(presets()[0].title).run()
    app.button(key="compare-pair-document").click().run()

    assert address(app)["document"] == f"sample:{presets()[0].sample}"
    assert "compare-pair-document" not in [button.key for button in app.button]


def test_back_and_forward_change_what_is_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.ui.state.session._went_through_history", lambda: True)
    app = page(document=TABLE.key, a__strategy="every-heading", b__strategy="hierarchical")
    before = address(app)
    app.selectbox(key="compare-strategy-B").set_value("fixed").run()
    assert address(app)["b.strategy"] == "fixed"
    app.query_params.clear()
    app.query_params.update(before)  # as the browser does
    app.run()

    assert not app.exception
    assert app.selectbox(key="compare-strategy-B").value == "hierarchical"
    assert address(app) == before


def test_a_phone_can_choose_a_config_that_could_not_be_cut_too() -> None:
    app = page(
        a__strategy="every-heading", b__strategy="semantic", b__embedder="compatible", b__model="nobody-was-asked"
    )

    assert not app.exception
    assert len(ribbon(app)["rows"]) == 1
    assert 'value="A" checked' in html(app)
    assert 'value="B">' in html(app)
