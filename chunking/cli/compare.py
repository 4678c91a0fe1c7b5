"""`chunkscope compare`: two configs on the same documents, and the limits a CI sets to the
difference."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from chunking.analysis.comparison import Comparison, compare
from chunking.analysis.counter_ratio import Ratio, measured_ratio
from chunking.analysis.metric_table import share_text
from chunking.cli.inputs import (
    AsJson,
    Delimiters,
    Exclude,
    Headings,
    Include,
    Paths,
    Root,
    TextColumn,
    announce,
    documents,
    given,
    read_config,
    with_loader,
)
from chunking.cli.outputs import keep_inputs
from chunking.cli.terminal import (
    CHECK_FAILED,
    DONE,
    ErrorLog,
    ProgressLine,
    markdown_text,
    print_json,
    print_line,
    print_markdown_table,
    print_table,
)
from chunking.config.config import Config
from chunking.core.chunk import SHARED_RULES
from chunking.document import Document
from chunking.errors import ConfigError
from chunking.runs import run
from chunking.runtime.faults import document_fault
from chunking.text.display import shown_text
from chunking.text.suggest import did_you_mean

_COLUMNS = ("document", "chunks", "median", "kept", "moved", "added", "removed", "embed again", "tokens", "changed")
_MOST_FAILURES = 100
"""Listed in Markdown: a comment on a pull request has an end. The text and the JSON list all."""


@dataclass(frozen=True, slots=True)
class Total:
    """All documents together."""

    before: int
    """Chunks."""
    after: int
    to_embed_again: int
    tokens_to_embed_again: int

    @property
    def changed_share(self) -> float:
        """Share of the after side's chunks, 0 to 1, that must be embedded again."""
        return self.to_embed_again / self.after if self.after else 0.0


def compare_command(
    before: Annotated[str, typer.Argument(metavar="A", help="The config before: a YAML file or a strategy's name.")],
    after: Annotated[str, typer.Argument(metavar="B", help="The config after.")],
    paths: Paths,
    max_changed: Annotated[
        str, typer.Option(help="Exit 1 when more of B's chunks than this, as 20%, must be embedded again.")
    ] = "",
    fail_on: Annotated[
        list[str] | None, typer.Option(metavar="RULE", help="Exit 1 when B ends or flags a chunk by this rule.")
    ] = None,
    json: AsJson = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write a Markdown table, for a pull request.")] = False,
    headings: Headings = None,
    delimiters: Delimiters = None,
    root: Root = None,
    include: Include = None,
    exclude: Exclude = None,
    text_column: TextColumn = "",
) -> None:
    """Compare two configs: boundaries kept, moved, added and removed, and what must be embedded
    again."""
    wanted = given(paths, root, include, exclude, text_column)
    keep_inputs({}, {"the config A": before, "the config B": after}, wanted.paths, wanted.selection)
    old, new = (with_loader(read_config(each)[0], headings, delimiters, text_column) for each in (before, after))
    wanted = wanted.for_configs(old, new)
    most, rules = share(max_changed) if max_changed else None, _known_rules(fail_on or [], new)
    errors = ErrorLog()
    watched = ProgressLine(results_on_screen=False).through(documents(wanted, errors), wanted.count)
    comparisons = list(_compared(watched, old, new, errors))
    total = _total(comparisons)
    failures = _failures(comparisons, total, most, rules)
    if json:
        print_json(compared(comparisons, old, new, failures))
    else:
        _say_all(comparisons, total, markdown=markdown)
        _say_counter(_counter_words(comparisons, old, new), markdown=markdown)
        _say_failures(failures, markdown=markdown)
    errors.exit_with(CHECK_FAILED if failures else DONE)


def _compared(found: Iterable[Document], old: Config, new: Config, errors: ErrorLog) -> Iterator[Comparison]:
    """Each document cut by both; one that cannot be is reported and left out."""
    for document in found:
        try:
            announce(document, old, new)
            made = compare(run(document, old), run(document, new))
        except BaseException as error:
            errors.report(document_fault(error, document.name))
            continue
        for each in (made.before, made.after):
            errors.note_descriptions(each)
        yield made


def share(text: str) -> float:
    """A share as `20%` or `0.2`. Raises ConfigError for anything else: a bare 20 could be meant
    either way."""
    if not re.fullmatch(r"\d{1,3}(\.\d{1,6})?%|[01](\.\d{1,6})?", text, re.ASCII):
        raise ConfigError(f"--max-changed: {shown_text(text)!r} is not a share; write it as 20% or 0.2")
    found = float(text[:-1]) / 100 if text.endswith("%") else float(text)
    if found > 1:
        raise ConfigError(f"--max-changed: {text} is more than all; write at most 100%")
    return found


