"""What made readings fail, each in several wordings and both languages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from deadpan.benchmarks import find
from deadpan.core.questions import Grade, Reply
from deadpan.parsing.script import fold


def read(task: str, text: str) -> Grade:
    benchmark, _, name = task.partition("/")
    return find(benchmark).parse(name, Reply(text=text), "en" if text.isascii() else "zh")


WORDINGS = Path(__file__).with_name("causes.jsonl")
"""Made up by who mended the rules: every family, both languages, most of them once read wrong."""


@pytest.mark.parametrize("line", WORDINGS.read_text(encoding="utf-8").splitlines())
def test_wordings(line: str) -> None:
    given = json.loads(line)
    grade = read(given["task"], given["reply"])
    if "expected" in given:
        assert grade.parsed == given["expected"], grade.reason
    else:
        assert grade.outcome == given["outcome"], grade.parsed


STYLE, PANEL, LETTERS = "pixelhumor/style", "pixelhumor/panel", "vimu/rm"


@pytest.mark.parametrize("mark", ["*", "-", "+", "•", "●", "▪", "◆", "‣", "👉", "1.", "1)"])
@pytest.mark.parametrize(
    ("lead", "names"), [("Answer:", ("Surprise", "Dark")), ("答案：", ("意外", "黑色幽默"))]
)
def test_every_mark_of_a_list(mark: str, lead: str, names: tuple[str, str]) -> None:
    text = f"{lead}\n\n" + "\n".join(f"{mark} {name}" for name in names)
    assert read(STYLE, text).parsed == ["Surprise", "Dark"]


@pytest.mark.parametrize(
    ("task", "text", "expected"),
    [
        (
            STYLE,
            "Answer:\n* Pun\n  The baker kneads the dough.\n* Dark\n  He dies.",
            ["Pun", "Dark"],
        ),
        (STYLE, "This is a dark and silly strip.", ["Silliness", "Dark"]),
        (
            STYLE,
            "The humor is sarcastic, dark and exaggerated.",
            ["Exaggeration", "Sarcasm", "Dark"],
        ),
        (STYLE, "Pun and not Dark", ["Pun"]),
        (STYLE, "Pun, certainly not Dark", ["Pun"]),
        (STYLE, "Silliness, but definitely not Dark.", ["Silliness"]),
        (STYLE, "It uses surprise with a touch of dark.", ["Surprise", "Dark"]),
        (STYLE, "运用了拟人和对比的手法。", ["Comparison", "Personification"]),
        (STYLE, "漫画采用了对比、夸张两种手法。", ["Comparison", "Exaggeration"]),
        (STYLE, "這幅漫畫使用了對比與諷刺。", ["Comparison", "Sarcasm"]),
        (STYLE, "主要是双关，不是黑色幽默。", ["Pun"]),
        (STYLE, "用了意外和对比。", ["Comparison", "Surprise"]),
        (PANEL, "我認為是第2格。", ["2"]),
        (PANEL, "我覺得是第三格，因為貓終於開口了。", ["3"]),
        (PANEL, "我想应该是第4格。", ["4"]),
        (PANEL, "I think it's panel 3, since the cat talks there.", ["3"]),
        (PANEL, "I believe it is panel 2.", ["2"]),
        (PANEL, "Panels 1 and 3 are the funniest.", ["1", "3"]),
        (PANEL, "第2格和第4格最好笑。", ["2", "4"]),
        (
            PANEL,
            "Panel 1: a man walks.\nPanel 2: he slips.\nPanel 3: he flies.\n\nAnswer: 2",
            ["2"],
        ),
        (PANEL, "编号为1的格：下雨；\n编号为3的格：收伞。\n\n答案：1", ["1"]),
        (PANEL, "第1格：早上\n第2格：中午\n第3格：晚上\n\n答案：3", ["3"]),
        (LETTERS, "Literal / Direct", ["A"]),
        (LETTERS, "I'd pick Amplification / Stylization.", ["D"]),
        (LETTERS, "The correct ones are Literal/Direct and Opposition/Incongruity.", ["A", "B"]),
        (LETTERS, "我选择对立 / 反差和放大 / 风格化。", ["B", "D"]),
        (LETTERS, "答案：态度/语气修辞", ["C"]),
        (LETTERS, "All five options apply.", list("ABCDE")),
        (LETTERS, "Everything except D applies.", list("ABCE")),
        (LETTERS, "All of them apply except A and B.", list("CDE")),
        (LETTERS, "除A之外都适用。", list("BCDE")),
        (LETTERS, "五个选项都符合。", list("ABCDE")),
        (LETTERS, "一开始拿不准，但综合来看，应选 B 和 D。", ["B", "D"]),
    ],
)
def test_options(task: str, text: str, expected: list[str]) -> None:
    assert read(task, text).parsed == expected


@pytest.mark.parametrize(
    ("task", "text"),
    [
        (STYLE, "Styles are Comparison, Personification, Exaggeration, Pun, Sarcasm, Silliness, "
         "Surprise and Dark."),
        (STYLE, "Comparison, Personification, Exaggeration, Pun, Sarcasm, Silliness, "
         "Surprise, Dark"),
        (STYLE, "可选的手法有对比、拟人、夸张、双关、讽刺、滑稽、意外和黑色幽默。"),
        (STYLE, "It uses either Pun or Sarcasm."),
        (STYLE, "Answer: Pun or Silliness"),
        (STYLE, "答案：双关或者讽刺"),
        (PANEL, "答案：3 或 1"),
        (PANEL, "答案：第2格还是第3格"),
        (PANEL, "Answer: 2 or 3"),
        (PANEL, "Answer: panel 1 or panel 4"),
        (PANEL, "It depends on the reader: panel 2 is funny, and so is panel 3."),
        (LETTERS, "Answer: A or C"),
        (LETTERS, "选 A 或者 B"),
        (LETTERS, "The options are A, B, C, D and E."),
        ("cfms/identification", "It depends on who posted it."),
        ("cfms/identification", "If he is a fan, the answer is no; if not, it is sarcastic."),
        ("cfms/identification", "If he means it, no. If he does not, yes."),
        ("cfms/identification", "Both readings are possible: it is sincere or it is sarcastic."),
        ("cfms/identification", "如果是粉丝发的，答案是否；如果是路人发的，答案是是。"),
        ("cfms/identification", "若作者是认真的，就不是讽刺；若不是，就是讽刺。"),
        ("cfms/identification", "两种解读都成立，见仁见智。"),
        ("cfms/identification", "要看发帖人的身份，粉丝发的就是真心话。"),
        ("janusmm/recognition", "<your answer>"),
        ("janusmm/recognition", "The poster is [type of expression]."),
        ("janusmm/recognition", "【你的回答】"),
        ("janusmm/recognition", "这是一种<表达类型>。"),
        ("janusmm/recognition", "{}"),
        ("janusmm/recognition", "asdfgh jkl"),
        ("janusmm/recognition", "The poster is making fun of"),
        ("janusmm/recognition", "By sharing this meme here, what is the poster doing?"),
        ("janusmm/recognition", "发图者在这里分享这张图，是在做什么？"),
        ("janusmm/recognition", "发图者这样做是因为"),
        ("janusmm/reasoning", "WHEN YOU WAKE UP LATE AND YOUR BOSS SAYS:"),
        ("vimu/oe", "【答案】"),
        ("vimu/oe", "[your explanation here]"),
        ("vimu/oe", "The video implies that the"),
        ("vimu/oe", "这段视频的意思是："),
        ("pixelhumor/interpretation", "{answer}"),
        ("pixelhumor/interpretation", "The comic is funny because"),
        ("pixelhumor/interpretation", "这幅漫画好笑是因为"),
        ("cfms/target", "The post mocks the"),
        ("cfms/target", "The sarcasm is directed at"),
        ("cfms/target", "这条帖子讽刺的是"),
        ("cfms/target", "讽刺对象："),
        ("cfms/target", "该帖的讽刺对象是"),
        ("cfms/target", "作者使用了夸张和反语，形成强烈对比。"),
        ("cfms/target", "通过图文反差营造幽默效果。"),
        ("cfms/target", "The post uses irony and exaggeration to make its point."),
        ("cfms/target", "[who or what is mocked]"),
    ],
)  # fmt: skip
def test_no_answer(task: str, text: str) -> None:
    assert read(task, text).outcome == "invalid"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It depends a little on the tone, but I'd say yes, it is sarcastic.", True),
        ("If you look at the picture, this is clearly sarcastic.", True),
        ("如果结合图片来看，这是讽刺。", True),
        ("If I had to choose: no.", False),
        ("是。语气取决于读者的理解。", True),
        ("我认为不是讽刺。", False),
    ],
)
def test_what_only_looks_open(text: str, expected: bool) -> None:
    assert read("cfms/identification", text).parsed == {"sarcastic": expected}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("不是在嘲笑顾客，而是在嘲笑乱收费的商家。", "乱收费的商家"),
        ("帖子不是讽刺老师，而是讽刺补习机构。", "补习机构"),
        ("这是对加班文化的嘲讽。", "加班文化"),
        ("這是對房地產廣告的諷刺。", "房地產廣告"),
        ("帖子是对形式主义的辛辣讽刺。", "形式主义"),
        ("The real target is landlords who repair nothing.", "landlords who repair nothing"),
        ("It may look like praise, but the true target is the airline.", "the airline"),
        ("### Who is being mocked\nThe city council", "The city council"),
        ("**Who or what is mocked**\nLandlords", "Landlords"),
        ("### 被讽刺的是谁\n电商平台", "电商平台"),
        ("Crypto influencers – i.e. people who sell dreams", "Crypto influencers"),
        ("Gym owners, i.e. those who charge twice", "Gym owners"),
    ],
)  # fmt: skip
def test_targets(text: str, expected: str) -> None:
    grade = read("cfms/target", text)
    assert isinstance(grade.parsed, dict), grade
    assert fold(str(grade.parsed["target"])) == fold(expected)


@pytest.mark.parametrize(
    "text",
    [
        "The image did not come through. Could you upload it again?",
        "It seems your picture never arrived; please send it again.",
        "Sorry, the meme didn't upload. Could you attach it again?",
        "I won't be able to analyze this image.",
        "I'm sorry, but the picture is too blurry for me to read.",
        "I'm unable to see the panels in this image, so I can't answer.",
        "您的图片没有上传成功，请重新上传。",
        "没有图片，我无法判断，请补充。",
        "这个问题我无法回答，请谅解。",
        "我只是一个语言模型，无法查看图片。",
        "抱歉，图片太模糊，看不清，请重新上传。",
    ],
)
@pytest.mark.parametrize("task", ["janusmm/reasoning", "cfms/target", PANEL])
def test_refusals(task: str, text: str) -> None:
    assert read(task, text).outcome == "refused"


@pytest.mark.parametrize(
    "closing",
    [
        "Let me know if you need more!",
        "I hope this helps!",
        "Would you like me to go panel by panel?",
        "希望对您有帮助！",
        "如需更多说明，请告诉我。",
    ],
)
@pytest.mark.parametrize("task", ["pixelhumor/interpretation", "vimu/oe", "cfms/explanation"])
def test_a_closing_line_is_no_part(task: str, closing: str) -> None:
    said = "The cat pretends to work, and nobody notices that it sleeps."
    parsed: Any = read(task, f"{said}\n\n{closing}").parsed
    assert (parsed["explanation"] if isinstance(parsed, dict) else parsed) == said


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("Explanation", "none needed, since it is sincere praise."),
        ("Explanation", "Not applicable, because nothing is mocked."),
        ("Explanation", "no explanation needed"),
        ("讽刺解释", "无需解释，帖子是真心祝福。"),
        ("讽刺解释", "无，因为没有讽刺。"),
    ],
)
def test_an_explanation_that_is_none(label: str, said: str) -> None:
    zh = label != "Explanation"
    lines = (
        "是否讽刺：否\n讽刺对象：无\n讽刺解释："
        if zh
        else "Sarcastic: no\nTarget: none\nExplanation: "
    )
    parsed: Any = read("cfms/joint", lines + said).parsed
    assert parsed == {"sarcastic": False, "target": None, "explanation": None}


@pytest.mark.parametrize(
    "remark",
    [
        "Note: the text is copied as it stands.",
        "(All text is transcribed as shown.)",
        "These are all the panels with text.",
        "注：标点按原图。",
        "以上为全部文字。",
        "（说明：第三格的字较小。）",
    ],
)
def test_a_remark_behind_the_panels_is_no_part(remark: str) -> None:
    assert read("pixelhumor/panel_text", f"1: Hi\n2: Bye\n\n{remark}").parsed == [
        [1, "Hi"],
        [2, "Bye"],
    ]
