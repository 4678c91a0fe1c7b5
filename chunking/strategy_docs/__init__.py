"""The pages about strategies, written from their declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chunking.runtime.fronts import front

if TYPE_CHECKING:
    from chunking.strategy_docs.page import BASELINE as BASELINE
    from chunking.strategy_docs.page import PICTURE as PICTURE
    from chunking.strategy_docs.page import PROSE as PROSE
    from chunking.strategy_docs.page import generated_part as generated_part
    from chunking.strategy_docs.page import page_text as page_text
    from chunking.strategy_docs.page import picture_config as picture_config
    from chunking.strategy_docs.page import picture_prose as picture_prose
    from chunking.strategy_docs.page import picture_yaml as picture_yaml
    from chunking.strategy_docs.page import prose as prose
    from chunking.strategy_docs.page import worked_example as worked_example
    from chunking.strategy_docs.tables import FigureRow as FigureRow
    from chunking.strategy_docs.tables import figure_rows as figure_rows
    from chunking.strategy_docs.tables import reason_rows as reason_rows
    from chunking.strategy_docs.tables import setting_rows as setting_rows
    from chunking.strategy_docs.worked_picture import PictureLine as PictureLine
    from chunking.strategy_docs.worked_picture import picture as picture
else:
    __getattr__, __all__ = front(
        __name__,
        page=(
            "BASELINE",
            "PICTURE",
            "PROSE",
            "generated_part",
            "page_text",
            "picture_config",
            "picture_prose",
            "picture_yaml",
            "prose",
            "worked_example",
        ),
        tables=("FigureRow", "figure_rows", "reason_rows", "setting_rows"),
        worked_picture=("PictureLine", "picture"),
    )
