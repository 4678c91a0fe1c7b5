"""The report in real Chromium: downloaded from the app, opened from the disk, with nothing to ask
anybody for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from panels import open_panel
from playwright.sync_api import Browser, Page, expect

from chunking import Config, parse, run
from chunking.report.report import html_report

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "sample_docs" / "10-an-api-reference.md"
PATIENCE = 45_000
AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
SERIOUS = """() => axe.run(document, { resultTypes: ["violations"] }).then((found) => found.violations
    .filter((each) => ["serious", "critical"].includes(each.impact))
    .map((each) => `${each.id}: ${each.nodes.map((node) => node.html.slice(0, 160)).join(" AND ")}`))"""
HOSTILE = (
    "# :red[x] $y$ <script>owned=1</script>\n\n<img src=x onerror=\"owned=1\"> </pre></style><iframe src='//a.example'>"
    "\n\n## [a](javascript:alert(1))\n\n\u202etxet\n"
)


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Callable[[str], tuple[Page, list[str]]]]:
    """`opened(report)` opens it from the disk without a network: the page, and what it asked for or
    complained of."""
    context = browser.new_context(viewport={"width": 1440, "height": 900}, offline=True, bypass_csp=False)

    def show(report: str) -> tuple[Page, list[str]]:
        path = tmp_path / "report.html"
        path.write_text(report, encoding="utf-8")
        page, seen = context.new_page(), []
        page.on("request", lambda request: seen.append(request.url) if request.url != path.as_uri() else None)
        page.on("console", lambda message: seen.append(message.text))
        page.on("pageerror", lambda error: seen.append(str(error)))
        page.goto(path.as_uri())
        return page, seen

    yield show
    context.close()


def test_the_app_gives_a_report_that_opens_from_the_disk_and_asks_for_nothing(
    page: Page,
    serve: Callable[[str], str],
    opened: Callable[[str], tuple[Page, list[str]]],
    tmp_path: Path,
) -> None:
    page.goto(f"{serve('app.py')}/?document=sample:{SAMPLE.name}&strategy=hierarchical&was.strategy=fixed")
    open_panel(page, "Export")
    with page.expect_download(timeout=PATIENCE) as download:
        page.get_by_role("button", name="Report (HTML)").click(timeout=PATIENCE)
    download.value.save_as(tmp_path / "from-the-app.html")
    document = parse(SAMPLE.read_text(encoding="utf-8"), name=SAMPLE.name)
    now, before = (run(document, Config.of(name, {})) for name in ("hierarchical", "fixed"))

    assert download.value.suggested_filename == "10-an-api-reference.html"
    assert (tmp_path / "from-the-app.html").read_text(encoding="utf-8") == html_report(now, before)
    report, seen = opened(html_report(now, before))
    expect(report.get_by_role("heading", name=SAMPLE.name)).to_be_visible()
    expect(report.locator("article")).to_have_count(len(now.chunks))
    report.get_by_role("link", name="Boundaries").click()
    expect(report.get_by_role("heading", name="Boundaries")).to_be_in_viewport()
    with report.expect_download() as saved:
        report.get_by_role("link", name="Save chunks.yaml").click()
    assert Config.from_yaml(saved.value.path().read_bytes()) == now.config
    assert [each for each in seen if not each.startswith("data:application/yaml")] == []


@pytest.mark.parametrize(("scheme", "width"), [("dark", 1440), ("light", 390)])
def test_it_is_readable_in_both_themes_and_on_a_phone(
    browser: Browser, tmp_path: Path, scheme: str, width: int
) -> None:
    document = parse(SAMPLE.read_text(encoding="utf-8"), name=SAMPLE.name)
    made = html_report(run(document, Config.of("block-packing", {})), run(document, Config.of("fixed", {})))
    (tmp_path / "report.html").write_text(made, encoding="utf-8")
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)  # type: ignore[arg-type]
    page.goto((tmp_path / "report.html").as_uri())
    page.add_style_tag(content="* { content-visibility: visible !important }")
    page.evaluate(AXE)

    assert page.evaluate(SERIOUS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(int(part) for part in re.findall(r"\d+", ground)[:3]) < 200) == (scheme == "dark")
    page.close()


def test_hostile_text_is_only_ever_text_and_its_own_style_is_all_that_applies(
    opened: Callable[[str], tuple[Page, list[str]]],
) -> None:
    document = parse(HOSTILE, name='<img src=x onerror="owned=1">.md')
    page, seen = opened(
        html_report(run(document, Config.of("every-heading", {})), run(document, Config.of("fixed", {})))
    )

    expect(page.locator("article").first).to_contain_text("# :red[x] $y$ <script>owned=1</script>")
    expect(page.locator("h1")).to_have_text('<img src=x onerror="owned=1">.md')
    expect(page.locator("script, img, iframe, a[href^=javascript]")).to_have_count(0)
    assert page.evaluate("typeof owned") == "undefined"
    assert page.evaluate("getComputedStyle(document.querySelector('.part')).display") == "grid"
    assert seen == []
