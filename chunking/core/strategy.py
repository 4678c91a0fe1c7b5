"""What every strategy is: a frozen pydantic model whose fields are its settings, and one method
that cuts.

One declaration of a setting feeds the slider, the command line, the YAML, the checks and the docs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.alias_generators import to_camel
from pydantic.config import JsonDict

from chunking.errors import SettingError

if TYPE_CHECKING:
    from chunking.core.chunk import Chunk, Part
    from chunking.core.context import SplitContext
    from chunking.core.estimates import Estimate
    from chunking.document import Block, Document

Doing = Literal["embed", "describe"]
Family = Literal["headings", "size", "meaning", "other"]
FAMILIES: Mapping[Family, str] = {"headings": "Headings", "size": "Size", "meaning": "Meaning", "other": "Other"}
"""By what a strategy finds most of its boundaries, in the order of a choice, with its name on
screen."""


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What a strategy asks of a model, said before anything is sent: nothing goes where it was not
    announced."""

    doing: Doing
    provider: str
    """As given to `tools.embed` or `tools.describer`: local, openai, compatible, ..."""
    model: str = ""
    """As given there; empty for the provider's default."""
    setting: str = ""
    """The setting, in snake_case, that says whose model it is: the app asks for permission below
    it."""
    sends: str = ""
    """What is sent, as the beginning of a sentence: "Each sentence of the document is sent once and
    compared"."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a strategy promises of its chunks' sizes, with the settings that say so; None where it
    promises nothing."""

    minimum: int | None = None
    minimum_setting: str | None = None
    target: int | None = None
    target_setting: str | None = None
    maximum: int | None = None
    """The hard limit: only a chunk flagged `unsplittable` may exceed it."""
    maximum_setting: str | None = None
    maximum_raised: bool = False
    """Whether the document raised the maximum above that setting's value."""
    counts: Literal["body", "text"] = "body"
    """Whether the limits hold for `Chunk.body_tokens` or for `Chunk.tokens` (DECISIONS all-5)."""
    maximum_characters: int | None = None
    """The hard limit of the whole text where it is set in characters; `maximum` is None then."""
    maximum_characters_setting: str | None = None

    def of_wrapped(self, setting: str) -> Limits:
        """The same, as a strategy has them that wraps this one in `setting`."""

        def named(own: str | None) -> str | None:
            return own and f"{setting}.{own}"

        return replace(
            self,
            minimum_setting=named(self.minimum_setting),
            target_setting=named(self.target_setting),
            maximum_setting=named(self.maximum_setting),
            maximum_characters_setting=named(self.maximum_characters_setting),
        )


@dataclass(frozen=True, slots=True)
class Ordered:
    """Two numeric settings of one strategy of which the one may not be above the other, in
    snake_case."""

    lower: str
    upper: str
    strictly: bool = False
    """Whether they may not be equal either."""

    def holds(self, lower: float, upper: float) -> bool:
        return lower < upper if self.strictly else lower <= upper


def setting(
    default: Any,
    *,
    title: str,
    help: str,
    unit: str = "",
    unit_from: str = "",
    short: str = "",
    ge: float | None = None,
    le: float | None = None,
    slider: tuple[float, float] | None = None,
    step: float | None = None,
    of_documents: bool = False,
) -> Any:
    """Declare a setting: its default, bounds and words.

    `help` is the effect of raising it; `short` is the title where there is little room. `unit_from`
    names the setting that chooses the unit; `unit` is then the one that is usual. `ge` and
    `le` are what is legal; `slider` is the range worth dragging over. A setting `of_documents` says
    what the documents are and how they are read, which may need what is not installed everywhere:
    tuning and explaining leave it as it is.
    """
    extra: JsonDict = {"unit": unit, "slider": [*slider] if slider else None, "step": step}
    if short:
        extra["short"] = short
    if unit_from:
        extra["unit_from"] = unit_from
    if of_documents:
        extra["of_documents"] = True
    return Field(default, title=title, description=help, ge=ge, le=le, json_schema_extra=extra)


