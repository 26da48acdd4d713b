"""Drafts of a model: what it is asked, what is kept, what is left out, and that it stays sealed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from deadpan.base.errors import DeadpanError
from deadpan.core.questions import Language
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.question_base import Condition
from deadpan.core.study.text_questions import Text
from deadpan.engine.calls import CallOptions
from deadpan.studies.models.drafting import draft_study
from deadpan.studies.storage.tables import ItemRow
from tests.model_server import ModelServer
from tests.studies import template_world
from tests.studies.made_study import (
    EDITED,
    SARCASTIC,
    STRENGTH,
    STYLES,
    TARGET,
    WHY,
    Lab,
    made_items,
    made_lab,
    made_stage,
)

MODEL = "openai-api/loopback/draft-horse-9"
CALLS = CallOptions(max_retries=0, timeout=20)
LATER = Text(
    name="later", title={"en": "And then?"}, when=Condition(question="sarcastic", values=("no",))
)
STAGE = made_stage(
    drafted=True, questions=(SARCASTIC, TARGET, STYLES, STRENGTH, WHY, LATER, EDITED)
)


def reply(**answers: Any) -> str:
    return json.dumps({"answers": [{"question": k, "answer": v} for k, v in answers.items()]})


GOOD = reply(
    sarcastic="yes", target="boss", styles=["pun"], strength=4, why="It is a Monday.", later="x"
)


def drafts(lab: Lab) -> dict[str, tuple[dict[str, Any], str]]:
    with lab.study.database.read() as session:
        rows = [row.content for row in session.scalars(select(ItemRow))]
    return {row["key"]: (row["draft"], row["draft_by"]) for row in rows}


def test_drafts_are_kept_as_their_questions_take_them_and_nobody_sees_by_whom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompts: list[str] = []

    def answer(picture: str, prompt: str) -> str:
        prompts.append(prompt)
        return f"<think>Hm, {{}}</think>```json\n{GOOD}\n```" if "boss" in prompt else GOOD

    lab = made_lab(tmp_path / "study", [STAGE])
    with ModelServer(answer) as server:
        server.offer(monkeypatch)
        done = draft_study(lab.study, MODEL, calls=CALLS)
        again = draft_study(lab.study, MODEL, calls=CALLS)
    assert (done.items, done.known, done.failed, dict(done.refused)) == (2, 0, {}, {})
    assert (again.items, again.known, server.total) == (0, 2, 2)
    found, by = drafts(lab)["post-1"]
    assert by == MODEL
    assert found == {
        "sarcastic": "yes",
        "target": {"text": "boss", "part": "caption", "start": 3, "end": 7},
        "styles": ["pun"],
        "strength": 4,
        "why": "It is a Monday.",
    }
    assert drafts(lab)["post-2"][0]["target"] == {"text": "boss"}  # typed: its text has no boss
    asked = next(one for one in prompts if "My boss" in one)
    assert "styles: Styles" in asked and "a list of 1 to 2 values of options" in asked
    assert "edited" not in asked and "post-1" not in asked

    ann = lab.join("Ann")
    page = ann.get(ann.next_task()).text
    assert "It is a Monday." in page and "Suggested." in page
    assert "draft-horse" not in page and "loopback" not in page
    with pytest.raises(DeadpanError, match="people have begun"):
        draft_study(lab.study, MODEL, calls=CALLS)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_stage_may_tell_the_drafter_what_to_do_instead_of_what_people_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: Language
) -> None:
    prompts: list[str] = []

    def answer(picture: str, prompt: str) -> str:
        prompts.append(prompt)
        return reply(sarcastic="no")

    (stage, *_) = template_world.make("cfms/annotation").study.stages
    assert set(stage.drafting) == {"en", "zh"}
    post = Part(name="text", kind="text", text="Oh great, Monday.")
    item = StudyItem(key="one", language=language, parts=(post,))
    stage = stage.model_copy(update={"people": 1})
    for given in (stage, stage.model_copy(update={"drafting": {}, "about": {"en": "Look."}})):
        lab = made_lab(tmp_path / f"study-{len(prompts)}", [given], [item])
        with ModelServer(answer) as server:
            server.offer(monkeypatch)
            assert draft_study(lab.study, MODEL, calls=CALLS).items == 1
    own, plain = prompts
    assert stage.drafting[language].strip() in own and stage.about[language] not in own
    assert {"en": "at least two of the four", "zh": "至少有两类成立"}[language] in own
    assert "Look." in plain
    for told in prompts:
        assert not any(word in told for word in ("orrect the draft", "修改草稿", "核对"))


def test_refused_answers_are_counted_and_a_failing_item_stops_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = [
        *made_items(tmp_path / "sources"),
        *(
            StudyItem(key=f"text-{n}", parts=(Part(name="caption", kind="text", text=f"Post {n}"),))
            for n in range(3)
        ),
    ]

    def answer(picture: str, prompt: str) -> str:
        if "Post 0" in prompt or "cannot be used" in prompt:
            return "Purple."
        if "Post 1" in prompt:
            return reply(sarcastic="perhaps", strength=11, unknown="x")
        if "Post 2" in prompt:
            return reply(sarcastic="no", styles="irony", strength=11, later="more")
        return reply(sarcastic="no", why="w" * 400)

    lab = made_lab(tmp_path / "study", [STAGE], items)
    lost = next((tmp_path / "study" / "media").glob("*/*"))
    lost.unlink()
    with ModelServer(answer) as server:
        server.offer(monkeypatch)
        done = draft_study(lab.study, MODEL, calls=CALLS)
    assert (done.items, done.answers) == (2, 4)
    assert dict(done.refused) == {"sarcastic": 1, "strength": 2, "why": 1}
    found = drafts(lab)
    assert found["text-2"][0] == {"sarcastic": "no", "styles": ["irony"], "later": "more"}
    assert found["text-0"] == ({}, "") and "drafted nothing" in done.failed["text-0"]
    assert done.failed["text-1"] == "no answer could be used"
    [broken] = [key for key in done.failed if key.startswith("post")]
    assert lost.name in done.failed[broken] and found[broken] == ({}, "")


def test_a_study_without_drafts_is_told_so(tmp_path: Path) -> None:
    lab = made_lab(tmp_path / "study")
    with pytest.raises(DeadpanError, match="no stage of it begins with drafts"):
        draft_study(lab.study, "mockllm/model")
