"""heading-window, rule by rule (DECISIONS hw-1 to hw-12), in words so that the numbers can be read
off."""

from __future__ import annotations

import pytest
from contract import chunked
from hypothesis import given
from hypothesis import strategies as st
from sample_counters import Words

from chunking import Chunk, Config, Skip, Span, Tools, parse, run
from chunking.document.fenced_regions import holds_code
from chunking.errors import SettingError
from chunking.strategies.heading_window import HeadingWindow
from chunking.strategies.heading_window.frames import _line_ends


def parts(text: str, strategy: HeadingWindow, tools: Tools | None = None) -> list[Chunk | Skip]:
    return list(strategy.split(parse(text, "docs/kettle.md"), tools or Tools(Words())))


def chunks(text: str, strategy: HeadingWindow) -> list[Chunk]:
    return [part for part in parts(text, strategy) if isinstance(part, Chunk)]


def window(minimum: int, deeper: int, maximum: int, **others: object) -> HeadingWindow:
    given_settings = {"short_tail": "keep", **others}
    return HeadingWindow(min_tokens=minimum, min_tokens_deeper=deeper, max_tokens=maximum, **given_settings)  # type: ignore[arg-type]


def rules(text: str, strategy: HeadingWindow) -> list[str]:
    return [chunk.ended_by.rule for chunk in chunks(text, strategy)]


def test_the_second_h2_seals_a_chunk_that_began_at_h1() -> None:
    text = "# Kettle\n## Fill\nwater\n## Boil\nsteam\n"

    assert rules(text, window(50, 90, 99)) == ["second-h2", "end"]
    assert rules(text, window(50, 90, 99, h1_rule=False)) == ["end"]


def test_a_heading_of_the_same_level_seals_at_the_minimum_and_says_so_with_the_numbers() -> None:
    first, second = chunks("## Fill\none two\n## Usage\nthree\n", window(4, 9, 99))

    assert first.ended_by.rule == "minimum-reached"
    assert first.ended_by.detail == (
        "the chunk already has 4 tokens, at least minTokens (4), where the heading 'Usage' begins, "
        "no deeper than the deepest heading so far"
    )
    assert (first.ended_by.held, first.ended_by.limit, first.ended_by.settings) == (4, 4, ("min_tokens",))
    assert second.ended_by.rule == "end"


def test_a_deeper_heading_is_said_to_be_one() -> None:
    first, _ = chunks("## Fill\none two\n### Usage\nthree\n", window(90, 4, 99))

    assert first.ended_by.detail.endswith("(4), where the heading 'Usage' begins, deeper than any so far")


def test_one_token_below_the_minimum_does_not_seal() -> None:
    assert rules("## Fill\none two\n## Usage\nthree\n", window(5, 9, 99)) == ["end"]


def test_a_deeper_heading_seals_at_the_deeper_minimum() -> None:
    text = "## Fill\none two three\n### Tap\nfour\n"

    assert rules(text, window(2, 5, 99)) == ["deeper-minimum-reached", "end"]
    assert rules(text, window(2, 6, 99)) == ["end"]


def test_a_heading_back_at_a_level_seen_before_uses_the_lower_minimum() -> None:
    assert rules("## A\n### B\none\n### C\ntwo\n", window(5, 99, 99)) == ["minimum-reached", "end"]


def test_the_line_that_would_exceed_the_maximum_begins_the_next_chunk_under_its_headings() -> None:
    first, second = chunks("# Tea\n## Fill\none two\nthree four\n", window(0, 99, 6))

    assert first.ended_by.rule == "maximum-reached"
    assert first.ended_by.detail == "the chunk has 6 tokens, and with 2 more on line 4 it would exceed maxTokens (6)"
    assert (first.ended_by.held, first.ended_by.next, first.ended_by.limit) == (6, 2, 6)
    assert second.context == "...\n## Fill\n"
    assert second.breadcrumb == ("kettle.md", "Tea", "Fill")


def test_context_has_the_headings_at_the_chunks_start_as_written_without_ids() -> None:
    text = "# The *Kettle* {#kettle}\n## Fill\none two three four five\n### Tap\nsix\n"
    _, second = chunks(text, window(2, 8, 99))

    assert second.context == "# The *Kettle*\n## Fill\n"
    assert second.breadcrumb == ("kettle.md", "The Kettle", "Fill", "Tap")


def test_after_a_maximum_at_a_heading_context_has_only_the_levels_below_it() -> None:
    text = "## A\none two three four\n## B\nfive six seven eight\n"
    first, second = chunks(text, window(7, 99, 7))

    assert first.ended_by.rule == "maximum-reached"
    assert second.context == ""


