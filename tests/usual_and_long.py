"""Cases of a test that run with `--long` only: others of the same test hold the same."""

from __future__ import annotations

from collections.abc import Iterable

import pytest


def long(*cases: object) -> list[object]:
    """These cases, marked long; a tuple is one case of several parameters."""
    return [pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.long) for case in cases]


def usual(cases: Iterable[object], *usually: object) -> list[object]:
    """All these cases: those named again as they are, the others marked long."""
    return [case if case in usually else long(case)[0] for case in cases]


def every_second(cases: Iterable[object]) -> list[object]:
    """All these cases: the second, the fourth and so on marked long."""
    return [long(case)[0] if index % 2 else case for index, case in enumerate(cases)]
