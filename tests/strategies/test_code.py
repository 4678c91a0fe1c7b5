"""Code is cut at definitions, then statements, then lines, under the signatures around it."""

from __future__ import annotations

import random

import pytest
from contract import assert_promises, chunked, tools_for
from effort import calls
from explain_claims import ClaimCounts, hold

from chunking import Config, Document, Run, parse, run
from chunking.document.source_files import SOURCE_EXTENSIONS, source_language
from chunking.errors import GrammarError
from chunking.splitting.source_code.grammars import missing_grammar
from chunking.splitting.source_code.syntax import SYNTAXES
from chunking.strategies.code.strategy import Code
from chunking.tokens import counter
from chunking.tuning.space import space_of

pytest.importorskip("tree_sitter_python", reason="the extra code is not installed")

KETTLE = '''"""All about kettles."""
import time

# Degrees.
HOT = 100


class Kettle:
    """Boils water."""

    def __init__(self, volume):
        self.volume = volume

    # Heats the water
    # until it is hot.
    @logged
    def boil(self, target=HOT):
        """Heat it."""
        while self.temperature < target:
            self.heat(1)
            time.sleep(1)
        if target > HOT:
            raise ValueError("too hot")
        else:
            self.whistle()


def small():
    return Kettle(1)
'''


def cut(text: str, name: str, settings: int | Code) -> Run:
    """The run with a maximum or settings, after the promises have been held against it."""
    code = Code(max_tokens=settings) if isinstance(settings, int) else settings
    return chunked(parse(text, name), Config(code, "words"))


def ways(result: Run) -> list[tuple[tuple[str, ...], str]]:
    """The breadcrumb below the document, and the rule, of each chunk."""
    return [(chunk.breadcrumb[1:], chunk.ended_by.rule) for chunk in result.chunks]


