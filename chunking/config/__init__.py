"""A strategy with its settings and a counter: to and from YAML, links and JSON Schema, with its
proof."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.config.config import DocumentProof as DocumentProof
    from chunking.config.loader_part import LOADER_HELP as LOADER_HELP
    from chunking.config.loader_part import loader_from as loader_from
    from chunking.config.overrides import Override as Override
    from chunking.config.overrides import override_from_text as override_from_text
    from chunking.config.overrides import overrides_from as overrides_from
    from chunking.config.proof import proof_of as proof_of
    from chunking.config.proof import proof_of_hashes as proof_of_hashes
    from chunking.config.setting_spec import SettingSpec as SettingSpec
    from chunking.config.setting_spec import number_text as number_text
    from chunking.config.setting_spec import setting_specs as setting_specs
    from chunking.config.setting_spec import spec_of as spec_of
    from chunking.config.url import query_of as query_of
    from chunking.config.validation import make_strategy as make_strategy
    from chunking.config.validation import plain as plain
    from chunking.config.validation import plain_settings as plain_settings
    from chunking.config.values import Value as Value
else:
    __getattr__, __all__ = front(
        __name__,
        config=("DocumentProof",),
        loader_part=("LOADER_HELP", "loader_from"),
        overrides=("Override", "override_from_text", "overrides_from"),
        proof=("proof_of", "proof_of_hashes"),
        setting_spec=("SettingSpec", "number_text", "setting_specs", "spec_of"),
        url=("query_of",),
        validation=("make_strategy", "plain", "plain_settings"),
        values=("Value",),
    )
