"""Auto-tune: a search over strategies and settings for a goal; gives the Pareto frontier of quality
and tokens.

    goal = Goal("precision-omega", max_chunks=200, must=("code-whole",))
    tuning = tune(documents, goal, space_of(), questions=gold)
    tuning.frontier, tuning.best, tuning.nearest

Small spaces are searched exhaustively, large ones with optuna; the same input gives the same
trials.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial

from chunking.config.config import Config
from chunking.document import Document
from chunking.document.parser import parse
from chunking.errors import ConfigError, GoldError
from chunking.gold.questions import Question, WholeMark
from chunking.models.access import Tools
from chunking.models.embedders import embedder
from chunking.retrieval.evaluation import evaluate
from chunking.retrieval.passages import Passage, passages_of
from chunking.retrieval.ranking import Searcher
from chunking.runs import Run, run
from chunking.runtime.faults import document_fault
from chunking.runtime.run_limits import NO_LIMITS, RunLimits, within
from chunking.tokens import counter
from chunking.tuning.goal import NEED_QUESTIONS, SEARCHED, Goal, Point, Tuning, frontier_of
from chunking.tuning.optimizer import exhaustive_trials, suggested_trials
from chunking.tuning.settled import Settling
from chunking.tuning.space import Space, explicit, space_of
from chunking.tuning.summary import ConfigSummary, SummaryBuilder

__all__ = ["TRIALS", "Goal", "Point", "Space", "Tuning", "explicit", "frontier_of", "points", "space_of", "tune"]

TRIALS = 120
_NO_QUALITY, _FARTHEST = -1e12, 1e12
"""The quality and the `off` of a config that cannot be measured."""
MakeSearcher = Callable[[Sequence[Passage]], Searcher]


def tune(
    documents: Sequence[Document],
    goal: Goal,
    space: Space,
    *,
    questions: Sequence[Question] = (),
    whole: Sequence[WholeMark] = (),
    searcher: MakeSearcher | None = None,
    trials: int = TRIALS,
    progress: Callable[[int, int], None] | None = None,
    stopped: Callable[[], bool] | None = None,
) -> Tuning:
    """Measure at most `trials` configs of the space, and find the best and the frontier.

    `searcher` creates the search over a config's passages if the goal needs retrieval; by default
    the one that the goal names. `progress` is called with the trials done and their maximum; the
    search ends when `stopped` returns True. Raises GoldError for a goal that cannot be measured,
    and ConfigError if optuna is needed and not installed.
    """
    found: list[Point] = []
    most = min(trials, space.possible)
    for point in points(documents, goal, space, questions=questions, whole=whole, searcher=searcher, trials=trials):
        found.append(point)
        if progress:
            progress(len(found), most)
        if stopped and stopped():
            break
    return Tuning(goal, tuple(found), space.possible, space.possible <= trials and not (stopped and stopped()))


def points(
    documents: Sequence[Document],
    goal: Goal,
    space: Space,
    *,
    questions: Sequence[Question] = (),
    whole: Sequence[WholeMark] = (),
    searcher: MakeSearcher | None = None,
    trials: int = TRIALS,
    goes_on: bool = False,
    before: Callable[[Config], None] | None = None,
    limits: RunLimits = NO_LIMITS,
    until_settled: bool = False,
) -> Iterator[Point]:
    """The points of `tune`, one at a time; closing the iterator stops the search. Raises as `tune`
    does.

    `before` is called with each config before it cuts, and so before anything is sent to a model.
    With `goes_on`, a config that fails on a document gives a point with `faults`; otherwise the
    error is raised. `limits` are those of each config, cut and measured. With `until_settled`, the
    search of a space that is not tried whole ends when more trials cannot matter (settled.py).
    """
    goal.checked(questions)
    make = searcher or _searcher_of(goal)
    settling = Settling(goal) if until_settled and space.possible > trials else None
    trying = exhaustive_trials(space) if space.possible <= trials else suggested_trials(space, trials)
    config = next(trying, None)
    if config is None:
        raise ConfigError(f"none of the {space.possible} combinations of values is legal; give other values")
    with suppress(StopIteration):
        while True:
            if before:
                before(config)
            measured = partial(_measured, documents, config, goal, questions, whole, make, goes_on=goes_on)
            point = within(limits, measured)
            yield point
            if settling and settling.settled(point):
                return
            config = trying.send(point)


def points_of_texts(
    texts: Sequence[tuple[str, str]],
    goal: Goal,
    space: Space,
    questions: Sequence[Question],
    whole: Sequence[WholeMark],
    trials: int,
    limits: RunLimits = NO_LIMITS,
    *,
    until_settled: bool = False,
) -> Iterator[Point]:
    """As `points`, for pairs of name and text: the work of a worker process (processes.py)."""
    documents = [within(limits, partial(parse, text, name)) for name, text in texts]
    yield from points(
        *(documents, goal, space),
        questions=questions,
        whole=whole,
        trials=trials,
        limits=limits,
        until_settled=until_settled,
    )


def measuring(
    documents: Sequence[Document],
    goal: Goal,
    questions: Sequence[Question] = (),
    whole: Sequence[WholeMark] = (),
    before: Callable[[Config], None] | None = None,
) -> Callable[[Config], Point]:
    """What gives a config's point, as `points` does with `goes_on`; `before` as there."""
    make = _searcher_of(goal)

    def measure(config: Config) -> Point:
        if before:
            before(config)
        return _measured(documents, config, goal, questions, whole, make, goes_on=True)

    return measure


