"""The four promises, for every strategy there is, on documents of every kind: a new file is covered
by being there."""

from __future__ import annotations

import re
from operator import attrgetter
from pathlib import Path

import pytest
from contract import SIZES, Variant, assert_promises, chunked, rules_of, scaled, tools_for, variants
from effort import calls
from hostile_demands import SHARED, Case, adversarial, demands_unmet, found_wrong, text_of
from hypothesis import given
from markdown_strategies import MARKDOWN
from shared_material import shared_dir
from usual_and_long import every_second, long

from chunking import strategies
from chunking.config.config import Config
from chunking.config.setting_spec import setting_specs
from chunking.core.chunk import SHARED_RULES
from chunking.document.parser import parse
from chunking.runs import run
from chunking.tokens import counter

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = sorted((ROOT / "sample_docs").glob("**/*.md"))
SMALL = 48
ALL = variants(SMALL)
SMALLEST = list({variant.name: variant for variant in ALL}.values())
"""Each strategy once, with the small limit where it has one: it makes the most chunks of a text."""

HOSTILE = {
    "empty": "",
    "blank": " \n\t\r\n",
    "no-break-spaces": "\u00a0\n\n\u2003\n",
    "one-character": "x",
    "one-heading": "# Only a heading",
    "headings-only": "# A\n## B\n### C\n# D\n",
    "leading-blank": "\n\n   \n# A\n\ntext\n",
    "heading-at-the-end": "# A\n\n" + "word " * 60 + "\n\n## Last\n",
    "unclosed-fence": "# A\n\n```py\n# not\n" + "line of code\n" * 40,
    "fence-in-list": "- item\n\n  ```\n" + "  a = 1\n" * 60 + "  ```\n- next\n",
    "indented-code": "# A\n\n" + "    indented = True\n" * 40,
    "wide-table": "| a | b |\n|---|---|\n" + "| one two three | four |\n" * 40,
    "huge-word": "x" * 3000,
    "huge-heading": "# " + "word " * 400 + "\n\ntext\n",
    "families": "👩‍👩‍👧‍👦" * 60,
    "special-tokens": "<|endoftext|>" * 40,
    "line-separators": "a\u2028# b\x0bc\x0cd\x85e\n\n# f\n",
    "carriage-returns": "# A\r\rtext\r\r## B\r\rmore\r",
    "mixed-line-ends": "# A\r\n\ntext\r\r\n## B\n\rmore\n",
    "null": "# A\x00B\n\nte\x00xt\n",
    "front-matter": "---\ntitle: x\nmodule: y\n---\n\n# A\n\ntext\n",
    "front-matter-only": "---\ntitle: x\n---\n",
    "repeats": "# Same\n\nthe same text\n\n" * 6,
    "skipped-levels": "#### D\n\nx\n\n# A\n\n###### F\n\ny\n\n## B\n\nz\n",
    "empty-headings": "#\n\n##\n\ntext\n\n# #\n",
    "setext": "Title\n===\n\ntext\n\nTwo\nlines\n---\n\ntext\n",
    "quote": "> # quoted\n>\n" + "> a line of a quote that goes on\n" * 30,
}


def label(variant: Variant) -> str:
    return str(variant)


@pytest.mark.parametrize("variant", ALL, ids=label)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
def test_the_promises_hold_on_hostile_texts(variant: Variant, text: str) -> None:
    chunked(parse(text, name="docs/hostile.md"), variant.config)


@pytest.mark.parametrize("variant", ALL, ids=label)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_promises_hold_on_the_sample_documents(variant: Variant, path: Path) -> None:
    text = path.read_bytes().decode("utf-8")

    assert chunked(parse(text, name=path.name), variant.config).chunks


@pytest.mark.parametrize("variant", ALL, ids=label)
@given(text=MARKDOWN)
def test_the_promises_hold_on_random_markdown(variant: Variant, text: str) -> None:
    chunked(parse(text, name="random.md"), variant.config)


@pytest.mark.parametrize("variant", ALL, ids=label)
def test_every_rule_that_is_named_is_explained(variant: Variant) -> None:
    cutting = variant.config.strategy
    known = {*SHARED_RULES, *cutting.rules}
    while cutting.describes:
        cutting = getattr(cutting, cutting.describes)
        known |= set(cutting.rules)

    for text in HOSTILE.values():
        assert set(rules_of(run(parse(text), variant.config, tools_for(variant.config)))) <= known


@pytest.mark.parametrize("variant", ALL, ids=label)
def test_a_config_survives_yaml_and_url(variant: Variant) -> None:
    config = variant.config

    assert Config.from_yaml(config.to_yaml()) == config
    assert Config.from_query(config.to_query()) == config


@pytest.mark.parametrize("name", strategies.names())
def test_limits_name_settings_that_hold_their_values(name: str) -> None:
    strategy = strategies.get(name)()
    limits = strategy.limits()
    for value, setting in [
        (limits.minimum, limits.minimum_setting),
        (limits.target, limits.target_setting),
        (limits.maximum, limits.maximum_setting),
    ]:
        assert value is None or setting is None or attrgetter(setting)(strategy) == value


