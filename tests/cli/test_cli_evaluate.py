"""`chunkscope evaluate` as a script sees it: a table with intervals, JSON, and one-line errors."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sample_server import Asked, Reply, serving

from chunking import Config, Document, cli, counter, load, run

pytestmark = pytest.mark.usefixtures("_folder")


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "tea.md").write_text("# Tea\n\nBoil water.\n\n# Pot\n\nWarm it.\n", encoding="utf-8")
    (tmp_path / "docs" / "tyres.md").write_text("# Tyres\n\nMend a tyre.\n", encoding="utf-8")
    rows = [("what is boiled", "Boil water.", "tea"), ("what is mended", "Mend a tyre.", "tyres")]
    lines = [json.dumps({"question": q, "references": [quote], "corpus_id": name}) for q, quote, name in rows]
    (tmp_path / "q.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "small.yaml").write_text(
        "strategy: fixed\nsettings: {chunkSize: 12, chunkOverlap: 0, separator: ''}\ncounter: words\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)


def evaluate(*arguments: str) -> int:
    return cli.main(["evaluate", *arguments, "--corpora", "docs", "--questions", "q.jsonl"])


def test_the_table_has_both_configs_their_difference_and_its_verdict(capfd: pytest.CaptureFixture[str]) -> None:
    code = evaluate("every-heading", "small.yaml", "--search", "none")
    said = capfd.readouterr()
    rows = {line[:23].strip(): line for line in said.out.splitlines()}

    assert (code, said.err) == (0, "")
    assert rows["chunks"].split()[1:] == ["3", "5"]
    assert rows["answers cut or left out"].split()[5:] == ["0", "2"]
    assert "inconclusive" in rows["precision omega"]
    assert said.out.splitlines()[-1].startswith(
        "2 questions; tokens by cl100k_base; ± is the standard deviation; in brackets, 95% intervals"
    )


def test_overrides_hold_for_the_documents_that_they_hold_for_in_a_run(capfd: pytest.CaptureFixture[str]) -> None:
    Path(".git").mkdir()
    Path("c.yaml").write_text("strategy: every-heading\noverrides:\n  docs/tyres.md: {strategy: fixed, settings: {}}\n")
    Path("d.yaml").write_text(
        "strategy: every-heading\noverrides:\n  docs/*: {strategy: fixed, settings: {chunkSize: 12, chunkOverlap: 0}}\n"
    )
    for config in ("c.yaml", "d.yaml"):
        assert cli.main(["run", config, "docs"]) == 0
        chunks = len(capfd.readouterr().out.splitlines())

        assert evaluate(config, "--search", "bm25", "--failures", "--json") == 0
        assert json.loads(capfd.readouterr().out)["configs"][0]["chunks"] == chunks


def test_below_the_table_are_the_leaderboard_and_what_to_do(capfd: pytest.CaptureFixture[str]) -> None:
    code = evaluate("small.yaml", "every-heading", "--search", "none", "--metric", "answers_kept")
    *_, first, second, _, advice, last = capfd.readouterr().out.splitlines()

    assert code == 0
    assert first.split()[:5] == ["1.", "every-heading", "1.000", "[0.156,", "1.000]"]
    assert "1.000 [-0.688, 1.000] inconclusive; about 6 (6 to 26) questions would be needed" in second
    assert advice == (
        "No config is shown to be better. every-heading has the highest mean, answers kept 1.000 (0.156 to 1.000) on 2 "
        "questions; that is 1.000 above small.yaml (-0.688 to 1.000), which may be chance. "
        "To tell them apart, about 6 (6 to 26) questions would be needed. every-heading has 8% fewer tokens to "
        "embed than small.yaml (22; 24). "
        "Answers cut or left out: every-heading 0, small.yaml 2. "
        "Fewer than 6 questions prove nothing, however far apart the configs are."
    )
    assert last.startswith("2 questions; ")


def test_what_hits_give_back_is_measured_and_it_is_said(capfd: pytest.CaptureFixture[str]) -> None:
    small = "{strategy: fixed, settings: {chunkSize: 12, chunkOverlap: 0, separator: ''}}"
    yaml = f"strategy: small-to-big\nsettings: {{small: {small}, big: {{strategy: every-heading}}}}\ncounter: words\n"
    Path("s2b.yaml").write_text(yaml, encoding="utf-8")
    assert evaluate("small.yaml", "s2b.yaml", "--search", "bm25", "--top", "1") == 0
    said = capfd.readouterr().out
    assert "Measured by what a hit of s2b.yaml gives back in place of its chunk; a place that several" in said

    assert evaluate("small.yaml", "s2b.yaml", "--search", "bm25", "--top", "1", "--json") == 0
    small_json, big_json = json.loads(capfd.readouterr().out)["configs"]
    assert (small_json["measured_by"], big_json["measured_by"]) == ("chunks", "returned")
    assert (small_json["answers_cut"], big_json["answers_cut"]) == (2, 0)

    assert evaluate("small.yaml", "--search", "bm25", "--top", "1", "--neighbours", "1", "--json") == 0
    wide = json.loads(capfd.readouterr().out)
    assert (wide["neighbours"], wide["configs"][0]["measured_by"], wide["configs"][0]["answers_cut"]) == (
        1,
        "returned",
        0,
    )
    assert evaluate("small.yaml", "--neighbours", "21") == 2


def test_the_winner_is_written_as_the_yaml_that_run_takes(capfd: pytest.CaptureFixture[str]) -> None:
    code = evaluate("small.yaml", "every-heading", "--search", "none", "--winner", "best.yaml", "--json")
    board = json.loads(capfd.readouterr().out)["leaderboard"]

    assert code == 0
    assert [each["leader_ahead_by"] is None for each in board["places"]] == [True, False]
    assert (board["metric"], board["decided"]) == ("precision_omega", False)
    winner = Config.from_yaml(Path("best.yaml").read_text(encoding="utf-8")).strategy.name
    assert winner == {"small.yaml": "fixed"}.get(board["places"][0]["config"], "every-heading")


def test_a_winner_among_chunks_of_another_tool_is_refused_before_anything_is_measured(
    capfd: pytest.CaptureFixture[str],
) -> None:
    code = evaluate("every-heading", "nowhere.jsonl", "--search", "none", "--winner", "best.yaml")
    said = capfd.readouterr()

    assert (code, said.out) == (2, "")
    assert said.err == (
        "chunkscope: --winner: nowhere.jsonl has chunks of another tool, which have no YAML; leave one out\n"
    )
    assert not Path("best.yaml").exists()


def test_no_config_is_written_as_the_winner_for_cutting_answers_into_small_chunks(
    capfd: pytest.CaptureFixture[str],
) -> None:
    Path("docs/tea.md").write_text("# Tea\n\n" + "Boil water. Warm it. " * 9 + "\n", encoding="utf-8")
    row = {"question": "what is boiled", "references": [{"start_index": 7, "end_index": 38}]}
    Path("q.jsonl").write_text(json.dumps({**row, "corpus_id": "tea"}), encoding="utf-8")

    code = evaluate("every-heading", "small.yaml", "--search", "none", "--winner", "best.yaml")
    said = capfd.readouterr()

    assert code == 2
    assert (
        "chunkscope: --winner: small.yaml comes first by precision omega, but cuts or leaves out 1 answer, "
        "and every-heading 0: " in (said.err)
    )
    assert "small.yaml is not recommended for its precision omega" in said.out
    assert not Path("best.yaml").exists()


def test_retrieved_tokens_are_in_one_unit_whatever_the_configs_count_with(capfd: pytest.CaptureFixture[str]) -> None:
    Path("words.yaml").write_text("strategy: every-heading\ncounter: words\n", encoding="utf-8")

    code = evaluate("every-heading", "words.yaml", "--search", "bm25", "--json")
    configs = json.loads(capfd.readouterr().out)["configs"]

    assert code == 0
    assert configs[0]["retrieved_tokens"] == configs[1]["retrieved_tokens"]
    assert configs[0]["tokens_to_embed"] == configs[1]["tokens_to_embed"]


def test_json_has_means_intervals_and_every_difference(capfd: pytest.CaptureFixture[str]) -> None:
    code = evaluate("every-heading", "small.yaml", "--search", "bm25", "--top", "1", "--json", "--mode", "published")
    said = json.loads(capfd.readouterr().out)

    assert code == 0
    assert (said["mode"], said["search"], said["top"], said["questions"]) == ("published", "bm25", 1, 2)
    assert [each["config"] for each in said["configs"]] == ["every-heading", "small.yaml"]
    assert {each["metric"] for each in said["differences"]} >= {"recall", "precision", "iou", "mrr", "ndcg"}
    assert all(each["verdict"] in ("inconclusive", "same") for each in said["differences"])


def test_the_local_model_finds_both_answers_by_meaning(capfd: pytest.CaptureFixture[str]) -> None:
    code = evaluate("every-heading", "--top", "1", "--json")
    (config,) = json.loads(capfd.readouterr().out)["configs"]

    assert code == 0
    assert config["metrics"]["recall"]["mean"] == 1.0
    assert config["metrics"]["mrr"]["mean"] == 1.0


def test_chunks_of_another_tool_are_measured_by_the_same_code(capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "every-heading", "docs"]) == 0
    Path("theirs.jsonl").write_text(capfd.readouterr().out, encoding="utf-8")

    code = evaluate("every-heading", "theirs.jsonl", "--search", "bm25", "--json")
    said = json.loads(capfd.readouterr().out)

    assert code == 0
    assert [each["chunks"] for each in said["configs"]] == [3, 3]
    assert {each["verdict"] for each in said["differences"]} == {"same"}


def test_a_quote_that_is_not_found_is_reported_and_the_rest_is_measured(capfd: pytest.CaptureFixture[str]) -> None:
    more = {"question": "lost", "references": ["Nowhere."], "corpus_id": "tea"}
    with Path("q.jsonl").open("a", encoding="utf-8") as file:
        file.write("\n" + json.dumps(more))

    code = evaluate("every-heading", "--search", "none")
    said = capfd.readouterr()

    assert code == 2
    assert "chunkscope: q.jsonl, line 3: the quote 'Nowhere.' is not found in tea.md; it is left out\n" in said.err
    assert said.out.splitlines()[-1].startswith("2 questions")


_HELP = " (chunkscope COMMAND --help shows what it takes)"


@pytest.mark.parametrize(
    ("option", "says"),
    [
        (
            ("--mode", "loose"),
            "Invalid value for '--mode': 'loose' is not one of 'strict', 'published'" + _HELP,
        ),
        (("--search", "none", "--metric", "mrr"), "--metric mrr: needs a search; leave --search none out"),
        (
            ("--search", "magic"),
            "Invalid value for '--search': 'magic' is not one of 'cosine', 'bm25', 'hybrid', 'none'" + _HELP,
        ),
    ],
)
def test_an_unknown_choice_is_one_line(option: tuple[str, str], says: str, capfd: pytest.CaptureFixture[str]) -> None:
    code = evaluate("every-heading", *option)
    said = capfd.readouterr()

    assert (code, said.out, said.err) == (2, "", f"chunkscope: {says}\n")


def test_it_says_which_chunks_lose_their_ends_and_where(capfd: pytest.CaptureFixture[str]) -> None:
    Path("docs/tea.md").write_text(f"# Tea\n\nBoil water.\n\n# Pot\n\n{'Warm it well. ' * 120}\n", encoding="utf-8")
    document = load("docs/tea.md")
    assert isinstance(document, Document)
    text = run(document, Config.of("every-heading", {})).chunks[1].text
    unread = counter("minilm")(text) + 2 - 256

    assert evaluate("every-heading", "--json") == 0
    said = capfd.readouterr()
    (found,) = json.loads(said.out)["configs"]

    assert f"1 of 3 chunks loses its end, {unread} tokens in no vector" in said.err
    assert "(by the tokenizer minilm, plus 2 tokens that the model adds): tea.md lines 5-7" in said.err
    assert (found["lost_ends"]["chunks"], found["lost_ends"]["unread_tokens"]) == (1, unread)
    assert found["lost_ends"]["places"] == [{"document": "tea.md", "start_line": 5, "end_line": 7}]


def test_it_says_which_documents_are_not_english(capfd: pytest.CaptureFixture[str]) -> None:
    german = "Das Wasser wird gekocht und dann in die Kanne gegossen, wenn es nicht mehr zu heiß ist. " * 12
    Path("docs/kanne.md").write_text(f"# Kanne\n\n{german}\n", encoding="utf-8")

    assert evaluate("every-heading") == 0
    assert "kanne.md seems not to be English; local/all-MiniLM-L6-v2-int8 was trained" in capfd.readouterr().err
    assert evaluate("every-heading", "--search", "bm25") == 0
    assert "English" not in capfd.readouterr().err


def test_drafts_that_nobody_reviewed_are_counted_apart_and_rejected_ones_left_out(
    capfd: pytest.CaptureFixture[str],
) -> None:
    rows = [("what is boiled", "Boil water.", "tea", "draft"), ("mend a tyre", "Mend a tyre.", "tyres", "accepted")]
    rows += [("what is warmed", "Warm it.", "tea", "rejected")]
    lines = [
        json.dumps({"question": asked, "references": [quote], "corpus_id": name, "review": review})
        for asked, quote, name, review in rows
    ]
    Path("q.jsonl").write_text("\n".join(lines), encoding="utf-8")

    assert evaluate("every-heading", "--search", "bm25") == 0
    said = capfd.readouterr().out
    assert (
        "1 of 2 questions is a draft that nobody has reviewed. On the others alone, by recall: every-heading 1.000."
        in said
    )
    assert "1 question that a reviewer rejected is not measured" in said

    assert evaluate("every-heading", "--search", "bm25", "--json") == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["questions"], found["unreviewed"], found["rejected"]) == (2, 1, 1)
    assert found["reviewed_apart"] == {"every-heading": {"accepted": 1.0, "draft": 0.0}}


def ask_by_words() -> None:
    """Ask so that keywords find the answers."""
    text = Path("q.jsonl").read_text(encoding="utf-8")
    Path("q.jsonl").write_text(text.replace("what is boiled", "boil").replace("what is mended", "mend"), "utf-8")


def test_curves_have_a_point_for_each_budget_an_area_and_what_embedding_costs(
    capfd: pytest.CaptureFixture[str],
) -> None:
    ask_by_words()
    options = ("--search", "bm25", "--curve", "--price", "2.5")
    assert evaluate("every-heading", "small.yaml", *options, "--json") == 0
    found = json.loads(capfd.readouterr().out)
    whole, small = found["curves"]
    assert [point["max_tokens"] for point in whole["points"]] == [250, 500, 1000, 2000, 4000, 8000]
    assert [point["recall"]["mean"] for point in whole["points"]] == [1.0] * 6
    assert (whole["area"]["recall"]["mean"], small["config"]) == (1.0, "small.yaml")
    assert whole["dollars_to_embed"] == pytest.approx(whole["tokens_to_embed"] * 2.5 / 1e6)
    assert [each["metric"] for each in found["areas"]] == ["recall", "iou"]

    assert evaluate("every-heading", "small.yaml", *options) == 0
    said = capfd.readouterr().out
    assert "recall at tokens" in said
    assert "Largest area under recall: every-heading, " in said

    assert evaluate("every-heading", "--search", "none", "--curve") == 2
    assert evaluate("every-heading", "--price", "1") == 2


def test_by_document_has_each_documents_mean_and_their_mean(capfd: pytest.CaptureFixture[str]) -> None:
    ask_by_words()
    assert evaluate("every-heading", "--search", "bm25", "--by-document") == 0
    rows = [line.split() for line in capfd.readouterr().out.splitlines()]
    assert ["tea.md", "1", "1.000"] in rows
    assert next(row for row in rows if row[:2] == ["macro", "mean"])[2] == "1.000"

    assert evaluate("every-heading", "--search", "bm25", "--json") == 0
    (of,) = json.loads(capfd.readouterr().out)["configs"]
    assert of["macro_means"]["recall"]["mean"] == 1.0
    assert [each["document"] for each in of["by_document"]] == ["tea.md", "tyres.md"]


def test_failures_name_the_boundary_that_cuts_and_the_smallest_change_that_helps(
    capfd: pytest.CaptureFixture[str],
) -> None:
    ask_by_words()
    options = ("--search", "bm25", "--top", "1", "--failures")
    assert evaluate("small.yaml", "every-heading", *options) == 0
    said = capfd.readouterr().out
    assert "small.yaml: 2 of 2 questions failed: 2 cut" in said
    assert "- tea.md line 3, boil\n    Cut before line 3 by size-reached: " in said
    assert "    chunkSize 12 -> 18 keeps it whole: 2 chunks instead of 3" in said
    assert "every-heading: None of 2 questions failed" in said

    assert evaluate("small.yaml", *options, "--json") == 0
    (of,) = json.loads(capfd.readouterr().out)["failures"]
    assert (of["failed"], of["reasons"], of["questions"][0]["reason"]) == (2, {"cut": 2}, "cut")


def test_a_section_is_given_back_where_enough_of_its_chunks_are_hit(capfd: pytest.CaptureFixture[str]) -> None:
    ask_by_words()
    assert evaluate("small.yaml", "--search", "bm25", "--top", "1", "--merge", "0.4") == 0
    said = capfd.readouterr().out
    assert "gives back in place of its chunk, and of its section where 40% of the section's chunks are hit; " in said

    assert evaluate("small.yaml", "--search", "bm25", "--top", "1", "--merge", "0.4", "--json") == 0
    merged = json.loads(capfd.readouterr().out)
    assert evaluate("small.yaml", "--search", "bm25", "--top", "1", "--json") == 0
    plain = json.loads(capfd.readouterr().out)
    recalls = [each["configs"][0]["metrics"]["recall"]["mean"] for each in (plain, merged)]
    assert (recalls[0] < recalls[1], recalls[1], merged["merge"]) == (True, 0.5, 0.4)


def test_each_config_is_measured_plain_and_with_descriptions(capfd: pytest.CaptureFixture[str]) -> None:
    ask_by_words()
    options = ("--search", "bm25", "--top", "1", "--contextual", "summary")
    assert evaluate("every-heading", "small.yaml", *options, "--winner", "best.yaml", "--json") == 0
    found = json.loads(capfd.readouterr().out)
    assert [each["config"] for each in found["configs"]] == [
        *("every-heading", "every-heading in context", "small.yaml", "small.yaml in context"),
    ]
    plain, described = found["configs"][:2]
    assert plain["chunks"] == described["chunks"]
    assert plain["tokens_to_embed"] < described["tokens_to_embed"]

    assert evaluate("small.yaml", "--search", "bm25", "--contextual", "nobody") == 2
    assert "provider: 'nobody' is not one of its choices" in capfd.readouterr().err


def test_a_reranker_on_a_server_ranks_again_and_it_is_said_what_is_sent(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ask_by_words()
    Path("docs/tea.md").write_text("# Boil\n\nNever boil milk: boil, boil.\n\n# Tea\n\nBoil water.\n", encoding="utf-8")

    def water_first(asked: Asked, _: int) -> Reply:
        rows = [{"index": at, "score": float("water" in text)} for at, text in enumerate(asked.body["texts"])]
        return Reply(body=rows)

    options = ("every-heading", "--search", "bm25", "--top", "1", "--json")
    assert evaluate(*options) == 0
    plain = json.loads(capfd.readouterr().out)
    with serving(water_first) as server:
        monkeypatch.setenv("CHUNKSCOPE_TEI_URL", server.base_url)
        monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path / "cache"))
        assert evaluate(*options, "--reranker", "tei", "--candidates", "7") == 0
        said = capfd.readouterr()
    again = json.loads(said.out)
    assert [each["configs"][0]["metrics"]["recall"]["mean"] for each in (plain, again)] == [0.5, 1.0]
    assert (again["reranker"], again["candidates"], plain["reranker"]) == ("tei", 7, None)
    assert f"2 questions, each with up to 7 chunks, are sent to tei/ at {server.base_url} to rank" in said.err

    assert evaluate("every-heading", "--reranker", "nobody") == 2
    assert evaluate("every-heading", "--search", "none", "--reranker", "tei") == 2


def test_late_chunking_finds_by_the_vectors_of_tokens_and_needs_a_model_that_gives_them(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert evaluate("every-heading", "--late", "--top", "1", "--failures", "--json") == 0
    found = json.loads(capfd.readouterr().out)
    assert (found["late_chunking"], found["configs"][0]["metrics"]["recall"]["mean"]) == (True, 1.0)

    assert evaluate("every-heading", "--late", "--search", "bm25") == 2
    monkeypatch.setenv("CHUNKSCOPE_BASE_URL", "http://127.0.0.1:1/v1")
    assert evaluate("every-heading", "--late", "--embedder", "compatible") == 2
    assert "gives no vectors of tokens" in capfd.readouterr().err
