"""An instruction in words, for editors that are models: what to change and what to keep."""

from __future__ import annotations

import json
from pathlib import Path

from deadpan.base.printable import visible
from deadpan.core.editor import Instruction
from deadpan.core.questions import Language, unframed

_WORDS = json.loads((Path(__file__).parent / "wording.json").read_text("utf-8"))
EMOTIONS: dict[Language, dict[str, str]] = {
    language: words.pop("emotions") for language, words in _WORDS.items()
}
"""What an emotion is called where it is not called by its label."""


def wording(instruction: Instruction) -> str:
    """What a model is told to do with the meme, in the instruction's language.

    What changes in the picture comes first: the models that read no further than that cannot
    letter anyway. Without captions, a target asks for words of the model's own; without either,
    words stay as they are.
    """
    words: dict[str, str] = _WORDS[instruction.language]

    def say(what: str, text: str = "", number: int = 0) -> str:
        return words[what].format(text=unframed(visible(text.strip())), number=number)

    named = {
        key: emotion_name(visible(label), instruction.language)
        for key, label in (("emotion", instruction.emotion), ("target", instruction.target))
        if label
    }
    opening = "both" if len(named) == 2 else next(iter(named), "neither")
    lines = [words[opening].format(**named)]
    if instruction.specification.strip():
        lines.append(say("change", instruction.specification))
    if instruction.captions:
        lines.append(say("captions"))
        for number, text in enumerate(instruction.captions, start=1):
            lines.append(say("caption" if text.strip() else "empty", text, number))
    else:
        lines.append(say("rewrite" if instruction.target else "as_is"))
    if (instruction.old_caption or "").strip():
        lines.append(say("old", instruction.old_caption or ""))
    return "\n".join([*lines, say("keep")])


def emotion_name(label: str, language: Language) -> str:
    """What an emotion is called in a language; a label without a name there stands for itself."""
    return EMOTIONS[language].get(label, label)
