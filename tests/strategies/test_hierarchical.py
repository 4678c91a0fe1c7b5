"""Hierarchical packing, decision by decision (DECISIONS hi-1 to hi-10)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_strategies import MARKDOWN
from sample_counters import Words

from chunking.config.config import Config
from chunking.core.chunk import Chunk
from chunking.document.parser import parse
from chunking.errors import SettingError
from chunking.models.access import Tools
from chunking.runs import Run, run
from chunking.strategies.hierarchical import Hierarchical
from chunking.tokens import counter


def words(count: int, word: str = "w") -> str:
    return " ".join([word] * count)


def chunk(
    text: str, hard_cap: int, target: int | None = None, *, name: str = "doc.md", embed: bool = False
) -> list[Chunk]:
    """The chunks, counted in words; the parts have to tile the document."""
    strategy = Hierarchical(target=target or hard_cap, hard_cap=hard_cap, embed_breadcrumb=embed)
    result = run(parse(text, name=name), Config(strategy, "words-1.3"), Tools(Words()))
    return list(result.chunks)


def rules(chunks: list[Chunk]) -> list[str]:
    return [c.ended_by.rule for c in chunks]


# hi-1: the whole document


def test_a_document_of_exactly_the_hard_cap_is_one_chunk_named_by_its_file() -> None:
    chunks = chunk("# A\n\nfour words of text\n\n## B\n\nmore\n", hard_cap=9)

    assert [(c.tokens, c.breadcrumb, c.ended_by.rule) for c in chunks] == [(9, ("doc.md",), "end")]


def test_one_token_more_than_the_hard_cap_splits_it() -> None:
    assert len(chunk("# A\n\nfour words of text\n\n## B\n\nmore\n", hard_cap=8)) == 2


def test_the_whole_documents_breadcrumb_can_name_its_single_root_heading() -> None:
    strategy = Hierarchical(whole_document_breadcrumb="heading")

    def breadcrumb(text: str) -> tuple[str, ...]:
        return run(parse(text, name="doc.md"), Config(strategy)).chunks[0].breadcrumb

    assert breadcrumb("# A\n\ntext\n\n## B\n\ntext\n") == ("doc.md", "A")
    assert breadcrumb("# A\n\ntext\n\n# B\n\ntext\n") == ("doc.md",)
    assert breadcrumb("before\n\n# A\n\ntext\n") == ("doc.md",)


# hi-2, hi-3: sections, from the top


def test_a_section_takes_in_its_children_one_by_one_while_they_fit() -> None:
    text = f"# A\n\n{words(3)}\n\n## B\n\n{words(3)}\n\n## C\n\n{words(3)}\n\n## D\n\n{words(3)}\n"

    chunks = chunk(text, hard_cap=10)

    assert [(c.tokens, c.breadcrumb) for c in chunks] == [(10, ("doc.md", "A")), (10, ("doc.md", "A"))]
    assert rules(chunks) == ["hard-cap", "end"]


def test_a_boundary_says_the_numbers_that_decided() -> None:
    text = f"# A\n\n{words(3)}\n\n## B\n\n{words(3)}\n\n## C\n\n{words(8)}\n"

    boundary = chunk(text, hard_cap=12)[0].ended_by

    assert (
        boundary.detail
        == "the chunk has 10 tokens, and with 'C' (10 tokens) it would have 20 tokens, more than hardCap (12)"
    )
    assert (boundary.held, boundary.next, boundary.limit, boundary.settings) == (10, 10, 12, ("hard_cap",))


def test_a_chunk_of_one_child_carries_the_childs_breadcrumb_and_one_of_several_the_parents() -> None:
    text = f"# A\n\n{words(9)}\n\n## B\n\n{words(9)}\n\n## C\n\n{words(2)}\n\n## D\n\n{words(2)}\n"

    chunks = chunk(text, hard_cap=12)

    assert [c.breadcrumb for c in chunks] == [("doc.md", "A"), ("doc.md", "A", "B"), ("doc.md", "A")]


def test_a_child_over_the_hard_cap_is_split_by_its_own_children() -> None:
    text = f"# A\n\nw\n\n## B\n\n{words(6)}\n\n### C\n\n{words(6)}\n\n## D\n\n{words(6)}\n"

    chunks = chunk(text, hard_cap=10)

    assert [c.breadcrumb[1:] for c in chunks] == [("A",), ("A", "B"), ("A", "B", "C"), ("A", "D")]
    assert rules(chunks) == ["hard-cap", "hard-cap", "section-end", "end"]


# hi-4, hi-10: what is never packed


def test_top_sections_are_kept_apart_when_the_whole_document_does_not_fit() -> None:
    chunks = chunk(f"before\n\n# A\n\nw\n\n# B\n\n{words(9)}\n", hard_cap=12)

    assert [(c.text.split()[0], c.breadcrumb[1:]) for c in chunks] == [("before", ()), ("#", ("A",)), ("#", ("B",))]
    assert rules(chunks) == ["section-end", "section-end", "end"]
    assert chunks[1].ended_by.detail == (
        "'A' ends here with 3 tokens; the document has 15, more than hardCap (12), so what follows does not join it"
    )


def test_siblings_of_different_parents_are_not_packed_together() -> None:
    text = f"# A\n\n## B\n\n{words(9)}\n\n### C\n\nw\n\n## D\n\nw\n"

    chunks = chunk(text, hard_cap=11)

    assert ("doc.md", "A", "D") in [c.breadcrumb for c in chunks]


def test_a_heading_without_text_is_carried_into_its_child() -> None:
    chunks = chunk(f"# A\n\n## B\n\n{words(6)}\n\n## C\n\n{words(6)}\n", hard_cap=10)

    assert [(c.text.split("\n")[0], c.breadcrumb[1:]) for c in chunks] == [("# A", ("A", "B")), ("## C", ("A", "C"))]


def test_an_empty_section_that_fits_nowhere_before_is_carried_into_the_next_section() -> None:
    chunks = chunk(f"# A\n\n{words(9)}\n\n## Empty\n\n# B\n\n{words(5)}\n", hard_cap=11)

    assert [c.text.split("\n")[0] for c in chunks] == ["# A", "## Empty"]
    assert chunks[1].breadcrumb == ("doc.md",)


def test_a_heading_that_ends_the_document_joins_the_chunk_before_it() -> None:
    chunks = chunk(f"# A\n\n{words(9)}\n\n# B\n\n{words(5)}\n\n# Last\n", hard_cap=12)

    assert [(c.tokens, c.breadcrumb) for c in chunks] == [(11, ("doc.md", "A")), (9, ("doc.md",))]
    assert chunks[1].text.endswith("# Last")


def test_a_heading_that_ends_the_document_behind_a_full_chunk_takes_its_last_block() -> None:
    chunks = chunk(f"# A\n\n{words(5)}\n\n{words(5, 'last')}\n\n## Last\n", hard_cap=12)

    assert [c.text.split() for c in chunks] == [
        ["#", "A", "w", "w", "w", "w", "w"],
        ["last", "last", "last", "last", "last", "##", "Last"],
    ]


def test_a_heading_that_ends_the_document_behind_one_full_block_stays_alone_and_says_so() -> None:
    chunks = chunk(f"# A\n\n{words(10)}\n\n## Last\n", hard_cap=12)

    assert [c.text for c in chunks][1:] == ["## Last"]
    assert chunks[1].flag("undersized") is not None


def test_a_document_of_headings_only_is_packed_in_full_chunks() -> None:
    chunks = chunk("# A\n# B\n# C\n# D\n# E\n", hard_cap=4)

    assert [c.text for c in chunks] == ["# A\n# B", "# C\n# D", "# E"]


# hi-5: leaves


def test_a_leaf_between_target_and_hard_cap_stays_whole() -> None:
    chunks = chunk(f"# A\n\n{words(4)}. {words(4)}.\n\n## B\n\n{words(4)}\n", hard_cap=10, target=4)

    assert [c.tokens for c in chunks] == [10, 6]


def test_pieces_of_a_leaf_over_the_hard_cap_are_packed_with_what_comes_before() -> None:
    sentences = "One two three four. Five six seven eight. Nine ten eleven twelve."

    chunks = chunk(f"# A\n\nw\n\n{sentences}\n", hard_cap=10, target=5)

    assert [c.text for c in chunks] == [
        "# A\n\nw\n\nOne two three four.",
        "Five six seven eight. Nine ten eleven twelve.",
    ]
    assert rules(chunks) == ["leaf-split", "end"]
    assert chunks[0].ended_by.settings == ("target", "hard_cap")


def test_code_over_the_hard_cap_is_reopened_with_its_own_fence() -> None:
    lines = "\n".join(f"    line {n}" for n in range(6))

    chunks = chunk(f"# A\n\n~~~~py\n{lines}\n~~~~\n", hard_cap=10, target=6)

    assert len(chunks) > 1
    assert all(c.closing == "~~~~" or c.text.endswith("~~~~") for c in chunks)
    assert all(c.context == "~~~~py\n" for c in chunks[1:])
    assert chunks[1].kept_text.startswith("    line")


def test_a_table_over_the_hard_cap_repeats_its_header() -> None:
    rows = "\n".join(f"| r{n} | x |" for n in range(8))

    chunks = chunk(f"# A\n\n| h | k |\n|---|---|\n{rows}\n", hard_cap=20, target=16)

    assert len(chunks) > 1
    assert all(c.context == "| h | k |\n|---|---|\n" for c in chunks[1:])
    assert "".join(c.kept_text for c in chunks).count("| h |") == 1


# hi-6, hi-9: rendered text


def test_the_breadcrumb_is_one_line_and_a_blank_line_in_the_documents_line_ending() -> None:
    chunks = chunk(f"# A\r\n\r\n{words(9)}\r\n\r\n## *B*  {{#id}}\r\n\r\n{words(9)}\r\n", hard_cap=18, embed=True)

    assert [c.context for c in chunks] == ["doc.md > A\r\n\r\n", "doc.md > A > B\r\n\r\n"]
    assert [c.tokens for c in chunks] == [14, 17]


def test_the_breadcrumb_counts_against_the_hard_cap() -> None:
    text = f"# A\n\n{words(3)}\n\n## B\n\n{words(3)}\n"

    assert [c.tokens for c in chunk(text, hard_cap=11, embed=True)] == [11]
    assert len(chunk(text, hard_cap=10, embed=True)) == 2


def test_a_breadcrumb_over_half_the_hard_cap_is_shortened_from_the_left_and_flagged() -> None:
    text = f"# A long heading\n\n{words(9)}\n\n## Another one\n\n{words(4)}\n"

    last = chunk(text, hard_cap=14, embed=True)[-1]

    assert last.context == "... > Another one\n\n"
    assert last.breadcrumb == ("doc.md", "A long heading", "Another one")
    flag = last.flag("context-shortened")
    assert flag is not None
    assert flag.detail == "the breadcrumb has 8 tokens, more than half of hardCap (14), so only its end is kept"


def test_a_heading_over_the_hard_cap_is_cut_and_its_breadcrumb_keeps_its_end() -> None:
    chunks = chunk(f"# {words(40)} end\n\ntext\n", hard_cap=20, embed=True)

    assert all(c.tokens <= 20 for c in chunks)
    assert all(c.context.startswith("...") and c.context.endswith("end\n\n") for c in chunks)
    assert " ".join(c.kept_text for c in chunks).split().count("w") == 40


def test_one_cluster_over_the_hard_cap_goes_alone_and_says_so() -> None:
    document = parse("👩‍👩‍👧‍👦 a\n", name="family.md")
    result = run(document, Config(Hierarchical(target=2, hard_cap=2)))

    flagged = [c for c in result.chunks if c.flag("unsplittable")]
    assert [c.kept_text for c in flagged] == ["👩‍👩‍👧‍👦"]
    assert [c.kept_text for c in result.chunks if c not in flagged] == ["a"]


# Edges


def test_front_matter_is_a_skip_and_blank_edges_are_holes() -> None:
    result = run(parse("---\nt: x\n---\n\n\n# A\n\ntext\n\n", name="doc.md"), Config(Hierarchical()))

    assert [s.because.rule for s in result.skips] == ["front-matter"]
    assert [h.because.rule for h in result.chunks[0].holes] == ["blank"]
    assert result.chunks[0].kept_text == "# A\n\ntext"


def test_empty_gives_nothing_blank_gives_a_skip_and_one_heading_one_chunk() -> None:
    def parts(text: str) -> Run:
        return run(parse(text, name="doc.md"), Config(Hierarchical()))

    assert parts("").parts == ()
    assert parts(" \n\n").chunks == ()
    assert [skip.because.rule for skip in parts(" \n\n").skips] == ["blank"]
    assert [c.text for c in parts("# Only a title\n").chunks] == ["doc.md\n\n# Only a title"]


def test_chunks_are_numbered_and_know_their_sections_anchor() -> None:
    chunks = chunk(f"# A\n\n{words(9)}\n\n## B it {{#given}}\n\n{words(9)}\n", hard_cap=14)

    assert [dict(c.metadata) for c in chunks] == [
        {"chunk_index": 0, "anchor": "a"},
        {"chunk_index": 1, "anchor": "given"},
    ]


def test_a_target_above_the_hard_cap_is_refused_with_the_way_out() -> None:
    with pytest.raises(SettingError) as refused:
        Hierarchical(target=600, hard_cap=512)

    assert str(refused.value) == "target: 600 is more than hardCap (512); lower target or raise hardCap"


@given(MARKDOWN, st.integers(4, 60), st.booleans())
def test_no_chunk_is_over_the_hard_cap_or_a_heading_alone_before_something_else(
    text: str, cap: int, embed: bool
) -> None:
    strategy = Hierarchical(target=max(1, cap // 2), hard_cap=cap, embed_breadcrumb=embed)
    count = counter("cl100k_base")
    result = run(parse(text, name="doc.md"), Config(strategy))

    for c in result.chunks:
        assert c.tokens == count(c.text)
        assert c.tokens <= cap or c.flag("unsplittable")
