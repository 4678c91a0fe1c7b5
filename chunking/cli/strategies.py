"""`chunkscope strategies`: what there is to choose from, as every strategy declares it itself."""

from __future__ import annotations

from typing import Annotated

import typer

from chunking import strategies
from chunking.cli.inputs import AsJson
from chunking.cli.terminal import print_json, print_line, print_table
from chunking.config.config import Config
from chunking.config.setting_spec import SettingSpec, setting_specs
from chunking.config.validation import plain
from chunking.core.chunk import SHARED_RULES
from chunking.core.strategy import Strategy
from chunking.imported import PEERS
from chunking.text.display import shown
from chunking.tokens import counter_names
from chunking.tokens.token_counter import FILE


def strategies_command(
    json: AsJson = False,
    json_schema: Annotated[
        bool, typer.Option("--json-schema", help="Write the JSON Schema of the YAML, for editors.")
    ] = False,
    rules: Annotated[bool, typer.Option("--rules", help="List the rules instead of the settings.")] = False,
) -> None:
    """List the strategies: settings with defaults and help, or rules with their meaning."""
    known = [strategies.get(name) for name in strategies.names()]
    if json_schema:
        print_json(Config.json_schema())
    elif json:
        print_json(known_strategies())
    elif rules:
        _say_rules(known)
    else:
        _say_settings(known)


def known_strategies() -> dict[str, object]:
    """What --json prints: every strategy with its settings and rules."""
    known = [strategies.get(name) for name in strategies.names()]
    return {"strategies": [_described(each) for each in known], "shared_rules": dict(SHARED_RULES)}


def _say_settings(known: list[type[Strategy]]) -> None:
    for strategy in known:
        also = f" (its written rules with {strategy.spec_counter})" if strategy.spec_counter else ""
        print_line(f"{strategy.name}: {strategy.summary} Tokenizer {strategy.default_counter}{also}.")
        settings = _settings(strategy)
        if settings:
            rows = [(each["name"], each["default"], each["takes"], each["help"]) for each in settings]
            print_table(("setting", "default", "takes", "raised"), rows)
        else:
            print_line("no settings")
        print_line("")
    print_line(f"Other packages' splitters, where a config stands: {', '.join(peer.name for peer in PEERS)}.")
    print_line(
        f"Tokenizers: {', '.join(counter_names())}, {FILE}PATH (any Hugging Face tokenizer; PATH from the YAML)."
    )


def _say_rules(known: list[type[Strategy]]) -> None:
    rows = [("all", rule, meaning) for rule, meaning in SHARED_RULES.items()]
    rows += [(each.name, rule, meaning) for each in known for rule, meaning in each.rules.items()]
    print_table(("strategy", "rule", "meaning"), rows)


def _settings(strategy: type[Strategy]) -> list[dict[str, str]]:
    """Each setting in words: its name in the YAML, default, what it takes, and the effect of
    raising it."""
    return [
        {"name": spec.label, "default": _default(spec), "takes": spec.takes, "help": spec.help}
        for spec in setting_specs(strategy)
    ]


def _default(spec: SettingSpec) -> str:
    """A setting's default in words; a wrapped strategy by its name."""
    return spec.default.name if isinstance(spec.default, Strategy) else shown(plain(spec.default))


def _described(strategy: type[Strategy]) -> dict[str, object]:
    defaults = {spec.label: plain(spec.default) for spec in setting_specs(strategy)}
    settings = [{**each, "default": defaults[each["name"]]} for each in _settings(strategy)]
    return {
        "name": strategy.name,
        "title": strategy.title,
        "summary": strategy.summary,
        "counter": strategy.default_counter,
        "spec_counter": strategy.spec_counter or None,
        "settings": settings,
        "rules": dict(strategy.rules),
    }
