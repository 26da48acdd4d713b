"""The study in which experts review ViMU's questions, made from the mini-set."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.vimu import VIMU
from deadpan.core.study.choice_questions import Single
from deadpan.core.study.files import read_items, read_study, study_of, study_text, write_items
from deadpan.core.study.templates import MadeStudy, StudySource
from tests.benchmarks.study_words import untold

DATA = VIMU.read(None)
TEMPLATE = next(one for one in VIMU.studies if one.name == "review")


def make(seed: int = 0, **given: str) -> MadeStudy:
    return TEMPLATE.make(StudySource(DATA, None, seed, TEMPLATE.settings(given)))


def test_speaks_both_languages() -> None:
    made = make(videos="3")
    assert untold(made.study) == []
    for item in made.items:
        assert all(set(part.title) == {"en", "zh"} for part in item.parts)


def test_the_file_is_what_the_template_makes(tmp_path: Path) -> None:
    made = make()
    assert made.study == read_study(VIMU.folder / "studies" / "review.yaml")
    assert study_of(study_text(made.study), "study.yaml") == made.study
    write_items(tmp_path / "items.jsonl", made.items)
    assert read_items(tmp_path / "items.jsonl") == list(made.items)


def test_every_question_of_every_video_is_reviewed() -> None:
    made = make()
    keys = [item.key for item in made.items]
    assert len(set(keys)) == len(keys)
    tasks = Counter(item.attributes["task"] for item in made.items)
    expected = {
        task: sum(video.question(task) is not None for video in DATA.records) for task in tasks
    }
    assert tasks == expected and set(tasks) == {"oe", "eg", "rm", "sv"}


def test_draws_by_the_seed() -> None:
    assert make(4) == make(4)
    assert make(4).items != make(5).items
    assert {item.attributes["task"] for item in make(tasks="rm").items} == {"rm"}
    assert len({item.attributes["video"] for item in make(videos="3").items}) == 3


SOURCES = {
    "frames": "画面",
    "text": "画面中的文字",
    "editing": "剪辑方式",
    "transcript": "说话内容",
    "audio_tone": "声音与语气",
}


def test_shows_video_words_question_answer_and_options() -> None:
    videos = {video.video_id: video for video in DATA.records}
    for item in make().items:
        video = videos[str(item.attributes["video"])]
        names = [part.name for part in item.parts]
        texts = {part.name: part.text for part in item.parts}
        assert names[0] == "video" and Path(item.parts[0].path).is_file()
        assert texts.get("transcript", "").strip() == (video.transcript or "").strip()
        if item.attributes["task"] == "oe":
            assert video.reading is not None and "options" not in names
            assert texts["question"] == video.reading.question
            assert texts["answer"] == video.reading.reference
            told = item.parts[names.index("evidence")]
            lines = zip(
                video.reading.evidence.splitlines(), told.text_in("zh").splitlines(), strict=True
            )
            for raw, named in lines:
                source, _, words = raw.partition(": ")
                assert named == f"{SOURCES[source]}：{words}"
        else:
            asked = video.choices[str(item.attributes["task"])]
            assert asked is not None
            assert texts["options"].count("\n") == len(asked.options) - 1
            assert [line[0] for line in texts["answer"].splitlines()] == [*asked.gold]


def test_five_experts_decide_by_majority() -> None:
    (stage,) = make().study.stages
    assert (stage.people, stage.settling.rule) == (5, "majority")
    assert stage.settling.discards == ("reject",)
    assert stage.settling.returns == ("major",)
    verdict = stage.question(str(stage.settling.verdict))
    assert isinstance(verdict, Single)
    assert [one.value for one in verdict.options] == ["accept", "minor", "major", "reject"]
    assert {"implicit", "difficulty", "supported", "options_right"} <= {
        one.name for one in stage.questions
    }


def test_one_objection_can_be_enough() -> None:
    (stage,) = make(rule="objection", people="3").study.stages
    assert (stage.people, stage.settling.rule) == (3, "objection")
    assert stage.settling.discards == ("reject",)
    assert stage.settling.otherwise == (), "accept and minor both keep a question"


@pytest.mark.parametrize(
    ("verdict", "asked"),
    [
        ("accept", []),
        ("minor", ["feedback"]),
        ("major", ["feedback"]),
        ("reject", ["reason", "feedback"]),
    ],
)
def test_who_objects_says_why(verdict: str, asked: list[str]) -> None:
    (stage,) = make().study.stages
    before = dict.fromkeys(("implicit", "options_right", "supported"), "yes")
    given = {**before, "difficulty": "easy", "verdict": verdict}
    assert stage.missing(given) == asked


def test_difficulty_is_that_of_the_data() -> None:
    question = make().study.stages[0].question("difficulty")
    assert isinstance(question, Single) and question.ranked
    assert {video.difficulty for video in DATA.records} == {one.value for one in question.options}


def test_reasons_to_drop() -> None:
    question = make().study.stages[0].question("reason")
    assert isinstance(question, Single)
    assert {"outside_context", "ambiguous"} < {one.value for one in question.options}


def test_missing_videos_are_left_out() -> None:
    gone = DATA.records[0].model_copy(update={"path": "nowhere.mp4"})
    data = replace(DATA, records=(gone, *DATA.records[1:]))
    made = TEMPLATE.make(StudySource(data, None, 0, TEMPLATE.settings({})))
    assert made.notes == ["left out, as it is not there: 1 video"]
    with pytest.raises(DeadpanError, match="none of its videos is there"):
        TEMPLATE.make(StudySource(replace(DATA, records=(gone,)), None, 0, TEMPLATE.settings({})))
