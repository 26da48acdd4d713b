"""Practice stage by stage: what is shown of earlier stages, who looks at it, what is sent back; and
guidelines of stages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from deadpan.base.errors import InputError
from deadpan.core.study.choice_questions import Single
from deadpan.core.study.items import StudyItem
from deadpan.core.study.specification import Practice, Study
from deadpan.core.study.stages import Settling, Stage
from deadpan.core.study.text_questions import Text
from deadpan.core.study.validation import require_own_fit
from deadpan.studies.results.datasheet import datasheet
from deadpan.studies.results.gathering import gather
from deadpan.studies.results.status import study_status
from deadpan.studies.storage.tables import TaskRow
from tests.studies.study_room import Person, Room, a_study, chosen, explained, left, served, words

FUNNY = Single.model_validate(
    {
        "name": "funny",
        "title": {"en": "Is it funny?", "zh": "好笑吗？"},
        "options": [{"value": "yes", "title": {"en": "Yes", "zh": "好笑"}}, "no"],
    }
)
MEANT = Single.model_validate(
    {"name": "meant", "title": {"en": "Is it meant?"}, "options": ["yes", "no"]}
)
WHY = Text(name="why", title={"en": "Why?"}, compared=False)
LOOK: dict[str, Any] = {"name": "look", "title": {"en": "First look", "zh": "初看"}, "people": 1}
SIDES: dict[str, Any] = {"name": "sides", "title": {"en": "Both sides", "zh": "双方"}, "people": 1}


def _two_stages(**practice: Any) -> Study:
    settling = Settling(rule="independent")
    look = Stage(
        **LOOK, questions=(FUNNY,), settling=settling, guidelines={"en": "Laugh **first**."}
    )
    sides = Stage(
        **SIDES,
        questions=(MEANT, WHY),
        builds_on=("look",),
        settling=settling,
        guidelines={"en": "Ask who speaks.", "zh": "请看谁在说话。"},
    )
    stages = ("look", "sides")
    return a_study(look, sides, practice=Practice(stages=stages, **practice))


def _tries(count: int = 2) -> list[StudyItem]:
    return [
        StudyItem(
            key=f"try-{at}",
            kind="practice",
            parts=(words(f"A try, number {at}."),),
            gold={"funny": "yes", "meant": "no"},
            stage_feedback={
                "look": {"en": "It *is* a pun <b>.", "zh": "这是双关。"},
                "sides": {"en": "Nobody means it.", "zh": "没人当真。"},
            },
        )
        for at in range(count)
    ]


ITEMS = [*_tries(), StudyItem(key="one", parts=(words("A joke."),))]


@pytest.fixture
def marked(tmp_path: Path) -> Iterator[Room]:
    yield from left(served(tmp_path / "study", _two_stages(rounds=2), ITEMS))


@pytest.fixture
def looked_at(tmp_path: Path) -> Iterator[Room]:
    yield from left(served(tmp_path / "study", _two_stages(rounds=2, by_person=True), ITEMS))


def _shown(person: Person) -> str:
    task = person.task()
    assert task is not None
    return person.get(f"/t/{task}").text


def _does(person: Person, **values: str) -> str:
    """Answers what comes next, and returns the page that is shown then."""
    task = person.task()
    assert task is not None
    person.answer(task, **values)
    person.post(f"/t/{task}/submit")
    return person.get(f"/t/{task}").text


def _decides(person: Person, decision: str, comment: str = "") -> str:
    """Decides about what waits, and returns what was shown of it."""
    page, task = _shown(person), person.task()
    person.post(f"/t/{task}/review", decision=decision, comment=comment)
    return page


class TestByMark:
    def test_each_stage_is_passed_before_the_next_and_shows_what_it_builds_on(
        self, marked: Room
    ) -> None:
        ann = marked.person("Ann")
        page = _shown(ann)
        assert "First look" in page and "Practice" in page and "Settled before" not in page
        assert "a pun" not in page, "what is right is told afterwards"
        after = _does(ann, funny="yes")
        assert "a pun &lt;b&gt;" in after and "Nobody means it" not in after
        _does(ann, funny="yes")
        page = _shown(ann)
        assert "Both sides" in page and "Settled before" in page
        assert "Is it funny?" in page and "a pun &lt;b&gt;" in page
        assert "Nobody means it" not in page and "Is it meant?" in page
        after = _does(ann, meant="no", why="Nobody would.")
        assert "Nobody means it" in after
        _does(ann, meant="no", why="Nobody would.")
        page = _shown(ann)
        assert "A joke." in page and ">Practice<" not in page

    def test_is_told_in_chinese_too(self, marked: Room) -> None:
        ann = marked.person("Ann", language="zh")
        _does(ann, funny="yes")
        _does(ann, funny="yes")
        page = _shown(ann)
        assert "双方" in page and "此前已确定" in page and "这是双关。" in page and "好笑" in page
        assert "本阶段标注指南" in page and "请看谁在说话。" in page

    def test_counts_the_items_of_the_stage(self, marked: Room) -> None:
        ann = marked.person("Ann")
        for done in (0, 1):
            assert f'max="2" value="{done}"' in _shown(ann)
            _does(ann, funny="yes")
        assert 'max="2" value="0"' in _shown(ann)

    @pytest.mark.parametrize(
        ("language", "told", "skipped"),
        [
            (
                "en",
                "This is round 2 of 2. Right answers in the round before: 1 of 2; "
                "needed: at least 2.",
                "In the round before you skipped every item.",
            ),
            (
                "zh",
                "第 2 轮，共 2 轮。上一轮 2 个回答中答对 1 个，至少需要答对 2 个。",
                "上一轮您跳过了所有条目。",
            ),
        ],
    )
    def test_who_fails_a_round_is_told(
        self, marked: Room, language: str, told: str, skipped: str
    ) -> None:
        ann = marked.person("Ann", language=language)
        for said in ("no", "yes"):
            assert "caution again" not in _shown(ann)
            _does(ann, funny=said)
        assert told in _shown(ann)
        assert told not in _does(ann, funny="yes"), "what is done is not begun again"
        assert told in _shown(ann)
        bo = marked.person("Bo", language=language)
        for _ in range(2):
            bo.post(f"/t/{bo.task()}/skip")
        assert skipped in _shown(bo)

    def test_of_sessions_only_the_same_one_is_told_of(self, tmp_path: Path) -> None:
        study = _two_stages(rounds=3, sessions=2, pass_mark=0.5)
        for room in left(served(tmp_path / "study", study, [*_tries(4), ITEMS[-1]])):
            ann = room.person("Ann")
            for said in ("yes", "yes", "no", "no"):
                _does(ann, funny=said)
            told = "2 of 3. Right answers in the round before: 0 of 2; needed: at least 1."
            assert told in _shown(ann)

    def test_who_fails_the_second_stage_has_failed(self, marked: Room) -> None:
        ann, lead = marked.person("Ann"), marked.person("Dana", "lead")
        for _ in range(2):
            _does(ann, funny="yes")
        for _ in range(4):
            _does(ann, meant="yes", why="So.")
        assert ann.task() is None and "was not passed" in ann.get("/work").text
        assert study_status(marked.study).people[0].practice == "failed sides"
        assert "not passed (Both sides)" in lead.get("/lead/people").text
        lead.post("/lead/pass", person=ann.number)
        assert "A joke." in _shown(ann)


class TestByPerson:
    def test_a_reviewer_sees_the_stage_and_what_is_known(self, looked_at: Room) -> None:
        ann, chen = looked_at.person("Ann"), looked_at.person("Chen", "adjudicator")
        for _ in range(2):
            _does(ann, funny="no")
        assert ann.task() is None
        assert study_status(looked_at.study).people[0].practice == "waiting look"
        page = _decides(chen, "accept")
        assert "First look" in page and ">Practice<" in page and ">Review<" in page
        assert "what is known" in page and "a pun &lt;b&gt;" in page and "Not quite" in page
        _decides(chen, "accept", comment="A fine ear.")
        _does(ann, meant="no", why="So.")
        _does(ann, meant="no", why="So.")
        page = _decides(chen, "accept")
        assert "Both sides" in page and "Nobody means it" in page and "Settled before" in page
        own = ann.get("/mine").text
        looks = [f"/t/{part.split(chr(34))[0]}" for part in own.split('href="/t/')[1:]]
        assert any("A fine ear." in ann.get(path).text for path in looks)

    def test_what_is_sent_back_comes_with_its_answers_and_what_was_said(
        self, looked_at: Room
    ) -> None:
        ann, chen = looked_at.person("Ann"), looked_at.person("Chen", "adjudicator")
        for said in ("no", "yes"):
            _does(ann, funny=said)
        _decides(chen, "return", comment="Read it aloud <i>.")
        _decides(chen, "accept")
        page = _shown(ann)
        assert "Sent back" in page and "Read it aloud &lt;i&gt;." in page
        chosen = [part for part in page.split("<input")[1:] if " checked" in part.split(">")[0]]
        assert len(chosen) == 1 and 'value="no"' in chosen[0]
        assert 'max="1" value="0"' in page, "only one was sent back"
        _does(ann, funny="yes")
        _decides(chen, "return")
        assert ann.task() is None and "was not passed" in ann.get("/work").text

    def test_sent_back_without_a_word_says_nothing_in_another_language(
        self, looked_at: Room
    ) -> None:
        ann = looked_at.person("Ann", language="zh")
        chen = looked_at.person("Chen", "adjudicator")
        for _ in range(2):
            _does(ann, funny="no")
        for _ in range(2):
            _decides(chen, "return")
        assert "sent back" not in _shown(ann)

    def test_the_datasheet_says_which_stages_were_practised(self, looked_at: Room) -> None:
        told = datasheet(gather(looked_at.study), [])
        assert "by: a second person, up to 2 rounds, stage by stage: First look, Both sides" in told


class TestFit:
    def test_a_stage_that_is_not_there_or_not_the_raters(self) -> None:
        with pytest.raises(ValueError, match=r"practice: raters answer no stage lok; .*mean look"):
            a_study(Stage(**LOOK, questions=(FUNNY,)), practice=Practice(stages=("lok",)))

    def test_what_is_built_on_has_to_be_known(self) -> None:
        item = ITEMS[0].model_copy(update={"gold": {"meant": "no"}, "stage_feedback": {}})
        with pytest.raises(InputError, match=r"sides shows what look settled; expected .* funny"):
            require_own_fit(_two_stages(), [("items:1", item), ("items:2", ITEMS[-1])], "study")

    def test_a_stage_without_gold_would_be_passed_by_everybody(self) -> None:
        item = ITEMS[0].model_copy(update={"gold": {"funny": "yes"}})
        items = [("items:1", item), ("items:2", ITEMS[-1])]
        with pytest.raises(InputError, match="items:1: gold: has nothing for stage sides"):
            require_own_fit(_two_stages(), items, "study")
        require_own_fit(_two_stages(by_person=True), items, "study")

    def test_feedback_is_about_stages_that_there_are(self) -> None:
        item = ITEMS[0].model_copy(update={"stage_feedback": {"side": {"en": "So."}}})
        with pytest.raises(InputError, match=r"stage_feedback.side: .* did you mean sides"):
            require_own_fit(_two_stages(), [("items:1", item), ("items:2", ITEMS[-1])], "study")


class TestGuidelinesOfStages:
    def test_stand_on_their_pages_and_on_that_of_all(self, marked: Room) -> None:
        ann = marked.person("Ann")
        page = _shown(ann)
        assert "Laugh <strong>first</strong>." in page and "Ask who speaks." not in page
        everything = ann.get("/guidelines").text
        assert everything.index("First look") < everything.index("Laugh <strong>")
        assert everything.index("Both sides") < everything.index("Ask who speaks.")

    def test_a_lead_changes_them_as_a_new_version(self, marked: Room) -> None:
        lead, ann = marked.person("Dana", "lead"), marked.person("Ann")
        assert "Laugh **first**." in lead.get("/lead/guidelines").text
        told: dict[str, Any] = {"look.en": "Laugh last.", "en": "Be kind."}
        lead.post("/lead/guidelines", **told)
        assert marked.study.version == 2 and marked.study.study.guidelines == {"en": "Be kind."}
        assert "Laugh last." in _shown(ann)
        page = lead.get("/lead/guidelines").text
        assert "Laugh **first**." in page and "Laugh last." in page and "Ask who speaks." in page
        same = lead.post("/lead/guidelines", **told)
        assert same.status_code >= 400 and marked.study.version == 2


def test_practice_that_is_done_is_only_looked_at(marked: Room) -> None:
    ann = marked.person("Ann")
    task = ann.task()
    assert task is not None and "<fieldset" in (before := ann.get(f"/t/{task}").text)
    assert " disabled" not in before and 'class="undo"' in before
    ann.answer(task, funny="yes")
    page = ann.post(f"/t/{task}/submit", fragment=True).text
    assert page.count("<fieldset") == page.count(" disabled>") > 0
    assert 'class="undo"' not in page and "data-go-on" in page


def test_known_choices_are_told_by_the_letters_of_the_page(tmp_path: Path) -> None:
    choose = chosen(name="choose", people=1, settling=Settling(rule="independent"))
    (asked,) = choose.questions
    later = Stage(
        **SIDES, questions=(MEANT,), builds_on=("choose",), settling=Settling(rule="independent")
    )
    study = a_study(choose, later, practice=Practice(stages=("choose", "sides")))
    explains = explained("try", a="A pun.", b="A stumble.")
    practice = explains.model_copy(
        update={"kind": "practice", "gold": {asked.name: 0, "meant": "no"}}
    )
    room = served(tmp_path / "study", study, [practice, explained("one", a="Yes.", b="No.")])
    ann = room.person("Ann")
    task = ann.task()
    assert task is not None
    with room.study.database.read() as session:
        number = session.scalars(select(TaskRow.item).where(TaskRow.token == task)).one()
    order = room.study.outputs_shown(ann.number, number, practice)
    right = order.index(0)
    after = ann.post(f"/t/{task}/answer/{asked.name}", fragment=True, value=str(right))
    assert after.status_code < 400
    ann.post(f"/t/{task}/submit")
    following = ann.task()
    assert following is not None
    page = ann.get(f"/t/{following}").text
    told = page[page.index('class="earlier"') :]
    assert f'<dd dir="auto">{"AB"[right]}</dd>' in told
    list(left(room))
