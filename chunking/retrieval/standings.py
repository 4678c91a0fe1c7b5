"""The leaderboard: configs ranked by a metric, with confidence, and a recommendation with reasons.

The text follows from the numbers alone. A higher mean does not make a winner unless the difference
is shown to be real (statistics.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from chunking.errors import GoldError
from chunking.gold.questions import Question, Review, by_rule_words, unreviewed, unreviewed_words
from chunking.retrieval.evaluation import SEARCHED, UNSEARCHED, Evaluation, too_easy
from chunking.retrieval.ir_metrics import RANKED
from chunking.retrieval.statistics import (
    Difference,
    Interval,
    assumed_maximum,
    assumption_words,
    differences,
    interval,
    minimum_sample_size,
    needed_number,
    needed_words,
    rounded_up,
)
from chunking.text.display import counted, listed

METRICS: Mapping[str, str] = {
    "recall": "of the answers' characters, the share that was retrieved",
    "precision": "of what was retrieved, the share that answers",
    "iou": "recall and precision in one: what was found, over everything that was retrieved or missed",
    "precision_omega": "the precision if exactly the chunks that contain the answers were retrieved; needs no search",
    "answers_kept": "the share of the answers that are whole in one chunk; needs no search",
    "recall_at_k": "of the chunks that contain a part of an answer, the share that was retrieved",
    "precision_at_k": "of the chunks that were retrieved, the share that contains a part of an answer",
    "mrr": "1 over the rank of the first chunk that contains a part of an answer",
    "map": "the precision at the rank of each chunk that contains a part of an answer, on average",
    "ndcg": "how high up the chunks that contain a part of an answer are",
    "token_recall": "recall, in tokens",
    "token_precision": "precision, in tokens",
    "token_iou": "IoU, in tokens",
    "token_precision_omega": "precision-omega, in tokens",
}
"""Every metric with its meaning, those that decide most often first. Each is from 0 to 1, and
higher is better."""
REWARDS_SMALL = ("precision", "iou", "precision_omega", "token_precision", "token_iou", "token_precision_omega")
"""Metrics that are higher for small chunks, even where these cut answers."""
COUNTS_PARTS = RANKED
"""Metrics for which a chunk with a part of an answer counts as much as one with all of it, so that
cuts cost nothing."""
_FALLS_WITH_FEWER = ("recall", "token_recall", "recall_at_k")
"""Metrics that can only stay or fall where less is retrieved."""
_NEVER_NEAR_1 = ("precision", "iou", "token_precision", "token_iou", "precision_at_k")
"""Metrics whose values are usually small: their maximum is assumed from the values there are
(`assumed_maximum_of`)."""
_NAMES = {
    "iou": "IoU",
    "map": "MAP",
    "mrr": "MRR",
    "ndcg": "nDCG",
    "precision_at_k": "precision at k",
    "recall_at_k": "recall at k",
}
_ALIKE = 0.005
"""Up to this share of the larger number two costs are as good as the same."""
_MUCH_MORE = 1.2
"""From this ratio of tokens to another config's, the reason says that it retrieves more."""


