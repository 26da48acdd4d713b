"""Whole replies with a target or an explanation → the grade: no part is lost, none made up."""

from typing import Any

import pytest

from deadpan.benchmarks.cfms.answers import PARSERS
from deadpan.core.questions import Reply
from deadpan.parsing.replies import grade_reply


def parts(sarcastic: bool | None, target: str | None, explanation: str | None) -> dict[str, Any]:
    return {"sarcastic": sarcastic, "target": target, "explanation": explanation}


JOINT = [
    (
        "分析：图片显示一个人加班。\n是否讽刺：是\n讽刺对象：加班文化\n讽刺解释：反差明显。",
        parts(True, "加班文化", "反差明显。"),
    ),
    (
        '{"reasoning":"long thoughts","sarcastic":true,"target":"boss",'
        '"explanation":"gold like explanation"}',
        parts(True, "boss", "gold like explanation"),
    ),
    (
        "Reasoning: A clock.\nIt is late.\n\nSarcastic: yes\nTarget: the boss\nExplanation: b",
        parts(True, "the boss", "b"),
    ),
    (
        "**Final answer:**\nSarcastic: yes\nTarget: the boss\nExplanation: b",
        parts(True, "the boss", "b"),
    ),
    ("Answer:\nSarcastic: no\nTarget: none\nExplanation: none", parts(False, None, None)),
    ("答案：\n是否讽刺：是\n讽刺对象：老板\n讽刺解释：反差", parts(True, "老板", "反差")),
    ("结论：\n是否讽刺：是\n讽刺对象：老板\n讽刺解释：反差", parts(True, "老板", "反差")),
    (
        "判断：图文有反差。\n是否讽刺：是\n讽刺对象：老板\n讽刺解释：反差",
        parts(True, "老板", "反差"),
    ),
    (
        '{"answer": {"sarcastic": true,"target":"boss","explanation":"e"}}',
        parts(True, "boss", "e"),
    ),
    (
        '{"analysis": "x", "result": {"sarcastic": true, "target": "boss", "explanation": "e"}}',
        parts(True, "boss", "e"),
    ),
    (
        "First draft:\nSarcastic: no\nTarget: none\nExplanation: none\n\n"
        "Final answer:\nSarcastic: yes\nTarget: the boss\nExplanation: b",
        parts(True, "the boss", "b"),
    ),
    (
        'Draft: {"sarcastic": false}\n\nFinal answer: {"sarcastic": true, "target": "boss"}',
        parts(True, "boss", None),
    ),
    ("是否讽刺：不确定\n讽刺对象：老板\n讽刺解释：反差", parts(None, "老板", "反差")),
    ("Sarcastic: yes and no\nTarget: the boss", parts(None, "the boss", None)),
    ("是否讽刺：是/否\n讽刺对象：老板", parts(None, "老板", None)),
    ("Sarcastic: no\nTarget: N/A (not sarcastic)\nExplanation: N/A", parts(False, None, None)),
    (
        "I can't identify any sarcasm.\n\nSarcastic: no\nTarget: none\nExplanation: none",
        parts(False, None, None),
    ),
    ("是否諷刺：是\n諷刺對象：老闆\n諷刺解釋：反差。", parts(True, "老闆", "反差。")),
    (
        "**【是否讽刺】**：是\n**【讽刺对象】**：老板\n**【讽刺解释】**：反差。",
        parts(True, "老板", "反差。"),
    ),
    (
        "- **Sarcastic:** Yes\n- **Target:** the boss\n- **Explanation:** The clock says midnight.",
        parts(True, "the boss", "The clock says midnight."),
    ),
    (
        "Sarcastic: yes\nTarget: the boss\nExplanation: The sign says Target: 50% off.",
        parts(True, "the boss", "The sign says Target: 50% off."),
    ),
    (
        "Sarcastic: yes\nTarget: the boss\nExplanation: e\n\nFinal answer: yes",
        parts(True, "the boss", "e"),
    ),
    (
        'Sarcastic: likely yes\nTarget: a boss who says "no overtime"\nExplanation: e',
        parts(True, 'a boss who says "no overtime"', "e"),
    ),
    ("分析：图片。\n是否讽刺：是；讽刺对象：老板；讽刺解释：反差", parts(True, "老板", "反差")),
    ("Yes.\nTarget: the boss\nExplanation: e", parts(True, "the boss", "e")),
    ("是否讽刺：是\n讽刺对象：无法确定\n讽刺解释：反差", parts(True, None, "反差")),
    ("Sarcastic: no\nTarget: none\nExplanation: not applicable", parts(False, None, None)),
    ("Answer: yes\n\nOn reflection, no.", parts(False, None, None)),
    (
        "<sarcastic>yes</sarcastic><target>the boss</target><explanation>e f</explanation>",
        parts(True, "the boss", "e f"),
    ),
    (
        "| Sarcastic | Target | Explanation |\n|---|---|---|\n| yes | the boss | He smiles. |",
        parts(True, "the boss", "He smiles."),
    ),
    ("Yes. It mocks the boss. He smiles.", parts(True, "the boss", "He smiles.")),
    (
        "<think>是否讽刺：否</think>\n```\n是否讽刺：是\n讽刺对象：老板\n讽刺解释：反差\n```",
        parts(True, "老板", "反差"),
    ),
]


