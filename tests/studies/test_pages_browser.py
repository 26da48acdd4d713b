"""Pages in a real browser: every widget by keyboard and by pointer, saving that does not give up,
nothing sent twice, and no serious finding of axe-core."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import pytest

pytest.importorskip("fastapi", reason="the [web] extra is not installed")

import uvicorn

from deadpan.core.questions import Language
from tests.reports.hostile import ATTACKS
from tests.reports.test_accessibility import findings
from tests.studies import pages_app
from tests.studies.browsing import replaced
from tests.studies.made_pages import TASKS
from tests.studies.pages_app import Desk

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Dialog, Page, Response, Route

pytestmark = pytest.mark.browser
PLAIN = ("login", "join", "start", "consent", "guidelines", "mine", "done", "message")


@dataclass
class Served:
    """The app that is being served, and what a browser does with it."""

    desk: Desk
    address: str
    browser: Browser
    complaints: list[str]
    dialogs: list[Dialog]

    def open(
        self,
        path: str,
        language: Language = "en",
        width: int = 1280,
        scheme: Literal["light", "dark"] = "light",
    ) -> Page:
        """A page that complains of errors, of dialogs, and of what its policy forbids."""
        self.desk.language = language
        page = self.browser.new_page(
            viewport={"width": width, "height": 860},
            color_scheme=scheme,
            has_touch=width < 800,
            reduced_motion="reduce",  # colours are looked at, and not on their way
        )
        page.on("dialog", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda told: self.complaints.append(told.text))
        self.turn(page, path)
        return page

    def _heard(self, dialog: Dialog) -> None:
        self.complaints.append(dialog.message)
        self.dialogs.append(dialog)

    def turn(self, page: Page, path: str) -> None:
        page.goto(self.address + path)
        page.wait_for_selector("html[data-ready]")


@pytest.fixture
def served(chromium: Browser) -> Iterator[Served]:
    from playwright.sync_api import Error

    desk = Desk()
    listening = socket.create_server(("127.0.0.1", 0))
    app = pages_app.pages_app(desk)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.02)
    found = Served(desk, f"http://127.0.0.1:{listening.getsockname()[1]}", chromium, [], [])
    yield found
    for dialog in found.dialogs:  # a page with an open one never closes
        with suppress(Error):  # it was answered
            dialog.accept()
    for context in chromium.contexts:
        context.close()
    server.should_exit = True
    thread.join(timeout=20)


def _saved(page: Page) -> None:
    """Waits until all that was answered is saved."""
    page.wait_for_selector("#saved [data-state=saved]")


def _answered(name: str) -> Callable[[Response], bool]:
    def is_it(response: Response) -> bool:
        return response.url.endswith(name) and response.request.method == "POST"

    return is_it


@pytest.mark.parametrize(
    ("language", "width", "scheme", "half"), [("en", 1280, "light", 0), ("zh", 390, "dark", 1)]
)
def test_pages_fit_and_have_no_serious_findings(
    served: Served, language: Language, width: int, scheme: Literal["light", "dark"], half: int
) -> None:
    page = served.open("/login", language, width, scheme)
    paths = [f"/{name}" for name in PLAIN] + [f"/t/{name}" for name in TASKS]
    for at, path in enumerate(paths):
        served.turn(page, path)
        # Axe takes its time: it looks at every other page here, and at the others there.
        assert at % 2 != half or findings(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    assert served.complaints == []


def test_a_task_is_done_with_keys_alone(served: Served) -> None:
    page = served.open("/t/annotate")
    assert not page.is_visible("#q-panel")
    for key in ("1", "3", "2"):  # yes; panel 3, which is asked only now; and on
        page.keyboard.press(key)
    for key in ("1", "4", "2", "3"):  # the last option stands alone; two at most besides
        page.keyboard.press(key)
    page.keyboard.press("1")
    page.keyboard.press("j")
    page.keyboard.type("1 cat")
    page.keyboard.press("Control+Enter")
    assert "at least 10" in page.inner_text("#count-why")
    assert served.desk.sent("/t/annotate/submit") == []
    page.keyboard.type(", and nobody has read it")
    with page.expect_response(_answered("/submit")):
        page.keyboard.press("Control+Enter")
    page.wait_for_url("**/t/choose")
    assert served.desk.values["annotate"] == {
        "understood": "yes",
        "panel": "3",
        "sound": "idle",
        "styles": ["exaggeration", "sarcasm"],
        "why": "1 cat, and nobody has read it",
    }
    page.keyboard.press("Enter")
    assert page.inner_text("#error-best") == "Please answer this question."
    page.keyboard.press("b")
    _saved(page)
    assert served.desk.values["choose"] == {"best": 1}
    page.keyboard.press("z")
    assert page.is_visible("#zoom img")
    page.keyboard.press("Escape")
    with page.expect_response(_answered("/undo")):
        page.keyboard.press("u")
    page.wait_for_selector(".undo button:disabled")
    assert not page.is_checked("[data-key=b]")
    page.keyboard.press("s")
    page.keyboard.press("Enter")  # the first reason
    with page.expect_response(_answered("/skip")):
        page.keyboard.press("Enter")
    [skipped] = served.desk.sent("/t/choose/skip")
    assert skipped["reason"] == ["I do not understand it"]
    assert served.complaints == []


def test_pointer_and_keys_draw_order_and_transcribe(served: Served) -> None:
    page = served.open("/t/draw", "zh")
    frame = page.locator(".frame").bounding_box()
    assert frame
    page.mouse.move(frame["x"] + 0.1 * frame["width"], frame["y"] + 0.1 * frame["height"])
    page.mouse.down()
    page.mouse.move(frame["x"] + 0.5 * frame["width"], frame["y"] + 0.4 * frame["height"], steps=3)
    page.mouse.up()
    page.focus("[data-add-box]")
    page.keyboard.press("Enter")
    for key in ("ArrowRight", "Shift+ArrowDown"):
        page.keyboard.press(key)
    page.click("#q-order [data-move='1'] >> nth=0")
    for key in "4312":
        page.keyboard.press(key)
    page.fill("[data-panel='2']", "你好")
    page.keyboard.press("Tab")
    _saved(page)
    drawn = served.desk.values["draw"]
    boxes: Any = drawn["boxes"]
    first, second = ({name: round(box[name], 2) for name in box} for box in boxes)
    assert first == {"x1": 0.1, "y1": 0.1, "x2": 0.5, "y2": 0.4, "number": 1}
    assert second == {"x1": 0.15, "y1": 0.14, "x2": 0.45, "y2": 0.45, "number": 2}
    assert drawn["order"] == ["4", "3", "1", "2"]
    assert drawn["transcription"] == {"1": "", "2": "你好", "3": "", "4": ""}
    page.focus(".box >> nth=1")
    with page.expect_response(_answered("/boxes")):
        page.keyboard.press("Delete")
    assert served.complaints == []


def test_words_are_selected_by_clicks_by_drag_and_by_keys(served: Served) -> None:
    page = served.open("/t/correct")
    word = page.locator(".word")
    with page.expect_response(_answered("/target")):
        word.get_by_text("another", exact=True).click()
    with page.expect_response(_answered("/target")):
        word.get_by_text("🙂", exact=True).click()
    _saved(page)
    picked = {"text": "another Monday 🙂", "part": "text", "start": 7, "end": 23}
    assert served.desk.values["correct"]["target"] == picked
    for chosen in ("two", "bus"):  # another one takes its place
        word.get_by_text(chosen, exact=True).click()
    _saved(page)
    found = served.desk.values["correct"]["target"]
    assert isinstance(found, dict) and found["text"] == "two hours for the bus"
    page.click("[data-clear]")
    start, end = (word.get_by_text(one, exact=True).bounding_box() for one in ("two", "bus"))
    assert start and end
    page.mouse.move(start["x"] + 2, start["y"] + 9)
    page.mouse.down()
    page.mouse.move(end["x"] + 4, end["y"] + 9, steps=6)
    page.mouse.up()
    _saved(page)
    found = served.desk.values["correct"]["target"]
    assert isinstance(found, dict) and found["text"] == "two hours for the bus"
    page.click("[data-clear]")
    page.focus(".word[tabindex='0']")
    for key in ("ArrowRight", "ArrowRight", "Space", "Shift+ArrowRight"):
        page.keyboard.press(key)
    _saved(page)
    found = served.desk.values["correct"]["target"]
    assert isinstance(found, dict) and found["text"] == "another Monday"
    page.focus("#q-explanation textarea")
    page.keyboard.press("Escape")
    with page.expect_response(_answered("/explanation")):
        page.keyboard.press("y")  # what was suggested is accepted as it stands
    picture: Any = {"name": "a.png", "mimeType": "image/png", "buffer": pages_app.picture(1)}
    with page.expect_response(_answered("/upload/edit")):
        page.set_input_files("[type=file]", files=[picture])
    page.wait_for_selector("canvas.preview:not([hidden])")
    assert served.complaints == []


def test_what_does_not_get_through_is_sent_again_under_the_same_key(served: Served) -> None:
    page = served.open("/t/rate")
    served.desk.failing = [503]
    page.keyboard.press("7")
    page.wait_for_selector("#saved [data-state=unsaved]")
    _saved(page)
    sent = served.desk.sent("/t/rate/answer/agree")
    assert len(sent) == 2 and len({fields["key"][0] for fields in sent}) == 1
    assert "warmth" not in served.desk.values["rate"], "a slider that nobody touched says nothing"
    page.focus("#q-warmth input[type=range]")
    for _ in range(2):  # what is not complete turns to the slider, and does not set it
        page.keyboard.press("Enter")
        assert "missing" in (page.get_attribute("#q-warmth", "class") or "")
        page.focus("#q-warmth input[type=range]")
    assert page.inner_text("#q-warmth output") == "–"
    page.keyboard.press("Space")
    page.fill("#q-panels input[type=number]", "99")
    page.wait_for_selector("#saved [data-state=refused]")
    assert page.inner_text("#error-panels") == "expected a number from 1 to 12"
    page.fill("#q-panels input[type=number]", "3")
    page.click("#q-depth .point >> nth=3")
    _saved(page)
    assert page.inner_text("#error-panels") == ""
    page.fill("#q-why textarea", "It quotes the cat.")
    page.dblclick("#submit button")
    page.wait_for_url("**/t/choose")
    assert len(served.desk.sent("/t/rate/submit")) == 1
    assert served.desk.values["rate"] == {
        "agree": 7, "depth": 4, "warmth": 50, "panels": 3, "why": "It quotes the cat.",
    }  # fmt: skip


def test_keys_that_come_before_the_next_page_change_nothing(served: Served) -> None:
    page = served.open("/t/rate")
    held: list[Route] = []
    page.route("**/submit", lambda route: held.append(route))
    for key in ("7", "3"):
        page.keyboard.press(key)
    page.focus("#q-warmth input[type=range]")
    page.keyboard.press("Space")
    page.fill("#q-panels input[type=number]", "3")
    page.fill("#q-why textarea", "It quotes the cat.")
    with page.expect_request("**/submit"):
        page.keyboard.press("Control+Enter")
    said = dict(served.desk.values["rate"])
    page.keyboard.type("124 and more")
    page.keyboard.press("Control+Enter")
    held[0].fulfill(status=503)
    page.wait_for_selector("#alarm:not([hidden])")
    assert page.evaluate("document.activeElement.form.id") == "q-why", "as it was before"
    with page.expect_request("**/submit"):
        page.keyboard.press("Control+Enter")
    page.keyboard.type("2")
    held[1].continue_()
    page.wait_for_url("**/t/choose")
    page.keyboard.press("b")
    _saved(page)
    assert served.desk.values["rate"] == said and len(held) == 2
    assert served.desk.values["choose"] == {"best": 1}


def test_another_language_comes_where_one_is(served: Served) -> None:
    page = served.open("/t/rate")
    page.evaluate("history.pushState({}, '', '/t/choose')")  # as after submitting
    with page.expect_request("**/language") as sent:
        page.click(".languages button")
    assert "back=%2Ft%2Fchoose" in (sent.value.post_data or "")


def test_text_is_kept_by_whoever_leaves_while_writing(served: Served) -> None:
    page = served.open("/t/rate")
    page.fill("#q-why textarea", "half a sent")
    served.turn(page, "/guidelines")
    sent = served.desk.sent("/t/rate/answer/why")
    assert [fields["value"] for fields in sent] == [["half a sent"]] * len(sent)
    assert len({fields["key"][0] for fields in sent}) == 1, "however often, it counts once"
    assert served.desk.values["rate"] == {"why": "half a sent"}


def test_who_is_logged_out_keeps_the_words_and_is_told(served: Served) -> None:
    page = served.open("/t/rate")
    served.desk.failing, served.desk.led = [204], {"HX-Redirect": "/login"}
    page.fill("#q-why textarea", "written for an hour")
    page.wait_for_selector("#alarm:not([hidden])")
    assert "no longer logged in" in page.inner_text("#alarm")
    assert page.inner_text("#saved") == "Not saved", "no question is marked"
    assert page.input_value("#q-why textarea") == "written for an hour"


def test_people_discuss_and_review(served: Served) -> None:
    from playwright.sync_api import expect

    page = served.open("/t/discuss")
    assert page.locator("tr.differs").count() == 2
    page.fill("#say", "Look at the last panel.")
    with replaced(page, "/adopt"):  # what is not sent yet stays
        page.click("#adopt-panel")
    page.focus("#say")
    with page.expect_response(_answered("/say")):
        page.keyboard.press("Control+Enter")
    expect(page.locator("#say")).to_have_value("")
    [said] = served.desk.sent("/t/discuss/say")
    assert said["text"] == ["Look at the last panel."]
    assert served.desk.sent("/t/discuss/adopt")[0]["question"] == ["panel"]
    for key in ("Escape", "1", "2", "1", "4"):
        page.keyboard.press(key)
    page.fill("#say", "One more thing.")
    page.once("dialog", lambda dialog: dialog.dismiss())
    page.click("#submit button")
    assert "not sent" in served.complaints.pop() and not served.desk.sent("/t/discuss/submit")
    page.fill("#say", "")
    page.click("#submit button")  # the server says what is missing yet
    page.wait_for_selector("#q-panel.missing")
    assert page.evaluate("document.activeElement.form.id") == "q-panel"
    served.turn(page, "/t/review")
    assert page.is_disabled("[value=accept]"), "two points are needed"
    page.keyboard.press("2")
    with page.expect_response(_answered("/review")):
        page.keyboard.press("Enter")
    [decided] = served.desk.sent("/t/review/review")
    assert (decided["decision"], decided["point"]) == (["accept"], ["0", "1"])
    assert [one for one in served.complaints if "422" not in one] == []


def test_a_strip_on_a_phone_begins_where_it_is_read_and_says_it_goes_on(
    served: Served,
) -> None:
    page = served.open("/t/strip", width=390)
    page.wait_for_selector(".frame.more-left:not(.more-right)")  # read from the right
    assert page.is_visible(".swipe")
    picture, button = page.locator(".frame").bounding_box(), page.locator(".fold").bounding_box()
    assert picture is not None and button is not None
    assert button["y"] >= picture["y"] + picture["height"], "the button covers nothing"
    page.locator(".frame").evaluate("frame => { frame.scrollLeft = 100; }")
    page.wait_for_selector(".frame.more-left.more-right")
    page.click(".fold")
    page.wait_for_selector(".stage.folded")
    wide = served.open("/t/strip")
    assert wide.locator(".swipe").is_hidden() and wide.locator(".fold").is_hidden()


def test_how_much_to_write_is_said_before(served: Served) -> None:
    page = served.open("/t/annotate")
    line = page.locator("[data-count][data-least='10']")
    assert line.text_content() == "At least 10 characters"
    page.locator("[data-text][data-least='10']").evaluate(
        "area => { area.value = 'Short'; area.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    assert line.text_content() == "5 characters; at least 10 are needed"


def test_what_is_over_or_sent_back_says_just_that(served: Served) -> None:
    page = served.open("/t/ended")
    assert "This item is decided" in page.inner_text(".ended")
    assert page.locator("#submit, .undo, [data-open=skipping]").count() == 0
    assert page.is_disabled("#q-panel [name=value] >> nth=0")
    served.turn(page, "/t/returned-batch")
    assert "points" not in page.inner_text(".returned")
    served.desk.failing = [404, 410]
    page.keyboard.press("1")
    page.wait_for_selector("#alarm a[href='/work']")
    assert page.inner_text("#saved") == "This item is over"


def _shown_only_when_asked_for(page: Page) -> None:
    """Everything that shows an item's words is blurred, and no key gets there before."""
    words = page.locator(".text:not(.opinion), .pick, .card-body, .compare, .earlier dl")
    blurred = """elements => elements.map(element => {
      const above = [];
      for (let at = element; at; at = at.parentElement) above.push(at);
      return above.some(at => at.inert)
        && above.some(at => getComputedStyle(at).filter.startsWith("blur"));
    })"""
    assert words.count() > 2
    assert all(words.evaluate_all(blurred))
    inside = "document.activeElement.closest('.sensitive') !== null"
    for _ in range(20):
        page.keyboard.press("Tab")
        assert not page.evaluate(inside)
    page.click("[data-unveil]")
    assert not any(words.evaluate_all(blurred))


def test_harmful_and_hostile_things_stay_where_they_are(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = served.open("/t/harmful", width=390)
    page.keyboard.press("z")
    assert not page.is_visible("#zoom img"), "what is blurred is not shown large either"
    page.click("[data-unveil]")
    page.keyboard.press("z")
    assert page.is_visible("#zoom img")
    for name in ("veiled", "veiled-choice"):
        served.turn(page, f"/t/{name}")
        _shown_only_when_asked_for(page)
    monkeypatch.setattr("tests.studies.made_pages.TEXT", {"en": " ".join(ATTACKS)})
    served.turn(page, "/t/correct")
    page.click(".word >> nth=3")
    assert "⟦U+202E⟧" in page.inner_text(".pick")
    assert page.locator(".pick img, .pick script, .pick svg").count() == 0
    assert [one for one in served.complaints if "422" not in one] == []