@dataclass(frozen=True, slots=True)
class Standing:
    """One config on the leaderboard."""

    name: str
    value: Interval
    """The metric's mean over the questions."""
    behind: Difference | None
    """How much higher the leader is on the same questions; None for the leader."""
    evaluation: Evaluation


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Configs by one metric, highest mean first; of equal means the one that costs fewer tokens."""

    metric: str
    questions: int
    places: tuple[Standing, ...]

    @property
    def leader(self) -> Standing:
        return self.places[0]

    @property
    def decided(self) -> bool:
        """Whether the leader is shown to be better than every other."""
        return len(self.places) > 1 and all(each.behind and each.behind.verdict == "higher" for each in self.places[1:])

    @property
    def searched(self) -> bool:
        return "recall" in self.leader.evaluation.values

    @property
    def too_easy(self) -> bool:
        """Whether so much is retrieved that even a bad config finds the answers."""
        return bool(_easy(self))

    @property
    def same(self) -> bool:
        """Whether several configs have the same value on every question."""
        return len(self.places) > 1 and all(each.behind and each.behind.verdict == "same" for each in self.places[1:])

    @property
    def saturated(self) -> bool:
        """Whether a search with any of several configs has the highest value there is on every
        question: these questions are too easy to tell them apart."""
        values = self.leader.evaluation.values[self.metric]
        return self.same and self.metric in SEARCHED and min(values) > 1 - 1e-9

    @property
    def fewer_may_tell(self) -> bool:
        """Whether retrieving less may tell configs apart that are the same now."""
        return self.saturated and self.metric in _FALLS_WITH_FEWER

    @property
    def questions_missing(self) -> int:
        """How many more questions would tell the leader from the next one, about; 0 where no number
        of them would, or there are enough."""
        behind = self.places[1].behind if len(self.places) > 1 else None
        needed = behind.questions_needed if behind and behind.verdict == "inconclusive" else None
        return max(0, rounded_up(needed or 0) - self.questions)

    @property
    def cutting_less(self) -> Standing | None:
        """The config that cuts the fewest answers, if fewer than the leader and the metric ignores
        cuts: then the leader is not recommended.

        Of several the highest on the leaderboard; None where there is none.
        """
        fewer = [each for each in self.places[1:] if each.evaluation.answers_cut < self.leader.evaluation.answers_cut]
        if self.metric not in (*REWARDS_SMALL, *COUNTS_PARTS) or not fewer:
            return None
        return min(fewer, key=lambda each: each.evaluation.answers_cut)

    @property
    def recommended(self) -> Standing | None:
        """The leader, where it is shown to be better than every other, and not by cutting
        answers."""
        return self.leader if self.decided and not self.cutting_less else None


def leaderboard(found: Mapping[str, Evaluation], metric: str = "") -> Leaderboard:
    """Rank what was measured on the same questions. Without a metric, by recall, or by
    precision-omega unsearched.

    Raises GoldError for a metric that was not measured, naming those that were.
    """
    if not found:
        raise GoldError("there is no config to rank; give at least one")
    metric = metric or default_metric(found)
    for name, each in found.items():
        if metric not in each.values:
            # A config without chunks was not searched, and so has fewer metrics than the others.
            there = ", ".join(known for known in METRICS if all(known in other.values for other in found.values()))
            raise GoldError(f"metric {metric[:60]!r}: not measured for {name[:80]}; there are: {there}")
    searched = metric in SEARCHED
    order = sorted(found, key=lambda name: (-interval(found[name].values[metric]).mean, cost(found[name], searched)))
    most, leads = assumed_maximum_of(found, metric), compared({name: found[name] for name in reversed(order)}, metric)
    places = tuple(
        Standing(name, interval(found[name].values[metric], most), leads.get((name, order[0])), found[name])
        for name in order
    )
    return Leaderboard(metric, len(found[order[0]].values[metric]), places)


def compared(found: Mapping[str, Evaluation], metric: str) -> dict[tuple[str, str], Difference]:
    """Every difference of one metric between two configs that have it, the earlier named first; all
    intervals hold together."""
    values = {name: each.values[metric] for name, each in found.items() if metric in each.values}
    return differences(values, assumed_maximum_of(found, metric))


def assumed_maximum_of(found: Mapping[str, Evaluation], metric: str) -> float:
    """The highest value that a question may have: 1, or what is assumed of a metric that never
    comes near 1."""
    if metric not in _NEVER_NEAR_1:
        return 1.0
    questions = max((len(each.values.get(metric, ())) for each in found.values()), default=0)
    return assumed_maximum(highest_of(found, metric), questions)


def highest_of(found: Mapping[str, Evaluation], metric: str) -> float:
    """The highest value that any config has on a question; 0 where none was measured."""
    return max((value for each in found.values() for value in each.values.get(metric, ())), default=0.0)


def default_metric(found: Mapping[str, Evaluation]) -> str:
    searched = all(SEARCHED[0] in each.values for each in found.values())
    return SEARCHED[0] if searched else UNSEARCHED[1]


def metric_name(metric: str) -> str:
    """The metric as people write it: `token_precision_omega` is "token precision omega"."""
    return _NAMES.get(metric, metric.replace("_iou", " IoU").replace("_", " "))


def cost(of: Evaluation, searched: bool) -> float:
    """The tokens retrieved for a question, or those to embed where nothing was searched."""
    return of.retrieved_tokens if searched else float(of.tokens)


def lead_words(of: Difference) -> str:
    """Whether a lead is real: `shown`, `the same`, or `inconclusive; about 90 (40 to 400) questions
    would be needed`."""
    if of.verdict == "higher":
        return "shown"
    if of.verdict == "same":
        return "the same"
    needed = needed_words(of)
    return f"inconclusive; {needed}" if needed else "inconclusive"


def decision(board: Leaderboard, asked: str = "") -> str:
    """What to do, in one plain sentence, and what each config costs; `recommendation` has the
    intervals and the reasons.

    `asked` says what was asked, where that were not all questions: `6 questions, 24 keyword
    probes`.
    """
    asked = asked or _questions(board)
    costs = _cost_at_equal(board) or _tokens(board)
    return " ".join(each for each in (_decided(board, asked), costs, _easy(board), _may_tell(board)) if each)


def _decided(board: Leaderboard, asked: str) -> str:
    leader, others, name = board.leader, board.places[1:], metric_name(board.metric)
    mean = f"{leader.value.mean:.3f}"
    if not others:
        return f"Only {leader.name} was measured: {name} {mean}. Measure another config to see which is better."
    values = listed([f"{each.name} has {each.value.mean:.3f}" for each in others])
    less = board.cutting_less
    if board.saturated:
        return _saturated(board, f"{name} {mean} on {asked}")
    if board.same:
        names = listed([each.name for each in board.places])
        return f"No config is better: {names} have the same {name} on every question, {mean}."
    if board.recommended:
        return f"Take {leader.name}: {name} {mean} on {asked}, shown to be higher; {values}."
    if board.decided and less:
        cut, fewer = leader.evaluation.answers_cut, less.evaluation.answers_cut
        return (
            f"{leader.name} has the highest {name}, {mean}, but cuts or leaves out {cut:,} "
            f"answers, {less.name} {fewer:,}."
        )
    all_values = listed(
        [f"{leader.name} has {name} {mean}", *(f"{each.name} {each.value.mean:.3f}" for each in others)]
    )
    first = f"No config is shown to be better. On {asked}"
    if all(each.behind and not each.behind.mean for each in others):
        return f"{first} {listed([each.name for each in board.places])} have the same {name}, {mean}. {_needed(others)}"
    first = f"{first} {all_values}"
    if len(others) == 1:
        return f"{first}, which may be chance. {_needed(others)}"
    return f"{first}; the lead over some of them may be chance."


def _tokens(board: Leaderboard) -> str:
    """What each config costs, where they differ."""
    costs = [(each.name, cost(each.evaluation, board.searched)) for each in board.places]
    least, most = min(tokens for _, tokens in costs), max(tokens for _, tokens in costs)
    if len(costs) == 1 or most - least < _ALIKE * most:
        return ""
    what = "Tokens retrieved for a question" if board.searched else "Tokens to embed"
    return f"{what}: {', '.join(f'{name} {tokens:,.0f}' for name, tokens in costs)}."


def _cost_at_equal(board: Leaderboard) -> str:
    """Whom the cost speaks for, where configs find the same on every question and differ in cost;
    "" elsewhere, and where those that cost less cut more answers and the metric ignores it."""
    costs = [(each.name, cost(each.evaluation, board.searched)) for each in board.places]
    least, most = min(tokens for _, tokens in costs), max(tokens for _, tokens in costs)
    if not board.same or not board.leader.value.mean or board.cutting_less or most - least < _ALIKE * most:
        return ""
    cheap = [name for name, tokens in costs if tokens - least < _ALIKE * most]
    what = "tokens retrieved for a question" if board.searched else "tokens to embed"
    numbers = ", ".join(f"{name} {tokens:,.0f}" for name, tokens in costs)
    return f"At equal {metric_name(board.metric)} the cost speaks for {listed(cheap)} ({what}: {numbers})."


def _saturated(board: Leaderboard, value: str) -> str:
    """That the questions are too easy to tell the configs apart, with the `value` that all have."""
    names = listed([each.name for each in board.places])
    questions = "These questions are" if board.questions > 1 else "This question is"
    which = "find every answer whole" if board.metric in ("recall", "token_recall") else "have the highest value"
    return f"{questions} too easy to tell the configs apart{_retrieved_at(board)}: {names} {which}, {value}."


def _retrieved_at(board: Leaderboard) -> str:
    """How much is retrieved for a question: ` at 5 chunks`."""
    if (budget := board.leader.evaluation.max_tokens) is not None:
        return f" at {counted(budget, 'token')}"
    chunks = _most_chunks(board)
    return f" at {counted(chunks, 'chunk')}" if chunks else ""


def _most_chunks(board: Leaderboard) -> int:
    return max((len(chunks) for each in board.places for chunks in each.evaluation.retrieved), default=0)


def _may_tell(board: Leaderboard) -> str:
    """What may tell configs apart where the questions are too easy."""
    if not board.saturated:
        return ""
    asking = "questions in other words than the text's, your own or drafted by a model"
    by_budget = board.leader.evaluation.max_tokens is not None
    if not board.fewer_may_tell or (not by_budget and _most_chunks(board) == 1):
        return f"What may tell them apart: {asking}."
    return f"What may tell them apart: retrieving fewer {'tokens' if by_budget else 'chunks'}, or {asking}."


def recommendation(board: Leaderboard) -> str:
    """What to do, and why, in a few sentences."""
    if len(board.places) == 1:
        sentence = f"Only {board.leader.name} was measured: {_value(board)}."
        sentence = f"{sentence} Measure another config on the same questions to see which is better."
        return " ".join(sentence for sentence in (sentence, _easy(board)) if sentence)
    return " ".join(
        sentence
        for sentence in (_verdict(board), _costs(board), _cuts(board), _caution(board), _may_tell(board))
        if sentence
    )


def _verdict(board: Leaderboard) -> str:
    others = board.places[1:]
    if board.saturated:
        return _saturated(board, _value(board))
    if board.same:
        names = listed([each.name for each in board.places])
        every = f"every one of {_questions(board)}" if board.questions > 1 else "the one question"
        return f"No config is better: {names} are the same on {every}: {_value(board)}."
    if board.recommended:
        return f"Take {board.leader.name}: {_value(board)}, {listed([_above(each) for each in others])}."
    if board.decided:
        above = listed([_above(each) for each in others])
        return f"{board.leader.name} has the highest {_value(board)}, {above}; but see what it cuts or leaves out."
    unsure = [each for each in others if each.behind and each.behind.verdict == "inconclusive"]
    same = [each.name for each in others if each.behind and each.behind.verdict == "same"]
    shown = [each for each in others if each.behind and each.behind.verdict == "higher"]
    sentences = [f"No config is shown to be better. {board.leader.name} has the highest mean, {_value(board)}"]
    if same:
        sentences.append(f", the same on every question as {listed(same)}")
    if unsure:
        sentences.append(
            f"; that is {listed([_above(each) for each in unsure])}, which may be chance. {_needed(unsure)}"
        )
    else:
        sentences.append(".")
    if shown:
        sentences.append(f" It is shown to be better than others: {listed([_above(each) for each in shown])}.")
    return "".join(sentences)


def _needed(unsure: Sequence[Standing]) -> str:
    """How many questions would be needed to tell the leader from each of these."""
    numbers = [(each.name, number) for each in unsure if each.behind and (number := needed_number(each.behind))]
    if not numbers:
        return "The means are equal, so more questions of this kind would not tell."
    (name, number), *others = numbers
    if not others:
        return f"To tell them apart, {number} questions would be needed."
    rest = ", ".join(f"from {name} {number}" for name, number in others)
    return f"To tell it from {name}, {number} questions would be needed; {rest}."


def _costs(board: Leaderboard) -> str:
    """The leader's tokens against those of the next one, or whom they speak for."""
    if speaks := _cost_at_equal(board):
        return speaks
    leader, other = board.leader, board.places[1]
    searched = board.searched
    mine, theirs = cost(leader.evaluation, searched), cost(other.evaluation, searched)
    if not mine or not theirs:
        return ""
    doing = "retrieves" if searched else "has"
    what = "tokens for a question" if searched else "tokens to embed"
    by = mine / theirs - 1
    if abs(by) < _ALIKE:
        return f"{leader.name} {doing} as many {what} as {other.name} ({mine:,.0f})."
    than = f"{'more' if by > 0 else 'fewer'} {what} than {other.name} ({mine:,.0f}; {theirs:,.0f})"
    return f"{leader.name} {doing} {abs(by):.0%} {than}."


