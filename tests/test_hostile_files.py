"""The script that gives hostile files to library, command line and app counts what it should."""

from __future__ import annotations

from argparse import Namespace
from pathlib import Path

import pytest
from hostile_files import cases, in_a_process, summary
from hostile_outcomes import Outcome, answers


def test_a_crash_too_much_time_and_a_finding_are_each_counted(capsys: pytest.CaptureFixture[str]) -> None:
    summary(
        [
            Outcome("a.md", "library", "fixed", crash="ValueError: x"),
            Outcome("a.md", "library", "recursive", seconds=61, budget=40),
            Outcome("b.md", "library", "fixed", seconds=11, found=["left behind: x"]),
        ]
    )

    assert capsys.readouterr().out == (
        "library: 2 files in 3 ways: 1 crashes, 1 over 60 s of CPU, 1 over the budget by more than twice, 1 findings; "
        "slowest a.md recursive, 61.0 s\n"
    )


def test_what_may_become_of_a_file_is_read_from_its_must() -> None:
    assert answers(["no_exception", "offsets"]) == {"read"}
    assert answers(["reject", "no_exec"]) == {"refused"}
    assert answers(["reject|no_exception", "utf8_out"]) == {"read", "refused"}


@pytest.mark.parametrize(
    ("kind", "name"), [("texts", "truncated_utf8"), ("configs", "bomb_merge"), ("archives", "slip.zip")]
)
def test_library_and_command_line_answer_a_hostile_file_as_it_must_be(shared: Path, kind: str, name: str) -> None:
    folder = shared / "adversarial"
    number, case = next((at, each) for at, each in enumerate(cases(folder, kind)) if each["id"] == name)

    outcomes = in_a_process(folder, kind, number, case, Namespace(limits="small", place=None))

    assert [(each.way, each.crash, each.found) for each in outcomes if each.crash or each.found] == []
    assert {each.place for each in outcomes} == {"library", "command"}
