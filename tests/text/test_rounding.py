"""Numbers for people."""

from __future__ import annotations

import pytest

from chunking.text import rounded


@pytest.mark.parametrize(
    ("value", "decimals", "expected"),
    [
        (379.45, 1, "379.5"),
        (0.125, 2, "0.13"),
        (2.5, 0, "3"),
        (-2.5, 0, "-3"),
        (100 * 0.145, 0, "15"),
        (4174 / 11, 1, "379.5"),
    ],
)
def test_a_half_is_rounded_away_from_zero_as_by_hand(value: float, decimals: int, expected: str) -> None:
    assert str(rounded(value, decimals)) == expected


def test_a_rounded_number_has_its_separators_and_its_sign() -> None:
    assert (f"{rounded(1028.5, 1):,}", f"{rounded(1234.56, 1):+,}") == ("1,028.5", "+1,234.6")
