"""What a first visit imports: a server that has shown its first page has read no table."""

from __future__ import annotations

import subprocess
import sys

import pytest

OPENED = """
import sys
from app_pages import open_page
app = open_page({page!r}, strategy="heading-window")
assert not app.exception
assert app.get("bidi_component")
print(*sorted({{"pandas", "pyarrow"}} & set(sys.modules)))
"""


@pytest.mark.parametrize("page", ["", "pages/corpus.py"])
def test_a_first_visit_imports_no_pandas(page: str) -> None:
    paths = [path for path in sys.path if path]
    program = f"import sys; sys.path[:0] = {paths!r}\n" + OPENED.format(page=page)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=240, check=False)

    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split() == []
