"""What would move a boundary, on the page: a click does what its button says, and undo is ready to
take it back."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from app_pages import address, html, open_page
from streamlit.testing.v1 import AppTest

from chunking import Config, Span, explain, parse, run
from chunking.explanation import remove_boundary
from chunking.explanation.keep_whole import Fix
from chunking.explanation.move_boundary import Move
from chunking.explanation.remove_boundary import Removal, removals
from chunking.text import counted
from chunking.tuning.checked_recommendation import checked
from pages.ui.choices.offers import Taken
from pages.ui.inspect import what_if
from pages.ui.inspect.what_if import FAR, by_effect
from pages.ui.layout import drawbacks
from pages.ui.layout.change_messages import action, block_name, boundaries, cut_block, moves_to, outcome, taken_words
from pages.ui.layout.drawbacks import NO_DRAWBACK, Weight

ROOT = Path(__file__).resolve().parents[3]
TABLE = ROOT.joinpath("sample_docs/02-a-huge-table.md").read_text()


def page(**query: str) -> AppTest:
    """The page, opened at an address of its own."""
    return open_page(**query)


def offered(app: AppTest, prefix: str) -> list[str]:
    return [button.label for button in app.button if str(button.key).startswith(f"take-{prefix}")]


def steps(app: AppTest) -> dict[str, str]:
    """What undo and redo say they would change."""
    drawn = [element.proto for element in app.get("bidi_component")]
    said: dict[str, str] = json.loads(next(each for each in drawn if each.component_name.endswith("undo_buttons")).json)
    return {kind: said[kind] for kind in ("undo", "redo")}


def change_line(app: AppTest) -> dict[str, object]:
    """What the line over the chunk says a change did."""
    drawn = [element.proto for element in app.get("bidi_component")]
    said: dict[str, object] = json.loads(next(e for e in drawn if e.component_name.endswith("change_line")).json)
    return said


def change(before: object, after: object, chunks: int = 3) -> Removal:
    return Removal("minTokens", before, after, Config.of("fixed", {}), 4, chunks, None, True)  # type: ignore[arg-type]


def test_a_click_takes_the_boundary_away_and_undo_says_what_it_brings_back() -> None:
    app = page(document="sample:02-a-huge-table.md", strategy="heading-window", at="700")
    document = parse(TABLE, name="02-a-huge-table.md")
    was = run(document, Config.of("heading-window", {})).chunks[0].body.end

    assert "Set Maximum `maxTokens` to 758" in offered(app, "gone")
    assert steps(app) == {"undo": "", "redo": ""}
    app.button(key="take-gone-maxTokens-758").click().run()

    assert not app.exception
    assert address(app)["maxTokens"] == "758"
    assert address(app)["at"] == str(was)  # the place of the boundary, which the chunk now holds
    costs = "leaves out 547 visible characters; a 512-token embedder misses 52 more tokens; the table is still cut"
    words = f"Boundary before line 35 removed: 3 chunks, was 4. Costs: {costs}, before line 36."
    assert change_line(app) == {"words": words, "undoable": True}
    after = run(document, Config.of("heading-window", {"maxTokens": 758}))
    assert was not in [chunk.body.end for chunk in after.chunks]
    assert f"<dt>Chunks</dt><dd><b>{len(after.chunks)}</b>" in html(app)
    assert steps(app) == {"undo": "maxTokens 758 → 750", "redo": ""}


def test_a_click_keeps_the_table_whole() -> None:
    app = page(document="sample:02-a-huge-table.md", strategy="heading-window", at="700")
    document = parse(TABLE, name="02-a-huge-table.md")

    assert "This boundary cuts the table (lines 11 to 74)." in html(app)
    assert html(app).index("How to keep this table whole") < html(app).index("How to remove this boundary")
    (button,) = [button for button in app.button if str(button.key).startswith("take-whole")]
    button.click().run()
    limit = int(address(app)["maxTokens"])
    after = run(document, Config.of("heading-window", {"maxTokens": limit}))
    table = document.block_at(700)

    assert table.kind == "table"
    assert not [chunk for chunk in after.chunks if table.span.start < chunk.body.end < table.content_end]


def test_the_buttons_of_the_chunk_before_and_after_are_named_in_words() -> None:
    app = page(document="sample:02-a-huge-table.md", strategy="heading-window", at="700")

    assert [button.label for button in app.button if str(button.key) in ("chunk-1", "chunk+1")] == [
        *("Previous chunk", "Next chunk")
    ]


def test_the_switch_of_the_rule_is_offered_first_and_then_what_changes_the_fewest_boundaries() -> None:
    text = ROOT.joinpath("sample_docs/10-an-api-reference.md").read_text()
    document, config = parse(text, name="10-an-api-reference.md"), Config.of("heading-window", {})
    before = run(document, config)
    ends = {chunk.body.end for chunk in before.chunks}
    found: dict[str, list[Removal]] = {}
    for chunk in before.chunks[:2]:
        explained = explain(document, config, offset=chunk.body.end)
        found[chunk.ended_by.rule] = by_effect(removals(before, explained).found, explained, before)

    assert [each.setting for each in found["second-h2"]] == ["h1Rule", "minTokensDeeper"]
    changed = [each.boundaries_changed for each in found["minimum-reached"]]
    assert len(changed) > 2
    assert changed == sorted(changed, key=lambda known: known or 0)
    first = found["minimum-reached"][0]
    after = {chunk.body.end for chunk in run(document, first.config).chunks}
    assert first.boundaries_changed == len(ends ^ after)


def test_what_costs_something_is_offered_after_what_does_not_and_before_what_only_moves_the_boundary() -> None:
    document, config = parse(TABLE, name="02-a-huge-table.md"), Config.of("heading-window", {"maxTokens": 2000})
    before = run(document, config)
    explained = explain(document, config, offset=before.chunks[0].body.end)
    found = removals(before, explained).found
    helps = replace(found[0], chunks=1, blocks_cut=before.metrics.blocks_cut, nearest_cut=None)
    worst = replace(helps, blocks_cut=before.metrics.blocks_cut + 2)
    moves = replace(helps, chunks=2, nearest_cut=document.text.index("| 103"))

    assert [each.blocks_cut for each in found] == [run(document, each.config).metrics.blocks_cut for each in found]
    assert by_effect([moves, worst, helps], explained, before) == [helps, worst, moves]
    assert drawbacks.of_removal(worst, before, explained.offset).words == "Costs: cuts 2 more blocks in two"
    assert drawbacks.of_removal(replace(worst, chunks=None), before, explained.offset) == NO_DRAWBACK


def test_one_state_offers_in_one_order_whatever_was_on_screen_before() -> None:
    clicked = page(document="sample:10-an-api-reference.md", strategy="heading-window", at="2000")
    clicked.button(key="take-gone-minTokens-646").click().run()
    place = address(clicked)["at"]
    at_once = page(document="sample:10-an-api-reference.md", strategy="heading-window", at=place, minTokens="646")

    assert len(offered(at_once, "gone")) > 1
    assert offered(clicked, "gone") == offered(at_once, "gone")


def test_what_only_moves_the_cut_is_told_apart_from_what_helps() -> None:
    document, config = parse(TABLE, name="02-a-huge-table.md"), Config.of("heading-window", {})
    before = run(document, config)
    torn = before.torn_boundaries[0].offset
    found = removals(before, explain(document, config, offset=torn)).found[0]
    whole = replace(found, still_cut_at=None, newly_left_out=0, newly_unread=0)
    still = replace(whole, blocks_cut=before.metrics.blocks_cut, torn=len(before.torn_boundaries))

    assert found.torn == len(run(document, found.config).torn_boundaries)
    assert drawbacks.of_removal(still, before, torn).words == (
        f"Only moves the cut: {counted(still.torn or 0, 'boundary', 'boundaries')} still cut a block in two"
    )
    assert drawbacks.of_removal(replace(still, newly_unread=1), before, torn).words.endswith(
        " still cut a block in two; a 512-token embedder misses 1 more token"
    )
    assert drawbacks.of_removal(replace(still, torn=0), before, torn).weight == Weight.NONE
    moved = replace(still, torn=0, chunks=still.chunks_before, nearest_cut=document.text.index("\n\n"))
    assert drawbacks.of_removal(moved, before, 0).words == "Only moves the boundary: 2 lines lower, before line 3"


def test_a_change_that_keeps_one_block_whole_and_cuts_another_helps_nothing() -> None:
    before = run(parse(TABLE, name="02-a-huge-table.md"), Config.of("heading-window", {}))
    cut = before.metrics.blocks_cut
    fix = Fix("maxTokens", 1, 2, before.config, 4, 3, (), (), True, cut)

    assert drawbacks.of_fix(fix, before, of_block=True).weight == Weight.CUTS_ANOTHER
    assert drawbacks.of_fix(fix, before, of_block=False) == NO_DRAWBACK
    assert drawbacks.of_fix(replace(fix, blocks_cut=cut - 1), before, of_block=True) == NO_DRAWBACK
    newly = replace(fix, blocks_cut=cut + 1, newly_cut=(Span(0, 1),))
    assert drawbacks.of_fix(newly, before, of_block=True).words == (
        "Costs: cuts 1 more block in two and cuts 1 mark that is whole now"
    )


def test_a_change_that_leaves_text_out_of_every_chunk_says_so_as_a_cost() -> None:
    document = parse(TABLE, name="02-a-huge-table.md")
    before = run(document, Config.of("heading-window", {"minTokens": 419}))
    offers = what_if._whole_block(before, document.block_at(2815)).offers

    assert [(each.label, each.drawback) for each in offers] == [
        (
            "Set Maximum `maxTokens` to 1,757",
            "Costs: leaves out 824 visible characters; a 512-token embedder misses 691 more tokens",
        )
    ]
    fix = Fix("maxTokens", 1, 2, before.config, 4, 3, (), (), True, before.metrics.blocks_cut + 1, 1)
    assert drawbacks.of_fix(fix, before, of_block=True).words == (
        "Costs: cuts 1 more block in two and leaves out 1 visible character"
    )
    already = run(document, before.config.with_settings({"maxTokens": 1757}))
    more = Move("maxTokens", 1, 2, before.config, 4, 3, True, already.metrics.blocks_cut, 12)
    assert drawbacks.of_move(more, already).words == "Costs: leaves out 12 more visible characters"


def test_a_change_that_keeps_a_table_whole_says_what_an_embedder_then_does_not_read_of_it() -> None:
    document, config = parse(TABLE, name="02-a-huge-table.md"), Config.of("heading-window", {})
    before = run(document, config)
    (offer,) = what_if._whole_block(before, document.block_at(700)).offers
    best = checked(document, config, [config.with_settings({"maxTokens": 2000})])

    assert best is not None
    assert offer.config == best.config
    assert offer.drawback == "Costs: a 512-token embedder misses 786 more tokens"
    assert best.unread[0] - best.unread[1] == 786


def test_a_removal_that_an_embedder_reads_less_of_comes_before_one_that_only_moves_the_cut() -> None:
    document, config = parse(TABLE, name="02-a-huge-table.md"), Config.of("heading-window", {"maxTokens": 2000})
    before = run(document, config)
    explained = explain(document, config, offset=before.chunks[0].body.end)
    first = removals(before, explained).found[0]
    gone = replace(first, chunks=1, nearest_cut=None)
    helps = replace(gone, blocks_cut=before.metrics.blocks_cut, newly_left_out=0, newly_unread=0)
    costs = replace(helps, newly_unread=1_200)
    moves = replace(helps, still_cut_at=explained.offset)

    assert drawbacks.of_removal(costs, before, explained.offset).words == (
        "Costs: a 512-token embedder misses 1,200 more tokens"
    )
    assert drawbacks.of_removal(replace(helps, newly_unread=-3), before, explained.offset) == NO_DRAWBACK
    assert by_effect([moves, costs, helps], explained, before) == [helps, costs, moves]


def test_a_change_that_moves_a_boundary_by_a_line_or_two_is_left_out_where_another_removes_it() -> None:
    text = ROOT.joinpath("sample_docs/10-an-api-reference.md").read_text()
    before = run(parse(text, name="10-an-api-reference.md"), Config.of("block-packing", {}))
    offset = next(chunk.body.end for chunk in before.chunks if chunk.body.start <= 300 < chunk.body.end)
    explained = explain(before.document, before.config, offset=offset)
    removes, moves = sorted(removals(before, explained).found, key=lambda each: each.setting, reverse=True)
    there_now = replace(moves, nearest_cut=before.chunks[1].body.end)

    assert (removes.setting, moves.setting) == ("minFill", "maxTokens")
    assert drawbacks.of_removal(moves, before, offset).words == (
        "Only moves the boundary: 2 lines higher, inside line 6"
    )
    assert by_effect([moves, removes], explained, before) == [removes]
    assert by_effect([moves], explained, before) == [moves]
    assert by_effect([there_now, removes], explained, before) == [removes, there_now]
    assert drawbacks.of_removal(there_now, before, offset).words == (
        "Only moves the boundary: the nearest is then before line 19"
    )
    unknown = replace(removes, chunks=None, torn=None)  # of a long document nobody knows yet
    assert by_effect([unknown, moves], explained, before) == [unknown, moves]


def test_where_the_block_is_still_cut_a_removal_only_moves_the_cut_and_says_where_to() -> None:
    items = "".join(f"- {n} water in the kettle\n" for n in range(60))
    document = parse(f"# Kettle\n\n{items}", name="k.md")
    before = run(document, Config.of("heading-window", {"minTokens": 20, "minTokensDeeper": 20, "maxTokens": 100}))
    torn = before.torn_boundaries[0].offset
    found = removals(before, explain(document, before.config, offset=torn)).found
    smaller = next(each for each in found if each.setting == "maxTokens")
    still = [each.offset for each in run(document, smaller.config).torn_boundaries]
    assert smaller.still_cut_at == min(still, key=lambda each: abs(each - torn))
    fewer = replace(smaller, torn=len(before.torn_boundaries) - 1, newly_left_out=0)
    line = document.line_of(smaller.still_cut_at)

    assert drawbacks.of_removal(fewer, before, torn).words == (
        f"Only moves the cut: the list is still cut, before line {line}"
    )
    costly = replace(fewer, blocks_cut=before.metrics.blocks_cut + 1)
    assert drawbacks.of_removal(costly, before, torn).words == (
        f"Costs: cuts 1 more block in two; the list is still cut, before line {line}"
    )
    unknown = replace(fewer, chunks=None, torn=None, blocks_cut=None, newly_left_out=None, newly_unread=None)
    assert drawbacks.of_removal(unknown, before, torn).weight == Weight.ONLY_MOVES
    assert drawbacks.of_removal(replace(fewer, still_cut_at=None, torn=0), before, torn) == NO_DRAWBACK


def test_folds_say_each_number_once_and_name_what_does_not_matter() -> None:
    said = html(page(document="sample:10-an-api-reference.md", strategy="heading-window", at="700"))

    assert "<code>minTokensDeeper</code> 500: stays from 107 (goes at 106) and at any higher value</li>" in said
    assert "<li>These settings do not matter here: Minimum <code>minTokens</code>, Maximum <code>" in said
    assert (
        "<li>Line 8, Authentication: the chunk had 106 tokens there, fewer than Minimum before a subsection "
        "<code>minTokensDeeper</code> (500).</li>"
    ) in said


def test_a_strategy_without_settings_says_so() -> None:
    app = page(document="sample:02-a-huge-table.md", strategy="every-heading", at="0")

    assert offered(app, "gone") == []
    assert "No setting can move it: this strategy has none." in html(app)


def test_a_boundary_that_no_setting_moves_says_so() -> None:
    app = page(document="sample:10-an-api-reference.md", strategy="section-rules", at="1662")

    assert not app.exception
    assert offered(app, "gone") == []
    assert "No single setting removes it." in html(app)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (250, 263, "Set `minTokens` to 263"),
        (0.75, 0.19, "Set `minTokens` to 0\\.19"),
        (True, False, "Turn off `minTokens`"),
        (False, True, "Turn on `minTokens`"),
        ("skip", "merge", "Set `minTokens` to merge"),
    ],
)
def test_a_button_says_what_it_sets(before: object, after: object, said: str) -> None:
    assert action(change(before, after)) == said


def test_an_offer_that_was_taken_says_what_became_of_the_boundary_until_something_else_is_chosen() -> None:
    app = page(document="sample:10-an-api-reference.md", strategy="heading-window", at="700")
    assert change_line(app) == {"words": "", "undoable": False}
    app.button(key="take-gone-minTokensDeeper-106").click().run()
    assert change_line(app)["words"] == "Boundary before 'Conventions' moved, now before line 8: still 7 chunks."

    app.button(key="chunk+1").click().run()
    assert change_line(app) == {"words": "", "undoable": False}


def test_what_was_removed_is_named_by_its_heading_and_taken_back_is_back() -> None:
    text = ROOT.joinpath("sample_docs/10-an-api-reference.md").read_text()
    before = run(parse(text, name="10-an-api-reference.md"), Config.of("heading-window", {}))
    after = run(before.document, Config.of("heading-window", {"h1Rule": False}))
    end = before.chunks[1].body.end
    taken = Taken("", after.config, end, before.config, 900, end, boundaries(before))

    assert taken_words(taken, after) == "Boundary before 'Create a quote' removed: 6 chunks, was 7."
    back = replace(taken, config=before.config, selected=900, undone=True)
    assert taken_words(back, before) == "Undone: the boundary before 'Create a quote' is back: 7 chunks."


def test_what_was_taken_says_again_what_it_costs_and_headings_are_said_as_they_are() -> None:
    changelog = "sample:11-a-changelog.md"
    app = page(document=changelog, strategy="heading-window", at="200")
    app.button(key="take-gone-minTokens-251").click().run()
    assert change_line(app)["words"] == (
        "Boundary before '2.8.2: parcel sizes' removed: 3 chunks, was 4. Costs: leaves out 428 visible characters."
    )


def test_of_a_boundary_that_was_moved_it_is_said_where_it_is_and_where_the_old_one_stays_too() -> None:
    text = ROOT.joinpath("sample_docs/10-an-api-reference.md").read_text()
    before = run(parse(text, name="10-an-api-reference.md"), Config.of("heading-window", {}))
    after = run(before.document, Config.of("every-heading", {}))
    stays, place = after.chunks[2].body.start, after.chunks[4].body.start
    taken = Taken("", after.config, place, before.config, None, stays, boundaries(before), moved_to=place)
    line = before.document.line_of(place)

    assert taken_words(taken, after) == f"Boundary added before line {line}: {len(after.chunks)} chunks, was 7."
    moved = taken_words(replace(taken, boundary=stays + 1), after)
    assert moved.endswith(f"moved, now before line {line}: {len(after.chunks)} chunks, was 7.")


def test_a_button_names_each_setting_by_its_title_before_its_yaml_name() -> None:
    off = Removal("h1Rule", True, False, Config.of("heading-window", {}), 4, 3, None, True)
    unit = Removal("unit", "characters", "tokens", Config.of("recursive", {}), 4, 3, None, True)
    wrapping = Config.of("contextual", {"base": {"strategy": "heading-window", "settings": {}}})
    inside = Removal("base.minTokens", 250, 263, wrapping, 4, 3, None, True)

    assert action(off) == 'Turn off "End an H1\'s chunk at its second H2" `h1Rule`'
    assert action(unit) == 'Set "Unit" `unit` to tokens'
    assert action(inside) == "Set Minimum `base.minTokens` to 263"


def test_the_outcome_says_what_the_setting_was_and_how_many_chunks_it_makes() -> None:
    assert outcome(change(250, 263)) == "was 250 · 3 chunks instead of 4"
    assert outcome(change(True, False, 4)) == "was on · still 4 chunks"
    assert outcome(change("skip", "merge")) == "was skip · 3 chunks instead of 4"
    fix = Fix("base.size", 1, 2, Config.of("fixed", {}), 1000, 2000, (), (), True, 0)
    assert outcome(fix) == "was 1 · 2,000 chunks instead of 1,000"


def test_where_the_cut_goes_instead_is_said() -> None:
    document = parse("one two\nthree\nfour\n", name="a.md")

    def moved(near: int | None) -> str:
        return moves_to(
            Removal("size", 1, 2, Config.of("fixed", {}), 4, 4, near, True), document, document.text.index("three")
        )

    assert moved(document.text.index("four")) == "the nearest boundary is then before line 3"
    assert moved(document.text.index("ree")) == "the nearest boundary is then inside line 2"
    assert (moved(None), moved(len(document.text))) == ("", "")


def test_a_block_is_cut_only_strictly_inside() -> None:
    document = parse("# A\n\n```\nx = 1\n```\n\nwords\n", name="a.md")
    code = document.blocks[1]

    assert cut_block(document, code.span.start) is None
    assert cut_block(document, code.content_end) is None
    assert cut_block(document, code.span.start + 2) == code
    assert cut_block(document, len(document.text)) is None
    assert block_name(code, document) == "code block (lines 3 to 5)"
    assert block_name(document.blocks[0], document) == "heading (line 1)"


def far_into_a_text() -> AppTest:
    text = "".join(f"## Part {n}\n\n{'word ' * 60}\n\n" for n in range(600))
    app = page(strategy="every-heading")
    app.file_uploader(key="uploads").set_value([("long.md", text.encode(), "text/markdown")]).run()
    app.session_state["chunkscope"].selected = FAR + 100
    return app.run()


def test_a_boundary_far_into_a_text_of_a_usual_length_is_explained_at_once() -> None:
    assert "No setting can move it: this strategy has none." in html(far_into_a_text())


def test_a_boundary_far_into_a_long_text_is_explained_when_somebody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(what_if, "LONG", FAR + 1000)
    app = far_into_a_text()
    assert "takes some seconds" in html(app)
    assert "How to remove this boundary" not in html(app)
    app.button(key="ask-about").click().run()

    assert not app.exception
    assert "No setting can move it: this strategy has none." in html(app)


def test_in_a_long_text_too_it_is_said_how_many_chunks_a_change_makes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(remove_boundary, "CUT_WHOLE", 0)
    app = page(document="sample:10-an-api-reference.md", strategy="heading-window", minTokens="233", at="2000")
    counts = re.findall(r"instead of \d|still \d+ chunk", html(app))

    assert len(counts) == len(offered(app, "gone")) > 1


def test_offers_stay_where_they_are_while_a_threshold_is_held_and_cannot_be_taken() -> None:
    app = page(document="sample:02-a-huge-table.md", strategy="heading-window", at="700")
    before = [button.label for button in app.button if str(button.key).startswith("take-")]
    assert len(before) > 1
    app.session_state["chunkscope"].dragging = True
    app.run()

    held = [button for button in app.button if str(button.key).startswith("take-")]
    assert [button.label for button in held] == before
    assert all(button.disabled for button in held)
    assert "as before the drag" in html(app)


def test_offers_of_another_boundary_are_not_shown_while_a_threshold_is_held() -> None:
    app = page(document="sample:02-a-huge-table.md", strategy="heading-window", at="700")
    app.session_state["chunkscope"].dragging = True
    app.session_state["chunkscope"].selected = 6_000
    app.run()

    assert not app.exception
    assert not [button for button in app.button if str(button.key).startswith("take-")]


def test_of_a_paragraph_that_is_kept_whole_it_is_not_said_that_another_block_is_cut() -> None:
    document = parse("word " * 1_000 + "\n", name="words.md")
    cut = run(document, Config.of("heading-window", {}))
    offers = what_if._whole_block(cut, document.block_at(0))

    assert len(cut.chunks) > 1
    assert [each.label for each in offers.offers][:1] == ["Set Maximum `maxTokens` to 1,001"]
    assert not [each for each in offers.offers if "another block" in each.drawback]
