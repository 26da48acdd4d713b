"""A made-up study in both languages, with questions of every kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import JsonValue, TypeAdapter

from deadpan.core.questions import Language
from deadpan.core.study.items import Output, Part, StudyItem
from deadpan.core.study.specification import Study
from deadpan.core.study.stages import Question
from deadpan.core.study.words import in_language
from deadpan.studies.pages.view_models import (
    ShownOption,
    ShownQuestion,
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
TEXT: dict[Language, str] = {
    "en": "Great, another Monday 🙂 – I just love waiting two hours for the bus!",
    "zh": "真棒，又是星期一🙂——我最喜欢等两个小时的公交车了！",
}
LONG: dict[Language, str] = {
    "en": "The humour rests on reversal: the first two panels set up a careful plan, and the last "
    "one shows that nobody had read it. The flat expression of the cat makes it dry.",
    "zh": "笑点在于反转：前两格铺垫了周密的计划，最后一格却表明没有人看过它。"
    "猫面无表情，更显冷幽默。",
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
    ("comparison", ("Comparison", "对比"), ("Two things are likened.", "把两件事相比。")),
    ("exaggeration", ("Exaggeration", "夸张"), ("Larger than life.", "言过其实。")),
    ("sarcasm", ("Sarcasm", "讽刺"), ("The opposite is meant.", "说反话。")),
    ("NA", ("Not applicable", "不适用"), ("", "")),
]


def _both(en: str, zh: str) -> dict[str, str]:
    return {"en": en, "zh": zh}


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
    styles = [
        {"value": name, "title": _both(*title), "about": _both(*about)}
        for name, title, about in _STYLES
    ]
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
    asking: list[tuple[dict[str, Any], dict[str, str]]] = [
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
        asked(language, values.get(facts["name"]), title=title, **facts) for facts, title in asking
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
