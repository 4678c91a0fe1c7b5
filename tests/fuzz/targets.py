"""What is fuzzed: values to draw, which JSON holds, so that one that failed is kept as a seed, and
what must hold for each.

A check raises where a promise is broken: an error of ours in an answer is a promise kept, any other
exception is not.
"""

from __future__ import annotations

import io
import json
import sqlite3
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any
from warnings import catch_warnings, simplefilter

import numpy as np
from hypothesis import strategies as st
from markdown_strategies import MARKDOWN
from markdown_texts import markdown
from small_limits import STRATEGIES, broken, config_of, cut
from store_signing import sign

from chunking import strategies
from chunking.config.config import Config, read_yaml
from chunking.document.archives import Limits, Member, members
from chunking.document.parser import parse
from chunking.errors import ConfigError, DocumentError, GoldError, StoreError
from chunking.export.sqlite_store import SqliteStore
from chunking.export.store_search import search
from chunking.export.stored_chunks import StoredChunk
from chunking.gold.mark_file import parsed
from chunking.gold.questions import read_gold
from chunking.text.display import safe_name


@dataclass(frozen=True)
class Target:
    """One thing that strangers' bytes reach."""

    values: st.SearchStrategy[Any]
    check: Callable[[Any], None]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)

_EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 30), st.text(max_size=6)), min_size=1, max_size=4)
"""Where in a text, as a share of it, how many characters go, and what comes for them."""


def _edited(text: str, edits: list[tuple[float, int, str]]) -> str:
    for share, gone, new in edits:
        at = int(share * len(text))
        text = text[:at] + new + text[at + gone :]
    return text


# Markdown to chunks


def _markdown_holds(value: tuple[str, str, int]) -> None:
    text, name, number = value
    document = parse(text, name="fuzz.md")
    assert document.text == text
    random = Random(number)
    config = config_of(random, name) if number % 4 else Config(strategies.get(name)())
    result = cut(document, config)
    assert list(broken(result)) == [], config.to_yaml()
    assert cut(document, config).fingerprint == result.fingerprint


# A config as YAML

_YAML = """chunkscope: 1
strategy: heading-window
settings:
  minTokens: 250
  maxTokens: 750
  shortTail: skip
counter: cl100k_base
"""
_YAML_PIECES = st.sampled_from(
    ["&a ", "*a", "!!python/object:os.system ", "<<: ", "- ", ": ", "? ", "{", "}", "[", "\t", "0o7", "1e999", ".nan"]
)
_YAML_EDITS = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 30), st.text(max_size=6) | _YAML_PIECES), min_size=1, max_size=4
)


def _yaml_holds(text: str) -> None:
    try:
        config, _ = read_yaml(text.encode("utf-8", "surrogatepass"), Path())
    except ConfigError as error:
        assert str(error)  # noqa: PT017
        return
    assert read_yaml(config.to_yaml(), Path())[0] == config


# Questions and marks

_TEA = parse("# Tea\n\nPour. Wait four minutes. Pour again.\n", name="tea.md")
_GOLD_LINES = """{"question": "How long?", "references": ["Wait four minutes."], "corpus_id": "tea.md"}
{"kind": "whole", "references": [{"content": "Tea", "start_index": 2, "end_index": 5}], "corpus_id": "tea.md"}
"""
_GOLD_CSV = """question,references,corpus_id
How long?,"[""Wait four minutes.""]",tea.md
What?,"[{""content"": ""Tea"", ""start_index"": 2, ""end_index"": 5}]",tea.md
"""
_MARKS = json.dumps(
    {
        "chunkscope_marks": 1,
        "document": "tea.md",
        "questions": [{"question": "How?", "references": [{"content": "Tea", "start_index": 2, "end_index": 5}]}],
        "whole": [{"content": "Tea", "start_index": 2, "end_index": 5}],
    }
)
_REFERENCE = st.fixed_dictionaries(
    {"content": JSON | st.just("Tea"), "start_index": JSON | st.just(2), "end_index": JSON | st.just(5)}
)


def _gold_holds(text: str, *, json_lines: bool) -> None:
    try:
        gold = read_gold(text, [_TEA], json_lines=json_lines)
    except GoldError as error:
        assert str(error)  # noqa: PT017
        return
    for question in gold.questions:
        assert all(0 <= span.start < span.end <= len(_TEA.text) for span in question.answers)


def _marks_hold(text: str) -> None:
    try:
        read = parsed(text.encode("utf-8", "surrogatepass"), Path("marks.json"), _TEA)
    except GoldError as error:
        assert str(error)  # noqa: PT017
        return
    assert all(0 <= span.start < span.end <= len(_TEA.text) for span in read.whole)


# A store


