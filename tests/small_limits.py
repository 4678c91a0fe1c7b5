"""Documents, configs and checks for limits so small that every rule of cutting applies: 1 to 40 of
any unit.

Drawn from a `Random`, so that a property test shrinks them and a long draw by hand is one number.
"""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import regex
from sample_describers import GivenDescriber
from sample_embedders import HashEmbedder

from chunking.config.config import Config
from chunking.config.validation import make_strategy
from chunking.core.chunk import Chunk, Skip
from chunking.document import Document, Span
from chunking.document.fenced_regions import holds_code
from chunking.document.loading import load
from chunking.document.parser import parse
from chunking.errors import ChunkscopeError
from chunking.models.access import Tools
from chunking.runs import Run, run
from chunking.tokens import TokenCounter, counter

STRATEGIES = (
    *("fixed", "recursive", "block-packing", "heading-window", "hierarchical", "section-rules"),
    *("semantic", "contextual", "small-to-big", "every-heading", "code"),
)
WRAPPING = ("contextual", "small-to-big")
LARGEST = 40
COUNTERS = ("cl100k_base", "o200k_base")

WORDS = (
    *(
        "water",
        "steam",
        "kettle",
        "a",
        "I",
        "x-",
        "...",
        "U.S.",
        "e.g.",
        "Dr.",
        "Stop!",
        "Why?",
        "`code`",
        "*it*",
        "--",
    ),
    *("[link](http://a.b/c)", "<|endoftext|>", "|a|b|", "```", "0123456789", "x" * 30, "é", "e\u0301", "o\u0308\u0301"),
    *(
        "👩\u200d👩\u200d👧\u200d👦",
        "👍🏽",
        "🇫🇷🇩🇪",
        "❤\ufe0f",
        "水が沸く。",
        "中文字",
        "漢字かな交じり文。",
        "한국어",
        "각각",
    ),
    *("مرحبا", "بالعالم،", "لا\u200cحول", "می\u200cخواهم", "שלום", "नमस्ते", "हिन्दी।", "क्षत्रिय", "ภาษาไทย", "กำลัง"),
    *("\u200cbbb", "\u200d", "\u0301x", "\u0600", "\u0600١", "\u0e33"),
)
BLANKS = (
    " ",
    " ",
    " ",
    " ",
    "  ",
    "\u00a0",
    "\u3000",
    "\t",
    "       ",
    " \u200c",
    " \u0301",
    " " * 90,
    "\u2028",
    "\x0b",
)
INDENTS = ("", "", "", "    ", "        ", "\t", "  ", " ")


def phrase(random: Random, most: int = 12) -> str:
    """Words with white space of any kind between them."""
    drawn = [random.choice(WORDS) for _ in range(random.randint(1, most))]
    return "".join(word + random.choice(BLANKS) for word in drawn).rstrip(" ") if random.random() < 0.8 else drawn[0]


def lines(random: Random, most: int = 6) -> list[str]:
    """Lines with any indentation, some of them empty or blank."""
    found = [random.choice(INDENTS) + phrase(random) for _ in range(random.randint(1, most))]
    return [random.choice(("", "   ")) if random.random() < 0.15 else line for line in found]


def fence(random: Random) -> list[str]:
    mark = random.choice(("```", "~~~", "````"))
    opened = mark + random.choice(("", "py", " js title=x"))
    return [opened, *lines(random, 8), *([mark] if random.random() < 0.9 else [])]


def table(random: Random) -> list[str]:
    rows = [f"| {phrase(random, 3)} | x |" for _ in range(random.randint(0, 6))]
    return ["| head | b |", "|---|:-:|", *rows]


