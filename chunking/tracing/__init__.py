"""For which values of one setting a document would be cut exactly as it is cut now.

    trace = Trace(value=250, low=0, high=1_000_000)
    strategy = strategy.model_copy(update={"min_tokens": traced_number(trace)})
    list(strategy.split(document, Tools().for_another_cut(trace)))
    trace.low, trace.high     # every minTokens between these gives the same cut

A `TracedNumber` replaces the setting in the strategy. Numbers computed from it are traced as well,
and each comparison narrows the `Trace` to the values at which it comes out the same. Anything that
cannot be followed narrows it to the one value. So the range is right for every strategy, which
needs to know nothing of tracing.

One thing is not followed: text. Our strategies write numbers into sentences for people only. A
plug-in might count such a text, so there it narrows the trace to the one value, unless it is
written within `tools.untraced()`.
"""

from chunking.tracing.number import TracedNumber as TracedNumber
from chunking.tracing.number import is_traced as is_traced
from chunking.tracing.number import plain as plain
from chunking.tracing.number import stays_between as stays_between
from chunking.tracing.number import traced_number as traced_number
from chunking.tracing.trace import Made as Made
from chunking.tracing.trace import Memory as Memory
from chunking.tracing.trace import Trace as Trace
from chunking.tracing.trace import is_ours as is_ours
