"""What Tune says and draws of a sweep, without Streamlit: measures, contours, figures, legends."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace

from plotly.colors import sample_colorscale  # type: ignore[import-untyped]

from chunking import Config, parse
from chunking.tuning.summary import INVARIANTS, ConfigSummary, Invariant
from chunking.tuning.sweeps import Axis, Cell, sweep, with_summary
from pages.ui.layout.drawbacks import NO_DRAWBACK, of_config
from pages.ui.tune import charts, markup
from pages.ui.tune.measures import MEASURES, SHORTLY, broken_words, figures, holds, measure, measures, met_without
from pages.ui.tune.sweep_verdict import far_words, nearest, verdict_words

WINDOW = Config.of("heading-window", {}, "words")
FIXED = Config.of("fixed", {"chunkOverlap": 0}, "words")
WORDS = parse("aaaa bbbb cccc dddd ", name="w.md")


def test_measures_of_answers_are_there_only_with_questions() -> None:
    assert "precision_omega" not in {each.name for each in measures(questions=False, whole=False)}
    assert measures(questions=True, whole=True) == MEASURES


def test_a_share_by_another_limit_is_not_called_better_and_names_that_limit() -> None:
    wide, narrow = (
        Config.of("heading-window", {"minTokens": each, "maxTokens": 2000}).strategy.limits() for each in (1250, 50)
    )
    now, was = ConfigSummary(under_share=0.0, over_share=0.0), ConfigSummary(under_share=0.143, over_share=0.1)
    under, over = (measure(name) for name in ("under_share", "over_share"))

    first, second = figures(now, was, (under, over), (narrow, wide))
    assert (first.was, first.verdict) == ("14.3% by a minimum of 1,250", "")
    assert (second.was, second.verdict) == ("10%", "better")
    assert [each.verdict for each in figures(now, was, (under,), (wide, wide))] == ["better"]


def test_a_strategy_without_a_minimum_has_no_measure_of_it() -> None:
    packing = Config.of("block-packing", {}).strategy.limits()
    names = {each.name for each in measures(questions=False, whole=False, limits=packing)}

    assert "under_share" not in names
    assert "over_share" in names


def test_numbers_are_written_by_their_unit() -> None:
    numbers = ConfigSummary(chunks=1234, under_share=0.125, precision_omega=0.4567)

    assert measure("chunks").text(numbers) == "1,234"
    assert measure("under_share").text(numbers) == "12.5%"
    assert measure("precision_omega").text(numbers) == "0.457"
    assert measure("over_share").text(numbers) == "–"


def test_what_does_not_hold_is_counted_in_words() -> None:
    numbers = ConfigSummary(chunks=9, code_cut=2, left_out=1500)

    # Inspect's "Within limits" counts chunks under the minimum too.
    assert SHORTLY["within-limits"] == "none over the maximum"
    assert broken_words(numbers, tuple(INVARIANTS)) == ["2 code blocks cut", "1,500 visible characters left out"]
    assert holds(numbers, ("tables-whole",))
    assert not holds(numbers, ("tables-whole", "code-whole"))


def test_the_requirement_that_excludes_most_comes_first() -> None:
    cells = [ConfigSummary(left_out=1), ConfigSummary(left_out=2), ConfigSummary(code_cut=1), ConfigSummary()]
    must: tuple[Invariant, ...] = ("code-whole", "tables-whole", "nothing-left-out")

    assert met_without(cells, must) == [("nothing-left-out", 3), ("code-whole", 2)]
    assert met_without([ConfigSummary(left_out=1, code_cut=1)], must) == []


def test_fewer_cuts_are_better_and_chunks_are_neither() -> None:
    cut, chunks = measure("cuts_inside_blocks"), measure("chunks")
    shown = figures(
        ConfigSummary(chunks=5, cuts_inside_blocks=1), ConfigSummary(chunks=9, cuts_inside_blocks=3), [cut, chunks]
    )

    assert [(each.now, each.was, each.verdict) for each in shown] == [("1", "3", "better"), ("5", "9", "")]


def test_the_contour_goes_around_what_holds() -> None:
    # Two cells side by side: six edges in half-steps around them, and none between them.
    edges = charts.contour({(0, 0), (1, 0)})

    assert sorted(edges) == [
        ((-1, -1), (-1, 1)),
        ((-1, -1), (1, -1)),
        ((-1, 1), (1, 1)),
        ((1, -1), (3, -1)),
        ((1, 1), (3, 1)),
        ((3, -1), (3, 1)),
    ]


def swept() -> tuple[list[Cell], tuple[Axis, ...]]:
    axes = (Axis("minTokens", (0, 20)), Axis("maxTokens", (10, 30)))
    return list({cell.at: cell for cell in sweep([WORDS], WINDOW, axes)}.values()), axes


def test_a_heat_map_shows_each_cell_and_says_it_when_hovered() -> None:
    cells, axes = swept()
    figure = charts.heat_map(cells, axes, measure("chunks"), MEASURES[:2], ("code-whole",), (0, 10), (20, 30))
    drawn = json.loads(figure.to_json())["data"]
    names = [trace.get("name") for trace in drawn]
    targets = drawn[-1]

    assert drawn[0]["z"] == [[1, None], [1, 1]]
    assert names.count("meets all requirements") == 1
    assert names.count("now") == names.count("chosen") == 2
    # Around the number of its cell, of which two digits are 14 px wide.
    assert {trace["marker"]["size"] for trace in drawn if trace.get("name") in ("now", "chosen")} == {25}
    assert [custom[0] for custom in targets["customdata"]] == [0, 1, 2, 3]
    illegal = next(words for _, words in targets["customdata"] if "more than maxTokens" in words)
    assert "minTokens 20, maxTokens 10" in illegal


def test_a_heat_map_has_nothing_beside_it_but_the_values_of_its_second_axis() -> None:
    """13 columns in the 367 pixels that a phone has are 24 wide."""
    axes = Axis("chunkSize", (10, 400)), Axis("chunkOverlap", (0, 5))
    cells = list({cell.at: cell for cell in sweep([parse("some words\n\n" * 9)], FIXED, axes)}.values())
    figure = charts.heat_map(cells, axes, measure("chunks"), MEASURES, (), (10, 0), None)

    assert (367 - figure.layout.margin.l - figure.layout.margin.r) / 13.1 > 24
    assert figure.data[0].colorbar.orientation == "h"
    assert figure.layout.yaxis.title.text is None
    assert figure.layout.annotations[0].text == "chunkOverlap"


def test_colours_go_by_the_logarithm_where_one_value_would_leave_all_others_alike() -> None:
    most_alike = [7.0, 8.0, 9.0, 7.0, 11.0, 8.0, 400.0]

    assert charts.is_skewed(most_alike)
    assert not charts.is_skewed([10.0, 40.0, 70.0, 100.0])
    assert not charts.is_skewed([0.1, 0.1, 0.9])  # too near to each other to say anything
    assert not charts.is_skewed([])
    assert (charts.shade(7, 7, 400), charts.shade(400, 7, 400)) == (0, 1)
    assert charts.shade(11, 7, 400) > 0.25
    axes = Axis("chunkSize", (10, 400, 500, 600, 700, 800)), Axis("chunkOverlap", (0, 5))
    cells = list({cell.at: cell for cell in sweep([parse("some words\n\n" * 200)], FIXED, axes)}.values())
    heat = charts.heat_map(cells, axes, measure("chunks"), MEASURES, (), (10, 0), None).to_dict()["data"][0]
    assert (min(heat["z"][0]), max(heat["z"][1])) == (0, 1)
    assert heat["colorbar"]["ticktext"][-1] == f"{max(measure('chunks').of(cell) or 0 for cell in cells):,}"


def test_the_current_value_what_meets_all_and_the_ends_are_labelled_first_where_there_is_room() -> None:
    assert charts.labelled(6, [4, 0, 5], 1) == [0, 1, 2, 3, 4, 5]
    # Of 30 values each third has a label, and 28 as the current one in place of its neighbours.
    assert charts.labelled(30, [28, 0, 29], 3)[-2:] == [24, 28]
    assert charts.labelled(30, [16, 28, 0, 29], 1)[-4:] == [24, 27, 28, 29]

    # As many rows as the highest chart has; the last one alone meets all.
    axes = (Axis("across", (1, 2)), Axis("up", tuple(range(40))))
    numbers = {
        (column, row): ConfigSummary(documents=1, chunks=row, code_cut=row != 39)
        for column in (1, 2)
        for row in range(40)
    }
    cells = [
        with_summary(Cell(at=(column - 1, row), values=(column, row), config=FIXED), summary)
        for (column, row), summary in numbers.items()
    ]
    figure = charts.heat_map(cells, axes, measure("chunks"), MEASURES, ("code-whole",), (1, 17), None)
    shown = figure.layout.yaxis.ticktext
    assert {"0", "17", "39"} <= set(shown)


def test_the_number_of_a_cell_has_contrast_on_every_colour_of_the_scale() -> None:
    def luminance(colour: Sequence[float]) -> float:
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    for colour in sample_colorscale(charts.COLOURS, [step / 200 for step in range(201)], colortype="tuple"):
        written = [int(charts.ink(colour)[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        dark, light = sorted([luminance(colour), luminance(written)])
        assert (light + 0.05) / (dark + 0.05) >= 4.5, colour


def test_each_cell_of_a_heat_map_has_its_number() -> None:
    cells, axes = swept()
    drawn = json.loads(charts.heat_map(cells, axes, measure("chunks"), MEASURES, (), (0, 10), None).to_json())["data"]

    (numbers,) = [trace for trace in drawn if trace.get("mode") == "text"]
    assert sorted(zip(numbers["x"], numbers["y"], numbers["text"], strict=True)) == [
        (0, 0, "1"),
        (0, 1, "1"),
        (1, 1, "1"),
    ]


def test_a_chart_is_heard_as_a_sentence_with_its_least_and_greatest_number() -> None:
    cells, axes = swept()
    heat = charts.heat_map(cells, axes, measure("chunks"), MEASURES, (), (0, 10), None)
    by_size = Axis("chunkSize", (5, 10, 20))
    sizes = list(sweep([WORDS], FIXED, [by_size]))
    line = charts.line_chart(sizes, by_size, measure("chunks"), MEASURES, (), (10,), None)
    none_yet = charts.line_chart([], by_size, measure("chunks"), MEASURES, (), (10,), None)

    assert heat.layout.meta == (
        "Heat map of Chunks by minTokens and maxTokens: least 1 at minTokens 0, maxTokens 10; "
        "greatest 1 at minTokens 0, maxTokens 10"
    )
    assert line.layout.meta == "Line chart of Chunks by chunkSize: least 1 at chunkSize 20; greatest 4 at chunkSize 5"
    assert none_yet.layout.meta == "Line chart of Chunks by chunkSize: nothing is measured yet"


def test_hostile_settings_and_errors_are_only_text_in_a_hover() -> None:
    cell = Cell(at=(0,), values=("<b>x</b>",), config=None, error="<script>")
    figure = charts.line_chart([cell], Axis("<i>s</i>", ("<b>x</b>",)), MEASURES[0], MEASURES, (), (0,), None)
    figure.layout.meta = None  # what is heard is an attribute's text, and no markup

    assert not re.search("<(script|i)>|<b>x", figure.to_json().encode().decode("unicode_escape"))


def test_a_line_is_shaded_where_all_holds() -> None:
    axis = Axis("chunkSize", (5, 10, 20))
    cells = list(sweep([WORDS], FIXED, [axis]))
    cells[1] = replace(cells[1], code_cut=1)
    figure = charts.line_chart(cells, axis, measure("chunks"), MEASURES, ("code-whole",), (10,), None)

    assert list(figure.data[0].y) == [4, 2, 1]
    # Half-way from 5 to 10 and from 10 to 20, and as far beyond the ends.
    assert [(band.x0, band.x1) for band in figure.layout.shapes] == [(2.5, 7.5), (15, 25)]
    assert list(figure.data[0].x) == [5, 10, 20]


def test_the_legend_names_only_what_is_there() -> None:
    cells, _ = swept()
    legend = markup.legend(cells, ("code-whole",), (0, 10), None, lines=False)

    assert "3 of 3 meet all requirements" in legend
    assert "the current config" in legend
    assert "1 impossible (minimum above maximum)" in legend
    assert "selected" not in legend
    failing = [replace(cell, code_cut=1) for cell in cells]
    of_none = markup.legend(failing, ("code-whole",), (0, 10), None, lines=False)
    assert "requirements" not in of_none  # the sentence above the map says it
    assert of_none.count("<span>") == of_none.count("<i ") == 2


def test_a_sweep_names_the_combination_of_the_fewest_steps_that_meets_all_requirements() -> None:
    axes = (Axis("chunkSize", (100, 200, 300, 400)),)

    def cell(size: int, code_cut: int) -> Cell:
        summary = ConfigSummary(documents=1, chunks=9, tokens_to_embed=size, code_cut=code_cut)
        return with_summary(Cell(at=(0,), values=(size,), config=FIXED), summary)

    must: tuple[Invariant, ...] = ("code-whole",)
    cells = [cell(100, 0), cell(200, 2), cell(300, 1), cell(400, 0)]

    assert nearest(cells, axes, must, (300,)) == cells[3]
    assert verdict_words(cells, axes, must, (300,)) == (
        "The current config misses 1 requirement: 1 code block cut. 2 of 4 combinations meet all; the nearest is "
        "chunkSize 400."
    )
    assert nearest(cells, axes, must, (400,)) is None
    meets = "The current config meets all requirements, and so does 1 of the 3 others."
    assert verdict_words(cells, axes, must, (400,)) == meets
    none = "No combination measured here meets all of them. A wider range may."
    assert verdict_words(cells[1:3], axes, must, (200,)).endswith(none)
    assert verdict_words(cells, axes, (), (300,)) == ""


def test_a_nearest_combination_that_is_far_away_says_where_the_current_config_stands() -> None:
    axes = (Axis("Maximum", (500, 750, 1400, 2000)), Axis("Overlap", (0, 10, 40)))

    def far(maximum: int, overlap: int) -> str:
        return far_words(axes, Cell(at=(0, 0), values=(maximum, overlap), config=FIXED), (750, 0))

    assert far(2000, 0) == "That is far from the current settings: Maximum is 750 now."
    assert far(500, 40) == "That is far from the current settings: Overlap is 0 now."
    assert far(1400, 10) == ""


def test_another_config_names_what_it_costs_in_the_words_of_an_offer() -> None:
    now = ConfigSummary(documents=1, chunks=10, blocks_cut=1, left_out=5, under_share=0.1)
    worse = replace(now, blocks_cut=3, left_out=45, under_share=0.3)

    assert of_config(worse, now, unread=36_451).words == (
        "Costs: cuts 2 more blocks in two, leaves out 40 more visible characters and leaves 2 more chunks under the "
        "minimum; a 512-token embedder misses 36,451 more tokens"
    )
    assert of_config(now, worse, unread=-3) == NO_DRAWBACK
