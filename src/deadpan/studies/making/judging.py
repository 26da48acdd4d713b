"""The template by which people stand in for a judge, for any benchmark that has one: they rate
answers on its own scales, so that `deadpan audit judge --people` can hold it against them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import polars as pl

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.core.benchmark import Benchmark
from deadpan.core.capabilities import Judging
from deadpan.core.judge import Brief, Judge
from deadpan.core.outcomes import READ
from deadpan.core.questions import Language
from deadpan.core.ratings import Scale
from deadpan.core.study.choices import Likert, Number, Option, Single
from deadpan.core.study.files import read_study
from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.making import changed, notes_on, results_of, shuffled, with_people
from deadpan.core.study.specification import Question, Study
from deadpan.core.study.templates import MadeStudy, StudySource, StudyTemplate, TemplateOption
from deadpan.core.study.words import Words
from deadpan.core.verdicts import Verdicts
from deadpan.studies.making.asked_media import Media, media_of, picture_parts

FOLDER = Path(__file__).parent
Row = Mapping[str, Any]
_SLOT = re.compile(r"\{(\w+)\}")
_JUDGED = ("answer", "given")
"""The slots of judges' prompts that hold what is judged; where there is none, it is the last
picture."""
_TITLES: Mapping[str, Words] = {
    "answer": {"en": "Answer", "zh": "回答"},
    "given": {"en": "Target to judge", "zh": "待判断的讽刺对象"},
    "text": {"en": "Text of the post", "zh": "帖子文字"},
    "target": {"en": "Reference target", "zh": "参考讽刺对象"},
    "target_emotion": {"en": "Target emotion", "zh": "目标情绪"},
    "labels": {"en": "What readers agreed on", "zh": "读者的共识"},
    "explanation": {"en": "A reader's own explanation", "zh": "一位读者的解释"},
    "question": {"en": "Question", "zh": "问题"},
    "reference": {"en": "Reference answer", "zh": "参考答案"},
    "literal_summary": {"en": "What the video shows", "zh": "视频内容"},
    "intended_meaning": {"en": "What it means", "zh": "视频含义"},
    "evidence": {"en": "Evidence", "zh": "依据"},
    "rubric": {"en": "Rubric", "zh": "评分要点"},
}
"""What the slots of the built-in judges' prompts hold; others are called by their own name."""
_TOLD: Words = {
    "en": "# What the model judge is told\n\nRate by the same rules. What it says about the form "
    "of a reply does not concern you.",
    "zh": "# 模型评审得到的说明\n\n请按同样的标准评分；其中关于回复格式的要求与您无关。",
}
_YES_NO = (
    Option(value="yes", title={"en": "yes", "zh": "是"}),
    Option(value="no", title={"en": "no", "zh": "否"}),
)


def judge_template(benchmark: Benchmark[Any]) -> StudyTemplate | None:
    """People rate answers as the benchmark's judges do; None where it has none that they can stand
    in for."""
    judging = benchmark.judging
    if judging is None or not judging.verdicts:
        return None
    tasks = tuple(task for verdicts in judging.verdicts for task in verdicts.tasks)

    def make(source: StudySource) -> MadeStudy:
        return _make(benchmark, judging, source)

    return StudyTemplate(
        "judge",
        {"en": "Answers rated as the judge does", "zh": "按评审量表由人评分"},
        "results",
        make,
        (
            TemplateOption("task", tasks[0], "whose answers are rated", values=tasks),
            TemplateOption("sample", "100", "how many answers of all models; 0 for all"),
            TemplateOption("people", "2", "how many rate each answer; 0 for everybody"),
            TemplateOption(
                "media",
                "yes",
                "whether people see the item's picture or video where the judge does not",
                values=("yes", "no"),
            ),
        ),
        "People rate answers on the judge's own scales, blind, to hold it against them.",
    )


