"""Settings in sentences: the title before the YAML name, where the name is no word by itself."""

from __future__ import annotations

from chunking import Boundary, Config
from chunking.config import setting_specs
from chunking.core import Strategy
from chunking.strategies.fixed import Fixed
from pages.ui.layout.setting_names import control_label, reason, title

STRATEGY: Strategy = Fixed()


def test_a_setting_in_a_reason_has_its_title_before_it() -> None:
    said = reason(Boundary("window-full", "the chunk has 680 tokens, which fill chunkSize (680)"), STRATEGY)

    assert (
        said == "The chunk has 680 tokens, which fill Chunk size <code>chunkSize</code> (680). <code>window-full</code>"
    )


def test_a_setting_that_is_called_as_its_title_stays_a_word_of_the_sentence() -> None:
    said = reason(Boundary("separator", "the separator '|' begins after 577 of 680 tokens"), STRATEGY)

    assert said == "The separator &#39;|&#39; begins after 577 of 680 tokens. <code>separator</code>"


def test_tokens_in_a_reason_are_written_as_everywhere_and_a_settings_value_and_a_heading_stay() -> None:
    said = reason(Boundary("size", "1328 tokens and 1204 more would exceed chunkSize 1757 at '2026 tokens'"), Fixed())

    assert "1,328 tokens and 1,204 more would exceed Chunk size <code>chunkSize</code> 1757 at " in said
    assert "2026 tokens" in said


def test_a_controls_label_has_the_yaml_name_as_code_as_the_sliders_do() -> None:
    labels = [control_label(each) for each in setting_specs(Fixed)]

    assert labels[:2] == ["Chunk size `chunkSize`", "Overlap `chunkOverlap`"]


def test_a_setting_has_one_title_also_within_a_wrapped_strategy() -> None:
    wrapped = Config.of("contextual", {"base": {"strategy": "heading-window", "settings": {}}}).strategy

    assert title("chunkSize", Fixed()) == "Chunk size"
    assert title("base.shortTail", wrapped) == "If the last chunk is too small"
    assert title("base.strategy", wrapped) == "Base"
    assert title("colour", Fixed()) == "colour"
