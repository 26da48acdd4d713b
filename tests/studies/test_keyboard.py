"""A whole study without a mouse: invitations, consent, answers, logging in again, discussion,
review, a lead's decisions, withdrawal. What has the focus can be seen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from deadpan.core.study.choice_questions import Single
from deadpan.core.study.scale_questions import Likert
from deadpan.core.study.specification import Batches, Consent
from deadpan.core.study.stages import Review, Settling, Stage
from deadpan.core.study.text_questions import Text
from deadpan.studies.lead.operations import invite_people
from deadpan.studies.making.creating import create_study
from deadpan.studies.results.gathering import gather
from deadpan.studies.storage.opened import OpenStudy
from tests.studies.browsing import PASSWORD, replaced, served
from tests.studies.study_room import a_study, explained

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
_MOST_TABS = 90
_FOCUSED = "wanted => document.activeElement?.matches(wanted) ?? false"
_VISIBLE = """() => {
  for (let at = document.activeElement; at && at !== document.body; at = at.parentElement) {
    const style = getComputedStyle(at);
    if (style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 1) return true;
    if (style.boxShadow !== "none") return true;
  }
  return false;
}"""


class Keys:
    """Somebody with a keyboard."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.address = address
        self.page: Page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
        self.problems: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))

    def open(self, path: str) -> None:
        self.page.goto(self.address + path)
        self.page.wait_for_selector("html[data-ready]")

    def to(self, wanted: str) -> None:
        """Presses Tab until something has the focus, which must be seen there."""
        for _ in range(_MOST_TABS):
            if self.page.evaluate(_FOCUSED, wanted):
                break
            self.page.keyboard.press("Tab")
        assert self.page.evaluate(_FOCUSED, wanted), f"no way to {wanted}"
        assert self.page.evaluate(_VISIBLE), f"{wanted} has the focus, and nobody sees it"

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def type(self, wanted: str, words: str) -> None:
        self.to(wanted)
        self.page.keyboard.type(words)

    def go(self, wanted: str, key: str = "Enter") -> None:
        """To another page, by what has that address or sends that form."""
        self.to(wanted)
        with self.page.expect_navigation():
            self.page.keyboard.press(key)
        self.page.wait_for_selector("html[data-ready]")

    def join(self, study: OpenStudy, name: str, role: str = "rater") -> None:
        ((_, token),) = invite_people(study, [name], role)
        self.open(f"/join/{token}")
        self.type("[name=password]", PASSWORD)
        self.type("[name=again]", PASSWORD)
        self.go("main button.primary")
        if role != "lead":
            self.to("[name=agree]")
            self.press("Space")
            self.go("main button.primary")
        if self.page.url.endswith("/guidelines?first"):
            self.go("main a.primary")

    def saved(self) -> None:
        self.page.wait_for_selector("#saved [data-state=saved]")

    def send(self, path: str, *keys: str) -> None:
        with replaced(self.page, path):
            self.press(*keys)

    @property
    def text(self) -> str:
        return self.page.inner_text("main")


def _study(folder: Path) -> OpenStudy:
    stage = Stage(
        name="look",
        title={"en": "Look"},
        people=2,
        questions=(
            Single(name="funny", title={"en": "Funny?"}, options=["yes", "no"]),
            Likert(name="much", title={"en": "How much?"}, highest=5, compared=False),
            Text(name="why", title={"en": "Why?"}, compared=False),
        ),
        settling=Settling(rule="equal", otherwise=("discuss", "third")),
    )
    study = a_study(
        stage,
        consent=Consent(text={"en": "We keep what you answer."}),
        guidelines={"en": "# Look twice"},
        batches=Batches(size=2, checked=1),
    )
    items = [explained("one", model="A pun."), explained("two", model="A joke.")]
    return create_study(folder / "study", study, items).opened


def _answer(who: Keys, funny: str) -> None:
    """An item by the keys that the page names: a digit for a label, Enter to go on."""
    who.page.wait_for_selector("form[data-question=funny]")
    who.to("form[data-question=funny] input")
    who.press("1" if funny == "yes" else "2")
    who.to("form[data-question=much] input")
    who.press("4")
    who.type("form[data-question=why] textarea", "It is dry.")
    who.saved()
    who.send("/submit", "Control+Enter")