def _cuts(board: Leaderboard) -> str:
    cuts = [(each.name, each.evaluation.answers_cut) for each in board.places]
    if not any(count for _, count in cuts):
        return "None of them cuts an answer or leaves one out."
    counts = "Answers cut or left out: " + ", ".join(f"{name} {count:,}" for name, count in cuts) + "."
    less = board.cutting_less
    if less is None:
        return counts
    metric, leader = metric_name(board.metric), board.leader
    why = "a part of an answer counts as much as all of it"
    if board.metric in REWARDS_SMALL:
        why = "small chunks contain little beside an answer, and cut it"
    return (
        f"{counts} {leader.name} is not recommended for its {metric}: {why}; {less.name} has fewer of these "
        f"({metric} {less.value.mean:.3f})."
    )


def _caution(board: Leaderboard) -> str:
    """Reasons to be careful with the numbers."""
    found = {each.name: each.evaluation for each in board.places}
    highest, most = highest_of(found, board.metric), assumed_maximum_of(found, board.metric)
    sentences = [_easy(board), assumption_words(metric_name(board.metric), highest, most)]
    least = minimum_sample_size(len(board.places))
    if board.questions < least:
        sentences.append(f"Fewer than {least} questions prove nothing, however far apart the configs are.")
    leader = board.leader.evaluation
    if (
        leader.max_tokens is None
        and board.metric in SEARCHED
        and "precision" not in board.metric
        and "iou" not in board.metric
    ):
        rest = [each.evaluation.retrieved_tokens for each in board.places[1:] if each.evaluation.retrieved_tokens]
        if rest and leader.retrieved_tokens > _MUCH_MORE * min(rest):
            sentences.append("Who retrieves more finds more: compare at equal retrieved tokens as well.")
    return " ".join(each for each in sentences if each)


