"""The study in which experts review ViMU's questions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path

from deadpan.base.counting import count_noun
from deadpan.base.errors import InputError
from deadpan.benchmarks.vimu.records import FETCH_HINT, Reading, Video
from deadpan.benchmarks.vimu.rows import Choice
from deadpan.benchmarks.vimu.variants import lettered
from deadpan.core.study.files import read_study
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.specification import Study
from deadpan.core.study.templates import MadeStudy, StudySource
from deadpan.core.study.words import Words
from deadpan.media.media_files import is_media

TASKS = ("oe", "eg", "rm", "sv")
"""Those whose questions are their own: guided ones ask the same."""
ALL = "all"
_TITLES: Mapping[str, Words] = {
    "video": {"en": "Video", "zh": "视频"},
    "transcript": {"en": "What is said", "zh": "语音转写"},
    "question": {"en": "Question", "zh": "问题"},
    "options": {"en": "Options", "zh": "选项"},
    "answer": {"en": "Answer", "zh": "答案"},
    "evidence": {"en": "Evidence", "zh": "依据"},
    "rubric": {"en": "What a good answer has", "zh": "评分要点"},
}


def make_review(source: StudySource) -> MadeStudy:
    """Every question of the videos that are there, each an item of its own."""
    every: tuple[Video, ...] = source.dataset.records
    videos = [video for video in every if is_media(Path(video.path))]
    if not videos:
        raise InputError(source.dataset.origin, "none of its videos is there", FETCH_HINT)
    missing = len(every) - len(videos)
    notes = [f"left out, as it is not there: {count_noun(missing, 'video')}"] if missing else []
    draw, wanted = random.Random(source.seed), source.number("videos")
    chosen = draw.sample(videos, min(wanted or len(videos), len(videos)))
    only = source.settings["tasks"]
    items = [
        item
        for video in chosen
        for task in (TASKS if only == ALL else (only,))
        if (item := _item(video, task)) is not None
    ]
    if not items:
        what = f"none of its videos has a question of {only}"
        raise InputError(source.dataset.origin, what, "Choose another task: --set tasks=all.")
    return MadeStudy(_study(source), items, notes)


def _study(source: StudySource) -> Study:
    """The study's file with people and rule on top."""
    study = read_study(Path(__file__).with_name("review.yaml"))
    (stage,) = study.stages
    settling = stage.settling.model_copy(update={"rule": source.settings["rule"]})
    changes = {"people": source.number("people", least=1), "settling": settling}
    return study.model_copy(update={"stages": (stage.model_copy(update=changes),)})


def _item(video: Video, task: str) -> StudyItem | None:
    """A question of a video as an item, `video/task`; None where the video has none."""
    asked = video.question(task)
    if asked is None:
        return None
    said = [_part(name, text) for name, text in _texts(video, asked) if text.strip()]
    film = Part(name="video", kind="video", title=_TITLES["video"], path=video.path)
    return StudyItem(
        key=f"{video.video_id}/{task}",
        language=video.language,
        parts=(film, *said),
        attributes={"video": video.video_id, "task": task, "difficulty": video.difficulty},
    )


def _texts(video: Video, asked: Reading | Choice) -> Iterator[tuple[str, str]]:
    """What is shown beside the video, in the order in which it is to be read."""
    yield "transcript", video.transcript or ""
    yield "question", asked.question
    if isinstance(asked, Choice):
        letters = [option.letter for option in asked.options]
        yield "options", lettered(letters, [option.text for option in asked.options])
        right = [option for option in asked.options if option.letter in asked.gold]
        nothing = {"en": "(no option)", "zh": "（无正确选项）"}[video.language]
        marked = lettered([one.letter for one in right], [one.text for one in right])
        yield "answer", marked or nothing
    else:
        yield "answer", asked.reference
    if video.reading is not None:
        yield "evidence", video.reading.evidence
    if isinstance(asked, Reading):
        yield "rubric", asked.rubric


def _part(name: str, text: str) -> Part:
    return Part(name=name, kind="text", title=_TITLES[name], text=text)
