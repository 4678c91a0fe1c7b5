"""Drafted questions: quotes chosen and spread, worded, found again by a ranker, or dropped for a
reason."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from sample_describers import GivenDescriber

from chunking import Question, Span, parse
from chunking.drafting.drafts import DROPPED, REASONS, draft, drafted
from chunking.drafting.places import Places
from chunking.drafting.quotes import Quote, all_quotes, spread
from chunking.drafting.worders import in_turn
from chunking.drafting.wording import ModelWorder, Probes, Wording, prompt_of, worded
from chunking.errors import ModelError
from chunking.models.describers import CachedDescriber

GUIDE = parse(
    "# Kettle\n\nA kettle is a vessel that boils water quickly. It has a lid. Descale the heating element monthly "
    "with vinegar.\n\n## Parts\n\n| Part | Material | Price |\n|---|---|---|\n| Lid | stainless steel | 12 euros |\n"
    "| Spout | borosilicate glass | 30 euros |\n\n- `--timeout`: seconds until the kettle switches itself off\n"
    "- short\n\n```python\nkettle = Kettle(volume=1.7)\nkettle.boil(until=96)\n```\n",
    name="guide.md",
)
OTHER = parse("# Pot\n\nWarm the teapot before the leaves go into it.\n", name="pot.md")


class Given:
    """Words every quote as the test says."""

    is_model = True

    def __init__(self, *texts: str, origin: str = "model: test") -> None:
        self.texts, self.origin = texts, origin

    def wordings(self, quote: Quote) -> Sequence[Wording]:  # noqa: ARG002
        return [Wording(text, self.origin) for text in self.texts]


def test_quotes_are_sentences_rows_items_and_code_that_can_be_understood_alone() -> None:
    assert [(quote.block, quote.text) for quote in all_quotes([GUIDE])] == [
        ("paragraph", "A kettle is a vessel that boils water quickly."),
        ("paragraph", "Descale the heating element monthly with vinegar."),
        ("table", "| Lid | stainless steel | 12 euros |"),
        ("table", "| Spout | borosilicate glass | 30 euros |"),
        ("list", "`--timeout`: seconds until the kettle switches itself off"),
        ("code", "kettle = Kettle(volume=1.7)\nkettle.boil(until=96)"),
    ]


def test_every_beginning_of_the_order_is_spread_over_documents_and_kinds() -> None:
    order = list(spread(all_quotes([GUIDE, OTHER])))

    assert {quote.document.name for quote in order[:3]} == {"guide.md", "pot.md"}
    assert len({quote.block for quote in order[:5]}) == 4
    assert len(order) == 7
    assert order == list(spread(all_quotes([GUIDE, OTHER])))
    assert order != list(spread(all_quotes([GUIDE, OTHER]), seed=1))


def test_without_a_model_what_rules_ask_comes_first_and_probes_say_what_they_are_made_of() -> None:
    places = Places([GUIDE, OTHER])

    made = drafted(draft([GUIDE, OTHER], places, in_turn(None, places, fill=False)))

    assert [(question.text, question.origin, question.block) for question in made.questions] == [
        ("What is a kettle?", "rule: definition", "paragraph"),
        ("What is the material of Spout?", "rule: table", "table"),
        ("Pot", "probe: heading", "paragraph"),
        ('What is --timeout, in "Parts"?', "rule: entry", "list"),
        ("volume boil until", "probe: rare terms", "code"),
        ("descale heating element monthly with", "probe: rare terms", "paragraph"),
        ("What is the material of Lid?", "rule: table", "table"),
    ]
    assert {question.review for question in made.questions} == {"draft"}


def test_a_probe_has_no_half_of_a_contraction() -> None:
    text = (
        "# A\n\nFirst words.\n\nThe council's decisions aren't final; they’re what we'll weigh at yesterday's vote.\n"
    )
    document = parse(text, name="a.md")
    start, end = text.index("The council"), len(text) - 1
    block = next(each for each in document.blocks if each.span.start == start)

    found = Probes(Places([document])).wordings(Quote(document, Span(start, end), "paragraph", block.span))

    terms = found[-1].text.split()
    assert not {"aren", "ll", "re", "they", "s", "t"} & set(terms)
    assert {"council", "decisions"} <= set(terms)


def test_the_answer_of_a_draft_is_the_quote_that_was_chosen() -> None:
    made = drafted(draft([OTHER], Places([OTHER]), [Given("When is the teapot warmed?")]))

    start = OTHER.text.index("Warm")
    answer = Span(start, len(OTHER.text) - 1)
    assert made.questions == (
        Question("When is the teapot warmed?", "pot.md", (answer,), "draft", "model: test", "paragraph"),
    )


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ("Why so?", "says-little"),
        ("Warm the teapot before the leaves go into it?", "says-little"),
        ("Which spout is made of borosilicate glass?", "not-found"),
    ],
)
def test_a_question_that_does_not_find_its_quote_is_dropped_for_a_reason(question: str, reason: str) -> None:
    made = drafted(draft([OTHER], Places([GUIDE, OTHER]), [Given(question)]))

    assert (made.questions, made.dropped) == ((), {reason: 1})


def test_a_question_that_many_places_answer_is_dropped() -> None:
    rooms = [parse(f"The wallpaper of room {each} is green today.\n", name=f"{each}.md") for each in "abcd"]
    fillers = [parse(f"Something else number{each} entirely.\n", name=f"f{each}.md") for each in range(60)]

    made = drafted(draft(rooms, Places([*rooms, *fillers]), [Given("Which wallpaper is green?")]))

    assert (made.questions, made.dropped) == ((), {"many-places": 4})


def test_every_reason_is_also_said_in_a_few_words_behind_a_number() -> None:
    assert DROPPED.keys() == REASONS.keys()
    assert not [words for words in DROPPED.values() if "-" in words or words.startswith(tuple("0123456789"))]


def test_near_duplicates_and_repeated_quotes_are_dropped() -> None:
    twice = parse("Warm the teapot before the leaves go into it.\n\nWarm the teapot before the leaves go into it.\n")
    pair = parse("Warm the teapot before leaves go in.\n\nLeaves go in when the teapot is warm enough.\n")

    made = drafted(draft([twice], Places([twice]), [Given("When is the teapot warmed?")]))
    assert made.dropped == {"not-unique": 2}
    made = drafted(draft([pair], Places([pair]), [Given("When is the teapot warm?")]))
    assert made.dropped == {"near-duplicate": 1}


def test_a_model_behind_http_is_asked_with_the_quote_in_tags_that_it_cannot_close() -> None:
    hostile = parse("Warm the </quote> teapot before the leaves go in.\n", name="h.md")
    model = GivenDescriber(lambda _: 'Question: "When is the teapot warmed?"\nIt is warmed before.')
    quote = next(spread(all_quotes([hostile])))

    made = ModelWorder(CachedDescriber(model)).wordings(quote)

    assert made == [Wording("When is the teapot warmed?", "model: test/given")]
    assert model.questions == [prompt_of(quote)]
    assert prompt_of(quote).count("</quote>") == 1


def test_an_answer_that_is_no_question_is_none() -> None:
    assert worded("The teapot is warmed first.") == ""
    assert worded(" ") == ""
    assert worded("Q: **When?**") == "When?"


def test_a_model_that_fails_three_times_in_a_row_is_not_asked_again() -> None:
    class Failing:
        is_model = True
        asked = 0

        def wordings(self, quote: Quote) -> Sequence[Wording]:  # noqa: ARG002
            self.asked += 1
            raise ModelError("server: refused")

    by = Failing()
    with pytest.raises(ModelError, match="server: refused"):
        drafted(draft([GUIDE], Places([GUIDE]), [by]))
    assert by.asked == 3


def test_probes_fill_up_where_a_model_has_no_question() -> None:
    places = Places([OTHER])

    made = drafted(draft([OTHER], places, [Given("What is this?"), Probes(places)]))

    assert [(question.text, question.origin) for question in made.questions] == [("Pot", "probe: heading")]


def test_each_question_is_there_as_soon_as_it_is_verified() -> None:
    attempts = draft([GUIDE], Places([GUIDE]), [Given("When is the heating element descaled with vinegar?")])
    first = next(each for each in attempts if each.question)

    assert first.question is not None
    assert first.question.text == "When is the heating element descaled with vinegar?"
    assert (first.reason, first.quotes) == ("", 6)
    assert 1 <= first.tried <= 6


def test_a_model_that_fails_later_takes_no_question_away_that_came_before() -> None:
    class Weary:
        is_model = True
        asked = 0

        def wordings(self, quote: Quote) -> Sequence[Wording]:
            self.asked += 1
            if self.asked > 1:
                raise ModelError("server: refused")
            return Probes(places).wordings(quote)

    places = Places([GUIDE])
    attempts = draft([GUIDE], places, [Weary()])
    came = [next(attempts) for _ in range(3)]

    assert [attempt.reason for attempt in came] == ["", "model-failed", "model-failed"]
    with pytest.raises(ModelError, match="server: refused"):
        next(attempts)


def test_nothing_is_asked_about_an_answer_that_was_kept_or_rejected_before() -> None:
    places = Places([GUIDE, OTHER])
    every = drafted(draft([GUIDE, OTHER], places, [Probes(places)])).questions

    again = drafted(draft([GUIDE, OTHER], places, [Probes(places)], known=every[:5]))

    assert {question.text for question in again.questions} == {question.text for question in every[5:]}
    assert again.dropped == {"known": 5}
    assert drafted(draft([GUIDE, OTHER], places, [Probes(places)], known=every)).questions == ()


def test_answers_that_are_known_do_not_use_up_the_quotes_that_are_tried() -> None:
    places = Places([GUIDE, OTHER])
    every = drafted(draft([GUIDE, OTHER], places, [Probes(places)])).questions

    one_more = drafted(draft([GUIDE, OTHER], places, [Probes(places)], count=1, known=every[:6]))

    assert [question.text for question in one_more.questions] == [every[6].text]
