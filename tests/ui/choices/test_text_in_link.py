"""Texts inside links: small ones, as they were; hostile ones are one line and cost little."""

from __future__ import annotations

import base64
import zlib
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chunking.errors import DocumentError
from chunking.text import text_hash
from pages.ui.choices.text_in_link import LARGEST_PACKED, LONGEST, packed, unpacked

KETTLE = "# Kettle\n\nwater ☕\n"


def written(raw: bytes) -> str:
    return "1." + base64.urlsafe_b64encode(raw).decode().rstrip("=")


@given(st.text("ab#\n é☕", min_size=1))
def test_a_text_is_unpacked_as_it_was(text: str) -> None:
    assert unpacked(packed(text), text_hash(text)) == text


def test_what_stands_in_the_address_needs_no_escape() -> None:
    assert set(packed(KETTLE)) <= set("1.ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-")


def test_a_text_that_is_too_large_is_in_no_link() -> None:
    noise = Random(1).randbytes(LARGEST_PACKED + 1000).hex()

    assert packed(noise[: LARGEST_PACKED // 2])
    assert packed(noise * 2) == packed("a" * 1_000_001) == ""
    assert len(packed("a" * 1_000_000)) < LONGEST


@pytest.mark.parametrize(
    ("fragment", "why"),
    [
        ("", "not written as Chunkscope writes it"),
        ("2.abc", "not written as Chunkscope writes it"),
        ("1.<script>", "not written as Chunkscope writes it"),
        ("1." + "A" * 60_000, "more than 42,674 characters"),
        ("1.A", "damaged, or was cut off"),
        ("1.AAAA", "damaged, or was cut off"),
        (packed(KETTLE)[:-6], "damaged, or was cut off"),
        (written(zlib.compress(b"\xff\xfe")), "damaged, or was cut off"),
        (written(zlib.compress("# \ud83d".encode("utf-8", "surrogatepass"))), "damaged, or was cut off"),
        (written(zlib.compress(bytes(30_000_000), 9)), "would have more than 1,000,000 bytes"),
        (written(zlib.compress(b"another text")), "not the text that the link is about"),
    ],
)
def test_a_hostile_fragment_is_one_line(fragment: str, why: str) -> None:
    with pytest.raises(DocumentError) as raised:
        unpacked(fragment, text_hash(KETTLE))

    assert why in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_binary_text_is_refused_as_an_upload_is() -> None:
    noise = Random(8).randbytes(5_000).decode("latin-1")

    with pytest.raises(DocumentError, match="the text in the link: this looks binary"):
        unpacked(packed(noise), text_hash(noise))
