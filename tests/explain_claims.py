"""The claims of `explain`, checked by cutting at the values it names: `python
tests/explain_claims.py FOLDER`.

Draws documents (samples, made ones with a block of every kind over the limit, and the folder's),
strategies, settings and boundaries. Prints how many claims are false, and the share of answers that
are exact; exit 0 only with none false.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contract import tools_for

from chunking import Config, Document, load, parse
from chunking.config.setting_spec import setting_specs
from chunking.config.validation import make_strategy
from chunking.core.chunk import Chunk
from chunking.core.strategy import Strategy
from chunking.document import Span
from chunking.errors import ChunkscopeError
from chunking.explanation.explanation import NumberRange, OptionRange, explain
from chunking.explanation.nearest import SpanWhole, changes
from chunking.explanation.recutting import Recutter
from chunking.explanation.search import Side
from chunking.gold.coverage import coverage_by
from chunking.strategies import get

SAMPLES = Path(__file__).resolve().parents[1] / "sample_docs"
MODEL_FREE = ("heading-window", "hierarchical", "block-packing", "section-rules", "fixed", "recursive", "code")
LARGEST = 110_000
"""Bytes of the documents for which the share of exact answers is promised."""
COUNTERS = ("cl100k_base", "cl100k_base", "words", "chars-4", "words-1.3")


@dataclass
class ClaimCounts:
    """Counts of claims and answers so far. Mutable."""

    claims: int = 0
    false: int = 0
    failed: int = 0
    answers: int = 0
    exact: int = 0
    boundaries: int = 0
    recuts: int = 0
    seconds: float = 0.0
    open: Counter[str] = field(default_factory=Counter)
    """Answers that are not exact, by strategy and setting."""
    messages: list[str] = field(default_factory=list)
    """The first false claims and failures, in words."""

    def __str__(self) -> str:
        share = self.exact / max(1, self.answers)
        return (
            f"{self.false} false of {self.claims} claims about {self.boundaries} boundaries, {self.failed} failures; "
            f"{self.exact} of {self.answers} answers exact ({share:.1%}); {self.recuts} cuts"
        )


def made_document(rng: random.Random) -> Document:
    """A long block of every kind, some nested, some in other scripts, as large as chance has it."""
    n = rng.choice([8, 30, 90])
    sentences = " ".join(f"Sentence number {i} says a little more than the one before." for i in range(n))
    items = "".join(f"- item {i} " + "word " * (i * 7 % 23) + "\n" for i in range(n))
    nested = "".join(f"{'  ' * (i % 3)}- item {i} has some words in it\n" for i in range(n))
    rows = "".join(f"| row {i} | {'cell ' * (i % 6)} | {i * i} |\n" for i in range(n))
    table = f"| name | what it is | number |\n|---|---|---|\n{rows}"
    code = "```py\n" + "".join(f"line_{i} = call({i}, 'text')\n" for i in range(n)) + "```\n"
    within = "- item with code\n\n" + "".join(f"  {line}\n" for line in code.splitlines()) + "\n- next\n"
    quote = "".join(f"> quoted line {i} goes on and on\n" for i in range(n))
    sections = "".join(f"{'#' * (1 + i % 4)} Section {i}\n\n{'words of it ' * (i * 5 % 17)}\n\n" for i in range(n))
    word = "x" * (n * 9) + " " + "https://example.org/" + "a-long-path/" * n + "\n"
    foreign = "".join(f"第{i}节说的比前一节多一点。" for i in range(n)) + "\n\n" + "Ещё одно предложение. " * n + "\n"
    blocks = [sentences + "\n", items, nested, table, code, within, quote, sections, word, foreign]
    rng.shuffle(blocks)
    chosen = blocks[: rng.randint(1, 5)]
    text = "".join(f"{'#' * rng.randint(1, 3)} Part {i}\n\n{block}\n" for i, block in enumerate(chosen))
    return parse(text.replace("\n", rng.choice(["\n", "\n", "\n", "\r\n"])), name="made.md")


def drawn_document(rng: random.Random, files: list[Path]) -> Document:
    """One of the files, or a made one: also in the place of a file that cannot be read."""
    if files and rng.random() < 0.6:
        try:
            document = load(rng.choice(files))
            assert isinstance(document, Document)
            return document
        except ChunkscopeError:
            pass
    return made_document(rng)


def documents_in(folder: Path, largest: int = LARGEST) -> list[Path]:
    """The Markdown files that are not too large."""
    return [path for path in sorted(folder.rglob("*.md")) if 0 < path.stat().st_size <= largest]


def drawn_strategy(rng: random.Random, name: str) -> Strategy | None:
    """A strategy with settings by chance: its defaults, near them, small limits, or anything that
    is legal."""
    declared, kind = get(name), rng.choice(["default", "near", "small", "small", "any"])
    settings: dict[str, Any] = {}
    for spec in setting_specs(declared):
        key, value = spec.name, spec.default
        low, high = spec.last_legal(-1), spec.last_legal(1)
        if isinstance(value, bool):
            settings[key] = rng.random() < 0.5 if kind != "default" or rng.random() < 0.3 else value
        elif isinstance(value, int):
            near = {"default": value, "near": round(value * rng.uniform(0.3, 1.7)), "small": rng.randint(1, 40)}
            top = min(high or 3000, 3000)
            drawn = near.get(kind, rng.randint(int(low or 0), int(top)))
            settings[key] = int(min(max(drawn, low or 0), high if high is not None else drawn))
        elif isinstance(value, float):
            settings[key] = round(rng.random(), rng.choice([1, 2, 9]))
        elif spec.choices and isinstance(value, str):
            settings[key] = rng.choice(spec.choices) if rng.random() < 0.3 or kind == "any" else value
    for _ in range(20):
        try:
            return make_strategy(name, settings)
        except ChunkscopeError:  # settings that must stand in order: some of them are drawn anew
            key = rng.choice(list(settings))
            if isinstance(settings[key], int) and not isinstance(settings[key], bool):
                settings[key] = rng.choice([settings[key] // 2, settings[key] * 2 + 1])
    return None


def ends_of(document: Document, config: Config, until: int | None = None) -> set[int]:
    """Where chunks end, cut afresh with nothing watched; as far as the part that ends at `until` or
    beyond."""
    ends = set()
    for part in config.strategy.split(document, tools_for(config)):
        if isinstance(part, Chunk):
            ends.add(part.body.end)
        if until is not None and part.body.end >= until:
            break
    return ends


def hold(document: Document, config: Config, offset: int, rng: random.Random, tally: ClaimCounts) -> None:
    """Explain one boundary, and cut at the values that were named."""
    begun = time.process_time()
    told = explain(document, config, offset=offset, tools=tools_for(config))
    tally.seconds += time.process_time() - begun
    tally.recuts += told.recuts
    tally.boundaries += 1
    for each in told.ranges:
        tally.answers += 1
        if isinstance(each, OptionRange):
            tally.exact += all(option.stays is not None for option in each.others)
            tries = [(option.value, option.stays) for option in each.others if option.stays is not None]
        else:
            tally.exact += each.exact
            if not each.exact:
                tally.open[f"{config.strategy.name} {each.setting}"] += 1
            tries = [*tries_of(each, each.below, rng), *tries_of(each, each.above, rng)]
        for value, there in tries:
            changed = {each.setting: value}
            try:
                really = offset in ends_of(document, config.with_settings(changed), offset)
            except Exception as error:
                tally.failed += 1
                tally.messages.append(f"failed: {config.to_yaml()!r} {changed} {error!r}")
                continue
            tally.claims += 1
            if really != there:
                tally.false += 1
                tally.messages.append(f"false: {document.name} {config.to_yaml()!r} {offset} {changed} there: {really}")


def hold_span(document: Document, config: Config, offset: int, rng: random.Random, tally: ClaimCounts) -> None:
    """Ask what keeps a span around a boundary whole, and cut at the values that were named and at
    nearer ones."""
    span = Span(max(0, offset - rng.randint(1, 80)), min(len(document.text), offset + rng.randint(1, 80)))

    def whole(value: object, setting: str) -> bool:
        changed = config.strategy.model_copy(update={setting: value})
        parts = [part for part in changed.split(document, tools_for(config)) if part.body.end > span.start]
        return coverage_by(parts, document, span).whole

    recutter = Recutter(document, config.strategy, tools_for(config), SpanWhole(document, span))
    if recutter.answer(config.strategy).gone:
        return
    for change in changes(recutter, lambda: True)[0]:
        now = getattr(config.strategy, change.setting)
        tries = [(change.value, True)]
        if change.nearest and isinstance(change.value, int) and isinstance(now, int) and change.value != now:
            step = 1 if change.value > now else -1
            nearer = range(now, change.value, step)
            tries += [(value, False) for value in {nearer[-1], rng.choice(nearer), rng.choice(nearer)}]
        for value, wanted in tries:
            tally.claims += 1
            if whole(value, change.setting) is not wanted:
                tally.false += 1
                tally.messages.append(f"false: {document.name} {config.to_yaml()!r} {span} {change.setting} {value}")


def tries_of(of: NumberRange, side: Side, rng: random.Random) -> Iterator[tuple[float, bool]]:
    """Values at which the boundary was said to stay or to go: the last, the ones beside it, and
    some between."""
    stays = side.stays_to
    yield stays, True
    if isinstance(stays, int) and isinstance(of.value, int):
        low, high = sorted((of.value, min(max(stays, -5000), of.value + 5000)))
        yield from ((rng.randint(low, high), True) for _ in range(2))
    else:
        yield rng.uniform(*sorted((stays, of.value))), True
    if side.goes_at is not None:
        yield side.goes_at, False


def checked(rng: random.Random, files: list[Path], *, claims: int, seconds: float | None = None) -> ClaimCounts:
    """As many claims as asked for, about boundaries by chance."""
    tally, begun = ClaimCounts(), time.monotonic()
    while tally.claims < claims and (seconds is None or time.monotonic() - begun < seconds):
        document = drawn_document(rng, files)
        strategy = drawn_strategy(rng, rng.choice(MODEL_FREE))
        if strategy is None:
            continue
        config = Config(strategy, rng.choice(COUNTERS))
        inner = sorted(end for end in ends_of(document, config) if end < len(document.text))
        for offset in rng.sample(inner, min(2, len(inner))):
            hold(document, config, offset, rng, tally)
            if rng.random() < 0.3:
                hold_span(document, config, offset, rng, tally)
    return tally


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("folder", nargs="?", type=Path, default=SAMPLES)
    asked.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    asked.add_argument("--claims", type=int, default=5000)
    asked.add_argument("--seconds", type=float)
    given = asked.parse_args()
    tally = checked(random.Random(given.seed), documents_in(given.folder), claims=given.claims, seconds=given.seconds)
    for line in tally.messages[:20]:
        print(line)
    for name, count in tally.open.most_common():
        print(f"  not exact: {count} of {name}")
    print(f"{tally} (seed {given.seed}, {tally.seconds:.0f} s of CPU to explain)")
    return 0 if tally.claims and not tally.false and not tally.failed else 1


if __name__ == "__main__":
    sys.exit(main())
