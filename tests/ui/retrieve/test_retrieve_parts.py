"""The Retrieve page's parts without Streamlit: link, corpus, passages, markup, words."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from chunking import Config, Document, Span, parse, run
from chunking.gold.questions import Question
from chunking.retrieval.curves import Curve
from chunking.retrieval.evaluation import Evaluation
from chunking.retrieval.ranking import Embedded, Ranked
from chunking.retrieval.standings import leaderboard
from pages.ui.choices.retrieving import Retrieving, read_retrieving, write_retrieving
from pages.ui.retrieve import markup, messages
from pages.ui.retrieve.charts import intervals_figure
from pages.ui.retrieve.chunked_corpus import ChunkedCorpus, HitPiece, answers_to, pieces_of, with_unique_names
from pages.ui.retrieve.curve_chart import curve_figure
from pages.ui.retrieve.hits import ReturnedStretch, first_rank, results
from pages.ui.retrieve.tables import questions
from pages.ui.retrieve.throughput import Pace

TEA = parse("# Tea\n\nBoil water.\n\n# Pot\n\nWarm it <b>well</b>.\n", name="tea.md")
BOIL = Span(TEA.text.index("Boil"), TEA.text.index("water.") + 6)
ASKED = Question("What is boiled?", "tea.md", (BOIL,))


def shelf(*documents: Document, strategy: str = "every-heading", counter: str = "words") -> ChunkedCorpus:
    config = Config.of(strategy, {})
    return ChunkedCorpus(with_unique_names(documents), tuple(run(document, config) for document in documents), counter)


def ranked(*numbers: int) -> list[Ranked]:
    return [Ranked(at, 1 / rank, None, 1 / rank) for rank, at in enumerate(numbers, start=1)]


# ---- the link ----


def test_the_link_holds_what_differs_and_brings_it_back() -> None:
    told = Retrieving("how?", "bm25", "tokens", 5, 750, "published", "mrr", all_documents=True, neighbours=2)
    query = write_retrieving(told)

    assert query == {
        "q": "how?",
        "search": "bm25",
        "equal": "tokens",
        "tokens": "750",
        "mode": "published",
        "metric": "mrr",
        "over": "all",
        "neighbours": "2",
    }
    assert read_retrieving(query) == told
    assert write_retrieving(Retrieving()) == {}


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ({"top": "0"}, "top: '0' is not a number from 1 to 50"),
        ({"neighbours": "21"}, "neighbours: '21' is not a number from 0 to 20"),
        ({"tokens": "1e5"}, "tokens: '1e5' is not a number from 1 to 100,000"),
        ({"search": "magic"}, "search: 'magic' is not one of the choices; there are: hybrid, cosine, bm25"),
    ],
)
def test_what_a_link_gets_wrong_is_said_and_left_at_its_default(query: dict[str, str], problem: str) -> None:
    told = read_retrieving(query)

    assert told.problem == problem
    assert write_retrieving(told) == {}


# ---- documents, chunks and answers ----


def test_two_documents_of_one_name_are_told_apart() -> None:
    other = parse("# Other\n\ntext\n", name="tea.md")
    of = shelf(TEA, other)

    assert [document.name for document in of.documents] == ["tea.md", "tea.md (2)"]
    assert [passage.document for passage in of.passages("strict")] == ["tea.md", "tea.md", "tea.md (2)"]
    assert [number for number, _ in of.chunks] == [0, 0, 1]


def test_passages_are_counted_by_the_counter_of_the_comparison() -> None:
    assert [passage.tokens for passage in shelf(TEA).passages("strict")] == [4, 5]


def test_an_answer_is_marked_where_the_text_is_the_documents_and_context_is_told_from_it() -> None:
    chunk = run(TEA, Config.of("every-heading", {})).chunks[0]

    assert pieces_of(chunk, TEA, [BOIL]) == (
        HitPiece("# Tea\n\n"),
        HitPiece("Boil water.", gold=True),
    )


def test_a_question_is_known_however_it_is_spaced_and_cased() -> None:
    assert answers_to("  what is  BOILED? ", [ASKED], "tea.md") == (BOIL,)
    assert answers_to("What is boiled?", [ASKED], "pot.md") == ()
    assert answers_to("What is warmed?", [ASKED], "tea.md") == ()


def test_at_equal_chunks_so_many_are_taken_and_they_say_what_they_hold_of_the_answer() -> None:
    told = Retrieving("What is boiled?", "bm25", chunks=1)
    first, second = results(shelf(TEA), told, ranked(0, 1), [ASKED]), results(shelf(TEA), told, ranked(1, 0), [ASKED])

    assert [(each.rank, each.tokens, each.holds) for each in first.found] == [(1, 4, "the answer")]
    assert (first.tokens, first.recall, second.recall) == (4, 1.0, 0.0)


def test_a_hit_with_neighbours_says_what_it_gives_back_and_shows_it_around_its_own_text() -> None:
    told = Retrieving("What is boiled?", "bm25", chunks=2, neighbours=1)
    of = results(shelf(TEA), told, ranked(1, 0), [ASKED])
    first = of.found[0]

    assert (first.tokens, first.holds, first.returned) == (5, "the answer", ReturnedStretch(9, 1, 7))
    assert (of.tokens, of.recall) == (9, 1.0)
    assert [(piece.gold, piece.added) for piece in first.pieces if piece.text.strip()] == [
        (False, True),
        (True, True),
        (False, False),
    ]
    assert "gives back 9 tokens, lines 1 to 7" in markup.head(first)
    assert "gives back the answer" in markup.head(first)


def test_at_equal_tokens_as_many_are_taken_as_fit() -> None:
    told = Retrieving("anything", "bm25", "tokens", tokens=9)

    assert [each.tokens for each in results(shelf(TEA), told, ranked(1, 0), []).found] == [5, 4]
    assert results(shelf(TEA), Retrieving("anything", "bm25", "tokens", tokens=4), ranked(1, 0), []).found == ()
    assert results(shelf(TEA), told, ranked(1, 0), []).recall is None


def test_an_answer_that_was_not_retrieved_is_said_to_be_further_down() -> None:
    told = Retrieving("What is boiled?", "bm25", chunks=1)

    assert first_rank(shelf(TEA), told, [1, 0], [ASKED]) == 2
    assert first_rank(shelf(TEA), told, [1], [ASKED]) is None
    assert messages.missed(12, 2_100) == "The answer comes up at rank 12 of 2,100."


def test_that_one_config_gives_much_more_text_is_said_from_a_quarter_more_on() -> None:
    said = "A gives 58% more text than B: they are not compared at the same cost."
    assert messages.uneven("AB", [5821, 3681]) == said
    assert messages.uneven("ABC", [110, 100, 125]).startswith("C gives 25% more text than B:")
    assert messages.uneven("AB", [124, 100]) == messages.uneven("", []) == messages.uneven("A", [9]) == ""


def test_what_came_of_a_question_is_told_in_a_sentence_that_is_another_one_for_another_question() -> None:
    of = shelf(TEA)
    found = results(of, Retrieving(ASKED.text, chunks=1), ranked(0, 1), [ASKED])
    came = [messages.came("A Every heading", found), messages.came("B Fixed size", replace(found, recall=None)), None]

    assert messages.told("Tea?", came) == (
        "A Every heading: 1 chunk, 4 tokens, 100% of the answer found; B Fixed size: 1 chunk, 4 tokens; "
        'retrieved for "Tea?"'
    )
    assert messages.told("Pot?", came) != messages.told("Tea?", came)
    assert messages.told("a" * 81, came).endswith(f'"{"a" * 79}…"')
    assert messages.told("", ["", None]) == ""


def test_a_part_of_an_answer_is_said_to_be_one() -> None:
    across = Question("Both?", "tea.md", (Span(BOIL.start, BOIL.end + 7),))  # up to "# Pot"
    found = results(shelf(TEA), Retrieving("Both?", "bm25", chunks=2), ranked(0, 1), [across])

    assert [each.holds for each in found.found] == ["part of the answer", "part of the answer"]
    assert found.recall == (11 + 5) / 18  # the blank line between the chunks is in neither
    assert [round(each.share * 18) for each in found.found] == [11, 5]
    head = markup.head(found.found[0])
    assert '<span class="cs-holds cs-part">contains part of the answer (61%)</span>' in head


def test_a_whole_answer_has_no_share_and_all_but_one_character_is_not_all() -> None:
    found = results(shelf(TEA), Retrieving("What is boiled?", "bm25", chunks=1), ranked(0), [ASKED])

    assert '<span class="cs-holds">contains the answer</span>' in markup.head(found.found[0])
    assert [messages.share(part) for part in (0, 0.001, 0.5, 0.999, 1)] == ["0%", "1%", "50%", "99%", "100%"]


def test_where_half_of_all_chunks_are_retrieved_that_is_said_to_be_too_easy() -> None:
    both = results(shelf(TEA), Retrieving("x", "bm25", chunks=2), ranked(0, 1), [])
    many = replace(both, chunks=5)

    assert "2 of 2 chunks returned: too many to show a difference" in markup.total(both)
    assert "too many" not in markup.total(many)


def test_the_axis_of_a_share_ends_at_0_and_1() -> None:
    cut = ((),) * 4
    all_ = leaderboard({"A": Evaluation(3, {"recall": (1.0,) * 4}, cut, cut, 0.0, 9)})
    none = leaderboard({"A": Evaluation(3, {"recall": (0.0,) * 4}, cut, cut, 0.0, 9)})

    assert intervals_figure(all_, ["A"]).layout.xaxis.range[1] == 1.0
    assert intervals_figure(none, ["A"]).layout.xaxis.range[0] == 0.0


# ---- what is shown ----


def test_a_passage_is_only_text() -> None:
    found = results(shelf(TEA), Retrieving("x", "bm25"), ranked(1, 0), [ASKED]).found
    shown = markup.passage(found[0], "A")

    assert "Warm it &lt;b&gt;well&lt;/b&gt;." in shown
    assert "<b>" not in shown


def test_words_that_were_asked_stand_out_as_words_and_stay_text() -> None:
    (hit,) = results(shelf(TEA), Retrieving("x", "bm25"), ranked(0), []).found
    hit = replace(hit, pieces=(HitPiece("Warm <b>, warmth, WARM & 水茶"),))

    shown = markup.passage(hit, "A", {"warm", "b", "茶"})
    said = [f'<b class="cs-asked">{word}</b>' for word in ("Warm", "b", "WARM", "茶")]
    assert f"{said[0]} &lt;{said[1]}&gt;, warmth, {said[2]} &amp; 水{said[3]}</div>" in shown


def test_what_stands_long_before_the_answer_is_folded_at_the_start_of_a_line() -> None:
    line = "x" * 49 + "\n"
    pieces = (HitPiece(line * 10 + "so "), HitPiece("the answer", gold=True), HitPiece(" and more"))
    before, rest = markup.folded(pieces)

    assert [len(piece.text) for piece in before] == [500]
    assert [piece.text for piece in rest] == ["so ", "the answer", " and more"]
    assert markup.folded(pieces[1:]) == ((), pieces[1:])
    assert markup.folded((HitPiece("three\nshort\nlines\n"), *pieces[1:]))[0] == ()
    assert len(markup.folded((HitPiece("four\nof\nthese\nlines\n"), *pieces[1:]))[0]) == 1


def test_of_a_long_line_before_the_answer_only_the_last_words_are_not_folded() -> None:
    pieces = (HitPiece("words " * 200), HitPiece("the answer", gold=True))
    before, rest = markup.folded(pieces)

    assert "".join(piece.text for piece in (*before, *rest)) == "words " * 200 + "the answer"
    assert rest[0].text == "words " * 13


def test_without_an_answer_what_is_long_before_the_first_word_that_was_asked_is_folded() -> None:
    (hit,) = results(shelf(TEA), Retrieving("x", "bm25"), ranked(0), []).found
    hit = replace(hit, pieces=(HitPiece("a line before\n" * 40 + "then the kettle\n" + "and more\n" * 9),))

    shown = markup.passage(hit, "A", {"kettle"})
    assert "characters before the underlined words</summary>" in shown
    assert shown.index("</details>") < shown.index('<b class="cs-asked">kettle</b>') < shown.index("</details>") + 300
    assert re.sub("<[^>]*>|… .*underlined words|Show all|Show less", "", shown) == hit.pieces[0].text
    assert "<details>" not in markup.passage(hit, "A", {"nowhere"})


def test_without_an_answer_a_passage_opens_where_the_most_of_the_words_that_were_asked_stand_together() -> None:
    far = "warm the pot\n" + "and more\n" * 90
    pieces = (HitPiece(far), HitPiece(f"{far}a warm kettle\n{far}"), HitPiece("warm, kettle"))

    parted = markup.parted_at_word(pieces, {"warm", "kettle"})
    assert "".join(each.text for each in parted) == "".join(each.text for each in pieces)
    assert next(each.text for each in parted if each.leads).startswith("warm kettle\n")
    assert markup.parted_at_word(pieces, {"nowhere"}) == pieces


def test_without_an_answer_what_a_hit_gives_back_long_before_the_chunk_is_folded() -> None:
    pieces = (HitPiece("a line before\n" * 40, added=True), HitPiece("its own text"), HitPiece("behind", added=True))
    before, rest = markup.folded(pieces, to_own=True)

    assert "".join(piece.text for piece in (*before, *rest)) == "".join(piece.text for piece in pieces)
    assert before[0].text.endswith("\n")
    assert sum(len(piece.text) for piece in rest) < 200
    assert markup.folded(pieces) == ((), pieces)


def test_the_leaderboard_shows_each_config_its_interval_and_whether_its_place_is_real() -> None:
    def of(values: list[float]) -> Evaluation:
        cut = tuple(() for _ in values)
        return Evaluation(3, {"recall": tuple(values), "mrr": tuple(values)}, cut, cut, 120.0, 900)

    board = leaderboard({"A Fixed": of([0.25] * 10), "B <i>": of([0.75] * 10)})
    shown = markup.table(board, ["B", "A"])

    assert "B</span> &lt;i&gt;</th><td><b>0.750</b>" in shown
    assert "<td>0.500 (0.035 to 0.655)</td><td>shown</td>" in shown


def test_the_chart_has_a_dot_with_its_interval_for_each_config_the_first_on_top() -> None:
    cut = ((),) * 4
    board = leaderboard(
        {
            "A Fixed": Evaluation(3, {"recall": (0.0, 0.0, 1.0, 1.0)}, cut, cut, 0.0, 9),
            "C <b>": Evaluation(3, {"recall": (1.0, 1.0, 1.0, 1.0)}, cut, cut, 0.0, 9),
        }
    )
    figure = intervals_figure(board, ["C", "A"])
    first, second = figure.data

    assert [list(first.x), list(first.y), list(second.x), list(second.y)] == [[1.0], [0], [0.5], [1]]
    # Two of four: Clopper and Pearson's bounds are 0.0676 and 0.9324.
    assert [list(second.error_x.array), list(second.error_x.arrayminus)] == [
        [pytest.approx(0.4324, abs=0.001)],
        [pytest.approx(0.4324, abs=0.001)],
    ]
    assert first.hovertemplate.startswith("C &lt;b&gt;<br>")
    assert first.marker.color != second.marker.color
    assert figure.layout.meta == (
        "Chart of mean recall with its 95% interval: C <b> 1.000 (0.395 to 1.000); A Fixed 0.500 (0.067 to 0.933)"
    )


def test_of_the_advice_the_first_statement_alone_is_told_at_once() -> None:
    long = "Take A Fixed: recall 0.812 (0.7 to 0.9), 0.05 (-0.01 to 0.1) above B. It retrieves 5% fewer tokens."

    assert markup.advice(long) == (
        '<p class="cs-advice"><span role="status">Take A Fixed</span>: recall 0.812 (0.7 to 0.9), 0.05 (−0.01 to 0.1) '
        "above B. It retrieves 5% fewer tokens.</p>"
    )
    assert "0.05 (−0.01 to 0.1) above B. " in markup.reasons(long)
    assert '<span role="status">No config is shown to be better</span>. B has' in markup.advice(
        "No config is shown to be better. B has the highest mean."
    )


def test_the_curves_have_a_band_behind_a_line_with_a_dot_at_each_budget() -> None:
    def of(*recalls: float) -> Curve:
        values = tuple((recall,) * 4 for recall in recalls)
        return Curve((250, 1000), {"recall": values, "iou": values}, (200.0, 900.0))

    found = {"A Fixed": of(0.0, 1.0), "B <b>": of(1.0, 1.0)}
    figure = curve_figure(found, "recall")
    band, _, line, other = figure.data

    assert (list(band.x), list(line.x), list(line.y)) == ([250, 1000, 1000, 250], [250, 1000], [0.0, 1.0])
    # None of four, and all: Clopper and Pearson's bounds are 0.602 above 0, and 0.398 below 1.
    assert list(band.y) == pytest.approx([0.602, 1.0, 0.398, 0.0], abs=0.005)
    assert (line.line.color != other.line.color, other.name) == (True, "B &lt;b&gt;")
    assert figure.layout.meta == (
        "Chart of recall by tokens that may be retrieved for a question: "
        "A Fixed 0.000 at 250 to 1.000 at 1,000; B <b> 1.000 at 250 to 1.000 at 1,000"
    )
    shown = markup.curve_table(found, "recall")
    assert "&lt;b&gt;</th><td><b>1.000</b> " in shown
    assert "<td><b>0.500</b> " in shown  # the area of A: the mean of 0 and 1
    assert "<td>0.500 (" in shown  # and so far is B ahead


def test_the_table_says_what_became_of_each_question() -> None:
    recall, first = (1.0, 0.5, 0.0), (0.5, 1.0, 0.0)
    of = Evaluation(3, {"recall": recall, "mrr": first}, ((), (BOIL,), ()), ((), (), ()), 0.0, 9)
    table = questions([ASKED] * 3, {"A": of}, "mrr", several=False)

    assert list(table["A"]) == ["found, #2", "50%, #1; cut", "not found"]
    assert list(table["MRR A"]) == [0.5, 1.0, 0.0]


def test_what_was_embedded_is_said_and_the_pace_is_learnt() -> None:
    pace = Pace()
    pace.note(["x" * 960], 1.0)

    assert messages.embedded(Embedded(12, 202)) == (
        "214 different chunks, of which 12 were embedded just now; 202 had a vector from before"
    )
    assert messages.embedded(Embedded(1, 0)) == "1 different chunk, all embedded just now"
    assert (
        messages.embedded(Embedded(0, 5)) == "5 different chunks, all with a vector from before: nothing was embedded"
    )
    assert pace.seconds(["x" * 960] * 30) == 30.0
    assert messages.would_take(30, 30.0).startswith("30 texts to embed on this machine: about 30 s, measured on")
    assert [messages.duration(seconds) for seconds in (0.2, 8, 42, 100)] == ["1 s", "8 s", "40 s", "2 min"]
    assert messages.progress(10, 40, 5.0) == "Embedding: 10 of 40 texts, 20 s left"