def _easy(board: Leaderboard) -> str:
    """The warning that so much is retrieved that any config finds the answers; "" without it."""
    if not board.searched:
        return ""
    easy = [each for each in board.places if too_easy(each.evaluation.retrieved_chunks, each.evaluation.passages)]
    if not easy:
        return _returns_most(board)
    found = [(each.name, each.evaluation) for each in easy]
    shares = [
        f"{name} retrieves {_short_mean(of.retrieved_chunks)} of its {of.passages:,} chunks" for name, of in found
    ]
    return f"{_easy_because(board)}{listed(shares)} for a question."


def _returns_most(board: Leaderboard) -> str:
    most = [each for each in board.places if each.evaluation.returns_most]
    shares = [
        f"{each.name} gives back {each.evaluation.retrieved_tokens:,.0f} of its {each.evaluation.tokens:,} tokens"
        for each in most
    ]
    return f"{_easy_because(board)}{listed(shares)}." if shares else ""


def _easy_because(board: Leaderboard) -> str:
    """What a reason for being too easy begins with; "" where the verdict says so already."""
    return "" if board.saturated else "This test is too easy to tell the configs apart: "


def returned_words(found: Mapping[str, Evaluation], neighbours: int, merge: float = 0.0) -> str:
    """That what hits give back was measured, and of which configs; "" where it was the chunks."""
    names = [name for name, each in found.items() if each.returned]
    if not names:
        return ""
    of = "" if len(names) == len(found) else f" of {listed(names)}"
    wider = f", with {counted(neighbours, 'neighbour')} on each side" if neighbours else ""
    wider += f", and of its section where {merge:.0%} of the section's chunks are hit" if merge else ""
    return (
        f"Measured by what a hit{of} gives back in place of its chunk{wider}; "
        "a place that several hits give back counts once."
    )


