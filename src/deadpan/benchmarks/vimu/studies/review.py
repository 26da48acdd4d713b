"""The study in which experts review ViMU's questions."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import get_args

from deadpan.base.counting import count_noun
from deadpan.base.errors import InputError
from deadpan.benchmarks.vimu.records import FETCH_HINT, OpenEnded, Video
from deadpan.benchmarks.vimu.rows import Choice
from deadpan.benchmarks.vimu.studies.gold import ROW, read_returned, released_row
from deadpan.benchmarks.vimu.taxonomy import TAXONOMIES
from deadpan.benchmarks.vimu.variants import lettered
from deadpan.core.questions import Language
from deadpan.core.study.files import read_study
from deadpan.core.study.items import Part, StudyItem
from deadpan.core.study.making import changed
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
    "feedback": {"en": "What had to be changed", "zh": "上一轮要求修改之处"},
}

_NO_OPTION: Words = {"en": "(no option)", "zh": "（无正确选项）"}
_SOURCES: Mapping[str, Words] = {
    member.name: {"en": one.label, "zh": one.label_zh}
    for one in TAXONOMIES["eg"]
    for member in one.members
}
"""What the data's names for sources of evidence mean."""
_SOURCE = re.compile(rf"^({'|'.join(_SOURCES)}): ?", re.MULTILINE)
_COLONS: Words = {"en": ": ", "zh": "："}


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
    named = source.settings["tasks"]
    items = [
        item
        for video in chosen
        for task in (TASKS if named == ALL else (named,))
        if (item := _item(video, task)) is not None
    ]
    if not items:
        what = f"none of its videos has a question of {named}"
        raise InputError(source.dataset.origin, what, "Choose another task: --set tasks=all.")
    if source.settings["only"]:
        items, more = _returned(source, items)
        notes += more
    return MadeStudy(_study(source), items, notes)


def _returned(source: StudySource, items: Sequence[StudyItem]) -> tuple[list[StudyItem], list[str]]:
    """Those of the questions that an earlier review returned, each with what was said of it, and
    how many more there were; none raises."""
    earlier = source.settings["only"]
    said = read_returned(Path(earlier))
    found = [
        changed(item, parts=(*item.parts, _part("feedback", said[item.key])))
        for item in items
        if item.key in said
    ]
    if not found:
        what = f"has none of the questions that {earlier} returned"
        raise InputError(source.dataset.origin, what, "Give the data that it reviewed.")
    gone = len(said) - len(found)
    notes = [f"returned, and not among these: {count_noun(gone, 'question')}"] if gone else []
    return found, notes


def _study(source: StudySource) -> Study:
    """The study's file with people and rule on top."""
    study = read_study(Path(__file__).with_name("review.yaml"))
    (stage,) = study.stages
    settling = stage.settling
    if source.settings["rule"] == "objection":  # decides by itself: nothing is left to discuss
        settling = changed(settling, rule="objection", otherwise=())
    people = source.number("people", least=1)
    name = f"{study.name}-again" if source.settings["only"] else study.name
    return changed(study, name=name, stages=(changed(stage, people=people, settling=settling),))


def _item(video: Video, task: str) -> StudyItem | None:
    """A question of a video as an item, `video/task`; None where the video has none."""
    asked = video.question(task)
    if asked is None:
        return None
    said = [_part(name, text) for name, text in _texts(video, asked) if text]
    film = Part(name="video", kind="video", title=_TITLES["video"], path=video.path)
    return StudyItem(
        key=f"{video.video_id}/{task}",
        language=video.language,
        parts=(film, *said),
        attributes={
            "video": video.video_id,
            "task": task,
            "difficulty": video.difficulty,
            ROW: released_row(video, task),
        },
    )


def _texts(video: Video, asked: OpenEnded | Choice) -> Iterator[tuple[str, str | Words]]:
    """What is shown beside the video, in the order in which it is to be read; empty for nothing."""
    yield "transcript", (video.transcript or "").strip()
    yield "question", asked.question
    if isinstance(asked, Choice):
        letters = [option.letter for option in asked.options]
        yield "options", lettered(letters, [option.text for option in asked.options])
        right = [option for option in asked.options if option.letter in asked.gold]
        marked = lettered([one.letter for one in right], [one.text for one in right])
        yield "answer", marked or _NO_OPTION
    else:
        yield "answer", asked.reference
    if video.reading is not None:
        yield "evidence", _named_sources(video.reading.evidence)
    if isinstance(asked, OpenEnded):
        yield "rubric", asked.rubric


def _named_sources(evidence: str) -> Words:
    """The evidence with its sources by the names that each language has for them."""

    def named(language: Language) -> str:
        return _SOURCE.sub(lambda found: _SOURCES[found[1]][language] + _COLONS[language], evidence)

    return {code: named(code) for code in get_args(Language)}


def _part(name: str, said: str | Words) -> Part:
    words = {"text": said} if isinstance(said, str) else {"texts": said}
    return Part.model_validate({"name": name, "kind": "text", "title": _TITLES[name], **words})