def test_from_the_invitation_to_gold_without_a_mouse(chromium: Browser, tmp_path: Path) -> None:
    study = _study(tmp_path)
    with served(study) as address:
        ann, bo, dana = (Keys(chromium, address) for _ in range(3))
        ann.join(study, "Ann")
        bo.join(study, "Bo")
        for turn in range(2):
            _answer(ann, "yes")
            _answer(bo, "no" if turn else "yes")
        ann.page.wait_for_selector("text=Nothing to do right now")
        # Out, and in again by name and password.
        ann.go("form[action='/logout'] button")
        ann.type("[name=name]", "Ann")
        ann.type("[name=password]", PASSWORD)
        ann.go("main button.primary")
        ann.go("a[href='/mine']")
        assert "It is dry." in ann.text
        dana.join(study, "Dana", "lead")
        dana.go("nav a[href='/lead/batches']")
        dana.go("main a[href^='/lead/batch/']")
        dana.go("form[action$='/accept'] button")
        # What two differ on they talk over.
        bo.open("/work")
        bo.type("#say", "I take it back.")
        bo.to(".say button")
        bo.press("Enter")
        bo.page.wait_for_selector("text=I take it back.")
        assert "yes" in bo.page.inner_text("#compare") and "no" in bo.page.inner_text("#compare")
        bo.to("form[data-question=funny] input")
        bo.press("1")
        bo.saved()
        bo.to("#submit button")
        bo.send("/submit", "Enter")
        dana.go("nav a[href='/lead/items']")
        dana.go("main a[href^='/lead/item/']")
        # To the language and back, and out for good.
        ann.go("form.languages button")
        assert "我的回答" in ann.text
        ann.go("form.languages button")
        ann.go("a[href='/mine']")
        ann.to(".leaving summary")
        ann.press("Enter")
        ann.page.on("dialog", lambda dialog: dialog.accept())
        ann.go(".leaving button")
        assert not [one for who in (ann, bo, dana) for one in who.problems]
    export = gather(study)
    assert [one.result["funny"] for one in export.settled if one.state == "settled"] == ["yes"] * 2


def test_a_reviewer_and_a_third_person_need_no_mouse(chromium: Browser, tmp_path: Path) -> None:
    points = tuple({"en": f"Point {at}"} for at in range(4))
    stage = Stage(
        name="look",
        title={"en": "Look"},
        people=1,
        questions=(Text(name="why", title={"en": "Why?"}),),
        settling=Settling(rule="independent"),
        review=Review(question="why", points=points, needed=2),
    )
    made = a_study(stage, consent=Consent(text={"en": "We keep what you answer."}))
    study = create_study(tmp_path / "study", made, [explained("one", model="A pun.")]).opened
    with served(study) as address:
        ann, chen = Keys(chromium, address), Keys(chromium, address)
        ann.join(study, "Ann")
        ann.type("form[data-question=why] textarea", "Nice.")
        ann.saved()
        ann.send("/submit", "Control+Enter")
        chen.join(study, "Chen", "adjudicator")
        chen.type("#review-comment", "Say more.")
        chen.to("[form=review][value=return]")
        chen.send("/review", "Enter")
        ann.open("/work")
        assert "Say more." in ann.text
        ann.to("form[data-question=why] textarea")
        ann.press("Control+a")
        ann.page.keyboard.type("It quotes the last line, which is the joke.")
        ann.saved()
        ann.send("/submit", "Control+Enter")
        chen.open("/work")
        for at in (0, 1):
            chen.to(f"#review [name=point][value='{at}']")
            chen.press("Space")
        chen.to("[form=review][value=accept]")
        chen.send("/review", "Enter")
        assert not [*ann.problems, *chen.problems]
    assert [one.value for one in gather(study).independent] == [
        "It quotes the last line, which is the joke."
    ]
