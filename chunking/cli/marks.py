"""`chunkscope explain --gold`: the marked answers that a config cuts in one document, and changes
that keep them whole."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from chunking.cli.gold_files import gold_of
from chunking.cli.terminal import ErrorLog, ProgressLine, print_error, print_json, print_line
from chunking.config.config import Config
from chunking.document import Document, Span
from chunking.errors import GoldError
from chunking.explanation.keep_whole import Fix, Fixes, fixes
from chunking.explanation.ranges import exactly
from chunking.explanation.setting_values import SettingValue
from chunking.gold.coverage import Coverage, coverage_sentence, coverages
from chunking.gold.marks import Annotations
from chunking.gold.questions import elsewhere_words
from chunking.models.access import Tools
from chunking.runs import Run, run
from chunking.text.display import be, counted, shown_text
from chunking.tokens import READS, counter

_MOST_SHOWN = 3
"""Maximum number of changes printed for one mark; the JSON has all."""


@dataclass(frozen=True, slots=True)
class _MarkResult:
    """One mark: its coverage, and the changes that would keep it whole."""

    question: str | None
    coverage: Coverage
    fixes: Fixes


def explain_gold(document: Document, config: Config, gold: Path, *, json: bool) -> None:
    """Print for every marked span of the document whether it is whole; if not, why, and which
    changes would keep it whole."""
    read = gold_of(gold, [document], as_marks=True)
    errors = ErrorLog()
    for problem in read.problems:
        errors.report(GoldError(problem))
    if read.elsewhere:
        print_error(f"{shown_text(str(gold), 200)}: {elsewhere_words(read.elsewhere)}")
    annotations = Annotations().with_all(document, read)
    config = config.for_document(document.name)
    tools = Tools(counter(config.counter))
    made = run(document, config, tools)
    results = list(_results(made, annotations, tools))
    ProgressLine.clear()
    if json:
        print_json(_as_json(made, results))
    else:
        for line in _lines(made, results):
            print_line(line)
    errors.exit_with()


def _results(made: Run, annotations: Annotations, tools: Tools) -> Iterator[_MarkResult]:
    marks: list[tuple[str | None, Span]] = [*annotations.answers, *((None, span) for span in annotations.whole)]
    spans, progress = [span for _, span in marks], ProgressLine(results_on_screen=False)
    for done, ((question, _), coverage) in enumerate(zip(marks, coverages(made, spans), strict=True)):
        progress.of_model("looking for changes", done, len(marks))
        yield _MarkResult(question, coverage, fixes(made, coverage.span, spans, tools))


def _lines(made: Run, results: Sequence[_MarkResult]) -> Iterator[str]:
    cut = sum(not each.coverage.whole for each in results)
    marks = counted(len(results), "mark")
    name, strategy = shown_text(made.document.name, 120), made.config.strategy.name
    yield f"{name}, {counted(len(made.chunks), 'chunk')} by {strategy}: {cut} of {marks} {be(cut)} cut"
    for each in results:
        line, sign = made.document.line_of(each.coverage.span.start), "+" if each.coverage.whole else "-"
        question = "must stay whole" if each.question is None else shown_text(each.question, 200)
        yield f"{sign} line {line}, {question}"
        yield f"    {_quoted(made.document, each.coverage.span)}"
        yield f"    {shown_text(coverage_sentence(each.coverage, made), 500)}"
        yield from (f"    {fix_words(fix)}" for fix in each.fixes.found[:_MOST_SHOWN])
        if not each.coverage.whole and not each.fixes.found:
            none = (
                "No single setting keeps it whole" if each.fixes.complete else "None found that keeps it whole so far"
            )
            tried = f"{counted(each.fixes.tried, 'cut')} {be(each.fixes.tried, past=True)} tried"
            yield f"    {none}: {tried}."


def _quoted(document: Document, span: Span) -> str:
    return f'"{shown_text(" ".join(document.text[span.start : min(span.end, span.start + 400)].split()), 100)}"'


def fix_words(fix: Fix) -> str:
    """One change and its side effects: `minTokens 250 -> 265 keeps it whole: 3 chunks; cuts no
    other mark`."""
    chunks = counted(fix.chunks, "chunk")
    if fix.chunks != fix.chunks_before:
        chunks += f" instead of {fix.chunks_before}"
    cut, whole = len(fix.newly_cut), len(fix.newly_whole)
    effects = [chunks, f"cuts {counted(cut, 'other mark')}" if cut else "cuts no other mark"]
    effects += [f"{whole} more whole"] if whole else []
    lost, unread = fix.newly_left_out, fix.newly_unread or 0
    effects += [f"leaves out {counted(lost, 'more visible character')}"] if lost > 0 else []
    effects += [f"a {READS}-token embedder misses {counted(unread, 'more token')}"] if unread > 0 else []
    near = "" if fix.nearest else " (a smaller change may also work)"
    return f"{fix.setting} {_value(fix.before)} -> {_value(fix.after)} keeps it whole: {'; '.join(effects)}{near}"


def _value(value: SettingValue) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return exactly(value) if isinstance(value, float) else str(value)


def _as_json(made: Run, results: Sequence[_MarkResult]) -> dict[str, object]:
    return {
        "document": made.document.name,
        "strategy": made.config.strategy.name,
        "chunks": len(made.chunks),
        "marks": len(results),
        "cut": sum(not each.coverage.whole for each in results),
        "fates": [
            {
                "kind": "whole" if each.question is None else "answer",
                "question": each.question,
                "start": each.coverage.span.start,
                "end": each.coverage.span.end,
                "line": made.document.line_of(each.coverage.span.start),
                "whole": each.coverage.whole,
                "cuts": [
                    {
                        "line": cut.line,
                        "offset": cut.offset,
                        "rule": cut.reason.rule,
                        "detail": cut.reason.detail,
                        "left_out": cut.left_out,
                    }
                    for cut in each.coverage.cuts
                ],
                "fixes": [_fix_json(fix) for fix in each.fixes.found],
                "tried": each.fixes.tried,
                "complete": each.fixes.complete,
            }
            for each in results
        ],
    }


def _fix_json(fix: Fix) -> dict[str, object]:
    return {
        "setting": fix.setting,
        "before": fix.before,
        "after": fix.after,
        "chunks": fix.chunks,
        "newly_cut": [[span.start, span.end] for span in fix.newly_cut],
        "newly_whole": [[span.start, span.end] for span in fix.newly_whole],
        "newly_left_out": fix.newly_left_out,
        "newly_unread": fix.newly_unread,
        "nearest": fix.nearest,
        "yaml": fix.config.to_yaml(),
    }
