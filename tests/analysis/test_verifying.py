"""Verifying finds each broken promise: strategies of the test's own break them one at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

import pytest

from chunking.analysis.invariants import broken_promises
from chunking.config.config import Config, DocumentProof, Proof
from chunking.config.proof import differences, document_proof, names_in_proof, notes, table_hash
from chunking.config.validation import make_strategy
from chunking.config.values import Value
from chunking.core.chunk import Boundary, Part, Skip
from chunking.core.context import SplitContext
from chunking.core.strategy import Limits, Strategy, setting
from chunking.document import Document, Span
from chunking.document.parser import parse
from chunking.strategies import get

TEXT = "one two\r\nthree four\n"


class Breaking(Strategy):
    """One chunk of the whole document, with one thing wrong about it."""

    name: ClassVar[str] = "test-breaking"
    title: ClassVar[str] = "Breaking"
    summary: ClassVar[str] = "For tests."

    wrong: str = setting("", title="Wrong", help="What to do wrong.")
    most: int = setting(100, title="Most", help="The limit.")

    def limits(self) -> Limits:
        return Limits(maximum=self.most, maximum_setting="most")

    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        end, reason = len(document.text), Boundary("end", "the document ends here")
        crumb = ("elsewhere.md",) if self.wrong == "breadcrumb" else (document.base_name,)
        if self.wrong == "gap":
            yield tools.seal(document, Span(3, end), reason, breadcrumb=crumb)
            return
        if self.wrong == "line end":
            yield tools.seal(document, Span(0, 8), reason, breadcrumb=crumb)
            yield tools.seal(document, Span(8, end), reason, breadcrumb=crumb)
            return
        holes = (Skip(Span(5, end + 1), reason),) if self.wrong == "hole" else ()
        chunk = tools.seal(document, Span(0, end), reason, breadcrumb=crumb, holes=holes)
        yield replace(chunk, tokens=99) if self.wrong == "count" else chunk


def problems(wrong: str, most: int = 100) -> list[str]:
    _, found = broken_promises(parse(TEXT, name="t.md"), Config(Breaking(wrong=wrong, most=most), "words"))
    return found


def test_a_run_that_keeps_every_promise_has_no_problems() -> None:
    assert problems("") == []


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("count", ["chunk 0: says 99 tokens and has 4"]),
        ("breadcrumb", ["chunk 0: its breadcrumb does not begin with t.md"]),
        ("hole", ["chunk 0: its hole 5 to 21 is not inside the body, in order"]),
        ("line end", ["chunk 0: it ends between the CR and the LF of a line end"]),
        ("gap", ["test-breaking left t.md untiled at 0: its next part is 3 to 20"]),
    ],
)
def test_each_broken_promise_is_said_with_its_numbers(wrong: str, said: list[str]) -> None:
    assert problems(wrong) == said


def test_a_chunk_over_its_limit_without_a_flag_is_said() -> None:
    assert problems("", most=3) == ["chunk 0: 4 tokens are over most 3, and no flag says why"]


class BreakingInCharacters(Breaking):
    """The same with a limit in characters."""

    name: ClassVar[str] = "test-breaking-characters"

    def limits(self) -> Limits:
        return Limits(maximum_characters=self.most, maximum_characters_setting="most")


@pytest.mark.parametrize(("most", "said"), [(20, []), (19, ["20 characters are over most 19, and no flag says why"])])
def test_a_limit_in_characters_is_held_against_the_whole_text(most: int, said: list[str]) -> None:
    text = TEXT[:20]

    _, found = broken_promises(parse(text, name="t.md"), Config(BreakingInCharacters(most=most), "words"))

    assert found == [f"chunk 0: {each}" for each in said]


@pytest.mark.parametrize("name", ["fixed", "recursive"])
@pytest.mark.parametrize("unit", ["characters", "tokens"])
def test_windows_promise_their_size_in_its_unit_also_where_they_are_described(name: str, unit: str) -> None:
    settings: dict[str, Value] = {"chunk_size": 40, "chunk_overlap": 4, "unit": unit}
    plain = make_strategy(name, settings).limits()
    described = make_strategy("contextual", {"base": {"strategy": name, "settings": settings}}).limits()

    assert (plain.maximum, plain.maximum_characters) == ((None, 40) if unit == "characters" else (40, None))
    assert (described.maximum, described.maximum_characters) == (plain.maximum, plain.maximum_characters)


def test_equal_texts_have_different_ids_even_when_different_blanks_follow_them() -> None:
    document = parse("# A\n\n## B\n\nx\n\n# A\n\n## B\n\nx\n", name="t.md")
    run, found = broken_promises(document, Config(get("every-heading")(), "words"))

    assert found == []
    assert run is not None
    assert [chunk.ordinal for chunk in run.chunks] == [0, 0, 1, 1]


# ---- the proof ----

PROOF = Proof(engine="1", counter="", documents={"a.md": document_proof(b"a", "0" * 64)})


def test_the_same_proof_has_no_differences_even_from_another_version() -> None:
    assert list(differences(PROOF, replace(PROOF, engine="2"))) == []


def test_a_changed_file_is_said_and_its_chunks_are_not() -> None:
    found = replace(PROOF, documents={"a.md": document_proof(b"b", "1" * 64)})

    assert list(differences(PROOF, found)) == ["a.md: the file changed (ca978112ca1b in the proof, 3e23e8160039 here)"]


def test_other_chunks_of_the_same_file_are_said_with_the_version_that_made_the_proof() -> None:
    found = Proof(engine="2", counter="", documents={"a.md": document_proof(b"a", "1" * 64)})

    assert list(differences(PROOF, found)) == [
        "a.md: the chunks differ (000000000000 in the proof, 111111111111 here; the proof is of version 1)"
    ]


def test_a_document_of_the_proof_that_was_not_given_is_said() -> None:
    nothing: dict[str, DocumentProof] = {}

    assert list(differences(PROOF, replace(PROOF, documents=nothing))) == [
        "a.md: is in the proof and not among the documents; give its path too"
    ]


def test_a_document_that_the_proof_does_not_know_is_said() -> None:
    more = {**PROOF.documents, "b.md": document_proof(b"b", "1" * 64)}

    assert list(differences(PROOF, replace(PROOF, documents=more))) == [
        "b.md: is not in the proof, so nothing is known of its chunks; prove it with `run --proof`"
    ]


def test_hashes_that_differ_late_are_shown_as_far_as_they_differ() -> None:
    late = "0" * 40 + "7" + "0" * 23

    (said,) = differences(PROOF, replace(PROOF, documents={"a.md": document_proof(b"a", late)}))

    assert f"({'0' * 41} in the proof, {'0' * 40}7 here" in said


def test_another_text_of_the_same_file_is_said_with_both_converters_and_its_chunks_are_not() -> None:
    def converted(loader: str, text: str, fingerprint: str) -> Proof:
        made = DocumentProof("sha256:a", f"sha256:{fingerprint}", loader=loader, text=text)
        return Proof(engine="1", documents={"a.pdf": made})

    before = converted("reader 1.0", "sha256:x", "0" * 64)
    other, same = converted("reader 2.0", "sha256:y", "1" * 64), converted("reader 2.0", "sha256:x", "0" * 64)
    again = converted("reader 1.0", "sha256:y", "1" * 64)

    assert list(differences(before, other)) == [
        "a.pdf: converts to another text than in the proof: by reader 1.0 there, by reader 2.0 here; "
        "install that one, or prove it anew"
    ]
    assert list(differences(before, again)) == [
        "a.pdf: converts to another text than in the proof, by reader 1.0 in both; prove it anew"
    ]
    assert list(differences(before, same)) == []
    assert list(notes(before, same)) == ["a.pdf: converted by reader 2.0, in the proof by reader 1.0: the same text"]
    assert list(notes(before, other)) == list(notes(before, before)) == []


def test_a_proof_of_the_format_before_is_said_in_one_line_where_it_differs() -> None:
    old = replace(
        PROOF, format=1, documents={name: document_proof(b"a", "0" * 64) for name in ("a.md", "b.md", "c.md")}
    )
    here = {
        "a.md": document_proof(b"a", "1" * 64),
        "b.md": document_proof(b"a", "2" * 64),
        "c.md": old.documents["c.md"],
    }

    (said,) = differences(old, replace(old, documents=here, format=2))

    assert said.startswith("the proof is of an earlier format, whose hashes held the wording of every reason too")
    assert "2 of 3 documents" in said


def test_documents_are_found_by_their_bytes_and_then_by_their_name() -> None:
    def named(**documents: str) -> Proof:
        return replace(PROOF, documents={name: DocumentProof(source, "") for name, source in documents.items()})

    # same name and bytes; moved; changed; unknown
    found = [("a", "1"), ("new", "2"), ("c", "9"), ("d", "8")]
    assert names_in_proof(named(a="1", b="2", c="3"), found) == ["a", "b", "c", None]
    # equal files: each entry once, the same name first
    assert names_in_proof(named(a="1", b="1"), [("x", "1"), ("a", "1"), ("y", "1")]) == ["b", "a", None]
    # another file has taken the name: the bytes decide
    assert names_in_proof(named(a="1"), [("a", "9"), ("b", "1")]) == [None, "a"]


def test_the_table_of_a_counter_is_hashed_unpacked_and_a_counter_without_one_has_none() -> None:
    # The hash that tiktoken itself publishes for cl100k_base.
    expected = "sha256:223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"

    assert table_hash("cl100k_base") == expected
    assert table_hash("words") == ""