def _known_rules(rules: Sequence[str], config: Config) -> Sequence[str]:
    known = {**SHARED_RULES, **config.strategy.rules}
    for rule in rules:
        if rule not in known:
            way_out = did_you_mean(rule, known)
            raise ConfigError(f"--fail-on: {config.strategy.name} has no rule {shown_text(rule)!r}; {way_out}")
    return rules


def _total(comparisons: Sequence[Comparison]) -> Total:
    return Total(
        before=sum(len(each.before.chunks) for each in comparisons),
        after=sum(len(each.after.chunks) for each in comparisons),
        to_embed_again=sum(len(each.to_embed_again) for each in comparisons),
        tokens_to_embed_again=sum(each.tokens_to_embed_again for each in comparisons),
    )


def _failures(comparisons: Sequence[Comparison], total: Total, most: float | None, rules: Sequence[str]) -> list[str]:
    failures = []
    if most is not None and total.changed_share > most:
        failures.append(f"{total.changed_share:.2%} of the chunks must be embedded again; --max-changed is {most:.2%}")
    for comparison in comparisons:
        for chunk in comparison.after.chunks:
            found = {chunk.ended_by.rule, *(flag.rule for flag in chunk.flags)}.intersection(rules)
            where = f"{shown_text(comparison.after.document.name, 120)}, lines {chunk.start_line} to {chunk.end_line}"
            failures += [f"{where}: {rule}" for rule in sorted(found)]
    return failures


def _row(comparison: Comparison) -> tuple[str, ...]:
    before, after = comparison.before_metrics, comparison.after_metrics
    changes = [str(comparison.count(change)) for change in ("kept", "moved", "added", "removed")]
    return (
        shown_text(comparison.after.document.name, 80),
        f"{before.chunk_count} to {after.chunk_count}",
        f"{before.median_tokens:g} to {after.median_tokens:g}",
        *changes,
        str(len(comparison.to_embed_again)),
        str(comparison.tokens_to_embed_again),
        share_text(comparison.changed_share),
    )


def _say_all(comparisons: Sequence[Comparison], total: Total, *, markdown: bool) -> None:
    rows = [_row(comparison) for comparison in comparisons]
    blank = [""] * 5
    again = (str(total.to_embed_again), str(total.tokens_to_embed_again), share_text(total.changed_share))
    rows.append((f"{len(comparisons)} in all", f"{total.before} to {total.after}", *blank, *again))
    if not markdown:
        print_table(_COLUMNS, rows, numbers=_COLUMNS[1:])
        return
    print_markdown_table(_COLUMNS, rows, numbers=_COLUMNS[1:])


def _counter_words(comparisons: Sequence[Comparison], old: Config, new: Config) -> str:
    """What counted every number of tokens: B's counter, for both sides; and how far that is off
    where it estimates."""
    cuts = f"; A cuts by {old.counter}" if old.counter != new.counter else ""
    ratio = _ratio(comparisons)
    off = f". {ratio.sentence}" if ratio else ""
    return f"tokenizer {new.counter}{', an estimate' if ratio else ''}{cuts}{off}"


def _ratio(comparisons: Sequence[Comparison]) -> Ratio | None:
    """B's counter against an exact one over all documents; None where it is exact, or there is no
    document."""
    found = [each for each in (measured_ratio(comparison.after) for comparison in comparisons) if each]
    if not found:
        return None
    of = found[0]
    return Ratio(of.counter, sum(each.tokens for each in found), of.exact, sum(each.exact_tokens for each in found))


def _say_counter(words: str, *, markdown: bool) -> None:
    """A line below the table; in Markdown a paragraph of its own."""
    print_line(f"\n{markdown_text(words)}" if markdown else shown_text(words, 1000))


def _say_failures(failures: Sequence[str], *, markdown: bool) -> None:
    """One line each; in Markdown a list after a blank line, which would else be more rows of the
    table."""
    if not markdown:
        for failure in failures:
            print_line(f"failed: {failure}")
        return
    if failures:
        print_line("")
    for failure in failures[:_MOST_FAILURES]:
        print_line(f"- failed: {markdown_text(failure)}")
    if len(failures) > _MOST_FAILURES:
        print_line(f"- and {len(failures) - _MOST_FAILURES:,} more")


def compared(
    comparisons: Sequence[Comparison], old: Config, new: Config, failures: Sequence[str] = ()
) -> dict[str, object]:
    """What --json prints of each document cut by both configs."""
    ratio, total = _ratio(comparisons), _total(comparisons)
    return {
        "counter": new.counter,
        "counter_ratio": ratio.to_dict() if ratio else None,
        "cut_by": {"before": old.counter, "after": new.counter},
        "documents": [comparison.to_dict() for comparison in comparisons],
        "total": {
            "chunks": {"before": total.before, "after": total.after},
            "to_embed_again": {"chunks": total.to_embed_again, "tokens": total.tokens_to_embed_again},
            "changed_share": round(total.changed_share, 4),
        },
        "failures": list(failures),
    }
