"""Sections of hierarchical packing that were packed in an earlier cut: while hardCap moves, most
have the chunks that they had."""

from __future__ import annotations

from collections.abc import Generator
from typing import NamedTuple

from chunking.core.chunk import PASSED_OVER
from chunking.document import Section
from chunking.splitting.document_cache import Memo, once_per_counter
from chunking.splitting.known_limits import KnownLimits
from chunking.splitting.source_code.structure import CodeFences
from chunking.strategies.hierarchical.rendering import ChunkHead, Drafts, Renderer, SectionDraft
from chunking.strategies.hierarchical.units import SectionKey, key_of


class _KnownSection(NamedTuple):
    """How a section was packed last."""

    drafts: tuple[SectionDraft, ...]
    left: ChunkHead | None
    """Headings with nothing under them, which begin the next chunk."""
    limits: KnownLimits
    """The values of hardCap with which it is packed so again."""


class _Sections(Memo[tuple[SectionKey, int, int, int, bool, int, CodeFences], _KnownSection]):
    """By section, where its first chunk begins and what is kept of it, its tokens, and the settings
    but hardCap."""


class KnownSections:
    """The sections of one document, for one cut with one strategy's settings."""

    def __init__(self, renderer: Renderer, target: int, code_fences: CodeFences) -> None:
        self._renderer = renderer
        self._settings = renderer.embed_breadcrumb, target, code_fences
        self._known = once_per_counter(renderer.document, renderer.tools.counter, _Sections)

    def packed(self, section: Section, head: ChunkHead, tokens: int, drafts: Drafts) -> Drafts:
        """The drafts of a section that begins with `head` and has so many tokens: those of an
        earlier cut, where they are the same."""
        if not self._renderer.remembers or head.carried is not None or head.flags or head.opening:
            return (yield from drafts)
        key = (key_of(section), head.start, head.lead, tokens, *self._settings)
        known = self._known.get(key)
        if known is None or not known.limits.hold(self._renderer.hard_cap):
            known = yield from self._anew(drafts)
            if not any(draft.ended_by is PASSED_OVER for draft in known.drafts):
                self._known.keep(key, known, len(known.drafts) + 1)
        else:
            yield from known.drafts
        self._renderer.limits.also(known.limits)
        return known.left

    def _anew(self, drafts: Drafts) -> Generator[SectionDraft, None, _KnownSection]:
        """Yields the drafts, and notes all values of hardCap with which they are the same."""
        renderer, found, limits = self._renderer, list[SectionDraft](), KnownLimits()
        while True:
            around, renderer.limits = renderer.limits, limits
            try:
                draft = next(drafts)
            except StopIteration as done:
                return _KnownSection(tuple(found), done.value, limits)
            finally:
                renderer.limits = around
            found.append(draft)
            yield draft
