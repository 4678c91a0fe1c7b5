"""The output of `chunkscope evaluate --failures`: why each question failed and the smallest change
that helps, as text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from chunking.cli.marks import fix_words
from chunking.cli.terminal import print_line
from chunking.config.config import Config
from chunking.document import Document
from chunking.explanation.keep_whole import Fix, fixes
from chunking.gold.coverage import coverage_sentence, coverages
from chunking.gold.questions import Gold
from chunking.models.access import Tools
from chunking.retrieval.failure_words import failures_words, why_words
from chunking.retrieval.failures import Failure
from chunking.retrieval.passages import Passage
from chunking.runs import Run, run
from chunking.text.display import shown_text
from chunking.tokens import counter

_MOST_SEARCHED = 20
"""Cut answers of one config for which a change is looked for: each cuts its document many times."""


@dataclass(frozen=True, slots=True)
class ExplainedFailure:
    """Why a question failed, with what a person does about it."""

    failure: Failure
    document: str
    first_line: int
    """Of the answer."""
    why: str
    change: str
    """The smallest change that helps; "" where none is known."""
    fix: Fix | None
    """The change of a setting, for an answer that is cut."""


class FailureExplainer:
    """Puts the failures of one config into words, by cutting its documents again where an answer is
    cut."""

    def __init__(
        self,
        config: Config | None,
        passages: Sequence[Passage],
        documents: Sequence[Document],
        gold: Gold,
        *,
        by_tokens: bool,
        progress: Callable[[str, int, int], None],
        below: str = "",
    ) -> None:
        """`config` is None for another tool's chunks. `by_tokens` says that a budget of tokens was
        the limit, not a number of chunks. `below` is as in `passages_by`."""
        self._config = config
        self._passages = passages
        self._documents = {document.name: document for document in documents}
        self._gold = gold
        self._by_tokens = by_tokens
        self._progress = progress
        self._below = below
        self._runs: dict[str, Run] = {}

    def explained(self, failed: Sequence[Failure]) -> Iterator[ExplainedFailure]:
        """Each failure in words; a change of a setting is looked for the first cut ones only."""
        cut = [each for each in failed if each.reason == "cut"][:_MOST_SEARCHED]
        for each in failed:
            if each in cut:
                self._progress("looking for changes", cut.index(each), len(cut))
            name = self._gold.questions[each.question].document
            fix = self._fix(each, name) if each in cut else None
            line = self._documents[name].line_of(each.answer.start)
            yield ExplainedFailure(each, name, line, self._why(each, name), self._change(each, fix), fix)

    def _why(self, of: Failure, name: str) -> str:
        if of.reason in ("cut", "left-out") and (made := self._run(name)):
            return coverage_sentence(coverages(made, [of.answer])[0], made).rstrip(".")
        return why_words(of, self._passages, self._documents)

    def _change(self, of: Failure, fix: Fix | None) -> str:
        if fix is not None:
            return fix_words(fix)
        if of.needed_chunks is None:
            return (
                "--search cosine or hybrid also finds texts without its words" if of.reason == "no-shared-word" else ""
            )
        wider = f"--max-tokens {of.needed_tokens}" if self._by_tokens else f"--top {of.needed_chunks}"
        smaller = "smaller chunks, or " if of.reason == "not-embedded" else ""
        return f"{smaller}{wider} finds it" if not smaller else f"{smaller}{wider}, find it"

    def _fix(self, of: Failure, name: str) -> Fix | None:
        made = self._run(name)
        if made is None:
            return None
        others = [span for question in self._gold.questions if question.document == name for span in question.answers]
        return fixes(made, of.answer, others).best

    def _run(self, name: str) -> Run | None:
        """The document cut as it was; None for another tool's chunks."""
        if self._config is None:
            return None
        if name not in self._runs:
            own = self._config.for_document(f"{self._below}{name}")
            self._runs[name] = run(self._documents[name], own, Tools(counter(own.counter), asks_models=False))
        return self._runs[name]


def print_failures(found: Mapping[str, Sequence[ExplainedFailure]], gold: Gold) -> None:
    """Print for each config how many questions failed and why, then each of them."""
    for name, failed in found.items():
        print_line("")
        words = failures_words([each.failure for each in failed], len(gold.questions))
        print_line(f"{shown_text(name, 80)}: {words}")
        for each in failed:
            question = gold.questions[each.failure.question]
            print_line(f"- {shown_text(each.document, 80)} line {each.first_line:,}, {shown_text(question.text, 100)}")
            print_line(f"    {shown_text(each.why, 500)}")
            if each.change:
                print_line(f"    {shown_text(each.change, 500)}")


def failures_json(found: Mapping[str, Sequence[ExplainedFailure]], gold: Gold) -> dict[str, object]:
    """What `--failures --json` prints, by config."""
    return {
        "failures": [
            {
                "config": name,
                "failed": len(failed),
                "reasons": dict(Counter(each.failure.reason for each in failed)),
                "questions": [_as_json(each, gold) for each in failed],
            }
            for name, failed in found.items()
        ]
    }


def _as_json(of: ExplainedFailure, gold: Gold) -> dict[str, object]:
    failure, fix = of.failure, of.fix
    return {
        "question": gold.questions[failure.question].text,
        "document": of.document,
        "line": of.first_line,
        "start_index": failure.answer.start,
        "end_index": failure.answer.end,
        "recall": round(failure.recall, 6),
        "reason": failure.reason,
        "why": of.why,
        "rank": failure.rank,
        "outranked_by": asdict(failure.outranking) if failure.outranking else None,
        "needed_chunks": failure.needed_chunks,
        "needed_tokens": failure.needed_tokens,
        "change": of.change,
        "setting": {"name": fix.setting, "before": fix.before, "after": fix.after} if fix else None,
    }
