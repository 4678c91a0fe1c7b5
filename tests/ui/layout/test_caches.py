"""What the app remembers of documents and runs."""

from __future__ import annotations

import gc
import re
import weakref

from app_pages import html, open_page

from pages.ui.choices.samples import Source
from pages.ui.layout import caches


class Knot:
    """Garbage that only a collection finds."""

    def __init__(self) -> None:
        self.me = self


def test_a_large_upload_keeps_no_garbage_for_ever() -> None:
    gc.disable()  # else it might be found before
    knot = weakref.ref(Knot())
    try:
        caches.document(Source("large.md", "Large", "word\n\n" * 40_001))
        gc.collect()

        assert knot() is None
    finally:
        gc.unfreeze()
        gc.enable()


def test_the_foot_of_inspect_says_what_is_remembered() -> None:
    assert re.search(r"The server remembers [\d.]+ of 1,000 MB of documents\.", html(open_page()))
