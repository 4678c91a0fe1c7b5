"""Configs in YAML: what is written, what is read, and in which words the rest is refused."""

from __future__ import annotations

from functools import partial

import pytest
from effort import calls
from refusals import refused_yaml
from sample_strategies import Ruler, Wrapper, ruler

from chunking.config.config import Config, DocumentProof, Proof, read_yaml
from chunking.errors import ConfigError, SettingError, UnknownCounterError, UnknownStrategyError
from chunking.text.decoding import TO_UTF_8

HASH = "sha256:" + "0123456789abcdef" * 4


pytestmark = pytest.mark.usefixtures("samples")


def test_every_setting_is_written_in_camel_case_and_in_the_order_declared() -> None:
    assert Config(Ruler(max_tokens=300, note="no")).to_yaml() == (
        "chunkscope: 1\n"
        "strategy: ruler\n"
        "settings:\n"
        "  maxTokens: 300\n"
        "  minTokens: 10\n"
        "  threshold: 0.75\n"
        "  lookahead: false\n"
        "  tail: skip\n"
        '  separator: "\\n\\n"\n'
        "  labels:\n"
        "  - Module\n"
        "  - Chapter\n"
        '  note: "no"\n'
        "counter: words-1.3\n"
    )


def test_what_is_left_out_is_the_default() -> None:
    assert Config.from_yaml("strategy: ruler") == Config(Ruler(), "words-1.3")


def test_an_empty_settings_line_means_all_defaults() -> None:
    assert Config.from_yaml("chunkscope: 1\nstrategy: ruler\nsettings:\n") == Config(Ruler())


