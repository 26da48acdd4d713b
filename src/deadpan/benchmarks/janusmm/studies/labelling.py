"""JanusMM's studies of the data: which memes stay, what is said of them in two stages, and what lay
people see in them."""

from __future__ import annotations

from pathlib import Path
from random import Random

from pydantic import JsonValue

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.janusmm.records import Meme
from deadpan.benchmarks.janusmm.studies.memes import (
    CLASSES,
    CandidateMeme,
    emotion_words,
    kept_fields,
    meme_item,
)
from deadpan.core.study.choice_questions import Single
from deadpan.core.study.files import read_study
from deadpan.core.study.items import StudyItem
from deadpan.core.study.making import (
    changed,
    draw,
    notes_on,
    with_people,
    with_questions,
    with_stages,
)
from deadpan.core.study.options import Option
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Question, Stage
from deadpan.core.study.templates import MadeStudy, StudySource
from deadpan.core.study.text_questions import Text
from deadpan.core.study.words import Words, WrongAnswer

FOLDER = Path(__file__).parent
CLASS_TITLES: dict[str, str] = {
    **{"joy": "快乐", "sadness": "悲伤", "fear": "恐惧", "anger": "愤怒", "disgust": "厌恶"},
    **{"surprise": "惊讶", "trust": "信任", "anticipation": "期待"},
    **{"positive": "积极", "negative": "消极"},
}

_DRAFT: Words = {
    "en": "# The draft\nIt comes from a model and is often wrong in a convincing way. Look at "
    "picture and dialogue first; correct what is wrong, rewrite what is vague.\n",
    "zh": "# 关于草稿\n草稿由模型生成，常常错得很像那么回事。请先看图和对话，"
    "再改正错误、重写含糊之处。\n",
}
_ABOUT_DRAFTS = (
    "Drafts: the paper has none, its annotators wrote by themselves. Here a model's are there to "
    "be corrected (`drafts=hidden` leaves them out), by which two people agree more easily."
)
_SIDES = (("Sender", "发图者"), ("Receiver", "看图者"), ("Reply", "回复"))


def make_filter(source: StudySource) -> MadeStudy:
    """Every meme, or a sample, to keep or to discard."""
    memes = _drawn(Random(source.seed), source.dataset.records, source)
    study = with_people(read_study(FOLDER / "filter.yaml"), source.number("people"))
    return _made(study, [meme_item(meme) for meme in memes])


def make_lay(source: StudySource) -> MadeStudy:
    """Every meme, or a sample, with the question that models are asked. Neither pages nor items
    tell what is looked for."""
    memes = _drawn(Random(source.seed), source.dataset.records, source)
    study = with_people(read_study(FOLDER / "lay.yaml"), source.number("people"))
    return _made(study, [meme_item(meme) for meme in memes])


def make_annotation(source: StudySource) -> MadeStudy:
    """The self-deprecating memes, some of them for practice, which the others then lack. Memes that
    nobody has labelled yet are all to be annotated but those that a draft finds not to be such,
    and none can be practised on."""
    records = source.dataset.records
    memes = [meme for meme in records if _is_annotated(meme)]
    if any(isinstance(meme, CandidateMeme) for meme in records):
        return _of_candidates(source, memes, len(records) - len(memes))
    rng, size = Random(source.seed), source.number("practice")
    if size >= len(memes):
        what = f"--set practice={size}: of {count_noun(len(memes), 'self-deprecating meme')}"
        raise DeadpanError(f"{what} none is left to annotate; expected fewer")
    practised = draw(rng, memes, size, _language) if size else []
    rest = _drawn(rng, [meme for meme in memes if meme not in practised], source)
    study = _annotation(source, has_practice=bool(size))
    items = [_practice_item(meme, study) for meme in practised]
    items += [meme_item(meme, attributes=kept_fields(meme)) for meme in rest]
    return _made(study, items)


def _is_annotated(meme: Meme) -> bool:
    if isinstance(meme, CandidateMeme):
        return meme.draft.get("self_deprecating") is not False
    return meme.row.self_deprecating


