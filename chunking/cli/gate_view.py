"""What `chunkscope gate` says: four questions with their answers, then the documents and checks
behind them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Literal

from chunking.analysis.corpus_change import CheckChange, DocumentChange, TextChange
from chunking.analysis.edits import EditStability
from chunking.analysis.metric_table import share_text
from chunking.cli.terminal import markdown_text, print_line, print_markdown_table, print_table
from chunking.text.display import be, counted, shown_text

_MOST_ROWS = 50
"""Rows of each list; JSON has them all. A summary of GitHub's has room for 1 MB."""
_CHANGES: tuple[TextChange, ...] = ("added", "edited", "renamed")


@dataclass(frozen=True, slots=True)
class Evidence:
    """Marked answers, in HEAD's documents: how many each config keeps whole in one chunk."""

    answers: int
    whole_before: int
    whole_after: int
    newly_cut: int
    newly_whole: int


@dataclass(frozen=True)
class Gate:
    """All that was found between BASE and HEAD."""

    base: str
    head: str
    config: str
    """Where the config comes from."""
    config_changed: bool
    documents: tuple[DocumentChange, ...]
    removed: tuple[str, ...]
    evidence: Evidence | None

    def of_change(self, change: TextChange) -> list[DocumentChange]:
        return [each for each in self.documents if each.change == change]

    @cached_property
    def chunks(self) -> int:
        """Of HEAD, by its own config."""
        return sum(each.chunks for each in self.documents)

    @cached_property
    def by_text(self) -> Effect:
        """What the texts alone changed: BASE's config on both."""
        same = sum(_chunks_by_old(each) for each in self.documents if each.by_text is None)
        return _effect((each.by_text for each in self.documents), same)

    @cached_property
    def by_config(self) -> Effect:
        """What the config alone changed: both on HEAD's texts."""
        return _effect((each.by_config for each in self.documents), self.chunks if not self.config_changed else 0)

    @cached_property
    def in_all(self) -> Effect:
        same = sum(each.chunks for each in self.documents if each.in_all is None)
        return _effect((each.in_all for each in self.documents), same)

    @cached_property
    def worse(self) -> list[CheckChange]:
        """Checks that fail by HEAD's config and did not, or in more places, on the same texts."""
        return [each for each in self._checks if each.failed and each.worse]

    @cached_property
    def better(self) -> list[CheckChange]:
        return [each for each in self._checks if each.failed and not each.worse]

    @cached_property
    def warned(self) -> list[CheckChange]:
        """Warnings that came or grew with HEAD's config, on the same texts."""
        return [each for each in self._checks if not each.failed and each.worse]

    @property
    def _checks(self) -> list[CheckChange]:
        return [check for each in self.documents for check in each.checks]

    @property
    def unfit(self) -> list[DocumentChange]:
        """New texts that fail a check, whichever config cuts them."""
        return [each for each in self.documents if each.failing]

    @property
    def quality(self) -> Literal["fell", "rose", "held"]:
        """On the same texts, by the config alone."""
        lost = self.evidence.newly_cut - self.evidence.newly_whole if self.evidence else 0
        if self.worse or lost > 0:
            return "fell"
        return "rose" if self.better or lost < 0 else "held"


@dataclass(frozen=True, slots=True)
class Effect:
    """Chunks of a state, and how many of them have texts that the state before does not have."""

    chunks: int
    to_embed: int
    tokens_to_embed: int

    @property
    def share(self) -> float:
        """0 to 1; 0 where there is no chunk."""
        return self.to_embed / self.chunks if self.chunks else 0.0


def _chunks_by_old(of: DocumentChange) -> int:
    return of.by_config.chunks_before if of.by_config else of.chunks


def _effect(found: Iterator[EditStability | None], unchanged: int) -> Effect:
    changed = [each for each in found if each]
    return Effect(
        unchanged + sum(each.chunks_after for each in changed),
        sum(each.to_embed for each in changed),
        sum(each.tokens_to_embed for each in changed),
    )


