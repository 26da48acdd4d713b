"""JanusMM's studies of the data: which memes stay, what is said of them in two stages, and what lay
people see in them."""

from __future__ import annotations

from pathlib import Path
from random import Random

from deadpan.base.counting import count_noun
from deadpan.base.errors import DeadpanError
from deadpan.benchmarks.janusmm.records import Meme
from deadpan.benchmarks.janusmm.studies.memes import CLASSES, emotion_words, meme_item
from deadpan.core.study.choices import Option, Single
from deadpan.core.study.files import read_study
from deadpan.core.study.items import StudyItem
from deadpan.core.study.making import changed, draw, notes_on, with_people, with_questions
from deadpan.core.study.specification import Question, Study
from deadpan.core.study.templates import MadeStudy, StudySource
from deadpan.core.study.words import Words
from deadpan.core.study.writing import Text

FOLDER = Path(__file__).parent
CLASS_TITLES: dict[str, str] = {
    **{"joy": "快乐", "sadness": "悲伤", "fear": "恐惧", "anger": "愤怒", "disgust": "厌恶"},
    **{"surprise": "惊讶", "trust": "信任", "anticipation": "期待"},
    **{"positive": "积极", "negative": "消极"},
}


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
    """The self-deprecating memes, some of them for practice, which the others then lack."""
    rng = Random(source.seed)
    memes = [meme for meme in source.dataset.records if meme.row.self_deprecating]
    size = source.number("practice")
    if size >= len(memes):
        what = f"--set practice={size}: of {count_noun(len(memes), 'self-deprecating meme')}"
        raise DeadpanError(f"{what} none is left to annotate; expected fewer")
    practised = draw(rng, memes, size, _language) if size else []
    rest = _drawn(rng, [meme for meme in memes if meme not in practised], source)
    items = [*(_practice_item(meme) for meme in practised), *map(meme_item, rest)]
    return _made(_annotation(source, has_practice=bool(size)), items)


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


def _practice_item(meme: Meme) -> StudyItem:
    """A meme to practise on, with what people wrote of it for feedback."""
    row = meme.row
    feedback = {
        "en": f"Reference. Emotion: {row.emotion}. Thinking: {row.thinking}",
        "zh": f"参考标注。情绪：{row.emotion}。思路：{row.thinking}",
    }
    return meme_item(meme, kind="practice", gold={"emotion": row.emotion}, feedback=feedback)


def _drawn(rng: Random, memes: list[Meme] | tuple[Meme, ...], source: StudySource) -> list[Meme]:
    return draw(rng, memes, source.number("sample"), _language)


def _language(meme: Meme) -> str:
    return meme.row.language


def _made(study: Study, items: list[StudyItem]) -> MadeStudy:
    return MadeStudy(study, items, [*notes_on(items)])
