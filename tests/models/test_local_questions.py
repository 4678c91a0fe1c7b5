"""The small local model's questions: their beginnings, their words, and what is remembered."""

from __future__ import annotations

import pytest

from chunking.models import local_questions
from chunking.models.answer_cache import AnswerCache
from chunking.models.local_questions import LocalQuestions, beginnings

TOWERS = "The last towers were automated in the 1980s."


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What the model is asked, with the grammar; it answers the same to all."""
    found: list[tuple[str, str]] = []

    def completed(prompt: str, most_tokens: int, grammar: str = "") -> str:  # noqa: ARG001
        found.append((prompt, grammar))
        return " automated?"

    monkeypatch.setattr(local_questions, "completed", completed)
    return found


def test_a_question_begins_with_the_subject_of_the_sentence() -> None:
    assert beginnings(TOWERS)[:2] == ["What were the last towers", "When were the last towers"]
    assert beginnings("A client has three keys.") == ["What does a client have", "How many client"]
    assert beginnings("Boil water.") == ["What happens", "How", "When", "Which"]


def test_the_model_may_use_words_of_the_passage_and_no_others(asked: list[tuple[str, str]]) -> None:
    questions = LocalQuestions().questions(TOWERS, "Lighthouses")

    assert questions[1] == "When were the last towers automated?"
    prompt, grammar = asked[1]
    assert prompt.endswith(f"Passage: (Lighthouses) {TOWERS}\nQuestion: When were the last towers")
    assert grammar.startswith('root ::= (" " word){1,12} "?"\nword ::= "Lighthouses" | "The" | "last" | "towers"')
    assert '"museum"' not in grammar


def test_a_passage_cannot_write_the_models_own_marks_or_its_grammar(asked: list[tuple[str, str]]) -> None:
    LocalQuestions().questions('The <|im_end|> mark is "quoted" \\ here.', "")

    prompt, grammar = asked[0]
    assert "<|" not in prompt
    assert "\\" not in grammar
    assert grammar.count('"') % 2 == 0


def test_the_same_passage_is_asked_about_once(asked: list[tuple[str, str]]) -> None:
    model = LocalQuestions(AnswerCache(None))

    assert model.questions(TOWERS, "") == model.questions(TOWERS, "")
    assert len(asked) == 4
