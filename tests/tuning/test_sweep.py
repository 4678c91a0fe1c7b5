"""Settings over ranges: each cell is what a run with those settings gives, and nothing illegal ends
the sweep."""

from __future__ import annotations

import pytest
from sample_embedders import HashEmbedder

from chunking import Config, counter, parse, run
from chunking.document import Span
from chunking.errors import SettingError
from chunking.gold.questions import Question
from chunking.models.access import Tools
from chunking.tuning.sweeps import MAX_CELLS, Axis, axis_of, sweep

CONFIG = Config.of("heading-window", {"shortTail": "keep"}, "words")
GUIDE = parse("# Guide\n\none two three\n\n## Fill\n\nfour five\n\n## Boil\n\nsix\n", name="guide.md")
"""12 words: `# Guide one two three`, `## Fill four five`, `## Boil six` have 5, 4 and 3, their
marks counted."""
OTHER = parse("# Other\n\nseven eight\n", name="other.md")


def test_a_range_has_both_its_ends() -> None:
    assert axis_of(CONFIG, "minTokens=100:500:200") == Axis("minTokens", (100, 300, 500))


def test_a_range_of_fractions_has_the_numbers_that_a_person_would_write() -> None:
    semantic = Config.of("semantic", {})

    assert axis_of(semantic, "similarityThreshold=0.5:0.8:0.1").values == (0.5, 0.6, 0.7, 0.8)


def test_lists_hold_numbers_choices_and_switches() -> None:
    assert axis_of(CONFIG, "min_tokens=5, 7") == Axis("minTokens", (5, 7))
    assert axis_of(CONFIG, "shortTail=skip,merge").values == ("skip", "merge")
    assert axis_of(CONFIG, "h1Rule=true,false").values == (True, False)


def test_a_setting_that_is_a_list_takes_a_json_list_of_lists() -> None:
    rules = Config.of("section-rules", {})

    assert axis_of(rules, 'exclude=[["A, B"], []]').values == (["A, B"], [])


def test_a_wrapped_strategys_setting_is_named_after_a_dot() -> None:
    wrapping = Config.of("contextual", {"base": {"strategy": "fixed", "settings": {}}})

    assert axis_of(wrapping, "base.chunk_size=10,20") == Axis("base.chunkSize", (10, 20))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("minTokns=1,2", "did you mean minTokens?"),
        ("minTokens=500:100:50", "goes nowhere"),
        ("minTokens=1:5:0", "goes nowhere"),
        ("minTokens=1:999999999:1", f"at most {MAX_CELLS}"),
        ("minTokens=", "has no values"),
        ("minTokens=[1", "is not a JSON list"),
        ("minTokens.x=1", "wraps no strategy"),
    ],
)
def test_what_is_no_axis_is_refused_in_one_line(text: str, says: str) -> None:
    with pytest.raises(SettingError) as raised:
        axis_of(CONFIG, text)

    assert says in str(raised.value)
    assert "\n" not in str(raised.value)


def test_cells_come_in_order_with_the_last_axis_moving_fastest() -> None:
    axes = (Axis("minTokens", (0, 5)), Axis("maxTokens", (10, 20)))

    cells = list(sweep([GUIDE], CONFIG, axes))

    assert [(cell.at, cell.values) for cell in cells] == [
        ((0, 0), (0, 10)),
        ((0, 1), (0, 20)),
        ((1, 0), (5, 10)),
        ((1, 1), (5, 20)),
    ]


def test_a_cell_has_the_numbers_of_a_run_with_its_config() -> None:
    (cell,) = sweep([GUIDE], CONFIG, [Axis("minTokens", (5,))])
    assert cell.config is not None
    made = run(GUIDE, cell.config)

    assert cell.config == CONFIG.with_settings({"minTokens": 5})
    assert cell.chunks == made.metrics.chunk_count
    assert cell.median_tokens == made.metrics.median_tokens
    assert cell.tokens_to_embed == made.metrics.tokens_to_embed
    assert cell.cuts_inside_blocks == made.metrics.cuts_inside_blocks
    assert cell.under_share == made.metrics.under_minimum / made.metrics.chunk_count


def test_values_that_are_illegal_together_are_a_cell_with_the_reason() -> None:
    cells = {
        cell.values: cell for cell in sweep([GUIDE], CONFIG, [Axis("minTokens", (5, 20)), Axis("maxTokens", (10,))])
    }

    assert cells[5, 10].error == ""
    assert cells[20, 10].error == "minTokens: 20 is more than maxTokens (10); lower minTokens or raise maxTokens"
    assert cells[20, 10].config is None
    assert cells[20, 10].documents == 0


def test_a_value_of_the_wrong_kind_is_a_cell_with_the_reason() -> None:
    (cell,) = sweep([GUIDE], CONFIG, [axis_of(CONFIG, "minTokens=many")])

    assert cell.error.startswith("minTokens: 'many' is text; it takes a whole number")


def test_a_folder_of_documents_refines_each_cell_and_adds_up() -> None:
    fixed = Config.of("fixed", {"chunkSize": 100, "chunkOverlap": 0}, "words")

    cells = list(sweep([GUIDE, OTHER], fixed, [Axis("chunkSize", (100, 200))]))

    assert [(cell.at, cell.documents, cell.chunks) for cell in cells] == [
        ((0,), 1, 1),
        ((1,), 1, 1),
        ((0,), 2, 2),
        ((1,), 2, 2),
    ]
    assert cells[-1].tokens_to_embed == 12 + 4
    assert cells[-1].median_tokens == 8.0


