"""The report is one file that needs nothing else, holds the whole source and every reason, and runs
nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from base64 import b64decode, b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markupsafe import Markup

from chunking import Config, Run, cli, parse, run, strategies
from chunking.analysis.metric_table import within_text
from chunking.config.config import read_yaml
from chunking.report.charts import histogram
from chunking.report.html import line_html, source_html, template
from chunking.report.report import html_report, replay_command

GUIDE = "# Guide\n\nHello there.\n\n## Install\n\nRun it.\n\n## Use\n\nUse it, 語.\n"
HOSTILE = (
    "---\ntitle: </style><script>a</script>\n---\n\n# :red[x] $y$ <script>alert(1)</script>\r\n\r\n"
    '## [a](javascript:alert(1)) <img src=x onerror="alert(1)">\n\n&lt; &amp; " \' \x07 \u202eabc \u200b\x85 end\n\n'
    "```\n</pre></article><b>\n\n"
)
LOCAL = ("semantic", "contextual")
"""Strategies that load a model, which is not what is tested here."""


class Read(HTMLParser):
    """A report as a browser would read it: its elements with their attributes, and the texts of
    some of them."""

    def __init__(self, report: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.open: list[tuple[str, str]] = []
        self.texts: list[tuple[list[tuple[str, str]], str]] = []
        self.feed(report)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.elements.append((tag, given))
        if tag not in ("meta", "br"):
            self.open.append((tag, given.get("class", "")))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        self.texts.append((list(self.open), data))

    def text(self, kind: str) -> str:
        """All text inside elements of this class."""
        return "".join(text for inside, text in self.texts if any(kind in each.split() for _, each in inside))

    def attributes(self, name: str) -> list[str]:
        return [given[name] for _, given in self.elements if name in given]


def cut(text: str, strategy: str = "every-heading", settings: dict[str, int] | None = None, name: str = "a.md") -> Run:
    return run(parse(text, name=name), Config.of(strategy, {**(settings or {})}))


def seen(text: str) -> str:
    """A text with what cannot be seen as the report's pictures of it."""
    return text.replace("\r\n", "\n").replace("\x07", "␇").replace("\u202e", "⇄").replace("\x85", "␦")


@pytest.mark.parametrize("strategy", [name for name in strategies.names() if name not in LOCAL])
@pytest.mark.parametrize("text", [GUIDE, HOSTILE, "", "\n\n", "one line", "a\rb\r\n\r\nc" + " word" * 900])
def test_the_source_pieces_join_to_the_document(strategy: str, text: str) -> None:
    read = Read(html_report(cut(text, strategy), cut(text, "fixed")))

    assert read.text("src") == seen(text).replace("\r", "\n")
    assert read.open == []


def test_document_text_and_names_become_no_element_and_no_attribute() -> None:
    named = '<img src=x onerror="alert(1)"> :red[x].md'
    read = Read(html_report(cut(HOSTILE, name=named), cut(HOSTILE, "recursive", name=named)))

    assert {tag for tag, _ in read.elements} & {"script", "img", "b", "iframe", "object", "form", "base"} <= {"b"}
    assert [name for _, given in read.elements for name in given if name.startswith("on") or name == "style"] == []
    assert [
        link for link in read.attributes("href") if not link.startswith(("#", "data:application/yaml;base64,"))
    ] == []
    assert read.attributes("src") == []
    assert f"{named} › :red[x] $y$ alert(1) › [a](javascript:alert(1))" in read.text("crumb")


def test_only_what_is_markup_by_its_type_is_written_into_a_template_as_it_is() -> None:
    drawn = template("report.html").environment.from_string("{{ text }}{{ text|line }}<p title='{{ text|attribute }}'>")

    assert drawn.render(text="<b>'") == "&lt;b&gt;&#39;<bdi>&lt;b&gt;&#39;</bdi><p title='&lt;b&gt;&#39;'>"
    assert drawn.render(text=Markup("<b>")).startswith("<b>")


def test_nothing_may_be_loaded_or_run_and_only_its_own_style_applies() -> None:
    report = html_report(cut(GUIDE))
    style = re.search(r"<style>(.*?)</style>", report, re.DOTALL)
    assert style
    hashed = b64encode(sha256(style[1].encode()).digest()).decode()

    assert f"content=\"default-src 'none'; style-src 'sha256-{hashed}'; base-uri 'none'; form-action 'none'\"" in report
    assert "url(" not in style[1]
    assert "@import" not in style[1]


def test_the_same_run_gives_the_same_bytes() -> None:
    assert html_report(cut(GUIDE), cut(GUIDE, "fixed")) == html_report(cut(GUIDE), cut(GUIDE, "fixed"))


