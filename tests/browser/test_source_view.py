"""The boundary view as people see it: in real Chromium, on a page of its own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from waiting import until_on, until_still

from chunking import Config, parse, run, strategies

SAMPLES = Path(__file__).parents[2] / "sample_docs"
Show = Callable[..., Page]

BAND_OF_EACH_CHARACTER = """(root) => {
    const bands = [...root.querySelectorAll(".band")].map((band) => [Number(band.dataset.chunk), band.getBoundingClientRect()]);
    const gaps = [...root.querySelectorAll(".gap")].map((gap) => gap.getBoundingClientRect());
    const holds = (box, x, y) => x >= box.left && x < box.right && y >= box.top && y < box.bottom;
    const found = [];
    for (const line of root.querySelectorAll(".ln")) {
        const node = line.firstChild;
        const row = [];
        for (let at = 0; node && at < node.length; at++) {
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            const box = range.getBoundingClientRect();
            const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
            if (!box.width) row.push(null);
            else if (gaps.some((gap) => holds(gap, x, y))) row.push(-1);
            else row.push(bands.filter(([, band]) => holds(band, x, y)).map(([chunk]) => chunk));
        }
        found.push(row);
    }
    return found;
}"""  # noqa: E501

TEXT_END = """line => {
    const range = document.createRange();
    range.selectNodeContents(line);
    return Math.max(...Array.from(range.getClientRects(), (box) => box.right));
}"""


def write(folder: Path, text: str) -> Path:
    path = folder / "shown.md"
    path.write_bytes(text.encode())
    return path


def test_each_character_lies_in_the_band_of_its_chunk(show: Show, tmp_path: Path) -> None:
    text = "\n".join(f"Line {number} has some words in it, a few more than the one before." for number in range(8))
    page = show(write(tmp_path, text), every=97)

    painted = page.locator(".cs").evaluate(BAND_OF_EACH_CHARACTER)

    offset = 0
    for line, row in zip(text.split("\n"), painted, strict=True):
        assert len(row) == len(line)
        for at, band in enumerate(row):
            piece = (offset + at) // 97
            skipped = piece % 5 == 4
            chunk = piece - piece // 5
            assert band in (None, -1 if skipped else [chunk]), (offset + at, line[at])
        offset += len(line) + 1


def test_bands_follow_the_chunks_of_a_strategy(show: Show) -> None:
    path = SAMPLES / "01-headings-without-content.md"
    chunks = run(parse(path.read_text(), path.name), Config(strategies.get("every-heading")())).chunks

    page = show(path)

    first = page.locator(".lbl button").first
    spoken = f"start #1 {chunks[0].tokens}. Chunk 1 of {len(chunks)}, {chunks[0].tokens} tokens. First chunk."
    expect(first).to_have_accessible_name(spoken)
    expect(page.locator(".count")).to_have_text(re.compile(rf"^in view: chunks 1–\d of {len(chunks)}$"))
    expect(page.locator(".lbl button").nth(1).locator(".tok")).to_have_text(str(chunks[1].tokens))


def test_a_cut_inside_a_line_does_not_break_the_line(show: Show, tmp_path: Path) -> None:
    text = "a short line of text that fits\nand another of the same kind here\n"
    page = show(write(tmp_path, text), every=10)

    assert page.locator(".ln").all_inner_texts() == text.rstrip("\n").split("\n")
    heights = page.locator(".ln").evaluate_all("lines => lines.map((line) => line.offsetHeight)")
    assert heights == [20, 20]
    assert page.locator(".band.cut").count() >= 4


def test_hostile_text_stays_text(show: Show, tmp_path: Path) -> None:
    text = (
        "# <script>window.hit=1</script>\n<img src=x onerror=window.hit=1> :red[x] $x$ <b>b</b>\n[j](javascript:hit)\n"
    )
    page = show(write(tmp_path, text), every=20)

    assert page.locator(".ln").all_inner_texts() == text.rstrip("\n").split("\n")
    assert page.locator(".cs :is(script, img, b, a)").count() == 0
    page.locator(".lbl button").nth(1).hover()
    expect(page.get_by_role("tooltip")).to_contain_text("20 characters <b>held</b>")
    assert page.evaluate("window.hit") is None


def test_controls_are_visible_and_bidirectional_marks_are_harmless(show: Show, tmp_path: Path) -> None:
    page = show(write(tmp_path, "safe \u202eevil\u202c\nbell \x07 zero\u200bwidth\nnext\u2028line\n"))

    lines = page.locator(".ln")
    assert lines.all_inner_texts() == ["safe ⇄evil⇄", "bell ␇ zero\u200bwidth", "next↵line"]
    assert page.locator(".ctl").first.get_attribute("title") == "U+202E"
    assert page.locator(".zw").get_attribute("title") == "U+200B"


def test_each_line_finds_its_own_direction(show: Show, tmp_path: Path) -> None:
    page = show(write(tmp_path, "left to right\nשלום עולם\n"))

    directions = page.locator(".ln").evaluate_all("lines => lines.map((l) => getComputedStyle(l).direction)")
    assert directions == ["ltr", "rtl"]


def test_a_click_on_the_text_chooses_its_chunk(show: Show, tmp_path: Path) -> None:
    page = show(write(tmp_path, "# One\nwater\n\n# Two\nsteam\n"))

    page.get_by_text("steam", exact=True).click()

    expect(page.get_by_text("selected 13 just 13")).to_be_visible()
    expect(page.locator(".lbl.sel .num")).to_have_text("#2")
    expect(page.locator(".band.sel").first).to_be_attached()


def test_what_a_hit_gives_back_stands_around_the_chosen_chunk_and_keys_go_to_its_ends(
    show: Show, tmp_path: Path
) -> None:
    text = "# Tea\n\n" + "".join(f"This is line {number} about the tea.\n\n" for number in range(1, 61))
    text += "# Milk\n\n" + "".join(f"This is line {number} about the milk.\n\n" for number in range(1, 61))
    page = show(write(tmp_path, text), strategy="small-to-big")
    cut = run(parse(text, name="shown.md"), Config(strategies.get("small-to-big")()))
    chosen = next(chunk for chunk in cut.chunks if "line 12 about the tea" in chunk.kept_text)
    assert chosen.returned
    last = text[: chosen.returned.end].rsplit("\n", 1)[-1]
    assert last not in text[: chosen.returned.start + 1_000]

    page.get_by_text("This is line 12 about the tea.", exact=True).click()
    expect(page.locator(".lbl.sel .num")).to_be_attached()
    expect(page.locator(".back.of.opens")).to_be_attached()
    bracket, first_line = (page.locator(each).first.bounding_box() for each in (".back.of.opens", ".page .ln"))
    assert bracket
    assert first_line
    assert abs(bracket["y"] - first_line["y"]) < 2
    assert first_line["x"] > bracket["x"] + bracket["width"] / 2

    number = page.locator(".lbl.sel .num").text_content()
    page.locator(".scroll").focus()
    page.keyboard.press(">")
    expect(page.get_by_text(last, exact=True)).to_be_in_viewport()
    expect(page.locator(".back.of.closes")).to_be_attached()
    page.keyboard.press("<")
    expect(page.get_by_text("# Tea", exact=True)).to_be_in_viewport()
    expect(page.locator(".lbl.sel .num")).to_have_text(str(number))


def test_the_offset_of_a_choice_counts_code_points(show: Show, tmp_path: Path) -> None:
    page = show(write(tmp_path, "# 🫖🫖🫖\nwater\n\n# Two\nsteam\n"))

    page.get_by_text("steam", exact=True).click()

    expect(page.get_by_text("selected 13 just 13")).to_be_visible()


def test_what_python_selects_is_outlined(show: Show, tmp_path: Path) -> None:
    page = show(write(tmp_path, "# One\nwater\n\n# Two\nsteam\n"))
    page.get_by_text("steam", exact=True).click()
    expect(page.get_by_text("selected 13 just 13")).to_be_visible()

    page.get_by_role("button", name="choose the first").click()

    expect(page.locator(".lbl.sel .num")).to_have_text("#1")


def test_keys_go_from_chunk_to_chunk_and_to_the_ends(show: Show) -> None:
    page = show(SAMPLES / "10-an-api-reference.md")
    scroller = page.locator(".scroll")
    scroller.focus()

    page.keyboard.press("j")
    expect(page.locator(".lbl.sel .num")).to_have_text("#1")
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator(".lbl.sel .num")).to_have_text("#3")
    expect(page.get_by_role("tooltip")).to_contain_text("Chunk 3 of")
    expect(page.get_by_role("tooltip")).to_contain_text(re.compile(r"Chunk 2 ends here: .+\. Rule: .+\."))
    page.keyboard.press("k")
    expect(page.locator(".lbl.sel .num")).to_have_text("#2")
    page.keyboard.press("End")
    page.wait_for_function("() => true")
    last = page.locator(".ln").last
    expect(last).to_be_in_viewport()
    page.keyboard.press("Home")
    expect(page.locator(".count")).to_have_text(re.compile(r"in view: chunks? 1\b"))


def test_who_goes_on_from_a_label_to_a_heading_has_the_keys_there(show: Show) -> None:
    page = show(SAMPLES / "10-an-api-reference.md")
    page.locator(".scroll").focus()
    page.keyboard.press("j")
    page.keyboard.press("j")
    expect(page.locator("button[data-chunk]:focus")).to_have_count(1)

    page.keyboard.press("]")
    expect(page.locator(".scroll")).to_be_focused()
    page.keyboard.press("j")
    expect(page.locator("button[data-chunk]:focus")).to_have_count(1)
    page.keyboard.press("PageDown")
    expect(page.locator(".scroll")).to_be_focused()


def test_enter_chooses_the_chunk_at_hand(show: Show) -> None:
    page = show(SAMPLES / "10-an-api-reference.md")
    page.locator(".scroll").focus()

    page.keyboard.press("Enter")

    expect(page.get_by_text("selected 0 just 0")).to_be_visible()


def test_a_skip_says_why_it_is_in_no_chunk(show: Show, tmp_path: Path) -> None:
    page = show(write(tmp_path, "---\ntitle: x\n---\n\n# One\nwater\n"))

    names = page.get_by_role("list", name="Boundaries near the view").get_by_role("button").all()

    assert names[0].get_attribute("aria-label") == (
        "left out front matter. Left out, front matter: front matter is metadata, not content."
    )
    assert page.locator(".gap.skip").count() == 1


def test_overlap_has_a_thin_edge_and_the_repeated_chunk_is_seen_through_it(show: Show, tmp_path: Path) -> None:
    page = show(write(tmp_path, "".join(f"line number {number:02}\n" for number in range(20))), every=60, overlap=15)

    boxes = page.locator(".lap.rail").evaluate_all("laps => laps.map((lap) => lap.getBoundingClientRect().height)")
    assert boxes[0] == 20.0
    fills = page.locator(".tints .lap").evaluate_all("laps => laps.map((lap) => getComputedStyle(lap).backgroundColor)")
    assert set(fills) == {"rgba(0, 0, 0, 0)"}
    assert "Begins with overlap." in str(page.locator(".lbl button").nth(1).get_attribute("aria-label"))


def test_the_overview_jumps_to_where_it_is_clicked(show: Show) -> None:
    page = show(SAMPLES / "10-an-api-reference.md", baseline=1)
    box = page.locator(".map").bounding_box()
    assert box is not None

    page.mouse.click(box["x"] + 20, box["y"] + box["height"] - 2)

    expect(page.locator(".ln").last).to_be_in_viewport()


def test_only_pages_near_the_view_are_in_the_dom(show: Show, tmp_path: Path) -> None:
    text = "".join(f"# Section {number}\n\n{'some words and more ' * (number % 40)}\n\n" for number in range(2500))
    page = show(write(tmp_path, text))
    assert len(text) > 900_000
    scroller = page.locator(".scroll")

    for share in (0.25, 0.5, 0.75, 1):
        scroller.evaluate("(scroller, share) => { scroller.scrollTop = scroller.scrollHeight * share; }", share)
        page.wait_for_timeout(80)
        assert page.locator(".ln").count() < 600

    expect(page.get_by_text("# Section 2499", exact=True)).to_be_in_viewport()
    expect(page.locator(".count")).to_contain_text("of 2,500")


def test_scrolling_does_not_jump_when_pages_are_measured(show: Show, tmp_path: Path) -> None:
    text = "".join(
        f"# Section {number}\n\n{'wrapping words of several lengths ' * (number % 23)}\n\n" for number in range(900)
    )
    page = show(write(tmp_path, text))
    scroller = page.locator(".scroll")
    scroller.evaluate("scroller => { scroller.scrollTop = scroller.scrollHeight / 2; }")
    until_still(page, lambda: scroller.evaluate("scroller => scroller.scrollHeight"))

    moved = scroller.evaluate("""async (scroller) => {
        const worst = [];
        for (let turn = 0; turn < 40; turn++) {
            const edge = scroller.getBoundingClientRect().top + 60;
            const line = [...scroller.querySelectorAll(".ln")].find((one) => one.getBoundingClientRect().top > edge);
            const before = line.getBoundingClientRect().top;
            scroller.scrollTop -= 90;
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
            worst.push(Math.abs(line.getBoundingClientRect().top - before - 90));
        }
        return Math.max(...worst);
    }""")
    assert moved <= 1.5


def test_the_text_is_sent_once(show: Show, page: Page, tmp_path: Path) -> None:
    text = "".join(f"# Section {number}\n\n{'some words and more ' * 40}\n\n" for number in range(300))
    sizes: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: sizes.append(len(frame))))
    show(write(tmp_path, text))
    assert sum(sizes) > 240_000
    sizes.clear()

    page.locator(".lbl button").nth(1).click()

    expect(page.get_by_text("just")).not_to_have_text("selected None just None")
    assert 0 < sum(sizes) < 140_000


def test_a_view_that_was_taken_down_has_its_text_again(show: Show, tmp_path: Path) -> None:
    page = show(write(tmp_path, "# One\nwater\n"))
    page.get_by_text("taken down").click()
    expect(page.locator(".cs")).to_have_count(0)

    page.get_by_text("taken down").click()

    expect(page.get_by_text("water", exact=True)).to_be_visible()


def test_a_browser_that_lacks_the_text_asks_for_it(show: Show, tmp_path: Path) -> None:
    page = show(write(tmp_path, "# One\na text that was lost on the way\n"), presumed=1)

    expect(page.get_by_text("a text that was lost on the way")).to_be_visible()


def test_copying_gives_the_source_and_not_the_marks(show: Show, tmp_path: Path) -> None:
    page = show(write(tmp_path, "bell \x07 rings\nagain\n"))

    copied = page.locator(".scroll").evaluate("""(scroller) => {
        const lines = scroller.querySelectorAll(".ln");
        const selection = getSelection();
        selection.setBaseAndExtent(lines[0].firstChild, 0, lines[1].firstChild, 5);
        const clipboardData = new DataTransfer();
        lines[0].dispatchEvent(new ClipboardEvent("copy", { clipboardData, bubbles: true, cancelable: true }));
        return clipboardData.getData("text/plain");
    }""")
    assert copied == "bell \x07 rings\nagain"


def test_a_narrower_window_keeps_the_line_at_the_top(show: Show) -> None:
    page = show(SAMPLES / "04-a-long-preamble.md")
    top = """(scroller) => {
        const edge = scroller.getBoundingClientRect().top;
        const lines = [...scroller.querySelectorAll(".ln")];
        return lines.find((line) => line.getBoundingClientRect().bottom > edge + 1).innerText;
    }"""
    page.locator(".scroll").evaluate("scroller => { scroller.scrollTop = 700; }")
    page.wait_for_timeout(100)
    before = page.locator(".scroll").evaluate(top)

    page.set_viewport_size({"width": 700, "height": 720})
    until_still(
        page, lambda: page.locator(".scroll").evaluate("scroller => [scroller.scrollTop, scroller.clientWidth]")
    )

    assert page.locator(".scroll").evaluate(top) == before


def test_two_views_of_one_document_scroll_as_one(show: Show) -> None:
    page = show(SAMPLES / "04-a-long-preamble.md", beside=1)
    expect(page.locator(".cs[data-painted]")).to_have_count(2)
    left, right = page.locator(".scroll").all()
    left.hover()

    page.mouse.wheel(0, 700)

    until_on(page, lambda: right.evaluate("(scroller) => scroller.scrollTop") == 700)
    until_still(page, lambda: left.evaluate("(scroller) => scroller.scrollTop"))
    assert left.evaluate("(scroller) => scroller.scrollTop") == 700
    assert right.evaluate("(scroller) => scroller.scrollTop") == 700


def test_a_phone_shows_text_labels_and_overview_side_by_side(show: Show, page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    show(SAMPLES / "02-a-huge-table.md")

    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    text, label, overview = (page.locator(name).first.bounding_box() for name in (".ln", ".lbl button", ".map"))
    assert text is not None
    assert label is not None
    assert overview is not None
    assert text["width"] > 220
    assert page.locator(".ln").first.evaluate(TEXT_END) <= label["x"] + 1
    assert label["x"] + label["width"] <= overview["x"] + 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_on_every_band_is_readable(show: Show, page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    show(SAMPLES / "10-an-api-reference.md")

    lowest = page.locator(".cs").evaluate("""(root) => {
        const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
        const shade = (...colours) => {
            pen.clearRect(0, 0, 1, 1);
            for (const colour of colours) { pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1); }
            const lit = [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3).map((part) => {
                const one = part / 255;
                return one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * lit[0] + 0.7152 * lit[1] + 0.0722 * lit[2];
        };
        const ratio = (one, other) => (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
        const ground = getComputedStyle(root).backgroundColor;
        const text = shade(getComputedStyle(root).color);
        const found = { text: 99, rail: 99, muted: 99 };
        for (const band of root.querySelectorAll(".band")) {
            found.text = Math.min(found.text, ratio(text, shade(ground, getComputedStyle(band).backgroundColor)));
        }
        const rail = [0, 1, 2, 3, 4, 5].map((hue) => getComputedStyle(root).getPropertyValue(`--h${hue}`));
        for (const hue of rail) found.rail = Math.min(found.rail, ratio(shade(hue), shade(ground)));
        for (const why of root.querySelectorAll(".lbl .why")) {
            const under = shade(ground, getComputedStyle(why.parentElement).backgroundColor);
            found.muted = Math.min(found.muted, ratio(shade(getComputedStyle(why).color), under));
        }
        return found;
    }""")
    assert lowest["text"] >= 7, json.dumps(lowest)
    assert lowest["muted"] >= 4.5, json.dumps(lowest)
    assert lowest["rail"] >= 3, json.dumps(lowest)
