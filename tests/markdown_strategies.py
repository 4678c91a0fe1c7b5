"""Random Markdown for property tests: lines that are likely to mean something to a parser, in any
order."""

from __future__ import annotations

from hypothesis import strategies as st

WORDS = st.sampled_from(
    [
        "water",
        "steam",
        "Dr. Smith waits.",
        "U.S. law, e.g. this one.",
        "Stop! Why?",
        "`code`",
        "*emphasis*",
        "[link](http://example.org)",
        "![alt](a.png)",
        "é",
        "e\u0301",
        "👩‍👩‍👧‍👦",
        "🇫🇷🇩🇪",
        "水が沸く。",
        "שלום",
        "<|endoftext|>",
        "{x}",
        "a|b",
        "\u00a0",
        "\u2028",
        "\x0b",
        "x" * 90,
        "-" * 30,
    ]
)
PHRASES = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)
LONG = st.integers(20, 90).flatmap(lambda n: PHRASES.map(lambda phrase: " ".join([phrase] * n)[:900]))

HEADINGS = st.builds(
    lambda level, title, end: f"{'#' * level} {title}{end}",
    st.integers(1, 6),
    PHRASES | st.just(""),
    st.sampled_from(["", " #", " {#given}", " ##  "]),
)
SETEXT = st.builds(lambda title, mark: f"{title}\n{mark}", PHRASES, st.sampled_from(["===", "---", "="]))
ROWS = st.lists(PHRASES, min_size=1, max_size=6)


def _fence(mark: str, language: str, lines: list[str], closed: bool) -> str:
    return "\n".join([f"{mark}{language}", *lines, *([mark] if closed else [])])


FENCES = st.builds(
    _fence,
    st.sampled_from(["```", "~~~", "````", "  ```"]),
    st.sampled_from(["", "py", "sh title=x"]),
    st.lists(PHRASES | st.sampled_from(["", "# not a heading", "    indented"]), max_size=25),
    st.booleans(),
)
TABLES = st.builds(
    lambda cells, count: "\n".join(["| a | b |", "|---|:-:|", *[f"| {cells} | x |"] * count]),
    PHRASES,
    st.integers(0, 12),
)
LISTS = st.builds(
    lambda marks, rows: "\n".join(f"{marks[n % len(marks)]} {row}" for n, row in enumerate(rows)),
    st.lists(st.sampled_from(["-", "  -", "1.", "   *", "- [ ]", "-\n"]), min_size=1, max_size=4),
    ROWS,
)
QUOTES = ROWS.map(lambda rows: "\n".join(f"> {row}" for row in rows))
HTML = st.sampled_from(
    ["<div>\n# inside\n</div>", "<!-- # hidden", "<!-- a -->", "<pre>\n\n# pre\n</pre>", "<b>bold</b> text", "<script>"]
)
ODD = st.sampled_from(
    [
        "---",
        "***",
        "\t",
        "   ",
        "    code",
        "\\# no",
        "#no",
        "> ```",
        "- ```",
        "[ref]: http://x",
        "|",
        "```",
        "~~~",
        ":",
        "\x00",
    ]
)
PARAGRAPHS = st.lists(PHRASES, min_size=1, max_size=5).map("\n".join)

BLOCKS = st.one_of(HEADINGS, PARAGRAPHS, HEADINGS, SETEXT, FENCES, TABLES, LISTS, QUOTES, HTML, ODD, LONG)
FRONT_MATTER = st.sampled_from(["", "", "", "---\ntitle: Kettle\n---\n", "---\n---\n", "---\nunclosed\n", "\n\n"])
LINE_ENDINGS = st.sampled_from(["\n", "\n", "\r\n", "\r"])
GAPS = st.sampled_from(["\n\n", "\n", "\n\n\n", "\n \n"])


def _written(front: str, blocks: list[tuple[str, str]], ending: str, mixed: bool) -> str:
    text = front + "".join(block + gap for block, gap in blocks)
    if mixed and blocks:
        half = len(text) // 2
        return text[:half] + text[half:].replace("\n", ending)
    return text.replace("\n", ending)


MARKDOWN = st.builds(
    _written, FRONT_MATTER, st.lists(st.tuples(BLOCKS, GAPS), max_size=14), LINE_ENDINGS, st.booleans()
)
"""Documents of up to some thousand characters, well formed and not, with any line endings."""