def without(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the grammar of a language is not installed."""
    module = "chunking.splitting.source_code.grammars.find_spec"
    monkeypatch.setattr(module, lambda name: None if name.endswith(language) else name)


# --- Python, in full ------------------------------------------------------------------------------


def test_what_fits_is_one_chunk_without_a_context() -> None:
    (chunk,) = cut(KETTLE, "kettle.py", 200).chunks

    assert (chunk.text, chunk.context, chunk.ended_by.rule) == (KETTLE.rstrip(), "", "end")


def test_neighbours_share_a_chunk_and_a_class_that_does_not_fit_is_cut_at_its_methods() -> None:
    result = cut(KETTLE, "kettle.py", 36)

    assert ways(result) == [
        ((), "size-reached"),
        (("Kettle",), "size-reached"),
        (("Kettle", "boil"), "level-end"),
        (("small",), "end"),
    ]
    assert result.chunks[2].text.startswith(
        "class Kettle:\n    # Heats the water\n    # until it is hot.\n    @logged\n"
    )


def test_a_method_that_does_not_fit_is_cut_at_its_statements_under_both_signatures() -> None:
    chunks = cut(KETTLE, "kettle.py", 24).chunks
    inside = [chunk for chunk in chunks if chunk.breadcrumb[1:] == ("Kettle", "boil") and "def boil" in chunk.context]

    assert [chunk.text for chunk in inside] == [
        "class Kettle:\n    def boil(self, target=HOT):\n"
        '        if target > HOT:\n            raise ValueError("too hot")\n        else:\n            self.whistle()'
    ]


def test_without_signatures_no_text_is_repeated() -> None:
    assert {
        chunk.context for chunk in cut(KETTLE, "kettle.py", Code(max_tokens=24, include_signatures=False)).chunks
    } == {""}


def test_a_boundary_says_its_numbers() -> None:
    first = cut(KETTLE, "kettle.py", 36).chunks[0].ended_by

    assert first.detail == "the chunk has 10 tokens, and with 40 more in what follows it would exceed maxTokens (36)"
    assert (first.held, first.next, first.limit, first.settings) == (10, 40, 36, ("max_tokens",))


def test_a_statement_that_does_not_fit_is_cut_at_lines() -> None:
    rows = "".join(f"    {row}, {row}, {row},\n" for row in range(20))
    result = cut(f"TABLE = [\n{rows}]\n", "table.py", 12)

    assert {rule for _, rule in ways(result)} == {"oversized", "end"}
    assert all(chunk.text.count("\n") for chunk in result.chunks)


def test_signatures_take_at_most_half_the_limit_the_outermost_left_out_first() -> None:
    text = "class A:\n  class B:\n    class C:\n      def f(self):\n" + "".join(
        f"        call(1, 2, 3, {number})\n" for number in range(20)
    )
    chunk = cut(text, "deep.py", 13).chunks[-1]

    assert chunk.context == "...\n    class C:\n      def f(self):\n"
    assert chunk.flag("context-shortened")


# --- other languages ------------------------------------------------------------------------------

LANGUAGES = {
    "a.sh": ("boil() {\n  local target=$1\n  while heat; do\n    echo one two three four\n  done\n}\n", "boil"),
    "a.c": ("int boil(int a)\n{\n    int b = a + 1;\n    return heat(a, b, a, b, a, b);\n}\n", "boil"),
    "a.cs": ("class Kettle\n{\n    int a = 1;\n    void Boil() { Heat(1, 2, 3, 4, 5, 6, 7); }\n}\n", "Kettle Boil"),
    "a.cpp": ("class Kettle {\n  int a = 1;\n  void boil() { heat(1, 2, 3, 4, 5, 6, 7, 8, 9); }\n};\n", "Kettle boil"),
    "a.go": ("func Boil(a int) int {\n\tb := a + 1\n\treturn heat(a, b, a, b, a, b, a, b)\n}\n", "Boil"),
    "A.java": ("class Kettle {\n  int a = 1;\n  void boil() { heat(1, 2, 3, 4, 5, 6, 7, 8, 9); }\n}\n", "Kettle boil"),
    "a.js": ("const boil = (a) => {\n  const b = a + 1;\n  return heat(a, b, a, b, a, b, a);\n};\n", "boil"),
    "a.php": ("<?php\nfunction boil($a) {\n  $b = $a + 1;\n  return heat($a, $b, $a, $b, $a);\n}\n", "boil"),
    "a.py": ("def boil(a):\n    b = a + 1\n    return heat(a, b, a, b, a, b, a, b, a, b, a)\n", "boil"),
    "a.rb": (
        "class Kettle\n  def boil(a)\n    b = a + 1\n    heat(a, b, a, b, a, b, a, b)\n  end\nend\n",
        "Kettle boil",
    ),
    "a.rs": (
        "impl Kettle {\n  fn boil(&self) { heat(1, 2, 3); }\n  fn cool(&self) { heat(4, 5, 6, 7); }\n}\n",
        "impl Kettle cool",
    ),
    "a.tsx": ("function Boil() {\n  const b = 1;\n  return <p title='x'>one two three four five six</p>;\n}\n", "Boil"),
    "a.ts": (
        "namespace Kitchen {\n  type A = 1;\n  export class Kettle { a = 1; b = 2; c = 3; d = 4; }\n}\n",
        "Kitchen Kettle",
    ),
}


@pytest.mark.parametrize("name", LANGUAGES)
def test_each_language_is_cut_at_its_statements_under_the_names_of_its_definitions(name: str) -> None:
    text, names = LANGUAGES[name]
    chunks = cut(text, name, 12).chunks

    assert " ".join(chunks[-1].breadcrumb[1:]) == names
    assert chunks[-1].context
    assert text.splitlines(keepends=True)[chunks[-1].start_line - 2].strip()
    assert chunks[-1].metadata["language"] == source_language(name, text)


def test_every_language_has_a_grammar_and_an_example() -> None:
    assert {source_language(name, "") for name in LANGUAGES} == set(SYNTAXES)
    assert {source_language(f"a{extension}", "") for extension in SOURCE_EXTENSIONS} == set(SYNTAXES)


# --- Markdown -------------------------------------------------------------------------------------

FENCED = f"# Kettles\n\nBefore the code.\n\n```python\n{KETTLE}```\n\nAfter it.\n"


def test_a_fence_is_cut_as_its_language_is_and_closed_and_opened_again() -> None:
    chunks = cut(FENCED, "a.md", 40).chunks
    inside = [chunk for chunk in chunks if chunk.metadata["language"] == "python"]

    assert {chunk.breadcrumb[1:] for chunk in inside} == {("Kettles",)}
    assert inside[2].context == "```python\nclass Kettle:\n"
    assert inside[2].closing == "\n```"
    assert chunks[-1].text == "After it."


def test_a_heading_stays_with_the_first_piece_of_what_is_under_it() -> None:
    first = cut("# Title\n\n" + "- one two three four\n" * 20, "a.md", 20).chunks[0]

    assert first.text.startswith("# Title\n\n- one")


def test_without_a_grammar_a_fence_over_the_limit_is_one_line_that_names_the_package(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without("python", monkeypatch)

    assert len(cut(FENCED, "a.md", 200).chunks) == 1
    with pytest.raises(GrammarError) as error:
        cut(FENCED, "a.md", 50)

    assert str(error.value) == (
        "a.md, line 5: tree-sitter-python is not installed; pip install 'chunkscope[code]', or choose another strategy"
    )


def test_without_a_grammar_a_source_file_is_one_line_that_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "chunking.splitting.source_code.grammars.find_spec", lambda name: None if "go" in name else name
    )

    with pytest.raises(GrammarError) as error:
        cut("package a\n", "a.go", 50)

    assert str(error.value) == (
        "a.go: tree-sitter-go is not installed; pip install 'chunkscope[code]', or choose another strategy"
    )
    assert missing_grammar("python") == ""


def test_the_language_that_is_set_comes_before_the_name() -> None:
    result = cut(KETTLE, "pasted.md", Code(max_tokens=40, language="python"))

    assert ways(result) == ways(cut(KETTLE, "kettle.py", 40))


# --- hostile --------------------------------------------------------------------------------------

HOSTILE = {
    "empty.py": "",
    "blank.py": " \t\r\n\n",
    "bom.py": "\ufeff" + KETTLE,
    "parentheses.py": "x = " + "(" * 10_000 + "1" + ")" * 10_000,
    "braces.js": "{a;" * 3_000 + "}" * 3_000,
    "functions.js": "function f(){a();" * 300 + "}" * 300,
    "unclosed.py": '"""' + KETTLE * 5,
    "errors.py": "def f(:\n  x = (\nclass A\n    def g(self)\n        return 1\n\n" * 40,
    "other-language.rs": KETTLE * 3,
    "nul.py": KETTLE.replace("volume", "vol\0ume") * 2,
    "joiners.js": ";\u0301".join(["a"] * 200) + ";\u200d" * 50,
    "emoji.py": KETTLE.replace("water", "👩‍👩‍👧‍👦 ü") * 2,
    "surrogates.py": KETTLE.replace("water", "\ud800\udc00\udfff"),
    "tabs.go": "func f() {\n\tif a {\n\t\tb()\n\t}\n}\n\n" * 30,
    "one-word.py": "x" * 3_000,
    "mixed-ends.py": KETTLE.replace("\n", "\r", 7).replace("\n", "\r\n", 7),
    "back\\slash.sh": "echo a \\\r\n  b \\\n  c\r\n" * 40,
    "fence.js": "```\nfunction f() { return `\n```\n`; }\n" * 20,
    "minified.js": "function f(a){var c=a+b;if(c>3){return g(c,{x:1,y:[1,2]})}else{h(c)}return c}" * 40,
}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("maximum", [1, 30])
def test_the_promises_hold_on_hostile_code(name: str, maximum: int) -> None:
    config = Config(Code(max_tokens=maximum))
    result = run(parse(HOSTILE[name][: 500 * maximum], name), config, tools_for(config))

    assert_promises(result, counter(config.counter))


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_line_endings_move_no_boundary(ending: str) -> None:
    def texts(source: str) -> list[str]:
        return [chunk.text.replace(ending, "\n") for chunk in cut(source, "kettle.py", 24).chunks]

    assert texts(KETTLE.replace("\n", ending)) == texts(KETTLE)