def failures(gate: Gate, reasons: Sequence[str], most: float | None) -> list[str]:
    """What exit code 1 is given for, one line each."""
    found = []
    if "quality" in reasons and gate.quality == "fell":
        found.append(f"quality fell on the same texts: {_quality_numbers(gate)}")
    if "documents" in reasons and gate.unfit:
        found.append(f"{counted(len(gate.unfit), 'new or edited document')} {_fail(len(gate.unfit))} a check")
    if "warnings" in reasons and gate.warned:
        found.append(f"{counted(len(gate.warned), 'check')} {_warn(len(gate.warned))} more by HEAD's config")
    if most is not None and gate.in_all.share > most:
        found.append(f"{gate.in_all.share:.2%} of the chunks must be embedded; --max-changed is {most:.2%}")
    return found


def _fail(count: int) -> str:
    return "fails" if count == 1 else "fail"


def _warn(count: int) -> str:
    return "warns" if count == 1 else "warn"


def headline(gate: Gate) -> str:
    """The outcome in one sentence: the two causes, each by its name."""
    turned = (
        f"the corpus turned over by {_percent(gate.by_text.share)}" if _turned_over(gate) else "the corpus is the same"
    )
    quality = {"fell": "quality fell on the same texts", "rose": "quality rose on the same texts"}
    held = "quality held on the same texts" if gate.config_changed else "the config is the same"
    return f"Chunkscope: {quality.get(gate.quality, held)}; {turned}"


def _percent(share: float) -> str:
    """Never rounded down to nothing, nor up to all of it."""
    return "under 1%" if 0 < share < 0.005 else share_text(share)


def _turned_over(gate: Gate) -> bool:
    return bool(gate.removed) or any(each.change != "same" for each in gate.documents)


def rows(gate: Gate) -> list[tuple[str, str, str]]:
    """Question, answer and numbers."""
    turned, config = gate.by_text, gate.by_config
    kinds = Counter(each.change for each in gate.documents)
    counts = [f"{kinds[change]} {change}" for change in _CHANGES if kinds[change]]
    counts += [f"{len(gate.removed)} removed"] if gate.removed else []
    documents = f"{', '.join(counts) or 'none changed'} of {counted(len(gate.documents), 'document')}"
    boundaries = [sum(each.boundaries[at] for each in gate.documents) for at in range(4)]
    said = ", ".join(
        f"{count:,} {word}" for count, word in zip(boundaries, ("kept", "moved", "added", "removed"), strict=True)
    )
    came = sum(each.came for each in gate.documents)
    return [
        (
            "Did the corpus turn over?",
            f"yes, {_percent(turned.share)}" if _turned_over(gate) else "no",
            f"{documents}; {_embedding(turned)}",
        ),
        (
            "Did the config change?",
            f"yes, {_percent(config.share)}" if gate.config_changed else "no",
            f"{gate.config}" + (f"; boundaries {said}; {_embedding(config)}" if gate.config_changed else ""),
        ),
        (
            "Did quality fall on the same texts?",
            {"fell": "YES", "rose": "no, it rose", "held": "no"}[gate.quality],
            _quality_numbers(gate),
        ),
        (
            "Are new texts fit to embed?",
            "NO" if gate.unfit else "yes" if came else "there are none",
            f"{len(gate.unfit)} of {counted(came, 'new or edited document')} {_fail(len(gate.unfit))} a check",
        ),
        ("What must be embedded?", _percent(gate.in_all.share), _embedding(gate.in_all)),
    ]


def _embedding(of: Effect) -> str:
    return f"{of.to_embed:,} of {counted(of.chunks, 'chunk')} to embed, {of.tokens_to_embed:,} tokens"


def _quality_numbers(gate: Gate) -> str:
    if not gate.config_changed:
        return "the same config cuts the same texts alike"
    said = [f"{counted(len(gate.worse), 'check')} {be(len(gate.worse))} worse, {len(gate.better)} better"]
    said += [f"{counted(len(gate.warned), 'warning')} more"] if gate.warned else []
    if found := gate.evidence:
        said.append(
            f"marked answers whole: {found.whole_before} before, {found.whole_after} after, of {found.answers} "
            f"({found.newly_cut} newly cut, {found.newly_whole} newly whole)"
        )
    return "; ".join(said)