def test_snake_case_is_read_too() -> None:
    assert Config.from_yaml(ruler("max_tokens: 300")) == Config.from_yaml(ruler("maxTokens: 300"))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_bytes_are_read_as_utf_8_or_by_their_mark(encoding: str) -> None:
    text = ruler("separator: '。'").replace("\n", "\r\n")

    assert Config.from_yaml(text.encode(encoding)) == Config(Ruler(separator="。"))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("maxTokens: five hundred", "maxTokens: 'five hundred' is text; it takes a whole number from 1 to 8192"),
        ('maxTokens: "512"', "maxTokens: '512' is text; write plain decimal digits without quotes; "),
        ("maxTokens: 0x200", "maxTokens: '0x200' is text; write plain decimal digits"),
        ("maxTokens: 0100", "maxTokens: '0100' is text; write plain decimal digits"),
        ("maxTokens: 1_000", "maxTokens: '1_000' is text; write plain decimal digits"),
        ("maxTokens: 8:32", "maxTokens: '8:32' is text; write plain decimal digits"),
        ("maxTokens: ５１２", "maxTokens: '[U+FF15][U+FF11][U+FF12]' is text; write plain decimal digits"),
        ("maxTokens: 512.0", "maxTokens: 512.0 has a decimal point; it takes a whole number from 1 to 8192"),
        ("maxTokens: true", "maxTokens: true is true or false, not a number; it takes a whole number"),
        (
            "maxTokens: null",
            "maxTokens: null is not a value (leave the line out for the default); it takes a whole number",
        ),
        ("maxTokens: [512]", "maxTokens: a list stands where one value belongs; it takes a whole number"),
        ("maxTokens: {a: 1}", "maxTokens: a mapping stands where one value belongs; it takes a whole number"),
        ("maxTokens: -1", "maxTokens: -1 is below 1; it takes a whole number from 1 to 8192"),
        ("maxTokens: 9000", "maxTokens: 9000 is above 8192; it takes a whole number from 1 to 8192"),
        ("minTokens: -1", "minTokens: -1 is below 0; it takes a whole number from 0 up"),
        ("minTokens: 1" + "0" * 400, "settings.minTokens: a number of 401 digits (line 4); at most 15 digits are read"),
        ("threshold: .inf", "threshold: '.inf' is text; it takes a number from 0 to 1"),
        ("threshold: 1e999", "settings.threshold: 1e999 is beyond every number (line 4); write a smaller one"),
        ("threshold: 1.5", "threshold: 1.5 is above 1; it takes a number from 0 to 1"),
        ("lookahead: yes", "lookahead: 'yes' is text; it takes true or false"),
        ("lookahead: 1", "lookahead: 1 is a number; it takes true or false"),
        ("tail: drop", "tail: 'drop' is not one of its choices; it takes skip, keep or merge"),
        ("separator: 1.10", "separator: 1.1 is a number; put it in quotes to make it text; it takes text"),
        ("labels: Module", "labels: 'Module' is text; it takes a list of texts"),
        ("labels: [Module, 2]", "labels[1]: 2 is a number; it takes a list of texts"),
        ('separator: "\\ud83d"', "settings.separator: holds half a character (line 4)"),
        ("minTokens: 600", "minTokens: 600 is more than maxTokens (512); lower it"),
        ("maxTokns: 5", "maxTokns: ruler has no such setting; did you mean maxTokens?"),
        ("max_tokns: 5", "max_tokns: ruler has no such setting; did you mean maxTokens?"),
        ("mаxTokens: 5", "m[U+0430]xTokens: ruler has no such setting; did you mean maxTokens?"),
        ("plugins: [evil]", "plugins: ruler has no such setting; it has maxTokens, minTokens, "),
        ("maxTokens: 5\nmax_tokens: 6", "maxTokens: is given twice, as maxTokens and as max_tokens (lines 4 and 5); "),
        ("maxTokens: 5\nmaxTokens: 6", "maxTokens is given twice, on lines 4 and 5; delete one"),
    ],
)
def test_a_wrong_setting_is_refused_with_its_value_its_limit_and_the_way_out(settings: str, message: str) -> None:
    assert refused_yaml(ruler(settings)).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the YAML is empty; write strategy: and a name"),
        ("- a", "the YAML is a list; write strategy: and a name"),
        ("5", "the YAML is 5; write strategy: and a name"),
        ("chunkscope: 1", "strategy is missing; write strategy: and a name"),
        ("chunkscope: 2\nstrategy: ruler", "chunkscope: 2 is a later format than 1, the last known here"),
        ("chunkscope: one\nstrategy: ruler", "chunkscope: 'one' is not a format version; write chunkscope: 1"),
        ("chunkscope: true\nstrategy: ruler", "chunkscope: true is not a format version"),
        ("strategy: ruler\nsetings: {}", "unknown key setings; did you mean settings?"),
        ("strategy: ruler\nmaxTokens: 5", "unknown key maxTokens; settings are indented below settings:"),
        (
            "strategy: ruler\nwidth: 5",
            "unknown key width; a config has chunkscope, strategy, settings, counter, loader, overrides, proof",
        ),
        ("strategy: ruler\nsettings: [a]", "settings: a list is not a mapping; write name: value lines, indented"),
        ("strategy: [a]", "strategy: a list is not a name; there are: "),
        ("strategy: rülér", "strategy: no strategy is named 'r[U+00FC]l[U+00E9]r'; there are: "),
        ("strategy: ruler\ncounter: 5", "counter: 5 is not a name; leave the line out for words-1.3"),
        ("strategy: ruler\ncounter:", "counter: null is not a name; leave the line out for words-1.3"),
        ("strategy: ruler\ncounter: cl100k_bаse", "counter: there is none named 'cl100k_b[U+0430]se'"),
        (
            "a:\n\tb: 1",
            "line 2, column 1: not YAML: found character '\\t' that cannot start any token; indent with spaces",
        ),
        ("a: &b 1", "line 1: anchors (&) are not read"),
        ("a: *b", "line 1: aliases (*) are not read"),
        ("a: 1\n<<: {b: 1}", "line 2: merge keys (<<) are not read"),
        ("a: !!int 1", "line 1: tags (tag:yaml.org,2002:int) are not read"),
        ("!x\na: 1", "line 1: tags (!x) are not read"),
        ("%YAML 1.99999999999\n---\na: 1", "line 1: directives (%) are not read"),
        ("a: 1\n---\nb: 1", "line 2: a second document begins; a config is one document"),
        ("1: a", "line 1: the key 1 is not a word"),
        ("? [a]\n: b", "line 1: a key must be a word, not a list or a mapping"),
        ('a: "\\U99999999"', "not YAML: "),
        ('a: "\\U00110000"', "not YAML: "),
        ("a: \x07", "line 1: [U+0007] cannot stand in YAML as it is"),
        ("a: " + "[" * 60_000, "line 1: nested more than 32 deep"),
        ("a: 1\n" * 20_000, "the YAML has 100000 characters; at most 65536 are read"),
    ],
)
def test_what_is_no_config_is_refused_with_its_line_and_the_way_out(text: str, message: str) -> None:
    assert refused_yaml(text).startswith(message)


def test_an_unknown_strategy_is_refused_with_the_likely_name() -> None:
    with pytest.raises(UnknownStrategyError, match="no strategy named 'rulr'; did you mean 'ruler'"):
        Config.from_yaml("strategy: rulr")