def test_each_boundary_is_there_with_its_rule_its_detail_and_its_numbers() -> None:
    text = "# A\n\n" + "".join(f"## S {n}\n\n{'word ' * 25}\n\n" for n in range(4))
    of = cut(text, "heading-window", {"minTokens": 40, "minTokensDeeper": 40, "maxTokens": 90})
    report = html_report(of)

    assert report.count("<article ") == 2
    for chunk in of.chunks:
        assert report.count(line_html(chunk.ended_by.detail)) >= 2  # beside the text, and in the table
    assert "held 62 · limit 40 (minTokens)" in Read(report).text("line")


def test_overlap_context_and_what_was_left_out_are_shown_for_what_they_are() -> None:
    fixed = Read(html_report(cut("word " * 300, "fixed", {"chunkSize": 500, "chunkOverlap": 100})))
    window = Read(html_report(cut("---\na: b\n---\n\n" + GUIDE, "block-packing")))

    assert fixed.text("lap").startswith("Overlap, repeated")
    assert "word word" in fixed.text("lap")
    assert "a: b" in window.text("skip")
    assert "front-matter" in window.text("skip")
    assert "Context, added# Guide" in window.text("added")


def test_counts_that_are_estimates_say_so() -> None:
    exact, about = (html_report(run(parse(GUIDE), Config.of("fixed", {}, name))) for name in ("cl100k_base", "words"))

    assert ", tokenizer <code>" in exact
    assert "≈" not in exact
    assert "approximate tokenizer <code>" in about
    assert "≈13 tokens" in about


def test_a_baseline_stands_beside_with_what_became_of_its_cuts() -> None:
    alone, both = (
        html_report(cut(GUIDE)),
        html_report(cut(GUIDE), cut(GUIDE, "fixed", {"chunkSize": 30, "chunkOverlap": 0})),
    )
    read = Read(both)

    assert "was" not in Read(alone).text("strip")
    assert read.text("strip").startswith("Chunks3 baseline 3")
    assert "Boundaries: 1 kept, 1 moved, 0 added, 0 removed. To re-embed: 3 of 3 chunks (100%)" in both
    assert read.text("was") == "cut before: separator"
    assert read.text("change") == "as beforemoved from line 10"


def test_the_yaml_in_it_verifies_against_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "guide.md").write_bytes(GUIDE.encode())
    monkeypatch.chdir(tmp_path)
    of = cut(GUIDE, "hierarchical", {"target": 20, "hardCap": 40}, name="guide.md")
    read = Read(html_report(of))
    saved = next(link for link in read.attributes("href") if link.startswith("data:"))
    yaml = b64decode(saved.partition(",")[2]).decode()
    (tmp_path / "chunks.yaml").write_text(yaml)

    assert yaml in read.text("code")
    assert "chunkscope verify chunks.yaml guide.md" in read.text("code")
    assert read_yaml(yaml)[0] == of.config
    assert cli.main(["verify", "chunks.yaml", "guide.md"]) == 0


@pytest.mark.parametrize(
    ("names", "command"),
    [
        (["a.md"], "chunkscope verify chunks.yaml a.md"),
        (["a b;rm.md", "-x.md"], "chunkscope verify chunks.yaml 'a b;rm.md' ./-x.md"),
        (["docs/a.md"], "chunkscope verify chunks.yaml FOLDER"),
    ],
)
def test_the_command_is_safe_to_paste(names: list[str], command: str) -> None:
    assert replay_command(names) == command


def test_what_cannot_be_seen_is_seen_and_joined_emoji_stay_whole() -> None:
    assert source_html("a\u202eb") == 'a<span class="ctl" title="U+202E">⇄</span>b'
    assert (
        source_html("\0\ud800") == '<span class="ctl" title="U+0000">␀</span><span class="ctl" title="U+D800">␦</span>'
    )
    assert source_html("a\u2060b") == 'a<span class="zw" title="U+2060">\u2060</span>b'
    assert source_html("👩\u200d👧") == "👩\u200d👧"


def test_a_report_loads_neither_plotly_nor_pandas() -> None:
    program = (
        "import sys; from chunking import Config, parse, run; from chunking.report.report import html_report;"
        "html_report(run(parse('# A', name='a.md'), Config.of('fixed', {})));"
        "print(*sorted({'plotly', 'pandas', 'streamlit', 'typer'} & set(sys.modules)))"
    )
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert loaded.stdout.split() == []


