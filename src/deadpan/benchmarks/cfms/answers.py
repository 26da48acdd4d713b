"""Replies to CFMS's questions → what they say: nothing is guessed, a missing part is missing."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import partial
from itertools import product
from pathlib import Path

from pydantic import BaseModel, ConfigDict, JsonValue

from deadpan.base.files import read_text
from deadpan.core.questions import Language
from deadpan.parsing.declared import Asked, body
from deadpan.parsing.labelled import AnswerForm, Parts
from deadpan.parsing.open_text import is_empty, open_text
from deadpan.parsing.patterns import Patterns
from deadpan.parsing.phrases import Phrases, unquoted
from deadpan.parsing.replies import Parse, Unparseable
from deadpan.parsing.script import normalize_text
from deadpan.parsing.stances import METAPHOR, SARCASM, Stance

LABELS: Mapping[Language, tuple[str, str, str]] = {
    "en": ("Sarcastic", "Target", "Explanation"),
    "zh": ("是否讽刺", "讽刺对象", "讽刺解释"),
}
"""The labels that the joint prompts ask for, in the order of the parts."""
YES_NO: Mapping[Language, tuple[str, str]] = {"en": ("yes", "no"), "zh": ("是", "否")}
NONE: Mapping[Language, str] = {"en": "none", "zh": "无"}


class JointAnswer(BaseModel):
    """The joint answer's form, for providers that can be held to one."""

    model_config = ConfigDict(extra="forbid")

    sarcastic: bool
    target: str | None
    explanation: str | None


_KNOWN: Mapping[str, Sequence[str]] = json.loads(read_text(Path(__file__).with_name("labels.json")))
"""The labels of each part; of a yes or no whichever a task asks for (`verdict`), of the part that a
task is about whichever that is (`answer`), and of what ends all drafts (`final`); and `verbs`
between 是否 and what it asks for."""


def _asked_in_chinese(*words: str) -> Iterator[str]:
    """The labels of a yes or no about a thing of that name: 讽刺, 是否讽刺, 有无讽刺意味 …"""
    for word in words:
        yield from (word, *(f"{word}{end}" for end in ("判断", "识别", "检测", "与否")))
        for ask, verb in product(("是否", "有无", "有没有"), _KNOWN["verbs"]):
            yield from (f"{ask}{verb}{word}", f"{ask}{verb}{word}意味")


_NAMES: Mapping[str, tuple[str, ...]] = {
    "sarcastic": (*_KNOWN["sarcastic"], *_asked_in_chinese("讽刺", "反讽")),
    "metaphor": (*_KNOWN["metaphor"], *_asked_in_chinese("隐喻", "比喻")),
    "target": tuple(_KNOWN["target"]),
    "explanation": tuple(_KNOWN["explanation"]),
}
_TEXTS = tomllib.loads(read_text(Path(__file__).with_name("target_patterns.toml")))
_PATTERNS, _PHRASES = Patterns(_TEXTS), Phrases(_TEXTS)
_LONGEST_TARGET = 300
_LONGEST_LISTED = 3_000
_ONE_LINE = frozenset({"sarcastic", "metaphor", "target"})


def _form(about: str, *asked: str) -> AnswerForm:
    is_label = about in ("sarcastic", "metaphor")
    verdict = tuple(_KNOWN["verdict"])
    names = _NAMES if is_label else {**_NAMES, "sarcastic": (*_NAMES["sarcastic"], *verdict)}
    return AnswerForm(
        names={**names, "scene": tuple(_KNOWN["scene"])} if about == "target" else names,
        asked=(*(label for labels in LABELS.values() for label in labels), *asked),
        main="explanation",
        one_line=_ONE_LINE,
        about=about,
        general=(*_KNOWN["answer"], *(verdict if is_label else ())),
        final=tuple(_KNOWN["final"]),
        once=_ONE_LINE,
        placeholders=dict.fromkeys(("target", "explanation"), _PATTERNS["placeholder"]),
    )


