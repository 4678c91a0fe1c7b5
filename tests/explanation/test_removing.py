"""What takes a boundary away: each value that is offered really does, and no nearer one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chunking import Config, Run, explain, health, parse, run
from chunking.explanation import remove_boundary
from chunking.explanation.explanation import NumberRange
from chunking.explanation.remove_boundary import CUT_WHOLE, Removals, counted_to_end, removals

SAMPLES = Path(__file__).resolve().parents[2] / "sample_docs"
STEPS = "# Kettle\n\nintro\n\n" + "".join(f"## Step {n}\n\n{'water and steam ' * 30}\n\n" for n in range(1, 7))


def cut(strategy: str, text: str = STEPS, **settings: object) -> Run:
    return run(parse(text, name="a.md"), Config.of(strategy, settings))  # type: ignore[arg-type]


def ways(of: Run, number: int = 0) -> Removals:
    return removals(of, explain(of.document, of.config, offset=of.chunks[number].body.end))


def unread(of: Run) -> float:
    """Tokens that an embedder of 512 does not read, as Health counts them."""
    return next(check.numbers["unread_tokens"] for check in health(of) if check.name == "embedder-512")


def ends(of: Run) -> list[int]:
    return [chunk.body.end for chunk in of.chunks]


@pytest.mark.parametrize(
    "strategy", ["heading-window", "hierarchical", "block-packing", "fixed", "recursive", "section-rules", "contextual"]
)
@pytest.mark.parametrize("sample", ["02-a-huge-table.md", "10-an-api-reference.md"])
def test_the_boundary_is_gone_after_what_is_offered(strategy: str, sample: str) -> None:
    made = cut(strategy, SAMPLES.joinpath(sample).read_text())
    offset = ends(made)[0]
    found = ways(made).found

    assert found
    for removal in found:
        after = run(made.document, removal.config)
        assert offset not in ends(after)
        assert (removal.chunks_before, removal.chunks) == (len(made.chunks), len(after.chunks))
        assert removal.nearest_cut == min(ends(after), key=lambda end: abs(end - offset))
        described = strategy == "contextual"  # a model would add words
        assert removal.newly_unread == (None if described else unread(after) - unread(made))
        assert removal.config == made.config.with_settings({removal.setting: removal.after})


def test_no_nearer_whole_number_takes_it_away() -> None:
    made = cut("heading-window", minTokens=50, minTokensDeeper=60)
    offset = ends(made)[1]
    removal = next(each for each in ways(made, 1).found if each.setting == "minTokens")

    step = 1 if removal.after > removal.before else -1  # type: ignore[operator]
    for value in range(removal.before, removal.after, step):  # type: ignore[arg-type]
        assert offset in ends(run(made.document, made.config.with_settings({"minTokens": value})))


def test_each_number_is_offered_once_at_the_nearer_of_its_two_sides() -> None:
    made = cut("recursive", SAMPLES.joinpath("10-an-api-reference.md").read_text())
    explained = explain(made.document, made.config, offset=ends(made)[0])
    size = next(each for each in explained.ranges if each.setting == "chunkSize")
    found = [each for each in removals(made, explained).found if each.setting == "chunkSize"]

    assert isinstance(size, NumberRange)
    sides = [side.goes_at for side in (size.below, size.above) if side.goes_at is not None]
    assert len(sides) == 2
    assert [each.after for each in found] == [min(sides, key=lambda value: abs(value - size.value))]


def test_a_switch_that_takes_it_away_is_offered() -> None:
    made = cut("heading-window", SAMPLES.joinpath("10-an-api-reference.md").read_text())
    (number,) = [at for at, chunk in enumerate(made.chunks) if chunk.ended_by.rule == "second-h2"]

    assert ("h1Rule", True, False) in [(each.setting, each.before, each.after) for each in ways(made, number).found]


def test_a_fraction_gets_no_more_digits_than_it_needs() -> None:
    made = cut("semantic", SAMPLES.joinpath("10-an-api-reference.md").read_text())
    threshold = next(each for each in ways(made, 1).found if each.setting == "similarityThreshold")

    assert threshold.after == round(float(threshold.after or 0), 2)
    assert ends(made)[1] not in ends(run(made.document, threshold.config))


def test_the_settings_of_a_wrapped_strategy_are_offered_and_no_model_describes_anything() -> None:
    inner = {"strategy": "hierarchical", "settings": {"target": 60, "hardCap": 90}}
    made = cut("contextual", base=inner)
    found = ways(made).found

    assert found
    assert {each.setting.split(".")[0] for each in found} == {"base"}
    assert all(each.config.strategy.name == "contextual" for each in found)


def test_a_strategy_without_settings_offers_nothing_and_says_that_all_was_tried() -> None:
    assert ways(cut("every-heading")) == Removals((), True)


def test_a_long_document_is_cut_only_as_far_as_the_boundary() -> None:
    text = STEPS * (CUT_WHOLE // len(STEPS) + 1)
    made = cut("heading-window", text)
    removal = ways(made).found[0]

    assert len(text) > CUT_WHOLE
    assert removal.chunks is None
    assert ends(made)[0] not in ends(run(made.document, removal.config))


@pytest.mark.parametrize("strategy", ["heading-window", "hierarchical", "block-packing", "fixed", "recursive"])
def test_of_a_long_document_the_nearest_boundary_is_the_same_as_of_all(
    strategy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = cut(strategy, SAMPLES.joinpath("10-an-api-reference.md").read_text() * 2)
    number = len(made.chunks) * 3 // 4
    whole = ways(made, number).found
    monkeypatch.setattr(remove_boundary, "CUT_WHOLE", 0)

    far = tuple(
        replace(
            each,
            chunks=None,
            boundaries_changed=None,
            blocks_cut=None,
            torn=None,
            newly_left_out=None,
            newly_unread=None,
        )
        for each in whole
    )
    assert ways(made, number).found == far != ()
    assert tuple(counted_to_end(made, each) for each in far) == whole
