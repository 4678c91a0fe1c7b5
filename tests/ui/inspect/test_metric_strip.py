"""The strip says what it was and what it is."""

from __future__ import annotations

from chunking import Config, parse, run
from pages.ui.inspect import metric_strip

TEXT = "# Kettle\n\nintro\n\n## Fill\n\nwater\n\n## Boil\n\nsteam\n"


def test_the_strip_has_six_numbers_was_and_now() -> None:
    document = parse(TEXT, name="a.md")
    now = run(document, Config.of("hierarchical", {})).metrics
    was = run(document, Config.of("every-heading", {})).metrics

    shown = metric_strip.before_after(now, was)

    assert [figure.title for figure in shown] == [
        "Chunks",
        "Median tokens",
        "95th percentile",
        "Within limits",
        "Blocks cut in two",
        "Tokens to embed",
    ]
    assert (shown[0].was, shown[0].now) == ("3", "1")
    assert (shown[3].was, shown[3].now) == ("no limits", "100%")
    assert shown[3].hint.endswith("its chunks may have any size, so there is no share to compare with")
    assert not metric_strip.before_after(now, now)[3].hint.endswith("compare with")


def test_the_number_of_cut_blocks_leads_to_the_next_one_where_there_is_one() -> None:
    table = parse("# A\n\n| a | b |\n|---|---|\n" + "| some | words |\n" * 60, name="a.md")

    def leads(maximum: int) -> str:
        found = run(table, Config.of("fixed", {"unit": "tokens", "chunkSize": maximum, "chunkOverlap": 0})).metrics
        (cut,) = (each for each in metric_strip.before_after(found, None) if each.title == "Blocks cut in two")
        return cut.leads

    assert leads(3000) == ""
    assert leads(100) == "Go to the next one"


def test_chunks_lead_to_the_sections_and_a_share_under_100_percent_to_what_is_outside() -> None:
    document = parse(TEXT, name="a.md")

    def leads(minimum: int) -> list[str]:
        config = Config.of("heading-window", {"min_tokens": minimum, "min_tokens_deeper": minimum})
        found = run(document, config).metrics
        return [each.leads for each in metric_strip.before_after(found, None)]

    assert leads(1) == ["See them beside the sections", "", "", "", "", ""]
    assert leads(200) == ["See them beside the sections", "", "", "Go to the next chunk outside", "", ""]


def test_what_now_and_baseline_both_have_over_the_maximum_is_explained_once() -> None:
    document = parse("# A heading of some length\n\n" + "".join(f"## Part {n}\n\n{'word ' * 52}\n\n" for n in range(4)))
    limits = {"min_tokens": 10, "min_tokens_deeper": 10, "max_tokens": 60}
    over = run(document, Config.of("heading-window", limits)).metrics
    none = run(document, Config.of("heading-window", {})).metrics

    assert (over.over_with_context, none.over_with_context) == (4, 0)
    (both,) = (each for each in metric_strip.before_after(over, over) if each.title == "Within limits")
    (baseline,) = (each for each in metric_strip.before_after(none, over) if each.title == "Within limits")
    assert (both.now, both.was) == ("100% (20% with context)", "100% (20%)")
    assert baseline.was == "100% (20% with context)"
