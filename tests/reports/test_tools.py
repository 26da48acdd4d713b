"""What a report's page can do: going about, sorting, comparing, linking, keys, themes, paper."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
import pytest

import deadpan
from deadpan.core.score import ScoringOptions
from deadpan.reports import Section
from tests.reports.conftest import Open
from tests.reports.hostile import hostile_section
from tests.reports.toy import MODELS, Toy, toy_section, toy_table

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def names_in(page: Page, rows: str) -> list[str]:
    return [name.split("\n")[0] for name in page.locator(f"{rows} th[scope=row]").all_inner_texts()]


def hash_of(page: Page) -> str:
    return str(page.evaluate("decodeURIComponent(location.hash)"))


def twice(section: Section) -> list[Section]:
    class Second(Toy):
        name, title = "second", "Second Toy"

    return [section, Section(Second(), section.table, section.scores)]


def test_the_bar_stays_and_says_where_one_is(section: Section, opened: Open) -> None:
    page = opened(*twice(section))
    current = page.locator(".topbar .chapters [aria-current]")
    assert current.inner_text() == "Overview" and page.locator(".here a").count() == 0
    page.click(".topbar .chapters >> text=Second Toy")
    page.wait_for_selector(".here a")
    assert current.inner_text() == "Second Toy"
    page.click(".here >> text=Samples")
    page.wait_for_selector(".here [aria-current] >> text=Samples")
    assert hash_of(page) == "#c2-samples"
    assert page.evaluate("document.querySelector('.topbar').getBoundingClientRect().top") == 0


def test_contents_lead_to_every_table_and_plot(section: Section, opened: Open) -> None:
    page = opened(section, width=390)
    assert not page.locator("#outline").is_visible()
    page.click("#menu")
    assert page.get_attribute("#menu", "aria-expanded") == "true"
    links = page.locator("#outline a")
    for address in links.evaluate_all("all => all.map(one => one.getAttribute('href'))"):
        assert page.locator(address).count() == 1, address
    assert {"Recognition", "Recall per style", "Overview", "Samples"} <= set(
        links.all_inner_texts()
    )
    page.click("#outline >> text=Recall per style")
    assert not page.locator("#outline").is_visible()
    page.click("#menu")
    page.keyboard.press("Escape")
    assert not page.locator("#outline").is_visible()
    assert page.evaluate("document.activeElement.id") == "menu"
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_tables_are_sorted_by_click_and_key_and_published_rows_stay_apart(
    section: Section, opened: Open
) -> None:
    page = opened(section)
    table = "#c1-scores table >> nth=0"
    head = page.locator(table).locator("thead tr:last-child th").nth(1)
    ours, theirs = f"{table} >> tbody.ours", f"{table} >> tbody.published tr:not(.label)"
    before = names_in(page, ours)

    head.locator("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    found = [
        float(page.locator(ours).nth(i).locator("td").first.inner_text().split()[0])
        for i in range(3)
    ]
    assert found == sorted(found, reverse=True)
    order = (
        page.locator(table).locator("tbody").evaluate_all("all => all.map(one => one.className)")
    )
    assert order == ["ours", "ours", "ours", "published"]
    head.locator("button").focus()
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") == "ascending"
    page.keyboard.press("Enter")
    assert head.get_attribute("aria-sort") is None and names_in(page, ours) == before
    lower = page.locator(table).locator("thead tr:last-child th").nth(6)
    lower.locator("button").click()
    assert lower.get_attribute("aria-sort") == "ascending", "of errors the fewest come first"
    assert page.locator(theirs).count() == 2


def test_a_reference_model_gives_differences_and_stays_in_the_address(
    section: Section, opened: Open, complaints: list[str]
) -> None:
    table = section.table.with_columns(outcome=pl.lit("answered"))  # the same items for all
    page = opened(replace(section, table=table, scores=Toy().score(table, ScoringOptions())))
    page.select_option("#reference", MODELS[1])
    assert hash_of(page) == f"#ref={MODELS[1]}"
    row = page.locator(f"#c1-scores tbody.ours[data-model='{MODELS[0]}']").first
    base = page.locator(f"#c1-scores tbody.ours[data-model='{MODELS[1]}']").first
    cells = [float(one.locator("td").first.inner_text().split()[0]) for one in (row, base)]
    said = row.locator("td .delta").first.inner_text().replace("−", "-").replace("±", "")
    assert float(said) == pytest.approx(cells[0] - cells[1], abs=1e-9)
    assert base.locator(".delta").count() == 0
    assert page.locator(".published .delta").count() == 0
    assert page.locator(".matrix .delta").count() == 2
    page.click(".topbar .chapters >> text=Toy Comics")
    page.wait_for_url(lambda url: "ref=" in url and "at=c1" in url)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.input_value("#reference") == MODELS[1]
    assert page.locator("#c1-scores .delta").count() > 0
    page.select_option("#reference", "")
    assert page.locator(".delta").count() == 0 and "ref" not in hash_of(page)
    assert complaints == []


def test_every_sample_has_an_address(section: Section, opened: Open) -> None:
    page = opened(section)
    page.locator("[data-step='1']").click()
    page.locator("[data-step='1']").click()
    item, task = page.inner_text(".card .where span"), page.inner_text(".card h3")
    assert "item=" in hash_of(page) and "in=toy" in hash_of(page) and "task=" in hash_of(page)
    address = page.url
    page.goto("about:blank")
    page.goto(address)
    page.wait_for_selector("html[data-ready]")
    assert page.inner_text(".card .where span") == item and page.inner_text(".card h3") == task
    assert page.evaluate("scrollY") > 500
    page.click("text=Copy link")
    assert page.inner_text(".where button") in ("Copied", "It is in the address bar")
    whole = address.split("&task")[0]
    page.goto("about:blank")
    page.goto(whole)
    page.wait_for_selector("html[data-ready]")
    assert page.locator(".card h3").count() == 3, "without a task: all about the item"
    assert page.locator(".verdicts tbody tr").count() == 3


def test_an_item_that_is_not_here_is_opened_on_its_own_page(section: Section, opened: Open) -> None:
    page = opened(section, items=6)
    here = set(
        page.evaluate("JSON.parse(data.textContent).chapters[0].browser.cards.map(c => c.item)")
    )
    away = next(one for one in section.table["item"].unique(maintain_order=True) if one not in here)
    page.evaluate(f"location.hash = new URLSearchParams({json.dumps({'item': away, 'in': 'toy'})})")
    page.wait_for_url("**/report-samples/**")
    page.wait_for_selector("html[data-ready]")
    assert page.inner_text(".card .where span") == away


def test_a_right_and_b_wrong(section: Section, opened: Open) -> None:
    page = opened(section)
    graded = section.table.filter(pl.col("task") != "panel_text")
    keys = ["item", "task"]
    right = graded.filter((pl.col("model") == MODELS[0]) & (pl.col("score.f1") == 1))
    wrong = graded.filter((pl.col("model") == MODELS[1]) & (pl.col("score.f1") == 0))
    both = right.select(keys).join(wrong.select(keys), on=keys).height
    assert both > 0
    page.select_option(".filters [name=right]", MODELS[0])
    page.select_option(".filters [name=wrong]", MODELS[1])
    assert page.inner_text(".place") == f"1 of {both} questions"
    page.click("[data-reset]")
    assert page.inner_text(".place") == "1 of 72 questions"


def test_a_right_and_b_wrong_among_all_items(section: Section, opened: Open) -> None:
    page = opened(section, items=6)
    graded = section.table.filter(pl.col("task") == "style")
    right = graded.filter((pl.col("model") == MODELS[0]) & (pl.col("score.f1") == 1))
    wrong = graded.filter((pl.col("model") == MODELS[1]) & (pl.col("score.f1") == 0))
    both = set(right["item"]) & set(wrong["item"])
    page.click(".pages summary")
    page.select_option(".find [name=right]", MODELS[0])
    page.select_option(".find [name=wrong]", MODELS[1])
    page.select_option(".find [name=task]", "style")
    assert page.inner_text(".find output") == f"{len(both)} found"
    links = page.locator(".matches a")
    assert {text.removesuffix(", style") for text in links.all_inner_texts()} == both
    links.first.click()
    page.wait_for_selector("html[data-ready]")
    assert (
        page.inner_text(".card .where span") in both
        and page.inner_text(".card h3") == "Humour style"
    )


def test_one_item_whole_says_who_was_right_in_what(section: Section, opened: Open) -> None:
    page = opened(section)
    page.keyboard.press("a")
    rows = page.locator(".verdicts tbody tr")
    assert rows.count() == 3 and page.locator(".verdicts thead th").count() == 3
    item = page.inner_text(".card .where span")
    for at, model in enumerate(MODELS):
        row = section.table.filter(
            (pl.col("item") == item) & (pl.col("model") == model) & (pl.col("task") == "presence")
        ).row(0, named=True)
        cell = rows.nth(at).locator("td").first.inner_text()
        if row["outcome"] == "answered":
            assert cell.strip() == ("✓" if row["score.f1"] == 1 else "✗")
        else:
            assert row["outcome"].replace("_", " ") in cell


def test_no_match_is_said_where_items_are_shown_whole(section: Section, opened: Open) -> None:
    page = opened(section)
    page.keyboard.press("a")
    page.fill("[name=text]", "no such words anywhere")
    assert "No sample matches" in page.inner_text(".card")
    page.click("[data-reset]")
    assert page.inner_text(".place") == "1 of 24 items"


def test_keys_go_about_and_are_told(section: Section, opened: Open) -> None:
    page = opened(*twice(section))
    page.keyboard.press("?")
    assert page.locator("#help").is_visible() and "next sample" in page.inner_text("#help")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    assert page.inner_text(".place >> nth=0").startswith("2 of ")
    page.keyboard.press("k")
    assert page.inner_text(".place >> nth=0").startswith("1 of ")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.name") == "text"
    page.keyboard.type("j?")
    assert (
        page.input_value("[name=text] >> nth=0") == "j?" and not page.locator("#help").is_visible()
    )
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("]")
    page.wait_for_selector(".chapters [aria-current] >> text=Second Toy")
    page.keyboard.press("c")
    assert page.locator("#outline").is_visible()


def test_the_first_tab_skips_to_the_results(section: Section, opened: Open) -> None:
    page = opened(section)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"


def test_dark_is_asked_for_or_as_the_machine_has_it(section: Section, opened: Open) -> None:
    ground = "getComputedStyle(document.body).backgroundColor"
    light, dark = "rgb(251, 250, 247)", "rgb(19, 21, 24)"
    page = opened(section)
    assert page.evaluate(ground) == light
    page.click("#theme")
    assert page.evaluate(ground) == dark and page.inner_text("#theme") == "Dark"
    page.reload()
    page.wait_for_selector("html[data-ready]")
    assert page.evaluate(ground) == dark
    page.emulate_media(media="print")
    assert page.evaluate(ground) == "rgb(255, 255, 255)"
    assert opened(section, scheme="dark").evaluate(ground) == dark


def test_paper_has_all_tables_and_no_controls(section: Section, opened: Open) -> None:
    page = opened(section)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    hidden = (".topbar", ".filters", ".pager", ".save", ".skip")
    assert all(not page.locator(one).first.is_visible() for one in hidden)
    tables = page.locator("main table")
    assert all(tables.nth(at).is_visible() for at in range(tables.count()))
    assert page.locator(".matrix thead").inner_text().count("Humour presence") == 1


def test_on_paper_abilities_stay_with_what_they_mean(opened: Open) -> None:
    rows = [
        {"item": one.item, "task": "recognition", "model": "m", "answer": "自嘲"}
        for one in deadpan.load("janusmm").questions("recognition")
    ]
    page = opened(*deadpan.load("janusmm").score(rows).sections())
    page.emulate_media(media="print")
    style = "getComputedStyle(document.querySelector('#abilities')).breakInside"
    assert page.evaluate(style) == "avoid"
    assert page.evaluate("getComputedStyle(document.querySelector('.meanings')).breakBefore") == (
        "avoid"
    )


def test_hostile_names_stay_words_in_every_tool(
    opened: Open, tmp_path: Path, complaints: list[str]
) -> None:
    page = opened(hostile_section(tmp_path), items=6)
    page.click("#menu")
    page.keyboard.press("Escape")
    for at in (1, 2):
        page.select_option("#reference", index=at)
        page.select_option(".filters [name=right]", index=at)
    page.click("[data-reset]")
    for button in page.locator(".matrix button.sort").all():
        button.click()
    page.evaluate("document.querySelector('.siblings button:last-child')?.click()")
    page.evaluate("document.querySelector('.where button').click()")
    page.click(".pages summary")
    page.select_option(".find [name=right]", index=1)
    page.fill(".find [name=wanted]", "<img src=x onerror=alert(1)>")
    assert page.locator("img[src='x'], svg[onload], .matches img, .verdicts img").count() == 0
    page.reload()
    page.wait_for_selector("html[data-ready]")
    page.evaluate(
        "location.hash = 'item=<img src=x onerror=alert(9)>&in=</script>&ref=%00&at=#x\"'"
    )
    page.wait_for_timeout(200)
    assert complaints == []


def test_samples_pages_have_the_tools_too(section: Section, opened: Open, tmp_path: Path) -> None:
    page = opened(section, items=6)
    page.goto((tmp_path / "report-samples" / "toy-001.html").as_uri())
    page.wait_for_selector("html[data-ready]")
    page.keyboard.press("d")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.keyboard.press("j")
    assert page.inner_text(".place").startswith("2 of ")
    assert page.locator("#menu").count() == 0


def test_one_model_has_nothing_to_compare_with(opened: Open, tmp_path: Path) -> None:
    table = toy_table(tmp_path, items=6, models=MODELS[:1])
    page = opened(toy_section(tmp_path, table))
    assert page.locator("#reference").count() == 0
    assert page.inner_text("#title") == f"{MODELS[0]} on Toy Comics"
    assert not page.locator(".filters [name=right]").is_visible()