@cache
def _store_bytes() -> bytes:
    """A store of three chunks as `run -o kb.sqlite` writes it, with vectors that no model made."""
    facts = {"format": "chunkscope store 1", "provider": "none", "model": "", "embedder": "none", "notes": "[]"}
    chunks = []
    for number, text in enumerate(("tea and water", "milk and tea", "sugar")):
        record = {"document": "a.md", "text": text, "context": "", "start_line": 1, "end_line": 1}
        chunks.append(StoredChunk(f"id{number}", "a.md", 3, text, json.dumps(record), 1, 1))
    with TemporaryDirectory() as folder:
        path = Path(folder, "kb.sqlite")
        with closing(SqliteStore(path)) as store:
            store.write_facts(facts, 1)
            store.upsert(chunks, np.ones((3, 1), np.float32))
            store.flush()
        return path.read_bytes()


_SQL_VALUE = st.none() | st.integers(-(2**63), 2**63 - 1) | st.floats() | st.text(max_size=8)
_STORE = st.fixed_dictionaries(
    {
        "rows": st.lists(
            st.tuples(
                st.sampled_from(
                    [
                        "chunks.number",
                        "chunks.id",
                        "chunks.text",
                        "chunks.record",
                        "chunks.vector",
                        "meta.name",
                        "meta.value",
                    ]
                ),
                _SQL_VALUE | JSON.map(lambda value: json.dumps(value)),
            ),
            max_size=3,
        ),
        "bytes": st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=4),
        "length": st.just(1.0) | st.floats(0, 1),
        "signed": st.booleans(),
    }
)


def _store_holds(value: dict[str, Any]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "kb.sqlite")
        with closing(sqlite3.connect(":memory:")) as store:
            store.deserialize(_store_bytes())
            for place, new in value["rows"]:
                table, column = place.split(".")
                try:
                    store.execute(f"UPDATE OR IGNORE {table} SET {column} = ? WHERE rowid = 1", (new,))
                except (sqlite3.Error, UnicodeEncodeError, OverflowError):
                    continue
            if value.get("signed", True):
                with suppress(sqlite3.Error, UnicodeDecodeError, AttributeError):
                    sign(store)
            store.commit()
            raw = bytearray(store.serialize())
        for share, new in value["bytes"]:
            raw[min(len(raw) - 1, int(share * len(raw)))] = new
        path.write_bytes(raw[: int(value["length"] * len(raw))])
        try:
            hits = search(SqliteStore(path), "tea", mode="bm25")
        except StoreError as error:
            assert str(error).startswith(str(path))  # noqa: PT017
            return
        assert len(hits) <= 3
        assert [each.name for each in Path(folder).iterdir()] == ["kb.sqlite"]


# The drag's socket


@cache
def _drag() -> Any:
    from chunking.runs import run
    from pages.ui.choices.plans import Plan
    from pages.ui.choices.resolve import resolve
    from pages.ui.components.threshold_rail import Axis
    from pages.ui.dragging.drag_session import DragSession
    from pages.ui.inspect import metric_strip, threshold_panel

    plan = Plan("hierarchical", {"hard_cap": 80, "target": 40})
    resolution = resolve(plan, "words")
    document = parse("# Tea\n\nPour it. Wait.\n\n## Milk\n\nNone at all, thank you.\n" * 5, name="tea.md")
    return DragSession(
        document=document,
        plan=plan,
        counter="words",
        good=resolution.config,
        selected=None,
        thresholds=threshold_panel.rail_parts(
            None, None, run(document, resolution.config), plan, resolution
        ).thresholds,
        cut=run,
        marks=lambda _: (),
        only=lambda _: None,
        rail=partial(threshold_panel._drawn, None, None, {}, plan, Axis(1200, 1200), None),
        figures=partial(metric_strip.moved, was=None),
    )


_NUMBERS = st.integers() | st.floats() | st.sampled_from([10**400, -(10**400)]) | JSON
_QUESTIONS = st.one_of(
    st.text(max_size=30),
    JSON.map(lambda value: json.dumps(value)),
    st.fixed_dictionaries(
        {"sequence": _NUMBERS, "values": st.dictionaries(st.sampled_from(["hard_cap", "target", "x"]), _NUMBERS) | JSON}
    ).map(lambda value: json.dumps(value)),
    st.integers(1, 3000).map(lambda depth: "[" * depth),
)


def _socket_holds(question: str) -> None:
    from pages.ui.dragging.drag_session import answer

    said, _ = answer(_drag(), question)
    size = int.from_bytes(said[:4], "little")
    assert isinstance(json.loads(said[4 : 4 + size]), dict)


# A link

_PARAMETER = st.sampled_from(
    ["document", "at", "view", "strategy", "counter", "hardCap", "target", "maxTokens", "minTokens", "base", "model"]
)
_LINKED = st.dictionaries(
    st.builds(lambda prefix, name: prefix + name, st.sampled_from(["", "was."]), _PARAMETER | st.text(max_size=6)),
    st.sampled_from([*STRATEGIES, "none", "cl100k_base", "rendered", "1e999", "-0", "nan", "٣", "1_0", "true"])
    | st.integers().map(str)
    | st.text(max_size=10),
    max_size=6,
)


