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
from deadpan.core.study.choice_questions import Single
from deadpan.core.study.files import read_study
from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.making import changed, notes_on, results_of, shuffled, with_people
from deadpan.core.study.options import Option
from deadpan.core.study.scale_questions import Likert, Number
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Question
from deadpan.core.study.templates import MadeStudy, StudySource, StudyTemplate, TemplateOption
from deadpan.core.study.words import Words
from deadpan.core.verdicts import Verdicts
from deadpan.studies.making.media_parts import Media, media_of, picture_parts, titles

FOLDER = Path(__file__).parent
Row = Mapping[str, Any]
_SLOT = re.compile(r"\{(\w+)\}")
_JUDGED = ("answer", "given")
"""The slots of judges' prompts that hold what is judged; where there is none, it is the last
picture."""
_SLOT_TITLE = "slot_"
"""How the keys of titles begin that slots of the built-in judges' prompts have; others are called
by their own name."""
_YES_NO = tuple(Option(value=value, title=titles(value)) for value in ("yes", "no"))


def judge_template(benchmark: Benchmark[Any]) -> StudyTemplate | None:
    """People rate answers as the benchmark's judges do; None where it has none that they can stand
    in for."""
    judging = benchmark.judging
    if judging is None or not judging.verdicts:
        return None
    tasks = _tasks(judging)

    def make(source: StudySource) -> MadeStudy:
        return _make(benchmark, judging, source)

    return StudyTemplate(
        "judge",
        titles("judge"),
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


def _tasks(judging: Judging) -> tuple[str, ...]:
    """The tasks whose judge people can stand in for."""
    return tuple(task for verdicts in judging.verdicts for task in verdicts.tasks)


def _make(benchmark: Benchmark[Any], judging: Judging, source: StudySource) -> MadeStudy:
    task = source.settings["task"]
    verdicts = next(one for one in judging.verdicts if task in one.tasks)
    table = results_of(source, benchmark.name).table
    rows = _rows(table, judging, task)
    if not rows:
        held = [one for one in _tasks(judging) if _rows(table, judging, one)]
        fix = f"choose another with --set task={'|'.join(held)}" if held else "there is no other"
        raise DeadpanError(
            f"the results hold no answer to {benchmark.name}/{task} that its judge would see; {fix}"
        )
    judge, media = benchmark.judge(task), _media(benchmark, source, task)
    wanted = source.number("sample") or len(rows)
    items: list[StudyItem] = []
    lost, sees_more = 0, False
    for row in shuffled(Random(source.seed), rows):
        if len(items) == wanted:
            break
        try:
            brief = judging.brief(task, json.loads(row["gold"]), row["answer"], row["language"])
        except DeadpanError:
            lost += 1
            continue
        items.append(_item(row, brief, judge, media))
        sees_more |= bool(media.get(row["item"])) and not brief.pictures
    if not items:
        raise DeadpanError(
            f"no answer to {benchmark.name}/{task} can be shown as its judge sees it"
        )
    notes = [*notes_on(items)]
    if lost:
        notes.append(f"{count_noun(lost, 'answer')} left out: what the judge saw is not there")
    return MadeStudy(_study(benchmark, verdicts, judge, source, sees_more), items, notes)


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
    return Part(name=slot, kind="text", title=_slot_title(slot), text=words)


def _slot_title(slot: str) -> Words:
    key = f"{_SLOT_TITLE}{slot}"
    return titles(key) if key in titles else {"en": slot, "zh": slot}


def _study(
    benchmark: Benchmark[Any],
    verdicts: Verdicts,
    judge: Judge,
    source: StudySource,
    sees_more: bool,
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
        guidelines={code: _guidelines(study, judge, sees_more, code) for code in study.languages},
    )


def _guidelines(study: Study, judge: Judge, sees_more: bool, language: Language) -> str:
    """The study's own words, then what the judge is told; that people see more than it where they
    do."""
    intro = titles("judge_told")[language]
    intro += titles("judge_blind")[language] if sees_more else ""
    told = (study.guidelines[language], intro, judge.system[language])
    asked = _SLOT.sub(lambda slot: f"[{_slot_title(slot[1])[language]}]", judge.user[language])
    return "\n\n".join((*told, asked))


def _question(scale: Scale) -> Question:
    """A scale as a question of its name."""
    words = scale.question or scale.title
    title = {code: text[:1].upper() + text[1:] for code, text in words.items()}
    if scale.kind == "yes_no":
        return Single(name=scale.name, title=title, options=_YES_NO)
    bounds = {"lowest": scale.lowest, "highest": scale.highest, "ends": scale.ends}
    form = Likert if scale.kind == "integers" else Number
    return form.model_validate({"name": scale.name, "title": title, **bounds})
