"""Questions drafted from documents, and a report on a set of questions before it is used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.drafting.drafts import DROPPED as DROPPED
    from chunking.drafting.drafts import REASONS as REASONS
    from chunking.drafting.drafts import Attempt as Attempt
    from chunking.drafting.drafts import Drafted as Drafted
    from chunking.drafting.drafts import draft as draft
    from chunking.drafting.drafts import drafted as drafted
    from chunking.drafting.places import Places as Places
    from chunking.drafting.set_quality import Quality as Quality
    from chunking.drafting.set_quality import quality as quality
    from chunking.drafting.worders import PROVIDERS as PROVIDERS
    from chunking.drafting.worders import RULES as RULES
    from chunking.drafting.worders import expected as expected
    from chunking.drafting.worders import in_turn as in_turn
    from chunking.drafting.worders import worder as worder
else:
    __getattr__, __all__ = front(
        __name__,
        drafts=("DROPPED", "REASONS", "Attempt", "Drafted", "draft", "drafted"),
        places=("Places",),
        set_quality=("Quality", "quality"),
        worders=("PROVIDERS", "RULES", "expected", "in_turn", "worder"),
    )