@pytest.mark.parametrize(("text", "read"), JOINT)
def test_a_joint_answer(text: str, read: dict[str, Any]) -> None:
    grade = grade_reply(Reply(text=text), PARSERS["joint"])
    assert (grade.outcome, grade.parsed) == ("answered", read)


@pytest.mark.parametrize(
    "text",
    [
        "Sarcastic: no\nTarget: none\nExplanation: none\n\n"
        "Sarcastic: yes\nTarget: the boss\nExplanation: b",
        "Sarcastic: maybe\nTarget: none\nExplanation: none",
        "是否讽刺：是\n讽刺对象：老板\n讽刺解释：甲\n\n是否讽刺：否\n讽刺对象：无\n讽刺解释：无",
    ],
)
def test_two_joint_answers_are_none(text: str) -> None:
    assert grade_reply(Reply(text=text), PARSERS["joint"]).outcome == "invalid"


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("老板\n\n解释：因为图文反差", "老板"),
        ("The boss\n\nExplanation: he smiles", "The boss"),
        ("它讽刺的是老板。", "老板"),
        ("讽刺的对象为：公司", "公司"),
        ("這則貼文諷刺的是公司。", "公司"),
        ("这则帖子讽刺了加班文化。", "加班文化"),
        ("The post mocks overtime culture.", "overtime culture"),
        (
            "I can't identify a specific person; the post mocks overtime culture.",
            "overtime culture",
        ),
        ("**Target:** unpaid overtime", "unpaid overtime"),
        ("諷刺對象：老闆", "老闆"),
        ("Final answer: the boss", "the boss"),
        ("Reasoning: it is late.\nTarget: the boss", "the boss"),
        ("不知道感恩的人", "不知道感恩的人"),
        ("无良商家", "无良商家"),
        ("Nobody's Business, the company", "Nobody's Business, the company"),
        ("没有责任心的领导", "没有责任心的领导"),
        ('```json\n{"target": "the boss"}\n```', "the boss"),
        ("I don't know", None),
        ("I'm not sure who is mocked.", None),
        ("无法确定", None),
        ("無法確定諷刺對象。", None),
        ("Unknown", None),
        ("This post is not sarcastic.", None),
        ("这不是讽刺。", None),
        ("没有明确的讽刺对象", None),
        ("There is no specific target.", None),
        ("None - the post is sincere.", None),
        ("Target: N/A (not sarcastic)", None),
        ("No", None),
        ("No one in particular.", None),
        ("没有人会停车的城市", "没有人会停车的城市"),
        ("Target: the boss\nTarget: the staff", None),
        ("The post mocks bosses who nap, because they pay for nothing.", "bosses who nap"),
        ("讽刺的不是员工，而是老板。", "老板"),
        ("It could be the boss, or it could be the staff.", None),
        ("The picture shows a clock at midnight.", None),
    ],
)
def test_a_target(text: str, target: str | None) -> None:
    grade = grade_reply(Reply(text=text), PARSERS["target"])
    assert grade.outcome == ("invalid" if target is None else "answered")
    assert grade.parsed == (None if target is None else {"target": target})


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "The picture shows a clock.\n\nTarget: bosses\n\nThe words clash with it.",
            "The picture shows a clock.\nThe words clash with it.",
        ),
        ("第一句。\n说明：这是第二句", "第一句。\n这是第二句"),
        ("Here is my explanation:\n\nReason: The clock clashes.", "The clock clashes."),
        ("Sure!\n\n**Explanation:** The clock clashes.", "The clock clashes."),
        ("好的。\n\n解释：图文有反差。", "图文有反差。"),
        ("諷刺解釋：圖文有反差。", "圖文有反差。"),
        ("分析：甲。\n讽刺解释：乙。", "乙。"),
        ("Target: the boss\nExplanation: He smiles.\nNobody else does.", None),
        ("I don't know.", ""),
        ("Target: the boss", ""),
        ("I can't analyse this image.", ""),
    ],
)
def test_an_explanation(text: str, said: str | None) -> None:
    grade = grade_reply(Reply(text=text), PARSERS["explanation"])
    whole = "He smiles.\nNobody else does."
    assert grade.parsed == (None if said == "" else {"explanation": said or whole})