def _link_holds(query: dict[str, str]) -> None:
    from pages.ui.choices.links import read_link, write_link

    link = read_link(query)
    again = read_link(write_link(link))
    assert (again.config, again.baseline, again.selected, again.view) == (
        link.config,
        link.baseline,
        link.selected,
        link.view,
    )
    assert link.problem.isprintable()


# An archive

_LIMITS = Limits(member=50_000, total=100_000, members=20)
_NAMES = st.sampled_from(
    ["a.md", "./a.md", "x/b.md", "../c.md", "/d.md", "C:e.md", "..\\f.md", ".g.md", "h.zip", "x//i.md", "é\u202e.md"]
) | st.text(max_size=8).map(lambda name: f"{name}.md")
_ARCHIVES = st.fixed_dictionaries(
    {
        "suffix": st.sampled_from([".zip", ".tar", ".tar.gz", ".tar.bz2", ".tar.xz"]),
        "files": st.lists(st.tuples(_NAMES, st.text(max_size=20), st.integers(0, 4000)), max_size=5),
        "types": st.lists(st.sampled_from(["0", "1", "2", "3", "5", "S", "x", "g", "L", "K"]), max_size=5),
        "bytes": st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), max_size=5),
        "length": st.just(1.0) | st.floats(0, 1),
    }
)


def _packed(value: dict[str, Any]) -> bytes:
    made, suffix = io.BytesIO(), value["suffix"]
    if suffix == ".zip":
        with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive, catch_warnings():
            simplefilter("ignore")  # of names that come twice, which is meant
            for name, text, times in value["files"]:
                info = zipfile.ZipInfo(name.encode("utf-8", "replace").decode())
                archive.writestr(info, (text * times).encode("utf-8", "replace")[:60_000])
        return made.getvalue()
    with tarfile.open(fileobj=made, mode=f"w:{suffix[5:]}") as tar:  # type: ignore[call-overload]
        for number, (name, text, times) in enumerate(value["files"]):
            content = (text * times).encode("utf-8", "replace")[:60_000]
            header = tarfile.TarInfo(name.encode("utf-8", "replace").decode().replace("\0", ""))
            header.size = len(content)
            if number < len(value["types"]):
                header.type = value["types"][number].encode()
            tar.addfile(header, io.BytesIO(content))
    return made.getvalue()


def _archive_holds(value: dict[str, Any]) -> None:
    raw = bytearray(_packed(value))
    for share, new in value["bytes"]:
        raw[min(len(raw) - 1, int(share * len(raw)))] = new
    name = f"fuzz{value['suffix']}"
    total, taken = 0, set()
    for each in members(bytes(raw[: int(value["length"] * len(raw))]), name, name, _LIMITS):
        if isinstance(each, DocumentError):
            assert str(each).startswith(name)
            assert str(each).isprintable()
            continue
        assert isinstance(each, Member)
        assert each.name == safe_name(each.name)
        assert each.name not in taken
        assert not {"", ".", ".."} & set(each.name.split("/"))
        assert "\\" not in each.name
        taken.add(each.name)
        total += len(each.content)
        assert len(each.content) <= _LIMITS.member
    assert total <= _LIMITS.total


TARGETS: dict[str, Target] = {
    "markdown": Target(
        st.tuples(MARKDOWN | markdown | st.text(max_size=300), st.sampled_from(STRATEGIES), st.integers(0, 2**32)),
        _markdown_holds,
    ),
    "config-yaml": Target(st.text(max_size=80) | st.builds(_edited, st.just(_YAML), _YAML_EDITS), _yaml_holds),
    "gold-json-lines": Target(
        st.builds(_edited, st.just(_GOLD_LINES), _EDITS)
        | st.builds(
            lambda *rows: "\n".join(map(json.dumps, rows)),
            st.fixed_dictionaries(
                {"question": JSON, "references": st.lists(_REFERENCE) | JSON, "corpus_id": JSON | st.just("tea.md")}
            ),
            JSON,
        ),
        partial(_gold_holds, json_lines=True),
    ),
    "gold-csv": Target(
        st.text(max_size=60) | st.builds(_edited, st.just(_GOLD_CSV), _EDITS), partial(_gold_holds, json_lines=False)
    ),
    "marks": Target(
        st.builds(_edited, st.just(_MARKS), _EDITS)
        | st.fixed_dictionaries(
            {
                "chunkscope_marks": JSON | st.just(1),
                "questions": JSON | st.lists(st.fixed_dictionaries({"question": JSON, "references": JSON})),
                "whole": JSON | st.lists(_REFERENCE),
            }
        ).map(lambda value: json.dumps(value)),
        _marks_hold,
    ),
    "store": Target(_STORE, _store_holds),
    "socket": Target(_QUESTIONS, _socket_holds),
    "link": Target(_LINKED, _link_holds),
    "archive": Target(_ARCHIVES, _archive_holds),
}
