"""`chunkscope inspect --health` of several documents: which are fit to be embedded, the worst
first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chunking.analysis.health import Check, health
from chunking.cli.inputs import Given, announce, documents
from chunking.cli.terminal import (
    ErrorLog,
    ProgressLine,
    markdown_text,
    print_json,
    print_line,
    print_markdown_table,
    print_table,
)
from chunking.config.config import Config
from chunking.document import Document
from chunking.runs import Run, run
from chunking.runtime.faults import document_fault
from chunking.text.display import counted, shown_text

_MOST_ROWS = 200
"""Documents that are shown; JSON has them all."""
_COLUMNS = ("document", "chunks", "failed", "warnings", "what")
_CHECK_COLUMNS = ("check", "failed", "warnings", "passed")


@dataclass(frozen=True, slots=True)
class DocumentHealth:
    """The checks of one document's chunks."""

    name: str
    chunks: int
    override: str
    """The pattern of the config's override that holds for it; empty without one."""
    checks: tuple[Check, ...]

    def found(self, verdict: str) -> list[Check]:
        return [check for check in self.checks if check.verdict == verdict]

    def to_dict(self) -> dict[str, object]:
        """Plain values for JSON, with the checks that did not pass."""
        return {
            "document": self.name,
            "chunks": self.chunks,
            "override": self.override or None,
            "health": [check.to_dict() for check in self.checks if check.verdict != "ok"],
        }


def say_health(wanted: Given, config: Config, errors: ErrorLog, *, json: bool, markdown: bool) -> bool:
    """Check every document and print the outcome. Whether no check failed."""
    through = ProgressLine(results_on_screen=False).through(documents(wanted, errors), wanted.count)
    found = sorted(_checked(through, config, errors), key=_worst_first)
    if json:
        print_json(all_checked(found))
    else:
        _say(found, markdown=markdown)
    return not any(each.found("fail") for each in found)


def all_checked(found: Sequence[DocumentHealth]) -> dict[str, object]:
    """What --json prints of several documents, the worst first."""
    listed = sorted(found, key=_worst_first)
    return {"documents": [each.to_dict() for each in listed], "checks": _by_check(listed), "total": _total(listed)}


def checked(result: Run, config: Config) -> DocumentHealth:
    """The checks of one document's run with this config."""
    override = config.override_for(result.document.name)
    return DocumentHealth(
        result.document.name, len(result.chunks), override.pattern if override else "", health(result)
    )


def _checked(read: Iterator[Document], config: Config, errors: ErrorLog) -> Iterator[DocumentHealth]:
    for document in read:
        try:
            announce(document, config)
            result = run(document, config)
            made = checked(result, config)
        except BaseException as error:
            errors.report(document_fault(error, document.name))
            continue
        errors.note_descriptions(result)
        yield made


def _worst_first(of: DocumentHealth) -> tuple[int, int, str]:
    return -len(of.found("fail")), -len(of.found("warn")), of.name


def _total(found: Sequence[DocumentHealth]) -> dict[str, int]:
    failed = sum(bool(each.found("fail")) for each in found)
    warned = sum(bool(each.found("warn")) and not each.found("fail") for each in found)
    chunks = sum(each.chunks for each in found)
    return {
        "documents": len(found),
        "failed": failed,
        "warnings": warned,
        "passed": len(found) - failed - warned,
        "chunks": chunks,
    }


def _by_check(found: Sequence[DocumentHealth]) -> list[dict[str, str | int]]:
    """How many documents failed each check, in the order of the checks."""
    titles = {check.name: check.title for each in found for check in each.checks}
    verdicts = Counter((check.name, check.verdict) for each in found for check in each.checks)
    return [
        {
            "name": name,
            "title": title,
            "failed": verdicts[name, "fail"],
            "warnings": verdicts[name, "warn"],
            "passed": verdicts[name, "ok"],
        }
        for name, title in titles.items()
    ]


def _say(found: Sequence[DocumentHealth], *, markdown: bool) -> None:
    table = print_markdown_table if markdown else print_table
    faulty = [each for each in found if each.found("fail") or each.found("warn")]
    if faulty:
        table(_COLUMNS, [_row(each) for each in faulty[:_MOST_ROWS]], numbers=_COLUMNS[1:4])
        print_line("")
    checks = [
        (str(each["title"]), *(str(each[key]) for key in _CHECK_COLUMNS[1:]))
        for each in _by_check(found)
        if each["failed"] or each["warnings"]
    ]
    if checks:
        table(_CHECK_COLUMNS, checks, numbers=_CHECK_COLUMNS[1:])
        print_line("")
    total = _total(found)
    more = f", {len(faulty) - _MOST_ROWS:,} of them not shown" if len(faulty) > _MOST_ROWS else ""
    words = (
        f"{counted(total['documents'], 'document')}, {counted(total['chunks'], 'chunk')}: "
        f"{total['failed']} failed, {total['warnings']} with warnings{more}, {total['passed']} passed every check"
    )
    print_line(markdown_text(words) if markdown else words)


def _row(of: DocumentHealth) -> tuple[str, ...]:
    shown = of.found("fail") or of.found("warn")
    what = "; ".join(f"{check.title}: {check.said}" for check in shown)
    by = f" (override {of.override})" if of.override else ""
    return (
        shown_text(of.name + by, 160),
        str(of.chunks),
        str(len(of.found("fail"))),
        str(len(of.found("warn"))),
        shown_text(what, 400),
    )
