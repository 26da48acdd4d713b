"""Pages of made-up tasks, in both languages, with every kind of question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import JsonValue, TypeAdapter

from deadpan.core.questions import Language
from deadpan.core.study.items import Output, Part, StudyItem, Turn
from deadpan.core.study.specification import Question, Study
from deadpan.core.study.words import in_language
from deadpan.studies.showing import (
    Message,
    ShownAnswers,
    ShownOption,
    ShownOutput,
    ShownPart,
    ShownQuestion,
    ShownReview,
    TaskPage,
)

_QUESTION: TypeAdapter[Question] = TypeAdapter(Question)
STUDY = Study.model_validate(
    {
        "name": "made-up",
        "title": {"en": "What makes it funny", "zh": "好笑在哪里"},
        "about": {
            "en": "You look at comics and say what makes them funny.",
            "zh": "请看漫画，并说明好笑之处。",
        },
        "guidelines": {
            "en": "# How to annotate\n\nRead **all** panels first.\n\n## Sound\n\n- present\n"
            "- absent\n\n1. First look.\n2. Then answer.\n\n<b>not bold</b>",
            "zh": "# 如何标注\n\n请先看完**所有**格子。\n\n## 拟声词\n\n- 有\n- 无",
        },
        "consent": {
            "text": {
                "en": "We keep your answers, and no names.",
                "zh": "我们只保存回答，不保存姓名。",
            },
            "warning": {
                "en": "Some comics are crude or about death.",
                "zh": "部分漫画内容粗俗或涉及死亡。",
            },
        },
        "pay": {"en": "£9 per hour", "zh": "每小时 80 元"},
        "minutes": 2.5,
        "stages": [
            {
                "name": "one",
                "title": "One",
                "questions": [{"kind": "text", "name": "a", "title": "A"}],
            }
        ],
    }
)
PANELS = ("1", "2", "3", "4")
COMIC = ShownPart("picture", "comic", "", "/media/t/0", alt="", size=(900, 620))
TEXT: dict[Language, str] = {
    "en": "Great, another Monday 🙂 – I just love waiting two hours for the bus!",
    "zh": "真棒，又是星期一🙂——我最喜欢等两个小时的公交车了！",
}
LONG: dict[Language, str] = {
    "en": "The humour rests on reversal: the first two panels set up a careful plan, and the last "
    "one shows that nobody had read it. The flat expression of the cat makes it dry.",
    "zh": "笑点在于反转：前两格铺垫了周密的计划，最后一格却表明没有人看过它。猫面无表情，更显冷幽默。",
}
ITEM: dict[Language, StudyItem] = {
    language: StudyItem(
        key="one",
        language=language,
        panels=4,
        parts=(Part(name="text", kind="text", text=text),),
        outputs=tuple(
            Output(source=name, parts=(Part(name="text", kind="text", text=name),))
            for name in "xyz"
        ),
    )
    for language, text in TEXT.items()
}
_STYLES = [
    ("comparison", {"en": "Comparison", "zh": "对比"}, {"en": "Two things are likened.", "zh": "把两件事相比。"}),
    ("exaggeration", {"en": "Exaggeration", "zh": "夸张"}, {"en": "Larger than life.", "zh": "言过其实。"}),
    ("sarcasm", {"en": "Sarcasm", "zh": "讽刺"}, {"en": "The opposite is meant.", "zh": "说反话。"}),
    ("NA", {"en": "Not applicable", "zh": "不适用"}, {}),
]  # fmt: skip


def asked(
    language: Language,
    value: JsonValue = None,
    numbers: Sequence[str] = (),
    is_draft: bool = False,
    is_asked: bool = True,
    **facts: Any,
) -> ShownQuestion:
    """A question as a page shows it; `numbers` are those of the panels."""
    question = _QUESTION.validate_python(facts)
    options = [ShownOption(one, one) for one in numbers if getattr(question, "panels", False)]
    for one in getattr(question, "options", ()):
        title, about = (in_language(said, language) for said in (one.title, one.about))
        options.append(ShownOption(one.value, title or one.value, about))
    return ShownQuestion(
        question,
        in_language(question.title, language),
        in_language(question.help, language),
        value,
        is_asked,
        options,
        numbers,
        is_draft=is_draft,
    )


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


def labels(language: Language, values: Mapping[str, JsonValue]) -> list[ShownQuestion]:
    """Single, multiple, conditional and free questions about a comic."""
    yes = [
        {"value": "yes", "title": {"en": "Yes", "zh": "是"}},
        {"value": "no", "title": {"en": "No", "zh": "否"}},
    ]
    sound = [
        {"value": "adds", "title": {"en": "Present, and adds to it", "zh": "有，且有助于幽默"}},
        {"value": "idle", "title": {"en": "Present, and adds nothing", "zh": "有，但无助于幽默"}},
        {"value": "absent", "title": {"en": "Absent", "zh": "无"}},
    ]
    styles = [{"value": name, "title": title, "about": about} for name, title, about in _STYLES]
    understood = values.get("understood")
    return [
        asked(
            language,
            understood,
            name="understood",
            kind="single",
            options=yes,
            title={"en": "Do you get the joke?", "zh": "您看懂笑点了吗？"},
            help={"en": "Say **yes** if you could explain it.", "zh": "若能解释，请选**是**。"},
        ),
        asked(
            language,
            values.get("panel"),
            PANELS,
            name="panel",
            kind="single",
            panels=True,
            options=["NA"],
            when={"question": "understood", "values": ["yes"]},
            is_asked=understood == "yes",
            title={"en": "Which panel contributes most?", "zh": "哪一格最关键？"},
        ),
        asked(
            language,
            values.get("sound"),
            name="sound",
            kind="single",
            options=sound,
            title={"en": "Sound effects", "zh": "拟声词"},
        ),
        asked(
            language,
            values.get("styles"),
            name="styles",
            kind="multiple",
            options=styles,
            alone=["NA"],
            most=2,
            title={"en": "Styles of humour", "zh": "幽默手法"},
        ),
        asked(
            language,
            values.get("why"),
            name="why",
            kind="text",
            least=10,
            most=300,
            required=False,
            title={"en": "Explain it in a sentence", "zh": "请用一句话解释"},
        ),
    ]


def scales(language: Language, values: Mapping[str, JsonValue]) -> list[ShownQuestion]:
    """Likert scales of several sizes, a slider and a number."""
    ends = (
        {"en": "strongly disagree", "zh": "非常不同意"},
        {"en": "strongly agree", "zh": "非常同意"},
    )
    named = {
        1: {"en": "not at all", "zh": "完全没有"},
        2: {"en": "hardly", "zh": "几乎没有"},
        3: {"en": "partly", "zh": "部分"},
        4: {"en": "mostly", "zh": "大部分"},
        5: {"en": "fully", "zh": "完全"},
    }
    asking = [
        ({"kind": "likert", "name": "agree", "highest": 7, "ends": ends},
         {"en": "The explanation gets the joke.", "zh": "该解释说明了笑点。"}),
        ({"kind": "likert", "name": "depth", "labels": named},
         {"en": "It goes below the surface.", "zh": "该解释有深度。"}),
        ({"kind": "slider", "name": "warmth", "highest": 100, "ends": ends},
         {"en": "How warm is it?", "zh": "有多温暖？"}),
        ({"kind": "number", "name": "panels", "lowest": 1, "highest": 12},
         {"en": "How many panels does it mention?", "zh": "提到了几格？"}),
        ({"kind": "text", "name": "why", "rows": 4},
         {"en": "Why? Quote what is right or wrong.", "zh": "为什么？请引用对或错之处。"}),
    ]  # fmt: skip
    return [
        asked(language, values.get(facts["name"]), title=title, **facts)  # type: ignore[arg-type,call-overload]
        for facts, title in asking
    ]


def drawing(language: Language, values: Mapping[str, JsonValue]) -> list[ShownQuestion]:
    """Boxes, an order and a transcription."""
    asking = [
        ("boxes", {"en": "Draw a box around each panel", "zh": "请为每一格画框"}),
        ("order", {"en": "In which order are they read?", "zh": "阅读顺序是什么？"}),
        ("transcription", {"en": "Write down the text", "zh": "请转写文字"}),
    ]
    return [
        asked(language, values.get(kind), PANELS, name=kind, kind=kind, title=title)
        for kind, title in asking
    ]


def correcting(language: Language, values: Mapping[str, JsonValue]) -> list[ShownQuestion]:
    """A span, a word that is suggested, drafts and a file."""
    drafted = values.get("explanation")
    return [
        asked(
            language,
            values.get("target"),
            name="target",
            kind="span",
            of=["text"],
            title={"en": "Whom or what is it aimed at?", "zh": "讽刺的对象是什么？"},
        ),
        asked(
            language,
            values.get("emotion"),
            name="emotion",
            kind="text",
            suggestions=["annoyance", "amusement", "joy"],
            most=40,
            title={"en": "Emotion", "zh": "情绪"},
        ),
        asked(
            language,
            drafted or LONG[language],
            is_draft=drafted is None,
            name="explanation",
            kind="text",
            title={"en": "Explanation", "zh": "解释"},
        ),
        asked(
            language,
            values.get("edit"),
            name="edit",
            kind="upload",
            required=False,
            title={"en": "Your own edit", "zh": "您修改后的图片"},
        ),
    ]


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
    return _page(name, language, **made[name])