class Strategy(BaseModel, ABC):
    """A way of cutting. Subclasses declare settings as fields and implement `split`; a file is
    found by being there."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        alias_generator=to_camel,
        populate_by_name=True,
        allow_inf_nan=False,
    )

    name: ClassVar[str]
    """As in the YAML: lower case, hyphens."""
    title: ClassVar[str]
    """As on screen."""
    summary: ClassVar[str]
    """One sentence: what it does and when to pick it."""
    family: ClassVar[Family] = "other"
    """Where it stands in a choice."""
    default_counter: ClassVar[str] = "cl100k_base"
    """Exact, the same for every strategy (DECISIONS all-5): limits in it are close to what
    embedders see."""
    spec_counter: ClassVar[str] = ""
    """The counter that its spec counts with, where that is another one: offered beside the
    default."""
    rules: ClassVar[Mapping[str, str]] = {}
    """Its own rules of boundaries and skips, with their meaning; the shared ones are in
    chunk.SHARED_RULES."""
    file_types: ClassVar[tuple[str, ...]] = ()
    """Extensions, with their dots, of files that the command line reads in folders for this
    strategy, beside those that it always reads."""
    describes: ClassVar[str] = ""
    """The setting that holds a base strategy, where this one only describes what that one cuts, or
    says what is returned of it: every boundary, and so every explanation of one, is the base's.
    Limits name the base's settings after a dot, as in `base.max_tokens`."""

    has_yaml: ClassVar[bool] = True
    """Whether a YAML can say all of it: not where chunks come from a file or a function."""

    ordered: ClassVar[tuple[Ordered, ...]] = ()
    """Its settings that are legal only in one order. They are checked here, and stop each other in
    the app."""
    usual: ClassVar[tuple[Ordered, ...]] = ()
    """Those that may stand in any order and are meant to stand in one: the app says where they do
    not."""

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        for pair in self.ordered:
            if not pair.holds(getattr(self, pair.lower), getattr(self, pair.upper)):
                raise self._out_of_order(pair)
        return self

    def _out_of_order(self, pair: Ordered) -> SettingError:
        """Said of the setting that was given: the other one may be only the default."""
        given = self.model_fields_set
        low, high = getattr(self, pair.lower), getattr(self, pair.upper)
        lower, upper = (type(self).model_fields[name].alias or name for name in (pair.lower, pair.upper))
        if pair.upper in given and pair.lower not in given:
            less = "not more than" if pair.strictly else "less than"
            return SettingError(upper, f"{high} is {less} {lower} ({low}); raise {upper} or lower {lower}")
        more = "not less than" if pair.strictly else "more than"
        return SettingError(lower, f"{low} is {more} {upper} ({high}); lower {lower} or raise {upper}")

    def folder_types(self) -> frozenset[str]:
        """`file_types`, with those of the strategies that this one wraps."""
        settings = (getattr(self, name) for name in type(self).model_fields)
        inner = (value.folder_types() for value in settings if isinstance(value, Strategy))
        return frozenset(self.file_types).union(*inner)

    @abstractmethod
    def split(self, document: Document, tools: SplitContext) -> Iterator[Part]:
        """Yield chunks (made by `tools.seal`) and skips, in order; their bodies tile the document
        exactly."""

    def cut_at_once(self, document: Document, tools: SplitContext) -> Sequence[Part] | None:  # noqa: ARG002
        """All parts at once, proven to tile the document, where that is faster than `split`; None
        where it is not. Raises StrategyError where they do not tile it."""
        return None

    def why_not_here(self, chunk: Chunk, heading: Block, tokens: int) -> str:  # noqa: ARG002
        """Why a chunk did not end at a heading inside it: a sentence with the numbers. `tokens` are
        those of the body up to the heading."""
        return "this strategy does not read headings"

    def model_requests(self) -> tuple[ModelRequest, ...]:
        """What a run asks of models, in its order, without what a strategy asks that this one
        wraps: nothing.

        A strategy that calls `tools.embed` or `tools.describer` says here with which provider and
        model.
        """
        return ()

    def expected(self, request: ModelRequest, document: Document, tools: SplitContext) -> Estimate | None:  # noqa: ARG002
        """How much of a request a run would make now, worked out without asking a model; None to
        have it estimated by a dry run (models/dry_run.py)."""
        return None

    def limits(self) -> Limits:
        """The sizes this strategy promises; nothing unless it says so."""
        return Limits()

    def limits_in(self, document: Document) -> Limits:  # noqa: ARG002
        """The sizes it promises in this document: those of `limits`, unless the document decides
        on them."""
        return self.limits()


def announced_by(strategy: Strategy) -> tuple[tuple[Strategy, ModelRequest], ...]:
    """What a run asks of models, in its order, with the strategy that asks: what wraps another
    comes after it."""
    settings = (getattr(strategy, name) for name in type(strategy).model_fields)
    inner = tuple(each for value in settings if isinstance(value, Strategy) for each in announced_by(value))
    return (*inner, *((strategy, request) for request in strategy.model_requests()))
