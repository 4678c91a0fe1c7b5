"""Questions worded by the small local model (local_llm.py), which follows no instructions: it sees
three examples and a passage, is given the beginning of a question, and finishes it with words of
the passage only."""

from __future__ import annotations

import re

from chunking.models.answer_cache import AnswerCache, answer_key
from chunking.models.local_llm import LOCAL_LLM, completed

_READ = 400
_ANSWER = 32
"""Tokens of a question at most, after its beginning."""
_EXAMPLES = """Passage: (Visiting) The museum opened in 1898 and is closed on Mondays.
Question: On which day of the week is the museum closed?

Passage: (Bolts) Part: M6 bolt; Weight: 12 g; Price: 0.30
Question: How much does an M6 bolt weigh?

Passage: (Router) To reset the router, hold the button at the back for ten seconds.
Question: How can you reset the router?

Passage: """
_FUNCTION_WORDS = """
a an the of to in on at by for from with is are was were does do did has have can must should be it its you what
how when why which who where many much long often and or not if after before any each between than
"""
_WORD = re.compile(r"\w[\w./%-]*[\w%]|\w")
_SUBJECT = re.compile(
    r"(?P<subject>\w[^,;:.!?()]{1,50}?)\s(?P<verb>is|are|was|were|can|may|must|should|will|does|do|has|have)\s"
)


class LocalQuestions:
    """Several questions about one passage, one for each beginning."""

    name = f"local/{LOCAL_LLM}"

    def __init__(self, memory: AnswerCache | None = None) -> None:
        """Without `memory` nothing is remembered."""
        self._memory = memory

    def questions(self, passage: str, title: str) -> list[str]:
        """The questions; `title` is the section's. The same passage has the same questions. Raises
        ModelError."""
        # What the model reads as its own marks must not come from the document.
        passage, title = (text.replace("<|", "< |") for text in (passage, title))
        shown = (f"({title}) {passage}" if title else passage)[:_READ]
        grammar = _grammar(shown)
        return [
            self._finished(f"{_EXAMPLES}{shown}\nQuestion: {begun}", begun, grammar) for begun in beginnings(passage)
        ]

    def _finished(self, prompt: str, begun: str, grammar: str) -> str:
        key = answer_key(f"question/{self.name}", f"{prompt}\0{grammar}")
        known = self._memory.get([key]).get(key) if self._memory else None
        if known is not None:
            return known.decode("utf-8", "replace")
        question = f"{begun}{completed(prompt, _ANSWER, grammar)}".strip()
        if self._memory is not None:
            self._memory.put({key: question.encode("utf-8", "replace")})
        return question


def beginnings(passage: str) -> list[str]:
    """How questions about a passage may begin: with its own subject where one is found."""
    found = _SUBJECT.match(passage)
    if found is None:
        return ["What happens", "How", "When", "Which"]
    subject, verb = found["subject"], found["verb"]
    first, _, rest = subject.partition(" ")
    subject = f"{first.lower()} {rest}".strip() if first.lower() in ("the", "a", "an", "every", "each") else subject
    if verb in ("has", "have"):
        return [f"What {'does' if verb == 'has' else 'do'} {subject} have", f"How many {rest or subject}"]
    return [f"{word} {verb} {subject}" for word in ("What", "When", "How", "Why")]


def _grammar(passage: str) -> str:
    """A grammar (GBNF) of questions in the words of the passage and function words."""
    words = _WORD.findall(passage)
    allowed = dict.fromkeys([*words, *(word.lower() for word in words), *_FUNCTION_WORDS.split()])
    choices = " | ".join(f'"{word}"' for word in allowed if '"' not in word and "\\" not in word)
    return f'root ::= (" " word){{1,12}} "?"\nword ::= {choices}\n'