def contained(random: Random, depth: int = 0) -> list[str]:
    """A block, or a list or a quote of blocks."""
    kind = random.random()
    if depth > 2 or kind < 0.3:
        return random.choice((lines, fence, table, fence))(random)
    inner = [line for _ in range(random.randint(1, 3)) for line in [*contained(random, depth + 1), ""]][:-1]
    if kind < 0.5:
        mark = random.choice(("> ", ">", "> ", ">\t"))
        return [mark + line for line in inner]
    mark = random.choice(("- ", "* ", "1. ", "10) ", "-\t", "-   ", "- [ ] "))
    width = 4 if "\t" in mark else len(mark.replace("[ ] ", ""))
    indent = "\t" if random.random() < 0.2 else " " * width
    return [mark + inner[0], *(indent + line if line else line for line in inner[1:])]


def blanks(random: Random) -> list[str]:
    run = random.choice((" ", "\t", "\u00a0", "\u3000 ", "\r\n", "\n", "\n \t"))
    return [random.choice(("", "a")) + run * random.randint(1, 120) + random.choice(("", "b", "\u200cb"))]


def document_text(random: Random) -> str:
    """A document of some hundred characters, with any line endings."""
    found: list[str] = ["---", "title: x", "---"] if random.random() < 0.1 else []
    for _ in range(random.randint(1, 6)):
        kind = random.random()
        if kind < 0.25:
            found.append(f"{'#' * random.randint(1, 6)} {phrase(random, 4)}")
        elif kind < 0.45:
            found += lines(random)
        elif kind < 0.55:
            found += blanks(random)
        else:
            found += contained(random)
        found += [""] * random.randint(0, 2)
    ending = random.choice(("\n", "\n", "\n", "\r\n", "\r"))
    return ending.join(found) + random.choice(("", ending))


