"""The app in a real browser: keys, tags, answers that come in, and hostile text in every field."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import polars as pl
import pytest

from deadpan.pipeline.table import read_tables
from deadpan.pipeline.table_files import write_table
from deadpan.viewing import watching
from tests.reports.hostile import ATTACKS
from tests.viewing.conftest import Served
from tests.viewing.stores import running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
Serve = Callable[..., Served]
Open = Callable[..., "Page"]


@pytest.fixture
def complaints() -> list[str]:
    """What pages complained of: dialogs, errors, blocked or failed requests, requests elsewhere."""
    return []


@pytest.fixture
def opened(chromium: Browser, complaints: list[str]) -> Iterator[Open]:
    contexts = []

    def open_page(
        served: Served,
        path: str = "/",
        width: int = 1280,
        scheme: Literal["light", "dark"] = "light",
    ) -> Page:
        context = chromium.new_context(
            viewport={"width": width, "height": 900}, color_scheme=scheme
        )
        contexts.append(context)
        page = context.new_page()
        page.on("dialog", lambda dialog: (complaints.append(dialog.message), dialog.dismiss()))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda told: complaints.append(f"{told.type} {told.text}"))
        page.on(
            "request",
            lambda request: (
                None
                if request.url.startswith(served.address)
                else complaints.append(f"request {request.url}")
            ),
        )
        page.goto(served.entrance)
        assert page.url == f"{served.address}/", "the token has left the address"
        if path != "/":
            page.goto(served.address + path)
        page.wait_for_selector("html[data-ready]")
        return page

    yield open_page
    for context in contexts:
        context.close()


def _selected(page: Page) -> str | None:
    return page.evaluate("document.querySelector('.selected')?.dataset.answer ?? null")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (1280, "dark"), (390, "light")])
def test_pages_are_drawn_without_complaint(
    store: Path,
    served: Serve,
    opened: Open,
    complaints: list[str],
    width: int,
    scheme: Literal["light", "dark"],
) -> None:
    app = served(store)
    page = opened(app, "/", width, scheme)
    item = "/item?benchmark=pixelhumor&item=deadpan_1"
    for path in ("/", "/answers", "/tags", item, "/answers?text=zzz"):
        page.goto(app.address + path)
        page.wait_for_selector("html[data-ready]")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    page.goto(app.address + item)
    page.wait_for_function(
        "() => [...document.images].every((one) => one.complete && one.naturalWidth)"
    )
    assert complaints == []


def test_keys_and_tags(store: Path, served: Serve, opened: Open, complaints: list[str]) -> None:
    page = opened(served(store), "/answers?task=style")
    ids = [one.get_attribute("data-answer") for one in page.locator("[data-answer]").all()]
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert _selected(page) == ids[1]
    page.keyboard.press("k")
    assert _selected(page) == ids[0]
    page.keyboard.press("t")
    page.keyboard.type("odd")
    page.keyboard.press("Enter")
    page.wait_for_selector(".selected .marks .tags")
    page.keyboard.press("t")
    page.keyboard.type("很怪")
    page.locator(".selected [name=type]").select_option("AB")
    page.locator(".selected [name=tags]").press("Enter")
    page.wait_for_selector(".selected .marks .type")
    assert page.inner_text(".selected .marks .tags").split() == ["AB", "odd", "很怪"]
    page.keyboard.press("n")
    page.keyboard.type("looks away, j and k and /")
    page.keyboard.press("Control+Enter")
    page.wait_for_selector(".selected .said")
    assert page.inner_text(".selected .said") == "looks away, j and k and /"
    kept = (store / "notes" / "answers.jsonl").read_text("utf-8").splitlines()
    assert json.loads(kept[-1])["tags"] == ["AB", "odd", "很怪"]
    page.keyboard.press("Enter")
    page.wait_for_selector(".sheet")
    assert _selected(page) == ids[0] and page.locator(".selected .said").count() == 1
    item = page.inner_text("h1")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("(old) => document.querySelector('h1').innerText !== old", arg=item)
    page.keyboard.press("u")
    page.wait_for_url("**/answers?task=style")
    page.keyboard.press("/")
    page.keyboard.type("deadpan_2")
    page.keyboard.press("Enter")
    page.wait_for_url("**text=deadpan_2**")
    assert "task=style" in page.url
    assert complaints == []


def test_a_server_that_is_gone_is_told_in_words(store: Path, served: Serve, opened: Open) -> None:
    page = opened(served(store), "/answers")
    assert not page.locator(".lost-words").is_visible()
    page.context.set_offline(True)
    page.keyboard.press("j")
    page.keyboard.press("t")
    page.keyboard.type("odd")
    page.keyboard.press("Enter")
    page.wait_for_selector(".selected output.bad")
    gone = "the server does not answer; start `deadpan view` again"
    assert page.inner_text(".selected output.bad") == f"not kept: {gone}"
    page.wait_for_selector(".lost-words:not([hidden])")
    assert page.inner_text(".lost-words") == f"T{gone[1:]}."
    page.context.set_offline(False)
    page.wait_for_selector(".lost-words", state="hidden")


def test_filters_apply_at_once(store: Path, served: Serve, opened: Open) -> None:
    page = opened(served(store), "/answers")
    page.locator("[name=benchmark]").select_option("cfms")
    page.wait_for_url("**benchmark=cfms**")
    assert "of 6" in page.inner_text(".pager .place >> nth=0")
    page.goto(page.url.partition("?")[0])
    page.locator("[name=right]").select_option("baseline/majority")
    page.locator("[name=wrong]").select_option("baseline/random")
    page.wait_for_url("**wrong=**")
    assert page.locator("[data-answer]").count() % 2 == 0


def test_answers_come_in_without_a_reload(
    made_store: Path,
    tmp_path: Path,
    served: Serve,
    opened: Open,
    complaints: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watching, "LOOK_SECONDS", 0.1)
    run = running(made_store, tmp_path / "answers")
    page = opened(served(run.folder), "/answers?task=presence&model=baseline%2Frandom")
    page.evaluate("window.same = true")
    assert page.locator("[data-answer]").count() == 0
    before = page.inner_text(".stamp")
    run.write(3)
    page.wait_for_function(
        "() => document.querySelectorAll('[data-answer]').length === 3", timeout=60_000
    )
    page.keyboard.press("j")
    chosen = _selected(page)
    page.keyboard.press("n")
    page.keyboard.type("writing")
    run.write(1)
    page.wait_for_function(
        "(old) => document.querySelector('.stamp').innerText !== old", arg=before
    )
    page.wait_for_timeout(2500)
    assert page.locator("[data-answer]").count() == 3, "nothing moves under what is being written"
    page.keyboard.press("Control+Enter")
    page.wait_for_function(
        "() => document.querySelectorAll('[data-answer]').length === 4", timeout=60_000
    )
    assert _selected(page) == chosen and page.evaluate("window.same")
    assert page.inner_text(".selected .said") == "writing"
    assert complaints == []


def test_harmful_items_are_blurred_until_asked_for(
    store: Path, tmp_path: Path, served: Serve, opened: Open
) -> None:
    table = read_tables([store]).with_columns(pl.lit("harm").alias("attr.harm"))
    write_table(table, tmp_path / "harm.parquet")
    page = opened(served(tmp_path / "harm.parquet"), "/item?benchmark=pixelhumor&item=deadpan_1")
    blurred = "getComputedStyle(document.querySelector('.gold .text')).filter"
    assert "blur" in page.evaluate(blurred)
    assert page.evaluate("document.querySelector('.gold .text').inert")
    page.emulate_media(media="print")
    assert "blur" in page.evaluate(blurred)
    page.emulate_media(media="screen")
    page.locator(".unveil").click()
    assert page.evaluate(blurred) == "none"
    assert page.inner_text(".unveil") == "Blur it again"


def hostile_table(store: Path, path: Path) -> Path:
    """A table with attacks in every field that text can reach."""
    table = read_tables([store]).filter(benchmark="pixelhumor", task="style")
    number = pl.int_range(pl.len()) % len(ATTACKS)
    keys, attacks = list(range(len(ATTACKS))), [text.replace("\x00", "") for text in ATTACKS]
    attack = number.replace_strict(keys, attacks)
    said = number.replace_strict(
        keys, [json.dumps([{"parts": {"verdict": t, "reason": t}, "flags": [t]}]) for t in attacks]
    )
    gold = number.replace_strict(keys, [json.dumps([text]) for text in attacks])
    table = table.with_columns(
        model=attack + pl.col("model"),
        item=pl.col("item") + attack,
        answer=attack,
        reasoning=attack,
        question=attack,
        reason=attack,
        notes=attack,
        gold=gold,
        parsed=gold,
        judge=attack,
        judgements=said,
        **{"attr.source": attack, "attr.<b>key</b>": attack},
    )
    write_table(table, path)
    return path


def test_hostile_text_is_inert(
    store: Path, tmp_path: Path, served: Serve, opened: Open, complaints: list[str]
) -> None:
    app = served(hostile_table(store, tmp_path / "hostile.parquet"))
    page = opened(app)
    scripts = "document.querySelectorAll('script').length"
    for path in ("/", "/answers"):
        page.goto(app.address + path)
        page.wait_for_selector("html[data-ready]")
        assert page.locator("img[src='x'], svg[onload], b:text('key')").count() == 0
        assert page.evaluate(scripts) == 1
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert "\u202e" not in page.inner_text("main")
    boxes = page.locator("[data-answer]").count()
    links = [one.get_attribute("href") or "" for one in page.locator(".open").all()]
    for n, attack in enumerate(ATTACKS[:boxes]):
        box = page.locator("[data-answer]").nth(n)
        box.locator(".mark summary").click()
        box.locator("[name=tags]").fill(attack.replace(",", ";")[:50])
        box.locator("[name=note]").fill(attack[:5000])
        box.locator(".mark button").click()
        box.locator(".said").wait_for()
    for link in links:
        page.goto(app.address + link)
        page.wait_for_selector(".sheet")
        assert page.evaluate(scripts) == 1 and page.locator("img[src='x']").count() == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert "\u202e" not in page.inner_text("main")
    page.goto(app.address + "/tags")
    assert "<img src=x onerror=alert(1)>" in page.inner_text("main")
    assert page.evaluate(scripts) == 1
    for option in page.locator("[name=tag] option, [name=model] option").all()[1:]:
        assert option.get_attribute("value")
    page.goto(app.address + "/answers")
    model = page.locator("[name=model] option").nth(1).get_attribute("value") or ""
    page.locator("[name=model]").select_option(model)
    page.wait_for_url("**model=**")
    assert page.locator("[data-answer]").count() > 0, "an odd name still filters"
    assert complaints == []
