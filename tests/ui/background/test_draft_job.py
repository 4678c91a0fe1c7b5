"""Questions drafted in a process beside the page: kept as they come, cancelled, estimated first."""

from __future__ import annotations

from pathlib import Path

import pytest

from chunking import Document, Question, parse
from chunking.errors import GoldError
from pages.ui.background import draft_job
from pages.ui.background.draft_job import DraftRequest

GUIDE = parse(
    "# Kettle\n\nA kettle is a vessel that boils water quickly. Descale the heating element monthly with vinegar.\n",
    name="guide.md",
)
PATIENCE = 60


def request(owner: str, *, of: Document = GUIDE, provider: str = "", known: tuple[Question, ...] = ()) -> DraftRequest:
    return DraftRequest((of,), provider, "m" if provider else "", 8, True, known, owner)


def test_each_draft_is_kept_when_it_comes_and_what_is_known_is_not_drafted_again() -> None:
    kept: list[Question] = []
    job = draft_job.begin(request("kept"), kept.append)
    assert job.wait(PATIENCE)

    assert {question.text for question in kept} == {"What is a kettle?", "Kettle"}
    assert draft_job.about("kept", [GUIDE]) is job
    assert draft_job.about("another", [GUIDE]) is None

    more: list[Question] = []
    assert draft_job.begin(request("kept", known=tuple(kept[:1])), more.append).wait(PATIENCE)
    assert [question.text for question in more] == [kept[1].text]


def test_what_came_before_a_job_was_cancelled_is_kept() -> None:
    kept: list[Question] = []

    def first_only(question: Question) -> None:
        kept.append(question)
        job.cancel()

    job = draft_job.begin(request("cancels"), lambda question: first_only(question))
    assert job.wait(PATIENCE)

    assert (len(kept), job.cancelled, job.problem) == (1, True, "")


def test_what_cannot_be_kept_ends_the_job_in_one_line() -> None:
    def full(_: Question) -> None:
        raise GoldError("marks cannot be kept (No space left on device)")

    job = draft_job.begin(request("full"), full)
    assert job.wait(PATIENCE)

    assert job.problem == "marks cannot be kept (No space left on device)"


def test_drafting_about_other_documents_ends_what_the_same_owner_had_begun() -> None:
    other = parse("# Pot\n\nWarm the teapot before the leaves go into it.\n", name="pot.md")
    first = draft_job.begin(request("moves on"), lambda _: None)
    second = draft_job.begin(request("moves on", of=other), lambda _: None)
    assert first.wait(PATIENCE)
    assert second.wait(PATIENCE)

    assert (first.cancelled, second.cancelled) == (True, False)


def test_what_a_server_would_be_sent_is_found_before_and_nothing_is_sent(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CHUNKSCOPE_CACHE", str(tmp_path))
    monkeypatch.setenv("CHUNKSCOPE_BASE_URL", "http://127.0.0.1:9")
    job = draft_job.estimated(request("asks", provider="compatible"))
    assert job.wait(PATIENCE)

    (expected,) = job.found
    assert (expected.calls, expected.cached, expected.output_tokens) == (2, 0, 60)
    assert 200 < expected.input_tokens < 600
    assert draft_job.estimated(request("asks", provider="compatible")) is job


def test_a_server_that_is_not_set_up_is_said_before() -> None:
    job = draft_job.estimated(request("not set up", provider="anthropic"))
    assert job.wait(PATIENCE)

    assert "ANTHROPIC_API_KEY" in job.problem


def test_a_job_that_has_ended_is_not_said_to_be_cancelled_by_a_later_one() -> None:
    other = parse("# Pot\n\nWarm the teapot before the leaves go into it.\n", name="pot.md")
    first = draft_job.begin(request("goes on"), lambda _: None)
    assert first.wait(PATIENCE)
    assert draft_job.begin(request("goes on", of=other), lambda _: None).wait(PATIENCE)

    assert not first.cancelled
