"""Pages of made-up tasks, in both languages, of every kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from pydantic import JsonValue

from deadpan.core.questions import Language
from deadpan.core.study.items import Turn
from deadpan.studies.pages.view_models import (
    Message,
    ShownAnswers,
    ShownOutput,
    ShownPart,
    ShownReview,
    TaskPage,
)
from tests.studies.made_questions import (
    LONG,
    TEXT,
    asked,
    correcting,
    drawing,
    labels,
    scales,
)

TASKS = (
    "annotate", "harmful", "rate", "choose", "pair", "draw", "correct", "discuss", "review",
    "returned", "practised",
)  # fmt: skip
COMIC = ShownPart("picture", "comic", "", "/media/t/0", alt="", size=(900, 620))


def _page(token: str, language: Language, **facts: Any) -> TaskPage:
    usual: dict[str, Any] = {
        "kind": "answer",
        "language": language,
        "stage": {"en": "Annotate the comic", "zh": "标注漫画"}[language],
        "about": {
            "en": "Look at all panels, then answer. There is **no** right or wrong here.",
            "zh": "请看完所有格子后作答，答案**没有**对错之分。",
        }[language],
        "parts": [COMIC],
        "outputs": [],
        "questions": [],
        "done": 12,
        "total": 100,
    }
    return TaskPage(token=token, **usual | facts)


def _text(name: str, text: str, title: str = "", selectable: bool = False) -> ShownPart:
    return ShownPart(name, "text", title, text=text, selectable=selectable)


def _outputs(language: Language, count: int) -> list[ShownOutput]:
    return [
        ShownOutput("ABCDEFG"[at], str(at), [_text("text", LONG[language][at * 9 :])])
        for at in range(count)
    ]


def _answers(language: Language, who: str, panel: str) -> ShownAnswers:
    said = {"en": ("Yes", "Absent", LONG["en"]), "zh": ("是", "无", LONG["zh"])}[language]
    asked_of = [question.title for question in labels(language, {})]
    answers = (said[0], panel, said[1], "NA", said[2])
    return ShownAnswers(
        who, list(zip(asked_of, answers, strict=True)), [False, True, False, False, True]
    )


def task_page(name: str, language: Language, values: Mapping[str, JsonValue]) -> TaskPage:
    """The made-up task of that name, with what was answered so far."""
    picture = ShownPart("picture", "picture", "", "/media/t/1", size=(480, 480))
    turns = [
        Turn(speaker="小明" if language == "zh" else "Ann", text=TEXT[language]),
        Turn(speaker="小红" if language == "zh" else "Bo", text=LONG[language][:40]),
    ]
    talk = ShownPart("talk", "dialogue", "", turns=turns)
    best = asked(
        language, values.get("best"), name="best", kind="best", tie=True,
        title={"en": "Which explanation is best?", "zh": "哪个解释最好？"},
    )  # fmt: skip
    pictures = [
        ShownOutput(letter, str(at), [replace(picture, address=f"/media/t/{at + 1}")])
        for at, letter in enumerate("AB")
    ]
    you, other = _answers(language, "you", "3"), _answers(language, "other", "4")
    points = {
        "en": ("Gives a reason", "Quotes what is right or wrong", "Names what was missed"),
        "zh": ("给出理由", "引用对或错之处", "指出遗漏之处"),
    }[language]
    ticked = [(point, at == 0) for at, point in enumerate(points)]
    made: dict[str, dict[str, Any]] = {
        "annotate": {"questions": labels(language, values)},
        "harmful": {"questions": labels(language, values), "harmful": True},
        "rate": {
            "parts": [picture, talk, ShownPart("voice", "sound", "", "/media/t/sound")],
            "outputs": _outputs(language, 1),
            "questions": scales(language, values),
        },
        "choose": {"outputs": _outputs(language, 3), "questions": [best]},
        "pair": {
            "parts": [_text("target", TEXT[language], "→ calm")],
            "outputs": pictures,
            "questions": [replace(best, asked=best.asked.model_copy(update={"kind": "pairwise"}))],
        },
        "draw": {"questions": drawing(language, values)},
        "correct": {
            "parts": [picture, _text("text", TEXT[language], selectable=True)],
            "questions": correcting(language, values),
            "can_ask_model": True,
            "opinions": [Message("model", LONG[language], "")],
            "earlier": [ShownAnswers("A", [("Sarcastic", "yes")])],
        },
        "discuss": {
            "kind": "discuss",
            "questions": labels(language, values),
            "others": [you, other],
            "messages": [
                Message("other", LONG[language][:60], "14:02"),
                Message("you", TEXT[language], "14:05"),
            ],
        },
        "review": {
            "kind": "review",
            "others": [_answers(language, "A", "2")],
            "review": ShownReview("why", ticked, 2, text=LONG[language]),
        },
        "returned": {
            "questions": scales(language, {"agree": 3, "warmth": 40}),
            "review": ShownReview("why", ticked, 2, LONG[language][:50], "", accepted=False),
        },
        "practised": {
            "kind": "practice",
            "is_submitted": True,
            "questions": labels(language, {"understood": "yes", "panel": "2"}),
            "feedback": LONG[language],
            "rightness": [("Q1", True, ""), ("Q2", False, "4")],
        },
    }
    made["veiled"] = {**made["correct"], "others": [_answers(language, "A", "2")], "harmful": True}
    made["veiled-choice"] = {**made["choose"], "harmful": True}
    strip = ShownPart("picture", "comic", "", "/media/t/3", size=(1800, 420), from_right=True)
    made["strip"] = {**made["annotate"], "parts": [strip]}
    made["ended"] = {**made["annotate"], "is_submitted": True, "is_ended": True}
    without_points = ShownReview("", (), 0, LONG[language][:50], accepted=False)
    made["returned-batch"] = {**made["annotate"], "review": without_points}
    return _page(name, language, **made[name])
