"""The single changes of a setting that put text into a chunk which is left out, with their side
effects.

Found by cutting again (`nearest.py`), so the result is what would happen, for any strategy. No
model is called.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from chunking.core.chunk import Chunk, Part, Skip
from chunking.explanation.keep_whole import Fixes, fixes_by
from chunking.explanation.nearest import OfSpan
from chunking.explanation.recutting import cutting_strategy
from chunking.explanation.setting_values import number_settings
from chunking.models.access import Tools
from chunking.runs import Run
from chunking.text.spans import minus


@dataclass(frozen=True, slots=True)
class _InChunks(OfSpan):
    """The question whether chunks have all visible characters of a span in their bodies."""

    of_text: bool = False

    def rule(self, parts: Sequence[Part]) -> str | None:
        """The rule that leaves some of it out; None where nothing is left out."""
        kept = [span for part in parts if isinstance(part, Chunk) for span in part.kept]
        left = next((each for each in minus([self.span], kept) if not self.document[each].isspace()), None)
        if left is None:
            return None
        skips = [skip for part in parts for skip in (part.holes if isinstance(part, Chunk) else (part,))]
        return next((skip.because.rule for skip in skips if skip.body.end > left.start), "left-out")


def keeps(of: Run, skip: Skip, tools: Tools | None = None, goes_on: Callable[[], bool] = lambda: True) -> Fixes:
    """Single changes that put into chunks what a run skips: of the settings that decided it, or of
    every switch and choice where the reason names none.

    `tools` gives the counter and what models answered. `goes_on` is called before each cut, and
    False ends the search: for a person who waits.
    """
    strategy, _ = cutting_strategy(of.config.strategy)
    numbers = dict(number_settings(strategy))
    deciding = skip.because.settings or [name for name in type(strategy).model_fields if name not in numbers]
    return fixes_by(of, _InChunks(of.document, skip.body), (), tools, goes_on, deciding)
