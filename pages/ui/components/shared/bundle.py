"""JavaScript modules as one: a component takes one string, and imports have no address to resolve from."""

from __future__ import annotations

import re
from pathlib import Path

_FIRST = Path(__file__).parent / "component.js"


def bundle(*modules: Path) -> str:
    """The modules joined in this order, behind component.js, without their imports, exports and comments."""
    joined = "\n".join(module.read_text(encoding="utf-8") for module in (_FIRST, *modules))
    joined = re.sub(r"^import [^;]*;\n", "", joined, flags=re.MULTILINE)
    joined = re.sub(r"^export (?!default)", "", joined, flags=re.MULTILINE)
    return re.sub(r"^\s*//.*\n|^\s*/\*\*.*\*/\n|^\s+", "", joined, flags=re.MULTILINE)
