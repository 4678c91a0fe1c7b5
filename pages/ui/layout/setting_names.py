"""Settings in sentences and on buttons: title and YAML name together, `Minimum minTokens`; what a
config changes, with its values. No Streamlit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from markupsafe import Markup

from chunking import Boundary, Config
from chunking.config import SettingSpec, Value, plain, query_of, setting_specs, spec_of
from chunking.core import Strategy
from pages.ui.layout.markup import joined, plain_label

_TOKENS = re.compile(r"(?<![\w.,'])\d{4,15}(?= (?:tokens|more)\b)")
"""A number of tokens in a reason; not at the beginning of a quoted heading."""


def control_label(spec: SettingSpec) -> str:
    """The label of a setting's control, for Streamlit: the YAML name as code, as the sliders have
    it. Screen readers are given the label as it is, and say no backtick by default."""
    return f"{plain_label(spec.title)} `{spec.label}`"


def plain_sentence(text: str, strategy: Strategy) -> str:
    """A text that names settings by their YAML names, with the titles before them."""
    said = _TOKENS.sub(lambda match: f"{int(match[0]):,}", text)
    return "".join(f"{title} {name}" if title else name for title, name in _named(said, strategy))


def named(name: str, strategy: Strategy, *, quoted: bool = False) -> str:
    """A setting by its YAML name, as its control is labelled, the title `quoted` where it may be a
    sentence; that name alone where no setting is called so."""
    spec = _spec_named(name, strategy)
    if spec is None:
        return f"`{name}`"
    title = plain_label(spec.title)
    return f'"{title}" `{name}`' if quoted else f"{title} `{name}`"


def title(name: str, strategy: Strategy) -> str:
    """A setting's title by its YAML name; the name itself where no setting is called so."""
    spec = _spec_named(name, strategy)
    return spec.title if spec else name


def value_words(value: Value) -> str:
    """A setting's value for people: `1,500`, `0.25`, `on`."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:g}" if isinstance(value, float) else _in_one_line(str(value))


def changed(config: Config, now: Config | None) -> list[tuple[str, str]]:
    """The title and the value of each setting that differs from the current config where that has
    the same strategy, else from the strategy's defaults."""
    query, before = query_of(config.strategy), _settings_before(config, now)
    different = [name for name, text in query.items() if text != before.get(name)]
    found = []
    for name in (*different, *(name for name in before if name not in query)):
        value = _value_named(name, config.strategy)
        listed = query.get(name, "default") if value is None or isinstance(value, list | dict) else value
        found.append((title(name, config.strategy), value_words(listed)))
    return found


def _settings_before(config: Config, now: Config | None) -> dict[str, str]:
    """What a config is compared with: the current one's settings that are no defaults, or the
    defaults of another strategy."""
    if now and now.strategy.name == config.strategy.name:
        return query_of(now.strategy)
    return {"strategy": config.strategy.name}


def _in_one_line(text: str) -> str:
    return " ".join(text.split())[:40]


def _value_named(name: str, strategy: Strategy) -> Value:
    """A setting's value by its YAML name, also of the strategy inside this one; None where there is
    no such setting."""
    first, _, rest = name.partition(".")
    spec = spec_of(type(strategy), first)
    value = getattr(strategy, spec.name) if spec else None
    if not rest or not isinstance(value, Strategy):
        return None if rest else plain(value)
    return value.title if rest == "strategy" else _value_named(rest, value)


def _spec_named(name: str, strategy: Strategy) -> SettingSpec | None:
    """A setting by its YAML name, also one of the strategy inside this one."""
    first, _, rest = name.partition(".")
    spec = spec_of(type(strategy), first)
    if spec is None or not rest or rest == "strategy":
        return spec
    inside = getattr(strategy, spec.name)
    return _spec_named(rest, inside) if isinstance(inside, Strategy) else None


def sentence(text: str, strategy: Strategy) -> Markup:
    """The same as markup, and numbers of tokens as everywhere on screen: `1,328 tokens`."""
    code = Markup("{} <code>{}</code>")
    said = _TOKENS.sub(lambda match: f"{int(match[0]):,}", text)
    return joined(code.format(title, name) if title else name for title, name in _named(said, strategy))


def reason(boundary: Boundary, strategy: Strategy) -> Markup:
    """A plain sentence, and the rule's id behind it."""
    return Markup("{} <code>{}</code>").format(sentence(_said(boundary), strategy), boundary.rule)


def plain_reason(boundary: Boundary, strategy: Strategy) -> str:
    """The sentence alone, as text."""
    return plain_sentence(_said(boundary), strategy)


def _said(boundary: Boundary) -> str:
    return f"{boundary.detail[:1].upper()}{boundary.detail[1:]}."


def _named(text: str, strategy: Strategy) -> Iterator[tuple[str, str]]:
    """The text in pieces: a setting's title and name, or "" and the words between."""
    titles, found = _titles(strategy), 0
    for match in _pattern(tuple(titles)).finditer(text) if titles else ():
        yield "", text[found : match.start()]
        yield titles[match[0]], match[0]
        found = match.end()
    yield "", text[found:]


@lru_cache(maxsize=64)
def _pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """The names as words of their own: not in quotes, where a heading may be called so."""
    return re.compile(
        rf"(?<![\w.'])(?:{'|'.join(re.escape(name) for name in sorted(names, key=len, reverse=True))})(?![\w'])"
    )


def _titles(strategy: Strategy) -> dict[str, str]:
    """By YAML name: the settings' titles, also those of a strategy inside this one. A name that is
    its title, such as `separator`, is a word of the sentence and needs none before it."""
    titles = dict[str, str]()
    for spec in setting_specs(type(strategy)):
        if spec.label != spec.title.lower():
            titles[spec.label] = spec.title
        inside = getattr(strategy, spec.name)
        if isinstance(inside, Strategy):
            inner = _titles(inside)
            titles |= {f"{spec.label}.{name}": title for name, title in inner.items()}
            titles |= {name: title for name, title in inner.items() if name not in titles}
    return titles