def _of_candidates(source: StudySource, memes: list[Meme], others: int) -> MadeStudy:
    """Memes without labels; with a draft, where it is to be shown, to begin with."""
    study = _annotation(source, has_practice=False)
    items = []
    for meme in _drawn(Random(source.seed), memes, source):
        item = meme_item(meme, attributes=kept_fields(meme))
        said = _draft(meme, study, item) if source.settings["drafts"] == "shown" else {}
        items.append(changed(item, draft=said, draft_by="model") if said else item)
    if any(item.draft for item in items):
        study = changed(with_stages(study, _drafted), silent=(*study.silent, _ABOUT_DRAFTS))
    notes = ["there is no practice: nobody has labelled these memes yet"]
    if others:
        left_out = f"{count_noun(others, 'meme')} left out"
        notes.append(f"{left_out}: by the draft the poster is not the butt of the joke")
    return MadeStudy(study, items, [*notes, *notes_on(items)])


def _drafted(stage: Stage) -> Stage:
    told = {code: f"{words}\n{_DRAFT[code]}" for code, words in stage.guidelines.items()}
    return changed(stage, drafted=True, guidelines=told)


def _draft(meme: Meme, study: Study, item: StudyItem) -> dict[str, JsonValue]:
    """What was drafted of a meme that the study's questions take."""
    said = meme.draft if isinstance(meme, CandidateMeme) else {}
    found: dict[str, JsonValue] = {}
    for question in (one for stage in study.stages for one in stage.questions):
        try:
            if question.name in said:
                found[question.name] = question.read(said[question.name], item)
        except WrongAnswer:
            continue  # such as an emotion that is none of the classes
    return found


def _annotation(source: StudySource, has_practice: bool) -> Study:
    study = with_people(read_study(FOLDER / "annotation.yaml"), source.number("people"))
    alike = source.share("text_agreement")
    emotions = source.settings["emotions"]

    def worded(question: Question) -> Question:
        if question.name == "emotion":
            return _emotion(question, emotions)
        if not isinstance(question, Text) or not question.compared:
            return question
        return changed(question, alike=alike) if alike else changed(question, compared=False)

    study = with_questions(study, worded)
    return study if has_practice else changed(study, practice=None)


def _emotion(question: Question, emotions: str) -> Question:
    """The question for the emotion: one of our list's words, any word, or a lexicon's class."""
    if emotions == "classes":
        options = [
            Option(value=name, title={"en": name, "zh": CLASS_TITLES[name]}) for name in CLASSES
        ]
        titles: Words = {
            "en": "Which emotion does the meme convey?",
            "zh": "这张图传达了哪一类情绪？",
        }
        return Single(name=question.name, title=titles, help=question.help, options=tuple(options))
    return changed(question, suggestions=emotion_words(), closed=emotions == "words")


def _practice_item(meme: Meme, study: Study) -> StudyItem:
    """A meme to practise on in both stages, with what people wrote of it for feedback. Its emotion
    is gold where it can be chosen, and else only told."""
    row = meme.row
    asked = study.stages[0].question("emotion")
    try:
        gold = {"emotion": asked.read(row.emotion, meme_item(meme))} if asked else {}
    except WrongAnswer:
        gold = {}
    emotion = "" if gold else row.emotion
    sides = (row.sender_reasoning or "", row.receiver_reasoning or "", row.receiver_reply or "")
    feedback = {
        "stage1": _listed(("Emotion", "情绪", emotion), ("Thinking", "思路", row.thinking)),
        "stage2": _listed(*((*title, said) for title, said in zip(_SIDES, sides, strict=True))),
    }
    return meme_item(meme, kind="practice", gold=gold, stage_feedback=feedback)


def _listed(*said: tuple[str, str, str]) -> Words:
    """A reference in both languages: what each part is called in them, and the words."""
    told = [(english, chinese, words) for english, chinese, words in said if words]
    return {
        "en": "\n".join(f"- **{english}:** {words}" for english, _, words in told),
        "zh": "\n".join(f"- **{chinese}：**{words}" for _, chinese, words in told),
    }


def _drawn(rng: Random, memes: list[Meme] | tuple[Meme, ...], source: StudySource) -> list[Meme]:
    return draw(rng, memes, source.number("sample"), _language)


def _language(meme: Meme) -> str:
    return meme.row.language


def _made(study: Study, items: list[StudyItem]) -> MadeStudy:
    return MadeStudy(study, items, [*notes_on(items)])
