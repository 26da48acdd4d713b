"""A structured answer to JanusMM's questions → its parts: emotion, reasoning, reply.

The emotion is one line; what stands unlabelled below it belongs to no part.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from deadpan.parsing.labelled import AnswerForm, Parts

Part = Literal["emotion", "reasoning", "reply"]
PARTS: tuple[Part, ...] = get_args(Part)

_NAMES: Mapping[str, tuple[str, ...]] = {
    "emotion": (
        *(
            "emotion",
            "emotions",
            "feeling",
            "feelings",
            "mood",
            "emotional state",
            "emotional tone",
        ),
        *("psychological state", "state of mind", "my emotion", "poster's emotion"),
        *("情绪", "情感", "心情", "感受", "情绪词", "心理状态", "情绪状态", "情绪标签"),
    ),
    "reasoning": (
        *("reasoning", "explanation", "rationale", "analysis", "reason", "reasons", "thinking"),
        *("thought process", "reasoning process", "my reasoning", "motive", "motivation"),
        *("推理", "理由", "分析", "解释", "原因", "思考", "推理过程", "思考过程", "动机", "说明"),
    ),
    "reply": (
        *(
            "reply",
            "response",
            "my reply",
            "my response",
            "supportive reply",
            "reply to the poster",
        ),
        *("supportive response", "回复", "回应", "答复", "回话", "我的回复", "我的回应"),
    ),
}
_FORM = AnswerForm(
    names=_NAMES,
    asked=("Emotion", "Reasoning", "Reply", "情绪", "推理", "回复"),
    main="reasoning",
    one_line=frozenset({"emotion"}),
)


def answer_parts(text: str) -> Parts:
    """The parts of an answer; JSON that is cut off, or several answers that differ, raise."""
    return _FORM.parts(text)
