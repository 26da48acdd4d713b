"""The HTML report in a real browser: drawn, filtered, inert, offline."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

from deadpan.core.outcomes import OUTCOMES
from deadpan.reports import Section, rename_models, report_text
from tests.reports.conftest import Open, Scheme
from tests.reports.hostile import hostile_section
from tests.reports.toy import CHINESE, MODELS, Toy, toy_section, toy_table

if TYPE_CHECKING:
    from playwright.sync_api import Page


def _place(page: Page) -> int:
    found = re.search(r"of (\d+)", page.inner_text(".place"))
    return int(found.group(1)) if found else 0


def test_page_asks_for_nothing_outside_itself(section: Section) -> None:
    page = report_text([section], ".html")
    outside = re.sub(r"<script>.*?</script>", "", page, flags=re.DOTALL)
    assert not re.search(r"(?:src|href)=[\"']?(?:https?:|//)", outside)
    assert not re.search(r"@import|url\(", outside)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None
    assert policy.group(1).startswith("default-src &#39;none&#39;; script-src &#39;sha256-")
    assert "unsafe-eval" not in policy.group(1)


def test_page_stays_within_its_size(tmp_path: Path) -> None:
    page = report_text([toy_section(tmp_path, items=150)], ".html")
    assert "120 of 150 items" in page
    assert len(page.encode()) < 4_000_000


def test_long_answers_are_cut_and_say_so(tmp_path: Path) -> None:
    table = toy_table(tmp_path, items=4).with_columns(answer=pl.lit("x" * 100_000))
    page = report_text([toy_section(tmp_path, table)], ".html")
    assert "[cut; 100,000 characters in all]" in page
    assert len(page) < 1_500_000


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light")])
def test_page_is_drawn_without_complaint(
    section: Section, opened: Open, complaints: list[str], width: int, scheme: Scheme
) -> None:
    page = opened(section, width=width, scheme=scheme)
    assert page.locator("figure.plot svg").count() == 3
    assert page.inner_text(".chapter h1") == "Toy Comics"
    assert "2031-05-06" in page.inner_text(".stamp")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert complaints == []


@pytest.mark.browser
def test_hostile_text_is_inert(opened: Open, complaints: list[str], tmp_path: Path) -> None:
    page = opened(hostile_section(tmp_path))
    for _ in range(40):
        page.locator("[data-step='1']").click()
    page.hover("figure.plot svg .role-mark path >> nth=0", force=True)
    assert page.locator("main img").count() == 1
    assert page.locator("img[src='x'], svg[onload]").count() == 0
    assert page.evaluate("document.querySelectorAll('script').length") == 3
    text = page.inner_text("main")
    assert "<img src=x onerror=alert(1)>" in text
    assert "{{7*7}}" in text or "{{7*7}}" in report_text([hostile_section(tmp_path)], ".html")
    assert "\u202e" not in text
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert complaints == []


@pytest.mark.browser
@pytest.mark.parametrize("kind", ["hostile", "long names"])
def test_nothing_widens_a_phone(section: Section, opened: Open, tmp_path: Path, kind: str) -> None:
    """Tables scroll in boxes of their own, those that are folded too, whatever they hold."""
    shown = hostile_section(tmp_path)
    if kind == "long names":
        shown = rename_models(section, {MODELS[0]: "a-model-of-a-very-long-name" * 6})
    page = opened(shown, width=390)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    boxes = "[...document.querySelectorAll('table')].map(one => one.closest('.scroll'))"
    inside = "one && one.getBoundingClientRect().right <= innerWidth"
    assert page.evaluate(f"{boxes}.every(one => {inside})")
    assert page.evaluate(f"{boxes}.some(one => one.scrollWidth > one.clientWidth)")


@pytest.mark.browser
def test_plots_and_pictures_fit_a_phone(section: Section, opened: Open) -> None:
    page = opened(section, width=390)
    legends = "[...document.querySelectorAll('figure.plot svg .role-legend')]"
    assert page.evaluate(f"{legends}.every(one => one.getBoundingClientRect().right <= innerWidth)")
    boxes = "[...document.querySelectorAll('figure.plot:not([data-name=overview]) .scroll')]"
    assert page.evaluate(f"{boxes}.every(one => one.scrollWidth <= one.clientWidth)")
    picture = "document.querySelector('.picture')"
    assert page.evaluate(f"{picture}.scrollWidth <= {picture}.clientWidth")
    page.click(".picture img")
    assert page.evaluate(f"{picture}.scrollWidth > {picture}.clientWidth")
    page.click(".picture img")
    assert page.evaluate(f"{picture}.scrollWidth <= {picture}.clientWidth")


@pytest.mark.browser
def test_on_paper_no_answer_stands_alone(section: Section, opened: Open) -> None:
    page = opened(section)
    page.emulate_media(media="print")
    answers = page.locator(".answer")
    breaks = "one => ['before', 'inside'].map(side => getComputedStyle(one)[`break-${side}`])"
    found = [one.evaluate(breaks) for one in answers.all()]
    assert len(found) == 3 and {inside for _, inside in found} == {"avoid"}
    assert [before for before, _ in found] == ["auto", "auto", "avoid"]
    tall = page.evaluate("document.querySelector('.picture img').clientHeight")
    assert 0 < tall <= 250, "the picture leaves room for them"


@pytest.mark.browser
def test_filters_agree_with_the_table(section: Section, opened: Open) -> None:
    page = opened(section)
    table = section.table
    assert _place(page) == 24 * 3

    def expect(**conditions: str) -> int:
        rows = table
        for column, value in conditions.items():
            rows = rows.filter(pl.col(column).cast(pl.String) == value)
        return rows.select("item", "task").unique().height

    for outcome in (one for one in OUTCOMES if one != "not_given"):
        page.select_option("[name=outcome]", outcome)
        assert _place(page) == expect(outcome=outcome)
        assert outcome.replace("_", " ") in page.inner_text(".card")
    page.select_option("[name=outcome]", "refused")
    page.select_option("[name=model]", MODELS[1])
    assert _place(page) == expect(outcome="refused", model=MODELS[1])
    assert page.locator(".answer").count() == 1
    page.click("[data-reset]")
    page.select_option("[name=task]", "style")
    page.select_option("[name=language]", "zh")
    assert _place(page) == expect(task="style", language="zh")
    page.click("[data-reset]")
    page.select_option("[name=attribute]", label="夜猫")
    assert _place(page) == expect(**{"attr.source": "夜猫"})
    page.fill("[name=text]", "no such words anywhere")
    assert "No sample matches" in page.inner_text(".card")


@pytest.mark.browser
def test_right_and_wrong_are_told_apart(section: Section, opened: Open) -> None:
    page = opened(section)
    graded = section.table.filter(pl.col("task") != "panel_text")
    right = graded.filter(pl.col("score.f1") == 1)
    page.select_option("[name=verdict]", "right")
    assert _place(page) == right.select("item", "task").unique().height
    shown = page.inner_text(".answer:not(.other)")
    assert "right" in shown and "F1 1.000" in shown


@pytest.mark.browser
def test_every_item_is_on_a_page_beside_the_report(
    section: Section, opened: Open, tmp_path: Path
) -> None:
    page = opened(section, items=10)
    assert "10 of 24 items here" in page.inner_text(".browser")
    assert {path.name for path in (tmp_path / "report-samples").iterdir()} == {
        f"toy-00{number}.html" for number in (1, 2, 3)
    }
    last = section.table["item"].unique(maintain_order=True)[-1]
    page.click(".pages summary")
    page.fill(".find [name=wanted]", "no such")
    page.click(".find button")
    assert "no such item" in page.inner_text(".find")
    page.fill(".find [name=wanted]", last)
    page.click(".find button")
    page.wait_for_selector("html[data-ready]")
    assert page.url.partition("#")[0].endswith("report-samples/toy-003.html")
    assert page.inner_text(".where span") == last
    page.click("a[rel=prev]")
    page.wait_for_selector("html[data-ready]")
    assert "page 2 of 3" in page.inner_text(".opening")
    opened(section)
    assert list((tmp_path / "report-samples").iterdir()) == []


@pytest.mark.browser
def test_chinese_and_pictures_are_shown_and_keys_turn_the_page(
    section: Section, opened: Open
) -> None:
    page = opened(section)
    page.fill("[name=text]", "省电模式")
    assert CHINESE in page.inner_text(".gold")
    assert page.get_attribute(".gold .text", "lang") == "zh"
    assert page.evaluate("document.querySelector('.card img').naturalWidth") > 0
    page.click("[data-reset]")
    page.locator(".browser").scroll_into_view_if_needed()
    page.evaluate("document.querySelector('.card').scrollIntoView({block: 'center'})")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.inner_text(".place").startswith("2 of ")
    page.focus("[name=text]")
    page.keyboard.press("ArrowRight")
    assert page.inner_text(".place").startswith("2 of ")


@pytest.mark.browser
def test_a_missing_picture_shows_a_note(
    opened: Open, complaints: list[str], tmp_path: Path
) -> None:
    table = toy_table(tmp_path, items=4).with_columns(picture=pl.lit("/nowhere/gone.png"))
    page = opened(toy_section(tmp_path, table))
    assert page.inner_text(".missing") == (
        "The picture gone.png is not in a folder named with --pictures."
    )
    assert complaints == []


@pytest.mark.browser
def test_counts_on_the_page_add_up(section: Section, opened: Open) -> None:
    page = opened(section)
    rows = page.evaluate(
        "[...document.querySelectorAll('.coverage:not(.by-task) tr')].slice(1).map("
        "row => [...row.querySelectorAll('td.number')].map(cell => Number(cell.textContent)))"
    )
    *models, total = rows
    assert [sum(column) for column in zip(*models, strict=True)] == total
    assert all(row[0] == sum(row[1:]) - row[2] for row in rows), "unjudged ones are answered"
    assert total[0] == len(section.table)


@pytest.mark.browser
def test_a_plot_shows_counts_and_can_be_saved(section: Section, opened: Open) -> None:
    page = opened(section)
    page.hover("figure.plot >> nth=0 >> svg .mark-text.role-mark text >> nth=0")
    assert re.search(r"counts\s*n \d+", page.inner_text("#tip"))
    for kind in ("svg", "png"):
        with page.expect_download() as download:
            page.click(f"figure.plot >> nth=1 >> [data-save={kind}]")
        assert download.value.suggested_filename == f"presence-f1-panels.{kind}"


@pytest.mark.browser
def test_two_benchmarks_have_a_browser_each(
    section: Section, opened: Open, complaints: list[str]
) -> None:
    class Second(Toy):
        title = "Second Toy"

    page = opened(section, Section(Second(), section.table, section.scores))
    assert page.locator(".chapter h1").all_inner_texts() == ["Toy Comics", "Second Toy"]
    assert page.locator(".place").all_inner_texts() == ["1 of 72 questions"] * 2
    assert complaints == []


def test_a_table_that_is_too_wide_is_shaded_where_it_goes_on(
    section: Section, opened: Open
) -> None:
    page = opened(section, width=420)
    scrolls = page.locator("#c1-scores .scroll").first
    wide, narrow = scrolls.evaluate("box => [box.scrollWidth, box.clientWidth]")
    assert wide > narrow
    drawn = scrolls.evaluate("box => getComputedStyle(box).backgroundAttachment")
    assert drawn == "local, scroll"


@pytest.mark.browser
def test_one_item_across_all_its_tasks(
    section: Section, opened: Open, complaints: list[str]
) -> None:
    page = opened(section)
    item = page.inner_text(".card .where")
    siblings = page.locator(".siblings button")
    assert siblings.all_inner_texts() == ["presence", "style", "panel text", "all tasks"]
    assert siblings.nth(0).get_attribute("aria-pressed") == "true"
    page.select_option("[name=model]", MODELS[1])
    page.select_option("[name=task]", "presence")
    siblings.nth(2).click()  # not among what is filtered: the filters go, the model stays
    assert page.inner_text(".card h3") == "Panel text"
    assert page.inner_text(".card .where") == item
    assert page.input_value("[name=task]") == "" and page.input_value("[name=model]") == MODELS[1]
    assert page.locator(".siblings button:focus").inner_text() == "panel text"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.locator(".card h3").all_inner_texts() == [
        *("Humour presence", "Humour style", "Panel text"),
    ]
    assert page.locator(".card .picture img").count() == 1
    assert page.inner_text(".place") == "1 of 24 items"
    page.locator("[data-step='1']").click()
    assert page.inner_text(".place") == "2 of 24 items"
    assert page.inner_text(".card .where") != item
    assert complaints == []


@pytest.mark.browser
def test_harmful_items_are_blurred_until_asked_for(
    opened: Open, tmp_path: Path, complaints: list[str]
) -> None:
    table = toy_table(tmp_path, items=4)
    first = table["item"][0]
    marked = table.with_columns(pl.Series("attr.harmful", [one == first for one in table["item"]]))
    page = opened(toy_section(tmp_path, marked))
    blur = "getComputedStyle(document.querySelector('{}')).filter"
    parts = (".card .picture img", ".card .gold .text")

    def blurred() -> list[bool]:
        return [page.evaluate(blur.format(part)).startswith("blur") for part in parts]

    assert blurred() == [True, True]
    assert page.locator(".card .gold[inert], .card .picture[inert]").count() == 2
    page.locator(".veil button").focus()
    page.keyboard.press("Enter")
    assert blurred() == [False, False]
    assert page.locator(".card [inert]").count() == 0
    assert page.locator(".veil button:focus").inner_text() == "Blur it again"
    page.emulate_media(media="print")
    assert blurred() == [True, True]
    page.emulate_media(media="screen")
    page.locator("[data-step='1']").click()  # asked for: its other questions are shown too
    assert blurred() == [False, False]
    for _ in range(2):
        page.locator("[data-step='1']").click()
    assert page.locator(".veil").count() == 0 and blurred() == [False, False]
    assert complaints == []
