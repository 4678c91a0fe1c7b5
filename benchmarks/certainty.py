"""Error rate and power of `retrieval/statistics.py`: `python -m
benchmarks.certainty`.

Configs are drawn that are equally good on average over all questions there could be, so that
whatever is shown of any two of them is wrong. It may be wrong at most 5 times in 100, of all
differences together.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping

import numpy as np
import numpy.typing as npt

from chunking.retrieval.statistics import difference, differences

Floats = npt.NDArray[np.float64]
Draw = Callable[[np.random.Generator, int, int], Floats]
"""Scores from 0 to 1: a row for each question, a column for each config."""


def _bernoulli(drawn: np.random.Generator, questions: int, configs: int) -> Floats:
    """Found or not, eight times in ten."""
    return (drawn.random((questions, configs)) < 0.8).astype(np.float64)


def _correlated(drawn: np.random.Generator, questions: int, configs: int) -> Floats:
    """Hard questions are hard for all, and two configs are nearly one."""
    hard, own = drawn.normal(size=(questions, 1)), drawn.normal(size=(questions, configs))
    own[:, 1:2] = 0.8 * own[:, :1] + 0.6 * own[:, 1:2]  # of the same variance
    return np.asarray(1 / (1 + np.exp(-1.6 * hard - 1.2 * own)))


def _skewed(drawn: np.random.Generator, questions: int, configs: int) -> Floats:
    """Mostly next to nothing, now and then much."""
    return drawn.beta(0.3, 2, (questions, configs))


def _rarely_lost(drawn: np.random.Generator, questions: int, configs: int) -> Floats:
    """The first finds nine tenths of every answer; the others all of it, nine times in ten."""
    scores = (drawn.random((questions, configs)) < 0.9).astype(np.float64)
    scores[:, 0] = 0.9
    return scores


def _rarely_found(drawn: np.random.Generator, questions: int, configs: int) -> Floats:
    """The first finds a tenth of every answer; the others all of it, once in ten times."""
    return np.asarray(1 - _rarely_lost(drawn, questions, configs))


def _shapes(drawn: np.random.Generator, questions: int, configs: int) -> Floats:
    """A mean of 0.45 in another way for each: seldom much, or often a little."""
    parts = np.array([1, 0.75, 0.6, 0.5])[np.arange(configs) % 4]
    return np.asarray(parts * (drawn.random((questions, configs)) < 0.45 / parts))


DESIGNS: Mapping[str, Draw] = {
    "Bernoulli": _bernoulli,
    "correlated": _correlated,
    "skewed": _skewed,
    "rarely lost": _rarely_lost,
    "rarely found": _rarely_found,
    "other shapes": _shapes,
}


def error_rate(design: str, questions: int, configs: int, rounds: int, seed: int = 1) -> float:
    """The share of rounds, 0 to 1, in which anything at all is shown of configs that are equally
    good."""
    drawn, wrong = np.random.default_rng(seed), 0
    for _ in range(rounds):
        scores = DESIGNS[design](drawn, questions, configs)
        found = differences({str(number): scores[:, number].tolist() for number in range(configs)})
        wrong += any(each.verdict in ("higher", "lower") for each in found.values())
    return wrong / rounds


def power(questions: int, configs: int, rounds: int, seed: int = 1) -> float:
    """The share of rounds in which the first, that answers six questions of ten, is shown above
    all, that answer four.

    Two questions of ten are answered by all of them.
    """
    drawn, shown = np.random.default_rng(seed), 0
    for _ in range(rounds):
        scores = _better_first(drawn, questions, configs)
        found = differences({str(number): scores[:, number].tolist() for number in range(configs)})
        shown += all(found["0", str(other)].verdict == "lower" for other in range(1, configs))
    return shown / rounds


def _better_first(drawn: np.random.Generator, questions: int, configs: int) -> Floats:
    easy, alone = drawn.random((questions, 1)) < 0.2, drawn.random((questions, configs))
    likely = np.full(configs, 0.25)
    likely[0] = 0.5
    return (easy | (alone < likely)).astype(np.float64)


def range_holds(questions: int, rounds: int, seed: int = 1) -> float:
    """Of pilots that are inconclusive, the share whose range holds what all questions there are
    would name."""
    drawn = np.random.default_rng(seed)
    many = _better_first(drawn, 200_000, 2)
    up, down = (float(np.mean(many[:, 0] - many[:, 1] == sign)) for sign in (1, -1))
    whole = 1_000  # as many differences in the right proportions, and then so few that nothing is shown
    true = _named(round(up * whole), round(down * whole), whole)
    within = tried = 0
    for _ in range(rounds):
        scores = _better_first(drawn, questions, 2)
        found = difference(scores[:, 1].tolist(), scores[:, 0].tolist())
        if found.verdict == "inconclusive" and found.questions_needed and found.mean > 0:
            tried += 1
            within += (found.needed_from or 0) <= true <= (found.needed_to or 10**9)
    return within / tried if tried else 1.0


def _named(ups: int, downs: int, of: int) -> int:
    """What would be named for differences in these proportions."""
    from chunking.retrieval.statistics import _questions_for_power  # the number itself is what is asked about

    values = np.concatenate([np.ones(ups), -np.ones(downs), np.zeros(of - ups - downs)])
    return int(_questions_for_power(np.array([values.mean()]), np.array([values.std()]), 1.0, 2)[0])


def report(rounds: int) -> None:
    """Print both tables."""
    print(f"Share of {rounds} rounds in which something is shown though all configs are equally good (at most 0.050)")
    columns = [(questions, configs) for configs in (2, 4, 6) for questions in (20, 50, 100)]
    head = "".join(f"{f'{questions} q, {configs}':>11}" for questions, configs in columns)
    print(f"{'questions, configs':20}{head}")
    for design in DESIGNS:
        rates = [error_rate(design, questions, configs, rounds) for questions, configs in columns]
        print(f"{design:20}" + "".join(f"{rate:11.3f}" for rate in rates))
    found = [power(questions, configs, rounds) for questions, configs in columns]
    print(f"{'found: 0.6 over 0.4':20}" + "".join(f"{rate:11.3f}" for rate in found))
    print("\nShare of inconclusive pilots whose range holds the number of questions that would tell (8 in 10 meant)")
    for questions in (20, 50):
        print(f"{questions:>4} questions {range_holds(questions, rounds):.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.certainty", description=__doc__)
    parser.add_argument("--rounds", type=int, default=1_000)
    report(parser.parse_args().rounds)


if __name__ == "__main__":
    main()
