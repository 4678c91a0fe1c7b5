"""A document as people read it: HTML that is safe to show, and the cuts at their places in it."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from chunking import Boundary, Chunk, Config, Document, Run, Span, parse, strategies
from pages.ui.components.reading_views.rendered import AFTER, stretch
from pages.ui.components.reading_views.rendered_markdown import CUT, references, rendered, written

FIRST, SECOND = CUT.format(0), CUT.format(1)


def cut_at(document: Document, *offsets: int) -> Run:
    """A run that cuts at these code points."""
    edges = [0, *offsets, len(document.text)]
    chunks = [
        Chunk(document, Span(start, end), Boundary("size-reached", "full"), (document.base_name,), 3, 3)
        for start, end in pairwise(edges)
    ]
    return Run(document, Config(strategies.get("every-heading")()), tuple(chunks))


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("<b onclick=x>a</b>", "<p>&lt;b onclick=x&gt;a&lt;/b&gt;</p>"),
        ("<script>x</script>", "<p>&lt;script&gt;x&lt;/script&gt;</p>"),
        ("[a](javascript:x)", '<p><span class="lead" title="javascript:x">a</span></p>'),
        ("[a](JaVaScript:x)", '<p><span class="lead" title="JaVaScript:x">a</span></p>'),
        ("[a](data:text/html,x)", '<p><span class="lead" title="data:text/html,x">a</span></p>'),
        ("[a](../secret)", '<p><span class="lead" title="../secret">a</span></p>'),
        ("[a](https://example.org/?q=%22)", '<p><a href="https://example.org/?q=%22">a</a></p>'),
        ('[a](https://e.org "x\\"y")', '<p><a href="https://e.org">a</a></p>'),
        (
            "![A <b>lid](http://e.org/x.png)",
            '<p><span class="picture" title="http://e.org/x.png">A &lt;b&gt;lid</span></p>',
        ),
        ("`<i>`", "<p><code>&lt;i&gt;</code></p>"),
        ("``` <x>\n<i>\n```", "<pre><code>&lt;i&gt;\n</code></pre>"),
        ("    <i>", "<pre><code>&lt;i&gt;\n</code></pre>"),
        ("# Two {#two}", "<h1>Two</h1>"),
        (":red[a] $x$ :material/x:", "<p>:red[a] $x$ :material/x:</p>"),
    ],
)
def test_nothing_of_a_text_is_more_than_text(text: str, html: str) -> None:
    assert (rendered(text, {}) or "").strip() == html


def test_links_may_be_defined_elsewhere() -> None:
    known = references(["water", "[lid]: https://e.org/lid\n[base]: javascript:x"])

    assert rendered("[lid] [base]", known) == (
        '<p><a href="https://e.org/lid">lid</a> <span class="lead" title="javascript:x">base</span></p>\n'
    )


@pytest.mark.parametrize(
    ("text", "cuts", "html"),
    [
        ("one two three", [4], f"<p>one {FIRST}two three</p>"),
        ("one *two three*", [9], f"<p>one <em>two {FIRST}three</em></p>"),
        ("- a\n- b\n- c", [4, 8], f"<ul>\n<li>a</li>\n<li>{FIRST}b</li>\n<li>{SECOND}c</li>\n</ul>"),
        ("> a\n> b", [4], f"<blockquote>\n<p>a\n{FIRST}b</p>\n</blockquote>"),
        ("```\na\nb\n```", [6], f"<pre><code>a\n{FIRST}b\n</code></pre>"),
        ("a [b c](https://e.org/d) e", [12], f'<p>a <a href="https://e.org/d">b c</a> {FIRST}e</p>'),
    ],
)
def test_a_cut_is_where_it_is_or_at_the_next_word(text: str, cuts: list[int], html: str) -> None:
    found = rendered(text, {}, cuts)

    assert found is not None
    assert found.strip() == html
    assert found.replace(FIRST, "").replace(SECOND, "") == rendered(text, {})


def test_a_cut_before_a_row_stands_in_its_first_cell() -> None:
    found = rendered("| a | b |\n|---|---|\n| c | d |\n| e | f |", {}, [30])

    assert f"<td>{FIRST}e</td>" in (found or "")


def test_a_cut_that_has_no_place_stands_at_the_beginning() -> None:
    assert rendered("a\n\n---", {}, [6]) == f"{FIRST}<p>a</p>\n<hr />\n"


def test_what_would_take_long_is_shown_as_it_is_written() -> None:
    assert rendered("[" * 5_000, {}) is None
    assert rendered("word " * 9_000, {}) is None
    assert written("a<b>\nc", [5]) == f'<pre class="written">a&lt;b&gt;\n{FIRST}c</pre>'


def test_cuts_between_blocks_stand_before_the_next_one() -> None:
    text = "# One\n\nwater and ice\n\n# Two\n\nsteam\n"
    shown = stretch(cut_at(parse(text, "kettle.md"), 13, 22), 0)

    assert [block.before for block in shown.blocks] == [(0,), (), (22,), ()]
    assert [block.inside for block in shown.blocks] == [(), (13,), (), ()]
    assert shown.blocks[1].html == f"<p>water {FIRST}and ice</p>\n"
    assert [(cut.at, cut.chunk, cut.words) for cut in shown.cuts] == [
        (0, 0, "start"),
        (13, 1, "size reached"),
        (22, 2, "size reached"),
    ]
    assert shown.cuts[1].sentence == "Chunk 2 of 3, 3 tokens. Chunk 1 ends here: full. Rule: size reached."


def test_only_a_stretch_near_the_place_is_rendered() -> None:
    text = "".join(f"# Part {number}\n\n{'words ' * 40}\n\n" for number in range(400))
    document = parse(text, "kettle.md")
    middle = text.index("# Part 200\n")

    shown = stretch(cut_at(document, 5_000, middle), middle)

    assert shown.blocks[0].start < middle < shown.blocks[-1].end
    assert shown.blocks[-1].end - shown.blocks[0].start < 2 * AFTER
    assert [cut.at for cut in shown.cuts] == [5_000, middle]
    assert "<h1>Part 200</h1>" in "".join(block.html for block in shown.blocks)


def test_front_matter_and_raw_html_are_shown_as_they_are_written() -> None:
    shown = stretch(cut_at(parse("---\na: <b>\n---\n\n<div>\nx\n</div>\n", "kettle.md")), 0)

    assert [block.html for block in shown.blocks] == [
        '<pre class="written">---\na: &lt;b&gt;\n---</pre>',
        '<pre class="written">&lt;div&gt;\nx\n&lt;/div&gt;</pre>',
    ]


def test_source_code_is_shown_as_it_is_written() -> None:
    shown = stretch(cut_at(parse("# a *comment*\n\n- x\n", "kettle.py")), 0)

    assert [(block.html, block.note) for block in shown.blocks] == [
        ('<pre class="written"># a *comment*</pre>', ""),
        ('<pre class="written">- x</pre>', ""),
    ]


def test_one_enormous_block_is_shown_in_part_and_says_so() -> None:
    shown = stretch(cut_at(parse("word " * 20_000, "kettle.md"), 5, 99_990), 0)

    assert shown.blocks[0].note == "The first 60,000 of 99,999 characters, as written; the source has them all."
    assert re.findall(r'data-at="(\d+)"', shown.blocks[0].html) == ["0"]