def say(gate: Gate, wrong: Sequence[str], *, markdown: bool) -> None:
    """Print it all; in Markdown as tables, for a pull request."""
    table = print_markdown_table if markdown else print_table
    shown = markdown_text if markdown else str
    print_line(f"{'### ' if markdown else ''}{shown(headline(gate))}")
    print_line("")
    table(("question", "answer", "numbers"), rows(gate))
    for title, columns, listed in _lists(gate):
        if listed:
            print_line("")
            print_line(f"**{title}**\n" if markdown else title)
            table(columns, listed[:_MOST_ROWS])
            if len(listed) > _MOST_ROWS:
                print_line(f"\nand {len(listed) - _MOST_ROWS:,} more")
    if wrong:
        print_line("")
    for failure in wrong:
        print_line(f"{'- ' if markdown else ''}failed: {shown(failure)}")


def _lists(gate: Gate) -> Iterator[tuple[str, tuple[str, ...], list[tuple[str, ...]]]]:
    checks = ("document", "check", "before", "after")
    for title, found in (("Worse on the same texts", gate.worse), ("Better on the same texts", gate.better)):
        yield title, checks, [_check_row(each) for each in found]
    yield "More warnings on the same texts", checks, [_check_row(each) for each in gate.warned]
    unfit = [(each, check) for each in gate.documents for check in each.failing]
    yield (
        "New texts that fail a check",
        ("document", "change", "check", "found"),
        [(_name(each.name), each.change, check.title, shown_text(check.said, 200)) for each, check in unfit],
    )
    changed = [each for each in gate.documents if each.change != "same"]
    texts: list[tuple[str, ...]] = [
        (_name(each.name), each.change, _share_of(each.by_text), _name(each.was) if each.was else "")
        for each in changed
    ]
    texts += [(_name(name), "removed", "", "") for name in gate.removed]
    yield "Texts that changed", ("document", "change", "chunks to embed", "was"), texts


def _name(name: str) -> str:
    return shown_text(name, 120)


def _share_of(of: EditStability | None) -> str:
    return f"{of.to_embed:,} of {of.chunks_after:,}" if of else ""


def _check_row(change: CheckChange) -> tuple[str, ...]:
    before, after = (f"{each.verdict}: {shown_text(each.said, 200)}" for each in (change.before, change.after))
    return _name(change.document), change.after.title, before, after


def as_json(gate: Gate, wrong: Sequence[str]) -> dict[str, object]:
    return {
        "base": gate.base,
        "head": gate.head,
        "config": {"from": gate.config, "changed": gate.config_changed},
        "documents": {
            "added": [of.name for of in gate.of_change("added")],
            "edited": [of.name for of in gate.of_change("edited")],
            "renamed": [[of.was, of.name] for of in gate.of_change("renamed")],
            "removed": list(gate.removed),
            "same": len(gate.of_change("same")),
        },
        "by_text": _effect_dict(gate.by_text),
        "by_config": _effect_dict(gate.by_config),
        "in_all": _effect_dict(gate.in_all),
        "quality": gate.quality,
        "worse": [_check_dict(each) for each in gate.worse],
        "better": [_check_dict(each) for each in gate.better],
        "more_warnings": [_check_dict(each) for each in gate.warned],
        "unfit": [{"document": of.name, "checks": [each.to_dict() for each in of.failing]} for of in gate.unfit],
        "evidence": asdict(gate.evidence) if gate.evidence else None,
        "failures": list(wrong),
    }


def _effect_dict(of: Effect) -> dict[str, object]:
    return {**asdict(of), "share": round(of.share, 4)}


def _check_dict(of: CheckChange) -> dict[str, object]:
    return {"document": of.document, "before": of.before.to_dict(), "after": of.after.to_dict()}