def test_a_preamble_counts_as_begun_at_the_h1_that_arrives_in_it() -> None:
    assert rules("before\n\n# T\n## A\na\n## B\nb\n", window(50, 90, 99)) == ["second-h2", "end"]


def test_blank_lines_before_the_first_heading_are_no_preamble() -> None:
    (only,) = chunks("\n\n## A\none\n", window(0, 0, 99))

    assert only.breadcrumb == ("kettle.md", "A")
    assert only.body.start == 0


def test_a_short_tail_is_skipped_kept_or_merged() -> None:
    text = "## A\none two three\n## See also\nx\n"
    chunk, skip = parts(text, window(5, 9, 10, short_tail="skip"))
    assert isinstance(chunk, Chunk)
    assert isinstance(skip, Skip)
    assert skip.because.rule == "short-tail"
    assert skip.because.detail == "only 4 tokens are left at the end, fewer than minTokens (5)"

    kept = chunks(text, window(5, 9, 10, short_tail="keep"))
    assert [flag.rule for flag in kept[1].flags] == ["undersized"]

    (merged,) = chunks(text, window(5, 9, 10, short_tail="merge"))
    assert merged.body_tokens == 9
    assert merged.ended_by.rule == "end"

    assert len(chunks(text, window(5, 9, 8, short_tail="merge"))) == 2


def test_a_tail_of_one_token_is_one_token() -> None:
    _, skip = parts("one two three\nx\n", window(2, 2, 3, short_tail="skip"))

    assert isinstance(skip, Skip)
    assert skip.because.detail == "only 1 token is left at the end, fewer than minTokens (2)"


def test_the_only_chunk_is_kept_however_short() -> None:
    (only,) = chunks("# T\nhello\n", HeadingWindow())

    assert only.flag("undersized") is not None


def test_a_fence_cut_by_the_maximum_is_closed_and_reopened() -> None:
    first, second = chunks("## A\n```py\na b c\nd e f\n```\n", window(0, 99, 6))

    assert first.text == "## A\n```py\na b c\n```\n"
    assert second.text == "## A\n```py\nd e f\n```\n"
    assert second.context == "## A\n```py\n"


def test_a_fence_in_a_list_is_reopened_with_its_indentation() -> None:
    _, second = chunks("- x\n\n  ~~~~\n  a b c\n  d e f\n  ~~~~\n", window(0, 99, 6))

    assert second.context == "  ~~~~\n"


def test_a_line_above_the_maximum_is_cut_at_a_sentence_and_its_rest_is_packed_on() -> None:
    text = "One two three. Four five six.\nseven\n"

    assert [chunk.text for chunk in chunks(text, window(0, 99, 4))] == ["One two three. ", "Four five six.\nseven\n"]


def test_a_setext_heading_is_never_cut_from_its_underline() -> None:
    text = "one two three\n\nTitle\n=====\nfour\n"

    assert [chunk.text for chunk in chunks(text, window(0, 99, 4))] == ["one two three\n\n", "Title\n=====\nfour\n"]


def test_white_space_is_kept_at_edges_and_a_blank_document_is_one_skip() -> None:
    assert [chunk.text for chunk in chunks("\n\nhello\n\n", HeadingWindow())] == ["\n\nhello\n\n"]
    (skip,) = parts(" \n\n", HeadingWindow())
    assert isinstance(skip, Skip)
    assert skip.because.rule == "blank"
    assert parts("", HeadingWindow()) == []


def test_lookahead_takes_a_small_section_along_when_it_fits() -> None:
    text = "## A\none two three\n## B\nx\n## C\nfour five six\n"

    plain = [chunk.start_line for chunk in chunks(text, window(5, 9, 20))]
    ahead = [chunk.start_line for chunk in chunks(text, window(5, 9, 20, lookahead=True))]

    assert plain == [1, 3]
    assert ahead == [1, 5]
    assert [chunk.start_line for chunk in chunks(text, window(5, 9, 7, lookahead=True))][:2] == [1, 3]


def test_count_context_holds_the_maximum_for_the_whole_text() -> None:
    text = "# Tea time\n## Fill it\n" + "one two\n" * 20
    counted = chunks(text, window(0, 99, 12, count_context=True))

    assert max(chunk.tokens for chunk in counted) <= 12
    assert counted[1].context == "# Tea time\n## Fill it\n"
    assert counted[1].body_tokens == 6
    assert max(chunk.tokens for chunk in chunks(text, window(0, 99, 12))) == 18