def strategies_drawn(random: Random, name: str) -> dict[str, Any]:
    """Settings with a limit of 1 to 40 and an overlap of 0 to 90 %."""
    size, share = random.randint(1, LARGEST), random.randint(0, 90)
    overlap = min(size - 1, size * share // 100)
    least = random.randint(0, size)
    match name:
        case "fixed" | "recursive":
            unit = random.choice(("characters", "tokens"))
            return {"chunk_size": size, "chunk_overlap": overlap, "unit": unit}
        case "block-packing":
            scope = random.choice(("section", "top-level", "anywhere"))
            return {
                "max_tokens": size,
                "overlap_percentage": share,
                "min_fill": random.choice((0, 10, 100)),
                "overlap_scope": scope,
                "include_headings": random.random() < 0.8,
                "count_context": random.random() < 0.4,
                "adaptive": random.random() < 0.2,
            }
        case "heading-window":
            return {
                "min_tokens": least,
                "min_tokens_deeper": random.randint(0, 60),
                "max_tokens": size,
                "short_tail": random.choice(("skip", "keep", "merge")),
                "h1_rule": random.random() < 0.7,
                "lookahead": random.random() < 0.3,
                "count_context": random.random() < 0.5,
            }
        case "code":
            return {"max_tokens": size, "include_signatures": random.random() < 0.7}
        case "hierarchical":
            return {
                "target": random.randint(1, size),
                "hard_cap": size,
                "embed_breadcrumb": random.random() < 0.7,
                "whole_document_breadcrumb": random.choice(("file", "heading")),
            }
        case "section-rules":
            high = random.randint(1, size)
            return {
                "split_above": size,
                "min_tokens": least,
                "target_low": 0,
                "target_high": high,
                "overlap_tokens": overlap,
                "small": random.choice(("merge", "keep")),
                "count_context": random.random() < 0.4,
            }
        case "semantic":
            most = random.randint(1, 6)
            return {"similarity_threshold": random.random(), "min_chunk_sentences": 1, "max_chunk_sentences": most}
        case "contextual":
            return {"base": _drawn_inside(random)}
        case "small-to-big":
            return {
                "small": _drawn_inside(random),
                "big": _drawn_inside(random),
                "returns": random.choice(("parent", "window")),
                "window_sentences": random.randint(0, 4),
            }
    return {}


def _drawn_inside(random: Random) -> dict[str, Any]:
    """A strategy that another one wraps."""
    name = random.choice([each for each in STRATEGIES if each not in WRAPPING])
    return {"strategy": name, "settings": strategies_drawn(random, name)}


def config_of(random: Random, name: str) -> Config:
    return Config(make_strategy(name, strategies_drawn(random, name)), random.choice(COUNTERS))


def cut(document: Document, config: Config) -> Run:
    """The run, with embedders and describers that need no model."""
    tools = Tools(
        counter(config.counter), embedder=HashEmbedder(), describer=GivenDescriber(lambda _: "It is about this.")
    )
    return run(document, config, tools)


def broken(result: Run) -> Iterator[str]:
    """What of the promises a run does not hold: one sentence each."""
    document, count = result.document, counter(result.config.counter)
    if "".join(document[part.body] for part in result.parts) != document.text:
        yield "the parts do not tile the document"
    inside = cluster_insides(document.text)
    for part in result.parts:
        edges = {part.body.start, part.body.end}
        if isinstance(part, Chunk):
            edges |= {edge for hole in part.holes for edge in (hole.body.start, hole.body.end)}
            edges |= {part.overlap.start, part.overlap.end} if part.overlap else set()
            yield from _broken_chunk(part, count)
            yield from _broken_return(part)
            yield from _over_limit(part, result)
        for edge in sorted(edges & inside):
            yield f"a cut at {edge}, inside {document.text[max(0, edge - 2) : edge + 2]!r}"
        if (
            isinstance(part, Skip)
            and part.because.rule == "blank"
            and document[part.body].strip("\ufeff \t\r\n\x0b\u3000\u00a0\u2028").strip()
        ):
            yield f"visible text left out as blank at {part.body}"
    ids = [chunk.id for chunk in result.chunks]
    if len(set(ids)) != len(ids):
        yield "an id occurs twice"
    if result.config.strategy.name == "fixed":
        begins = [chunk.overlap.start if chunk.overlap else chunk.body.start for chunk in result.chunks]
        if begins != sorted(set(begins)):
            yield f"windows begin at {begins}"


def cluster_insides(text: str) -> set[int]:
    """Offsets inside a grapheme cluster, as Unicode says."""
    return set(range(len(text))) - {match.start() for match in regex.finditer(r"\X", text)}


def _broken_chunk(chunk: Chunk, count: TokenCounter) -> Iterator[str]:
    document = chunk.document
    kept = "".join(document[span] for span in chunk.kept)
    overlap = document[chunk.overlap] if chunk.overlap else ""
    if chunk.text != f"{chunk.context}{overlap}{kept}{chunk.closing}":
        yield f"the text at {chunk.body} is not context + overlap + kept + closing"
    if not kept.strip():
        yield f"a chunk of white space only at {chunk.body}"
    if chunk.tokens != count(chunk.text) or chunk.body_tokens != count(kept):
        yield f"the counts at {chunk.body} are not exact"
    for hole in chunk.holes:
        if hole.because.rule == "blank" and document[hole.body].replace("\ufeff", "").strip():
            yield f"visible text in a blank hole at {hole.body}"


def _broken_return(chunk: Chunk) -> Iterator[str]:
    """What a hit gives back has the chunk in it, and begins and ends with text."""
    back, kept = chunk.returned, Span(chunk.kept[0].start, chunk.kept[-1].end)
    if back is None:
        return
    if not back.start <= kept.start <= kept.end <= back.end:
        yield f"the chunk at {kept} is not in what it returns, {back}"
    text = chunk.document[back]
    if (text[:1].isspace() and back.start < kept.start) or (text[-1:].isspace() and back.end > kept.end):
        yield f"white space at an end of what is returned at {back}"


def _over_limit(chunk: Chunk, result: Run) -> Iterator[str]:
    strategy: Any = result.config.strategy
    strategy = getattr(strategy, strategy.describes) if strategy.name in WRAPPING else strategy
    limits, flag = strategy.limits(), chunk.flag("unsplittable")
    maximum, held, counts = limits.maximum, chunk.limited_tokens(limits.counts), limits.counts
    if getattr(strategy, "unit", "tokens") == "characters":
        maximum, held = strategy.chunk_size, len(chunk.cut.text)
    if maximum is None:
        return
    if held > maximum and flag is None:
        yield f"{held} over {maximum} ({counts}) at {chunk.body}, not flagged: {chunk.cut.text!r}"
    if flag is not None and held <= maximum and strategy.name != "block-packing":
        yield f"{held} within {maximum} at {chunk.body}, and flagged: {flag.detail}"
    if flag is not None and not _may_be_whole(chunk, strategy.name):
        yield f"flagged, and could be cut at {chunk.body}: {chunk.cut.text!r}: {flag.detail}"


def _may_be_whole(chunk: Chunk, name: str) -> bool:
    """Whether a strategy's spec keeps it whole, or it is one cluster."""
    text = chunk.kept_text.strip()
    if len(regex.findall(r"\X", text)) <= 1:
        return True
    document = chunk.document
    blocks = [each for each in document.blocks if any(touch(each.span, span) for span in chunk.kept)]

    if name == "block-packing":
        return bool({block.kind for block in blocks} & {"code", "list", "task-list", "table", "quote", "image", "math"})
    return name == "section-rules" and holds_code(document, chunk.kept)


class Failure(NamedTuple):
    """A run that does not hold what is promised, with one sentence for each promise."""

    strategy: str
    config: Config
    text: str
    broken: list[str]


def touch(one: Span, other: Span) -> bool:
    """Whether two stretches share a character."""
    return one.start < other.end and other.start < one.end


def failures(names: Sequence[str], seed: int, text: str | None = None) -> Iterator[Failure]:
    """What is broken for one document: a drawn one, unless its text is given."""
    random = Random(seed)
    text = document_text(random) if text is None else text
    document = parse(text, "random.md")
    for name in names:
        config = config_of(random, name)
        try:
            found = list(broken(cut(document, config)))
        except Exception as error:
            found = [f"raised {type(error).__name__}: {error}"]
        if found:
            yield Failure(name, config, text, found)


def texts_in(folders: Sequence[str], longest: int) -> Iterator[tuple[str, str]]:
    """Path and text of every file that can be read as text, at most `longest` characters of
    each."""
    for file in sorted(file for folder in folders for file in Path(folder).rglob("*") if file.is_file()):
        with suppress(ChunkscopeError):
            yield str(file), load(file).text[:longest]


def main() -> None:
    """Draw documents, or take the files of folders, and print what breaks a promise."""
    asked = ArgumentParser(description="Cut with limits of 1 to 40, and say which promises do not hold.")
    asked.add_argument("drawn", type=int, nargs="?", default=0, help="documents to draw")
    asked.add_argument("--files", nargs="*", default=[], metavar="FOLDER", help="cut every file of these folders")
    asked.add_argument("--longest", type=int, default=110_000, help="characters of a file that are cut")
    asked.add_argument("--seed", type=int, default=0, help="the first seed")
    options = asked.parse_args()
    documents: Iterator[tuple[str, str | None]] = chain(
        ((f"seed {seed}", None) for seed in range(options.drawn)), texts_in(options.files, options.longest)
    )
    total, failed = 0, 0
    for total, (name, text) in enumerate(documents, start=1):
        for failure in failures(STRATEGIES, options.seed + total - 1, text):
            failed += 1
            print(name, failure.strategy, failure.config.strategy, failure.config.counter, sep="\n  ")
            print(*(found[:300] for found in failure.broken[:3]), sep="\n  ", flush=True)
    print(f"{total} documents, {total * len(STRATEGIES)} runs, {failed} that break a promise")


if __name__ == "__main__":
    main()
