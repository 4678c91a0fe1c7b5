"""The page about a strategy: prose written by hand, and parts generated from the declarations and
from a real run.

Used by docs/strategies/*.md and by the app. `python -m chunking.strategy_docs.page` rewrites the
generated parts of the files, which are between the comments `<!-- made: settings -->` and
`<!-- end: settings -->`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from chunking import strategies
from chunking.analysis.comparison import Comparison, compare
from chunking.analysis.metric_table import metric, share_text
from chunking.config.config import Config
from chunking.core.strategy import Strategy
from chunking.document import Document, Section, Span
from chunking.document.parser import parse
from chunking.errors import OutputError
from chunking.runs import Run, run
from chunking.strategy_docs.tables import code, figure_rows, markdown_table, reason_rows, setting_rows
from chunking.strategy_docs.worked_picture import picture, picture_text

PROSE = ("What it is for", "How it decides", "Where it fails", "Decided where the written rules left a choice")
"""The sections that are written by hand, on every page."""
PICTURE = "Worked picture"
"""The section that holds the picture's config as YAML."""
BASELINE = "every-heading"
"""The strategy that a picture's numbers are compared with."""

_MADE = re.compile(r"<!-- made: ([\w-]+) -->\n.*?<!-- end: \1 -->\n?", re.DOTALL)
_YAML = re.compile(r"^```yaml\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def bundled_folder(folder: str) -> Path:
    """A folder that is shipped with the app: inside the package in a wheel, else beside it. Raises
    OutputError."""
    package = Path(__file__).resolve().parents[1]
    for found in (package / "_app" / folder, package.parent / folder):
        if found.is_dir():
            return found
    raise OutputError(f"{folder}: is not installed; install the wheel, or run it from the repository")


def page_path(name: str) -> Path:
    """Where the page of a strategy is, or would be. Raises OutputError for a name that no strategy
    can have."""
    if not _NAME.fullmatch(name):
        raise OutputError(f"{name[:60]!r}: a page is named like a strategy, in lower case with hyphens")
    return bundled_folder("docs/strategies") / f"{name}.md"


def page_text(name: str) -> str:
    """The page as it is in docs/; empty for a strategy of another package, which has none."""
    path = page_path(name)
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def prose(page: str) -> Mapping[str, str]:
    """The page's sections by title, without the generated parts."""
    document = parse(page)
    sections = [section for section in document.outline.walk() if section.level == 2]
    return {section.title: _MADE.sub("", _under_heading(document, section)).strip() for section in sections}


def _under_heading(document: Document, section: Section) -> str:
    start = section.heading.span.end if section.heading else section.span.start
    return document[Span(start, section.span.end)]


def generated_part(page: str, part: str) -> str:
    """A generated part of the page, without its comments; empty where the page does not have it."""
    found = next((each[0] for each in _MADE.finditer(page) if each[1] == part), "")
    return "\n".join(found.splitlines()[1:-1]).strip()


def picture_prose(page: str) -> str:
    """The page's prose about its picture."""
    return _YAML.sub("", prose(page).get(PICTURE, "")).strip()


def picture_yaml(page: str) -> str:
    """The config of the picture as the page writes it; empty where it writes none."""
    written = _YAML.search(prose(page).get(PICTURE, ""))
    return written[1] if written else ""


def picture_config(strategy: type[Strategy], page: str) -> Config:
    """The config that the page's picture is made with, from its YAML; the defaults where there is
    none."""
    written = picture_yaml(page)
    return Config.from_yaml(written) if written else Config(strategy())


@cache
def example() -> Document:
    """The document of all pictures."""
    path = bundled_folder("docs/strategies") / "example" / "kettle.md"
    return parse(path.read_text(encoding="utf-8"), name=path.name)


@dataclass(frozen=True)
class WorkedExample:
    """The run of the example by a strategy, and its comparison with every-heading."""

    after: Run
    compared: Comparison


def worked_example(config: Config) -> WorkedExample:
    """Cut the example. Raises ModelError when it needs a model that cannot be reached."""
    after = run(example(), config)
    before = run(example(), Config(strategies.get(BASELINE)(), config.counter))
    return WorkedExample(after, compare(before, after))


# --- Markdown -------------------------------------------------------------------------------------


def settings_part(strategy: type[Strategy]) -> str:
    """The table of settings."""
    rows = setting_rows(strategy)
    if not rows:
        return "None: there is nothing to tune.\n"
    head = ("In the YAML", "On screen", "Default", "Takes", "Unit", "What it does")
    cells = [(code(row.name), row.title, code(row.default), row.takes, row.unit, row.help) for row in rows]
    return markdown_table(head, cells)


def reasons_part(strategy: type[Strategy]) -> str:
    """The table of the reasons that the strategy may give."""
    rows = [
        (code(row.rule), row.meaning, "any strategy" if row.shared else "this one") for row in reason_rows(strategy)
    ]
    return markdown_table(("Reason", "Meaning", "Given by"), rows)


def facts_part(strategy: type[Strategy]) -> str:
    """The lines under the page's title."""
    also = f" Its written rules count with `{strategy.spec_counter}`, an estimate." if strategy.spec_counter else ""
    return f"`{strategy.name}`: {strategy.summary}\n\nTokenizer: `{strategy.default_counter}` by default.{also}\n"


def picture_part(strategy: type[Strategy], page: str) -> str:
    """The picture and its numbers."""
    cut = worked_example(picture_config(strategy, page))
    text = picture_text(picture(cut.after))
    fence = "`" * max(3, 1 + max((len(ticks) for ticks in re.findall("`+", text)), default=0))
    rows = figure_rows(cut.compared.before_metrics, cut.compared.after_metrics)
    counted = f"Tokenizer `{cut.after.config.counter}`:\n\n"
    if strategy.name == BASELINE:
        table = markdown_table(("", f"`{BASELINE}`"), [(row.name, row.after) for row in rows])
    else:
        head = ("", f"before: `{BASELINE}`", f"after: `{strategy.name}`")
        table = markdown_table(head, [(row.name, row.before, row.after) for row in rows])
    return f"{fence}text\n{text}\n{fence}\n\n{counted}{table}"


def samples_part(strategy: type[Strategy]) -> str:
    """The table of metrics on each sample document, with the strategy's defaults."""
    limits = strategy().limits()
    head = ("Sample", "Chunks", "Median tokens", "Largest", "Over the maximum", "Headings only", "Blocks cut in two")
    rows = []
    for path in sorted(bundled_folder("sample_docs").glob("[0-9]*.md")):
        metrics = run(parse(path.read_text(encoding="utf-8"), name=path.name), Config(strategy())).metrics
        over = str(metrics.over_maximum) if limits.maximum is not None else "–"
        numbers = (metric("median_tokens").text(metrics), f"{metrics.max_tokens:,}", over)
        more = (str(metrics.heading_only), str(metrics.blocks_cut), _left_out(metrics.coverage))
        rows.append((code(path.name), str(metrics.chunk_count), *numbers, *more))
    return markdown_table((*head, "Left out"), rows)


def _left_out(coverage: float) -> str:
    return share_text(1 - coverage)


def list_part() -> str:
    """Every strategy that has a page."""
    known = [strategies.get(name) for name in strategies.names() if page_path(name).is_file()]
    rows = [(f"[{each.title}]({each.name}.md)", code(each.name), each.summary) for each in known]
    return markdown_table(("Strategy", "Name", "What it does"), rows)


# --- files ----------------------------------------------------------------------------------------


def rewritten(strategy: type[Strategy], page: str) -> str:
    """The page with its parts generated again. Raises OutputError for an unknown part."""
    makers: Mapping[str, Callable[[], str]] = {
        "facts": lambda: facts_part(strategy),
        "picture": lambda: picture_part(strategy, page),
        "settings": lambda: settings_part(strategy),
        "reasons": lambda: reasons_part(strategy),
        "samples": lambda: samples_part(strategy),
    }
    return _with_parts(page, makers)


def rewritten_list(page: str) -> str:
    """The folder's README.md with its list generated again."""
    return _with_parts(page, {"list": list_part})


def _with_parts(page: str, makers: Mapping[str, Callable[[], str]]) -> str:
    def replacement(found: re.Match[str]) -> str:
        name = found[1]
        if name not in makers:
            raise OutputError(f"made: {name}: no part is called that; there are: {', '.join(makers)}")
        return f"<!-- made: {name} -->\n\n{makers[name]()}\n<!-- end: {name} -->\n"

    return _MADE.sub(replacement, page)


def main() -> None:
    """Rewrite the generated parts of all pages, and print which files changed."""
    folder = bundled_folder("docs/strategies")
    pages = {page_path(name): strategies.get(name) for name in strategies.names() if page_path(name).is_file()}
    for path in [*pages, folder / "README.md"]:
        was = path.read_text(encoding="utf-8")
        now = rewritten(pages[path], was) if path in pages else rewritten_list(was)
        if now != was:
            path.write_text(now, encoding="utf-8", newline="\n")
            print(f"rewritten: {path.name}")


if __name__ == "__main__":
    main()
