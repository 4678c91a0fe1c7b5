"""Which config finds the answers, and whether the difference is real."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.retrieval.contexts import in_context as in_context
    from chunking.retrieval.costs import Costs as Costs
    from chunking.retrieval.costs import costs_of as costs_of
    from chunking.retrieval.curves import CURVES as CURVES
    from chunking.retrieval.curves import Curve as Curve
    from chunking.retrieval.curves import CurvePoint as CurvePoint
    from chunking.retrieval.curves import areas as areas
    from chunking.retrieval.curves import areas_compared as areas_compared
    from chunking.retrieval.curves import curve as curve
    from chunking.retrieval.curves import curve_points as curve_points
    from chunking.retrieval.evaluation import Evaluation as Evaluation
    from chunking.retrieval.evaluation import evaluate as evaluate
    from chunking.retrieval.evaluation import too_easy as too_easy
    from chunking.retrieval.failure_words import failures_words as failures_words
    from chunking.retrieval.failure_words import why_words as why_words
    from chunking.retrieval.failures import Failure as Failure
    from chunking.retrieval.failures import why_failed as why_failed
    from chunking.retrieval.ir_metrics import covered_parts as covered_parts
    from chunking.retrieval.ir_metrics import in_characters as in_characters
    from chunking.retrieval.ir_metrics import touches as touches
    from chunking.retrieval.merging import AutoMerge as AutoMerge
    from chunking.retrieval.passages import MODES as MODES
    from chunking.retrieval.passages import Mode as Mode
    from chunking.retrieval.passages import Passage as Passage
    from chunking.retrieval.passages import passages_of as passages_of
    from chunking.retrieval.ranking import CANDIDATES as CANDIDATES
    from chunking.retrieval.ranking import Embedded as Embedded
    from chunking.retrieval.ranking import Ranked as Ranked
    from chunking.retrieval.ranking import Search as Search
    from chunking.retrieval.ranking import Searcher as Searcher
    from chunking.retrieval.ranking import embed_missing as embed_missing
    from chunking.retrieval.ranking import late_vectors as late_vectors
    from chunking.retrieval.ranking import lost_in as lost_in
    from chunking.retrieval.ranking import not_english as not_english
    from chunking.retrieval.ranking import to_embed as to_embed
    from chunking.retrieval.results import Results as Results
    from chunking.retrieval.results import evaluation_results as evaluation_results
    from chunking.retrieval.returned import MOST_NEIGHBOURS as MOST_NEIGHBOURS
    from chunking.retrieval.returned import GiveBack as GiveBack
    from chunking.retrieval.returned import cost as cost
    from chunking.retrieval.returned import fitting as fitting
    from chunking.retrieval.returned import given_back as given_back
    from chunking.retrieval.returned import span_tokens as span_tokens
    from chunking.retrieval.returned import with_neighbours as with_neighbours
    from chunking.retrieval.standings import METRICS as METRICS
    from chunking.retrieval.standings import Leaderboard as Leaderboard
    from chunking.retrieval.standings import Standing as Standing
    from chunking.retrieval.standings import decision as decision
    from chunking.retrieval.standings import drafts_words as drafts_words
    from chunking.retrieval.standings import lead_words as lead_words
    from chunking.retrieval.standings import leaderboard as leaderboard
    from chunking.retrieval.standings import metric_name as metric_name
    from chunking.retrieval.standings import recommendation as recommendation
    from chunking.retrieval.standings import returned_words as returned_words
    from chunking.retrieval.statistics import Interval as Interval
else:
    __getattr__, __all__ = front(
        __name__,
        contexts=("in_context",),
        costs=("Costs", "costs_of"),
        curves=("CURVES", "Curve", "CurvePoint", "areas", "areas_compared", "curve", "curve_points"),
        evaluation=("Evaluation", "evaluate", "too_easy"),
        failure_words=("failures_words", "why_words"),
        failures=("Failure", "why_failed"),
        ir_metrics=("in_characters", "covered_parts", "touches"),
        merging=("AutoMerge",),
        passages=("MODES", "Mode", "Passage", "passages_of"),
        ranking=(
            *("CANDIDATES", "Embedded", "Ranked", "Search", "Searcher", "embed_missing", "late_vectors", "lost_in"),
            *("not_english", "to_embed"),
        ),
        results=("Results", "evaluation_results"),
        returned=("MOST_NEIGHBOURS", "GiveBack", "cost", "fitting", "given_back", "span_tokens", "with_neighbours"),
        standings=(
            *(
                "Leaderboard",
                "METRICS",
                "Standing",
                "decision",
                "drafts_words",
                "lead_words",
                "leaderboard",
                "metric_name",
                "recommendation",
            ),
            "returned_words",
        ),
        statistics=("Interval",),
    )