@pytest.mark.parametrize("name", strategies.names())
def test_a_byte_order_mark_or_other_line_ends_move_no_boundary_of_a_counter_blind_to_them(name: str) -> None:
    text = "# A\n\nSome words here.\n\n- one\n- two\n\n## B\n\n```\ncode\n```\n\nMore words.\n" * 6
    config = Config(strategies.get(name)(), "words-1.3")

    def texts(source: str) -> list[str]:
        result = run(parse(source, name="a.md"), config, tools_for(config))
        return [chunk.text.replace("\r\n", "\n").replace("\r", "\n") for chunk in result.chunks]

    if set(SIZES) & {unit.rstrip("s") for unit in units(name)} <= {"character"} and units(name):
        pytest.skip("sizes are in characters, and CR LF are two of them")
    assert texts(text.replace("\n", "\r\n")) == texts(text)


def units(name: str) -> set[str]:
    """The units of a strategy's settings."""
    return {spec.unit for spec in setting_specs(strategies.get(name)) if spec.unit}


# The shared corpus: real documents


def corpus_spread(count: int) -> list[Path]:
    """Every so many files of the corpus, the largest ones left to the benchmarks."""
    found = sorted(path for path in (SHARED / "corpus").glob("*/**/*.md") if path.stat().st_size < 60_000)
    return found[:: max(1, len(found) // count)] if found else []


@pytest.mark.parametrize("path", every_second(corpus_spread(20)), ids=lambda path: path.name)
def test_the_promises_and_the_shared_invariants_hold_on_real_documents(path: Path) -> None:
    try:
        text = path.read_bytes().decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        pytest.skip("rejecting what is not UTF-8 is for loading")
    document = parse(text, name=path.name)
    for variant in ALL:
        config = variant.config
        result = run(document, config, tools_for(config))
        assert_promises(result, counter(config.counter))
        assert found_wrong(result) == [], str(variant)


# The shared adversarial texts: each says what must hold


ADVERSARIAL = adversarial()
BY_ID = {case["id"]: case for case in ADVERSARIAL}
LONG = 20_000
"""Bytes."""


@pytest.mark.parametrize(
    "case", [case if case["bytes"] < LONG else long(case)[0] for case in ADVERSARIAL], ids=lambda case: case["id"]
)
def test_every_strategy_meets_what_an_adversarial_text_demands(case: Case) -> None:
    document = parse(text_of(case), name=f"{case['id']}.md")
    for variant in adversarial_variants(case):
        config = variant.config
        result = run(document, config, tools_for(config))

        assert_promises(result, counter(config.counter))
        assert demands_unmet(case, result, variant) == [], str(variant)


def adversarial_variants(case: Case) -> list[Variant]:
    """Each strategy with the case's limit; with its defaults too, where the text is short."""
    of = variants(SMALL) if case["bytes"] < LONG else SMALLEST
    return [Variant(v.name, v.maximum and case["max_tokens"]) for v in of]


@pytest.mark.parametrize("name", strategies.names())
@pytest.mark.parametrize(
    "case",
    [case for case in ADVERSARIAL if any(clause.startswith("same_as:") for clause in case["must"])],
    ids=lambda case: case["id"],
)
def test_line_ends_and_a_byte_order_mark_change_no_chunk_text(name: str, case: Case) -> None:
    other = BY_ID[next(clause for clause in case["must"] if clause.startswith("same_as:"))[len("same_as:") :]]
    config = Config(strategies.get(name)(), "words-1.3")

    def texts(source: str) -> list[str]:
        result = run(parse(source, name="same.md"), config, tools_for(config))
        return [re.sub(r"\r\n|\r", "\n", chunk.text) for chunk in result.chunks]

    assert texts(text_of(case)) == texts(text_of(other))


LINEAR = [case for case in ADVERSARIAL if "linear" in case["must"] and case["bytes"] < 110_000]
ENOUGH = 3_000
"""Characters of each text that is cut as it is and doubled: enough to see a square, little enough
to be quick."""
FEW = 10_000
"""Calls that say nothing: a text that fits into one chunk needs hardly any, and twice that text
needs a few more."""


@pytest.mark.parametrize("variant", SMALLEST, ids=label)
def test_twice_the_text_is_about_twice_the_work(variant: Variant) -> None:
    shared_dir()
    config = variant.config

    def work(text: str) -> int:
        document = parse(text, name="linear.md")
        return calls(lambda: run(document, config, tools_for(config)))

    work("Once. Twice.\n")  # the first asks for what is then held ready
    for case in LINEAR:
        text = text_of(case)[:ENOUGH]
        assert work(text * 2) < 3 * work(text) + FEW, case["id"]


def test_scaling_keeps_what_is_not_a_size() -> None:
    for variant in ALL:
        if variant.maximum is not None:
            declared = strategies.get(variant.name)
            assert scaled(declared, variant.maximum).limits().maximum == variant.maximum
