"""`chunkscope inspect --quality`: measures without questions, with what each is worth."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chunking import cli

pytestmark = pytest.mark.usefixtures("_folder")

TEXT = "# Tea\n\nBoil the water in a kettle.\n\n# Pot\n\nWarm it well. It must not be cold.\n"


@pytest.fixture
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tea.md").write_text(TEXT, encoding="utf-8")
    splits = [["# Tea\n\nBoil the water in a kettle.", 1], ["# Pot\n\nWarm it well. It must not be cold.", 1]]
    (tmp_path / "gold.json").write_text(json.dumps({"tea.md": {"splits": splits}}), encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_json_has_every_measure_with_its_source(capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("onnxruntime", reason="the extra models is not installed")

    code = cli.main(["inspect", "every-heading", "tea.md", "--quality", "--cut-points", "gold.json", "--json"])
    measures = {each["name"]: each for each in json.loads(capfd.readouterr().out)["quality"]}

    assert code == 0
    assert list(measures) == [
        *("dangling_starts", "cohesion", "neighbours", "independence", "boundary_clarity", "stickiness"),
        *("boundary_f1", "pk", "window_diff"),
    ]
    assert all(each["worth"] and each["source"] and each["said"] for each in measures.values())
    assert (measures["boundary_f1"]["value"], measures["pk"]["value"], measures["dangling_starts"]["value"]) == (
        1,
        0,
        0,
    )
    assert measures["independence"]["value"] == pytest.approx(
        measures["cohesion"]["value"] - measures["neighbours"]["value"], abs=2e-6
    )
    assert {name for name, each in measures.items() if not each["variant"]} == {"boundary_f1", "pk", "window_diff"}


def test_the_text_says_what_is_computed_and_what_it_is_worth(capfd: pytest.CaptureFixture[str]) -> None:
    code = cli.main(["inspect", "every-heading", "tea.md", "--quality", "--cut-points", "gold.json"])
    said = capfd.readouterr().out

    assert code == 0
    assert "quality without questions; none of this says whether answers are found (evaluate does)" in said
    assert "  Pk: 0.000, lower is better\n    computed: share of windows of 14 visible characters" in said
    assert "worth: punishes a missing cut more than one too many" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tea.md", "--cut-points", "gold.json"], "--cut-points: is for --quality; add it"),
        ([".", "--quality"], "--quality: is of one document, as text or --json; leave --markdown and other paths out"),
    ],
)
def test_options_that_do_not_fit_are_one_line(
    arguments: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    code = cli.main(["inspect", "every-heading", *arguments])

    assert (code, capfd.readouterr().err) == (2, f"chunkscope: {said}\n")
