"""Numbers for people: rounded once, from the whole number, and a half away from zero."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

_NOISE = 9
"""Decimals that a measured number has: what is behind them comes from the reckoning alone."""


def rounded(value: float, decimals: int = 0) -> Decimal:
    """The number with so many decimals, as one would round it by hand: 0.125 to 0.13, where Python
    says 0.12. Formatted with `,` or `+` it has its separators and its sign."""
    plain = Decimal(repr(round(float(value), _NOISE)))
    return plain.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
