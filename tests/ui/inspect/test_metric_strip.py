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