@pytest.mark.parametrize("name", ["gpt99_base", "../../etc/passwd", "n" * 5000])
def test_an_unknown_counter_is_refused_and_never_a_path(name: str) -> None:
    with pytest.raises(UnknownCounterError) as caught:
        Config.from_yaml(f"strategy: ruler\ncounter: {name}")
    assert len(str(caught.value)) < 1000


def test_a_value_is_never_repeated_at_length() -> None:
    assert len(refused_yaml(ruler("maxTokens: " + "x" * 5000))) < 200
    assert len(refused_yaml(ruler("x" * 5000 + ": 1"))) < 300


def test_bytes_that_are_not_utf_8_are_refused_with_the_offset() -> None:
    assert refused_yaml(b"name: Gr\xf6\xdfe") == (
        "the YAML: byte 8 (0xF6) is not UTF-8 (invalid start byte); save the file as UTF-8" + TO_UTF_8
    )


def test_a_wrapped_strategy_nests() -> None:
    config = Config(Wrapper(base=Ruler(max_tokens=300)))

    assert "settings:\n  base:\n    strategy: ruler\n    settings:\n      maxTokens: 300\n" in config.to_yaml()
    assert Config.from_yaml(config.to_yaml()) == config
    assert config.counter == "words-1.3"


@pytest.mark.parametrize(
    ("base", "message"),
    [
        ("ruler", "base: 'ruler' is not a strategy; write strategy: and settings: below it"),
        ("{settings: {}}", "base.strategy: is missing; there are: "),
        ("{strategy: ruler, maxTokens: 5}", "base.maxTokens: only strategy: and settings: belong here"),
        ("{strategy: ruler, settings: {maxTokens: 0}}", "base.maxTokens: 0 is below 1; it takes"),
        (
            "{strategy: ruler, settings: {maxTokns: 1}}",
            "base.maxTokns: ruler has no such setting; did you mean maxTokens?",
        ),
        ("{strategy: ruler, settings: {minTokens: 600}}", "base.minTokens: 600 is more than maxTokens (512); lower it"),
        ("{strategy: ruler, settings: 5}", "base.settings: 5 is not a mapping of settings"),
    ],
)
def test_a_fault_in_a_wrapped_strategy_is_named_by_its_path(base: str, message: str) -> None:
    assert refused_yaml(f"strategy: wrapper\nsettings:\n  base: {base}\n").startswith(message)


def test_strategies_wrap_one_another_only_so_deep() -> None:
    nested = "{strategy: ruler}"
    for _ in range(9):
        nested = f"{{strategy: wrapper, settings: {{base: {nested}}}}}"

    assert "more than 6 strategies wrap one another" in refused_yaml(f"strategy: wrapper\nsettings: {{base: {nested}}}")


def test_a_setting_is_changed_by_value_and_the_rest_stays() -> None:
    config = Config(Wrapper(base=Ruler(max_tokens=300), prefix="p"))

    assert config.with_settings({"base.min_tokens": 5}) == Config(
        Wrapper(base=Ruler(max_tokens=300, min_tokens=5), prefix="p")
    )


def test_a_proof_is_written_and_read_back() -> None:
    proof = Proof("0.3.0", HASH, {"guide.md": DocumentProof(HASH, HASH), "a: b\n#.md": DocumentProof(HASH, HASH, HASH)})
    text = Config(Ruler()).to_yaml(proof)

    assert 'engine: "0.3.0"' in text
    assert read_yaml(text) == (Config(Ruler()), proof)
    assert Config.from_yaml(text) == Config(Ruler())
    assert read_yaml("strategy: ruler") == (Config(Ruler()), None)


@pytest.mark.parametrize(
    ("proof", "message"),
    [
        ("5", "proof: 5 is not a mapping"),
        ("{engine: 0.3, documents: {}}", "proof.engine: 0.3 is not a version in quotes"),
        ("{engine: a, documents: {a.md: {source: x, chunks: y}}}", "proof.documents.a.md.source: 'x' is not sha256:"),
        ("{engine: a, documents: {}, x: 1}", "proof: unknown key x; a proof has engine, counter, documents"),
    ],
)
def test_a_broken_proof_is_refused_by_its_path(proof: str, message: str) -> None:
    assert refused_yaml(f"strategy: ruler\nproof: {proof}").startswith(message)


