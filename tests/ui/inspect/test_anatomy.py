"""What a chunk's tokens are made of, and what is left of its limit."""

from __future__ import annotations

from chunking import Config, parse, run
from pages.ui.inspect.anatomy import pieces

TEXT = "# Kettle\n\nintro\n\n## Fill\n\nwater and steam\n\n## Boil\n\nmore steam\n"


def test_what_is_left_says_that_context_does_not_count_where_the_limit_is_of_the_body() -> None:
    config = Config.of("heading-window", {"min_tokens": 1, "min_tokens_deeper": 1, "short_tail": "keep"})
    result = run(parse(TEXT), config)
    first, second = result.chunks[:2]

    assert [(piece.title, piece.tokens) for piece in pieces(result, first)] == [
        ("body", first.tokens),
        ("tokens left of 750", 750 - first.tokens),
    ]
    context, body, room = pieces(result, second)
    assert (context.title, body.tokens) == ("context", second.body_tokens)
    assert (room.title, room.tokens) == ("tokens left of 750 for the body", 750 - second.body_tokens)
