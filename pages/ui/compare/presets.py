"""Before and after, as the specs tell it: pairs of configs that show what an improvement does. No
Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from chunking import Config, strategies


@dataclass(frozen=True, slots=True)
class Preset:
    """Configs to set side by side."""

    title: str
    why: str
    """What to look for."""
    configs: tuple[Config, ...]
    sample: str
    """The sample document that shows it best."""


def presets() -> tuple[Preset, ...]:
    """The presets whose strategies are all registered."""
    return tuple(
        Preset(title, why, tuple(Config.of(name, dict(settings), counter) for name, settings, counter in rows), sample)
        for title, why, sample, rows in _PRESETS
        if all(name in strategies.names() for name, _, _ in rows)
    )


def matching(configs: Sequence[Config]) -> Preset | None:
    """The preset that is shown, if it is one."""
    return next((preset for preset in presets() if preset.configs == tuple(configs)), None)


_Settings = tuple[tuple[str, bool | int | str], ...]
_PRESETS: tuple[tuple[str, str, str, tuple[tuple[str, _Settings, str], ...]], ...] = (
    (
        "Every heading → hierarchical",
        "fewer chunks, none of a heading alone, and each within the hard cap.",
        "01-headings-without-content.md",
        (("every-heading", (), ""), ("hierarchical", (), "")),
    ),
    (
        "Block packing, old → improved",
        "the section's path in front of each chunk, no overlap from another section, counting by kind of block.",
        "05-deep-nesting.md",
        (
            ("block-packing", (("includeHeadings", False), ("overlapScope", "anywhere")), "chars-4"),
            ("block-packing", (), "block-ratio"),
        ),
    ),
    (
        "Heading window, without → with the H1 rule",
        "a chunk that began at the H1 ends at its second H2, so that no later section is buried in it.",
        "10-an-api-reference.md",
        (("heading-window", (("h1Rule", False),), ""), ("heading-window", (), "")),
    ),
    (
        "Heading window, one minimum → a higher one going deeper",
        "a section stays together with its first subsections until there is enough of it.",
        "04-a-long-preamble.md",
        (("heading-window", (("minTokensDeeper", 250),), ""), ("heading-window", (), "")),
    ),
    (
        "Fixed → recursive",
        "cuts at paragraphs and sentences where there are any, instead of wherever the size is reached.",
        "06-no-headings.md",
        (("fixed", (), ""), ("recursive", (), "")),
    ),
    (
        "Four ways",
        "from the size alone to the document's own structure.",
        "10-an-api-reference.md",
        (("fixed", (), ""), ("recursive", (), ""), ("block-packing", (), ""), ("hierarchical", (), "")),
    ),
)
