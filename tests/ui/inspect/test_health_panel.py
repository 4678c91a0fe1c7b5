"""The checks on Inspect: what is drawn, in which order, and where each number leads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from chunking import Config, health, parse, run
from chunking.analysis.health import Check
from pages.ui.components.health_list.rows import MOST_PLACES, rows, tally
from pages.ui.layout.setting_names import plain_sentence

ROOT = Path(__file__).resolve().parents[3]
TABLE = "# A\n\n| name | value |\n| --- | --- |\n" + "| one | two |\n" * 80


def cut(text: str = TABLE, **settings: int | str) -> tuple[Any, list[Any]]:
    made = run(parse(text, name="a.md"), Config.of("fixed", {"chunkSize": 200, "chunkOverlap": 0, **settings}))
    return made, rows(health(made), made)


def test_what_fails_comes_first_and_what_holds_last() -> None:
    _, drawn = cut(TABLE + "x " * 700 + "\n", chunkSize=1300)

    assert [row.verdict for row in drawn] == sorted((row.verdict for row in drawn), key=["fail", "warn", "ok"].index)
    assert (drawn[0].name, drawn[-1].name) == ("tables", "embedder-8192")


def test_the_title_of_what_is_not_kept_says_what_is_wrong() -> None:
    _, drawn = cut()

    assert [row.title for row in drawn if row.name == "tables"] == ["1 table is cut in two"]
    assert next(row.title for row in drawn if row.name == "fences") == "Code blocks kept whole"


def test_chunks_that_are_too_long_for_embedders_are_said_once() -> None:
    made = run(parse("# A\n\n" + "word " * 600, name="a.md"), Config.of("every-heading", {}))
    small, larger = (row for row in rows(health(made), made) if row.name in {"embedder-256", "embedder-512"})

    assert small.title == "1 chunk is too long for a 256-token embedder"
    assert small.said.startswith("348 tokens would not be read (all-MiniLM-L6-v2, by ")
    assert small.meaning == "Anything past the limit is silently dropped: no question can find it."
    assert larger.title == "1 chunk is too long for a 512-token embedder"
    assert larger.meaning == ""


def test_a_number_of_a_cut_table_leads_to_the_chunk_that_ends_inside_it() -> None:
    made, drawn = cut()
    tables = next(row for row in drawn if row.name == "tables")

    assert [place.label for place in tables.places] == [str(n) for n in range(1, len(made.chunks))]
    for number, place in enumerate(tables.places):
        assert made.chunks[number].body.end - 1 == place.offset


def test_what_is_left_out_leads_to_its_line() -> None:
    text = "# A\n\nwords\n\n## Exercises\n\nlong list\n"
    made = run(parse(text, name="a.md"), Config.of("section-rules", {"minTokens": 1, "exclude": ("Exercises",)}))
    coverage = next(row for row in rows(health(made), made) if row.name == "coverage")

    assert [(place.label, place.offset) for place in coverage.places] == [("line 5", text.index("## Ex"))]


def test_places_beyond_the_most_are_counted_and_not_listed() -> None:
    text = "".join(f"# A\n\nword {n}\n\n" for n in range(MOST_PLACES + 7))
    made = run(parse(text, name="a.md"), Config.of("every-heading", {}))
    tiny = next(row for row in rows(health(made), made) if row.name == "tiny")

    assert (len(tiny.places), tiny.unlisted) == (MOST_PLACES, 7)


def test_a_setting_is_named_by_its_title_and_its_name() -> None:
    strategy = Config.of("heading-window", {}).strategy

    said = plain_sentence("5 chunks; 2 below minTokens 250", strategy)

    assert said == "5 chunks; 2 below Minimum minTokens 250"


def test_the_tally_counts_in_words() -> None:
    ok, warn, fail = (Check("a", "", "", verdict, "") for verdict in ("ok", "warn", "fail"))

    assert tally([ok, ok]) == "2 passed"
    assert tally([ok, warn]) == "1 warning, 1 passed"
    assert tally([fail, fail, warn, ok]) == "2 failed, 1 warning, 1 passed"


def test_inspect_shows_the_checks_of_what_is_cut() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    app.query_params.update({"document": "sample:02-a-huge-table.md", "strategy": "fixed"})
    app.run()
    drawn = [element.proto for element in app.get("bidi_component")]
    given = json.loads(next(each for each in drawn if each.component_name.endswith("health_list")).json)

    assert not app.exception
    assert [(row["name"], row["verdict"]) for row in given["rows"][:2]] == [
        ("tables", "fail"),
        ("embedder-256", "warn"),
    ]
    assert given["rows"][0]["said"] == "cut 8 times, header not repeated"


def test_a_document_without_chunks_says_that_there_is_nothing_to_check() -> None:
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30)
    app.run()
    app.file_uploader(key="uploads").set_value([("a.md", b"---\ntitle: x\n---\n", "text/markdown")]).run()

    assert not app.exception
    assert any("has no chunks" in element.proto.body for element in app.get("html"))
