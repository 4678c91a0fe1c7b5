"""What is loaded before the server answers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pages.ui.server import tokenizers


@pytest.mark.parametrize(
    ("others", "loaded"), [(False, ["cl100k_base"]), (True, ["cl100k_base", "o200k_base"])], ids=["alone", "shared"]
)
def test_where_others_come_in_every_packaged_tokenizer_is_loaded_before_the_server_answers(
    others: bool, loaded: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    names: list[str] = []
    monkeypatch.setattr(tokenizers, "beyond_loopback", lambda: others)

    def counter(name: str) -> Callable[[str], int]:
        names.append(name)
        return len

    monkeypatch.setattr(tokenizers, "counter", counter)

    tokenizers.load_tokenizers()

    assert names == loaded
