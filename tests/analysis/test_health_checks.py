"""Is a run fit to be embedded: each check fails where it should, and names the chunks."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from sample_tokenizers import trained

from chunking import Config, counter, health, parse, run
from chunking.analysis.health import Check
from chunking.analysis.metric_table import within_text
from chunking.cli import main
from chunking.core.chunk import Boundary, Chunk
from chunking.core.metrics import limited_sizes, over_with_context
from chunking.document import Span
from chunking.runs import Run
from chunking.strategies.every_heading import EveryHeading

FENCE = "# A\n\nwords\n\n```python\n" + "line = 1\n" * 60 + "```\n\nafter\n"
TABLE = "# A\n\n| name | value |\n| --- | --- |\n" + "| one | two |\n" * 80


def checks(of: Run) -> dict[str, Check]:
    return {check.name: check for check in health(of)}


def cut(
    text: str, strategy: str = "every-heading", counter: str = "", **settings: int | bool | str | tuple[str, ...]
) -> Run:
    return run(parse(text, name="a.md"), Config.of(strategy, settings, counter))


def test_the_share_in_a_chunk_is_rounded_and_nearly_all_is_not_all() -> None:
    """209 of 218 visible characters are 95.87%."""
    front = "---\nabc\n---\n"

    assert checks(cut(front + "w" * 209))["coverage"].said.startswith("95.9% of the visible")
    assert checks(cut(front + "w" * 99_999))["coverage"].said.startswith("99.9% of the visible")


BAD = {
    "# A\n\nwords\n\n## B\n\n## C\n\nwords\n\n## D\n\nIt is so: the rest is in the one above.\n": "every-heading",
    TABLE: "fixed",
    FENCE: "fixed",
    "# A\n\n" + "word " * 9000: "every-heading",
}


@pytest.mark.parametrize("text", BAD)
def test_a_check_says_what_is_wrong_where_its_promise_is_not_kept(text: str) -> None:
    settings = {"chunkSize": 200, "chunkOverlap": 0} if BAD[text] == "fixed" else {}
    found = health(cut(text, BAD[text], "", **settings))

    assert [check.name for check in found if (check.verdict == "ok") != (check.finding == "")] == []


def moved(of: Run, **changes: object) -> Run:
    """The run with its last part made into something that no strategy would give."""
    return replace(of, parts=(*of.parts[:-1], replace(of.parts[-1], **changes)))  # type: ignore[arg-type]


def test_a_run_with_nothing_wrong_passes_every_check() -> None:
    words = "Water is heated until it boils, and the steam that rises is led away through the spout of the kettle.\n"
    result = health(cut(f"# Kettle\n\n{words}\n## Boil\n\nThen again: {words}"))

    assert [(check.name, check.verdict) for check in result if check.verdict != "ok"] == []
    assert [check.name for check in result] == [
        "coverage",
        "verbatim",
        "limits",
        "fences",
        "tables",
        "lists",
        "heading-only",
        "dangling",
        "tiny",
        "repeated",
        "embedder-256",
        "embedder-512",
        "embedder-8192",
    ]


def test_a_document_of_no_chunks_passes_every_check() -> None:
    assert {check.verdict for check in health(cut("\n\n"))} == {"ok"}


def test_what_a_strategy_leaves_out_is_a_warning_with_its_place_and_front_matter_is_not() -> None:
    text = "---\ntitle: x\n---\n# A\n\nwords\n\n## Exercises\n\nlong list\n"
    excluded = checks(cut(text, "section-rules", minTokens=1, exclude=("Exercises",)))["coverage"]
    front = checks(cut(text, "every-heading"))["coverage"]

    assert excluded.verdict == "warn"
    assert excluded.places == (text.index("## Exercises"),)
    assert front.verdict == "ok"
    assert "13 characters left out (front matter, which is not content)" in front.said


def test_a_gap_between_parts_is_a_failure_with_its_place() -> None:
    whole = cut("# A\n\nwords\n\n# B\n\nmore\n\n# C\n\nend\n")
    holed = replace(whole, parts=(whole.parts[0], whole.parts[2]))
    found = checks(holed)["coverage"]

    assert found.verdict == "fail"
    assert found.places == (12,)
    assert found.numbers["gaps"] == 1


def test_an_overlap_that_is_not_before_the_body_is_not_verbatim() -> None:
    found = checks(moved(cut("# A\n\nwords\n\n# B\n\nmore\n"), overlap=Span(14, 16)))["verbatim"]

    assert (found.verdict, found.chunks) == ("fail", (1,))


def test_a_chunk_over_its_limit_fails_without_a_flag_and_warns_with_one() -> None:
    whole = cut("# A\n\nwords\n\n# B\n\nmore\n", "hierarchical", target=20, hardCap=30)
    over = moved(whole, tokens=31, body_tokens=31)
    flagged = moved(whole, tokens=31, body_tokens=31, flags=(Boundary("unsplittable", "a table"),))

    assert checks(whole)["limits"].verdict == "ok"
    assert checks(over)["limits"].verdict == "fail"
    assert checks(over)["limits"].chunks == (len(whole.chunks) - 1,)
    assert checks(flagged)["limits"].verdict == "warn"
    assert checks(flagged)["limits"].numbers["unsplittable"] == 1


def test_a_chunk_that_only_its_context_takes_over_the_limit_is_a_warning() -> None:
    text = "# A heading of many words that go on\n\n" + "word " * 60 + "\n\n## Deeper\n\n" + "word " * 96 + "\n"
    result = cut(text, "heading-window", "words-1.3", minTokens=10, minTokensDeeper=10, maxTokens=130)
    limits = result.config.strategy.limits_in(result.document)
    found = checks(result)["limits"]
    over = [number for number, chunk in enumerate(result.chunks) if chunk.tokens > 130 >= chunk.body_tokens]

    assert limits.counts == "body"
    assert over == [1]
    assert (found.verdict, found.chunks, found.numbers["with_context"]) == ("warn", (1,), 1)


def test_a_cut_fence_is_named_with_its_chunk_and_its_boundary() -> None:
    result = cut(FENCE, "fixed", chunkSize=120, chunkOverlap=0, separator="")
    found = checks(result)["fences"]
    ends = [chunk.body.end for chunk in result.chunks]
    inside = [at for at, end in enumerate(ends) if FENCE.index("```python") < end < FENCE.index("```\n\nafter") + 3]

    assert inside
    assert found.verdict == "fail"
    assert found.chunks == tuple(inside)
    assert found.places == tuple(ends[at] for at in inside)


def test_a_fence_that_is_closed_and_opened_again_is_a_warning() -> None:
    found = checks(cut(FENCE, "hierarchical", target=60, hardCap=100))["fences"]

    assert found.numbers["cuts"] > 0
    assert found.numbers["mended"] == found.numbers["cuts"]
    assert found.verdict == "warn"


def test_a_table_whose_header_is_said_again_is_a_warning_and_one_without_it_a_failure() -> None:
    repeated = checks(cut(TABLE, "hierarchical", target=60, hardCap=100))["tables"]
    lost = checks(cut(TABLE, "fixed", chunkSize=200, chunkOverlap=0, separator=""))["tables"]

    assert (repeated.verdict, repeated.numbers["mended"]) == ("warn", repeated.numbers["cuts"])
    assert (lost.verdict, lost.numbers["mended"]) == ("fail", 0)


def test_a_fence_inside_a_list_is_code_too() -> None:
    text = "- item\n\n  ```\n" + "  line = 1\n" * 60 + "  ```\n"
    result = cut(text, "fixed", chunkSize=200, chunkOverlap=0, separator="")

    assert checks(result)["fences"].numbers["cuts"] == len(result.chunks) - 1
    assert checks(cut("- item\n" * 80, "fixed", chunkSize=200, chunkOverlap=0, separator=""))["fences"].verdict == "ok"


def test_a_list_that_is_cut_is_a_warning_and_the_blocks_of_the_three_checks_are_those_of_the_metric() -> None:
    text = FENCE + "\n" + TABLE + "\n" + "- item\n" * 80 + "\nbetween\n\n" + "1. item\n" * 80
    result = cut(text, "fixed", chunkSize=200, chunkOverlap=0, separator="")
    found = checks(result)
    cut_of_kind = [int(found[name].finding.split()[0]) for name in ("fences", "tables", "lists")]

    assert found["lists"].verdict == "warn"
    assert found["lists"].finding == "2 lists are cut in two"
    assert found["lists"].places == tuple(each.offset for each in result.torn_boundaries if each.kind == "list")
    assert sum(cut_of_kind) == result.metrics.blocks_cut


def test_a_document_whose_lists_alone_are_cut_passes_health_on_the_command_line() -> None:
    result = cut("- a few words of an item\n" * 40, "fixed", chunkSize=200, chunkOverlap=0, separator="")

    assert result.metrics.blocks_cut == 1
    assert [name for name, check in checks(result).items() if check.verdict == "fail"] == []


def test_heading_only_tiny_and_repeated_chunks_are_named() -> None:
    result = cut("# A\n\n# B\n\nthe same words\n\n# B\n\nthe same words\n")
    found = checks(result)

    assert found["heading-only"].chunks == (0,)
    assert found["tiny"].chunks == (0, 1, 2)
    assert found["repeated"].chunks == (2,)
    assert found["repeated"].places == (result.chunks[2].body.start,)


@pytest.mark.parametrize(("limit", "words"), [(256, 300), (512, 600), (8192, 9000)])
def test_what_an_embedder_would_not_read_is_counted(limit: int, words: int) -> None:
    result = cut("# A\n\n" + "word " * words)
    found = checks(result)[f"embedder-{limit}"]

    assert found.verdict == ("fail" if limit == 8192 else "warn")
    assert found.chunks == (0,)
    own = counter("cl100k_base" if limit == 8192 else "minilm")
    assert (found.counter, found.estimated) == (own.name, limit == 512)
    assert found.numbers["largest"] == own(result.chunks[0].text) + own.special_tokens
    assert found.numbers["unread_tokens"] == found.numbers["largest"] - limit


def test_an_embedders_limit_is_never_judged_by_words() -> None:
    result = run(
        parse("# A\n\n" + "incomprehensibilities " * 100, name="a.md"), Config.of("every-heading", {}, "words")
    )
    found = checks(result)["embedder-256"]

    assert result.chunks[0].tokens < 256
    assert found.verdict == "warn"
    assert "all-MiniLM-L6-v2, by the tokenizer minilm, plus 2 tokens that the model adds" in found.said


def test_a_chunk_that_fits_only_without_the_embedders_own_marks_does_not_fit() -> None:
    count = counter("minilm")
    fits, over = ("word " * number for number in (254, 255))

    assert (count(fits), count(over)) == (254, 255)
    assert checks(cut(fits))["embedder-256"].verdict == "ok"
    assert checks(cut(over))["embedder-256"].numbers["unread_tokens"] == 1


def test_word_pieces_are_counted_where_the_run_counts_other_tokens() -> None:
    # 510 tokens of cl100k_base, and far more word pieces: an embedder of 512 does not read it all.
    text = "`fastapi_pagination_v2.ext.sqlalchemy` " * 60
    result = cut(text)
    found = checks(result)["embedder-512"]

    assert result.chunks[0].tokens < 900
    assert found.numbers["largest"] == counter("minilm")(result.chunks[0].text) + 2
    assert "BERT-family models, estimated with the tokenizer minilm" in found.said


def test_with_an_embedders_own_tokenizer_every_size_is_counted_with_that(tmp_path: Path) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(trained("wordpiece"))
    document = parse("# A\n\n" + "word " * 600, name="a.md")
    result = run(document, Config(EveryHeading(), f"tokenizer.json:{path}"))

    for found in (checks(result)[f"embedder-{limit}"] for limit in (256, 512, 8192)):
        assert found.counter == f"tokenizer.json:{path}"
        assert not found.estimated


def test_every_place_leads_into_the_chunk_it_is_given_for() -> None:
    result = cut(
        Path(__file__).parents[2].joinpath("sample_docs/02-a-huge-table.md").read_text(),
        "fixed",
        chunkSize=100,
        chunkOverlap=0,
    )

    for check in health(result):
        for number, place in zip(check.chunks, check.places, strict=False):
            chunk: Chunk = result.chunks[number]
            assert chunk.body.start <= place <= chunk.body.end


def test_inspect_prints_the_checks_and_fails_only_for_faults(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    fence = tmp_path / "fence.md"
    fence.write_text(FENCE)
    good = main(["inspect", "hierarchical", str(fence), "--health"])
    said = capfd.readouterr().out
    (tmp_path / "c.yaml").write_text("chunkscope: 1\nstrategy: fixed\nsettings: {chunkSize: 100, chunkOverlap: 0}\n")
    bad = main(["inspect", str(tmp_path / "c.yaml"), str(fence), "--health", "--json"])
    listed = json.loads(capfd.readouterr().out)["health"]

    assert (good, bad) == (0, 1)
    assert "  pass  Code blocks kept whole: 1 code block, none cut" in said
    assert [each["name"] for each in listed if each["verdict"] == "fail"] == ["fences"]
    assert listed[3]["chunks"]


def test_inspect_without_health_never_fails_and_has_no_list(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "fence.md").write_text(FENCE)

    assert main(["inspect", "fixed", str(tmp_path / "fence.md"), "--json"]) == 0
    assert "health" not in json.loads(capfd.readouterr().out)


def test_over_the_limit_means_the_same_in_the_numbers_the_list_and_the_lines() -> None:
    # Bodies within 60, whole texts over it: the headings above are not counted by this strategy's
    # limit.
    text = "# A heading of some length\n\n" + "".join(f"## Part {n}\n\n{'word ' * 52}\n\n" for n in range(4))
    result = cut(text, "heading-window", minTokens=10, minTokensDeeper=10, maxTokens=60)
    metrics, found = result.metrics, checks(result)["limits"]

    assert metrics.over_with_context > 0
    assert (metrics.over_maximum, metrics.within_limits) == (0, 1.0)
    assert found.numbers["with_context"] == metrics.over_with_context == len(found.chunks)
    assert found.chunks == over_with_context(result)
    assert all(result.chunks[number].tokens > 60 >= result.chunks[number].body_tokens for number in found.chunks)
    assert within_text(metrics) == f"100% ({1 - metrics.over_with_context / metrics.chunk_count:.0%} with context)"


def test_a_chunk_under_the_minimum_and_over_the_maximum_with_context_is_outside_once() -> None:
    text = "# A heading of some length\n\n" + "".join(f"## Part {n}\n\n{'word ' * 52}\n\n" for n in range(4))
    result = cut(text, "heading-window", minTokens=60, minTokensDeeper=60, maxTokens=60)
    metrics = result.metrics
    within = [each for each in result.chunks if each.body_tokens >= 60 and each.tokens <= 60]

    assert metrics.under_minimum + metrics.over_maximum + metrics.over_with_context > metrics.chunk_count
    assert metrics.within_with_context == len(within) / metrics.chunk_count


def test_a_flagged_chunk_over_the_limit_is_counted_once_in_every_place() -> None:
    table = "| a | b |\n|---|---|\n" + "| row | cell |\n" * 60
    result = cut(f"# T\n\n{table}\ntext\n", "block-packing", maxTokens=100)
    metrics, found = result.metrics, checks(result)["limits"]

    assert metrics.over_maximum == metrics.oversize == found.numbers["unsplittable"] == 1
    assert metrics.over_with_context == found.numbers["with_context"]
    assert int((limited_sizes(result) > 100).sum()) == 1


def test_a_share_within_limits_names_the_counter_where_that_only_estimates() -> None:
    text = "# A\n\nSome words.\n"

    assert " by " not in within_text(cut(text, "heading-window").metrics)
    assert " by words-1.3" in within_text(cut(text, "heading-window", "words-1.3").metrics)
    assert "words-1.3, which is approximate" in checks(cut(text, "heading-window", "words-1.3"))["limits"].said


def test_chunks_that_begin_by_pointing_back_are_warned_of_with_their_places() -> None:
    first = "The kettle heats the water that is in it, and stops when the steam has reached its lid."
    result = run(
        parse(f"{first}\n\nThis is done by two metals.\n", name="a.md"),
        Config.from_function(lambda text: [(0, len(first)), (len(first) + 2, len(text))]),
    )

    (found,) = [check for check in health(result) if check.name == "dangling"]

    assert (found.verdict, found.chunks, found.places) == ("warn", (1,), (len(first) + 2,))
    assert found.said == "1 chunk begins so, the first with “This”"