def test_a_context_over_half_the_maximum_is_shortened_from_the_left() -> None:
    text = "# one two three four five\n## six seven\na b\nc d\ne f\n"
    last = chunks(text, window(0, 99, 10))[-1]

    assert last.context == "...\n## six seven\n"
    assert last.flag("context-shortened") is not None


def test_display_headings_are_clipped_with_the_ellipsis_counted() -> None:
    text = f"# {'t' * 50}\n\n## {'h' * 70}\none\n"
    _, second = chunks(text, window(0, 0, 99))

    assert second.metadata["chunk_index"] == 1
    assert second.metadata["document_title"] == "t" * 39 + "…"
    assert second.metadata["target_heading"] == "h" * 59 + "…"


def test_front_matter_is_a_skip_and_never_a_heading() -> None:
    skip, chunk = parts("---\ntitle: Tea\n---\n# Kettle\nboil\n", HeadingWindow())

    assert isinstance(skip, Skip)
    assert skip.because.rule == "front-matter"
    assert isinstance(chunk, Chunk)
    assert chunk.breadcrumb == ("kettle.md", "Kettle")


def test_a_crlf_document_has_the_boundaries_of_its_lf_twin() -> None:
    text = "# T\nintro\n## A\none two three\n## B\nfour five\n"
    strategy = window(4, 9, 6)

    lines = [(chunk.start_line, chunk.end_line) for chunk in chunks(text, strategy)]
    twins = chunks(text.replace("\n", "\r\n"), strategy)

    assert [(chunk.start_line, chunk.end_line) for chunk in twins] == lines
    assert all("\n" not in chunk.context.replace("\r\n", "") for chunk in twins)


def test_a_minimum_above_the_maximum_is_refused() -> None:
    with pytest.raises(SettingError, match=r"^minTokens: 900 is more than maxTokens \(750\); lower minTokens or raise"):
        HeadingWindow(min_tokens=900)


MARKDOWN = st.lists(
    st.sampled_from(
        [
            "# A\n",
            "## B c\n",
            "### D\n",
            "T\n=\n",
            "one two three. ",
            "four\n",
            "\n",
            "\n\n\n",
            "```py\n",
            "```\n",
            "- ",
            "> ",
            "  ",
            "a\u0301\U0001f469\u200d\U0001f467",
        ]
    ),
    max_size=40,
).map("".join)


@given(MARKDOWN, st.sampled_from([1, 3, 8, 30]), st.booleans(), st.sampled_from(["skip", "keep", "merge"]))
def test_the_promises_hold_on_any_markdown(text: str, maximum: int, whole: bool, tail: str) -> None:
    strategy = window(
        maximum // 3, maximum // 2, maximum, count_context=whole, short_tail=tail, lookahead=maximum % 2 == 0
    )

    chunked(parse(text), Config(strategy, "cl100k_base"))


@pytest.mark.parametrize("lines", [30, 63, 64, 400])
def test_any_number_of_empty_lines_that_end_in_cr_lf_is_read_at_once(lines: int) -> None:
    found = chunks("a" + "\r\n" * lines + "b\r\n", window(0, 0, 5))

    assert "".join(chunk.kept_text for chunk in found).split() == ["a", "b"]


def test_a_fence_is_reopened_behind_a_lists_number_without_a_paragraph_before_it() -> None:
    title = "A heading of many words that no small limit can hold whole whatever is cut from it"
    lines = "".join(f"    value_{number} = call({number})\n" for number in range(12))
    document = parse(f"# {title}\n\n9. one\n10. ```py\n{lines}    ```\n")
    reopened = []
    for limit in range(10, 30):
        settings = {"maxTokens": limit, "minTokens": 1, "minTokensDeeper": 1, "countContext": True}
        chunks = run(document, Config.of("heading-window", settings, "cl100k_base")).chunks
        reopened += [parse(chunk.text) for chunk in chunks if "10. ```py" in chunk.context]

    assert len(reopened) > 20
    assert all(holds_code(each, [Span(0, len(each.text))]) for each in reopened)


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(("blanks", "together"), [(63, False), (64, True), (200, True)])
def test_no_chunk_begins_in_a_long_run_of_blank_lines(ending: str, blanks: int, together: bool) -> None:
    document = parse(f"# Kettle{ending}first{ending}{f' {ending}' * blanks}last{ending}")

    ends = _line_ends(document)

    first, last = document.text.index("first"), document.text.index("last")
    assert (len([end for end in ends if first < end < last]) == 0) is together
    assert (len(ends) == 3) is together
