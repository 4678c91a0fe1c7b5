"""Published benchmarks, measured on a slice that was written here in their published forms."""

from __future__ import annotations

import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

import pytest

from chunking import Config, cli
from chunking.errors import GoldError
from chunking.retrieval import Passage, Searcher
from chunking.retrieval.published import BENCHMARKS, run_benchmark
from chunking.retrieval.published.data import CutPoint, read_data, without_heading_marks
from chunking.retrieval.published.reference_chunkers import RecursivePieces

SLICE = Path(__file__).parent / "slice"
Splitter = Callable[[str], list[tuple[int, int]]]


def windows_of_60(text: str) -> list[tuple[int, int]]:
    return [(at, min(at + 60, len(text))) for at in range(0, len(text), 60)]


def omega_by_its_definition(split: Splitter) -> list[float]:
    """Precision-omega of each question of the slice, character by character: ranges that only touch
    an answer count, and a chunk's last full stop does not."""
    texts = {path.stem: path.read_text("utf-8") for path in (SLICE / "chroma" / "corpora").iterdir()}
    found = []
    rows = (SLICE / "chroma" / "questions_df.csv").read_text("utf-8")
    for row in csv.DictReader(rows.splitlines()):
        text = texts[row["corpus_id"]]
        chunks = []
        for start, end in split(text):
            piece = text[start:end].removesuffix(".")
            chunks.append((text.find(piece), text.find(piece) + len(piece)))
        answers = [(each["start_index"], each["end_index"]) for each in json.loads(row["references"])]
        hits = [(s, e) for s, e in chunks if any(s <= end and start <= e for start, end in answers)]
        answer = {at for start, end in answers for at in range(start, end)}
        covered = {at for start, end in hits for at in range(start, end)}
        found.append(len(answer & covered) / len(answer | covered))
    return found


def test_precision_omega_of_every_row_is_that_of_its_definition() -> None:
    table = BENCHMARKS["chroma"]

    made = run_benchmark(table, read_data(table, SLICE / "chroma"), {})

    rows = [row for row in table.rows if row.chunker]
    assert len(rows) == 8
    for row, measured in zip(rows, made.rows, strict=False):
        assert row.chunker is not None
        expected = omega_by_its_definition(row.chunker)  # type: ignore[arg-type]
        assert measured.measured["precision_omega"].mean == pytest.approx(100 * fmean(expected))
        assert measured.method == row.method


def test_a_config_is_measured_below_the_published_rows() -> None:
    table = BENCHMARKS["chroma"]
    pieces = RecursivePieces(40, 10, (". ", " "), "cl100k_base")
    chunkers: dict[str, Splitter] = {"windows of 60": windows_of_60, "of 40 tokens": pieces}
    configs = {name: Config.from_function(chunker) for name, chunker in chunkers.items()}

    made = run_benchmark(table, read_data(table, SLICE / "chroma"), configs)

    assert [row.method for row in made.rows[-2:]] == ["windows of 60", "of 40 tokens"]
    for row in made.rows[-2:]:
        expected = omega_by_its_definition(chunkers[row.method])
        assert (row.published, row.chunks > 10) == ({}, True)
        assert row.measured["precision_omega"].mean == pytest.approx(100 * fmean(expected))


def test_methods_that_need_a_model_have_their_published_figures_alone() -> None:
    table = BENCHMARKS["chroma"]

    made = run_benchmark(table, read_data(table, SLICE / "chroma"), {})

    assert [row.method for row in made.rows if not row.measured] == [
        "Kamradt (~660)",
        "KamradtMod 300 (~397)",
        "Cluster 400 (~182)",
        "Cluster 200 (~103)",
        "LLM (GPT4o, ~240)",
    ]


def test_legalbench_rag_measures_characters_of_the_first_chunks_and_the_mean_of_its_parts() -> None:
    table = BENCHMARKS["legalbench-rag"]
    data = read_data(table, SLICE / "legalbench-rag")

    made = run_benchmark(table, data, {}, search="bm25")

    passages = next(iter(made.configs.values()))[1].passages
    precision, recall = by_definition(passages, 8)
    assert data.subsets == ("privacy_qa", "privacy_qa", "cuad")
    assert [row.method for row in made.rows if row.measured] == [
        "RCTS 500 characters, privacy_qa",
        "RCTS 500 characters, cuad",
        "RCTS 500 characters, mean of all",
    ]
    privacy, cuad, every = (row.measured for row in made.rows if row.measured)
    assert privacy["precision_at_8"].mean == pytest.approx(100 * fmean(precision[:2]))
    assert cuad["precision_at_8"].mean == pytest.approx(100 * precision[2])
    assert every["precision_at_8"].mean == pytest.approx(50 * (fmean(precision[:2]) + precision[2]))
    assert every["recall_at_64"].mean == pytest.approx(50 * (fmean(recall[:2]) + recall[2]))


def by_definition(passages: tuple[Passage, ...], first: int) -> tuple[list[float], list[float]]:
    """Precision and recall of each question of the slice, from sets of characters."""
    searcher = Searcher(passages, "bm25")
    precision, recall = [], []
    for name in ("privacy_qa", "cuad"):
        for test in json.loads((SLICE / "legalbench-rag" / "benchmarks" / f"{name}.json").read_text("utf-8"))["tests"]:
            answer = {(s["file_path"], at) for s in test["snippets"] for at in range(*s["span"])}
            taken = [passages[at] for at in searcher.ranking(test["query"])[:first]]
            found = {(p.document, at) for p in taken for span in p.spans for at in range(span.start, span.end)}
            precision.append(len(answer & found) / len(found) if found else 0.0)
            recall.append(len(answer & found) / len(answer))
    return precision, recall