@pytest.mark.parametrize("name", ["functions.js", "errors.py", "minified.js", "braces.js", "tabs.go", "emoji.py"])
def test_twice_the_code_is_about_twice_the_work(name: str) -> None:
    def work(text: str) -> int:
        document, config = parse(text, name), Config(Code(max_tokens=30))
        return calls(lambda: run(document, config))

    text = HOSTILE[name][:2_000]
    work(text[:100])
    assert work(text * 2) < 3 * work(text) + 10_000


def test_a_threshold_that_moves_does_not_parse_again(monkeypatch: pytest.MonkeyPatch) -> None:
    document = parse(KETTLE, "once.py")
    run(document, Config(Code(max_tokens=40)))
    monkeypatch.setattr("chunking.splitting.source_code.structure.syntax_tree", None)

    assert len(run(document, Config(Code(max_tokens=24))).chunks) > 3


# --- explaining and tuning ------------------------------------------------------------------------


def test_the_language_is_no_setting_to_try_other_values_of() -> None:
    (options,) = space_of(["code"]).options

    assert [axis.setting for axis in options.axes] == ["maxTokens", "includeSignatures"]


@pytest.mark.parametrize("document", [parse(KETTLE, "kettle.py"), parse(FENCED, "kettle.md")], ids=["source", "fence"])
def test_what_is_said_of_the_ranges_of_the_limit_is_true(document: Document) -> None:
    tally, rng = ClaimCounts(), random.Random(1)
    config = Config(Code(max_tokens=40))
    for chunk in run(document, config).chunks[1:5]:
        hold(document, config, chunk.body.end, rng, tally)

    assert tally.messages == []
    assert tally.claims > 20
    assert tally.exact == tally.answers
