"""Markdown for property tests: lines made of pieces that begin, end, continue and confuse
blocks."""

from __future__ import annotations

from hypothesis import strategies as st

_INDENTS = ["", "", "", "", " ", "  ", "   ", "    ", "\t", "- ", "> ", "  - ", "1. ", "      "]
_TABBED = [
    " \t",
    "\t ",
    ">\t",
    ">\t ",
    ">\t  ",
    "> \t",
    ">\t\t",
    "-\t",
    "-\t\t",
    "- \t",
    "1.\t",
    ">-\t",
    "> -\t",
    ">\t- ",
    "\t\t",
    "  \t",
]
_TAILS = ["", "", "", "", " ", "  ", "\t", "|", " ```", " ##"]
_STARTS = """a|b c|foo ¦ bar|¦ a ¦ b ¦|¦---¦---¦|--- ¦ ---|¦|-¦-|:-:|---|-|===|=|- a|- |* b|* * *|+ c|1. a|2. b|1) c
01. x|10. ten
123456789. q|1234567890. q|# h|## h ##|#|#x|####### 7|```|````|```js|``` a`b|~~~|~~~ x|> q|>|> > r|>```|<div>
</div>|<!-- c|-->|<!-- c -->|<?x|?>|<!X|<![CDATA[|]]>|<pre>|</pre>|<a>|<a href='x'>|<b|[a]: /b|[a]:|/url|"title"
'title|[a]: /b 'c'|[a]: <b> "c|[^1]: f|[^1]:|[^x y]: n|[b] c|[link](x)|![i](y)|$$|$$x$$|$$ a|b $$|$$ (l)|**b**|_i_
`c`|- [ ] t|* [x] t|***|___|- - -|-\ta|1.\ta|- ```|- $$|- <!-- x|- [^1]: f|- [a]: /b|- # h|- > q|- a ¦ b|-     code
\\|é|\u00a0|\x0b|\x0c|\u2028|\x00|\x85|\ufeff|[|[a\\]:"""

STARTS = [start.replace("¦", "|") for row in _STARTS.split("\n") for start in row.split("|")]

lines = st.builds(
    lambda indent, start, tail: indent + start + tail,
    st.sampled_from(_INDENTS) | st.sampled_from(_TABBED),
    st.sampled_from([*STARTS, *[""] * 12]),
    st.sampled_from(_TAILS),
)
markdown = st.builds(
    lambda content, ending, last: ending.join(content) + last,
    st.lists(lines, max_size=14),
    st.sampled_from(["\n", "\n", "\n", "\r\n", "\r"]),
    st.sampled_from(["", "\n", "\n\n"]),
)