def test_what_is_embedded_twice_is_the_duplicate_share() -> None:
    text = parse("aaaa bbbb cccc dddd ", name="n.md")
    windows = Config.of("fixed", {"chunkSize": 10, "chunkOverlap": 0}, "words")

    cells = list(sweep([text], windows, [Axis("chunkOverlap", (0, 5))]))

    # With an overlap of five characters: "aaaa bbbb ", "bbbb cccc ", "cccc dddd ": six words, four
    # of them new.
    assert [cell.tokens_to_embed for cell in cells] == [4, 6]
    assert [cell.duplicate_share for cell in cells] == [0.0, pytest.approx(1 / 3)]


def test_a_whole_chunk_that_repeats_an_earlier_one_is_in_the_duplicate_share() -> None:
    twice = parse("aaaa bbbb aaaa bbbb ", name="n.md")

    (cell,) = sweep([twice], Config.of("fixed", {"chunkOverlap": 0}, "words"), [Axis("chunkSize", (10,))])

    assert cell.chunks == 2
    assert cell.duplicate_share == 0.5


def test_questions_with_known_answers_add_the_answers_cut_and_precision_omega() -> None:
    text = parse("aaaa bbbb cccc dddd ", name="n.md")
    question = Question("which?", "n.md", (Span(5, 15),))  # "bbbb cccc "
    windows = Config.of("fixed", {"chunkOverlap": 0}, "words")

    cells = list(sweep([text], windows, [Axis("chunkSize", (10, 20))], gold=[question]))

    assert [cell.answers_cut for cell in cells] == [1, 0]
    assert [cell.precision_omega for cell in cells] == [0.5, 0.5]
    assert [cell.answers_cut for cell in sweep([OTHER], windows, [Axis("chunkSize", (10,))], gold=[question])] == [None]


def test_whoever_stops_asking_cancels_the_rest() -> None:
    done: list[int] = []
    cells = sweep([GUIDE], CONFIG, [Axis("minTokens", tuple(range(50)))], progress=lambda at, _: done.append(at))

    next(cells)
    next(cells)
    cells.close()  # type: ignore[attr-defined]

    assert done == [1, 2]


def test_progress_counts_the_cuts_of_all_documents() -> None:
    done: list[tuple[int, int]] = []
    axes = (Axis("minTokens", (0, 20)), Axis("maxTokens", (10, 30)))

    list(sweep([GUIDE, OTHER], CONFIG, axes, progress=lambda *each: done.append(each)))

    assert done == [(1, 6), (2, 6), (3, 6), (4, 6), (5, 6), (6, 6)]


def test_a_swept_threshold_asks_the_embedder_once() -> None:
    asked = HashEmbedder()
    semantic = Config.of("semantic", {})
    document = parse("The cat sat. The dog ran. Rain fell on the roof. It was late.", name="n.md")

    cells = list(
        sweep(
            [document],
            semantic,
            [Axis("similarityThreshold", (0.1, 0.5, 0.9))],
            tools=Tools(counter(semantic.counter), embedder=asked),
        )
    )

    assert len(cells) == 3
    assert len(asked.calls) == 1


def test_a_document_without_chunks_has_numbers_and_no_shares() -> None:
    (cell,) = sweep([parse(" \n", name="blank.md")], CONFIG, [Axis("minTokens", (5,))])

    assert (cell.chunks, cell.median_tokens, cell.under_share, cell.duplicate_share) == (0, 0.0, None, 0.0)


@pytest.mark.parametrize(
    ("axes", "says"),
    [
        ([], "0 settings; sweep one or 2"),
        ([Axis("minTokens", (1,)), Axis("maxTokens", (9,)), Axis("lookahead", (True,))], "3 settings"),
        ([Axis("minTokens", (1,)), Axis("minTokens", (2,))], "is swept twice"),
        ([Axis("minTokens", tuple(range(101))), Axis("maxTokens", tuple(range(101)))], "10201 cells; at most 10000"),
    ],
)
def test_axes_that_make_no_sweep_are_refused(axes: list[Axis], says: str) -> None:
    with pytest.raises(SettingError) as raised:
        list(sweep([GUIDE], CONFIG, axes))

    assert says in str(raised.value)


def test_what_is_known_comes_first_and_is_not_measured_again() -> None:
    axes = (Axis("minTokens", (0, 5)), Axis("maxTokens", (10, 20)))
    measured = {cell.at: cell for cell in sweep([GUIDE], CONFIG, axes)}
    done: list[tuple[int, int]] = []

    cells = list(
        sweep(
            [GUIDE],
            CONFIG,
            axes,
            known={(0, 1): measured[0, 1], (1, 0): measured[1, 0]},
            progress=lambda *each: done.append(each),
        )
    )

    assert [cell.at for cell in cells] == [(0, 1), (1, 0), (0, 0), (1, 1)]
    assert {cell.at: cell for cell in cells} == measured
    assert done == [(1, 2), (2, 2)]


def test_a_sweep_that_is_stopped_measures_no_more() -> None:
    came: list[tuple[int, ...]] = []
    cells = sweep([GUIDE], CONFIG, [Axis("minTokens", (0, 1, 2, 3))], stopped=lambda: len(came) == 2)

    for cell in cells:
        came.append(cell.at)

    assert came == [(0,), (1,)]
