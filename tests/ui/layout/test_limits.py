"""What one run in the app may take, and what is shown past it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from app_pages import html, open_page
from streamlit.testing.v1 import AppTest

from chunking import Config, Document, parse
from chunking.errors import ConfigError, RunLimitError
from chunking.runtime.run_limits import RunLimits
from chunking.tuning import Axis, Goal
from chunking.tuning.space import explicit
from pages.ui.background import goal_job
from pages.ui.background.goal_job import GoalRequest
from pages.ui.layout import caches, limits, page_frame, within_limits
from pages.ui.layout.limits import MEGABYTES, SECONDS, run_limits
from pages.ui.tune import sweep_job
from pages.ui.tune.sweep_job import SweepRequest


def test_a_run_takes_sixty_seconds_and_two_gigabytes_unless_the_environment_says_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in (SECONDS, MEGABYTES):
        monkeypatch.delenv(name, raising=False)
    assert run_limits() == RunLimits(60, 2048, SECONDS, MEGABYTES)

    monkeypatch.setenv(SECONDS, "5")
    monkeypatch.setenv(MEGABYTES, "0")
    assert run_limits() == RunLimits(5, None, SECONDS, MEGABYTES)

    monkeypatch.setenv(SECONDS, "soon")
    with pytest.raises(ConfigError, match=r"CHUNKSCOPE_RUN_SECONDS: 'soon' is not a whole number"):
        run_limits()


def test_a_run_past_the_limit_raises_and_the_next_one_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    large, small = parse("# A heading\n\nSome text below it.\n\n" * 40_000), parse("# Small\n\ntext\n")
    config = Config.of("every-heading", {})
    monkeypatch.setattr(caches, "run_limits", lambda: RunLimits(0.1, None, SECONDS, MEGABYTES))

    with pytest.raises(RunLimitError, match=r"stopped after 0\.1 s of work \(CHUNKSCOPE_RUN_SECONDS 0\.1\)"):
        caches.cut_live(large, config)
    assert caches.cut_live(small, config).chunks


def for_ever() -> None:
    while True:
        pass


def drawn_by(draw: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The problems that are drawn, one line each."""
    said: list[str] = []
    monkeypatch.setattr(limits, "run_limits", lambda: RunLimits(0.1, None, SECONDS, MEGABYTES))
    monkeypatch.setattr(page_frame, "problem", said.append)
    draw()
    return said


def test_a_part_of_a_page_past_the_limit_is_one_line_and_the_rest_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    @within_limits.page
    def page() -> None:
        within_limits.part(for_ever)()
        within_limits.part(drawn.append)("the rest")

    said = drawn_by(page, monkeypatch)
    assert said == [
        "stopped after 0.1 s of work (CHUNKSCOPE_RUN_SECONDS 0.1); split the document, or give it more time"
    ]
    assert drawn == ["the rest"]


def part_whose_place_is_gone_once() -> None:
    import streamlit as st
    from streamlit.errors import StreamlitInvalidLayoutContextError

    from pages.ui.layout import within_limits

    @within_limits.part
    def drawn() -> None:
        if "again" not in st.session_state:
            st.session_state.again = True
            raise StreamlitInvalidLayoutContextError("its place is gone")
        st.text("drawn")

    drawn()


def test_a_part_whose_place_is_gone_has_the_page_drawn_again() -> None:
    page = AppTest.from_function(part_whose_place_is_gone_once).run()

    assert [each.value for each in page.text] == ["drawn"]
    assert not page.exception


def test_what_a_page_does_besides_its_parts_has_the_limit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    said = drawn_by(within_limits.page(for_ever), monkeypatch)

    assert len(said) == 1
    assert said[0].startswith("stopped after 0.1 s of work")


def test_work_that_can_be_cancelled_has_no_limit_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def embedding() -> None:
        for _ in range(20_000_000):  # several times what is allowed
            pass

    assert drawn_by(within_limits.page(lambda: limits.cancellable(embedding)), monkeypatch) == []


@pytest.mark.parametrize(
    "script", ["", "pages/compare.py", "pages/tune.py", "pages/retrieve.py", "pages/strategies.py"]
)
def test_every_page_is_drawn_within_the_limits(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "run_limits", lambda: RunLimits(1, None, SECONDS, MEGABYTES))
    monkeypatch.setattr(page_frame, "open_page", lambda *_, **__: for_ever())

    app = open_page(script)

    assert not app.exception
    assert "stopped after 1 s of work" in html(app)


def test_a_limit_that_is_no_number_is_said_on_every_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECONDS, "soon")

    app = open_page()

    assert not app.exception
    assert "is not a whole number; set it to one" in html(app)


def takes_long(name: str) -> Document:
    """Some half a second of work for recursive at each value."""
    return parse("# A heading\n\nSome text below it.\n\n" * 100_000, name)


def test_a_sweep_past_the_limit_ends_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_job, "run_limits", lambda: RunLimits(0.1, None, SECONDS, MEGABYTES))
    large, config = takes_long("swept.md"), Config.of("recursive", {})

    job = sweep_job.begin(SweepRequest((large,), config, (Axis("chunkSize", (400, 500)),)))

    assert job.wait(60)
    assert job.problem.startswith("stopped after 0.1 s of work (CHUNKSCOPE_RUN_SECONDS 0.1)")


def test_a_goal_past_the_limit_ends_with_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(goal_job, "run_limits", lambda: RunLimits(0.1, None, SECONDS, MEGABYTES))
    large = takes_long("sought.md")
    space = explicit(Config.of("recursive", {}), (Axis("chunkSize", (400, 500)),))
    asked = GoalRequest((large,), Goal("few-tokens"), space, (), (), 2)

    job = goal_job.begin(asked)

    assert job.wait(60)
    assert job.problem.startswith("stopped after 0.1 s of work (CHUNKSCOPE_RUN_SECONDS 0.1)")
