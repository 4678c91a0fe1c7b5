"""Questions that rules make of statements, and the statements that they leave alone."""

from __future__ import annotations

import pytest

from chunking import Span, parse
from chunking.drafting.quotes import Quote
from chunking.drafting.rules import Rules, readable

AROUND = "\n\nThe cursor of the list is in the answer, and a lens is what the lamp of the tower is behind.\n"
"""English, in which some words are written with a small letter."""


def asked(sentence: str) -> list[tuple[str, str]]:
    document = parse(sentence + AROUND)
    whole = Span(0, len(sentence))
    return [(each.origin, each.text) for each in Rules().wordings(Quote(document, whole, "paragraph", whole))]


@pytest.mark.parametrize(
    ("sentence", "rule", "question"),
    [
        ("If the token has expired, ask for a new one.", "condition", "What should you do if the token has expired?"),
        ("If the result is `None`, the loop ends.", "condition", "What happens if the result is None?"),
        ("When the wall fell, the tower was closed.", "condition", "What happened when the wall fell?"),
        ("Before using a pan, wash it.", "condition", "What should you do before using a pan?"),
        ("To see all *models*, run `llm models`.", "purpose", "How do you see all models?"),
        (
            "Set `fields` to `None` to mark all columns as optional.",
            "purpose",
            "How do you mark all columns as optional?",
        ),
        ("The trait lets you create a default value.", "purpose", "How do you create a default value?"),
        ("You can use a brush to clean the mirrors.", "purpose", "How do you clean the mirrors?"),
        (
            "The lamp is turned at dusk because ships look for its flashes.",
            "reason",
            "Why is the lamp turned at dusk?",
        ),
        ("The tower was built by monks in 1756.", "date", "When was the tower built by monks?"),
        ("A shift takes about eight hours.", "time", "How long does a shift take?"),
        ("The default of `timeout` is ten seconds.", "default", "What is the default of timeout?"),
        ("Slots are used to pass content to children.", "use", "What are Slots used for?"),
        ("Cursor is called `next` in every answer.", "name", "What is cursor called?"),
        ("A [collection](c.md) is a named group of vectors.", "definition", "What is a collection?"),
        ("The function returns an opaque reference.", "statement", "What does the function return?"),
        ("Lists return up to a hundred entries.", "statement", "What do Lists return?"),
    ],
)
def test_a_statement_becomes_the_question_that_it_answers(sentence: str, rule: str, question: str) -> None:
    assert asked(sentence)[0] == (f"rule: {rule}", question)


@pytest.mark.parametrize(
    "sentence",
    [
        "If it fails, ask for a new one.",
        "The former is a named group of vectors.",
        "When overused however, the pattern makes the code worse.",
        "When calling the hook, the instance is known.",
        "To the north of the tower, there is a wall.",
        "Most users want to see the models.",
        "Remember what you would like to load into the prompt.",
        "The few that survive are the reason for the museum.",
        "Fifteen litres are the least for a vine.",
        "In fog the light is a glow in wool.",
        "Calling the function is a side effect of the change.",
        "The result is <b>bold</b> because the tag says so.",
        "The dog sleeps.",
        "The \u202egauge returns a value.",
    ],
)
def test_a_statement_that_no_rule_can_ask_about_alone_gives_no_question(sentence: str) -> None:
    assert asked(sentence) == []


def test_rows_and_entries_ask_what_their_columns_and_terms_mean() -> None:
    source = (
        "# Options\n\n| Option | Type | Meaning |\n|---|---|---|\n| `retries` | integer | how often it is tried |\n\n"
        "| Variety | Taste | Wait |\n|---|---|---|\n| San Marzano | for sauce | until the end of August |\n\n"
        "- `delay`: seconds between two tries of the same request\n- **Vines**: they climb to the top of the wall\n"
    )
    document = parse(source + AROUND)

    def of(part: str, block: str) -> list[str]:
        start = source.index(part)
        within = next(each for each in document.blocks if each.span.start <= start < each.span.end)
        span = Span(start, source.index("\n", start))
        return [each.text for each in Rules().wordings(Quote(document, span, block, within.span))]

    assert of("| `retries`", "table") == ["What does the option retries mean?"]
    assert of("| San Marzano", "table") == ["What is the taste of San Marzano?"]
    assert of("`delay`", "list") == ['What is delay, in "Options"?']
    assert of("**Vines**", "list") == []


@pytest.mark.parametrize(
    ("column", "cell", "said"),
    [
        ("Stable", "Yes", []),
        ("Stable", "only with care", []),
        ("Required", "in version 2", []),
        ("Memory", "yes", []),
        ("Memory", "one list", ["What is the memory of Bubble sort?"]),
        ("Variable", "one list", ["What is the variable of Bubble sort?"]),
    ],
)
def test_a_column_that_is_a_quality_or_says_yes_is_not_asked_for(column: str, cell: str, said: list[str]) -> None:
    row = f"| **Bubble sort** | {cell} |\n"
    source = f"# Sorting\n\n| Name | {column} |\n|---|---|\n{row}"
    document = parse(source + AROUND)
    (table,) = [each for each in document.blocks if each.kind == "table"]
    start = source.index(row)

    found = Rules().wordings(Quote(document, Span(start, start + len(row) - 1), "table", table.span))

    assert [each.text for each in found] == said


def test_a_document_that_is_not_english_is_asked_nothing() -> None:
    text = "Die Leuchte ist ein altes Zeichen. Der Turm und die Mauer sind aus Stein, und das Dach ist neu.\n" * 3
    document = parse(text)
    whole = Span(0, 35)

    assert list(Rules().wordings(Quote(document, whole, "paragraph", whole))) == []


def test_markdown_is_taken_out_of_a_sentence_and_what_is_no_sentence_is_refused() -> None:
    assert readable("See **the [guide](a.md 'x')** for `more`[^1].") is None
    assert readable("See **the [guide](a.md)** for\n`more`[^1].") == "See the guide for more."
    assert readable("Use <code>x</code>.") is None
    assert readable("**Note** The lamp is on.") is None