def _measured(
    documents: Sequence[Document],
    config: Config,
    goal: Goal,
    questions: Sequence[Question],
    whole: Sequence[WholeMark],
    make: MakeSearcher | None,
    *,
    goes_on: bool,
) -> Point:
    builder, tools, runs = SummaryBuilder(config), Tools(counter(config.counter)), list[Run]()
    for document in documents:
        try:
            runs.append(run(document, config, tools.for_base()))
        except BaseException as error:
            if not goes_on:
                raise
            fault = str(document_fault(error, document.name))
            return Point(config, _NO_QUALITY, ConfigSummary(faults=(fault,)), (fault,), _FARTHEST)
        builder.add(runs[-1], questions, whole)
    summary = builder.summary()
    broken, off = goal.violations(summary)
    values: tuple[float, ...] = ()
    cuts: tuple[int, ...] = ()
    if goal.objective in NEED_QUESTIONS:
        values, cuts = _question_values(documents, runs, goal, questions, make)
        quality = sum(values) / len(values)
    elif goal.objective == "even-sizes":
        quality = _even(runs, *goal.sizes)
    else:
        quality = -float(summary.cuts_inside_blocks if goal.objective == "whole-blocks" else summary.tokens_to_embed)
    return Point(config, quality, summary, broken, off, values, cuts)


def _question_values(
    documents: Sequence[Document],
    runs: Sequence[Run],
    goal: Goal,
    questions: Sequence[Question],
    make: MakeSearcher | None,
) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """The objective's value for each question, and how many of its answers are cut.

    Precision-omega is multiplied by the share of the question's answers that are whole: it would
    rise with every cut otherwise.
    """
    passages = [passage for each in runs for passage in passages_of(each)]
    if not passages:
        return (0.0,) * len(questions), tuple(len(question.answers) for question in questions)
    searcher = make(passages) if make else None
    found = evaluate(passages, questions, documents, searcher, max_tokens=goal.retrieved_tokens)
    cuts = tuple(map(len, found.cut))
    if goal.objective != "precision-omega":
        return found.values["token_recall" if goal.objective == "recall" else "token_iou"], cuts
    pairs = zip(found.values["precision_omega"], found.values["answers_kept"], strict=True)
    return tuple(omega * whole_share for omega, whole_share in pairs), cuts


def _even(runs: Sequence[Run], low: int, high: int) -> float:
    sizes = [chunk.tokens for each in runs for chunk in each.chunks]
    return sum(low <= size <= high for size in sizes) / len(sizes) if sizes else 0.0


def _searcher_of(goal: Goal) -> MakeSearcher | None:
    """Makes the search that the goal names. Raises GoldError for a goal that retrieves and names
    none."""
    if goal.objective not in SEARCHED:
        return None
    if goal.search == "none":
        raise GoldError(f"goal {goal.objective}: needs a search; take bm25, cosine or hybrid")
    embed = embedder(goal.provider, goal.model) if goal.search != "bm25" else None
    return lambda passages: Searcher(passages, goal.search, embed)
