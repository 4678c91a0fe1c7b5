"""Which texts may be another version of a document, and what they are called."""

from __future__ import annotations

from pages.ui.choices.samples import Source
from pages.ui.compare.stability import titles_of, versions_of

NOW = Source("docs/guide.md", "guide.md", "now")
OTHERS = (
    Source("sample.md", "Sample", "sample", sample=True),
    Source("a.md", "a.md", "other"),
    Source("guide.md", "guide.md", "before"),
    Source("old/guide.md", "guide.md", "long before"),
)


def test_texts_of_the_same_name_come_first_and_samples_last() -> None:
    found = versions_of(NOW, [NOW, *OTHERS])

    assert [each.name for each in found] == ["guide.md", "old/guide.md", "a.md", "sample.md"]


def test_two_of_one_title_can_be_told_apart() -> None:
    titles = titles_of(OTHERS)

    assert titles[OTHERS[1].key] == "a.md"
    assert titles[OTHERS[2].key] == f"guide.md, 6 characters, sha256 {OTHERS[2].hash[:6]}…"
    assert len(set(titles.values())) == len(OTHERS)
