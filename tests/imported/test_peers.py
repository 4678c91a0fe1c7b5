"""Splitters of other packages as strategies: placed, audited, replayed with their version, and said
to be missing where they are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from sample_peers import AbsentPeer, FakePeer, asked, offered

from chunking import Config, cli, parse, run, strategies
from chunking.config.setting_spec import setting_specs
from chunking.errors import GoldError, SettingError, UnknownStrategyError
from chunking.imported.foreign import audit_of
from chunking.imported.parts import RULES
from chunking.imported.peer import Peer
from chunking.imported.peers import PEERS

TEXT = "# Tea\n\nBoil the water now. Warm the pot. Wait a while, then pour it out.\n\n# Milk\n\nCold milk.\n"
TEA = parse(TEXT, name="tea.md")
SAMPLES = Path(__file__).parents[2] / "sample_docs"
HOSTILE = {
    "empty": "",
    "blank": " \n\n\t\n",
    "one letter": "x",
    "nul": "a\0b c\0d",
    "emoji": "🫖 👨\u200d👩\u200d👧 tea. " * 40,
    "line ends": "# A\r\n\r\none two\r\n\rthree\n\u2028four\x0c five\r\n" * 20,
    "no spaces": "x" * 5000,
    "chinese": "\u8336\u3002\u6c34\u3092\u6cb8\u304b\u3059\u3002" * 200,
    "special": "<|endoftext|> said <|im_start|>\n" * 30,
    "front matter": "---\ntitle: x\n---\n\n# A\n\nOne two three.\n",
    "repeated": "same words here.\n\n" * 60,
    "open fence": "```\ncode without an end\n" * 20,
}


@pytest.fixture(autouse=True)
def _offered() -> Iterator[None]:
    with offered():
        yield


def test_what_the_package_makes_is_placed_and_its_reasons_are_said_to_be_unknown() -> None:
    made = run(TEA, Config.of("peer:fake", {"chunkSize": 4}, "words"))

    assert [chunk.kept_text for chunk in made.chunks][:3] == [
        "# Tea\n\nBoil the",
        "water now. Warm the",
        "pot. Wait a while,",
    ]
    assert "".join(TEXT[part.body.start : part.body.end] for part in made.parts) == TEXT
    assert {chunk.ended_by.rule for chunk in made.chunks} <= {*RULES, "end"}
    assert all("not known" in chunk.ended_by.detail or chunk.ended_by.rule == "end" for chunk in made.chunks)
    assert made.config.strategy.limits().target == 4
    assert made.config.strategy.limits().maximum is None  # nothing is promised for another package
    assert not made.warnings


def test_tokens_are_those_that_the_config_counts() -> None:
    by_words, by_characters = (
        run(TEA, Config.of("peer:fake", {"chunkSize": 9}, name)) for name in ("words", "chars-4")
    )

    assert len(by_words.chunks) < len(by_characters.chunks) or by_words.chunks[0].text != by_characters.chunks[0].text
    found = audit_of(by_characters.config.strategy, TEA, by_characters.config.counter)
    assert found is not None
    assert len(found.rows) == len(by_characters.chunks)


def test_a_document_is_split_once_for_its_settings() -> None:
    config = Config.of("peer:fake", {"chunkSize": 5}, "words")
    document = parse(TEXT + "once more\n", name="tea.md")
    for _ in range(3):
        run(document, config)
        audit_of(config.strategy, document, config.counter)
    assert len(asked) == 1
    run(document, Config.of("peer:fake", {"chunkSize": 6}, "words"))
    assert len(asked) == 2


def test_what_the_package_raises_is_one_line() -> None:
    with pytest.raises(GoldError, match=r"pytest [\d.]+: RuntimeError: does not split this") as raised:
        run(parse("please-raise\n", name="a.md"), Config.of("peer:fake", {}))
    assert "\n" not in str(raised.value)


def test_a_package_that_is_missing_is_named_with_the_command_that_installs_it() -> None:
    config = Config.of("peer:absent", {})

    assert AbsentPeer.missing() == "a-package-that-nobody-has is not installed; pip install 'chunkscope[peers]'"
    with pytest.raises(GoldError, match=r"peer:absent: a-package-that-nobody-has is not installed; pip install"):
        run(TEA, config)
    assert Config.from_yaml(config.to_yaml()) == config


def test_the_yaml_names_the_version_and_replays_exactly() -> None:
    config = Config.of("peer:fake", {"chunkSize": 5})
    yaml = config.to_yaml()

    assert f"version: {FakePeer().version}" in yaml.replace('"', "")
    assert Config.from_yaml(yaml) == config
    assert Config.from_query(config.to_query()) == config
    assert run(TEA, Config.from_yaml(yaml)).fingerprint == run(TEA, config).fingerprint


def test_another_version_than_the_configs_is_warned_of_and_verify_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tea.md").write_text(TEXT, encoding="utf-8")
    here = Config.of("peer:fake", {}, "words")
    Path("here.yaml").write_text(here.to_yaml(), encoding="utf-8")
    Path("old.yaml").write_text(here.to_yaml().replace(FakePeer().version, "1.0.2"), encoding="utf-8")
    said = f"the config was made with pytest 1.0.2, and {FakePeer().version} is installed; its cuts may differ"

    assert any(said in warning for warning in run(TEA, Config.of("peer:fake", {"version": "1.0.2"})).warnings)
    assert cli.main(["verify", "here.yaml", "tea.md"]) == 0
    assert cli.main(["verify", "old.yaml", "tea.md"]) == 1
    assert f"peer:fake: {said}" in capfd.readouterr().out


def test_another_version_is_found_in_what_is_wrapped_and_in_overrides_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tea.md").write_text(TEXT, encoding="utf-8")
    old = "{strategy: peer:fake, settings: {version: 1.0.2}}"
    wrapped = f"strategy: small-to-big\nsettings: {{small: {old}, big: {{strategy: every-heading}}}}\n"
    over = f"strategy: fixed\noverrides:\n  api/**: {old}\n"
    for yaml in (wrapped, over):
        Path("old.yaml").write_text(yaml, encoding="utf-8")
        assert cli.main(["verify", "old.yaml", "tea.md"]) == 1
        assert capfd.readouterr().out.count("the config was made with pytest 1.0.2") == 1


def test_a_peer_is_measured_by_questions_as_any_config(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    Path("docs/tea.md").write_text(TEXT, encoding="utf-8")
    asked = {"question": "what is warmed", "references": ["Boil the water now. Warm the pot."], "corpus_id": "tea"}
    Path("q.jsonl").write_text(json.dumps(asked), encoding="utf-8")
    given = ["--corpora", "docs", "--questions", "q.jsonl", "--search", "none", "--json"]

    assert cli.main(["evaluate", "peer:fake", "every-heading", *given]) == 0
    theirs, ours = json.loads(capfd.readouterr().out)["configs"]
    assert (theirs["config"], theirs["answers_cut"], ours["answers_cut"]) == ("peer:fake", 1, 0)


def test_a_peer_stands_where_a_config_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tea.md").write_text(TEXT, encoding="utf-8")

    assert cli.main(["compare", "every-heading", "peer:fake", "tea.md"]) == 0
    assert cli.main(["inspect", "peer:fake", "tea.md"]) == 0
    assert "audit" in capfd.readouterr().out.lower()
    assert cli.main(["inspect", "peer:absent", "tea.md"]) == 2
    assert "pip install 'chunkscope[peers]'" in capfd.readouterr().err
    assert cli.main(["inspect", "peer:fak", "tea.md"]) == 2
    assert "did you mean 'peer:fake'?" in capfd.readouterr().err


def test_peers_are_in_no_list_and_known_by_their_names() -> None:
    assert Config.of("peer:semchunk", {}).strategy.title == "semchunk"
    assert not [name for name in strategies.names() if name.startswith("peer:")]
    assert all(strategies.get(peer.name) is peer for peer in PEERS)
    with pytest.raises(UnknownStrategyError, match="did you mean 'peer:semchunk'"):
        Config.of("peer:semchnk", {})


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_a_peer_declares_what_it_is_made_of(peer: type[Peer]) -> None:
    specs = {spec.name: spec for spec in setting_specs(peer)}

    assert specs["version"].pinned
    assert all(spec.slider for spec in specs.values() if spec.numeric)
    if "chunk_overlap" in specs:
        with pytest.raises(SettingError, match="chunkOverlap"):
            Config.of(peer.name, {"chunkSize": 10, "chunkOverlap": 20})
    if peer.missing():
        with pytest.raises(GoldError, match="pip install 'chunkscope"):
            run(TEA, Config.of(peer.name, {}))


def test_the_page_on_formats_has_every_peer_with_its_settings() -> None:
    page = (Path(__file__).parents[2] / "docs" / "formats" / "imported-chunks.md").read_text(encoding="utf-8")
    for peer in PEERS:
        settings = ", ".join(f"`{spec.label}`" for spec in setting_specs(peer) if not spec.pinned)
        (row,) = [line for line in page.splitlines() if line.startswith(f"| `{peer.name}` |")]
        assert row.split("|")[3].strip() == settings


def test_the_schema_of_the_yaml_knows_them() -> None:
    schema = json.dumps(Config.json_schema())

    assert all(f'"{peer.name}"' in schema for peer in PEERS)


# ---- the packages, where they are installed ----


def installed(peer: type[Peer]) -> type[Peer]:
    if said := peer.missing():
        pytest.skip(said)
    return peer


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_an_installed_peer_cuts_a_document_and_is_faultless(peer: type[Peer]) -> None:
    document = parse((SAMPLES / "10-an-api-reference.md").read_text(encoding="utf-8"), name="a.md")
    config = Config.of(installed(peer).name, {"chunkSize": 300} if "chunk_size" in peer.model_fields else {})
    config = config.with_settings({"chunkOverlap": 0}) if "chunk_overlap" in peer.model_fields else config
    made = run(document, config)
    found = audit_of(config.strategy, document, config.counter)

    assert len(made.chunks) > 5
    assert found is not None
    assert not [row.verdict for row in found.rows if row.verdict in ("altered", "not found")]
    assert made.fingerprint == run(document, Config.from_yaml(config.to_yaml())).fingerprint


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_an_installed_peer_tiles_hostile_texts(peer: type[Peer]) -> None:
    changed = {"chunkSize": 20} if "chunk_size" in installed(peer).model_fields else {}
    changed |= {"chunkOverlap": 5} if "chunk_overlap" in peer.model_fields else {}
    untiled = []
    for name, text in HOSTILE.items():
        document = parse(text, name="h.md")
        made = run(document, Config.of(peer.name, changed))
        if "".join(document[part.body] for part in made.parts) != text:
            untiled.append(name)

    assert untiled == []
