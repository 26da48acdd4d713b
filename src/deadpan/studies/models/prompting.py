"""An item and its questions as a model is told of them: in words, with pictures beside them. What
nobody may know of an output, who made it, is in none of it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from pydantic import JsonValue

from deadpan.base.files import read_text
from deadpan.base.printable import visible
from deadpan.core.questions import Language, Prompts, fill_slots
from deadpan.core.study.items import Part, StudyItem, letter
from deadpan.core.study.stages import Question, Stage
from deadpan.core.study.words import in_language
from deadpan.engine.requests import Image, ImageBytes, Request, Sampling, Turn
from deadpan.engine.requests import Text as Said
from deadpan.media.images import jpeg_bytes, read_image
from deadpan.studies.storage.media import media_path

_PROMPTS = Path(__file__).parent / "prompts"
_LONGEST_SIDE = 1_536
_LONGEST_TEXT = 8_000
"""Characters of one text that a model is shown."""
_SEEN = ("picture", "comic")


@dataclass(frozen=True)
class Material:
    """What there is to look at: words about it, and the checksums of its pictures in order."""

    text: str
    pictures: tuple[str, ...]


@cache
def prompts(name: str) -> Prompts:
    """The prompt of that name in both languages."""
    return Prompts.read(_PROMPTS, name, ("en", "zh"))


@cache
def _words(language: Language) -> Mapping[str, str]:
    tables: dict[str, dict[str, str]] = tomllib.loads(read_text(_PROMPTS / "words.toml"))
    return tables[language]


def _say(language: Language) -> Callable[..., str]:
    words = _words(language)
    return lambda key, **facts: words[key].format_map(facts)


def material(item: StudyItem, parts: Sequence[Part], order: Sequence[int]) -> Material:
    """Those parts of an item, and its outputs in that order, each under its letter alone."""
    say, pictures = _say(item.language), list[str]()
    told = [_part(part, item.language, pictures) for part in parts]
    for place, at in enumerate(order):
        told.append(say("output", letter=letter(place)))
        told += [_part(part, item.language, pictures) for part in item.outputs[at].parts]
    return Material("\n\n".join(told) or say("nothing"), tuple(pictures))


def _part(part: Part, language: Language, pictures: list[str]) -> str:
    """A part in words; a picture is noted and named by its number."""
    say = _say(language)
    if part.kind in _SEEN:
        pictures.append(part.path)
    head = say(part.kind, number=len(pictures))
    if title := in_language(part.title, language):
        head = say("titled", kind=head, title=title)
    lines = [head]
    if part.kind == "dialogue":
        lines += [f"{turn.speaker}: {turn.text}" for turn in part.turns]
    elif text := part.text_in(language):
        lines.append(text)
    elif part.alt:
        lines.append(say("alt", alt=part.alt))
    return _shortened("\n".join(lines), language)


def _shortened(text: str, language: Language) -> str:
    seen = visible(text)
    if len(seen) <= _LONGEST_TEXT:
        return seen
    return _say(language)("cut", text=seen[:_LONGEST_TEXT])


def listed(pairs: Sequence[tuple[str, str]], language: Language) -> str:
    """Questions with their answers, a line each."""
    lines = [f"{title}: {answer}" for title, answer in pairs]
    return _shortened("\n".join(lines), language) or _say(language)("nothing")


def answered_questions(
    stage: Stage, item: StudyItem, values: Mapping[str, JsonValue], order: Sequence[int]
) -> str:
    """The questions that are asked, with their options and what was answered so far."""
    language, blocks = item.language, list[str]()
    say = _say(language)
    for number, question in enumerate(stage.asked(values), start=1):
        value = values.get(question.name)
        said = question.in_words(value, language, order) if value is not None else ""
        lines = [f"{number}. {in_language(question.title, language)}"]
        lines += _about(question, language, named=False)
        lines.append(say("answer", answer=said or say("no_answer")))
        blocks.append(_shortened("\n".join(lines), language))
    return "\n\n".join(blocks)


def asked_questions(questions: Sequence[Question], item: StudyItem) -> str:
    """Questions with the form that an answer has to have."""
    language, blocks = item.language, list[str]()
    say = _say(language)
    for question in questions:
        lines = [f"{question.name}: {in_language(question.title, language)}"]
        lines += _about(question, language, named=True)
        lines.append(" ".join(form[language] for form in question.reply_form(item)))
        if question.when is not None:
            values = ", ".join(question.when.values)
            lines.append(say("when", question=question.when.question, values=values))
        blocks.append(_shortened("\n".join(lines), language))
    return "\n\n".join(blocks)


def _about(question: Question, language: Language, named: bool) -> list[str]:
    """What a question's help and options say; options with their values where these are wanted."""
    lines = [in_language(question.help, language)]
    if question.fixed_options:
        options = []
        for one in question.fixed_options:
            title, about = (in_language(words, language) for words in (one.title, one.about))
            parts = [one.value if named else title or one.value, title if named else "", about]
            options.append(" – ".join(dict.fromkeys(filter(None, parts))))
        lines.append(_say(language)("options", options="; ".join(options)))
    return [line for line in lines if line]


def request_of(
    name: str,
    label: str,
    folder: Path,
    shown: Material,
    language: Language,
    values: Mapping[str, str],
    sampling: Sampling,
) -> Request:
    """What is asked of a model: the prompt of that name with its slots filled, after the pictures.
    A picture that the study does not have any more raises."""
    wording = prompts(name)
    text = fill_slots(wording.user[language], {**values, "material": shown.text})
    pictures = [ImageBytes(_picture(folder, one)) for one in shown.pictures]
    turns = (
        Turn("system", (Said(wording.system[language]),)),
        Turn("user", (*pictures, Said(text))),
    )
    return Request(label, turns, sampling)


def _picture(folder: Path, checksum: str) -> Image:
    image = read_image(media_path(folder, checksum))
    return Image(jpeg_bytes(image, _LONGEST_SIDE), "image/jpeg")
