"""The validation checklist of section-rules as a report, its warnings of mixed concepts, and chunk
counts per module.

Source: section-rules.md, "Validation Checklist", "One-Primary-Concept Rule", "Expected Chunk
Count"; DECISIONS sr-8.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations

from chunking.analysis.cut_blocks import cuts_inside
from chunking.core.chunk import Chunk
from chunking.errors import ConfigError
from chunking.models.access import Tools
from chunking.runs import Run
from chunking.splitting.overlap import longest_suffix
from chunking.strategies.section_rules import SectionRules
from chunking.strategies.section_rules.sections import excluded_sections
from chunking.tokens import counter

REQUIRED = ("id", "module_id", "chapter_id", "section_heading", "chunk_index")
"""Fields of the metadata schema; text and vector come with the record and the store."""
UNRELATED = 0.05
"""Two H3 sections that share less of their words than this count as two concepts."""
_WORD = re.compile(r"[^\W\d_]{4,}")
_TOPIC_CHANGE = re.compile(
    r"\b(?:now,? )?let(?:'|’)?s (?:look at|turn to|switch to|move on to|consider) "
    r"(?:something|another|a different|an entirely)"
    r"|\bon (?:a|an) (?:different|unrelated|entirely different) (?:note|topic|subject)"
    r"|\bturning to (?:something|another|a different)"
    r"|\bsomething (?:completely|entirely) different",
    re.IGNORECASE,
)
"""Phrases with which a text announces another subject."""


@dataclass(frozen=True, slots=True)
class ChecklistItem:
    """One line of the checklist: its requirement, whether it is met, and the chunks that fail."""

    asks: str
    passed: bool
    failing: tuple[int, ...]
    """Indexes of chunks, from 0."""
    warning: bool = False
    """Whether a failure is only for a person to look at: it never fails the verification."""

    def to_dict(self) -> dict[str, object]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class ModuleCount:
    """The number of a module's chunks, and the range that was expected; None without one."""

    module: str
    chapters: int
    chunks: int
    expected: tuple[int, int] | None = None

    def to_dict(self) -> dict[str, object]:
        return {**asdict(self), "passed": self.passed}

    @property
    def passed(self) -> bool:
        return self.expected is None or self.expected[0] <= self.chunks <= self.expected[1]


def checklist(run: Run) -> tuple[ChecklistItem, ...]:
    """The checklist for one chapter. Raises ConfigError for any other strategy than
    section-rules."""
    strategy = run.config.strategy
    if not isinstance(strategy, SectionRules):
        raise ConfigError(
            f"the checklist belongs to section-rules, and this config is {strategy.name}; use verify without it"
        )
    sizes = [chunk.body_tokens for chunk in run.chunks]
    low, high = strategy.target_low, strategy.target_high
    return (
        _check(
            f"all chunks have {strategy.min_tokens} to {strategy.split_above} tokens of content",
            [strategy.min_tokens <= size <= strategy.split_above for size in sizes],
        ),
        _check(
            f"chunks have {low} to {high} tokens, the target", [low <= size <= high for size in sizes], warning=True
        ),
        _check("heading prefixes are formatted correctly", [_prefixed(chunk, strategy) for chunk in run.chunks]),
        _check(
            f"the overlap is {strategy.overlap_tokens} tokens between adjacent chunks, or all there is",
            _overlaps(run, strategy),
        ),
        _check("metadata has all required fields", [_complete(chunk) for chunk in run.chunks]),
        _check("code blocks are intact", _code_intact(run)),
        _check("excluded content is removed", _without_excluded(run, strategy)),
        _check(
            "chunk_index is sequential within the chapter",
            [chunk.metadata.get("chunk_index") == at for at, chunk in enumerate(run.chunks)],
        ),
        _check("each chunk has one primary concept", [not _mixed(chunk) for chunk in run.chunks], warning=True),
    )


def module_counts(runs: Iterable[Run], expected: Mapping[str, tuple[int, int]]) -> tuple[ModuleCount, ...]:
    """Chunks per module over a folder, with the modules that were expected and are missing, sorted
    by name."""
    chunks: Counter[str] = Counter(dict.fromkeys(expected, 0))
    chapters: Counter[str] = Counter()
    for run in runs:
        module = run.document.name.rpartition("/")[0].rpartition("/")[2]
        chunks[module] += len(run.chunks)
        chapters[module] += 1
    return tuple(ModuleCount(name, chapters[name], chunks[name], expected.get(name)) for name in sorted(chunks))


def _check(asks: str, holds: Sequence[bool], *, warning: bool = False) -> ChecklistItem:
    failing = tuple(at for at, met in enumerate(holds) if not met)
    return ChecklistItem(asks, not failing, failing, warning)


def _prefixed(chunk: Chunk, strategy: SectionRules) -> bool:
    lines = chunk.context.splitlines()
    labels = [
        line[1 : line.index(":")] for line in lines if line.startswith("[") and ": " in line and line.endswith("]")
    ]
    wanted = [label for label in strategy.prefix_labels if label in labels or label == "Section"]
    return labels[: len(wanted)] == wanted and (not wanted or lines[len(wanted) : len(wanted) + 1] == [""])


def _overlaps(run: Run, strategy: SectionRules) -> list[bool]:
    """Whether each chunk overlaps the one before by as much as allowed; the parts of a split table
    need not."""
    tools = Tools(counter(run.config.counter))
    holds = [chunk.overlap is None for chunk in run.chunks[:1]]
    for before, chunk in zip(run.chunks, run.chunks[1:], strict=False):
        longest = longest_suffix(run.document, before.kept[-1], strategy.overlap_tokens, tools)
        begun = chunk.overlap.start if chunk.overlap else None
        inside_table = (
            chunk.overlap is None and run.document.block_at(chunk.kept[0].start).span.start < chunk.body.start
        )
        holds.append(begun == (longest.start if longest else None) or inside_table or strategy.count_context)
    return holds


def _complete(chunk: Chunk) -> bool:
    return all(chunk.metadata.get(field) is not None for field in REQUIRED)


def _code_intact(run: Run) -> list[bool]:
    cut = {each.chunk for each in cuts_inside(run) if each.kind == "code"}
    return [number not in cut for number in range(len(run.chunks))]


def _without_excluded(run: Run, strategy: SectionRules) -> list[bool]:
    excluded = [each.span for each in excluded_sections(run.document, strategy.exclude)]
    return [
        not any(part.start < span.end and span.start < part.end for part in chunk.kept for span in excluded)
        for chunk in run.chunks
    ]


def _mixed(chunk: Chunk) -> bool:
    """Whether a chunk announces another subject, or holds H3 sections that share next to no
    words."""
    if _TOPIC_CHANGE.search(chunk.kept_text):
        return True
    document = chunk.document
    starts = [
        section.span.start
        for section in document.sections
        if section.level == 3 and chunk.body.start <= section.span.start < chunk.body.end
    ]
    if len(starts) < 2:
        return False
    ends = [*starts[1:], chunk.body.end]
    words = [set(_WORD.findall(document.text[a:b].casefold())) for a, b in zip(starts, ends, strict=True)]
    return any(
        first and second and len(first & second) / min(len(first), len(second)) < UNRELATED
        for first, second in combinations(words, 2)
    )
