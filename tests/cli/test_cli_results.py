"""Results files: the same bytes from the same command, what differs is named, and a report."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunking import cli
from chunking.models.local_embedder import MODEL_SHA256
from chunking.retrieval.results import read_results

pytestmark = pytest.mark.usefixtures("_folder")

TEA = "# Tea\n\nBoil water.\n\n# Pot\n\nWarm it.\n"


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "tea.md").write_text(TEA, encoding="utf-8")
    (tmp_path / "docs" / "tyres.md").write_text("# Tyres\n\nMend a tyre.\n", encoding="utf-8")
    rows = [("boil what", "Boil water.", "tea"), ("mend what", "Mend a tyre.", "tyres")]
    lines = [json.dumps({"question": q, "references": [quote], "corpus_id": name}) for q, quote, name in rows]
    (tmp_path / "q.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / "small.yaml").write_text(
        "strategy: fixed\nsettings: {chunkSize: 12, chunkOverlap: 0, separator: ''}\ncounter: words\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)


def evaluate(*arguments: str) -> int:
    given = ["every-heading", "small.yaml", "--corpora", "docs", "--questions", "q.jsonl", "--search", "bm25"]
    return cli.main(["evaluate", *given, "--top", "1", *arguments])


def said_by(capfd: pytest.CaptureFixture[str]) -> list[str]:
    return [line.removeprefix("chunkscope: ") for line in capfd.readouterr().err.splitlines()]


def test_two_runs_of_a_command_write_the_same_bytes() -> None:
    codes = [evaluate("--results", name) for name in ("one.json", "two.json")]

    assert codes == [0, 0]
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()


def test_the_file_has_data_configs_seed_intervals_and_the_command() -> None:
    evaluate("--results", "r.json")

    results = read_results(Path("r.json").read_bytes(), "r.json")

    assert results.command == (
        "chunkscope evaluate every-heading small.yaml --corpora docs --questions q.jsonl --search bm25 --top 1"
    )
    assert [(each.name, each.characters) for each in results.documents] == [("tea.md", 36), ("tyres.md", 22)]
    assert results.questions is not None
    assert (results.questions.measured, results.embedder, results.statistics.seed) == (2, None, 20240703)
    first, second = results.configs
    assert first.yaml == "chunkscope: 1\nstrategy: every-heading\nsettings: {}\ncounter: cl100k_base\n"
    assert (first.chunks, first.answers_cut, first.values["recall"]) == (3, 0, (1.0, 1.0))
    assert (first.metrics["recall"].mean, first.metrics["recall"].high) == (1.0, 1.0)
    assert (second.answers_cut, second.counter and second.counter.name) == (2, "words")
    assert ("every-heading", "small.yaml", "recall") in [(d.before, d.after, d.metric) for d in results.differences]


def test_what_holds_is_said_and_exits_0(capfd: pytest.CaptureFixture[str]) -> None:
    evaluate("--results", "r.json")

    code = evaluate("--expect", "r.json")

    assert code == 0
    assert said_by(capfd) == ["as in r.json: 28 numbers of 2 configs are the same"]


def test_a_changed_document_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    evaluate("--results", "r.json")
    Path("docs/tea.md").write_text(TEA.replace("Warm it.", "Warm it well."), encoding="utf-8")

    code = evaluate("--expect", "r.json")
    first, *others = said_by(capfd)

    assert code == 1
    assert first.startswith("tea.md: the document changed (sha256 459dc7144657, now ")
    assert "every-heading: the chunks differ (3, now 3)" in others


def test_another_config_another_protocol_and_other_questions_are_named(capfd: pytest.CaptureFixture[str]) -> None:
    evaluate("--results", "r.json")
    config, questions = Path("small.yaml"), Path("q.jsonl")
    config.write_text(config.read_text("utf-8").replace("12", "14"), encoding="utf-8")
    questions.write_text(questions.read_text("utf-8").replace("boil what", "what to boil"), encoding="utf-8")

    code = evaluate("--top", "2", "--expect", "r.json")
    said = said_by(capfd)

    assert code == 1
    assert said[0] == "the questions are others: 2 were measured, 2 are now"
    assert said[1] == "top was 1, and is 2 now"
    assert said[2] == "small.yaml: the config is another one"


def test_two_files_are_told_apart_without_measuring(capfd: pytest.CaptureFixture[str]) -> None:
    evaluate("--results", "one.json")
    changed = json.loads(Path("one.json").read_text("utf-8"))
    changed["configs"][0]["metrics"]["recall"]["mean"] = 0.5
    Path("two.json").write_text(json.dumps(changed), encoding="utf-8")
    capfd.readouterr()

    code = cli.main(["results", "one.json", "two.json"])

    assert code == 1
    assert capfd.readouterr().out == "every-heading: recall differs (1.000000 and 0.500000)\n"


def test_a_report_has_the_numbers_the_hashes_and_the_command_and_asks_for_nothing() -> None:
    evaluate("--results", "r.json")

    code = cli.main(["results", "r.json", "--html", "r.html", "--configs", "configs"])
    page = Path("r.html").read_text("utf-8")

    assert code == 0
    assert "default-src 'none'" in page
    assert "1.000 [0.156, 1.000]" in page
    assert "459dc7144657e04882073feaf97ba4c643ea1075f1ec656cadd4bdcd6d4d55a1" in page
    assert "chunkscope evaluate every-heading small.yaml --corpora docs" in page
    assert "<script" not in page
    assert "src=" not in page
    assert Path("configs/config-1.yaml").read_text("utf-8").startswith("chunkscope: 1\nstrategy: every-heading\n")


def test_names_in_a_results_file_stay_text_in_its_report() -> None:
    evaluate("--results", "r.json")
    hostile = Path("r.json").read_text("utf-8").replace('"small.yaml"', '"<img src=x onerror=alert(1)>"')
    Path("r.json").write_text(hostile, encoding="utf-8")

    cli.main(["results", "r.json", "--html", "r.html"])

    assert "<img" not in Path("r.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "command: Field required"),
        ("[", "Invalid JSON"),
        ('{"chunkscope_results": 2}', "chunkscope_results: Input should be 1"),
        ("\udcff", "Invalid JSON"),
    ],
)
def test_what_is_no_results_file_is_one_line(text: str, said: str, capfd: pytest.CaptureFixture[str]) -> None:
    Path("other.json").write_bytes(text.encode("utf-8", "surrogateescape"))

    code = cli.main(["results", "other.json"])
    (line,) = said_by(capfd)

    assert code == 2
    assert line.startswith(f"other.json: is not a results file ({said}")


def test_no_input_is_overwritten(capfd: pytest.CaptureFixture[str]) -> None:
    assert evaluate("--results", "q.jsonl") == 2
    assert said_by(capfd) == ["--results q.jsonl: is the questions, which is read; write to another file"]


def test_a_benchmark_has_the_same_bytes_twice_and_its_published_rows() -> None:
    data = Path(__file__).parents[1] / "published" / "slice" / "chroma"
    for name in ("one.json", "two.json"):
        assert cli.main(["benchmark", "chroma", "--data", str(data), "--results", name]) == 0

    results = read_results(Path("one.json").read_bytes(), "one.json")

    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()
    assert results.benchmark is not None
    assert len(results.benchmark.rows) == 13
    first = results.configs[0].metrics["precision_omega"]
    assert first.low is not None
    assert first.high is not None
    assert 0 < first.low < first.mean < first.high < 1
    assert results.benchmark.rows[0].published["precision_omega"].mean == 6.7
    assert cli.main(["benchmark", "chroma", "--data", str(data), "--expect", "one.json"]) == 0


def test_with_the_local_model_its_weights_are_named_and_the_bytes_are_the_same() -> None:
    pytest.importorskip("onnxruntime", reason="the extra models is not installed")

    for name in ("one.json", "two.json"):
        assert evaluate("--search", "cosine", "--results", name) == 0

    results = read_results(Path("one.json").read_bytes(), "one.json")
    assert Path("one.json").read_bytes() == Path("two.json").read_bytes()
    assert results.embedder is not None
    assert (results.embedder.name, results.embedder.model_sha256) == ("local/all-MiniLM-L6-v2-int8", MODEL_SHA256)


def test_a_benchmark_is_shown_and_reported_with_its_figures_as_printed(capfd: pytest.CaptureFixture[str]) -> None:
    data = Path(__file__).parents[1] / "published" / "slice" / "hicbench"
    cli.main(["benchmark", "hicbench", "--data", str(data), "--config", "fixed", "--results", "r.json"])
    capfd.readouterr()

    code = cli.main(["results", "r.json", "--html", "r.html"])
    lines = capfd.readouterr().out.splitlines()

    assert code == 0
    assert [line.split() for line in lines[-4:-2]] == [
        ["SC", "(bge-large-en-v1.5)", "0.0487", "-", "0.1507", "-"],
        ["LC", "(DeepSeek-R1)", "0.2849", "-", "0.4858", "-"],
    ]
    assert lines[-1].split() == ["fixed", "-", "0.6667", "-", "0.3333"]
    assert '<td class="number">0.0487</td><td class="number">–</td>' in Path("r.html").read_text("utf-8")


def test_every_option_that_changes_numbers_is_in_the_protocol(capfd: pytest.CaptureFixture[str]) -> None:
    assert evaluate("--merge", "0.5", "--neighbours", "1", "--results", "r.json") == 0
    capfd.readouterr()

    results = read_results(Path("r.json").read_bytes(), "r.json")
    code = evaluate("--merge", "0.25", "--neighbours", "1", "--expect", "r.json")

    assert (results.protocol["merge"], results.protocol["neighbours"]) == (0.5, 1)
    assert (code, said_by(capfd)[0]) == (1, "merge was 0.5, and is 0.25 now")
