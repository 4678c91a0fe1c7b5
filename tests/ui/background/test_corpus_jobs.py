"""A corpus cut in the background: begun once, left off, and gone on with."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from chunking import Config
from pages.ui.background import corpus_jobs
from pages.ui.background.corpus_workers import Corpus, Cuts, workers
from pages.ui.choices.samples import samples

CORPUS = Corpus(samples())


def cuts(size: int) -> Cuts:
    return Cuts(Config.of("fixed", {"chunkSize": size}), (), (-1,) * len(CORPUS.documents))


@pytest.fixture(autouse=True, scope="module")
def _ended() -> Iterator[None]:
    yield
    workers.end()


@pytest.fixture(autouse=True)
def _held() -> Iterator[None]:
    workers.hold(CORPUS, "ann")
    yield
    corpus_jobs.forget("ann")


def test_the_same_settings_are_measured_once_and_all_documents_come() -> None:
    job = corpus_jobs.measured(CORPUS, cuts(500), "ann", "now")

    assert corpus_jobs.measured(CORPUS, cuts(500), "ann", "now") is job
    assert job.wait(60)
    assert sorted(corpus_jobs.found_in(job)) == list(range(len(CORPUS.documents)))
    assert corpus_jobs.measured(CORPUS, cuts(500), "ann", "now") is job


def test_checks_are_found_once_and_end_with_other_settings() -> None:
    job = corpus_jobs.checked(CORPUS, cuts(500), "ann")
    assert corpus_jobs.checked(CORPUS, cuts(500), "ann") is job
    assert job.wait(60)
    assert sorted(corpus_jobs.found_in(job)) == list(range(len(CORPUS.documents)))

    first = corpus_jobs.checked(CORPUS, cuts(300), "ann")
    corpus_jobs.checked(CORPUS, cuts(400), "ann")
    assert first.cancelled


def test_other_settings_end_what_was_begun_and_coming_back_begins_it_again() -> None:
    first = corpus_jobs.measured(CORPUS, cuts(300), "ann", "now")
    second = corpus_jobs.measured(CORPUS, cuts(400), "ann", "now")
    assert first.cancelled
    assert second.wait(60)
    again = corpus_jobs.measured(CORPUS, cuts(300), "ann", "now")

    assert again is not first
    assert again.wait(60)
    assert len(corpus_jobs.found_in(again)) == len(CORPUS.documents)


def test_what_somebody_has_left_is_not_begun_again_by_itself() -> None:
    job = corpus_jobs.measured(CORPUS, cuts(700), "ann", "now")
    corpus_jobs.leave(job)
    job.wait(60)
    assert corpus_jobs.measured(CORPUS, cuts(700), "ann", "now") is job

    corpus_jobs.go_on(job)
    again = corpus_jobs.measured(CORPUS, cuts(700), "ann", "now")
    assert again is not job
    assert again.wait(60)
    assert len(corpus_jobs.found_in(again)) == len(CORPUS.documents)


def test_a_job_that_failed_waits_for_somebody_to_try_again() -> None:
    workers.end()
    job = corpus_jobs.measured(CORPUS, cuts(900), "ann", "now")
    assert job.wait(60)
    assert "open it again" in job.problem
    assert corpus_jobs.measured(CORPUS, cuts(900), "ann", "now") is job

    workers.hold(CORPUS, "ann")
    corpus_jobs.go_on(job)
    again = corpus_jobs.measured(CORPUS, cuts(900), "ann", "now")
    assert again is not job
    assert again.wait(60)
    assert not again.problem
