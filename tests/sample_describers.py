"""Describers for tests, which record their questions and give fixed answers."""

from __future__ import annotations

from collections.abc import Callable

from chunking.core.chunk import Chunk
from chunking.core.model_access import ChunkPrompt
from chunking.errors import ModelError


class GivenDescriber:
    """Asks about the chunk's text alone, so that questions are short; answers as the test says, or
    fails."""

    name = "test/given"
    is_model = True

    def __init__(self, answer: Callable[[str], str] = lambda question: f"About {question.split()[0]}.") -> None:
        self.answer = answer
        self.questions: list[str] = []

    def question(self, chunk: Chunk, prompt: ChunkPrompt) -> str:  # noqa: ARG002
        return chunk.text

    def __call__(self, question: str) -> str:
        self.questions.append(question)
        return self.answer(question)


class PromptedDescriber(GivenDescriber):
    """Is asked the whole prompt, as a model over HTTP is."""

    name = "test/prompted"

    def question(self, chunk: Chunk, prompt: ChunkPrompt) -> str:
        return prompt.of(chunk)


def refusing(*words: str) -> Callable[[str], str]:
    """Fails for every text that holds one of the words."""

    def answer(question: str) -> str:
        for word in words:
            if word in question:
                raise ModelError(f"test/given: answered 500 for {word}")
        return "Described."

    return answer
