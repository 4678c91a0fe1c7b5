"""Markup is text from anywhere put among our own tags: nothing of it may become markup."""

from __future__ import annotations

import ast
import re
from html.parser import HTMLParser
from pathlib import Path

import pandas as pd
import pytest

from pages.ui.layout import markup
from pages.ui.layout.markup import Figure, Piece

PAGES = Path(__file__).parents[3] / "pages"
HOSTILE = (
    "<script>alert(1)</script>",
    '" onmouseover="alert(1)',
    "'><img src=x onerror=alert(1)>",
    "</dd></dl><iframe>",
    "&lt;b&gt;",
)

OURS = {
    "dl", "div", "dt", "dd", "b", "span", "p", "h1", "h2", "ul", "li", "i", "bdi", "code",
    "table", "thead", "tbody", "tr", "th", "td", "details", "summary",
}  # fmt: skip


class Seen(HTMLParser):
    """What a browser would make of the markup."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.text += "".join(value or "" for name, value in attrs if name == "title")

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("text", HOSTILE)
def test_no_builder_lets_a_text_become_a_tag_or_an_attribute(text: str) -> None:
    built = [
        markup.strip([Figure(text, text, text, "better", text)], beside=text),
        markup.facts([(text, text)]),
        markup.problem(text),
        markup.warnings([text, text]),
        markup.note(text),
        markup.shortened(text),
        markup.reason(text),
        markup.heading(text, beside=text),
        markup.empty(text, text),
        markup.breadcrumb([text]),
        markup.lines([text]),
        markup.title(text, beside=text),
        markup.paragraph(text),
        markup.table(pd.DataFrame({text: [text]}), code=(text,)),
        markup.anatomy([Piece("body", text, 3)], text),
    ]
    for html in built:
        seen = Seen()
        seen.feed(str(html))
        assert seen.tags <= OURS
        assert seen.attributes <= {"class", "title", "role", "scope", "style", "aria-hidden", "aria-label", "tabindex"}
        assert text in seen.text


def test_what_stands_beside_a_heading_is_no_part_of_its_name() -> None:
    assert "<h2>Every combination</h2><span>choose a row</span>" in markup.heading(
        "Every combination", beside="choose a row"
    )
    assert "<h1>Fixed size</h1> <code>fixed</code>" in markup.title("Fixed size", beside="fixed")
    assert "<h2>Chunk 2 <span>of 7</span></h2>" in markup.heading("Chunk 2", of="of 7")


def test_a_label_shows_directives_formulas_and_links_instead_of_following_them() -> None:
    assert markup.plain_label(":red[x]") == r"\:red\[x\]"
    assert markup.plain_label("$x$ :material/home: [a](b)") == r"\$x\$ \:material\/home\: \[a\]\(b\)"


def test_a_label_is_one_line() -> None:
    assert markup.plain_label("two\n  lines") == "two lines"


def test_the_strip_says_what_was_beside_what_is_now() -> None:
    html = markup.strip(
        [Figure("Chunks", "5", "33"), Figure("Blocks cut in two", "0", "2", "better")], beside="baseline"
    )

    assert "<b>5</b>" in html
    assert '<span class="cs-was">baseline 33</span>' in html
    assert '<span class="cs-better">better</span>' in html


def test_the_pieces_of_the_bar_are_as_wide_as_their_share() -> None:
    html = markup.anatomy(
        [Piece("context", "context", 10), Piece("body", "body", 70), Piece("room", "tokens left of 100", 20)], "minilm"
    )

    assert re.findall(r"width:([\d.]+)%", html) == ["10.00", "70.00", "20.00"]
    assert "<b>20</b> tokens left of 100" in html
    assert "Tokenizer <b>minilm</b>" in html


def test_a_chunk_without_tokens_has_a_bar_without_pieces() -> None:
    assert "width" not in markup.anatomy([Piece("body", "body", 0)], "minilm")


def test_a_text_is_shown_as_it_is_and_a_nul_by_its_picture() -> None:
    assert markup.exact("\n<b>a\0b") == '<pre class="cs-exact" tabindex="0"><code>\n&lt;b&gt;a\u2400b</code></pre>'


def test_no_builder_returns_an_empty_markup_which_streamlit_refuses_with_a_red_box() -> None:
    """What may be nothing is None, so that whoever draws it has to ask."""
    empty = {ast.dump(ast.parse(text, mode="eval").body) for text in ('Markup("")', "Markup()", '""')}
    builders = [
        (f"{path.relative_to(PAGES)}: {function.name}", function)
        for path in sorted(PAGES.rglob("*.py"))
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(function, ast.FunctionDef) and function.returns and "Markup" in ast.unparse(function.returns)
    ]
    returned = [
        (name, node.value)
        for name, function in builders
        for node in ast.walk(function)
        if isinstance(node, ast.Return) and node.value
    ]

    assert len(builders) > 40
    assert [name for name, value in returned if ast.dump(value) in empty] == []