def means_apart(board: Leaderboard, questions: Sequence[Question]) -> dict[str, dict[str, float | None]]:
    """For each config the metric's mean over the accepted questions, and over the drafts.

    None for a mean of none; empty where there are no drafts."""
    if not unreviewed(questions):
        return {}
    kinds: tuple[Review, ...] = ("accepted", "draft")
    values = {each.name: each.evaluation.values[board.metric] for each in board.places}
    return {
        name: {
            kind: _mean_of([value for value, asked in zip(of, questions, strict=True) if asked.review == kind])
            for kind in kinds
        }
        for name, of in values.items()
    }


def drafts_words(board: Leaderboard, questions: Sequence[Question]) -> str:
    """How many questions were made by rule; how many nobody has reviewed, and each config's mean
    without them. "" for none."""
    sentences = (by_rule_words(questions), _unreviewed(board, questions))
    return " ".join(f"{sentence.rstrip('.')}." for sentence in sentences if sentence)


def _unreviewed(board: Leaderboard, questions: Sequence[Question]) -> str:
    drafts = unreviewed_words(questions)
    if not drafts:
        return ""
    apart = {name: means["accepted"] for name, means in means_apart(board, questions).items()}
    means = [f"{name} {mean:.3f}" for name, mean in apart.items() if mean is not None]
    if not means:
        return f"{drafts}: review them before you rely on this."
    return f"{drafts}. On the others alone, by {metric_name(board.metric)}: {', '.join(means)}."


def _mean_of(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 6) if values else None


def _short_mean(mean: float) -> str:
    return f"{mean:,.1f}".removesuffix(".0")


def _value(board: Leaderboard) -> str:
    value = board.leader.value
    return f"{metric_name(board.metric)} {value.mean:.3f} ({value.low:.3f} to {value.high:.3f}) on {_questions(board)}"


def _questions(board: Leaderboard) -> str:
    return counted(board.questions, "question")


def _above(place: Standing) -> str:
    of = place.behind
    return f"{of.mean:.3f} above {place.name} ({of.low:.3f} to {of.high:.3f})" if of else place.name