def _make(benchmark: Benchmark[Any], judging: Judging, source: StudySource) -> MadeStudy:
    task = source.settings["task"]
    verdicts = next(one for one in judging.verdicts if task in one.tasks)
    rows = _rows(results_of(source, benchmark.name).table, judging, task)
    if not rows:
        raise DeadpanError(
            f"the results hold no answer to {benchmark.name}/{task} that its judge would see; "
            f"choose another with --set task="
        )
    judge, media = benchmark.judge(task), _media(benchmark, source, task)
    wanted = source.number("sample") or len(rows)
    items: list[StudyItem] = []
    lost = 0
    for row in shuffled(Random(source.seed), rows):
        if len(items) == wanted:
            break
        try:
            brief = judging.brief(task, json.loads(row["gold"]), row["answer"], row["language"])
        except DeadpanError:
            lost += 1
            continue
        items.append(_item(row, brief, judge, media))
    if not items:
        raise DeadpanError(
            f"no answer to {benchmark.name}/{task} can be shown as its judge sees it"
        )
    notes = [*notes_on(items)]
    if lost:
        notes.append(f"{count_noun(lost, 'answer')} left out: what the judge saw is not there")
    return MadeStudy(_study(benchmark, verdicts, judge, source), items, notes)


def _rows(table: pl.DataFrame, judging: Judging, task: str) -> list[Row]:
    """The answers that a judge graded, or would, where none is graded: each model's first to an
    item."""
    own = table.filter((pl.col("task") == task) & pl.col("outcome").is_in(list(READ)))
    found: dict[tuple[str, str], Row] = {}
    for row in own.sort("epoch", "model", "item").iter_rows(named=True):
        if row["parsed"] is not None and judging.needs_judge(row):
            found.setdefault((row["model"], row["item"]), row)
    judged = [row for row in found.values() if row["judgements"] is not None]
    return judged or list(found.values())


def _media(benchmark: Benchmark[Any], source: StudySource, task: str) -> Media:
    # Where edits are judged, source and edit are all there is to see.
    shown = source.settings["media"] == "yes" and benchmark.edits is None
    return media_of(benchmark, source, task) if shown else {}


def _item(row: Row, brief: Brief, judge: Judge, media: Media) -> StudyItem:
    """An answer as its judge sees it; whose it is is sealed."""
    slots = [slot for slot in _SLOT.findall(judge.user[brief.language])]
    values = {**brief.fields, "answer": brief.answer}
    texts = [_text(slot, values[slot]) for slot in dict.fromkeys(slots) if slot in values]
    judged = [part for part in texts if part.name in _JUDGED]
    pictures = [*picture_parts(brief.pictures)]
    if not judged:
        judged = [pictures.pop()]
    seen = {part.path for part in pictures}
    more = [part for part in media.get(row["item"], ()) if part.path not in seen]
    others = [part for part in texts if part.name not in _JUDGED]
    return StudyItem(
        key=row["item"],
        language=brief.language,
        parts=tuple(pictures or more) + tuple(others),
        outputs=(Output(source=row["model"], parts=tuple(judged)),),
    )


def _text(slot: str, words: str) -> Part:
    title = _TITLES.get(slot, {"en": slot, "zh": slot})
    return Part(name=slot, kind="text", title=title, text=words)


def _study(
    benchmark: Benchmark[Any], verdicts: Verdicts, judge: Judge, source: StudySource
) -> Study:
    study = with_people(read_study(FOLDER / "judge.yaml"), source.number("people"))
    scales = {scale.name: scale for scale in benchmark.ratings.scales} if benchmark.ratings else {}
    asked = tuple(_question(scales[name]) for name in verdicts.scales)
    (stage,) = study.stages
    return changed(
        study,
        name=f"{benchmark.name}-{study.name}",
        benchmark=benchmark.name,
        template=f"{benchmark.name}/{study.template}",
        stages=(changed(stage, questions=asked),),
        guidelines={code: _guidelines(study, judge, code) for code in study.languages},
    )


def _guidelines(study: Study, judge: Judge, language: Language) -> str:
    """The study's own words, then what the judge is told."""
    told = (study.guidelines[language], _TOLD[language], judge.system[language])
    return "\n\n".join((*told, judge.user[language]))


def _question(scale: Scale) -> Question:
    """A scale as a question of its name."""
    words = scale.question or scale.title
    title = {code: text[:1].upper() + text[1:] for code, text in words.items()}
    if scale.kind == "yes_no":
        return Single(name=scale.name, title=title, options=_YES_NO)
    bounds = {"lowest": scale.lowest, "highest": scale.highest}
    form = Likert if scale.kind == "integers" else Number
    return form.model_validate({"name": scale.name, "title": title, **bounds})
