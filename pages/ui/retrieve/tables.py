"""What became of each question in each config, as a DataFrame. No Streamlit; imported late, as
pandas is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from chunking.gold import Question, unreviewed
from chunking.retrieval import Evaluation, metric_name
from pages.ui.retrieve.messages import share


def questions(
    known: Sequence[Question], found: Mapping[str, Evaluation], metric: str, *, several: bool
) -> pd.DataFrame:
    """A row for each question: what each config, by its letter, found of its answers, and the
    metric where it ranks."""
    columns: dict[str, list[object]] = {"Question": [each.text for each in known]}
    if unreviewed(known):
        columns["Review"] = [each.review for each in known]
    if several:
        columns["Document"] = [each.document for each in known]
    for letter, of in found.items():
        columns[letter] = [fate(of, number) for number in range(len(known))]
    if metric != "recall":
        for letter, of in found.items():
            values = [round(value, 3) for value in of.values[metric]]
            columns[f"{metric_name(metric)} {letter}"] = list(values)
    return pd.DataFrame(columns)


def fate(of: Evaluation, number: int) -> str:
    """What a config found of the answers to question `number` (from 0), with the rank of the first
    chunk that holds some of them: `found, #1`, `part, #2` or `not found`. `cut` where no single
    chunk holds an answer whole."""
    recall, first = of.values["recall"][number], of.values["mrr"][number]
    at = f", #{round(1 / first)}" if first else ""
    status = f"found{at}" if recall >= 1 - 1e-9 else f"{share(recall)}{at}" if recall else "not found"
    return f"{status}; cut" if of.cut[number] else status
