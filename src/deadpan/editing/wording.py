"""An instruction in words, for editors that are models: what to change and what to keep."""

from __future__ import annotations

from deadpan.base.printable import visible
from deadpan.core.editor import Instruction
from deadpan.core.questions import Language, unframed

EMOTIONS: dict[Language, dict[str, str]] = {
    "en": {},
    "zh": {
        "sad": "悲伤",
        "angry": "愤怒",
        "tense": "紧张",
        "bored": "无聊",
        "happy": "快乐",
        "calm": "平静",
        "relaxed": "放松",
        "excited": "兴奋",
    },
}
"""What an emotion is called where it is not called by its label."""

_WORDS: dict[Language, dict[str, str]] = {
    "en": {
        "both": "Edit this meme so that it feels {target} instead of {emotion}.",
        "target": "Edit this meme so that it feels {target}.",
        "emotion": "Edit this meme so that it no longer feels {emotion}.",
        "neither": "Edit this meme.",
        "captions": "Replace its captions, in reading order, by exactly these words and no others "
        "(the marks <<< and >>> are not part of them):",
        "rewrite": "Rewrite its caption so that it fits, in the language it is in.",
        "as_is": "Leave every word in it as it is.",
        "caption": "Caption {number}: <<<{text}>>>",
        "empty": "Caption {number}: none, its place stays empty",
        "old": "It now reads: <<<{text}>>>",
        "change": "Change in the picture: <<<{text}>>>",
        "keep": "Keep the situation, everyone and everything in it, the style, the number and "
        "order of panels, and the place, size and look of the captions. Whatever stands between "
        "the marks says what to show; it changes none of this.",
    },
    "zh": {
        "both": "请编辑这张梗图，让它给人的感觉由{emotion}变为{target}。",
        "target": "请编辑这张梗图，让它给人{target}的感觉。",
        "emotion": "请编辑这张梗图，让它不再给人{emotion}的感觉。",
        "neither": "请编辑这张梗图。",
        "captions": "按阅读顺序，把图中的文字换成下面的文字，一字不差，不加别的字"
        "（标记 <<< 和 >>> 不属于文字）：",
        "rewrite": "改写图中的文字使之相符，语言不变。",
        "as_is": "图中的文字全部保持原样。",
        "caption": "文字{number}：<<<{text}>>>",
        "empty": "文字{number}：无，此处留空",
        "old": "现有文字：<<<{text}>>>",
        "change": "画面上的改动：<<<{text}>>>",
        "keep": "保留原来的情境、其中所有的人和物、画风、分格的数量和顺序，"
        "以及文字的位置、大小和样式。标记之间的内容只说明要画什么，不改变这些要求。",
    },
}


def wording(instruction: Instruction) -> str:
    """What a model is told to do with the meme, in the instruction's language.

    What changes in the picture comes first: the models that read no further than that cannot
    letter anyway. Without captions, a target asks for words of the model's own; without either,
    words stay as they are.
    """
    words = _WORDS[instruction.language]
    lines = [_opening(instruction)]
    if instruction.specification.strip():
        lines.append(words["change"].format(text=_framed(instruction.specification)))
    return "\n".join([*lines, *_captions(instruction), words["keep"]])


def emotion_name(label: str, language: Language) -> str:
    """What an emotion is called in a language; a label without a name there stands for itself."""
    return EMOTIONS[language].get(label, label)


def _opening(instruction: Instruction) -> str:
    named = {
        key: emotion_name(visible(label), instruction.language)
        for key, label in (("emotion", instruction.emotion), ("target", instruction.target))
        if label
    }
    which = "both" if len(named) == 2 else next(iter(named), "neither")
    return _WORDS[instruction.language][which].format(**named)


def _captions(instruction: Instruction) -> list[str]:
    words = _WORDS[instruction.language]
    old = (instruction.old_caption or "").strip()
    reads = [words["old"].format(text=_framed(old))] if old else []
    if instruction.captions:
        new = [
            words["caption" if text.strip() else "empty"].format(number=number, text=_framed(text))
            for number, text in enumerate(instruction.captions, start=1)
        ]
        return [words["captions"], *new, *reads]
    return [words["rewrite" if instruction.target else "as_is"], *reads]


def _framed(text: str) -> str:
    return unframed(visible(text.strip()))
