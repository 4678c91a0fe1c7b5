"""The processes that hold a corpus: each document as the library cuts it, whoever asks."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Iterator

import pytest

from chunking import Config, parse, run
from chunking.analysis import document_figures, failed_checks
from chunking.config import Override
from chunking.errors import RunLimitError, StrategyError
from chunking.runtime import memory
from pages.ui.background.corpus_workers import Corpus, CorpusWorkers, Cuts
from pages.ui.choices.samples import Source, samples
from pages.ui.server import sessions

CORPUS = Corpus(samples())
ALL = range(len(CORPUS.documents))
CONFIG = Config.of("heading-window", {"minTokens": 60, "minTokensDeeper": 90, "maxTokens": 200})


def cuts(config: Config = CONFIG, *overrides: Override) -> Cuts:
    which = [next((at for at, each in enumerate(overrides) if each.fits(of.name)), -1) for of in CORPUS.documents]
    return Cuts(config, overrides, tuple(which))


@pytest.fixture(name="processes", scope="module")
def _processes() -> Iterator[CorpusWorkers]:
    made = CorpusWorkers(2)
    yield made
    made.end()


@pytest.fixture(name="workers")
def _workers(processes: CorpusWorkers, monkeypatch: pytest.MonkeyPatch) -> Iterator[CorpusWorkers]:
    """Without a corpus, and with none that is small; the processes are those of the tests before,
    as it takes seconds to begin them."""
    monkeypatch.setattr(Corpus, "small", False)
    lent = memory.lent
    yield processes
    for user in ("ann", "ben"):
        processes.drop(user)
    assert memory.lent == lent


def test_every_document_comes_to_what_the_library_says_with_its_override(workers: CorpusWorkers) -> None:
    workers.hold(CORPUS, "ann")
    overridden = cuts(CONFIG, Override("1*.md", {"maxTokens": 120}), Override("02-*", {}, "fixed"))
    found = {row: each for part in workers.cut(CORPUS, overridden, ALL) for row, each in part.items()}
    proofs = workers.fingerprints(CORPUS, overridden)

    assert sorted(found) == sorted(proofs) == list(ALL)
    for row, source in enumerate(CORPUS.documents):
        config = overridden.configs[overridden.which[row]]
        assert isinstance(config, Config)
        expected = run(parse(source.text, name=source.name), config)
        figures = document_figures(expected)
        whole = found[row].whole
        assert whole is not None
        assert whole.tolist() == [chunk.tokens for chunk in expected.chunks]
        assert (found[row].blocks_cut, found[row].left_out) == (figures.blocks_cut, figures.left_out)
        assert proofs[row] == expected.fingerprint


def test_an_override_that_is_not_legal_is_said_for_its_documents_alone(workers: CorpusWorkers) -> None:
    workers.hold(CORPUS, "ann")
    wrong = cuts(CONFIG, Override("02-*", {"maxTokens": 10}))
    found = {row: each for part in workers.cut(CORPUS, wrong, ALL) for row, each in part.items()}

    assert [row for row in ALL if found[row].problem] == [1]
    assert found[1].problem.startswith("02-*: ")
    assert workers.fingerprints(CORPUS, wrong)[1] == ""


def test_every_document_is_checked_as_the_library_does(workers: CorpusWorkers) -> None:
    workers.hold(CORPUS, "ann")
    wrong = cuts(CONFIG, Override("02-*", {"maxTokens": 10}), Override("05-*", {}, "fixed"))
    found = {row: each for part in workers.check(CORPUS, wrong) for row, each in part.items()}

    assert sorted(found) == list(ALL)
    assert found[1] == ()
    for row, source in enumerate(CORPUS.documents):
        config = wrong.configs[wrong.which[row]]
        if isinstance(config, Config):
            assert found[row] == failed_checks(run(parse(source.text, name=source.name), config))


def test_no_check_is_begun_while_a_threshold_is_dragged(
    workers: CorpusWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    workers.hold(CORPUS, "ann")
    assert len(workers.cut_live(CORPUS, cuts(), ALL)) == len(ALL)
    begun: list[object] = []
    monkeypatch.setattr(workers, "_submit", lambda *asked: begun.append(asked))

    assert list(workers.check(CORPUS, cuts(), stopped=lambda: True)) == []
    assert begun == []
    monkeypatch.undo()


def test_no_check_is_begun_while_documents_are_cut(workers: CorpusWorkers, monkeypatch: pytest.MonkeyPatch) -> None:
    workers.hold(CORPUS, "ann")
    parts = workers.cut(CORPUS, cuts(), ALL, batch=1)
    next(parts)
    begun: list[object] = []
    with monkeypatch.context() as patched:
        patched.setattr(workers, "_submit", lambda *asked: begun.append(asked))
        assert list(workers.check(CORPUS, cuts(), stopped=lambda: True)) == []
    assert begun == []
    assert sum(map(len, parts)) == len(ALL) - 1


def test_work_that_is_not_wanted_any_more_ends_between_two_batches(workers: CorpusWorkers) -> None:
    workers.hold(CORPUS, "ann")
    seen: list[int] = []
    parts = workers.cut(CORPUS, cuts(), ALL, batch=1, stopped=lambda: len(seen) >= 2)
    for part in parts:
        seen += part

    assert 2 <= len(seen) < len(ALL)


def test_two_who_open_the_same_documents_share_them_until_both_are_gone(workers: CorpusWorkers) -> None:
    before = memory.lent
    workers.hold(CORPUS, "ann")
    held = memory.lent
    workers.hold(Corpus(samples()), "ben")
    assert memory.lent == held > before

    workers.drop("ann")
    assert list(workers.cut(CORPUS, cuts(), [0]))
    workers.drop("ben")
    assert memory.lent == before
    with pytest.raises(StrategyError, match="open it again"):
        list(workers.cut(CORPUS, cuts(), [0]))


def test_another_corpus_of_one_user_takes_the_place_of_the_former(workers: CorpusWorkers) -> None:
    before = memory.lent
    workers.hold(CORPUS, "ann")
    small = Corpus((Source("a.md", "a.md", "# A\n"),))
    workers.hold(small, "ann")

    assert memory.lent - before < 1000
    assert list(workers.cut(small, Cuts(CONFIG, (), (-1,)), [0]))


def test_a_corpus_without_room_is_one_line_that_names_the_limit(
    workers: CorpusWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHUNKSCOPE_MEMORY_MB", "1")
    with pytest.raises(RunLimitError) as refused:
        workers.hold(Corpus(tuple(Source(name, name, 35_714 * "x") for name in ("a.md", "b.md"))), "ann")

    assert str(refused.value) == (
        "2 documents of 71,428 characters take about 2 MB of memory; CHUNKSCOPE_MEMORY_MB is 1: "
        "set it to 2 or more, or open fewer documents"
    )


def test_a_corpus_whose_figures_are_being_made_stays_where_another_user_needs_its_room(
    workers: CorpusWorkers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHUNKSCOPE_MEMORY_MB", "1")
    other = Corpus(tuple(Source(name, name, 17_000 * "x") for name in ("a.md", "b.md")))
    assert max(CORPUS.size, other.size) < 1_000_000 < CORPUS.size + other.size
    workers.hold(CORPUS, "ann")
    parts = workers.cut(CORPUS, cuts(), ALL, batch=1)
    found = next(parts)

    with pytest.raises(RunLimitError, match=r"other documents are being cut, .* CHUNKSCOPE_MEMORY_MB is 1: reload"):
        workers.hold(other, "ben")
    for part in parts:
        found |= part
    assert len(found) == len(ALL)

    workers.hold(other, "ben")  # nothing is made of the former any more
    assert sum(len(part) for part in workers.cut(other, Cuts(CONFIG, (), (-1, -1)), [0, 1])) == 2


def test_a_corpus_that_goes_while_it_is_cut_takes_no_other_along(workers: CorpusWorkers) -> None:
    small = Corpus((Source("a.md", "a.md", "# A\n"),))
    workers.hold(small, "ben")
    workers.hold(CORPUS, "ann")
    parts = workers.cut(CORPUS, cuts(), ALL, batch=1)
    next(parts)
    workers.drop("ann")

    with pytest.raises(StrategyError, match="open it again"):
        list(parts)
    assert list(workers.cut(small, Cuts(CONFIG, (), (-1,)), [0]))


def test_the_size_of_a_corpus_is_the_same_after_its_texts_were_sent() -> None:
    source = Source("a.md", "a.md", 1000 * "é漢")
    before = Corpus((source,)).size
    pickle.dumps(source.text)

    assert Corpus((source,)).size == before


def test_a_corpus_of_fifty_million_characters_fits_the_default_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CHUNKSCOPE_MEMORY_MB", raising=False)
    text = f"{16_666 * 'x'}☕"  # two bytes a character

    assert Corpus(3000 * (Source("a.md", "a.md", text),)).size < memory.limit


def test_a_long_document_takes_more_for_each_character() -> None:
    def of(length: int) -> int:
        return Corpus((Source("a.md", "a.md", length * "x"),)).size

    assert of(65_535) < 15 * 65_535 < 18 * 65_536 < of(65_536)


def test_a_process_that_is_killed_costs_one_answer_and_comes_back(workers: CorpusWorkers) -> None:
    workers.hold(CORPUS, "ann")
    list(workers.cut(CORPUS, cuts(), ALL))
    for process in list(workers._pools[0]._executor._processes.values()):
        os.kill(process.pid, signal.SIGKILL)
    with pytest.raises(StrategyError, match="begins again"):
        list(workers.cut(CORPUS, cuts(), ALL))

    workers.hold(CORPUS, "ann")
    assert sum(len(part) for part in workers.cut(CORPUS, cuts(), ALL)) == len(ALL)


def test_a_small_corpus_is_cut_checked_and_forgotten_in_the_server_without_a_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory, "asks", sessions.session_id)  # as in a server
    corpus = Corpus(tuple(Source(f"{name}.md", name, f"# Held here: {name}\n\nWords.\n") for name in "abc"))
    workers, lent, here = CorpusWorkers(2), memory.lent, Cuts(CONFIG, (), (-1, -1, -1))
    workers.hold(corpus, "ann")
    found = {row: each for part in workers.cut(corpus, here, range(3)) for row, each in part.items()}
    checks = {row: each for part in workers.check(corpus, here) for row, each in part.items()}

    for row, source in enumerate(corpus.documents):
        made = run(parse(source.text, name=source.name), CONFIG)
        whole = found[row].whole
        assert whole is not None
        assert whole.tolist() == [chunk.tokens for chunk in made.chunks]
        assert checks[row] == failed_checks(made)
    assert (workers._pools, memory.lent) == ([], lent)
    texts = {each.text for each in corpus.documents}
    assert texts <= set(memory._texts)

    workers.drop("ann")
    workers._here.shutdown()
    assert texts.isdisjoint(memory._texts)
    with pytest.raises(StrategyError, match="open it again"):
        list(workers.cut(corpus, here, [0]))


def test_the_checks_of_a_small_corpus_do_not_wait_for_the_processes_to_be_at_rest() -> None:
    workers = CorpusWorkers(2)
    workers.hold(CORPUS, "ann")
    workers.cut_live(CORPUS, cuts(), ALL)
    assert workers._gives_way()

    assert sum(map(len, workers.check(CORPUS, cuts()))) == len(ALL)
    assert workers._gives_way()
    workers.drop("ann")
