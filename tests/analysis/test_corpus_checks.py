"""Which health checks a document of a corpus does not pass."""

from __future__ import annotations

from chunking import Config, health, parse, run
from chunking.analysis import FailedCheck, failed_checks

TABLE = "# A\n\n| a | b |\n|---|---|\n" + "".join(f"| row {row} | {'cell ' * 20}|\n" for row in range(20))


def test_the_checks_that_fail_or_warn_are_named_in_the_order_of_health() -> None:
    made = run(parse(TABLE, name="a.md"), Config.of("fixed", {"chunkSize": 100, "chunkOverlap": 0}))
    found = failed_checks(made)

    assert FailedCheck("tables", "Tables kept whole", "fail") in found
    assert [(each.name, each.verdict) for each in found] == [
        (each.name, each.verdict) for each in health(made) if each.verdict != "ok"
    ]


def test_a_document_that_passes_all_has_none() -> None:
    text = "# A\n\n" + "A sentence with some words in it. " * 8
    assert failed_checks(run(parse(text, name="a.md"), Config.of("every-heading", {}))) == ()
