"""Streamlit's own elements are named in one file, and no rule makes every run cost a whole page's
style."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PAGES = Path(__file__).resolve().parents[3] / "pages"
FOREIGN = re.compile(r"data-testid|data-baseweb|data-tag|\[kind=|\.st[A-Z]|\.st-(?!key-)|emotion|\.token\b")
"""What in a selector is of Streamlit, or of what it draws with; `.st-key-` is what it promises for
our own keys."""


NAMED = re.compile(r"[.#\[]|^[a-z]")
"""What a part of a selector names: a class, an id, an attribute, a kind of element."""


def split(selector: str, separators: str) -> list[str]:
    """The parts of a selector between these characters, where they stand outside of brackets."""
    parts, depth = [""], 0
    for character in selector:
        depth += (character in "([") - (character in ")]")
        if not depth and character in separators:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def without(function: str, part: str) -> str:
    """A part of a selector without what these functions ask for."""
    while (begin := part.find(f":{function}(")) >= 0:
        depth, end = 1, begin + len(function) + 2
        while depth:
            depth += (part[end] == "(") - (part[end] == ")")
            end += 1
        part = part[:begin] + part[end:]
    return part


def costly(css: str) -> list[str]:
    """Selectors that ask with `:has()` what an element holds, and then style no named element below
    it."""
    found = []
    for rule in re.finditer(r"([^{}]+)\{", re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)):
        selectors = [] if rule[1].strip().startswith("@") else split(rule[1], ",")
        for parts in (split(selector, " >+~") for selector in selectors):
            named = NAMED.search(without("has", without("not", parts[-1]))) and "::first-line" not in parts[-1]
            if any(":has(" in part for part in parts[:-1]) and not named:
                found.append(" ".join(parts))
    return found


@pytest.mark.parametrize(
    ("selector", "is_costly"),
    [
        (".a:has(.b) > *", True),
        (".a:not(:has(.b)) > :has(> .c)", True),
        (":root:has(.a) > :not(.b)", True),
        (":root:has(.a) .b::first-line", True),
        (":root:has(.a) .b", False),
        (".a > :has(.b)", False),
        (".a:has(.b) > :is(.c, .d):not(:has(.e))", False),
        (".a *", False),
    ],
)
def test_a_selector_below_has_that_names_nothing_is_found(selector: str, is_costly: bool) -> None:
    assert bool(costly(f"@media print {{ {selector} {{ color: red }} }}")) is is_costly


def test_no_rule_below_has_styles_elements_without_a_name() -> None:
    """With one, Chromium works out the style of the whole page again whenever Streamlit adds an
    element: it keeps one set of what may change for all `:has()`."""
    assert not [found for path in PAGES.rglob("*.css") for found in costly(path.read_text(encoding="utf-8"))]


def test_one_style_sheet_alone_names_elements_of_streamlit() -> None:
    named = [path.name for path in PAGES.rglob("*.css") if FOREIGN.search(path.read_text(encoding="utf-8"))]
    scripts = [path.read_text(encoding="utf-8") for kind in ("js", "py") for path in PAGES.rglob(f"*.{kind}")]

    assert named == ["streamlit_dom.css"]
    assert not [script for script in scripts if "data-testid" in script or "data-baseweb" in script]
