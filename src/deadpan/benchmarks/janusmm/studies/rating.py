"""JanusMM's manual evaluation: a model's answers about a meme, rated on six scales by people who do
not know whose they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.janusmm.answers import LABELS
from deadpan.benchmarks.janusmm.records import Meme
from deadpan.benchmarks.janusmm.studies.memes import meme_item
from deadpan.core.answers import Answer, Answers
from deadpan.core.questions import Language
from deadpan.core.study.files import read_study
from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.making import (
    changed,
    draw,
    first_epochs,
    notes_on,
    results_of,
    shuffled,
    with_checks,
    with_people,
    with_stages,
)
from deadpan.core.study.specification import Study
from deadpan.core.study.templates import MadeStudy, StudySource
from deadpan.core.study.words import Words

FOLDER = Path(__file__).parent
RATED = ("reasoning", "initiator", "responder")
"""The tasks whose answers are rated; a name that recognition gives is right or wrong."""
_TITLES: Mapping[str, Words] = {
    "reasoning": {"en": "Reasoning", "zh": "推理"},
    "initiator": {"en": "As the poster", "zh": "发图者角度"},
    "responder": {"en": "As the reader", "zh": "看图者角度"},
    "reply": {"en": "Reply", "zh": "回复"},
}
_COLON: Mapping[Language, str] = {"en": ": ", "zh": "："}
_UNGROUNDED = {"MG": 1}
"""What a rater says of a reasoning about another picture, give or take one."""
Rated = Mapping[str, Mapping[str, Output]]
"""By model and item what is rated."""


def make_rating(source: StudySource) -> MadeStudy:
    """Each self-deprecating meme with each model's answers to the three tasks, in an order of
    chance; a model that lacks one of them, or the reply, is not rated on the meme."""
    rng = Random(source.seed)
    answers = results_of(source, "janusmm")
    memes = [meme for meme in source.dataset.records if meme.row.self_deprecating]
    rated = {model: _outputs(answers, model) for model in answers.models}
    there = [meme for meme in memes if any(meme.meme_id in own for own in rated.values())]
    if not there:
        tasks = ", ".join(RATED)
        raise DeadpanError(
            f"no model has answered {tasks} about one self-deprecating meme of the data; run all "
            "three, and give the data of the run with --data"
        )
    chosen = draw(rng, there, source.number("sample"), lambda meme: meme.row.language)
    items = [
        meme_item(meme, outputs=(own[meme.meme_id],))
        for meme in chosen
        for own in rated.values()
        if meme.meme_id in own
    ]
    checks = list(_checks(rng, chosen, rated, source.number("checks")))
    lacking = len(chosen) * len(rated) - len(items)
    notes = [*notes_on(items)]
    if lacking:
        lost = count_noun(lacking, "answer")
        notes.append(f"{lost} of a model to a meme cannot be rated: a part of them is missing")
    return MadeStudy(
        _study(source, len(items), len(checks)), [*shuffled(rng, items), *checks], notes
    )


def _study(source: StudySource, items: int, checks: int) -> Study:
    study = with_people(read_study(FOLDER / "rating.yaml"), source.number("people"))
    if source.settings["justification"] == "no":
        study = with_stages(
            study,
            lambda stage: changed(
                stage, review=None, questions=[one for one in stage.questions if one.name != "note"]
            ),
        )
    return with_checks(study, items, checks)


def _outputs(answers: Answers, model: str) -> dict[str, Output]:
    """By item what a model answered to all three tasks, with a reply among it."""
    said = answers.of(model)
    by_task = {task: first_epochs(said[task]) if task in said else {} for task in RATED}
    found: dict[str, Output] = {}
    for item, responded in by_task["responder"].items():
        own = {task: by_task[task][item] for task in RATED if item in by_task[task]}
        if len(own) == len(RATED) and responded.parsed.get("reply"):
            found[item] = Output(source=model, parts=tuple(_parts(own)))
    return found


def _parts(answers: Mapping[str, Answer]) -> Iterator[Part]:
    """The answers as raters read them: emotion and reasoning of each, and the reply apart."""
    for task, answer in answers.items():
        yield _text(task, _reasoning(answer))
    yield _text("reply", answers["responder"].parsed["reply"])


def _reasoning(answer: Answer) -> str:
    emotion, reasoning = answer.parsed.get("emotion"), str(answer.parsed["reasoning"])
    label = LABELS[answer.language][0]
    return f"{label}{_COLON[answer.language]}{emotion}\n\n{reasoning}" if emotion else reasoning


def _text(name: str, text: str) -> Part:
    return Part(name=name, kind="text", title=_TITLES[name], text=text)


def _checks(rng: Random, memes: list[Meme], rated: Rated, count: int) -> Iterator[StudyItem]:
    """Memes beside answers about another one: whoever looks sees that they speak of something
    else."""
    for meme in rng.sample(memes, min(count, len(memes))):
        others = [
            own[other.meme_id]
            for other in memes
            for own in rated.values()
            if other.meme_id in own
            and other.meme_id != meme.meme_id
            and other.row.language == meme.row.language
        ]
        if others:
            yield meme_item(meme, kind="check", gold=_UNGROUNDED, outputs=(rng.choice(others),))
