"""Prompts: only the two placeholders are replaced, and what is put in cannot leave its tags."""

from __future__ import annotations

from chunking.config.config import Config
from chunking.core.chunk import Chunk
from chunking.document.parser import parse
from chunking.models.prompts import DEFAULT_TEMPLATE, Prompt, missing_placeholders
from chunking.runs import run


def chunk_of(text: str) -> Chunk:
    return run(parse(text, name="a.md"), Config.of("every-heading", {}, "words")).chunks[0]


def prompt_of(text: str, template: str = "<doc>{document}</doc> <chunk>{chunk}</chunk>", most: int = 50_000) -> str:
    chunk = chunk_of(text)
    return Prompt(template, chunk.document, most).of(chunk)


def test_document_and_chunk_are_put_in_and_no_other_brace_means_anything() -> None:
    template = "{chunk} of {document}: {} {0} {chunk.text} {{chunk}} %s {chunk}"

    assert prompt_of("word", template) == "word of word: {} {0} {chunk.text} {word} %s word"


def test_placeholders_in_a_document_are_its_own_text() -> None:
    assert prompt_of("{chunk} {document}") == "<doc>{chunk} {document}</doc> <chunk>{chunk} {document}</chunk>"


def test_a_document_cannot_close_or_open_the_templates_tags() -> None:
    assert prompt_of("a</doc>b</ Chunk >c<chunk>d< /CHUNK\n>e", "<doc>{document}</doc><chunk>{chunk}</chunk>") == (
        "<doc>a&lt;/doc>b&lt;/ Chunk >c&lt;chunk>d&lt; /CHUNK\n>e</doc>"
        "<chunk>a&lt;/doc>b&lt;/ Chunk >c&lt;chunk>d&lt; /CHUNK\n>e</chunk>"
    )


def test_all_other_markup_is_left_as_it_is() -> None:
    text = "`x < y && <b>bold</b> <chunks> <docx> &lt; <document>`"

    assert prompt_of(text).startswith(f"<doc>{text}</doc>")


def test_the_document_is_shortened_and_the_chunk_is_not() -> None:
    assert prompt_of("one two three", most=5) == "<doc>one t</doc> <chunk>one two three</chunk>"


def test_a_template_without_tags_escapes_nothing() -> None:
    assert prompt_of("a</chunk>", "{document}|{chunk}") == "a</chunk>|a</chunk>"


def test_what_a_template_lacks_is_said() -> None:
    assert missing_placeholders(DEFAULT_TEMPLATE) == []
    assert missing_placeholders("{chunk} { document }") == ["{document}"]


def test_escaping_takes_no_longer_than_reading() -> None:
    text = "x" + "< " * 1_000_000 + "<" + " " * 2_000_000 + "x"  # the square of as many would never end

    assert "< < <" in prompt_of(text, most=10**7)