def test_hicbench_counts_chunks_that_begin_at_a_heading() -> None:
    table = BENCHMARKS["hicbench"]
    data = read_data(table, SLICE / "hicbench")
    at_headings = [point.offset for point in data.cut_points["garden.md"]]
    every = Config.from_function(lambda text: list(zip(at_headings, [*at_headings[1:], len(text)], strict=True)))
    one = Config.from_function(lambda text: [(0, len(text))])

    made = run_benchmark(table, data, {"every": every, "one": one})

    measured = {row.method: row.measured for row in made.rows if row.measured}
    assert {name: figure.mean for name, figure in measured["every"].items()} == {
        "f1_level_1": pytest.approx(2 * 2 / (5 + 2)),
        "f1_all_levels": 1.0,
    }
    assert {name: figure.mean for name, figure in measured["one"].items()} == {
        "f1_level_1": pytest.approx(2 * 1 / (1 + 2)),
        "f1_all_levels": pytest.approx(2 * 1 / (1 + 5)),
    }


@pytest.mark.parametrize("below", ["dataset/docs/HiCBench", "dataset/doc/HiCBench", "docs/HiCBench", "."])
def test_hicbench_is_found_in_a_clone_too(below: str, tmp_path: Path) -> None:
    shutil.copytree(SLICE / "hicbench", tmp_path / below, dirs_exist_ok=True)

    assert [document.name for document in read_data(BENCHMARKS["hicbench"], tmp_path).documents] == ["garden.md"]


def test_headings_lose_their_marks_and_keep_their_places() -> None:
    text, points = without_heading_marks("# Tea\nwater\n\n##  Pot\nwarm #1\n")

    assert text == "Tea\nwater\n\nPot\nwarm #1\n"
    assert points == (CutPoint(0, 1), CutPoint(11, 2))


def test_the_command_prints_the_published_figures_beside_ours(capfd: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["benchmark", "chroma", "--data", str(SLICE / "chroma"), "--json"])
    said = json.loads(capfd.readouterr().out)

    first = said["rows"][0]
    assert code == 0
    assert (said["questions"], said["documents"], said["unit"]) == (7, 2, "percent")
    assert first["method"] == "Recursive 800 (~661), overlap 400"
    assert first["published"]["precision_omega"] == {"mean": 6.7, "std": 5.2}
    assert first["difference"]["precision_omega"] == pytest.approx(
        first["measured"]["precision_omega"]["mean"] - 6.7, abs=1e-5
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["chroma"],
            "chroma: empty has no questions_df.csv; --data takes the folder with questions_df.csv",
        ),
        (["hicbench"], "hicbench: empty has no document (*.md or *.txt); --data takes the folder with documents"),
        (["legalbench-rag", "--search", "bm25"], "legalbench-rag: empty has no benchmarks/; --data takes the folder"),
        (["legalbench-rag"], "legalbench-rag: its metrics need a search; give --search bm25, cosine or hybrid"),
        (["hicbench", "--search", "bm25"], "hicbench: its metrics need no search; leave --search out"),
    ],
)
def test_missing_data_and_a_search_that_does_not_fit_are_one_line(
    arguments: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)

    code = cli.main(["benchmark", *arguments, "--data", "empty"])
    error = capfd.readouterr().err

    assert (code, error.count("\n")) == (2, 1)
    assert error.startswith(f"chunkscope: {said}")


def test_a_snippet_out_of_its_folder_or_with_another_text_is_named_and_left_out(tmp_path: Path) -> None:
    shutil.copytree(SLICE / "legalbench-rag", tmp_path, dirs_exist_ok=True)
    (tmp_path / "secret.txt").write_text("secret", encoding="utf-8")
    outside = {"query": "what?", "snippets": [{"file_path": "../secret.txt", "span": [0, 6]}]}
    other = {"query": "who?", "snippets": [{"file_path": "cuad/bicycle_lease.txt", "span": [0, 5], "answer": "RENT "}]}
    (tmp_path / "benchmarks" / "cuad.json").write_text(json.dumps({"tests": [outside, other]}), encoding="utf-8")

    data = read_data(BENCHMARKS["legalbench-rag"], tmp_path)

    assert data.problems == (
        "cuad: 'what?': ../secret.txt is not in corpus/; left out",
        "cuad: 'who?': [0, 5] holds another text than its answer; left out",
    )
    assert len(data.questions) == 2


def test_a_file_of_questions_in_another_form_is_one_line(tmp_path: Path) -> None:
    shutil.copytree(SLICE / "legalbench-rag", tmp_path, dirs_exist_ok=True)
    (tmp_path / "benchmarks" / "cuad.json").write_text('{"tests": [{"query": 3}]}', encoding="utf-8")

    with pytest.raises(GoldError, match=r"cuad\.json: tests\.0\.query: Input should be a valid string"):
        read_data(BENCHMARKS["legalbench-rag"], tmp_path)
