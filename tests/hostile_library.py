"""Gives hostile files to the library: texts are read and cut in every way, configs and archives
read."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from contract import Variant, assert_promises, tools_for
from hostile_demands import demands_unmet
from hostile_outcomes import (
    MOST_SECONDS,
    Case,
    Outcome,
    answers,
    answers_of_archive,
    config_of,
    config_ways,
    refusal_faults,
    seconds_of,
    variants,
    watched,
)

from chunking import ChunkscopeError, Config, Document, RunLimits, parse, run
from chunking.document.loading import load_bytes, load_each
from chunking.tokens import counter


def texts_cut(case: Case, folder: Path, limits: str) -> Iterator[Outcome]:
    """A text, read and then cut in every way."""
    raw, name, allowed = (folder / case["file"]).read_bytes(), f"{case['id']}.md", answers(case["must"])
    reading = Outcome(case["id"], "library", "read", budget=case["budget_s"])
    document = watched(reading, partial(_read, raw, name, allowed, reading))
    yield reading
    if case["level"].startswith("str-only"):
        whole = Outcome(case["id"], "library", "str")
        watched(whole, lambda: _cut_string(raw.decode("utf-8", "surrogatepass")))
        yield whole
    if document is None:
        return
    for variant in variants(limits, case["max_tokens"]):
        outcome = Outcome(case["id"], "library", str(variant), budget=case["budget_s"])
        config = config_of(variant)
        made = watched(outcome, partial(_cut, document.text, name, config))
        if made is not None:
            try:
                assert_promises(made, counter(config.counter))
                outcome.found += demands_unmet(_demanded(case, variant), made, variant, folder.resolve().parent)
            except AssertionError as error:
                outcome.found.append(f"promise broken: {str(error)[:300]}")
        yield outcome


def _demanded(case: Case, variant: Variant) -> Case:
    """The case without its own limit where the variant's is smaller: a single character may be over
    that."""
    smaller = variant.maximum is not None and variant.maximum < case["max_tokens"]
    return {**case, "must": [each for each in case["must"] if not (smaller and each == "limit_hard")]}


def _read(raw: bytes, name: str, allowed: set[str], outcome: Outcome) -> Document | None:
    try:
        document = load_bytes(raw, name)
    except ChunkscopeError as error:
        outcome.found += refusal_faults(str(error), name, allowed)
        return None
    if "read" not in allowed:
        outcome.found.append("was read, and must be refused")
    return document


def _cut(text: str, name: str, config: Config) -> Any:
    made = run(parse(text, name=name), config, tools_for(config), limits=RunLimits(seconds=2 * MOST_SECONDS))
    assert all(chunk.text for chunk in made.chunks)
    return made


def _cut_string(text: str) -> None:
    """What is no text may be refused, by an error of ours."""
    try:
        for variant in variants("default", 0):
            _cut(text, "string.md", config_of(variant))
    except ChunkscopeError:
        return


def configs_read(case: Case, folder: Path, _limits: str) -> Iterator[Outcome]:
    """A config as it is, and its lines as settings of every strategy."""
    allowed = answers(case["must"]) | {"refused"}
    for way, raw in config_ways(case, folder):
        outcome = Outcome(case["id"], "library", way, budget=seconds_of(case))
        watched(outcome, partial(_read_config, raw, allowed, outcome))
        yield outcome


def _read_config(raw: bytes, allowed: set[str], outcome: Outcome) -> None:
    try:
        Config.from_yaml(raw)
    except ChunkscopeError as error:
        outcome.found += refusal_faults(str(error), "", allowed)
        return
    if "read" not in allowed:
        outcome.found.append("was read, and must be refused")


def archives_read(case: Case, folder: Path, _limits: str) -> Iterator[Outcome]:
    """An archive, which is read without unpacking it or refused, in lines."""
    outcome = Outcome(case["id"], "library", "read")

    def read() -> None:
        for each in load_each([folder / "archives" / case["file"]]):
            if isinstance(each, ChunkscopeError):
                outcome.found += refusal_faults(str(each), case["file"], answers_of_archive(case))

    watched(outcome, read)
    yield outcome