_FORMS: Mapping[str, AnswerForm] = {
    "sarcastic": _form("sarcastic"),
    "metaphor": _form("metaphor", "Metaphor", "隐喻"),
    "target": _form("target"),
    "explanation": _form("explanation", "解释"),
}


def joint(text: str) -> JsonValue:
    """All three parts; None for one that is not there, or for a label that does not say clearly. An
    answer without any part is none."""
    read = _FORMS["sarcastic"].parts(text)
    if not read.found:
        return _joint_in_prose(text)
    if {*read.found} == {"sarcastic"} and (heading := _PATTERNS["answer_heading"].match(text)):
        listed = _joint_in_lines(text[heading.end() :])
        if listed is not None:
            return listed
    said, explained = read.part("target"), _part_text(read.part("explanation"))
    named = _target_named(said) if said else None
    label: bool | None = None
    try:
        label = _says(read, SARCASM, "sarcastic", text)
    except Unparseable:
        if named is None and (explained is None or read.part("sarcastic")):
            raise
    return {"sarcastic": label, "target": named, "explanation": explained}


def _joint_in_prose(text: str) -> JsonValue:
    """A joint answer without labels: of a sarcastic post the target that a sentence names, and the
    text behind that sentence."""
    if (listed := _joint_in_lines(text)) is not None:
        return listed
    label = SARCASM.says(text)
    named = _PHRASES.named(text) if label else None
    _, _, behind = text.partition(named) if named else ("", "", "")
    explained = _PATTERNS["to_sentence_end"].sub("", behind, count=1).strip()
    return {"sarcastic": label, "target": named, "explanation": explained or None}


def _joint_in_lines(text: str) -> JsonValue:
    """A joint answer that is three lines or numbered entries without labels; None for another."""
    if len(text) > _LONGEST_LISTED:
        return None
    entries = [one.strip() for one in _PATTERNS["next_entry"].split(body(text)) if one.strip()]
    first, *texts = entries or [""]
    if len(texts) != 2 or not _PATTERNS["plain_label"].fullmatch(normalize_text(first)):
        return None
    return {
        "sarcastic": SARCASM.says(first),
        "target": _target_named(texts[0]),
        "explanation": _part_text(texts[1]),
    }


def choice(text: str, stance: Stance, name: str) -> JsonValue:
    """What the answer says to a yes-or-no question; both, or neither, is no answer."""
    read = _FORMS[name].parts(text)
    if name not in read.said and (reasons := read.part("explanation")):
        return {name: stance.says(_together(read.before, reasons))}
    return {name: _says(read, stance, name, text)}


def _says(read: Parts, stance: Stance, name: str, text: str) -> bool:
    """What the labels of a stance and the text below them say together, or where there are none the
    unlabelled text. A plain answer before the labels counts too."""
    labelled = read.said.get(name)
    if not labelled:
        # "Sarcastic" alone looks like a label with nothing under it.
        unlabelled = _together(read.before, read.bare)
        return stance.says(unlabelled or ("" if read.found else text))
    says = stance.says(_together(*labelled, read.bare))
    opening = (read.before or "").split("\n")[0]
    if (not says) in stance.plain_answers(opening):
        raise Unparseable("it says both yes and no")
    return says


def target(text: str) -> JsonValue:
    """The target named: the labelled part, the last line where it is in bold, what a sentence says
    is mocked, else the line before all labels or the first line of the answer."""
    rest = _PATTERNS["asked_again"].sub("", body(text), count=1)
    text = rest if rest.strip() else text
    read = _FORMS["target"].parts(text)
    said = read.part("target")
    if said:
        named = _target_named(said)
    else:
        plain = body(text)
        bold = _PATTERNS["bold_line"].search(plain)
        named = _phrase(bold[1]) if bold else _target_in_prose(plain, read)
    if named is None:
        raise Unparseable("the answer names no target")
    if "\n" in named or len(named) > _LONGEST_TARGET:
        raise Unparseable("expected the target in a short phrase; it is a text")
    return {"target": named.rstrip(" .。;；,，")}