# ---- the command line ----


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "guide.md").write_text(GUIDE, encoding="utf-8")
    (tmp_path / "docs" / "other.md").write_text("# Other\n\nWords.\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_several_documents_make_one_report_with_a_section_each(folder: Path) -> None:
    assert cli.main(["run", "every-heading", "docs", "-o", "report.html", "--baseline", "fixed"]) == 0
    read = Read((folder / "report.html").read_text(encoding="utf-8"))

    assert [given["id"] for _, given in read.elements if given.get("class") == "document"] == ["d1", "d2"]
    assert read.text("src") == GUIDE + "# Other\n\nWords.\n"
    assert "chunkscope verify chunks.yaml guide.md other.md" in read.text("code")
    assert len(read.attributes("id")) == len(set(read.attributes("id")))
    assert {link[1:] for link in read.attributes("href") if link.startswith("#")} <= set(read.attributes("id"))


def test_in_a_folder_the_report_is_an_index_with_the_worst_first_and_a_page_for_each_document(folder: Path) -> None:
    rows = "".join(f"| row {row} | {'cell ' * 9}|\n" for row in range(60))
    (folder / "docs" / "torn.md").write_text(f"# Torn\n\n| a | b |\n|---|---|\n{rows}", encoding="utf-8")
    assert cli.main(["run", "fixed", "docs", "-o", "report/", "--format", "html", "--baseline", "every-heading"]) == 0
    index = (folder / "report" / "index.html").read_text(encoding="utf-8")
    read, links = Read(index), re.findall(r'<a href="(documents/[0-9a-f]{20}\.html)">(?:<bdi>)?([^<]*)', index)

    assert links[0][1] == "torn.md"
    assert {name for _, name in links[1:]} == {"guide.md", "other.md"}
    assert "1 of 3 documents fails a health check." in index
    assert "Tables kept whole" in index
    assert "chunkscope verify chunks.yaml" in read.text("code")
    for link, name in links:
        page = Read((folder / "report" / link).read_text(encoding="utf-8"))
        assert page.text("src") == (folder / "docs" / name).read_text(encoding="utf-8")
        assert "../index.html" in page.attributes("href")
        assert {of[1:] for of in page.attributes("href") if of.startswith("#")} <= set(page.attributes("id"))
    before = {file: file.read_bytes() for file in (folder / "report").rglob("*.html")}

    (folder / "docs" / "other.md").unlink()
    assert cli.main(["run", "fixed", "docs", "-o", "report", "--format", "html", "--baseline", "every-heading"]) == 0
    after = {file: file.read_bytes() for file in (folder / "report").rglob("*.html")}
    gone = {folder / "report" / link for link, name in links if name == "other.md"}
    assert set(before) - set(after) == gone
    assert {file: page for file, page in before.items() if file.parent.name == "documents" and file not in gone} == {
        file: page for file, page in after.items() if file.parent.name == "documents"
    }


def test_workers_give_the_same_report(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["run", "every-heading", "docs", "-o", "one.html"]) == 0
    assert cli.main(["run", "every-heading", "docs", "--format", "html", "--workers", "2"]) == 0

    assert (folder / "one.html").read_text(encoding="utf-8") == capfd.readouterr().out


def test_a_document_that_cannot_be_read_is_said_and_the_others_are_reported(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "docs" / "bad.md").write_bytes(b"caf\xe9\n")

    assert cli.main(["run", "every-heading", "docs", "-o", "report.html"]) == 2
    assert "docs/bad.md: byte 3 (0xE9) is not UTF-8" in capfd.readouterr().err
    assert (folder / "report.html").read_text(encoding="utf-8").count('class="document"') == 2


def test_a_baseline_without_a_report_is_refused(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert folder.is_dir()
    assert cli.main(["run", "every-heading", "docs", "--baseline", "fixed"]) == 2
    assert capfd.readouterr().err == (
        "chunkscope: --baseline: --format jsonl compares nothing; take --format html, or chunkscope compare\n"
    )


def test_a_bar_of_the_reports_histogram_is_on_one_side_of_the_limits() -> None:
    # Lists stay whole whatever their size, so that some chunks are over each of these maxima and
    # some are not.
    text = "".join(f"# H {n}\n\n- {'word ' * 10 * n}\n\n" for n in range(1, 9))
    for maximum in range(40, 80):
        of = cut(text, "block-packing", {"maxTokens": maximum, "overlapPercentage": 0})
        over = [bar.title.split()[-2] for bar in histogram(of, None).bars if bar.kind == "over"]

        assert sum(map(int, over)) == of.metrics.over_maximum > 0


def test_the_strip_says_what_is_over_the_limit_as_inspect_does() -> None:
    text = "# A title above\n\n" + "".join(f"## Part {at}\n\n{'word ' * 88}\n\n" for at in range(6))
    of = cut(text, "heading-window", {"minTokens": 20, "minTokensDeeper": 20, "maxTokens": 95, "h1Rule": False})
    said = within_text(of.metrics)
    html = html_report(of)

    assert said.endswith("% with context)")
    assert f"<dt>Within limits</dt><dd><b>{said}</b>" in html
    assert f"<b>{said}</b> <span>baseline {said}</span>" in html_report(of, of)


def test_text_that_is_in_no_chunk_is_said_beside_the_numbers() -> None:
    lossy = run(parse(GUIDE, name="guide.md"), Config.of("heading-window", {"short_tail": "skip"}))
    whole = run(parse(GUIDE, name="guide.md"), Config.of("heading-window", {"short_tail": "keep"}))

    head = html_report(lossy).partition('id="source"')[0]
    assert f"{lossy.metrics.left_out} visible characters are in no chunk" in head
    assert "in no chunk; the Source" not in html_report(whole)