ODD_NAMES = [
    "docs/a b.md",
    "ü: odd.md",
    'a "b".md',
    "null",
    "1",
    "- x",
    "\u2028.md",
    "😀.md",
    "a\\b.md",
    "no.md:",
    "#.md",
]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_proof_of_thousands_of_documents_is_written_and_read(ending: str) -> None:
    many = {f"{n}.md": DocumentProof(HASH, HASH) for n in range(2_000)}
    many |= {name: DocumentProof(HASH, HASH, HASH, "mammoth 1.2: odd", HASH) for name in ODD_NAMES}
    proof = Proof("0.3.0", HASH, many)

    written = Config(Ruler()).to_yaml(proof).replace("\n", ending)

    assert read_yaml(written) == (Config(Ruler()), proof)
    assert read_yaml(written.rstrip()) == (Config(Ruler()), proof)


def test_a_proof_of_twice_the_documents_is_twice_the_work() -> None:
    proofs = [
        Proof("0.3.0", HASH, {f"{n}.md": DocumentProof(HASH, HASH) for n in range(many)}) for many in (500, 1_000)
    ]
    once, twice = (calls(partial(read_yaml, Config(Ruler()).to_yaml(each))) for each in proofs)

    assert twice < 2.1 * once


@pytest.mark.parametrize(
    "line",
    [
        "  x: y\n",
        "  documents:\n    a.md:\n      source: x\n" + "      a: b\n" * 20,
        "  documents:\n    " + "a" * 200_000,
    ],
)
def test_a_proof_that_is_no_proof_is_one_line_however_long_it_is(line: str) -> None:
    said = refused_yaml("proof:\n" + line * (1_000_000 // len(line)))

    assert "not as `run --proof` writes a proof" in said or "at most 65536 are read" in said


def test_a_proof_reads_the_same_by_lines_and_as_yaml(monkeypatch: pytest.MonkeyPatch) -> None:
    proof = Proof("0.3.0", HASH, {name: DocumentProof(HASH, HASH, loader="a: b") for name in ODD_NAMES})
    written = Config(Ruler()).to_yaml(proof)
    as_yaml = read_yaml(written)

    monkeypatch.setattr("chunking.config.proof_yaml.MAX_CHARACTERS", 0)
    assert read_yaml(written) == as_yaml == (Config(Ruler()), proof)
    assert read_yaml(written + "overrides: {docs/*: {counter: words}}\n")[0].overrides
    assert read_yaml(Config(Ruler()).to_yaml(Proof("0.3.0"))) == (Config(Ruler()), Proof("0.3.0"))


@pytest.mark.parametrize(
    ("line", "instead", "message"),
    [
        ("    a1.md:", "    a0.md:", "is given twice; delete one"),
        ("    a1.md:", "    a1.md: {}", "not as `run --proof` writes a proof"),
        ("    a1.md:", '    "1.md:', "not as `run --proof` writes a proof"),
        ("    a1.md:", "    null:", "not as `run --proof` writes a proof"),
        ("    a1.md:", "    &a a1.md:", "not as `run --proof` writes a proof"),
        ("      source:", "      sauce:", "proof.documents.a0.md: unknown key sauce"),
        ("      source:", "      chunks:", "not as `run --proof` writes a proof"),
        (f"      source: {HASH}", "      source: sha256:x", "proof.documents.a0.md.source: 'sha256:x' is not sha256:"),
        (f"      source: {HASH}", "", "not as `run --proof` writes a proof"),
    ],
)
def test_a_line_of_a_long_proof_that_is_altered_is_refused(line: str, instead: str, message: str) -> None:
    written = Config(Ruler()).to_yaml(Proof("0.3.0", HASH, {f"a{n}.md": DocumentProof(HASH, HASH) for n in range(500)}))

    assert message in refused_yaml(written.replace(line, instead, 1))


def test_a_proof_too_long_to_be_read_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    documents = {f"{n}.md": DocumentProof(HASH, HASH) for n in range(5)}
    monkeypatch.setattr("chunking.config.proof_yaml.MAX_WITH_PROOF", 66_000)

    with pytest.raises(ConfigError, match="at most 464 are read; prove fewer documents"):
        Config(Ruler()).to_yaml(Proof("0.3.0", HASH, documents))


def test_a_config_is_made_of_plain_values() -> None:
    config = Config.of("wrapper", {"base": {"strategy": "ruler", "settings": {"max_tokens": 300, "labels": ["A"]}}})

    assert config == Config(Wrapper(base=Ruler(max_tokens=300, labels=("A",))), "words-1.3")
    with pytest.raises(SettingError, match="maxTokens: 0 is below 1"):
        Config.of("ruler", {"maxTokens": 0})