def _target_in_prose(text: str, read: Parts) -> str | None:
    if (named := _PHRASES.named(text)) is not None:
        return _target_named(named)
    unlabelled = read.before or (None if read.found else read.bare) or ""
    lines = unlabelled.split("\n")
    alone = len(lines) == 1 or not lines[1].strip()
    return _phrase(lines[0]) if alone else None


def _phrase(line: str) -> str | None:
    """The target that a line is or names."""
    if short := _PATTERNS["i_e"].match(line.strip()):
        line = short[1]
    named = _PHRASES.named(line)
    bare = named or _PHRASES.bare(line)
    return _target_named(bare) if bare else None


def explanation(text: str) -> JsonValue:
    """The explanation: the part under a label that was asked for, else all text that belongs to no
    other part; a line that only leads up to it ("Here it is:") is left out."""
    read = _FORMS["explanation"].parts(text)
    leads_up = "explanation" in read.asked or (read.before or "").endswith((":", "："))
    before = None if leads_up else read.before
    said = _part_text(_together(before, read.part("explanation"), read.bare))
    if said is None:
        raise Unparseable("the answer holds no explanation")
    return {"explanation": open_text(said, Asked())}


def _together(*texts: str | None) -> str:
    return "\n".join(text for text in texts if text)


def _part_text(said: str | None) -> str | None:
    """A part's text; None for words that say there is none (none, 无, "N/A (sincere)"), or that
    only repeat what the prompt asks for."""
    plain = normalize_text(said or "").strip(" .!。")
    nothing = (_PATTERNS["nothing"], _PATTERNS["placeholder"])
    return None if not said or any(one.fullmatch(plain) for one in nothing) else said


def _target_named(said: str) -> str | None:
    """The target in a phrase, or in a sentence that names it; None where it names none."""
    if short := _PATTERNS["i_e"].match(said.strip()):
        said = short[1]
    if (named := _PHRASES.named(said)) is not None:
        said = named
    named = unquoted(_PATTERNS["but_not"].sub("", said, count=1))
    if _PATTERNS["stops"].match(named) or is_empty(named):
        return None
    plain = normalize_text(named).strip(" (")
    if not plain or _part_text(named) is None or _speaks_of_the_post(plain):
        return None
    return None if _PATTERNS["nothing_first"].match(plain) else named


def _speaks_of_the_post(plain: str) -> bool:
    """Whether a sentence says that the post is, or is not, sarcastic, in place of a target."""
    if not _PATTERNS["of_the_post"].match(plain):
        return False
    try:
        SARCASM.says(plain)
    except Unparseable:
        return False
    return True


PARSERS: Mapping[str, Parse] = {
    "joint": joint,
    "identification": partial(choice, stance=SARCASM, name="sarcastic"),
    "target": target,
    "explanation": explanation,
    "metaphor": partial(choice, stance=METAPHOR, name="metaphor"),
    "metaphor_sarcasm": partial(choice, stance=SARCASM, name="sarcastic"),
}


def named_values(task: str, text: str) -> Set[str] | None:
    """True and False where a text speaks of what a yes or no is about; None for tasks that are
    answered in words."""
    if task in ("target", "explanation"):
        return None
    return (METAPHOR if task == "metaphor" else SARCASM).named(text)


def ideal_answer(task: str, gold: Mapping[str, JsonValue], language: Language) -> str:
    """The gold of a task in words, as its prompt asks for it."""
    if task in ("target", "explanation"):
        return str(gold[task])
    label = gold["metaphor" if task == "metaphor" else "sarcastic"]
    said = YES_NO[language][0 if label else 1]
    if task != "joint":
        return said
    texts = (said, *(str(gold.get(name) or NONE[language]) for name in ("target", "explanation")))
    colon = ": " if language == "en" else "："
    return "\n".join(
        f"{name}{colon}{text}" for name, text in zip(LABELS[language], texts, strict=True)
    )
