"""Questions with known answers, and marks: where they are, which of them a run cuts, where they are
kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.gold.coverage import Coverage as Coverage
    from chunking.gold.coverage import coverage_sentence as coverage_sentence
    from chunking.gold.coverage import coverages as coverages
    from chunking.gold.exports import FOLDERS as FOLDERS
    from chunking.gold.exports import FORMS as FORMS
    from chunking.gold.exports import Form as Form
    from chunking.gold.exports import exported as exported
    from chunking.gold.exports import lost as lost
    from chunking.gold.mark_file import Edition as Edition
    from chunking.gold.mark_store import store as store
    from chunking.gold.marks import read_annotations as read_annotations
    from chunking.gold.marks import strangers_annotations as strangers_annotations
    from chunking.gold.questions import Gold as Gold
    from chunking.gold.questions import Question as Question
    from chunking.gold.questions import WholeMark as WholeMark
    from chunking.gold.questions import read_gold as read_gold
    from chunking.gold.questions import strangers_gold as strangers_gold
    from chunking.gold.questions import unreviewed as unreviewed
    from chunking.gold.questions import unreviewed_words as unreviewed_words
else:
    __getattr__, __all__ = front(
        __name__,
        coverage=("Coverage", "coverage_sentence", "coverages"),
        exports=("FOLDERS", "FORMS", "Form", "exported", "lost"),
        mark_file=("Edition",),
        mark_store=("store",),
        marks=("read_annotations", "strangers_annotations"),
        questions=("Gold", "Question", "WholeMark", "read_gold", "strangers_gold", "unreviewed", "unreviewed_words"),
    )
