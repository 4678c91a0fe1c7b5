"""The report on a set of questions before it is used."""

from __future__ import annotations

import pytest

from chunking import Question, Span, parse
from chunking.drafting.set_quality import Share, quality, smallest_difference

TEA = parse(
    "# Tea\n\nWarm the teapot before the leaves go in.\n\n# Milk\n\n"
    "| Sort | Share |\n|---|---|\n| Oat milk from a farm | a tenth of it |\n\n"
    "Stir twice.\n\nStir twice.\n",
    name="tea.md",
)
POT = parse("Pour the tea into cups of porcelain.\n", name="pot.md")


def at(text: str) -> Span:
    start = TEA.text.index(text)
    return Span(start, start + len(text))


WARM = Question("When is the teapot warmed?", "tea.md", (at("Warm the teapot before the leaves go in."),))


def test_coverage_is_counted_by_document_section_and_kind() -> None:
    found = quality([WARM], [TEA, POT])

    assert (found.documents, found.sections) == (Share(1, 2), Share(1, 3))
    assert found.by_block == {"paragraph": Share(1, 2), "table": Share(0, 1)}
    assert found.answer_characters == (40, 40, 40)
    assert (found.findings, found.unreviewed, found.by_origin) == ((), 0, {"a person": 1})


@pytest.mark.parametrize(
    ("questions", "rule"),
    [
        ([WARM, Question("when is the teapot warmed", "tea.md", (at("Oat milk"),))], "same-question"),
        ([WARM, Question("What comes first?", "tea.md", WARM.answers)], "same-answer"),
        ([Question("How often is it stirred?", "tea.md", (at("Stir twice."),))], "ambiguous-quote"),
        ([Question("Warm the teapot before the leaves go in?", "tea.md", WARM.answers)], "gives-answer-away"),
        ([Question("How much oat milk?", "tea.md", (at("a tenth"),))], "short-answer"),
    ],
)
def test_what_a_person_should_look_at_is_named(questions: list[Question], rule: str) -> None:
    assert rule in {finding.rule for finding in quality(questions, [TEA]).findings}


def test_five_of_six_chunks_are_too_easy_and_five_of_sixty_are_not() -> None:
    assert quality([WARM], [TEA], top=5, chunks=6).easy
    assert not quality([WARM], [TEA], top=5, chunks=60).easy
    assert not quality([WARM], [TEA], top=5).easy


def test_more_questions_show_smaller_differences_and_five_show_none() -> None:
    assert smallest_difference(5) is None
    assert [smallest_difference(questions) for questions in (10, 20, 40)] == [0.8, 0.54, 0.3]
    assert quality([WARM], [TEA]).few
